"""The books of a run, kept from its log alone, and compared with what a checkpoint holds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec

from worldsim.events import kinds
from worldsim.events.folding import Tally
from worldsim.world.layout import team_of
from worldsim.world.state import State
from worldsim.world.teams import living

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from worldsim.events.kinds import Amounts, AnyEvent
    from worldsim.scenario.model import Scenario
    from worldsim.world.teams import Team

_TAKEN: dict[type[Any], Callable[[Any], Amounts]] = {
    kinds.TeamGathered: lambda event: event.taken,
    kinds.TeamEndured: lambda event: event.foraged,
    kinds.TeamSearched: lambda event: event.foraged,
    kinds.TeamAffected: lambda event: event.found,
}
"""What each kind of event takes from the ground, as the table of takings has it."""


class Books:
    """What a log of level info or debug adds up to so far.

    Attributes:
        tally: Stocks, stores, teams and control.
        taken: Units that each team took from the ground, by team and ingredient.
    """

    def __init__(self) -> None:
        self.tally = Tally()
        self.taken: Counter[tuple[str, str]] = Counter()

    def apply(self, event: AnyEvent) -> None:
        """Let one more event happen.

        Raises:
            BrokenLogError: it takes what is not there.
        """
        self.tally.apply(event)
        amounts = _TAKEN.get(type(event))
        if amounts is not None:
            for ingredient, units in amounts(event).items():
                self.taken[event.team, ingredient] += units  # type: ignore[union-attr] # has one

    def unbalanced(self) -> str | None:
        """By what the books are out, if they are.

        Rule RES-6 [us].
        """
        for ingredient, units in self.tally.balance().items():
            return f"the books of {ingredient} are out by {units} units"
        return None


def unlike(tally: Tally, day: int, state: bytes, scenario: Scenario) -> str | None:
    """In what the state of a checkpoint is not what the log comes to; None if in nothing.

    Args:
        tally: Of the log up to the checkpoint.
        day: Of the checkpoint.
        state: As the checkpoint holds it.
        scenario: By which the last day before it was simulated.
    """
    try:
        held = msgspec.msgpack.decode(state, type=State)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return f"its state cannot be read: {error}"
    if held.day != day:
        return f"its state is of day {held.day}"
    for what, ours, theirs in _pairs(tally, held, scenario):
        if ours != theirs:
            return f"{what}: the log comes to {ours}, but it holds {theirs}"
    return None


def _pairs(tally: Tally, held: State, scenario: Scenario) -> Iterator[tuple[str, Any, Any]]:
    """What must be equal: its name, as the log comes to, as it is held."""
    names = [each.id for each in scenario.ingredients]
    yield "number of the next event", tally.seq, held.seq
    yield "number of places", len(tally.stocks), len(held.left)
    for place, row in zip(tally.stocks, held.left, strict=True):
        yield f"units in {place}", _present(tally.stocks[place]), _amounts(names, row)
    for account in ("regrown", "eaten", "lost"):
        yield f"units {account}", getattr(tally, account), _amounts(names, getattr(held, account))
    yield "colonies", list(tally.sites.items()), [(each.id, each.sector) for each in held.colonies]
    for colony in held.colonies:
        stored = _present(tally.stores[colony.id])
        yield f"store of {colony.id}", stored, _amounts(names, colony.store)
    control = {sector: each.faction for sector, each in held.contests.control.items()}
    yield "control", tally.control, control
    yield "teams", list(tally.teams), [team.id for team in held.teams]
    for team in held.teams:
        yield from _team_pairs(tally, team_of(team), names, scenario)


def _team_pairs(
    tally: Tally, team: Team, names: Sequence[str], scenario: Scenario
) -> Iterator[tuple[str, Any, Any]]:
    ours = tally.teams[team.id]
    people = [*living(team, scenario.rules.characters.health), *team.infirmary]
    for what, one, other in (
        ("colony", ours.colony, team.colony),
        ("status", ours.status, team.status),
        ("place", ours.place, team.place),
        ("members", sorted(ours.members), sorted(each.name for each in people)),
        ("cargo", _present(ours.cargo), _amounts(names, team.cargo)),
        ("rations", _present(ours.rations), _amounts(names, team.rations)),
    ):
        yield f"{what} of {team.id}", one, other


def _amounts(names: Sequence[str], row: Sequence[int]) -> dict[str, int]:
    """Units by ingredient, where there is at least one; what has no name is told by its number."""
    named = [*names, *(f"ingredient {n}" for n in range(len(names), len(row)))]
    return {name: units for name, units in zip(named, row, strict=False) if units}


def _present(amounts: Amounts) -> Amounts:
    return {name: units for name, units in amounts.items() if units}
