"""What catch and effort alone would have said of the stock at the start, against what was there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldsim.study.depletion.catches import period_days, periods, unbroken_periods
from worldsim.study.depletion.causes import Causes, causes_of
from worldsim.study.depletion.curves import median_of
from worldsim.study.estimators import METHODS
from worldsim.study.inputs import NoEstimateError, UnfitDataError
from worldsim.study.intervals import share_interval
from worldsim.study.order import in_natural_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldsim.study.depletion.catches import Periods
    from worldsim.study.depletion.ground import Fishery, Ground
    from worldsim.study.estimators import Depletion
    from worldsim.study.intervals import Interval

NO_PERIODS = "there are not three periods of equal length with effort and a catch in each"


@dataclass(frozen=True, slots=True)
class Estimate:
    """One method's estimate of one run.

    Attributes:
        method: ``leslie``, ``ricker`` or ``delury``.
        every: Days in a period.
        found: The estimate; None if there is none.
        why: Why not.
    """

    method: str
    every: int
    found: Depletion | None
    why: str | None


@dataclass(frozen=True, slots=True)
class Trial:
    """The methods tried on one ingredient of one run, in the places that were fished.

    Attributes:
        ingredient: What it is about.
        region: Where; None for all places looked at.
        days: The first days are read, this many.
        truth: Units in the fished places at the start.
        elsewhere: Units at the start in places where nobody fished.
        caught: Units gathered and hunted.
        estimates: One for each method.
        causes: What leads such methods astray here; None without effort.
    """

    ingredient: str
    region: str | None
    days: int
    truth: int
    elsewhere: int
    caught: int
    estimates: tuple[Estimate, ...]
    causes: Causes | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one method did, over runs.

    Attributes:
        ingredient, region: What it is about, as of a trial.
        method: Which one.
        runs: Runs in which there was any effort.
        estimated: Runs in which it gave an estimate.
        truth: Median over those of the units there really were.
        n0: Median estimate, with its spread over runs.
        n0_se: Median of the standard errors it claims.
        q: Median catchability.
        bias: Median of (estimate - truth) / truth.
        low, high: Its own bounds, of a single run.
        held: Share of runs whose bounds held the truth.
        why: What came in the way where there is no estimate, the most frequent first.
    """

    ingredient: str
    region: str | None
    method: str
    runs: int
    estimated: int
    truth: float
    n0: Interval | None
    n0_se: float | None
    q: float | None
    bias: Interval | None
    low: float | None
    high: float | None
    held: Interval | None
    why: tuple[str, ...]


def trials(ground: Ground, days: int, *, by_region: bool) -> Iterator[Trial]:
    """Each ingredient where it was fished, in all places looked at.

    Args:
        ground: Of one run.
        days: Only the first of them are read.
        by_region: Whether to try each region by itself as well.
    """
    for ingredient in ground.ingredients:
        fishery = ground.fishery(ingredient)
        everywhere = np.ones(fishery.region.size, dtype=np.bool_)
        yield trial(fishery.within(everywhere, days), ingredient, None)
        regions = in_natural_order(set(fishery.region))
        for region in regions if by_region and len(regions) > 1 else ():
            yield trial(fishery.within(fishery.region == region, days), ingredient, region)


def trial(fishery: Fishery, ingredient: str, region: str | None) -> Trial:
    """Try each method on one fishery."""
    worked = fishery.effort.sum(axis=1) > 0
    days = fishery.caught.shape[1]
    fished = fishery.within(worked, days)
    estimates: tuple[Estimate, ...] = ()
    causes = None
    if worked.any():
        every = period_days(days)
        plain = periods(fished, every)
        whole = unbroken_periods(fished, every)
        estimates = tuple(
            _estimate(method, whole if method == "delury" else plain) for method in METHODS
        )
        causes = causes_of(fished, plain, whole, estimates[0].found)
    return Trial(
        ingredient=ingredient,
        region=region,
        days=days,
        truth=int(fished.stock[:, 0].sum()),
        elsewhere=int(fishery.stock[~worked, 0].sum()),
        caught=int(fished.caught.sum()),
        estimates=estimates,
        causes=causes,
    )


def verdict(runs: Sequence[Trial], method: str, *, confidence: float = 0.95) -> Verdict:
    """How a method did over runs.

    Args:
        runs: The same ingredient and region in each, at least one.
        method: Which one.
        confidence: Of the intervals over runs.
    """
    tried = [(each, e) for each in runs for e in each.estimates if e.method == method]
    got = [(each.truth, e.found) for each, e in tried if e.found is not None]
    why = [e.why for _, e in tried if e.why is not None]
    held = sum(found.holds(truth) for truth, found in got)
    first = got[0][1] if len(runs) == 1 and got else None
    return Verdict(
        ingredient=runs[0].ingredient,
        region=runs[0].region,
        method=method,
        runs=len(tried),
        estimated=len(got),
        truth=float(np.median([truth for truth, _ in got] or [each.truth for each in runs])),
        n0=median_of([found.n0 for _, found in got], confidence=confidence) if got else None,
        n0_se=float(np.median([found.n0_se for _, found in got])) if got else None,
        q=float(np.median([found.q for _, found in got])) if got else None,
        bias=median_of([(found.n0 - truth) / truth for truth, found in got], confidence=confidence)
        if got
        else None,
        low=first.n0_low if first else None,
        high=first.n0_high if first else None,
        held=share_interval(held, len(got), confidence=confidence) if got else None,
        why=tuple(sorted(set(why), key=lambda each: (-why.count(each), each))),
    )


def _estimate(method: str, given: Periods | None) -> Estimate:
    if given is None:
        return Estimate(method, 0, None, NO_PERIODS)
    try:
        found = METHODS[method](given.catch, given.effort)
    except (NoEstimateError, UnfitDataError) as error:
        return Estimate(method, given.every, None, str(error))
    return Estimate(method, given.every, found, None)
