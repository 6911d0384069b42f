"""Why estimates of a stock from its catches miss, measured on the stock that was really there.

The methods take catch per effort as proportional to a stock that nothing else changes. Two figures
add up to the bias of Leslie's: ``unlike`` is what catch per effort not being proportional does,
``open`` what the rest does: what grew back, what was taken or destroyed without being caught.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from worldsim.study.intervals import t_times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.depletion.catches import Periods
    from worldsim.study.depletion.ground import Fishery
    from worldsim.study.estimators import Depletion

FEWEST = 3
NOTABLE = 0.02
"""Share from which something is worth a word."""


@dataclass(frozen=True, slots=True)
class Causes:
    """What leads the methods astray in one fishery.

    Attributes:
        exponent: b of catch per effort = a stock^b, fitted to the stock that was there; the
            methods take it as 1. Below 1 catches stay good while the stock falls (hyperstability),
            above 1 they fall faster (hyperdepletion; Hilborn and Walters 1992, p. 175). None where
            the stock hardly changes.
        exponent_low, exponent_high: Its interval, 95 %.
        filled: Share of the effort in phases that took all that their Limit allows: there catch
            tells of the team and its transports, not of the stock.
        moved_on: Share left where the effort of the last third was spent, over the share left in
            all fished places at that time. Above 1 teams go where more is left; below 1 they keep
            to places that are poorer by now, as the nearest ones.
        grown: Net units that came back, over the units at the start; below 0 if more was
            destroyed than grew.
        uncounted: Of all units taken, the share taken without effort: eaten on the way, found.
        left: Share of the stock that is left in the end. The more, the further the line has to be
            drawn on.
        unlike: Part of Leslie's bias that is from the exponent, in shares of the true stock.
        open: The rest of it, likewise. Both None where there is no such estimate.
    """

    exponent: float | None
    exponent_low: float | None
    exponent_high: float | None
    filled: float
    moved_on: float | None
    grown: float
    uncounted: float
    left: float
    unlike: float | None
    open: float | None


def causes_of(
    fished: Fishery, plain: Periods, whole: Periods | None, found: Depletion | None
) -> Causes:
    """Measure them.

    Args:
        fished: The fishery, only places with effort.
        plain: Its periods.
        whole: Periods with a catch in each, if there are any.
        found: Leslie's estimate from the plain ones, if there is one.
    """
    truth = int(fished.stock[:, 0].sum())
    caught, uncounted = int(fished.caught.sum()), int(fished.uncounted.sum())
    exponent, low, high = (None, None, None) if whole is None else _exponent(whole)
    unlike, rest = _bias(plain, truth, found)
    return Causes(
        exponent=exponent,
        exponent_low=low,
        exponent_high=high,
        filled=int(fished.filled.sum()) / int(fished.effort.sum()),
        moved_on=_moved_on(fished),
        grown=int(fished.grown.sum()) / truth,
        uncounted=uncounted / max(1, caught + uncounted),
        left=int(fished.stock[:, -1].sum()) / truth,
        unlike=unlike,
        open=rest,
    )


def median_causes(runs: Sequence[Causes]) -> Causes:
    """The causes over runs, each the median of those in which it is known; at least one run."""

    def middle(name: str) -> float | None:
        values = [getattr(each, name) for each in runs]
        known = [each for each in values if each is not None]
        return float(np.median(known)) if known else None

    return Causes(**{each.name: middle(each.name) for each in fields(Causes)})  # type: ignore[arg-type]


def told(causes: Causes) -> list[str]:
    """The causes in words, each with the way it leads: those that matter here."""
    words: list[str] = []
    low, high = causes.exponent_low, causes.exponent_high
    if causes.exponent is not None and low is not None and high is not None:
        power = f"catch per effort goes with stock^{causes.exponent:.2f}"
        if high < 1:
            words.append(f"{power}, less than in proportion (leads too high)")
        elif low > 1:
            words.append(
                f"{power}, as scarce stock is met, found and taken less often (GATH-3, RES-4:"
                " leads too low)"
            )
    if causes.filled >= NOTABLE:
        words.append(
            f"{causes.filled:.0%} of the effort took all its Limit or transports allow, whatever"
            " the stock (leads too high)"
        )
    if causes.moved_on is not None and abs(causes.moved_on - 1) >= NOTABLE:
        way = "too high" if causes.moved_on > 1 else "too low"
        words.append(
            f"late on, teams worked where {causes.moved_on:.2f} times the average share was left"
            f" (leads {way})"
        )
    if abs(causes.grown) >= NOTABLE:
        way = "grew back (leads too high)" if causes.grown > 0 else "was destroyed (leads too low)"
        words.append(f"{abs(causes.grown):.0%} of the stock {way}")
    if causes.uncounted >= NOTABLE:
        words.append(
            f"{causes.uncounted:.0%} of what was taken was foraged or found, so is no catch (leads"
            " too low)"
        )
    return words


def _exponent(whole: Periods) -> tuple[float | None, float | None, float | None]:
    """The power of the stock that catch per effort goes with, and its bounds."""
    some = whole.mean > 0
    stock, rate = whole.mean[some], whole.catch[some] / whole.effort[some]
    if stock.size < FEWEST or stock.max() / stock.min() < 1 + NOTABLE:
        return None, None, None
    fit = stats.linregress(np.log(stock), np.log(rate))
    reach = t_times(stock.size - 2, 0.95) * float(fit.stderr)
    slope = float(fit.slope)
    return slope, slope - reach, slope + reach


def _bias(plain: Periods, truth: int, found: Depletion | None) -> tuple[float | None, float | None]:
    """Leslie's bias in two parts, in shares of the truth.

    The same line through catch per effort on what is really gone errs by the first part alone.
    """
    if found is None:
        return None, None
    line = stats.linregress(truth - plain.start, plain.catch / plain.effort)
    if not line.slope < 0:
        return None, None
    knowing = -float(line.intercept) / float(line.slope)
    return (knowing - truth) / truth, (found.n0 - knowing) / truth


def _moved_on(fished: Fishery) -> float | None:
    """How much better off than the average the places are in which the effort ends up."""
    late = fished.effort.shape[1] * 2 // 3
    effort = fished.effort[:, late:].astype(np.float64)
    left, initial = fished.stock[:, late:-1], fished.stock[:, :1]
    average = left.sum(axis=0) / initial.sum()
    if not effort.sum() or not average.any():
        return None
    weights = effort.sum(axis=0)
    expected = float(average @ weights)
    return float((effort * (left / initial)).sum()) / expected if expected > 0 else None
