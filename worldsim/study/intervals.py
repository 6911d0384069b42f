"""How sure a figure is: intervals of means, quantiles and shares over independent runs."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import isfinite, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special, stats

from worldsim.study.inputs import UnfitDataError, generator, inside, numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from worldsim.study.inputs import Floats

ENOUGH_TO_RESAMPLE = 50
RESAMPLES = 999
BATCH = 20  # resamples at once: 4 000 rows of 100 values take 64 MB
ALL_EQUAL = "all values are the same, so they say nothing about the spread"


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and the bounds it lies between.

    Attributes:
        estimate: The figure in the unit of the values; None if the values do not reach it.
        low: Lower bound; None if the values give none.
        high: Upper bound, likewise.
        confidence: How often such bounds are meant to hold the truth, 0 to 1.
        n: Values they rest on.
        method: How they were found.
        note: Why they should be trusted less than they claim; None if nothing is known against.
    """

    estimate: float | None
    low: float | None
    high: float | None
    confidence: float
    n: int
    method: str
    note: str | None = None

    @property
    def half_width(self) -> float | None:
        """Half the distance between the bounds, None if one is missing."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def holds(self, truth: float) -> bool:
        """Whether the truth lies between the bounds; a missing bound excludes nothing."""
        above = self.low is None or self.low <= truth
        return above and (self.high is None or truth <= self.high)


def mean_interval(values: Sequence[float] | Floats, *, confidence: float = 0.95) -> Interval:
    """The mean with Student's t interval (Student 1908).

    Exact for normal values. For skewed ones it misses more often than it says until n exceeds
    25 times the squared skewness (Cochran 1977, Sampling Techniques, section 2.15); a note says so.

    Args:
        values: n independent figures, at least 2.
        confidence: 0 to 1.

    Raises:
        UnfitDataError: Fewer than 2 values, one not finite, or no such confidence.
    """
    row = numbers("values", values, at_least=2)
    inside("confidence", confidence, 0, 1)
    mean, half = float(row.mean()), t_times(row.size - 1, confidence) * standard_error(row)
    bounds = mean - half, mean + half
    return Interval(mean, *bounds, confidence, row.size, "t", _skew_note(row))


def bootstrap_interval(
    values: Sequence[float] | Floats,
    *,
    seed: int,
    statistic: Callable[..., Any] = np.mean,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Interval:
    """A statistic with its bootstrap interval: BCa (Efron 1987), by scipy.

    Measured with ``tools/intervals.py``: BCa misses as often as the percentile interval on normal
    values and less often, by a point at n = 10, on skewed ones, so it is the one used. For a mean
    the t interval is better than either; the bootstrap is for statistics that have no law.

    Args:
        values: n independent figures, at least 2.
        seed: Of the resampling.
        statistic: A function of an array that takes ``axis``, as those of numpy do.
        confidence: 0 to 1.
        resamples: How many.

    Returns:
        The interval; percentile instead of BCa where BCa is not defined. Below 50 values a note
        says that it misses too often.

    Raises:
        UnfitDataError: Fewer than 2 values, one not finite, no such confidence or seed.
    """
    row = numbers("values", values, at_least=2)
    inside("confidence", confidence, 0, 1)
    estimate = float(statistic(row, axis=-1))
    if not np.ptp(row):
        return Interval(
            estimate, estimate, estimate, confidence, row.size, "bootstrap BCa", ALL_EQUAL
        )
    for method in ("BCa", "percentile"):
        low, high = bootstrap_bounds(row[None, :], method, statistic, confidence, resamples, seed)
        if isfinite(low[0]) and isfinite(high[0]):
            break
    note = _resampling_note(row.size, confidence)
    bounds = float(low[0]), float(high[0])
    return Interval(estimate, *bounds, confidence, row.size, f"bootstrap {method}", note)


def bootstrap_bounds(
    rows: Floats,
    method: str,
    statistic: Callable[..., Any],
    confidence: float,
    resamples: int,
    seed: int,
) -> tuple[Floats, Floats]:
    """Bootstrap bounds of many samples at once, each drawn with the same choices.

    Args:
        rows: S samples of n values, shape (S, n).
        method: ``BCa`` or ``percentile``.
        statistic: As for ``bootstrap_interval``.
        confidence: 0 to 1.
        resamples: How many.
        seed: Of the resampling.

    Returns:
        Lower and upper bounds, shape (S,) each; NaN where BCa is not defined.
    """
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)  # the caller looks for NaN
        found = stats.bootstrap(
            (rows,),
            statistic,
            axis=-1,
            vectorized=True,
            n_resamples=resamples,
            batch=BATCH if len(rows) > 1 else None,
            method=method,
            confidence_level=confidence,
            rng=generator(seed),
        ).confidence_interval
    return np.atleast_1d(found.low), np.atleast_1d(found.high)


def quantile_interval(
    values: Sequence[float] | Floats, share: float = 0.5, *, confidence: float = 0.95
) -> Interval:
    """A quantile between two of the values themselves, whatever their law (Conover 1999, 3.2).

    The bounds hold at least as often as they say; for few values clearly more often.

    Args:
        values: n independent figures, at least 2.
        share: Share of all figures below it, 0 to 1.
        confidence: 0 to 1.

    Returns:
        The quantile (interpolated) with bounds; a bound is None where even the least or greatest
        value is not far enough out, and a note says so.

    Raises:
        UnfitDataError: Fewer than 2 values, one not finite, no such share or confidence.
    """
    row = numbers("values", values, at_least=2)
    inside("share", share, 0, 1)
    inside("confidence", confidence, 0, 1)
    ordered, tail = np.sort(row), (1 - confidence) / 2
    # how many values lie below the quantile is binomial: ranks it leaves aside seldom enough
    below, above = (int(each) for each in stats.binom.ppf((tail, 1 - tail), row.size, share))
    low = float(ordered[below - 1]) if below > 0 else None
    high = float(ordered[above]) if above < row.size else None
    missing = [name for name, bound in (("lower", low), ("upper", high)) if bound is None]
    note = f"{row.size} values are too few for {_one_of(missing)} bound" if missing else None
    quantile = float(np.quantile(row, share))
    return Interval(quantile, low, high, confidence, row.size, "order statistics", note)


def share_interval(hits: int, n: int, *, confidence: float = 0.95) -> Interval:
    """The share of hits with Wilson's interval (Wilson 1927).

    Args:
        hits: 0 to ``n``.
        n: Independent trials, at least 1.
        confidence: 0 to 1.

    Raises:
        UnfitDataError: There are no trials, or fewer than 0 or more than n hits.
    """
    if n < 1 or not 0 <= hits <= n:
        raise UnfitDataError("hits", f"{hits} of {n}", "0 to n of at least 1 trial are wanted")
    inside("confidence", confidence, 0, 1)
    found = stats.binomtest(hits, n).proportion_ci(confidence, method="wilson")
    return Interval(hits / n, float(found.low), float(found.high), confidence, n, "Wilson")


def t_times(freedom: int, confidence: float) -> float:
    """How many standard errors a two-sided t interval reaches to either side.

    Args:
        freedom: Degrees of freedom, at least 1.
        confidence: 0 to 1.
    """
    return float(special.stdtrit(freedom, 0.5 + confidence / 2))  # 50 times faster than stats.t


def standard_error(row: Floats) -> float:
    """Of the mean of at least 2 independent values, in their unit."""
    return float(row.std(ddof=1)) / sqrt(row.size)


def _skew_note(row: Floats) -> str | None:
    """What speaks against a t interval of these values."""
    if not np.ptp(row):
        return ALL_EQUAL
    off = row - row.mean()
    off /= np.abs(off).max()  # so that no power of it is beyond floats
    skew = float(np.mean(off**3) / np.mean(off**2) ** 1.5)
    by_chance = 2 * sqrt(6 / row.size)  # twice the spread of the skewness of normal values
    if abs(skew) <= by_chance or row.size > 25 * skew**2:
        return None
    return (
        f"the values are skewed ({skew:.1f}); a t interval misses too often "
        f"below {int(25 * skew**2) + 1} values"
    )


def _one_of(names: list[str]) -> str:
    """``a lower``, ``an upper`` or ``a lower or upper``."""
    return ("an " if names[0] == "upper" else "a ") + " or ".join(names)


def _resampling_note(n: int, confidence: float) -> str | None:
    """What speaks against a bootstrap interval of n values."""
    if n >= ENOUGH_TO_RESAMPLE:
        return None
    return (
        f"a bootstrap interval of {n} values holds the truth less often than "
        f"{confidence:.0%}: have {ENOUGH_TO_RESAMPLE} or more, or take the t interval of a mean"
    )
