"""What happens between rivals: meetings, battles, control of sectors, the fallen."""

from typing import ClassVar, Literal

from worldsim.events.kinds.base import Amounts, Event, Level


class TeamSlippedAway(Event, frozen=True, tag="team.slipped_away"):
    """A team that avoids another left its sector unseen (BAT-18)."""

    team: str
    sector: str
    unseen_by: str


class SectorContested(Event, frozen=True, tag="sector.contested"):
    """A team met enemies in a sector: all of them are in battle now (BAT-13, BAT-18)."""

    team: str
    sector: str
    rivals: list[str]


class BattleStarted(Event, frozen=True, tag="battle.started"):
    """A duel begins; of two teams the later to come attacks (BAT-4, BAT-6, BAT-12)."""

    sector: str
    attacker: str
    defender: str
    ambush: bool
    assault: bool


class BattleRoundFought(Event, frozen=True, tag="battle.round_fought"):
    """A round of a duel (BAT-3 to BAT-10): only the resulting Initiative is told."""

    sector: str
    attacker: str
    defender: str
    number: int
    attacker_initiative: int
    defender_initiative: int
    attacker_first: bool
    attacker_hits: int
    defender_hits: int
    overkill: int


class CardFell(Event, frozen=True, tag="card.fell"):
    """A member or a vehicle has no Combat Health left (BAT-10, BAT-14)."""

    LEVEL: ClassVar[Level] = "warning"

    team: str
    card: str


class CardRecovered(Event, frozen=True, tag="card.recovered"):
    """A fallen member or vehicle is back (BAT-14)."""

    team: str
    card: str


class BattleEnded(Event, frozen=True, tag="battle.ended"):
    """A duel is decided: the loser leaves part of its cargo and walks home (BAT-11 to BAT-14)."""

    sector: str
    winner: str
    loser: str
    reason: Literal["absent", "defeated", "out_of_time"]
    rounds: int
    covered: float
    lost: Amounts


class SectorSecured(Event, frozen=True, tag="sector.secured"):
    """No enemies are left in the sector: who is still there goes on tomorrow (BAT-15)."""

    sector: str
    teams: list[str]


class SectorClaimed(Event, frozen=True, tag="sector.claimed"):
    """A faction took control of a sector (BAT-17)."""

    sector: str
    faction: str
    team: str
    taken_from: str | None
