"""Folding a log: what the planet, its colonies and its teams came to, from the events alone.

Nothing here knows the simulation. Whoever has the log of level info can say what is in every
place, store and pack, and whether a unit of anything appeared or vanished on the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from worldsim.errors import WorldsimError
from worldsim.events import kinds
from worldsim.events.kinds import Amounts, AnyEvent, DiceRolled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Status = Literal[
    "at_colony", "outbound", "on_site", "homeward", "lost", "disbanded", "gone", "in_battle"
]

_decoder = msgspec.json.Decoder(AnyEvent)


class BrokenLogError(WorldsimError):
    """A log that contradicts itself, or of which lines are missing."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(seq, what)
        self.seq, self.what = seq, what

    def __str__(self) -> str:
        return f"event {self.seq}: {self.what}"


@dataclass(slots=True)
class TeamTally:
    """A team, as far as the log tells.

    Attributes:
        colony: Where it comes home to.
        place: The sector or region it stands in; of a team that is gone, where that happened.
        status: What it is doing.
        members: Those who live, in the order in which they came.
        cargo, rations: Units carried.
    """

    colony: str
    place: str
    members: list[str]
    status: Status = "at_colony"
    cargo: Amounts = field(default_factory=dict)
    rations: Amounts = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """What a log adds up to so far.

    Amounts name only ingredients of which there is at least one unit.

    Attributes:
        seq: Number the next event must have.
        day: Of the latest event.
        region_of: The region of each place.
        stocks: Units in the ground, by place.
        sites: The sector of each colony.
        stores: Units stored, by colony.
        teams: By id.
        control: The faction that controls each sector, where one does.
        initial: Units in the ground and in stores at the start.
        regrown, eaten, lost: Units so far, over all places, colonies and teams.
    """

    seq: int = 0
    day: int = 0
    region_of: dict[str, str] = field(default_factory=dict)
    stocks: dict[str, Amounts] = field(default_factory=dict)
    sites: dict[str, str] = field(default_factory=dict)
    stores: dict[str, Amounts] = field(default_factory=dict)
    teams: dict[str, TeamTally] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    initial: Amounts = field(default_factory=dict)
    regrown: Amounts = field(default_factory=dict)
    eaten: Amounts = field(default_factory=dict)
    lost: Amounts = field(default_factory=dict)

    def balance(self) -> Amounts:
        """What the books are out by: units too many (above 0) or missing, by ingredient.

        Rule RES-6 [us]: initial + regrown = in the ground + carried + stored + eaten + lost.

        Returns:
            Nothing, where they balance.
        """
        difference: Amounts = {}
        for accounts, sign in (
            (self.stocks.values(), 1),
            (self.stores.values(), 1),
            ((team.cargo for team in self.teams.values()), 1),
            ((team.rations for team in self.teams.values()), 1),
            ((self.eaten, self.lost), 1),
            ((self.initial, self.regrown), -1),
        ):
            for account in accounts:
                for ingredient, units in account.items():
                    difference[ingredient] = difference.get(ingredient, 0) + sign * units
        return {ingredient: units for ingredient, units in difference.items() if units}

    def apply(self, event: AnyEvent) -> None:
        """Let one more event happen.

        Raises:
            BrokenLogError: it is not the event that follows, or takes what is not there.
        """
        if isinstance(event, DiceRolled):
            return
        if event.seq != self.seq:
            what = f"event {self.seq} should come here; folding needs a whole log of level info"
            raise BrokenLogError(event.seq, what)
        self.seq += 1
        self.day = event.day
        change = _CHANGES.get(type(event))
        if change is None:
            return
        try:
            change(self, event)
        except _ShortError as short:
            raise BrokenLogError(event.seq, str(short)) from None
        except KeyError as unknown:
            raise BrokenLogError(event.seq, f"nobody founded {unknown}") from None


def fold(lines: Iterable[bytes | str | AnyEvent], onto: Tally | None = None) -> Tally:
    """Add up a log.

    Args:
        lines: The log's lines, or events already decoded, from the first on. Rolls are passed over.
        onto: A tally of what came before these lines, which goes on; a new one if None.

    Raises:
        BrokenLogError: an event is missing, or takes what is not there.
        msgspec.ValidationError: a line is no event.
    """
    tally = Tally() if onto is None else onto
    for line in lines:
        tally.apply(_decoder.decode(line) if isinstance(line, bytes | str) else line)
    return tally


class _ShortError(Exception):
    """More was taken out of an account than there was in it."""


def _put(account: Amounts, amounts: Amounts) -> None:
    for ingredient, units in amounts.items():
        account[ingredient] = account.get(ingredient, 0) + units


def _take(account: Amounts, amounts: Amounts) -> None:
    for ingredient, units in amounts.items():
        left = account.pop(ingredient, 0) - units
        if left < 0:
            raise _ShortError(f"{units} units of {ingredient} leave where {left + units} are")
        if left:
            account[ingredient] = left


def _found_reserve(tally: Tally, event: kinds.ReserveFounded) -> None:
    tally.region_of[event.place] = event.region
    tally.stocks[event.place] = dict(event.stock)
    _put(tally.initial, event.stock)


def _found_colony(tally: Tally, event: kinds.ColonyFounded) -> None:
    tally.sites[event.colony] = event.sector
    tally.stores[event.colony] = dict(event.store)
    _put(tally.initial, event.store)


def _form(tally: Tally, event: kinds.TeamFormed) -> None:
    site = tally.sites[event.colony]
    tally.teams[event.team] = TeamTally(event.colony, site, list(event.members))


def _regrow(tally: Tally, event: kinds.ReserveRegrown) -> None:
    _put(tally.stocks[event.place], event.grown)
    _put(tally.regrown, event.grown)


def _adjust(tally: Tally, event: kinds.ReserveAdjusted) -> None:
    stock = tally.stocks[event.place]
    _take(stock, event.removed)
    _put(tally.lost, event.removed)
    _put(stock, event.added)
    _put(tally.regrown, event.added)


def _feed(tally: Tally, event: kinds.ColonyFed | kinds.ColonyStarved) -> None:
    _take(tally.stores[event.colony], event.eaten)
    _put(tally.eaten, event.eaten)


def _disband(tally: Tally, event: kinds.TeamDisbanded) -> None:
    tally.teams[event.team].status = "disbanded"


def _reform(tally: Tally, event: kinds.TeamReformed) -> None:
    tally.teams[event.team].status = "at_colony"


def _recruit(tally: Tally, event: kinds.MemberRecruited) -> None:
    tally.teams[event.team].members.append(event.member)


def _depart(tally: Tally, event: kinds.TeamDeparted) -> None:
    """Rations leave the store; the way begins in the colony's region."""
    team = tally.teams[event.team]
    _take(tally.stores[team.colony], event.rations)
    _put(team.rations, event.rations)
    team.status, team.place = "outbound", tally.region_of[tally.sites[team.colony]]


def _eat(tally: Tally, event: kinds.TeamEndured | kinds.TeamSearched) -> None:
    """A day's meals. A team on its way home forages in the region, not where it turned (RES-3)."""
    team = tally.teams[event.team]
    place = tally.region_of[team.place] if team.status == "homeward" else team.place
    for account, eaten in (
        (team.rations, event.ate_rations),
        (team.cargo, event.ate_cargo),
        (tally.stocks[place], event.foraged),
    ):
        _take(account, eaten)
        _put(tally.eaten, eaten)


def _lose_team(tally: Tally, event: kinds.TeamLost) -> None:
    tally.teams[event.team].status = "lost"


def _head_home(tally: Tally, event: kinds.TeamFound | kinds.TeamTurnedBack) -> None:
    tally.teams[event.team].status = "homeward"


def _perish(tally: Tally, event: kinds.TeamPerished) -> None:
    """The packs are closed: units that they held and the event does not name are missing."""
    team = tally.teams[event.team]
    team.cargo, team.rations = {}, {}
    _put(tally.lost, event.lost)
    team.status = "gone"


def _contest(tally: Tally, event: kinds.SectorContested) -> None:
    for name in (event.team, *event.rivals):
        tally.teams[name].status = "in_battle"


def _end_duel(tally: Tally, event: kinds.BattleEnded) -> None:
    loser = tally.teams[event.loser]
    loser.status = "homeward"
    _take(loser.cargo, event.lost)
    _put(tally.lost, event.lost)


def _secure(tally: Tally, event: kinds.SectorSecured) -> None:
    for name in event.teams:
        tally.teams[name].status = "on_site"


def _claim(tally: Tally, event: kinds.SectorClaimed) -> None:
    tally.control[event.sector] = event.faction


def _move(tally: Tally, event: kinds.TeamMoved) -> None:
    tally.teams[event.team].place = event.place


def _arrive(tally: Tally, event: kinds.TeamArrived) -> None:
    team = tally.teams[event.team]
    team.status, team.place = "on_site", event.sector


def _gather(tally: Tally, event: kinds.TeamGathered) -> None:
    stock = tally.stocks[event.place]
    _take(stock, event.taken)
    _put(tally.teams[event.team].cargo, event.taken)
    _take(stock, event.destroyed)
    _put(tally.lost, event.destroyed)


def _befall(tally: Tally, event: kinds.TeamAffected) -> None:
    """What was found is in the cargo before anything of it is lost."""
    cargo = tally.teams[event.team].cargo
    _take(tally.stocks[event.place], event.found)
    _put(cargo, event.found)
    _take(cargo, event.lost)
    _put(tally.lost, event.lost)


def _return(tally: Tally, event: kinds.TeamReturned) -> None:
    """The packs are closed, as in `_perish`."""
    team = tally.teams[event.team]
    team.cargo, team.rations = {}, {}
    _put(tally.stores[event.colony], event.delivered)
    _put(tally.stores[event.colony], event.rations)
    team.status, team.place = "at_colony", tally.sites[event.colony]


def _bury(tally: Tally, event: kinds.MemberDied) -> None:
    members = tally.teams[event.team].members
    if event.member not in members:
        raise _ShortError(f"{event.member} is not among the living of {event.team}")
    members.remove(event.member)


_CHANGES: dict[type[Any], Callable[[Tally, Any], None]] = {
    kinds.ReserveFounded: _found_reserve,
    kinds.ColonyFounded: _found_colony,
    kinds.TeamFormed: _form,
    kinds.ReserveRegrown: _regrow,
    kinds.ReserveAdjusted: _adjust,
    kinds.ColonyFed: _feed,
    kinds.ColonyStarved: _feed,
    kinds.TeamDisbanded: _disband,
    kinds.TeamReformed: _reform,
    kinds.MemberRecruited: _recruit,
    kinds.TeamDeparted: _depart,
    kinds.TeamEndured: _eat,
    kinds.TeamSearched: _eat,
    kinds.TeamLost: _lose_team,
    kinds.TeamFound: _head_home,
    kinds.TeamTurnedBack: _head_home,
    kinds.TeamPerished: _perish,
    kinds.TeamMoved: _move,
    kinds.TeamArrived: _arrive,
    kinds.TeamGathered: _gather,
    kinds.TeamAffected: _befall,
    kinds.TeamReturned: _return,
    kinds.MemberDied: _bury,
    kinds.SectorContested: _contest,
    kinds.BattleEnded: _end_duel,
    kinds.SectorSecured: _secure,
    kinds.SectorClaimed: _claim,
}
"""What each kind of event changes; other kinds change nothing that is counted here."""
