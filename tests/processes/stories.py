"""The smallest world, in which nothing is left to chance unless a story asks for it.

One region, two sectors four apart. Every difficulty is 1 and every skill 80, so each test of a pool
has as many successes as the pool has dice; every ingredient is always present, with three units;
four dice of Speed always cover the four there are to go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import msgspec

from worldsim.processes.simulation import Simulation
from worldsim.scenario import load_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldsim.events.kinds import DiceRolled, Event, Level
    from worldsim.scenario.model import Scenario

SKILLS = (
    "speed", "manual", "stealth", "shooting", "weapon", "cover", "toughness", "awareness",
    "planetary", "orders", "leadership", "engineering", "science", "medicine",
)  # fmt: skip

GROUND = """\
schema = 1

[campaign]
name = "story"

[planet]
regions = 1
sectors_per_region = 2
sector_distance = "2"
region_distance = "2"
rough_sectors = 0
climates = ["still"]

[planet.landscapes.meadow]
difficulty = 1
wildlife = 0

[rules.dice]
min_difficulty = 1
default_difficulty = 1

[rules.survival]
easiest = 1

[rules.survival.climates.still]
calm = { weight = 1, difficulty = 0 }

[rules.gathering]
scale_base = 1
present_die = 1
presence = { common = 1.0, uncommon = 1.0, rare = 1.0 }

# To sit in a sector and do nothing: a patrol would be safe where its faction is in control.
[missions.camp]
kind = "research"
on_site = []
"""

BERRY = """
[[ingredients]]
id = "berry"
kind = "fruit"
reserve = 400_000_000_000
"""
"""So much of it that what is taken changes no chance."""

ORE = """
[[ingredients]]
id = "ore"
kind = "metal"
reserve = 400_000_000_000
"""

HOME = """
[[colonies]]
id = "home"
sector = "r1/s1"
targets = ["r1/s2"]
stores = { berry = 1000 }
"""


def person(name: str, role: str, *, skill: float = 80, physical: int = 0, **skills: float) -> str:
    """A member whose every skill is ``skill``, but for those named."""
    values = ", ".join(f"{each} = {skills.get(each, skill)}" for each in SKILLS)
    return (
        f'{{ name = "{name}", class = "{role}", skills = {{ {values} }}, '
        f"affinities = {{ physical = {physical} }} }}"
    )


def team(
    name: str = "ants",
    *,
    mission: str = "gather",
    profile: str = "gathering",
    roles: Sequence[str] = ("leader", "member", "member"),
    vehicles: int = 1,
    skill: float = 80,
    physical: int = 0,
    **skills: float,
) -> str:
    """A table ``[[colonies.teams]]`` of people who are all alike: ``a``, ``b``, ``c``, …"""
    people = ",\n  ".join(
        person(chr(ord("a") + i), role, skill=skill, physical=physical, **skills)
        for i, role in enumerate(roles)
    )
    return (
        f'\n[[colonies.teams]]\nid = "{name}"\nmission = "{mission}"\nprofile = "{profile}"\n'
        f"vehicles = {vehicles}\nmembers = [\n  {people},\n]\n"
    )


ANTS = team()


def scenario(
    *sets: str,
    ground: str = GROUND,
    goods: str = BERRY,
    more: str = "",
    colonies: str = HOME + ANTS,
) -> Scenario:
    """A story's scenario; ``more`` are further tables, ``sets`` change single values."""
    return load_text(ground + goods + more + colonies, sets=sets)


class Parts(TypedDict, total=False):
    """The text of a story's scenario, as `scenario` takes it."""

    ground: str
    goods: str
    more: str
    colonies: str


class Told:
    """A campaign told day by day, all its events kept.

    Args:
        of: The scenario.
        seed: Of all chance.
        level: ``debug`` also keeps the rolls.

    Attributes:
        sim: The campaign.
        events: Everything that happened after the founding, as plain dicts.
    """

    def __init__(self, of: Scenario, *, seed: int = 1, level: Level = "info") -> None:
        self.events: list[dict[str, Any]] = []
        self.sim = Simulation(
            of, seed=seed, write=lambda _line: None, level=level, on_event=self._keep
        )

    def _keep(self, event: Event | DiceRolled) -> None:
        if event.day:
            self.events.append(msgspec.to_builtins(event))

    def days(self, count: int) -> Told:
        """Let so many days pass."""
        for _ in range(count):
            self.sim.advance()
        return self

    def all(self, *kinds: str, **fields: Any) -> list[dict[str, Any]]:
        """The events of some kinds that have these fields."""
        return [
            each
            for each in self.events
            if each["event"] in kinds and all(each[k] == v for k, v in fields.items())
        ]

    def one(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The only event of its kind."""
        found = self.all(kind, **fields)
        assert len(found) == 1, f"{len(found)} events {kind} {fields}"
        return found[0]

    def lines(self, *fields: str, without: Iterable[str] = ("weather.changed",)) -> list[str]:
        """The whole journal: day, kind, and of the fields named those an event has."""
        return [
            " ".join(
                [f"{each['day']} {each['event']}", *(f"{f}={each[f]}" for f in fields if f in each)]
            )
            for each in self.events
            if each["event"] not in without
        ]

    @property
    def team(self) -> Any:
        """The first team as it is now."""
        return self.sim.world.teams[0]

    @property
    def colony(self) -> Any:
        """The first colony as it is now."""
        return self.sim.world.colonies[0]


def tell(
    days: int, *sets: str, seed: int = 1, level: Level = "info", **parts: Unpack[Parts]
) -> Told:
    """The first days of a story."""
    return Told(scenario(*sets, **parts), seed=seed, level=level).days(days)


def table(name: str, *effects: str) -> str:
    """An event table whose one entry has these effects, each an inline table's content."""
    listed = ", ".join(f"{{ {each} }}" for each in effects)
    return f'\n[[event_tables.{name}]]\nid = "it"\nweight = 1\neffects = [{listed}]\n'
