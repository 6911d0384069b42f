"""A gathering phase: presence, Detection, then unit after unit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench_peers.dice import at_least_easiest, successes, total

if TYPE_CHECKING:
    from random import Random

    from bench_peers.planet import Place
    from bench_peers.setup import IngredientData
    from bench_peers.team import Team

PRESENCE = {"common": 0.9, "uncommon": 0.6, "rare": 0.3, "epic": 0.1, "legendary": 0.03}
CLASS_SIZE = {"common": 3, "uncommon": 2, "rare": 1, "epic": 1, "legendary": 1}
SCALE_BASE, SCALE_STEP = 2, 220
FIND_ALL_AT = SPARED_AT = 3
MISS_COST = 2
FATIGUED = 2
NOTHING_IN_BAG = 10


@dataclass
class Find:
    """An ingredient that is there: units present, then those found."""

    ingredient: IngredientData
    units: int
    scarcity: int


@dataclass
class Haul:
    """What came of a phase."""

    limit: int
    present: int = 0
    found: int = 0
    tried: int = 0
    taken: dict[str, int] = field(default_factory=dict)
    mishap: str = "none"


def gather(team: Team, place: Place) -> Haul:
    """A whole phase; the stock is left as it is."""
    random = team.planet.random
    tired = team.drain("gathering")
    pool = team.pool("gathering")
    free = team.free
    haul = Haul(min(total(random, pool, int(tired)), free))
    if haul.limit <= 0:
        return haul
    finds = _present(random, place, team.planet.ingredients)
    haul.present = len(finds)
    found = _detected(team, finds)
    random.shuffle(found)
    limit, minor, average = haul.limit, 0, 0
    added = FATIGUED if tired else 0
    for find in found:
        haul.found += find.units
        weight = find.ingredient.unit_weight
        difficulty = _step(find.ingredient.fragility) + find.scarcity + added
        for _ in range(find.units):
            if limit <= 0 or sum(haul.taken.values()) >= haul.limit or weight > free:
                break
            haul.tried += 1
            hits = successes(random, pool, at_least_easiest(difficulty))
            if hits == 0:
                limit -= MISS_COST
                average += 1
                continue
            if hits < SPARED_AT:
                limit -= 1
            if hits == 1:
                minor += 1
            name = find.ingredient.name
            haul.taken[name] = haul.taken.get(name, 0) + 1
            free -= weight
    haul.mishap = _mishap(random, minor, average)
    return haul


def _step(points: int) -> int:
    return SCALE_BASE + points // SCALE_STEP


def _present(random: Random, place: Place, ingredients: dict[str, IngredientData]) -> list[Find]:
    finds: list[Find] = []
    for name, ingredient in ingredients.items():
        left = place.left[name]
        if left and random.random() < PRESENCE[ingredient.rarity] * place.share(name):
            scarcity = place.scarcity(name)
            units = max(1, random.randint(1, 6) - scarcity) * CLASS_SIZE[ingredient.rarity]
            finds.append(Find(ingredient, min(left, units), scarcity))
    return finds


def _detected(team: Team, finds: list[Find]) -> list[Find]:
    added = FATIGUED if team.is_tired("detection") else 0
    pool = team.pool("detection")
    found: list[Find] = []
    for find in finds:
        difficulty = _step(find.ingredient.stealth) + find.scarcity + added
        hits = successes(team.planet.random, pool, at_least_easiest(difficulty))
        if hits:
            if hits == 1:
                find.units = 1
            elif hits < FIND_ALL_AT:
                find.units = (find.units + 1) // 2
            found.append(find)
    if finds:
        team.drain("detection")
    return found


def _mishap(random: Random, minor: int, average: int) -> str:
    bag = ["none"] * NOTHING_IN_BAG + ["minor"] * minor + ["average"] * average
    return random.choice(bag) if minor or average else "none"
