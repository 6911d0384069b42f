"""How people, teams and colonies are written down: the same fields, as plain records.

The classes of the living world are compiled where a compiler is there, and then tell their types
to nobody; so what is read back is described here once more. A test compares the two.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from worldsim.scenario.tables import ProfileName  # noqa: TC001 - msgspec reads it at run time
from worldsim.world.colonies import Colony
from worldsim.world.people import Character
from worldsim.world.teams import Team, Trip


class CharacterRecord(msgspec.Struct):
    """A `Character`."""

    name: str
    role: str
    physical: int
    skills: dict[str, float]
    health: int
    stamina: int


class TripRecord(msgspec.Struct):
    """A `Trip`."""

    mission: str
    target: str
    distance: float
    regions: list[str]
    ends: list[float]
    position: float
    covered: float
    days: int
    site_days: int
    idle_days: int
    successes: int
    ended: bool
    unclaimed: bool
    arrived: tuple[int, float] | None
    found: bool
    doomed: bool
    hungry_days: int
    lost_days: int
    units: int


class TeamRecord(msgspec.Struct):
    """A `Team`."""

    id: str
    colony: str
    profile: ProfileName
    mission: str
    vehicles: int
    members: list[CharacterRecord]
    place: str
    cargo: list[int]
    rations: list[int]
    status: Literal[
        "at_colony", "outbound", "on_site", "homeward", "lost", "in_battle", "disbanded", "gone"
    ]
    experience: int
    efficiency: int
    situation: int
    resilience: list[int]
    base: list[int]
    tested: int
    weary: int
    trip: TripRecord | None
    cause: int | None
    since: int
    cards: list[str]
    combat: list[int]
    fought_on: int | None
    fallen: dict[str, int | None]
    infirmary: list[CharacterRecord]
    recruits_on: int | None
    values: list[float]
    plain: list[tuple[int, int]]
    profiled: list[tuple[int, int]]
    capacity: int
    mouths: int
    leaders: int
    led: bool
    load: int


class ColonyRecord(msgspec.Struct):
    """A `Colony`."""

    id: str
    faction: str
    sector: str
    store: list[int]
    mapped: list[str]
    explored: dict[str, int]
    yields: dict[str, int]
    research: int
    construction: int
    contribution: float
    memory: Any
    cause: int | None


def team_of(record: TeamRecord) -> Team:
    """The team that a record tells of."""
    fields = msgspec.structs.asdict(record)
    fields["members"] = [_character_of(each) for each in record.members]
    fields["infirmary"] = [_character_of(each) for each in record.infirmary]
    if record.trip is not None:
        fields["trip"] = Trip(**msgspec.structs.asdict(record.trip))
    return Team(**fields)


def colony_of(record: ColonyRecord) -> Colony:
    """The colony that a record tells of."""
    return Colony(**msgspec.structs.asdict(record))


def _character_of(record: CharacterRecord) -> Character:
    return Character(**msgspec.structs.asdict(record))
