"""What is left in the ground: whole units per place and ingredient."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, fsum, log, pi, sqrt
from typing import TYPE_CHECKING, Literal

from worldsim.rules.abundance import class_of, regrown, sector_part, shared_out
from worldsim.rules.gathering import Ground

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldsim.chance import Chance
    from worldsim.scenario.model import Ingredient, Scenario
    from worldsim.world.atlas import Atlas

Pool = Literal["transition", "sector"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where stock lies: a region's transition reserve, or a sector."""

    id: str
    region: str
    pool: Pool


class Reserves:
    """The stock of every place. Whole units leave by ``take`` and come back by ``regrow`` only.

    Attributes:
        places: Regions' transition reserves first, then sectors.
        left: Units now, ``left[place][ingredient]``, never below 0 nor above ``initial``.
        initial: Units at the start, likewise.
        carried: Remainders of regrowth, likewise.
        grounds: What a gathering phase reads of each place; shares the lists above.
        changed: Cells whose stock changed since somebody cleared it, each told by
            ``place * width + ingredient``, in order of first change.
        width: Number of ingredients.
    """

    __slots__ = ("carried", "changed", "grounds", "initial", "left", "places", "rates", "width")

    def __init__(
        self,
        places: list[Place],
        initial: list[list[int]],
        abundance: list[list[int]],
        rates: Sequence[float],
    ) -> None:
        self.places = places
        self.initial = initial
        self.left = [list(row) for row in initial]
        self.carried = [[0.0] * len(rates) for _ in places]
        self.rates = [(i, rate) for i, rate in enumerate(rates) if rate > 0]
        self.width = len(rates)
        self.changed: dict[int, None] = {}
        self.grounds = [
            Ground([i for i, units in enumerate(first) if units], left, first, classes)
            for left, first, classes in zip(self.left, initial, abundance, strict=True)
        ]

    def take(self, place: int, ingredient: int, wanted: int) -> int:
        """Remove up to ``wanted`` units and return how many there were to remove.

        A short answer is an ordinary outcome.

        Raises:
            ValueError: ``wanted`` is negative.
        """
        if wanted < 0:
            raise ValueError(f"{wanted} units cannot be taken")
        row = self.left[place]
        taken = min(wanted, row[ingredient])
        if taken:
            row[ingredient] -= taken
            self.changed[place * self.width + ingredient] = None
        return taken

    def regrow(self, place: int) -> dict[int, int]:
        """Let one place grow for a day; units by ingredient that came back (RES-5)."""
        left, initial, carried = self.left[place], self.initial[place], self.carried[place]
        grown: dict[int, int] = {}
        for ingredient, rate in self.rates:
            there, most = left[ingredient], initial[ingredient]
            if 0 < there < most:
                units, carried[ingredient] = regrown(there, most, rate, carried[ingredient])
                if units:
                    left[ingredient] = there + units
                    self.changed[place * self.width + ingredient] = None
                    grown[ingredient] = units
        return grown


def lay_out(scenario: Scenario, atlas: Atlas, chance: Chance) -> Reserves:
    """Spread each ingredient's reserve over the places of the map.

    Rule RES-1, RES-2, RES-4 [P].
    """
    places = [Place(region, region, "transition") for region in atlas.regions]
    places += [Place(sector, atlas.region_of[sector], "sector") for sector in atlas.sectors]
    columns = [_spread(each, scenario, atlas, chance) for each in scenario.ingredients]
    initial = [[column[place.id] for column in columns] for place in places]
    classes = _classes(places, initial, scenario)
    return Reserves(places, initial, classes, [each.regrowth for each in scenario.ingredients])


def _spread(
    ingredient: Ingredient, scenario: Scenario, atlas: Atlas, chance: Chance
) -> dict[str, int]:
    """Units of one ingredient by place: nothing lost to rounding."""
    share = scenario.rules.reserves.sector_share
    stock: dict[str, int] = {}
    regions = shared_out(ingredient.reserve, _weights("planet", atlas.regions, ingredient.id,
                                                      scenario, atlas, chance))  # fmt: skip
    for region, units in zip(atlas.regions, regions, strict=True):
        sectors = atlas.sectors_of[region]
        in_sectors = sector_part(units, share) if sectors else 0
        stock[region] = units - in_sectors
        if sectors:
            weights = _weights(region, sectors, ingredient.id, scenario, atlas, chance)
            stock |= zip(sectors, shared_out(in_sectors, weights), strict=True)
    return stock


def _weights(
    of: str, names: list[str], ingredient: str, scenario: Scenario, atlas: Atlas, chance: Chance
) -> list[float]:
    """The weights of some regions or sectors, as ``rules.reserves.spread`` reads them."""
    rules = scenario.rules.reserves
    if rules.spread == "dirichlet":
        return _dirichlet(len(names), rules.dirichlet, chance, f"{ingredient}@{of}")
    if rules.spread == "given":
        if of == "planet" and scenario.planet.region_weights:
            return list(scenario.planet.region_weights)
        return [float(atlas.graph.nodes[name].get("weight", 1.0)) for name in names]
    return [1.0] * len(names)


def _dirichlet(count: int, concentration: float, chance: Chance, entity: str) -> list[float]:
    """Seeded weights that add up to 1; the lower the concentration, the more uneven.

    A gamma draw by Marsaglia and Tsang (2000) from our own stream: numpy's generators make no
    promise to keep theirs.
    """
    stream = chance.at("spread", entity, 0)
    draws = [_gamma(concentration, stream) for _ in range(count)]
    whole = fsum(draws)
    return [draw / whole for draw in draws] if whole > 0 else [1.0] * count


def _gamma(shape: float, stream: Iterator[float]) -> float:
    """One draw of a gamma law of scale 1."""
    if shape < 1:
        boost: float = (1.0 - next(stream)) ** (1.0 / shape)
        return boost * _gamma(shape + 1, stream)
    d = shape - 1 / 3
    c = 1 / sqrt(9 * d)
    while True:
        radius = sqrt(-2 * log(1.0 - next(stream)))
        x = radius * cos(2 * pi * next(stream))  # a standard normal, by Box and Muller
        v = (1 + c * x) ** 3
        if v > 0 and log(1.0 - next(stream)) < x * x / 2 + d - d * v + d * log(v):
            return d * v


def _classes(places: list[Place], initial: list[list[int]], scenario: Scenario) -> list[list[int]]:
    """POOR, NORMAL or RICH for each place and ingredient, against places of the same pool."""
    rules = scenario.rules.reserves
    count = len(scenario.ingredients)
    means: dict[str, list[float]] = {}
    for pool in ("transition", "sector"):
        rows = [row for place, row in zip(places, initial, strict=True) if place.pool == pool]
        means[pool] = [sum(row[i] for row in rows) / max(1, len(rows)) for i in range(count)]
    return [
        [class_of(row[i], means[place.pool][i], rules.rich_at, rules.poor_at) for i in range(count)]
        for place, row in zip(places, initial, strict=True)
    ]
