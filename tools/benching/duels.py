"""Exact odds of duels: CPU seconds, and the peak of memory of the process."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benching.children import in_child
from benching.plan import Measured
from benching.steady import peak_mib

if TYPE_CHECKING:
    from benching.plan import Figures, Plan


def duels(plan: Plan) -> Measured:
    """Duels of four a side, and of five."""
    cases: dict[str, tuple[int, int, bool]] = {
        "4 distinct, 2 health": (4, 2, True),
        "4 distinct, 6 health": (4, 6, True),
        "4 alike, 6 health": (4, 6, False),
    }
    if not plan.quick:
        cases["5 distinct, 6 health"] = (5, 6, True)
    return Measured({
        name: in_child(
            "duels.one_duel", source=plan.source, count=count, health=health, distinct=distinct
        )
        for name, (count, health, distinct) in cases.items()
    })  # fmt: skip


def one_duel(count: int, health: int, *, distinct: bool) -> Figures:
    """Exact odds of two sides of so many characters, in this process."""
    from worldsim.duel import duel_odds  # noqa: PLC0415 - only children import worldsim
    from worldsim.rules.cards import TRAITS, Card, Side, Terms  # noqa: PLC0415

    terms = Terms()
    sides: list[Side] = []
    for first in (9, 12):
        powers = [first + (3 * number if distinct else 0) for number in range(count)]
        cards = [
            Card("character", [power] * len(TRAITS), health, str(n))
            for n, power in enumerate(powers)
        ]
        sides.append(Side(cards, terms))
    begun = time.process_time()
    odds = duel_odds(terms, sides[0], sides[1], method="exact")
    return {
        "cpu_s": time.process_time() - begun,
        "peak_mib": peak_mib(),
        "attacker_wins": float(odds.attacker_wins),
    }
