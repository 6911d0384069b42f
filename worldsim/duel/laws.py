"""The laws of chance of one round: who fires first, and how many hits a volley scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.rules.faces import success_counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from worldsim.duel.damage import Arithmetic
    from worldsim.rules.cards import Terms


class Laws:
    """Laws of successes, hits and Initiative, each worked out once.

    Args:
        terms: The scenario's numbers.
        numbers: Floats or fractions.
    """

    def __init__(self, terms: Terms, numbers: Arithmetic) -> None:
        self.terms = terms
        self.numbers = numbers
        self._successes: dict[tuple[int, int], npt.NDArray[Any]] = {}

    def successes(self, dice: int, face: int) -> npt.NDArray[Any]:
        """Chances of 0, 1, … ``dice`` successes.

        Rule DICE-5, DICE-6 [D].
        """
        if (dice, face) not in self._successes:
            counts = success_counts((dice, 0), face) if dice else [1]
            total = sum(counts)
            law = self.numbers.zeros(dice + 1)
            for successes, count in enumerate(counts):
                law[successes] = self.numbers.ratio(count, total)
            self._successes[dice, face] = law
        return self._successes[dice, face]

    def table(self, dice: Sequence[int], face: int) -> npt.NDArray[Any]:
        """Laws of several numbers of dice as rows, as wide as the longest."""
        table = self.numbers.zeros(len(dice), max(dice) + 1)
        for row, count in enumerate(dice):
            table[row, : count + 1] = self.successes(count, face)
        return table

    def first(self, ours: Sequence[int], theirs: Sequence[int], lead: int) -> npt.NDArray[Any]:
        """Chance that the attacker fires first, for each pair of Initiative dice.

        Rule BAT-3, BAT-5 [B].

        Args:
            ours: Dice the attacker may have.
            theirs: Dice the defender may have.
            lead: Bonus of the attacker less that of the defender.

        Returns:
            Shape (number of ours, number of theirs).
        """
        tie = self.numbers.ratio(1, 2) if self.terms.tie == "coin" else 0
        beats = self.numbers.zeros(max(ours) + 1, max(theirs) + 1)
        for rolled in range(beats.shape[0]):
            for against in range(beats.shape[1]):
                ahead = rolled + lead - against
                beats[rolled, against] = self.numbers.ratio(1, 1) if ahead > 0 else 0
                if ahead == 0:
                    beats[rolled, against] = tie
        face = self.terms.initiative_at
        found: npt.NDArray[Any] = self.table(ours, face) @ beats @ self.table(theirs, face).T
        return found

    def hits(self, attacks: Sequence[int], bonus: int, shield: int) -> npt.NDArray[Any]:
        """Chances of 0, 1, … hits for each number of Attack dice.

        Rule BAT-7, BAT-8 [B].

        Args:
            attacks: Attack dice, without what a strike team adds.
            bonus: What it adds.
            shield: Protection dice of the target.

        Returns:
            Shape (number of attacks, most hits + 1).
        """
        most = max(attacks) + bonus
        law = self._attacks(attacks, bonus, most)
        fired = self.numbers.zeros(len(attacks), most + 1)
        for taken, odds in enumerate(self.successes(shield, self.terms.protection_at)):
            if taken <= most:
                fired[:, : most + 1 - taken] += law[:, taken:] * odds
            fired[:, 0] += law[:, :taken].sum(axis=1) * odds
        found: npt.NDArray[Any] = fired @ self.table(range(most + 1), self.terms.attack_at)
        return found

    def _attacks(self, attacks: Sequence[int], bonus: int, most: int) -> npt.NDArray[Any]:
        """Law of the Attack, by its value: certain, unless it is rolled first."""
        laws = self.numbers.zeros(len(attacks), most + 1)
        for row, dice in enumerate(attacks):
            if self.terms.attack_roll == "double_roll":
                law = self.successes(dice, self.terms.attack_at)
                laws[row, bonus : bonus + dice + 1] = law
            else:
                laws[row, dice + bonus] = self.numbers.ratio(1, 1)
        return laws
