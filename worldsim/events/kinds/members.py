"""What befalls teams and their members: wildlife, event tables, wounds."""

from typing import ClassVar, Literal

from worldsim.events.kinds.base import Amounts, Event, Level


class WildlifeMet(Event, frozen=True, tag="wildlife.met"):
    """Wildlife crossed a team's way (SURV-6)."""

    team: str
    place: str
    animal: str
    noticed: int
    defended: int
    wounds: int


class TeamAffected(Event, frozen=True, tag="team.affected"):
    """An entry of an event table, or a mishap, befell a team (MOVE-4, GATH-9)."""

    team: str
    place: str
    event_table: str
    entry: str
    progress: float
    efficiency: int
    situation: int
    stamina: int
    resilience: Amounts
    found: Amounts
    lost: Amounts


class MemberHurt(Event, frozen=True, tag="member.hurt"):
    """A member lost Health."""

    team: str
    member: str
    damage: int
    health: int
    harm: Literal["wildlife", "hunger", "lost", "event"]


class MemberCollapsed(Event, frozen=True, tag="member.collapsed"):
    """A member fell into a coma (CHAR-5)."""

    LEVEL: ClassVar[Level] = "warning"

    team: str
    member: str
    health: int


class MemberDied(Event, frozen=True, tag="member.died"):
    """A member is dead (CHAR-5, SURV-5)."""

    LEVEL: ClassVar[Level] = "warning"

    team: str
    member: str
    harm: Literal["wildlife", "hunger", "lost", "event", "vanished"]


class MemberRecovered(Event, frozen=True, tag="member.recovered"):
    """A member woke from a coma (CHAR-5)."""

    team: str
    member: str
    health: int
