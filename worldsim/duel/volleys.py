"""What a volley makes of the states of its target: one matrix for each attack and set of targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from worldsim.duel.damage import Block, Damage, Edges
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
            for rows, dice in shooters:
                part = before[rows]
                if part.any():
                    after[rows, states] += part @ matrices[self._attacks[dice]]
        return after

    def _matrices(self, block: Block) -> tuple[npt.NDArray[np.intp], npt.NDArray[Any]]:
        """The states a block leads to, and a matrix for each attack."""
        if block not in self._known:
            states = self.target.below(block)
            shield = block.dice.protection
            hits = self._laws.hits(list(self._attacks), self._bonus, shield)
            size = block.stop - block.start
            found = self._laws.numbers.zeros(len(self._attacks), size, len(states))
            for law, spread in zip(hits.T, self._spreads(block, states), strict=False):
                found += law[:, None, None] * spread
            self._known[block] = states, found
        return self._known[block]

    def _spreads(
        self, block: Block, states: npt.NDArray[np.intp]
    ) -> Iterator[npt.NDArray[Any]]:
        """Where 0, 1, 2, … hits lead from each state of a block; all its cards stay listed.

        Rule BAT-9 [B].
        """
        numbers = self._laws.numbers
        place = np.full(self.target.size, -1)
        place[states] = np.arange(len(states))
        up = self.target.up_counts()[states]
        overkill = numbers.array([numbers.ratio(block.count - int(n), block.count) for n in up])
        steps = [_within(edges, place) for edges in self.target.edges]
        spread = numbers.zeros(block.stop - block.start, len(states))
        for row, state in enumerate(range(block.start, block.stop)):
            spread[row, place[state]] = numbers.ratio(1, 1)
        while True:
            yield spread
            further = spread * overkill
            for source, target, odds in steps:
                further[:, target] += spread[:, source] * (odds / block.count)
            spread = further


def _within(
    edges: Edges, place: npt.NDArray[np.intp]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[Any]]:
    """The steps among some of the states, numbered by their places."""
    inside = place[edges.source] >= 0
    return place[edges.source[inside]], place[edges.target[inside]], edges.odds[inside]
