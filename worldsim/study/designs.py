"""Which points of a space of factors a study simulates."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import isfinite, prod
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import qmc

from worldsim.study.inputs import UnfitDataError, generator, optional

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldsim.study.inputs import Floats

    Value = str | int | float | bool
    Point = dict[str, Value]

MOST_POINTS = 1_000_000
MORRIS_LEVELS = 4
STEPS = 5


@dataclass(frozen=True, slots=True)
class Range:
    """A factor that takes any number of a range.

    Attributes:
        name: Its key.
        low: Least value.
        high: Greatest value, above ``low``.
        whole: Whether it takes whole numbers only, both ends included.
        log: Whether equal ratios, not differences, are equally likely; ``low`` is above 0 then.
    """

    name: str
    low: float
    high: float
    whole: bool = False
    log: bool = False

    def __post_init__(self) -> None:
        given = f"{self.low:g} to {self.high:g}"
        if not (isfinite(self.low) and isfinite(self.high) and self.low < self.high):
            raise UnfitDataError(self.name, given, "a finite range, low below high, is wanted")
        if self.log and self.low <= 0:
            raise UnfitDataError(self.name, given, "a range on a log scale begins above 0")
        if self.whole and not (float(self.low).is_integer() and float(self.high).is_integer()):
            raise UnfitDataError(self.name, given, "a whole range has whole ends")

    def at(self, shares: Floats) -> list[Value]:
        """Values at shares (0 to 1) of the range; each whole number has an equal part of it."""
        if not self.whole:
            return [float(each) for each in self._between(shares, self.high)]
        below = np.floor(self._between(shares, self.high + 1))
        return [int(each) for each in np.clip(below, self.low, self.high)]

    def steps(self, count: int) -> list[Value]:
        """About evenly spaced values from low to high; fewer if whole numbers coincide."""
        space = np.geomspace if self.log else np.linspace  # both meet their ends exactly
        spaced = space(self.low, self.high, count)
        if not self.whole:
            return [float(each) for each in spaced]
        return [int(each) for each in dict.fromkeys(np.rint(spaced))]

    def _between(self, shares: Floats, high: float) -> Floats:
        """Numbers from low to high; rounding does not carry them outside."""
        if self.log:
            spaced = self.low ** (1 - shares) * high**shares
        else:
            spaced = self.low + shares * (high - self.low)
        return np.clip(spaced, self.low, high)


@dataclass(frozen=True, slots=True)
class Levels:
    """A factor that takes one of a list of values.

    Attributes:
        name: Its key.
        values: At least one, in the order they were given.
    """

    name: str
    values: tuple[Value, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise UnfitDataError(self.name, "no values", "at least one is wanted")

    def at(self, shares: Floats) -> list[Value]:
        """Values at shares (0 to 1) of the list; each has an equal part of it."""
        last = len(self.values) - 1
        return [self.values[min(int(each * (last + 1)), last)] for each in shares]

    def steps(self, count: int) -> list[Value]:  # noqa: ARG002 - a list has the steps it has
        """All values."""
        return list(self.values)


Factor = Range | Levels


@dataclass(frozen=True, slots=True)
class Design:
    """Points to simulate, in order.

    Attributes:
        kind: ``grid``, ``list``, ``latin_hypercube``, ``sobol``, ``morris`` or ``saltelli``.
        factors: The D factors.
        points: The P points: a value for each factor.
        unit: Shape (P, D): the points in the unit cube; None for a grid or a list.
        second_order: Of ``saltelli``: whether it tells pairs of factors apart.
    """

    kind: str
    factors: tuple[Factor, ...]
    points: tuple[Point, ...]
    unit: Floats | None = None
    second_order: bool = False


def grid(factors: Sequence[Factor], *, steps: int = STEPS) -> Design:
    """Every value of each factor with every value of the others; the last factor turns fastest.

    Args:
        factors: At least one; no two of one name.
        steps: Values taken of a range, at least 2.

    Raises:
        UnfitDataError: Bad factors, or over a million points.
    """
    chosen = _checked(factors)
    if steps < 2:  # noqa: PLR2004 - the two ends
        raise UnfitDataError("steps", f"{steps}", "2 or more are wanted")
    columns = [each.steps(steps) for each in chosen]
    _bounded(prod(len(column) for column in columns))
    return Design("grid", chosen, _points(chosen, product(*columns)))


def listed(factors: Sequence[Levels]) -> Design:
    """The first values of all factors, then the second, and so on.

    Raises:
        UnfitDataError: Bad factors, or lists of different lengths.
    """
    chosen = _checked(factors)
    sizes = {each.name: len(each.values) for each in chosen if isinstance(each, Levels)}
    if len(sizes) < len(chosen):
        name = next(each.name for each in chosen if isinstance(each, Range))
        raise UnfitDataError(name, "a range", "a list has lists of values only")
    if len(set(sizes.values())) > 1:
        given = ", ".join(f"{name} has {size}" for name, size in sizes.items())
        raise UnfitDataError("list", given, "all factors need equally many values")
    rows = zip(*(each.steps(0) for each in chosen), strict=True)
    return Design("list", chosen, _points(chosen, rows))


def latin_hypercube(factors: Sequence[Factor], n: int, *, seed: int) -> Design:
    """Points that have each n-th part of each factor once (McKay, Beckman, Conover 1979).

    Args:
        factors: At least one; no two of one name.
        n: Points, at least 1.
        seed: Of the choice.

    Raises:
        UnfitDataError: Bad factors, number or seed.
    """
    chosen = _checked(factors)
    _bounded(n)
    unit = qmc.LatinHypercube(len(chosen), rng=generator(seed)).random(n)
    return _placed("latin_hypercube", chosen, unit)


def sobol(factors: Sequence[Factor], n: int, *, seed: int) -> Design:
    """A scrambled Sobol' sequence: points that fill the space evenly (Sobol' 1967, Owen 1998).

    Args:
        factors: At least one; no two of one name.
        n: Points, a power of 2.
        seed: Of the scrambling.

    Raises:
        UnfitDataError: Bad factors, number or seed.
    """
    chosen = _checked(factors)
    _power_of_two(n)
    unit = qmc.Sobol(len(chosen), rng=generator(seed)).random(n)
    return _placed("sobol", chosen, unit)


def morris(factors: Sequence[Factor], n: int, *, seed: int) -> Design:
    """Trajectories that change one factor at a time, for a first sifting (Morris 1991), by SALib.

    Args:
        factors: D of them, at least 2; no two of one name.
        n: Trajectories of D + 1 points each, at least 2.
        seed: Of the choice.

    Raises:
        UnfitDataError: Bad factors, number or seed.
        MissingExtraError: SALib is not installed.
    """
    with optional("SALib", "sensitivity", "morris designs"):
        from SALib.sample.morris import sample  # noqa: PLC0415 - an extra
    chosen = _checked(factors, at_least=2)
    if n < 2:  # noqa: PLR2004 - one trajectory has no spread
        raise UnfitDataError("trajectories", f"{n}", "2 or more are wanted")
    _bounded(n * (len(chosen) + 1))
    unit = sample(unit_problem(chosen), n, num_levels=MORRIS_LEVELS, seed=generator(seed))
    return _placed("morris", chosen, unit)


def saltelli(factors: Sequence[Factor], n: int, *, seed: int, second_order: bool = False) -> Design:
    """Points from which Sobol' indices follow (Saltelli 2002), by SALib.

    Args:
        factors: D of them, at least 2; no two of one name.
        n: Base points, a power of 2; the design has n (D + 2) points, or n (2 D + 2).
        seed: Of the scrambling.
        second_order: Whether pairs of factors are to be told apart.

    Raises:
        UnfitDataError: Bad factors, number or seed.
        MissingExtraError: SALib is not installed.
    """
    with optional("SALib", "sensitivity", "saltelli designs"):
        from SALib.sample.sobol import sample  # noqa: PLC0415 - an extra
    chosen = _checked(factors, at_least=2)
    _power_of_two(n)
    _bounded(n * ((2 if second_order else 1) * len(chosen) + 2))
    problem, rng = unit_problem(chosen), generator(seed)
    unit = sample(problem, n, calc_second_order=second_order, seed=rng)
    return _placed("saltelli", chosen, unit, second_order=second_order)


def unit_problem(factors: Sequence[Factor]) -> dict[str, Any]:
    """What SALib calls a problem: the factors, each from 0 to 1."""
    names = [each.name for each in factors]
    return {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}


def _placed(
    kind: str, factors: tuple[Factor, ...], unit: Floats, *, second_order: bool = False
) -> Design:
    """A design from its points in the unit cube."""
    columns = [each.at(unit[:, i]) for i, each in enumerate(factors)]
    points = _points(factors, zip(*columns, strict=True))
    return Design(kind, factors, points, unit, second_order)


def _points(factors: Sequence[Factor], rows: Iterable[tuple[Value, ...]]) -> tuple[Point, ...]:
    """Points from rows of a value for each factor."""
    names = [each.name for each in factors]
    return tuple(dict(zip(names, row, strict=True)) for row in rows)


def _checked(factors: Iterable[Factor], *, at_least: int = 1) -> tuple[Factor, ...]:
    """Enough factors, each of its own name."""
    chosen = tuple(factors)
    if len(chosen) < at_least:
        raise UnfitDataError("factors", f"{len(chosen)}", f"at least {at_least} are wanted")
    names = [each.name for each in chosen]
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise UnfitDataError("factors", f"{twice} twice", "each factor is named once")
    return chosen


def _bounded(points: int) -> None:
    """As many points as a study may have."""
    if not 1 <= points <= MOST_POINTS:
        raise UnfitDataError("points", f"{points}", f"1 to {MOST_POINTS} are wanted")


def _power_of_two(n: int) -> None:
    """A number of points for which a Sobol' sequence is balanced."""
    _bounded(n)
    if n & (n - 1):
        below = 1 << (n.bit_length() - 1)
        raise UnfitDataError("points", f"{n}", f"a power of 2 is wanted, as {below} or {below * 2}")
