"""What was there at the start, told from catches and efforts alone: depletion estimates.

All three take the stock as closed (nothing grows back or moves in), each unit of effort as finding
the same share of what is left, and all catches as counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy import stats

from worldsim.study.inputs import NoEstimateError, UnfitDataError, inside, two_rows
from worldsim.study.intervals import t_times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.inputs import Floats

    Row = Sequence[float] | Floats

Method = Literal["leslie", "ricker", "delury"]
FEWEST = 3
WANTED = "depletion estimate"
MOST_POWER = 500.0
DELURY_NOTE = (
    "DeLury's bounds of N0 miss more often than they say, the more so the larger the share of the "
    "stock that each catch takes"
)


@dataclass(frozen=True, slots=True)
class Depletion:
    """An estimate of the stock at the start.

    Attributes:
        method: ``leslie``, ``ricker`` or ``delury``.
        points: Catches it rests on.
        n0: Stock before the first catch, in units of catch.
        n0_se: Its standard error (delta method; Seber 1982, pages 298 and 303).
        n0_low: Lower bound, at least all that was caught.
        n0_high: Upper bound; None if the catches do not bound it.
        q: Catchability: share of the stock that a unit of effort finds.
        q_se: Its standard error.
        q_low: Lower bound (t); below 0 if the fall is not certain.
        q_high: Upper bound (t).
        r_squared: How much of the spread the line explains, 0 to 1.
        confidence: Of the bounds, 0 to 1.
        note: Why the bounds should be trusted less than they claim, or None.
    """

    method: Method
    points: int
    n0: float
    n0_se: float
    n0_low: float
    n0_high: float | None
    q: float
    q_se: float
    q_low: float
    q_high: float
    r_squared: float
    confidence: float
    note: str | None = None

    def holds(self, stock: float) -> bool:
        """Whether the true stock lies between the bounds; a missing bound excludes nothing."""
        return self.n0_low <= stock and (self.n0_high is None or stock <= self.n0_high)


@dataclass(frozen=True, slots=True)
class Line:
    """A line by least squares, with what its errors follow from.

    Attributes:
        a: Where it begins.
        b: Its slope.
        spread: Standard deviation of the points about it, n - 2 degrees of freedom.
        n: Points.
        middle: Mean of x.
        width: Sum of squared distances of x from its mean.
        r_squared: Share of the spread of y explained, 0 to 1.
    """

    a: float
    b: float
    spread: float
    n: int
    middle: float
    width: float
    r_squared: float

    def t(self, confidence: float) -> float:
        """Half-width of a two-sided interval in standard errors."""
        return t_times(self.n - 2, confidence)


def leslie(catch: Row, effort: Row, *, confidence: float = 0.95) -> Depletion:
    """Catch per effort on what was caught before (Leslie and Davis 1939).

    Args:
        catch: Units caught each time, shape (n,), not negative; n at least 3.
        effort: Effort each time, shape (n,), above 0.
        confidence: 0 to 1.

    Returns:
        The bounds of N0 are Fieller's (1954): in the depletions that ``tools/intervals.py``
        simulates they hold the true stock 97 % of the time, N0 plus or minus t standard errors 93.

    Raises:
        UnfitDataError: The rows do not belong together, are too short or not finite, or an effort
            is not above 0.
        NoEstimateError: Catch per effort does not fall.
    """
    catch, effort = _checked(catch, effort, confidence)
    return _on_catch("leslie", catch, effort, np.cumsum(catch) - catch, confidence)


def ricker(catch: Row, effort: Row, *, confidence: float = 0.95) -> Depletion:
    """As ``leslie``, half of the current catch counted as caught before (Ricker 1975, p. 151)."""
    catch, effort = _checked(catch, effort, confidence)
    return _on_catch("ricker", catch, effort, np.cumsum(catch) - catch / 2, confidence)


def delury(catch: Row, effort: Row, *, confidence: float = 0.95) -> Depletion:
    """Logarithm of catch per effort on the effort spent before (DeLury 1947).

    Args:
        catch: Units caught each time, shape (n,), above 0; n at least 3.
        effort: Effort each time, shape (n,), above 0.
        confidence: 0 to 1.

    Returns:
        The bounds of N0 are those of its logarithm, which held the true stock 93 % of the time
        where N0 plus or minus t standard errors held it 90; a note says that they miss.

    Raises:
        UnfitDataError: As for ``leslie``, or a catch is 0.
        NoEstimateError: Catch per effort does not fall.
    """
    catch, effort = _checked(catch, effort, confidence)
    if not catch.all():
        at = int(np.argmin(catch)) + 1
        raise UnfitDataError(
            "catch", f"value {at} is 0", "DeLury's logarithm needs catches above 0; Leslie does not"
        )
    line = _line(np.cumsum(effort) - effort, np.log(catch / effort))
    q = -line.b
    n0 = exp(line.a) / q
    # relative error of N0 = exp(a) / q, with a and q from one line
    relative = line.spread * sqrt(1 / line.n + (line.middle - 1 / q) ** 2 / line.width)
    bounds: tuple[float, float | None] = (-np.inf, None)
    power = line.t(confidence) * relative
    if power < MOST_POWER:  # of catches that hardly fall, the bounds are beyond all numbers
        reach = exp(power)
        bounds = (n0 / reach, n0 * reach)
    return _told("delury", line, (n0, n0 * relative), bounds, catch, confidence, DELURY_NOTE)


METHODS = {"leslie": leslie, "ricker": ricker, "delury": delury}


def fieller(line: Line, confidence: float) -> tuple[float, float | None]:
    """Where a falling line meets zero: exact bounds for normal errors (Fieller 1954).

    Returns:
        Lower and upper bound; minus infinity and None if the slope may be 0, so that the line
        may not meet zero at all.
    """
    t = line.t(confidence)
    g = (t * line.spread / line.b) ** 2 / line.width  # below 1 as the slope differs from 0
    if g >= 1:
        return -np.inf, None
    ahead = -line.a / line.b - line.middle
    half = t * line.spread / abs(line.b) * sqrt((1 - g) / line.n + ahead**2 / line.width)
    centre = line.middle + ahead / (1 - g)
    return centre - half / (1 - g), centre + half / (1 - g)


def _on_catch(
    method: Method, catch: Floats, effort: Floats, before: Floats, confidence: float
) -> Depletion:
    """Leslie's line: catch per effort = q (N0 - caught before)."""
    line = _line(before, catch / effort)
    n0 = -line.a / line.b
    error = line.spread / -line.b * sqrt(1 / line.n + (n0 - line.middle) ** 2 / line.width)
    low, high = fieller(line, confidence)
    note = None
    if high is None:
        note = "the fall of catch per effort may be chance, so nothing bounds N0 from above"
    return _told(method, line, (n0, error), (low, high), catch, confidence, note)


def _told(
    method: Method,
    line: Line,
    n0: tuple[float, float],
    bounds: tuple[float, float | None],
    catch: Floats,
    confidence: float,
    note: str | None,
) -> Depletion:
    """An estimate from its line; no stock is below what was caught of it."""
    caught = float(catch.sum())
    q, q_se = -line.b, line.spread / sqrt(line.width)
    reach = line.t(confidence) * q_se
    low, high = bounds
    return Depletion(
        method=method,
        points=line.n,
        n0=n0[0],
        n0_se=n0[1],
        n0_low=max(low, caught),
        n0_high=None if high is None else max(high, caught),
        q=q,
        q_se=q_se,
        q_low=q - reach,
        q_high=q + reach,
        r_squared=line.r_squared,
        confidence=confidence,
        note=note,
    )


def _line(x: Floats, y: Floats) -> Line:
    """The falling line through the points.

    Raises:
        NoEstimateError: There is none.
    """
    if not np.ptp(x):
        raise NoEstimateError(WANTED, "nothing was caught before the last time")
    fit = stats.linregress(x, y)
    a, b = float(fit.intercept), float(fit.slope)
    # a slope within rounding of 0 is none: catch per effort stayed the same
    if b * np.ptp(x) >= -1e-9 * float(np.abs(y).max()):
        raise NoEstimateError(
            WANTED,
            f"catch per effort does not fall as stock is taken (slope {b:.3g} where it must be "
            "below 0), so it says nothing about what is left",
        )
    off = y - (a + b * x)
    width = float(np.sum((x - x.mean()) ** 2))
    spread = sqrt(float(off @ off) / (x.size - 2))
    return Line(a, b, spread, x.size, float(x.mean()), width, float(fit.rvalue) ** 2)


def _checked(catch: Row, effort: Row, confidence: float) -> tuple[Floats, Floats]:
    """Catches and efforts that a line can be drawn through."""
    inside("confidence", confidence, 0, 1)
    caught, spent = two_rows(("catch", "effort"), catch, effort, at_least=FEWEST)
    for name, wrong, row, right in (
        ("catch", caught < 0, caught, "0 or more is wanted"),
        ("effort", spent <= 0, spent, "above 0 is wanted; leave out times without effort"),
    ):
        if wrong.any():
            at = int(np.argmax(wrong))
            raise UnfitDataError(name, f"value {at + 1} is {row[at]:g}", right)
    return caught, spent
