"""Catch per unit of effort over time: units taken for each point of Gathering Limit spent.

A phase is after all that lies in its place, so its effort counts in full for each ingredient
there; a hunt is after wildlife only. What is eaten on the way or found by chance has no effort and
is no catch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldsim.study.depletion.curves import BAND, quantiles
from worldsim.study.inputs import UnfitDataError
from worldsim.study.sustainable import catch_per_effort

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.depletion.ensembles import By
    from worldsim.study.depletion.ground import Fishery, Ground, Numbers
    from worldsim.study.inputs import Floats

PERIODS = 26


@dataclass(frozen=True, slots=True)
class Catch:
    """Catch and effort of one group of one run, day by day.

    Attributes:
        caught: Units gathered and hunted, shape (T,).
        effort: Gathering Limits spent where the group lies, shape (T,).
    """

    caught: Numbers
    effort: Numbers


@dataclass(frozen=True, slots=True)
class Rate:
    """Catch per unit of effort of one group over K periods.

    Attributes:
        name: Of the group.
        every: Days in a period; the last may be shorter.
        until: Last day of each period, shape (K,).
        runs: Runs with effort in it, shape (K,).
        caught, effort: Of all runs together, shape (K,).
        rate: Units a point of effort, of all runs together, shape (K,); NaN without effort.
        low, high: Between these are 90 % of the runs, shape (K,).
    """

    name: str
    every: int
    until: Numbers
    runs: Numbers
    caught: Floats
    effort: Floats
    rate: Floats
    low: Floats
    high: Floats


def catches(ground: Ground, by: By) -> dict[str, Catch]:
    """Catch and effort of each group of one run."""
    if by == "ingredient":
        fisheries = ((name, ground.fishery(name)) for name in ground.ingredients)
        return {name: Catch(f.caught.sum(axis=0), f.effort.sum(axis=0)) for name, f in fisheries}
    whole = ground.fishery()
    names, of_place, _ = ground.groups(by)
    lies = ground.initial.sum(axis=1) > 0
    return {
        name: Catch(whole.caught[at].sum(axis=0), whole.effort[at].sum(axis=0))
        for n, name in enumerate(names)
        for at in [of_place[lies] == n]
    }


def rate(name: str, runs: Sequence[Catch], *, every: int, last_day: int) -> Rate:
    """Catch per unit of effort, period by period over all runs.

    Args:
        name: Of the group.
        runs: At least one.
        every: Days in a period, at least 1.
        last_day: Of the run that came furthest.
    """
    if every < 1:
        raise UnfitDataError("every", f"{every} days", "1 or more is wanted")
    starts = np.arange(0, last_day, every)
    caught = np.zeros((len(runs), last_day))
    effort = np.zeros_like(caught)
    for n, each in enumerate(runs):
        caught[n, : each.caught.size] = each.caught
        effort[n, : each.effort.size] = each.effort
    own = np.array([catch_per_effort(c, e, every=every)
                    for c, e in zip(caught, effort, strict=True)])  # fmt: skip
    low, high = quantiles(own, (0.5 - BAND / 2, 0.5 + BAND / 2))
    whole, spent = caught.sum(axis=0), effort.sum(axis=0)
    return Rate(
        name=name,
        every=every,
        until=np.minimum(starts + every, last_day),
        runs=np.count_nonzero(np.isfinite(own), axis=0).astype(np.int64),
        caught=np.add.reduceat(whole, starts),
        effort=np.add.reduceat(spent, starts),
        rate=catch_per_effort(whole, spent, every=every),
        low=low,
        high=high,
    )


def period_days(last_day: int) -> int:
    """Whole weeks, so long that about 26 of them make the time; single days of a short run."""
    if last_day < 2 * PERIODS:
        return max(1, -(-last_day // PERIODS))
    return 7 * max(1, round(last_day / 7 / PERIODS))


@dataclass(frozen=True, slots=True)
class Periods:
    """What an estimate reads of a fishery: the K periods in which there was effort.

    Attributes:
        every: Days in each; the last may be shorter.
        catch: Units, shape (K,).
        effort: Points of Gathering Limit, above 0, shape (K,).
        start: Units really in the ground as the period began, shape (K,).
        mean: Mean of those as its days began, shape (K,).
    """

    every: int
    catch: Floats
    effort: Floats
    start: Floats
    mean: Floats


def periods(fishery: Fishery, every: int) -> Periods:
    """Sum up a fishery over periods of so many days, and leave out those without effort."""
    days = fishery.caught.shape[1]
    starts = np.arange(0, days, every)
    lengths = np.diff(np.append(starts, days))
    stock = fishery.stock.sum(axis=0, dtype=np.float64)[:-1]
    catch, effort, mean = (
        np.add.reduceat(row, starts)
        for row in (
            fishery.caught.sum(axis=0, dtype=np.float64),
            fishery.effort.sum(axis=0, dtype=np.float64),
            stock,
        )
    )
    some = effort > 0
    return Periods(every, catch[some], effort[some], stock[starts][some], (mean / lengths)[some])


def unbroken_periods(fishery: Fishery, every: int) -> Periods | None:
    """Periods so long that something was caught in each; None if that leaves fewer than three.

    A logarithm needs a catch in every period. Empty ones are not left out, which would make the
    poorest times look better than they were; all periods are made longer instead.
    """
    while every * 2 < fishery.caught.shape[1]:
        found = periods(fishery, every)
        if found.catch.size < 3:  # noqa: PLR2004 - no line through fewer
            return None
        if found.catch.all():
            return found
        every *= 2
    return None
