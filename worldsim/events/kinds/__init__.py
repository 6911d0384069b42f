"""What can happen: one frozen, typed kind per event.

Every event of level info and above carries ``seq`` (its number in the run), ``t`` (minutes since
the start), ``day`` (from 1; 0 is the founding), ``level`` and ``cause`` (the ``seq`` that led to
it). Then flat fields, units in their names. Amounts of ingredients are whole units by ingredient
id, and name only ingredients of which there is at least one. From these alone the stocks, stores,
cargo, places and states of the end follow (``worldsim.events.folding``).
"""

from worldsim.events.kinds.base import Activity, Amounts, DiceRolled, Event, Level, Pool
from worldsim.events.kinds.battles import (
    BattleEnded,
    BattleRoundFought,
    BattleStarted,
    CardFell,
    CardRecovered,
    SectorClaimed,
    SectorContested,
    SectorSecured,
    TeamSlippedAway,
)
from worldsim.events.kinds.colonies import (
    ColonyFed,
    ColonyStarved,
    MemberRecruited,
    TeamContributed,
    TeamDisbanded,
    TeamReformed,
    TeamRested,
)
from worldsim.events.kinds.members import (
    MemberCollapsed,
    MemberDied,
    MemberHurt,
    MemberRecovered,
    TeamAffected,
    WildlifeMet,
)
from worldsim.events.kinds.places import (
    CampaignStarted,
    CampaignStopped,
    ColonyFounded,
    InterventionEnded,
    InterventionMade,
    ReserveAdjusted,
    ReserveDepleted,
    ReserveFounded,
    ReserveRegrown,
    SectorEased,
    SectorMapped,
    TeamFormed,
    WeatherChanged,
)
from worldsim.events.kinds.teams import (
    TeamArrived,
    TeamConstructed,
    TeamDeparted,
    TeamEndured,
    TeamExplored,
    TeamFound,
    TeamGathered,
    TeamLost,
    TeamMoved,
    TeamPerished,
    TeamResearched,
    TeamReturned,
    TeamSearched,
    TeamStranded,
    TeamTurnedBack,
    TeamWaited,
)

__all__ = [
    "Activity",
    "Amounts",
    "AnyEvent",
    "BattleEnded",
    "BattleRoundFought",
    "BattleStarted",
    "CampaignStarted",
    "CampaignStopped",
    "CardFell",
    "CardRecovered",
    "ColonyFed",
    "ColonyFounded",
    "ColonyStarved",
    "DiceRolled",
    "Event",
    "InterventionEnded",
    "InterventionMade",
    "Level",
    "MemberCollapsed",
    "MemberDied",
    "MemberHurt",
    "MemberRecovered",
    "MemberRecruited",
    "Pool",
    "ReserveAdjusted",
    "ReserveDepleted",
    "ReserveFounded",
    "ReserveRegrown",
    "SectorClaimed",
    "SectorContested",
    "SectorEased",
    "SectorMapped",
    "SectorSecured",
    "TeamAffected",
    "TeamArrived",
    "TeamConstructed",
    "TeamContributed",
    "TeamDeparted",
    "TeamDisbanded",
    "TeamEndured",
    "TeamExplored",
    "TeamFormed",
    "TeamFound",
    "TeamGathered",
    "TeamLost",
    "TeamMoved",
    "TeamPerished",
    "TeamReformed",
    "TeamResearched",
    "TeamRested",
    "TeamReturned",
    "TeamSearched",
    "TeamSlippedAway",
    "TeamStranded",
    "TeamTurnedBack",
    "TeamWaited",
    "WeatherChanged",
    "WildlifeMet",
]

AnyEvent = (
    CampaignStarted
    | ReserveFounded
    | ColonyFounded
    | TeamFormed
    | WeatherChanged
    | ReserveRegrown
    | ReserveDepleted
    | ReserveAdjusted
    | InterventionMade
    | InterventionEnded
    | CampaignStopped
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
    | TeamSlippedAway
    | SectorContested
    | BattleStarted
    | BattleRoundFought
    | CardFell
    | CardRecovered
    | BattleEnded
    | SectorSecured
    | SectorClaimed
    | DiceRolled
)
"""Any line of a log."""
