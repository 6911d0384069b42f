"""When a share of the stock is left: survival curves over runs that may end before it happens."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from worldsim.study.inputs import UnfitDataError, inside, numbers
from worldsim.study.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.inputs import Flags, Floats

SHARES = (0.75, 0.5, 0.25, 0.1, 0.0)
"""Shares of the initial stock whose days are asked for."""

ENOUGH_FOR_NORMAL = 30
ROUNDING = 1e-12  # products of shares, as 3/4 * 2/3 against 1/2


@dataclass(frozen=True, slots=True)
class Times:
    """When something happened in each run, or how long it was waited for in vain.

    Attributes:
        day: Shape (R,): the day it happened, or the last day the run was watched.
        reached: Shape (R,): whether it happened.
    """

    day: Floats
    reached: Flags


@dataclass(frozen=True, slots=True)
class Curve:
    """The share of runs in which it has not happened yet (Kaplan and Meier 1958).

    Attributes:
        day: Shape (T,), ascending: days on which it happened or a run ended.
        share: Shape (T,): share of runs in which it has not happened by the end of that day.
        low: Shape (T,): lower bound, day by day (log-log); NaN once ``share`` is 0.
        high: Shape (T,): upper bound, likewise.
        at_risk: Shape (T,): runs still watched on that day in which it had not happened before.
        happened: Shape (T,): runs in which it happened on that day.
        confidence: Of the bounds, 0 to 1.
    """

    day: Floats
    share: Floats
    low: Floats
    high: Floats
    at_risk: Floats
    happened: Floats
    confidence: float

    @property
    def n(self) -> int:
        """Runs."""
        return int(self.at_risk[0])


def times_to(
    share: float, at_day: Sequence[float] | Floats, stock: Floats, initial: Floats | None = None
) -> Times:
    """The first day read on which no more than a share of the initial stock is left.

    Stock that grows back later does not undo it.

    Args:
        share: Share of the initial stock, 0 to 1.
        at_day: Days read, shape (T,), ascending.
        stock: Stock on those days, shape (R, T), not negative.
        initial: Stock at the start, shape (R,), above 0; what is read first if not given.

    Raises:
        UnfitDataError: Shapes that do not fit, days that do not ascend, no initial stock.
    """
    days = numbers("days", at_day)
    left = np.asarray(stock, dtype=np.float64)
    if left.ndim != 2 or left.shape[1] != days.size:  # noqa: PLR2004  # a table
        raise UnfitDataError("stock", f"shape {left.shape}", f"runs by {days.size} days are wanted")
    if not np.all(np.diff(days) > 0):
        raise UnfitDataError("days", "not ascending", "each must be later than the one before")
    first = numbers("initial stock", left[:, 0] if initial is None else initial)
    if first.size != len(left) or not np.all(first > 0):
        raise UnfitDataError("initial stock", "0 or not one a run", "above 0 for each run")
    below = left <= share * first[:, None]
    reached = np.asarray(below.any(axis=1))
    day = np.where(reached, days[below.argmax(axis=1)], days[-1])
    return Times(day, reached)


def survival_curve(times: Times, *, confidence: float = 0.95) -> Curve:
    """The Kaplan-Meier curve with pointwise log-log bounds (Borgan and Liestol 1990), by scipy.

    A run that ends on the day on which it happens in another still counts as at risk on that day.

    Args:
        times: Of R runs, at least 1.
        confidence: 0 to 1.

    Raises:
        UnfitDataError: No runs, a day that is not finite, or no such confidence.
    """
    day = numbers("days", times.day)
    inside("confidence", confidence, 0, 1)
    reached = np.asarray(times.reached, dtype=bool)
    if reached.shape != day.shape:
        raise UnfitDataError("reached", f"shape {reached.shape}", f"shape {day.shape} is wanted")
    found = stats.ecdf(stats.CensoredData.right_censored(day, ~reached)).sf
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)  # where the curve is 1 or 0: see _bound
        bounds = found.confidence_interval(confidence, method="log-log")
    share = np.asarray(found.probabilities, dtype=np.float64)
    at = np.asarray(found.quantiles, dtype=np.float64)
    ordered, happened = np.sort(day), np.sort(day[reached])
    return Curve(
        day=at,
        share=share,
        low=_bound(bounds.low.probabilities, share),
        high=_bound(bounds.high.probabilities, share),
        at_risk=(day.size - np.searchsorted(ordered, at, "left")).astype(np.float64),
        happened=np.diff(np.searchsorted(happened, at, "right"), prepend=0).astype(np.float64),
        confidence=confidence,
    )


def quantile_day(curve: Curve, share: float = 0.5) -> Interval:
    """By which day it has happened in a share of all runs (Brookmeyer and Crowley 1982, log-log).

    Args:
        curve: Of the runs.
        share: Share of runs, 0 to 1; one half for the median.

    Returns:
        The first day on which the curve, and its lower and upper bound, are at or below
        ``1 - share``. What is not reached is None, and a note says by when.

    Raises:
        UnfitDataError: There is no such share.
    """
    inside("share", share, 0, 1)
    level = 1 - share + ROUNDING
    middle, low, high = (_first_at(curve.day, row, level) for row in _rows(curve))
    note = None
    if middle is None:
        got = int(curve.happened.sum())
        note = f"not reached by day {curve.day[-1]:g}: it happened in {got} of {curve.n} runs"
    elif high is None:
        note = f"{curve.n} runs until day {curve.day[-1]:g} are too few for an upper bound"
    return Interval(middle, low, high, curve.confidence, curve.n, "Brookmeyer-Crowley", note)


def restricted_mean(curve: Curve, until: float) -> Interval:
    """The mean of the day it happens, later days counted as ``until`` (Klein, Moeschberger 2003).

    The area under the curve, which needs no run to have been watched to the end. The bounds are
    normal ones: at 95 % they held the truth in 90 % of studies of 10 runs, and in 94 % of 30, as
    ``tools/intervals.py`` measures; below 30 a note says so.

    Args:
        curve: Of the runs.
        until: A day above 0; no later than the last one watched, if it has not happened in all.

    Raises:
        UnfitDataError: The curve does not reach that far.
    """
    last = float(curve.day[-1]) if curve.share[-1] > 0 else inf
    if not 0 < until <= last:
        right = f"above 0 and no later than day {last:g} is wanted"
        raise UnfitDataError("until", f"day {until:g}", right)
    inner = curve.day < until
    edges = np.concatenate(([0.0], curve.day[inner], [until]))
    height = np.concatenate(([1.0], curve.share[inner]))
    area = np.diff(edges) * height
    mean = float(area.sum())
    ahead = mean - np.cumsum(area)[:-1]  # area from each day of the curve on
    died, risk = curve.happened[inner], curve.at_risk[inner]
    some = risk > died  # where nobody is left, no area lies ahead
    terms = ahead[some] ** 2 * died[some] / (risk[some] * (risk[some] - died[some]))
    half = float(stats.norm.ppf(0.5 + curve.confidence / 2)) * sqrt(float(terms.sum()))
    bounds = max(mean - half, 0.0), min(mean + half, until)
    note = None
    if not died.sum():
        note = f"it happened in no run before day {until:g}"
    elif curve.n < ENOUGH_FOR_NORMAL:
        note = f"normal bounds of {curve.n} runs miss too often: have {ENOUGH_FOR_NORMAL} or more"
    method = f"restricted mean to day {until:g}"
    return Interval(mean, *bounds, curve.confidence, curve.n, method, note)


def _rows(curve: Curve) -> tuple[Floats, Floats, Floats]:
    """The curve, and its lower and upper bound, as days are read from them."""
    return curve.share, curve.low, curve.high


def _bound(probabilities: Floats, share: Floats) -> Floats:
    """A bound of the curve: 1 before anything happened, NaN where it is not defined."""
    return np.where(share >= 1, 1.0, np.asarray(probabilities, dtype=np.float64))


def _first_at(day: Floats, row: Floats, level: float) -> float | None:
    """The first day on which a falling row is at or below a level, None if there is none."""
    below = np.flatnonzero(row <= level)  # NaN is never below
    return float(day[below[0]]) if below.size else None
