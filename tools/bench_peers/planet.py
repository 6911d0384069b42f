"""The planet: places and their stock, weather, colonies, and the log."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from bench_peers.setup import ColonyData, IngredientData, PlaceData, RouteData, WorldData

DAY_MIN = 1440
BANDS = ((0.75, -2), (0.5, -1), (0.35, 0), (0.15, 1), (0.0, 2))
WORST = 2


class Log:
    """Numbers events, and writes each as a line of JSON where there is a file."""

    def __init__(self, file: TextIO | None) -> None:
        self.file = file
        self.seq = 0

    def record(self, event: str, t: int, cause: int | None, /, **fields: Any) -> int:
        """Write an event; its number."""
        seq = self.seq
        self.seq += 1
        if self.file is not None:
            line = {
                "event": event, "seq": seq, "t": t, "day": t // DAY_MIN + 1, "level": "info",
                "cause": cause, **fields,
            }  # fmt: skip
            self.file.write(json.dumps(line) + "\n")
        return seq


class Place:
    """Where stock lies."""

    def __init__(self, data: PlaceData) -> None:
        self.name = data.name
        self.region = data.region
        self.pool = data.pool
        self.difficulty = data.difficulty
        self.initial = dict(data.stock)
        self.left = dict(data.stock)
        self.carried = dict.fromkeys(data.stock, 0.0)
        self.abundance = dict.fromkeys(data.stock, "normal")

    def share(self, ingredient: str) -> float:
        """Stock left, of what was there at the start."""
        return self.left[ingredient] / self.initial[ingredient]

    def scarcity(self, ingredient: str) -> int:
        """What abundance adds to difficulties."""
        share = self.share(ingredient)
        value = next((band for at, band in BANDS if share >= at), WORST)
        abundance = self.abundance[ingredient]
        if abundance != "rich":
            value = max(0, value)
        if abundance == "poor":
            value += 1
        return min(value, WORST)

    def regrow(self, rates: dict[str, float]) -> dict[str, int]:
        """Logistic growth of a day, in whole units; the remainder is carried."""
        grown: dict[str, int] = {}
        for name, rate in rates.items():
            left, initial = self.left[name], self.initial[name]
            if 0 < left < initial:
                growth = self.carried[name] + rate * left * (1 - left / initial)
                units = min(int(growth), initial - left)
                self.carried[name] = growth - units if left + units < initial else 0.0
                if units:
                    self.left[name] += units
                    grown[name] = units
        return grown


class Colony:
    """Where teams rest; it sends them to one target after another."""

    def __init__(self, data: ColonyData) -> None:
        self.name = data.name
        self.sector = data.sector
        self.store = dict(data.store)
        self.routes = data.routes
        self.turn = 0

    def next_route(self) -> RouteData:
        """The way to the next target."""
        route = self.routes[self.turn % len(self.routes)]
        self.turn += 1
        return route

    def take_food(self, wanted: int, edible: list[str]) -> dict[str, int]:
        """Food from the store, most plentiful first."""
        taken: dict[str, int] = {}
        for name in sorted(edible, key=lambda each: -self.store[each]):
            units = min(wanted, self.store[name])
            if units:
                self.store[name] -= units
                taken[name] = units
                wanted -= units
        return taken


class Planet:
    """All that teams share.

    Attributes:
        now: Minutes since the first dawn; whoever runs the model sets it.
        hauls: Units of each gathering phase so far, if somebody wants them.
    """

    def __init__(self, data: WorldData, seed: int, file: TextIO | None = None) -> None:
        self.data = data
        self.random = Random(seed)  # noqa: S311 - dice, not secrets
        self.log = Log(file)
        self.now = 0
        self.hauls: list[int] | None = None
        self.ingredients: dict[str, IngredientData] = {each.name: each for each in data.ingredients}
        self.edible = [each.name for each in data.ingredients if each.edible]
        self.lightest = min(each.unit_weight for each in data.ingredients)
        self.rates = {each.name: each.regrowth for each in data.ingredients if each.regrowth}
        self.places = {each.name: Place(each) for each in data.places}
        self.colonies = {each.name: Colony(each) for each in data.colonies}
        self.weather = dict.fromkeys(data.regions, ("", 0))
        self._judge_abundance()

    def _judge_abundance(self) -> None:
        """Call places rich or poor in an ingredient, against the mean of their pool."""
        for pool in ("transition", "sector"):
            places = [place for place in self.places.values() if place.pool == pool]
            for name in self.ingredients:
                mean = sum(place.initial[name] for place in places) / len(places)
                for place in places:
                    if place.initial[name] >= 1.5 * mean:
                        place.abundance[name] = "rich"
                    elif place.initial[name] <= 0.5 * mean:
                        place.abundance[name] = "poor"

    def turn_day(self) -> None:
        """A new day: weather, and what grew since yesterday."""
        names = [name for name, _, _ in self.data.weathers]
        weights = [weight for _, weight, _ in self.data.weathers]
        added = {name: difficulty for name, _, difficulty in self.data.weathers}
        for region in self.data.regions:
            (name,) = self.random.choices(names, weights)
            if self.weather[region][0] != name:
                self.weather[region] = name, added[name]
                self.log.record(
                    "weather.changed", self.now, None, region=region, weather=name,
                    difficulty=added[name],
                )  # fmt: skip
        if self.now:
            for place in self.places.values():
                grown = place.regrow(self.rates)
                if grown:
                    self.log.record(
                        "reserve.regrown", self.now, None, place=place.name, grown=grown
                    )
