"""Odds by playing a duel many times, with limits that say how far off they may be."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from worldsim.chance import Chance
from worldsim.duel.cost import cost_of
from worldsim.duel.outcome import Odds, SideOdds
from worldsim.rules.battle import ATTACKER, OUT_OF_TIME, Duel, fight
from worldsim.rules.dice import Dice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from worldsim.rules.cards import Side, Terms

FIGHTS = 20_000
CONFIDENCE = 0.95


def simulated_odds(
    terms: Terms,
    attacker: Side,
    defender: Side,
    attacker_health: list[int] | None = None,
    defender_health: list[int] | None = None,
    *,
    fights: int = FIGHTS,
    seed: int = 0,
    confidence: float = CONFIDENCE,
) -> Odds:
    """The odds of a duel as shares of fights.

    Args:
        terms: The scenario's numbers.
        attacker: Who came later.
        defender: Who was there.
        attacker_health: Combat Health the attacker begins with, None for all whole.
        defender_health: Likewise of the defender.
        fights: How many fights, at least 1.
        seed: Of the fights: the same seed, the same shares.
        confidence: How often the limits shall hold the true chance, between 0 and 1.

    Raises:
        ValueError: ``fights`` or ``confidence`` is out of range.
    """
    if fights < 1:
        raise ValueError(f"{fights} fights tell nothing; there must be at least 1")
    dice = Dice(Chance(seed).at("duel", "odds", 0))
    tally = _Tally(attacker, defender)
    for _ in range(fights):
        tally.count(fight(dice, terms, attacker, defender, attacker_health, defender_health))
    won, late = sum(tally.won_in.values()), tally.out_of_time
    longest = max((*tally.won_in, *tally.lost_in), default=0)
    return Odds(
        method="simulated",
        attacker_wins=won / fights,
        defender_wins=(fights - won - late) / fights,
        out_of_time=late / fights,
        won_in=tuple(tally.won_in[rounds] / fights for rounds in range(longest + 1)),
        lost_in=tuple(tally.lost_in[rounds] / fights for rounds in range(longest + 1)),
        attacker=tally.side_odds(0, fights),
        defender=tally.side_odds(1, fights),
        unresolved=0,
        most_rounds=terms.most_rounds,
        cost=cost_of(terms, attacker, defender, attacker_health, defender_health),
        fights=fights,
        limits={
            "attacker_wins": wilson(won, fights, confidence),
            "defender_wins": wilson(fights - won - late, fights, confidence),
            "out_of_time": wilson(late, fights, confidence),
        },
        confidence=confidence,
    )


class _Tally:
    """Counts the ends of fights."""

    def __init__(self, attacker: Side, defender: Side) -> None:
        self.won_in: Counter[int] = Counter()
        self.lost_in: Counter[int] = Counter()
        self.out_of_time = 0
        self._whole = attacker.whole, defender.whole
        self._up: tuple[Counter[int], Counter[int]] = Counter(), Counter()
        self._cards: tuple[Counter[int], Counter[int]] = Counter(), Counter()

    def count(self, duel: Duel) -> None:
        """One fight more."""
        if duel.reason == OUT_OF_TIME:
            self.out_of_time += 1
        else:
            (self.won_in if duel.winner == ATTACKER else self.lost_in)[len(duel.rounds)] += 1
        for side, health in enumerate((duel.attacker_health, duel.defender_health)):
            up = [card for card, left in enumerate(health) if left > 0]
            self._up[side][len(up)] += 1
            self._cards[side].update(up)

    def side_odds(self, side: int, fights: int) -> SideOdds:
        """How one of the sides came out."""
        most = max(self._up[side])
        return SideOdds(
            _shares((self._up[side][count] for count in range(most + 1)), fights),
            tuple(
                self._cards[side][card] / fights if whole else None
                for card, whole in enumerate(self._whole[side])
            ),
        )


def _shares(counts: Iterable[int], fights: int) -> tuple[float, ...]:
    return tuple(count / fights for count in counts)


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score limits of a chance: never outside 0 to 1, of use at 0 successes too.

    Args:
        successes: 0 to ``trials``.
        trials: At least 1.
        confidence: Between 0 and 1.

    Returns:
        Lowest and highest chance.

    Raises:
        ValueError: ``confidence`` is out of range.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence is between 0 and 1, such as 0.95, not {confidence}")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    whole = 1 + z * z / trials
    low = 0.0 if successes == 0 else (centre - half) / whole
    high = 1.0 if successes == trials else (centre + half) / whole
    return low, high
