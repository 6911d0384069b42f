"""What the statistics are given, checked once: rows of finite numbers, levels, seeds."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from worldsim.errors import InputError, WorldsimError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Flags = npt.NDArray[np.bool_]


class UnfitDataError(InputError, ValueError):
    """Numbers that a method cannot read.

    Attributes:
        name: What they are called.
        given: What is wrong with them.
        right: What would be right.
    """

    def __init__(self, name: str, given: str, right: str) -> None:
        super().__init__(name, given, right)
        self.name, self.given, self.right = name, given, right

    def __str__(self) -> str:
        return f"{self.name}: {self.given}; {self.right}"


class NoEstimateError(WorldsimError):
    """Sound numbers in which the thing to be estimated does not show.

    Attributes:
        wanted: What was to be estimated.
        why: Why these numbers do not tell.
    """

    def __init__(self, wanted: str, why: str) -> None:
        super().__init__(wanted, why)
        self.wanted, self.why = wanted, why

    def __str__(self) -> str:
        return f"no {self.wanted}: {self.why}"


class MissingExtraError(InputError):
    """An optional library is wanted and not installed.

    Attributes:
        library: Its name.
        extra: The extra of worldsim that brings it.
        wanted_for: What it is wanted for.
    """

    def __init__(self, library: str, extra: str, wanted_for: str) -> None:
        super().__init__(library, extra, wanted_for)
        self.library, self.extra, self.wanted_for = library, extra, wanted_for

    def __str__(self) -> str:
        return (
            f"{self.wanted_for} need {self.library}, which is not installed; "
            f"install it with: pip install 'worldsim[{self.extra}]'"
        )


@contextmanager
def optional(library: str, extra: str, wanted_for: str) -> Iterator[None]:
    """A context in which an optional library is imported; arguments as of `MissingExtraError`.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        yield
    except ImportError:
        raise MissingExtraError(library, extra, wanted_for) from None


def numbers(name: str, values: Any, *, at_least: int = 1, lowest: float | None = None) -> Floats:
    """A row of finite numbers as floats.

    Args:
        name: What they are called, for the message.
        values: A sequence or an array.
        at_least: How many there must be.
        lowest: The least value allowed.

    Returns:
        Shape (n,), a copy only if it has to be.

    Raises:
        UnfitDataError: They are no numbers, not in one row, too few, not finite or too low.
    """
    try:
        row = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise UnfitDataError(name, "not numbers", "a row of finite numbers is wanted") from None
    if row.ndim != 1:
        raise UnfitDataError(name, f"an array of {row.ndim} dimensions", "one row is wanted")
    if row.size < at_least:
        raise UnfitDataError(name, f"{row.size} values", f"at least {at_least} are needed")
    _refuse(name, row, ~np.isfinite(row), "finite numbers are wanted")
    if lowest is not None:
        _refuse(name, row, row < lowest, f"at least {lowest:g} is wanted")
    return row


def two_rows(
    names: tuple[str, str], one: Any, other: Any, *, at_least: int = 1
) -> tuple[Floats, Floats]:
    """Two rows that belong together, value by value.

    Raises:
        UnfitDataError: As ``numbers`` does, or they are not equally long.
    """
    first, second = (numbers(names[0], one), numbers(names[1], other))
    if first.size != second.size:
        given = f"{first.size} and {second.size} values"
        raise UnfitDataError(" and ".join(names), given, "they belong together one by one")
    if first.size < at_least:
        given = f"{first.size} values each"
        raise UnfitDataError(" and ".join(names), given, f"at least {at_least} are needed")
    return first, second


def inside(name: str, value: float, low: float, high: float) -> float:
    """A number strictly between two others.

    Raises:
        UnfitDataError: It is not.
    """
    if not low < value < high:
        raise UnfitDataError(name, f"{value:g}", f"between {low:g} and {high:g} is wanted")
    return value


def generator(seed: int) -> np.random.Generator:
    """Philox numbers from a seed, for resampling; no run draws from them.

    The same seed gives the same numbers with the same numpy. The dice of a campaign come from
    ``chance`` and promise more.

    Raises:
        UnfitDataError: The seed is negative.
    """
    if seed < 0:
        raise UnfitDataError("seed", f"{seed}", "0 or more is wanted")
    return np.random.Generator(np.random.Philox(seed))


def _refuse(name: str, row: Floats, wrong: Flags, right: str) -> None:
    """Raise about the first wrong value, if there is one."""
    at = np.flatnonzero(wrong)
    if at.size:
        raise UnfitDataError(name, f"value {at[0] + 1} is {row[at[0]]:g}", right)
