"""What a volley makes of its target's states: a matrix for each attack and each set of targets."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from worldsim.duel.damage import Block, Damage
    from worldsim.duel.laws import Laws


class Volleys:
    """The fire of one side at the other.

    Args:
        attacks: Attack dice the shooter may have.
        bonus: What a strike team adds.
        target: The states of the side fired at.
        laws: Laws of hits.
    """

    def __init__(self, attacks: Sequence[int], bonus: int, target: Damage, laws: Laws) -> None:
        self.target = target
        self._attacks = {dice: row for row, dice in enumerate(attacks)}
        self._bonus = bonus
        self._laws = laws
        self._known: dict[Block, tuple[npt.NDArray[np.intp], npt.NDArray[Any]]] = {}

    def fire(
        self, live: npt.NDArray[Any], shooters: Sequence[tuple[slice, int]]
    ) -> npt.NDArray[Any]:
        """Chances of all states after a volley.

        Args:
            live: Chances before it, shape (states of the shooter, states of the target).
            shooters: States of the shooter, as slices, with the Attack dice of each slice.
        """
        after = self._laws.numbers.zeros(*live.shape)
        for block in self.target.blocks[:-1]:
            before = live[:, block.rows]
            if not before.any():
                continue
            states, matrices = self._matrices(block)
            gained = self._laws.numbers.zeros(len(live), len(states))
            for rows, dice in shooters:
                part = before[rows]
                if part.any():
                    gained[rows] = part @ matrices[self._attacks[dice]]
            after[:, states] += gained
        return after

    def _matrices(self, block: Block) -> tuple[npt.NDArray[np.intp], npt.NDArray[Any]]:
        """The states a block leads to, and a matrix for each attack."""
        if block not in self._known:
            states = self.target.below(block)
            shield = block.dice.protection
            hits = self._laws.hits(list(self._attacks), self._bonus, shield)
            spreads = np.stack(list(islice(self._spreads(block, states), hits.shape[1])))
            flat = hits @ spreads.reshape(len(spreads), -1)
            found = flat.reshape(len(hits), *spreads.shape[1:])
            self._known[block] = states, found
        return self._known[block]

    def _spreads(self, block: Block, states: npt.NDArray[np.intp]) -> Iterator[npt.NDArray[Any]]:
        """Where 0, 1, 2, … hits lead from each state of a block; all its cards stay listed.

        Rule BAT-9 [B].
        """
        numbers = self._laws.numbers
        steps = self.target.steps
        place = np.full(self.target.size, -1)
        place[states] = np.arange(len(states))
        source = place[steps.source[:, states]]
        share = numbers.ratio(1, block.count)
        odds = np.where(source < 0, 0, steps.odds[:, states] * share)
        up = self.target.up_counts()[states]
        overkill = numbers.array([numbers.ratio(block.count - int(n), block.count) for n in up])
        spread = numbers.zeros(block.stop - block.start, len(states))
        for row, state in enumerate(range(block.start, block.stop)):
            spread[row, place[state]] = numbers.ratio(1, 1)
        while True:
            yield spread
            spread = spread * overkill + (spread[:, source] * odds).sum(axis=1)
