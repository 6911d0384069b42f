"""The world of a scenario as plain data: the same map, people and stock that worldsim builds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldsim.scenario.model import Scenario


@dataclass
class IngredientData:
    """What a catalogue says of an ingredient."""

    name: str
    rarity: str
    stealth: int
    fragility: int
    unit_weight: int
    edible: bool
    regrowth: float


@dataclass
class PlaceData:
    """A region's transition reserve, or a sector."""

    name: str
    region: str
    pool: str
    difficulty: int
    stock: dict[str, int]


@dataclass
class RouteData:
    """The way from a colony to a sector."""

    target: str
    distance: float
    regions: list[str]
    ends: list[float]


@dataclass
class ColonyData:
    """A colony, its targets nearest first."""

    name: str
    sector: str
    store: dict[str, int]
    routes: list[RouteData]


@dataclass
class TeamData:
    """A team; ``values`` are its attributes without experience."""

    name: str
    colony: str
    members: list[tuple[str, str]]
    values: dict[str, float]
    capacity: int


@dataclass
class WorldData:
    """Everything at the founding."""

    seed: int
    ingredients: list[IngredientData]
    regions: list[str]
    places: list[PlaceData]
    weathers: list[tuple[str, float, int]]
    colonies: list[ColonyData]
    teams: list[TeamData]
    stamina_rest: int
    resilience_rest: int
    drain: int
    rations_days: int


ATTRIBUTES = ("speed", "gathering", "detection", "survival")
ONLY_CLIMATE = "temperate"


def world_data(scenario: Scenario, seed: int) -> WorldData:
    """Build the world as worldsim does, and tell it as plain data."""
    from worldsim.chance import Chance  # noqa: PLC0415 - whoever only reads needs no worldsim
    from worldsim.rules.teams import ATTRIBUTES as ALL  # noqa: PLC0415
    from worldsim.world.build import build  # noqa: PLC0415

    world = build(scenario, Chance(seed))
    rules = scenario.rules
    edible = set(rules.survival.edible)
    climate = rules.survival.climates[ONLY_CLIMATE]
    colonies: list[ColonyData] = []
    for colony, given in zip(world.colonies, scenario.colonies, strict=True):
        store = dict(zip(world.ingredients, colony.store, strict=True))
        routes: list[RouteData] = []
        for target in given.targets or ():
            way = world.route(colony.sector, target)
            ends = list(way.stretches(way.distance))
            routes.append(RouteData(target, way.distance, list(way.regions), ends))
        routes.sort(key=lambda route: (route.distance, route.target))
        colonies.append(ColonyData(colony.id, colony.sector, store, routes))
    return WorldData(
        seed=seed,
        ingredients=[
            IngredientData(
                each.id, each.rarity, each.stealth, each.fragility, weight,
                each.kind in edible, each.regrowth,
            )
            for each, weight in zip(scenario.ingredients, world.unit_weights, strict=True)
        ],
        regions=list(world.atlas.regions),
        places=[
            PlaceData(
                place.id, place.region, place.pool, world.place_difficulty(place.id),
                dict(zip(world.ingredients, stock, strict=True)),
            )
            for place, stock in zip(world.places, world.reserves.initial, strict=True)
        ],
        weathers=[(name, each.weight, each.difficulty) for name, each in climate.items()],
        colonies=colonies,
        teams=[
            TeamData(
                team.id, team.colony, [(each.name, each.role) for each in team.members],
                {name: team.values[ALL.index(name)] for name in ATTRIBUTES}, team.capacity,
            )
            for team in world.teams
        ],
        stamina_rest=rules.fatigue.stamina_rest,
        resilience_rest=rules.fatigue.resilience_rest,
        drain=rules.survival.drain,
        rations_days=rules.survival.rations_days,
    )  # fmt: skip
