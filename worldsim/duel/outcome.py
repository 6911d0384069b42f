"""What the odds of a duel say."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from worldsim.duel.cost import Cost

Probability = float | Fraction


@dataclass(frozen=True, slots=True)
class SideOdds:
    """How a side comes out of a duel, whoever wins.

    Attributes:
        up: Chance of 0, 1, 2, … of its Characters and Vehicles up in the end.
        cards: Chance of each card to be up in the end; None for one that cannot be hit.
    """

    up: tuple[Probability, ...]
    cards: tuple[Probability | None, ...]

    @property
    def mean_up(self) -> Probability:
        """Mean number of its Characters and Vehicles up in the end."""
        return sum(count * odds for count, odds in enumerate(self.up))


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances of each end of a duel.

    Rule BAT-11 [B], BAT-12 [W].

    Attributes:
        method: ``exact``, or ``simulated``: then every chance is the share of fights it came in.
        attacker_wins: The defender has nobody up.
        defender_wins: The attacker has nobody up.
        out_of_time: Both stand after the last round, and the attacker has lost.
        won_in: Chance that the attacker wins in exactly 0, 1, 2, … rounds.
        lost_in: Chance that the defender beats the attacker in exactly 0, 1, 2, … rounds.
        attacker, defender: How each side comes out of it.
        unresolved: Chance that was too small to follow further; 0 if simulated.
        most_rounds: After how many rounds time is out.
        cost: What the exact odds take, or would have taken.
        fights: How many were simulated, None if exact.
        limits: Of ``attacker_wins``, ``defender_wins`` and ``out_of_time`` the lowest and highest
            chance that the fights agree with, None if exact.
        confidence: How often such limits hold the true chance, None if exact.
    """

    method: Literal["exact", "simulated"]
    attacker_wins: Probability
    defender_wins: Probability
    out_of_time: Probability
    won_in: tuple[Probability, ...]
    lost_in: tuple[Probability, ...]
    attacker: SideOdds
    defender: SideOdds
    unresolved: Probability
    most_rounds: int
    cost: Cost
    fights: int | None = None
    limits: dict[str, tuple[float, float]] | None = None
    confidence: float | None = None

    @property
    def defender_holds(self) -> Probability:
        """Chance that the defender keeps the place, by arms or by time."""
        return self.defender_wins + self.out_of_time

    @property
    def rounds(self) -> tuple[Probability, ...]:
        """Chance of exactly 0, 1, 2, … rounds, those out of time included."""
        law = [won + lost for won, lost in zip(self.won_in, self.lost_in, strict=True)]
        law += [0] * (self.most_rounds + 1 - len(law)) if self.out_of_time else []
        if self.out_of_time:
            law[self.most_rounds] += self.out_of_time
        return tuple(law)

    @property
    def mean_rounds(self) -> Probability:
        """Mean number of rounds."""
        return sum(count * odds for count, odds in enumerate(self.rounds))
