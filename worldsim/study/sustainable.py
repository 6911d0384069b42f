"""How a stock is used: catch per effort, half-life, and what can be taken for ever (RES-5)."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log1p, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

from worldsim.study.inputs import NoEstimateError, UnfitDataError, numbers, two_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.inputs import Floats

    Row = Sequence[float] | Floats

FEWEST_TO_FIT = 3


@dataclass(frozen=True, slots=True)
class HalfLife:
    """How fast a stock halves.

    Attributes:
        day: The first day read on which half of the first stock or less is left; None if there is
            none.
        until: The last day read.
        fitted_days: Days in which it halves, by the exponential fitted to all days read; None if
            that does not fall. One run's days depend on each other, so no bounds are given: take
            the spread over runs.
        daily_share: Share of the stock that goes each day by that fit; below 0 if it grows.
        r_squared: How much of the spread of the logarithms the fit explains, 0 to 1.
    """

    day: float | None
    until: float
    fitted_days: float | None
    daily_share: float
    r_squared: float


def catch_per_effort(catch: Row, effort: Row, *, every: int = 1) -> Floats:
    """Units caught for each unit of effort, over time.

    Args:
        catch: Units caught each day, shape (n,), not negative.
        effort: Effort of each day, shape (n,), not negative.
        every: Days summed before dividing, at least 1; the last sum may be of fewer.

    Returns:
        Shape (ceil(n / every),): units per effort; NaN where there was no effort.

    Raises:
        UnfitDataError: Rows that do not belong together, negative or not finite, ``every`` below 1.
    """
    caught, spent = two_rows(("catch", "effort"), catch, effort, at_least=1)
    numbers("catch", caught, lowest=0)
    numbers("effort", spent, lowest=0)
    if every < 1:
        raise UnfitDataError("every", f"{every} days", "1 or more is wanted")
    starts = np.arange(0, caught.size, every)
    sums, efforts = np.add.reduceat(caught, starts), np.add.reduceat(spent, starts)
    rate: Floats = np.full(starts.size, np.nan)
    np.divide(sums, efforts, out=rate, where=efforts > 0)
    return rate


def half_life(at_day: Row, stock: Row) -> HalfLife:
    """When half is gone, as read and as fitted.

    Args:
        at_day: Days read, shape (n,), ascending; n at least 3.
        stock: Units left on them, shape (n,), not negative, above 0 on the first.

    Raises:
        UnfitDataError: Rows that do not fit.
        NoEstimateError: Fewer than 3 days with something left.
    """
    days, left = two_rows(("days", "stock"), at_day, stock, at_least=FEWEST_TO_FIT)
    numbers("stock", left, lowest=0)
    if not np.all(np.diff(days) > 0):
        raise UnfitDataError("days", "not ascending", "each must be later than the one before")
    some = left > 0
    if left[0] <= 0 or np.count_nonzero(some) < FEWEST_TO_FIT:
        why = f"something is left on {np.count_nonzero(some)} days, and it takes {FEWEST_TO_FIT}"
        raise NoEstimateError("half-life", why)
    halved = np.flatnonzero(left <= left[0] / 2)
    slope, explained = 0.0, 0.0
    if np.ptp(left[some]):
        fit = stats.linregress(days[some], np.log(left[some]))
        slope, explained = float(fit.slope), float(fit.rvalue) ** 2
    return HalfLife(
        day=float(days[halved[0]]) if halved.size else None,
        until=float(days[-1]),
        fitted_days=log(2) / -slope if slope < 0 else None,
        daily_share=float(-np.expm1(slope)),
        r_squared=explained,
    )


def surplus(stock: Row, taken: Row) -> Floats:
    """What grew back each day: the change of the stock and what was taken from it.

    Args:
        stock: Units at the start and after each day, shape (n + 1,).
        taken: Units taken on each day, shape (n,).

    Returns:
        Shape (n,), units.

    Raises:
        UnfitDataError: Rows that do not fit.
    """
    left, gone = numbers("stock", stock, at_least=2), numbers("taken", taken)
    if gone.size != left.size - 1:
        given = f"{gone.size} for {left.size} stocks"
        raise UnfitDataError("taken", given, "one for each day between two stocks is wanted")
    return np.diff(left) + gone


def growth(stock: float, initial: float, rate: float) -> float:
    """Units that a place grows a day on average: so much can be taken and leaves its stock level.

    Rule RES-5; Schaefer's (1954) surplus production. The rule grows whole units and carries the
    rest on, which changes no average.

    Args:
        stock: Units left as the day ends, 0 to ``initial``.
        initial: Units at the start, which is all the place can hold; above 0.
        rate: Of the ingredient, 0 to 1 a day.

    Raises:
        UnfitDataError: A figure outside its range.
    """
    _checked(initial, rate)
    if not 0 <= stock <= initial:
        raise UnfitDataError("stock", f"{stock:g}", f"0 to {initial:g} is wanted")
    return rate * stock * (1 - stock / initial)


@dataclass(frozen=True, slots=True)
class Sustainable:
    """What a place yields for ever at most.

    Attributes:
        daily: Units a day.
        at_stock: The stock that yields it, in units: half of what the place can hold.
    """

    daily: float
    at_stock: float


def most_sustainable(initial: float, rate: float) -> Sustainable:
    """The greatest daily take that a place bears for ever: a quarter of rate times initial (RES-5).

    Places grow by themselves: for several add up their yields, and take from each its own.

    Args:
        initial: Units at the start, above 0.
        rate: Of the ingredient, 0 to 1 a day; 0 yields nothing.

    Raises:
        UnfitDataError: A figure outside its range.
    """
    _checked(initial, rate)
    return Sustainable(rate * initial / 4, initial / 2)


def level_stocks(take: float, initial: float, rate: float) -> tuple[float, float] | None:
    """The two stocks that a constant daily take leaves as they are (RES-5).

    Above the lower one the stock comes to the upper one and stays; below it is used up.

    Args:
        take: Units a day, above 0.
        initial: Units at the start, above 0.
        rate: Of the ingredient, 0 to 1 a day.

    Returns:
        Lower and upper stock in units; None if more is taken than ever grows, so that any stock is
        used up.

    Raises:
        UnfitDataError: A figure outside its range.
    """
    _checked(initial, rate)
    if not take > 0:
        raise UnfitDataError("take", f"{take:g}", "above 0 is wanted")
    most = most_sustainable(initial, rate).daily
    if take > most:
        return None
    apart = sqrt(1 - take / most)
    return initial * (1 - apart) / 2, initial * (1 + apart) / 2


def recovery_days(stock: float, goal: float, initial: float, rate: float) -> float:
    """Days of rest in which a place grows from one stock to another (RES-5, Verhulst 1838).

    By the continuous logistic law, which a day-by-day rule follows within a few days for rates of
    a few per cent.

    Args:
        stock: Units now, above 0.
        goal: Units wanted, from ``stock`` to below ``initial``.
        initial: Units at the start.
        rate: Of the ingredient, above 0, up to 1 a day.

    Raises:
        UnfitDataError: A figure outside its range.
    """
    _checked(initial, rate)
    if not (0 < stock <= goal < initial and rate > 0):
        given = f"from {stock:g} to {goal:g} of {initial:g} at a rate of {rate:g}"
        raise UnfitDataError("recovery", given, "0 < stock <= goal < initial and a rate above 0")
    return (log(goal / stock) + log1p(-stock / initial) - log1p(-goal / initial)) / rate


def _checked(initial: float, rate: float) -> None:
    """A capacity and a rate as a scenario may have them."""
    if not 0 < initial < np.inf:
        raise UnfitDataError("initial stock", f"{initial:g}", "above 0 is wanted")
    if not 0 <= rate <= 1:
        raise UnfitDataError("rate", f"{rate:g}", "0 to 1 a day is wanted")
