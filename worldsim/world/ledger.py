"""The books: every unit of every ingredient is somewhere, always."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.errors import BrokenInvariantError, InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


class UnbalancedError(BrokenInvariantError):
    """Units appeared or vanished: the accounts of some ingredients do not add up."""

    def __init__(self, day: int, lines: list[str]) -> None:
        super().__init__(day, lines)
        self.day, self.lines = day, lines

    def __str__(self) -> str:
        listed = "\n".join(f"  {line}" for line in self.lines)
        return f"the books do not balance at the end of day {self.day}:\n{listed}"


class UnfitStockError(InputError):
    """Units that cannot be in the ground where somebody wants them.

    Args:
        most: What there can be at most; None if there is no such place or ingredient.
    """

    def __init__(self, place: str, ingredient: str, units: int, most: int | None) -> None:
        super().__init__(place, ingredient, units, most)
        self.place, self.ingredient, self.units, self.most = place, ingredient, units, most

    def __str__(self) -> str:
        if self.most is None:
            return f"there is no place {self.place!r} with an ingredient {self.ingredient!r}"
        return (
            f"{self.units} units of {self.ingredient} cannot be in {self.place}: must be from 0 to"
            f" {self.most}, which were there at the start"
        )


class Ledger:
    """What came into the world and what left it, by ingredient.

    Rule RES-6 [us]: initial + regrown = in the ground + carried + stored + eaten + lost.

    Attributes:
        initial: Units in the ground and in stores at the start.
        regrown, eaten, lost: Units so far.
    """

    __slots__ = ("eaten", "initial", "lost", "names", "regrown")

    def __init__(self, names: Sequence[str], initial: Sequence[int]) -> None:
        self.names = list(names)
        self.initial = list(initial)
        self.regrown = [0] * len(self.names)
        self.eaten = [0] * len(self.names)
        self.lost = [0] * len(self.names)

    def check(
        self, day: int, *, ground: Sequence[int], carried: Sequence[int], stored: Sequence[int]
    ) -> None:
        """Compare what should be there with what is.

        Raises:
            UnbalancedError: for some ingredient they differ.
        """
        wrong: list[str] = []
        for i, name in enumerate(self.names):
            came = self.initial[i] + self.regrown[i]
            there = ground[i] + carried[i] + stored[i] + self.eaten[i] + self.lost[i]
            if came != there:
                wrong.append(
                    f"{name}: initial {self.initial[i]} + regrown {self.regrown[i]} = {came}, but "
                    f"ground {ground[i]} + carried {carried[i]} + stored {stored[i]} + eaten "
                    f"{self.eaten[i]} + lost {self.lost[i]} = {there}"
                )
        if wrong:
            raise UnbalancedError(day, wrong)


def column_sums(rows: list[list[int]], width: int) -> list[int]:
    """The sum of each column; zeros if there is no row."""
    sums: list[int] = []
    for i in range(width):
        total = 0
        for row in rows:
            total += row[i]
        sums.append(total)
    return sums
