"""The odds of a duel: exact while the budget lasts, simulated beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.duel.cost import Budget, cost_of
from worldsim.duel.exact import exact_odds
from worldsim.duel.simulated import CONFIDENCE, FIGHTS, simulated_odds

if TYPE_CHECKING:
    from worldsim.duel.outcome import Odds
    from worldsim.rules.cards import Side, Terms

AUTO, EXACT, SIMULATED = METHODS = ("auto", "exact", "simulated")


def duel_odds(
    terms: Terms,
    attacker: Side,
    defender: Side,
    attacker_health: list[int] | None = None,
    defender_health: list[int] | None = None,
    *,
    method: str = AUTO,
    budget: Budget | None = None,
    fights: int = FIGHTS,
    seed: int = 0,
    confidence: float = CONFIDENCE,
) -> Odds:
    """The odds of a duel; the result says how they were found and what exact ones take.

    Args:
        terms: The scenario's numbers.
        attacker: Who came later.
        defender: Who was there.
        attacker_health: Combat Health the attacker begins with, None for all whole.
        defender_health: Likewise of the defender.
        method: ``exact`` and ``simulated`` whatever it takes; ``auto`` is exact within the budget.
        budget: Of ``auto``; None for the usual one.
        fights: If simulated: how many.
        seed: If simulated: of the fights.
        confidence: If simulated: of the limits.

    Raises:
        ValueError: There is no such method, or an argument of ``simulated_odds`` is out of range.
    """
    if method not in METHODS:
        raise ValueError(f"{method!r} is no method; there are {', '.join(METHODS)}")
    if method == AUTO:
        cost = cost_of(terms, attacker, defender, attacker_health, defender_health)
        method = EXACT if (budget or Budget()).allows(cost) else SIMULATED
    if method == EXACT:
        return exact_odds(terms, attacker, defender, attacker_health, defender_health)
    return simulated_odds(
        terms, attacker, defender, attacker_health, defender_health,
        fights=fights, seed=seed, confidence=confidence,
    )  # fmt: skip
