"""Stock over time: bands over runs, days until so much is left, half-lives."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldsim.study.inputs import NoEstimateError
from worldsim.study.intervals import Interval, quantile_interval
from worldsim.study.survival import (
    SHARES,
    Curve,
    Times,
    quantile_day,
    restricted_mean,
    survival_curve,
    times_to,
)
from worldsim.study.sustainable import FEWEST_TO_FIT, half_life

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.depletion.ground import Numbers
    from worldsim.study.inputs import Floats

BAND = 0.9
"""Share of runs that a band holds."""
MOST_DAYS_READ = 200
"""Days at which a curve is kept, besides day 0; times are read from all days."""


@dataclass(frozen=True, slots=True)
class Decline:
    """How one group of one run declined.

    Attributes:
        units: Left on the days read; fewer where the run ended before the last of them.
        initial: Units at the start, above 0.
        last_day: Of the run.
        until: For each of ``SHARES`` the first day on which no more was left, None if there is
            none.
        halving_days: Days in which it halves, by the exponential fitted to all days; None if it
            does not fall.
    """

    units: Numbers
    initial: int
    last_day: int
    until: tuple[float | None, ...]
    halving_days: float | None


@dataclass(frozen=True, slots=True)
class Band:
    """The stock of one group over time: quantiles over runs, day by day.

    Attributes:
        name: Of the group.
        confidence: Share of runs between ``low`` and ``high``.
        day: Days read, shape (K,).
        runs: How many runs each day rests on, shape (K,).
        low, middle, high: Units, shape (K,).
        share_low, share_middle, share_high: The same as shares of each run's own start.
        initial: Mean over runs of the units at the start.
    """

    name: str
    confidence: float
    day: Numbers
    runs: Numbers
    low: Floats
    middle: Floats
    high: Floats
    share_low: Floats
    share_middle: Floats
    share_high: Floats
    initial: float


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """When no more than a share of the initial stock was left.

    Attributes:
        name: Of the group.
        share_left: 0 to 1.
        runs: Watched.
        reached: Runs in which it happened.
        median: The day by which it happened in half of all runs; runs that ended before are
            counted as what they are: not yet (Kaplan-Meier). Of a single run its own day.
        mean: Mean day, those after the last day watched counted as that day; None of one run.
        curve: Share of runs in which it has not happened, day by day; None of one run.
    """

    name: str
    share_left: float
    runs: int
    reached: int
    median: Interval
    mean: Interval | None
    curve: Curve | None


@dataclass(frozen=True, slots=True)
class Halving:
    """How fast a group's stock halves.

    Attributes:
        name: Of the group.
        days: By the exponential fitted to each run: the median over runs; None if it falls in none.
        falling: Runs in which it falls.
        runs: All of them.
    """

    name: str
    days: Interval | None
    falling: int
    runs: int


def days_read(last_day: int) -> Numbers:
    """Days from 0 to the last at which curves are kept, at most 200 steps."""
    steps = min(last_day, MOST_DAYS_READ)
    return np.arange(steps + 1, dtype=np.int64) * last_day // max(steps, 1)


def decline(left: Numbers, at_day: Numbers) -> Decline:
    """Sum up one curve.

    Args:
        left: Units at the start and after each day, shape (T + 1,), above 0 at the start.
        at_day: Days at which it is kept.
    """
    day, units = np.arange(left.size, dtype=np.float64), left.astype(np.float64)
    until: list[float | None] = []
    for share in SHARES:
        times = times_to(share, day, units[None, :])
        until.append(float(times.day[0]) if times.reached[0] else None)
    halves = None
    if left.size >= FEWEST_TO_FIT:
        with suppress(NoEstimateError):  # something is left on fewer days
            halves = half_life(day, units).fitted_days
    kept = left[at_day[at_day < left.size]]
    return Decline(kept, int(left[0]), left.size - 1, tuple(until), halves)


def band(
    name: str, declines: Sequence[Decline], at_day: Numbers, *, confidence: float = BAND
) -> Band:
    """Quantiles over runs, on each day over those that came so far.

    Args:
        name: Of the group.
        declines: Of at least one run.
        at_day: The days at which all of them were read.
        confidence: Share of runs between the bounds.
    """
    units = np.full((len(declines), at_day.size), np.nan)
    for row, each in zip(units, declines, strict=True):
        row[: each.units.size] = each.units
    initial = np.array([each.initial for each in declines], dtype=np.float64)
    tail = (1 - confidence) / 2
    levels = (tail, 0.5, 1 - tail)
    low, middle, high = quantiles(units, levels)
    share_low, share_middle, share_high = quantiles(units / initial[:, None], levels)
    return Band(
        name=name,
        confidence=confidence,
        day=at_day,
        runs=np.count_nonzero(np.isfinite(units), axis=0).astype(np.int64),
        low=low,
        middle=middle,
        high=high,
        share_low=share_low,
        share_middle=share_middle,
        share_high=share_high,
        initial=float(initial.mean()),
    )


def quantiles(table: Floats, levels: Sequence[float]) -> Floats:
    """Quantiles over runs, day by day, of those that have a value there; NaN where none has.

    As numpy's ``nanquantile``, which takes a hundred times longer as it goes column by column.

    Args:
        table: Shape (R, K), NaN where there is no value.
        levels: Shares, 0 to 1.

    Returns:
        Shape (levels, K).
    """
    ordered = np.sort(table, axis=0)  # NaN last
    last = np.count_nonzero(np.isfinite(table), axis=0) - 1
    rows = []
    for level in levels:
        at = np.maximum(last * level, 0)
        below = np.floor(at).astype(np.int64)
        above = np.minimum(below + 1, np.maximum(last, 0))
        low, high = (np.take_along_axis(ordered, n[None, :], axis=0)[0] for n in (below, above))
        rows.append(low + (high - low) * (at - below))
    return np.array(rows)


def times_left(
    name: str, declines: Sequence[Decline], *, confidence: float = 0.95
) -> list[TimeLeft]:
    """When 75, 50, 25, 10 and 0 % were left, over runs that may have ended before."""
    return [
        _time_left(name, share, [each.until[n] for each in declines], declines, confidence)
        for n, share in enumerate(SHARES)
    ]


def halving(name: str, declines: Sequence[Decline], *, confidence: float = 0.95) -> Halving:
    """The median over runs of the days in which the stock halves."""
    fitted = [each.halving_days for each in declines if each.halving_days is not None]
    days = median_of(fitted, confidence=confidence) if fitted else None
    return Halving(name, days, len(fitted), len(declines))


def median_of(values: Sequence[float], *, confidence: float = 0.95) -> Interval:
    """The median over runs; of one run its value, without bounds.

    Args:
        values: At least one.
        confidence: Of the bounds.
    """
    if len(values) > 1:
        return quantile_interval(values, confidence=confidence)
    return Interval(values[0], None, None, confidence, 1, "the value of one run", "one run")


def _time_left(
    name: str,
    share: float,
    days: Sequence[float | None],
    declines: Sequence[Decline],
    confidence: float,
) -> TimeLeft:
    reached = np.array([day is not None for day in days])
    watched = [
        each.last_day if day is None else day for day, each in zip(days, declines, strict=True)
    ]
    happened = int(reached.sum())
    if len(days) == 1:
        note = None if happened else f"not reached by day {watched[0]:g}"
        one = Interval(days[0], None, None, confidence, 1, "the day of one run", note)
        return TimeLeft(name, share, 1, happened, one, None, None)
    curve = survival_curve(
        Times(np.array(watched, dtype=np.float64), reached), confidence=confidence
    )
    mean = restricted_mean(curve, float(curve.day[-1]))
    median = quantile_day(curve)
    return TimeLeft(name, share, len(days), happened, median, mean, curve)
