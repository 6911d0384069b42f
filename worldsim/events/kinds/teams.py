"""What teams do and suffer away from home."""

from typing import ClassVar, Literal

from worldsim.events.kinds.base import Activity, Amounts, Event, Level, Pool


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
    kinds_present: int
    units_found: int
    units_tried: int
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
    reason: Literal["target_reached", "day_limit", "full", "idle", "situation", "slipped_away"]
    covered: float


class TeamReturned(Event, frozen=True, tag="team.returned"):
    """A team is home; all it carries goes into the store (MOVE-3)."""

    team: str
    colony: str
    delivered: Amounts
    rations: Amounts
    days_away: int
    experience: int
