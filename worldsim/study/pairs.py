"""What a change does: differences between two cells that share their seeds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from worldsim.study.inputs import UnfitDataError, inside, numbers, two_rows
from worldsim.study.intervals import Interval, mean_interval, t_times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.inputs import Floats

ENOUGH_NOT_ZERO = 10
MOST_PAIRS = 10**9


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two cells, seed by seed.

    Attributes:
        base: Mean of the first cell.
        changed: Mean of the second.
        difference: Mean of changed less base, from the pairs.
        zero_share: Share of pairs without any difference, 0 to 1.
        correlation: Of the two cells over the seeds, -1 to 1; None if one does not vary.
        variance_factor: How many times more independent runs the same interval would take:
            (var base + var changed) / var difference; None if the difference does not vary.
    """

    base: Interval
    changed: Interval
    difference: Interval
    zero_share: float
    correlation: float | None
    variance_factor: float | None


def paired_difference(
    base: Sequence[float] | Floats, changed: Sequence[float] | Floats, *, confidence: float = 0.95
) -> Comparison:
    """What a change does to a figure, seed by seed (common random numbers; Law 2015, ch. 11.2).

    Args:
        base: Figures of one cell, shape (n,), in the order of the seeds.
        changed: Figures of the other for the same seeds, shape (n,).
        confidence: 0 to 1.

    Raises:
        UnfitDataError: Not equally many, fewer than 2, one not finite, or no such confidence.
    """
    before, after = two_rows(("base", "changed"), base, changed, at_least=2)
    gap = after - before
    spread, first, second = (float(row.var(ddof=1)) for row in (gap, before, after))
    varies = first > 0 and second > 0
    found = mean_interval(gap, confidence=confidence)
    return Comparison(
        base=mean_interval(before, confidence=confidence),
        changed=mean_interval(after, confidence=confidence),
        difference=replace(found, method="paired t", note=_zero_note(gap) or found.note),
        zero_share=float(np.mean(gap == 0)),
        correlation=(first + second - spread) / (2 * sqrt(first) * sqrt(second))
        if varies
        else None,
        variance_factor=(first + second) / spread if spread > 0 else None,
    )


def unpaired_difference(
    base: Sequence[float] | Floats, changed: Sequence[float] | Floats, *, confidence: float = 0.95
) -> Interval:
    """What a change does when the cells share no seeds: Welch's interval (Welch 1947).

    Args:
        base: Figures of one cell, at least 2.
        changed: Figures of the other, at least 2, not necessarily as many.
        confidence: 0 to 1.

    Raises:
        UnfitDataError: Too few, one not finite, neither varies, or no such confidence.
    """
    before, after = numbers("base", base, at_least=2), numbers("changed", changed, at_least=2)
    inside("confidence", confidence, 0, 1)
    if not np.ptp(before) and not np.ptp(after):
        raise UnfitDataError("base and changed", "no spread in either", "at least one must vary")
    found = stats.ttest_ind(after, before, equal_var=False).confidence_interval(confidence)
    n = before.size + after.size
    gap = float(after.mean() - before.mean())
    return Interval(gap, float(found.low), float(found.high), confidence, n, "Welch")


def pairs_needed(
    differences: Sequence[float] | Floats, half_width: float, *, confidence: float = 0.95
) -> int:
    """How many pairs give a t interval of the wanted half-width, those at hand included.

    Takes the spread seen so far for the true one, so with that many pairs about half of all
    studies come out a little wider.

    Args:
        differences: Those at hand, at least 2.
        half_width: Wanted, above 0, in the unit of the differences.
        confidence: 0 to 1.

    Raises:
        UnfitDataError: Too few differences, one not finite, no such confidence or half-width, or
            more than a billion pairs would be needed.
    """
    row = numbers("differences", differences, at_least=2)
    inside("confidence", confidence, 0, 1)
    if not half_width > 0:
        raise UnfitDataError("half-width", f"{half_width:g}", "above 0 is wanted")
    spread = float(row.std(ddof=1))

    def wide(n: int) -> bool:
        return t_times(n - 1, confidence) * spread / sqrt(n) > half_width

    if wide(MOST_PAIRS):
        raise UnfitDataError("half-width", f"{half_width:g}", "it takes over a billion pairs")
    low, high = 1, 2
    while wide(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if wide(middle) else (low, middle)
    return high


def _zero_note(gap: Floats) -> str | None:
    """What speaks against a t interval of differences that are mostly none."""
    moved = int(np.count_nonzero(gap))
    if moved == gap.size or moved >= ENOUGH_NOT_ZERO:
        return None
    if moved == 0:
        # 1 - share**n = 0.95: the rule of three (Hanley and Lippman-Hand 1983)
        most = 1 - 0.05 ** (1 / gap.size)
        return f"no pair differs; up to {most:.0%} of pairs may (at 95 %), by any amount"
    return f"only {moved} of {gap.size} pairs differ: too few for a t interval to be trusted"
