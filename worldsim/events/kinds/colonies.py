"""What happens at colonies, and to teams at home."""

from typing import ClassVar

from worldsim.events.kinds.base import Amounts, Event, Level


class ColonyFed(Event, frozen=True, tag="colony.fed"):
    """People at home ate from the store (SURV-4)."""

    colony: str
    people: int
    eaten: Amounts


class ColonyStarved(Event, frozen=True, tag="colony.starved"):
    """The store could not feed the people at home: they do not recover today (SURV-4)."""

    LEVEL: ClassVar[Level] = "warning"

    colony: str
    people: int
    eaten: Amounts


class TeamRested(Event, frozen=True, tag="team.rested"):
    """A day of rest at the colony (FAT-4, FAT-5, FAT-6)."""

    team: str
    resilience_short: int
    stamina_least: int
    efficiency: int


class TeamContributed(Event, frozen=True, tag="team.contributed"):
    """A day of work for the colony instead of rest (DAY-1)."""

    team: str
    points: float


class TeamDisbanded(Event, frozen=True, tag="team.disbanded"):
    """A worn team was dissolved to be formed anew (FAT-8)."""

    team: str
    experience_lost: int


class TeamReformed(Event, frozen=True, tag="team.reformed"):
    """A team stands again, at full Resilience (FAT-8)."""

    team: str
    members: list[str]


class MemberRecruited(Event, frozen=True, tag="member.recruited"):
    """A new person joined a team at home (FAT-8, TEAM-10)."""

    team: str
    member: str
    role: str
