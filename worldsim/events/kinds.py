"""What can happen: one frozen, typed kind per event.

Every event of level info and above carries ``seq`` (its number in the run), ``t`` (minutes since
the start), ``day`` (from 1; 0 is the founding), ``level`` and ``cause`` (the ``seq`` that led to
it). Then flat fields, units in their names. Amounts of ingredients are whole units by ingredient
id, and name only ingredients of which there is at least one. From these alone the stocks, stores,
cargo, places and states of the end follow (``worldsim.events.folding``).
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

Level = Literal["debug", "info", "warning"]
Amounts = dict[str, int]
Pool = Literal["transition", "sector"]
Activity = Literal["gather", "hunt"]


class Event(msgspec.Struct, frozen=True, tag_field="event", tag="event"):
    """What every kind has. The tag is the name of the kind, ``subject.participle``."""

    LEVEL: ClassVar[Level] = "info"

    seq: int
    t: int
    day: int
    level: Level
    cause: int | None


# The world is founded: day 0.


class CampaignStarted(Event, frozen=True, tag="campaign.started"):
    """The first event: which scenario and which seed."""

    campaign: str
    seed: int
    digest: str


class ReserveFounded(Event, frozen=True, tag="reserve.founded"):
    """The initial stock of one place (RES-1, RES-2)."""

    place: str
    region: str
    pool: Pool
    stock: Amounts


class ColonyFounded(Event, frozen=True, tag="colony.founded"):
    """A colony stands in a sector, with its starting store."""

    colony: str
    faction: str
    sector: str
    store: Amounts


class TeamFormed(Event, frozen=True, tag="team.formed"):
    """A team is ready at its colony."""

    team: str
    colony: str
    profile: str
    members: list[str]


# Places.


class WeatherChanged(Event, frozen=True, tag="weather.changed"):
    """A region's weather differs from the day before (SURV-1)."""

    region: str
    weather: str
    difficulty: int


class ReserveRegrown(Event, frozen=True, tag="reserve.regrown"):
    """Units that grew back in one place since yesterday (RES-5)."""

    place: str
    grown: Amounts


class ReserveDepleted(Event, frozen=True, tag="reserve.depleted"):
    """The last unit of an ingredient was taken from a place."""

    place: str
    ingredient: str


class SectorMapped(Event, frozen=True, tag="sector.mapped"):
    """A sector's stock is known to a colony from now on (ACT-4)."""

    sector: str
    colony: str
    team: str


class SectorEased(Event, frozen=True, tag="sector.eased"):
    """Construction lowered a sector's survival difficulty for good (ACT-4)."""

    sector: str
    team: str
    difficulty: int


# Colonies.


class ColonyFed(Event, frozen=True, tag="colony.fed"):
    """People at home ate from the store (SURV-4)."""

    colony: str
    people: int
    eaten: Amounts


class ColonyStarved(Event, frozen=True, tag="colony.starved"):
    """The store could not feed the people at home: nobody recovers today (SURV-4)."""

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


# A team's day away.


class TeamDeparted(Event, frozen=True, tag="team.departed"):
    """A team leaves on a mission."""

    team: str
    mission: str
    target: str
    policy: str
    distance: float
    rations: Amounts


class TeamEndured(Event, frozen=True, tag="team.endured"):
    """A survival phase (SURV-1 to SURV-3)."""

    team: str
    place: str
    weather: str
    difficulty: int
    successes: int
    situation: int
    efficiency: int
    ate_rations: Amounts
    ate_cargo: Amounts
    foraged: Amounts
    hungry_days: int


class TeamSearched(Event, frozen=True, tag="team.searched"):
    """A lost team's day: it tries to be heard (SURV-5)."""

    team: str
    place: str
    difficulty: int
    successes: int
    lost_days: int
    efficiency: int
    ate_rations: Amounts
    ate_cargo: Amounts
    foraged: Amounts
    hungry_days: int


class TeamStranded(Event, frozen=True, tag="team.stranded"):
    """Situation fell so low that a test decides whether the team is lost (SURV-2)."""

    LEVEL: ClassVar[Level] = "warning"

    team: str
    place: str
    situation: int
    held: bool


class TeamLost(Event, frozen=True, tag="team.lost"):
    """Nobody knows where the team is (SURV-2, TEAM-1)."""

    LEVEL: ClassVar[Level] = "warning"

    team: str
    place: str
    reason: Literal["situation", "stranded", "unconscious"]


class TeamFound(Event, frozen=True, tag="team.found"):
    """A lost team was heard and goes home (SURV-5)."""

    team: str
    place: str
    covered: float


class TeamPerished(Event, frozen=True, tag="team.perished"):
    """The end of a team, and of all it carried (TEAM-1, SURV-5)."""

    LEVEL: ClassVar[Level] = "warning"

    team: str
    place: str
    reason: Literal["dead", "never_found"]
    lost: Amounts


class TeamMoved(Event, frozen=True, tag="team.moved"):
    """A day's move (MOVE-1 to MOVE-3)."""

    team: str
    place: str
    heading: Literal["out", "home"]
    progress: float
    travelled: float
    distance: float


class TeamArrived(Event, frozen=True, tag="team.arrived"):
    """A team reached its destination (MOVE-2)."""

    team: str
    sector: str


class TeamWaited(Event, frozen=True, tag="team.waited"):
    """A day on site that held no activity."""

    team: str
    place: str


class TeamGathered(Event, frozen=True, tag="team.gathered"):
    """A gathering phase (GATH-1 to GATH-10)."""

    team: str
    place: str
    pool: Pool
    activity: Activity
    gathering_limit: int
    present: int
    detected: int
    tried: int
    taken: Amounts
    destroyed: Amounts
    mishap: Literal["none", "minor", "average"]


class TeamExplored(Event, frozen=True, tag="team.explored"):
    """A day of exploring a sector (ACT-4)."""

    team: str
    place: str
    successes: int
    total: int


class TeamResearched(Event, frozen=True, tag="team.researched"):
    """A day of research for the colony (ACT-4)."""

    team: str
    place: str
    successes: int


class TeamConstructed(Event, frozen=True, tag="team.constructed"):
    """A day of construction, for the colony or for the sector (ACT-4)."""

    team: str
    place: str
    successes: int


class TeamTurnedBack(Event, frozen=True, tag="team.turned_back"):
    """The mission is over: the way home begins tomorrow (ACT-3)."""

    team: str
    place: str
    reason: Literal["target_reached", "day_limit", "full", "idle", "situation"]
    covered: float


class TeamReturned(Event, frozen=True, tag="team.returned"):
    """A team is home; all it carries goes into the store (MOVE-3)."""

    team: str
    colony: str
    delivered: Amounts
    rations: Amounts
    days_away: int
    experience: int


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


class DiceRolled(msgspec.Struct, frozen=True, tag_field="event", tag="dice.rolled"):
    """One roll behind an event, for ``debug``: ``of`` names the event, ``n`` counts its rolls."""

    LEVEL: ClassVar[Level] = "debug"

    of: int
    n: int
    t: int
    day: int
    level: Level
    rule: str
    how: str
    pool: str
    difficulty: int | None
    made_of: Amounts
    draw: float
    faces: list[int]
    result: int


AnyEvent = (
    CampaignStarted
    | ReserveFounded
    | ColonyFounded
    | TeamFormed
    | WeatherChanged
    | ReserveRegrown
    | ReserveDepleted
    | SectorMapped
    | SectorEased
    | ColonyFed
    | ColonyStarved
    | TeamRested
    | TeamContributed
    | TeamDisbanded
    | TeamReformed
    | MemberRecruited
    | TeamDeparted
    | TeamEndured
    | TeamSearched
    | TeamStranded
    | TeamLost
    | TeamFound
    | TeamPerished
    | TeamMoved
    | TeamArrived
    | TeamWaited
    | TeamGathered
    | TeamExplored
    | TeamResearched
    | TeamConstructed
    | TeamTurnedBack
    | TeamReturned
    | WildlifeMet
    | TeamAffected
    | MemberHurt
    | MemberCollapsed
    | MemberDied
    | MemberRecovered
    | DiceRolled
)
"""Any line of a log."""
