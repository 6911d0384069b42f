"""How damage builds up on the cards of one side, hit by hit.

A hit falls on each listed card with the same chance. So all sequences of hits on the cards still up
are equally likely, as long as none of them fills a card, and a state needs no more than which cards
are up and how many hits they have taken together: how these lie on the cards is then a matter of
counting sequences. Four different cards of Combat Health 6 have 176 such states, not 7 ** 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from worldsim.duel.groups import DiceCounts, Group

Up = tuple[int, ...]
"""How many cards of each group are up."""


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """The kind of numbers to calculate with: floats, or fractions that are exact.

    Attributes:
        exact: Fractions in arrays of objects, instead of floats.
    """

    exact: bool = False

    def zeros(self, *shape: int) -> npt.NDArray[Any]:
        """An array of nothing."""
        return np.zeros(shape, dtype=object if self.exact else float)

    def array(self, values: Sequence[Any]) -> npt.NDArray[Any]:
        """An array of what ``ratio`` gave."""
        return np.array(values, dtype=object if self.exact else float)

    def ratio(self, part: int, whole: int) -> float | Fraction:
        """One whole number over another; as a float, rounded once."""
        return Fraction(part, whole) if self.exact else part / whole

    def plain(self, value: Any) -> float | Fraction:
        """A number of an array as Python's own kind."""
        return Fraction(value) if self.exact else float(value)


@dataclass(frozen=True, slots=True)
class Block:
    """All states in which the same cards are up.

    Attributes:
        up: Which.
        start, stop: Its states in the order of all: damage 0, 1, 2, ….
        dice: What the cards that are up, and those that cannot be hit, bring together.
    """

    up: Up
    start: int
    stop: int
    dice: DiceCounts

    @property
    def count(self) -> int:
        """How many cards are up."""
        return sum(self.up)

    @property
    def rows(self) -> slice:
        """Its states."""
        return slice(self.start, self.stop)


@dataclass(frozen=True, slots=True)
class Steps:
    """Where one hit on a card still up can have come from.

    Attributes:
        source: For each way to be hit and each state, the state before; 0 where there is none.
        odds: Of that step, times the number of cards up before it; 0 where there is none.
    """

    source: npt.NDArray[np.intp]
    odds: npt.NDArray[Any]


class Damage:
    """The states of one side and what one hit makes of them.

    Attributes:
        groups: The cards that can be hit.
        blocks: By their attack, so that states of equal attack lie side by side; the last one is
            that of no card up.
        steps: The ways to be hit: nobody falls, or a card of one of the groups does.
        size: How many states there are.
        none_up: The state in which no card is up.
    """

    def __init__(self, groups: list[Group], fixed: DiceCounts, numbers: Arithmetic) -> None:
        self.groups = groups
        self.numbers = numbers
        self.blocks = _blocks(groups, fixed)
        self.none_up = self.blocks[-1].start
        self.size = self.none_up + 1
        self._by_up = {block.up: block for block in self.blocks}
        self._ways = _Ways([group.health for group in groups])
        self.steps = self._steps()

    def start(self) -> int:
        """The state before any hit."""
        return self._by_up[tuple(len(group.cards) for group in self.groups)].start

    def up_counts(self) -> npt.NDArray[np.intp]:
        """How many cards are up in each state."""
        sizes = [block.stop - block.start for block in self.blocks]
        return np.repeat([block.count for block in self.blocks], sizes)

    def below(self, block: Block) -> npt.NDArray[np.intp]:
        """The states that hits can lead to from a block, its own included."""
        states = [
            np.arange(other.start, other.stop)
            for other in self.blocks
            if all(mine >= its for mine, its in zip(block.up, other.up, strict=True))
        ]
        return np.concatenate(states)

    def _steps(self) -> Steps:
        """All steps, one row for each way to be hit: no two of a way end in one state."""
        ways = [self._damaged(), *(self._felled(group) for group in range(len(self.groups)))]
        source = np.zeros((len(ways), self.size), dtype=np.intp)
        odds = self.numbers.zeros(len(ways), self.size)
        for way, steps in enumerate(ways):
            for before, after, chance in steps:
                source[way, after] = before
                odds[way, after] = chance
        return Steps(source, odds)

    def _damaged(self) -> Iterator[tuple[int, int, Any]]:
        """Hits that bring nobody down."""
        for block in self.blocks:
            for hits, state in enumerate(range(block.start, block.stop - 1)):
                more, now = self._ways.of(block.up, hits + 1), self._ways.of(block.up, hits)
                yield state, state + 1, self.numbers.ratio(more, now)

    def _felled(self, group: int) -> Iterator[tuple[int, int, Any]]:
        """Hits that bring a card of one group down: it was one hit short of it."""
        short = self.groups[group].health - 1
        for block in self.blocks:
            if not block.up[group]:
                continue
            rest = _one_less(block.up, group)
            left = self._by_up[rest]
            for hits in range(short, min(block.stop - block.start, short + left.stop - left.start)):
                ways = block.up[group] * comb(hits, short) * self._ways.of(rest, hits - short)
                chance = self.numbers.ratio(ways, self._ways.of(block.up, hits))
                yield block.start + hits, left.start + hits - short, chance


class _Ways:
    """Counts the sequences of hits that leave given cards up: whole numbers, each found once."""

    def __init__(self, healths: list[int]) -> None:
        self._healths = healths
        self._known: dict[Up, list[int]] = {tuple(0 for _ in healths): [1]}

    def of(self, up: Up, hits: int) -> int:
        """Sequences of so many hits on these cards that leave all of them up."""
        ways = self._sequences(up)
        return ways[hits] if hits < len(ways) else 0

    def _sequences(self, up: Up) -> list[int]:
        if up not in self._known:
            group = next(group for group, count in enumerate(up) if count)
            others = self._sequences(_one_less(up, group))
            health = self._healths[group]
            self._known[up] = [
                sum(
                    comb(hits, own) * others[hits - own]
                    for own in range(min(health - 1, hits) + 1)
                    if hits - own < len(others)
                )
                for hits in range(len(others) + health - 1)
            ]
        return self._known[up]


def _one_less(up: Up, group: int) -> Up:
    return (*up[:group], up[group] - 1, *up[group + 1 :])


def _blocks(groups: list[Group], fixed: DiceCounts) -> list[Block]:
    """Every set of cards up, those of equal attack side by side, nobody last."""
    found: list[tuple[Up, DiceCounts]] = []
    for up in product(*(range(len(group.cards) + 1) for group in groups)):
        dice = fixed
        for group, count in zip(groups, up, strict=True):
            dice = dice.plus(group.dice, count)
        found.append((up, dice))
    found.sort(key=lambda each: (not any(each[0]), each[1].attack, each[1].assault, each[0]))
    blocks: list[Block] = []
    start = 0
    for up, dice in found:
        hits = sum(
            count * (group.health - 1) for group, count in zip(groups, up, strict=True)
        )  # fmt: skip
        blocks.append(Block(up, start, start + hits + 1, dice))
        start += hits + 1
    return blocks
