"""Forecasts of a stock from the first days of runs, held against what came."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from worldsim.study.forecast import forecast, share_held
from worldsim.study.inputs import NoEstimateError, UnfitDataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.depletion.ground import Numbers
    from worldsim.study.forecast import Forecast
    from worldsim.study.intervals import Interval

STEPS = 4
"""Days told: so many, evenly to the last one."""


@dataclass(frozen=True, slots=True)
class Foretold:
    """One run's forecast of one group.

    Attributes:
        found: The forecast; None if there is none.
        truth: Units there were on its days, None for days that have not come.
        why: Why there is no forecast.
    """

    found: Forecast | None
    truth: tuple[int | None, ...]
    why: str | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """Forecasts of one group on one day, over runs.

    Attributes:
        name: Of the group.
        from_day: Days known.
        day: Foretold.
        runs: Runs with a forecast.
        low, middle, high: Units: medians over runs of the bounds and of the forecast.
        truth: Median of what came, None if that day has not come in any run.
        held: Share of the runs that came so far whose interval held what came.
        confidence: Of the intervals.
        why: Why the others have no forecast, the most frequent first.
    """

    name: str
    from_day: int
    day: int
    runs: int
    low: float | None
    middle: float | None
    high: float | None
    truth: float | None
    held: Interval | None
    confidence: float
    why: tuple[str, ...]


def days_foretold(from_day: int, last_day: int) -> list[int]:
    """Days to forecast: to the end of the run; if all of it is known, as far again."""
    until = last_day if last_day > from_day else 2 * from_day
    steps = range(1, STEPS + 1)
    return sorted({from_day + -(-(until - from_day) * step // STEPS) for step in steps})


def foretell(left: Numbers, from_day: int, days: Sequence[int], *, may_rise: bool) -> Foretold:
    """Forecast one curve from its first days.

    Args:
        left: Units at the start and after each day.
        from_day: Days known.
        days: Days wanted.
        may_rise: Whether anything grows back.
    """
    truth = tuple(int(left[day]) if day < left.size else None for day in days)
    if left.size <= from_day:
        return Foretold(None, truth, f"the run ends before day {from_day}")
    try:
        found = forecast(left[: from_day + 1].astype(np.float64), days, may_rise=may_rise)
    except (NoEstimateError, UnfitDataError) as error:
        return Foretold(None, truth, str(error))
    return Foretold(found, truth, None)


def outlooks(
    name: str, runs: Sequence[Foretold], from_day: int, days: Sequence[int]
) -> list[Outlook]:
    """How forecasts of one group did, day by day."""
    got = [(each.found, each.truth) for each in runs if each.found is not None]
    why = [each.why for each in runs if each.why is not None]
    reasons = tuple(sorted(set(why), key=lambda each: (-why.count(each), each)))
    return [_outlook(name, got, from_day, n, day, reasons) for n, day in enumerate(days)]


def _outlook(
    name: str,
    got: Sequence[tuple[Forecast, tuple[int | None, ...]]],
    from_day: int,
    n: int,
    day: int,
    why: tuple[str, ...],
) -> Outlook:
    forecasts = [found for found, _ in got]
    came = [
        (_only(found, n), truth)
        for found, truths in got
        for truth in [truths[n]]
        if truth is not None
    ]
    held = None
    if came:
        [held] = share_held([f for f, _ in came], [np.array([float(t)]) for _, t in came])
    low, middle, high = (
        float(np.median([getattr(each, part)[n] for each in forecasts])) if forecasts else None
        for part in ("low", "middle", "high")
    )
    return Outlook(
        name=name,
        from_day=from_day,
        day=day,
        runs=len(got),
        low=low,
        middle=middle,
        high=high,
        truth=float(np.median([truth for _, truth in came])) if came else None,
        held=held,
        confidence=forecasts[0].confidence if forecasts else 0.95,
        why=why,
    )


def _only(found: Forecast, n: int) -> Forecast:
    """A forecast of one of its days alone."""
    row = slice(n, n + 1)
    return replace(
        found,
        day=found.day[row],
        middle=found.middle[row],
        low=found.low[row],
        high=found.high[row],
    )
