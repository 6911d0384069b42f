"""The odds of some of a run's duels, worked out from their sides as they began."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from worldsim.errors import WorldsimError
from worldsim.views.pictures.look import where, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.duel import Odds
    from worldsim.runs import Run
    from worldsim.runs.fights import Fight

MOST_DUELS = 24
MOST_EVENTS = 50_000
"""Of a run that are simulated again for this: a few seconds."""
MOST_MULTIPLICATIONS, MOST_MEMORY_BYTES = 10**8, 2 * 10**8
"""Of exact odds of one duel: about what fights take instead."""
LONGEST_REASON = 300
FIGHTS = 400
"""Simulated where exact odds take more: within 5 of 100 of the true ones, 19 times in 20."""
CARDS_IN_ALL_FIGHTS = 10_000
"""Of teams of more cards fewer fights are simulated, down to a tenth."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known of odds.

    Attributes:
        odds: By the number of the event that began the duel: chance that the attacker wins, and
            how it was found (``exact`` or ``simulated``).
        why_not: Why there are none, for people; empty if there are some.
    """

    odds: dict[int, tuple[float, str]] = field(default_factory=dict)
    why_not: str = ""


def ask(run: Run, decided: Sequence[int]) -> Asked:
    """The odds of some duels, spread evenly over those near enough to the run's start.

    Which ones does not depend on how they ended, nor on the time this takes: so their outcomes can
    be held against their odds, and the same run gives the same odds.

    Args:
        run: It is not written to. Odds of one that is still being written wait for its end, since
            a page that follows it would simulate it again and again.
        decided: Numbers of the events that began the duels, ascending.
    """
    if not decided:
        return Asked()
    if run.state == "running":
        return Asked(why_not="Odds are worked out once the run has ended.")
    near = [seq for seq in decided if seq < MOST_EVENTS]
    if not near:
        return Asked(why_not=f"No odds: all duels come after the first {MOST_EVENTS:,} events.")
    from worldsim.runs.fights import sides_at  # noqa: PLC0415 - loads the simulation

    try:
        fights = sides_at(run, spread(near, MOST_DUELS))
    except WorldsimError as error:
        return Asked(why_not=f"No odds: days cannot be simulated again ({_reason(run, error)}).")
    return Asked({seq: _told(odds_of(fight)) for seq, fight in fights.items()})


def _reason(run: Run, error: WorldsimError) -> str:
    """What is wrong, in a line without the folders above the run."""
    said = str(error)
    if run.path is not None:
        for path in (run.path.absolute(), run.path):
            said = said.replace(str(path), where(run))
    return words(said, LONGEST_REASON)


def spread(seqs: Sequence[int], most: int) -> list[int]:
    """At most so many of them, from the first to the last in even steps.

    Args:
        seqs: As they are to be stepped through.
        most: From 2.
    """
    if len(seqs) <= most:
        return list(seqs)
    return [seqs[n * (len(seqs) - 1) // (most - 1)] for n in range(most)]


def odds_of(fight: Fight) -> Odds:
    """Exact odds if they are cheap, else shares of a number of fights that the teams' size sets."""
    from worldsim.duel import Budget, duel_odds  # noqa: PLC0415 - loads numpy's algebra

    cards = len(fight.attacker.cards) + len(fight.defender.cards)
    return duel_odds(
        fight.terms,
        fight.attacker,
        fight.defender,
        fight.attacker_health,
        fight.defender_health,
        budget=Budget(MOST_MEMORY_BYTES, MOST_MULTIPLICATIONS),
        fights=max(FIGHTS // 10, min(FIGHTS, CARDS_IN_ALL_FIGHTS // max(1, cards))),
    )


def _told(odds: Odds) -> tuple[float, str]:
    """Rounded: the last digits of sums of many products differ between machines."""
    return round(float(odds.attacker_wins), 4), odds.method
