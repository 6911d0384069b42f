"""What grows back and what could be taken for ever, beside what is taken (RES-5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldsim.study.depletion.curves import median_of
from worldsim.study.sustainable import growth, most_sustainable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.depletion.ground import Ground
    from worldsim.study.intervals import Interval

LATE_DAYS = 90
"""What is taken and grows is read over so many days at the end."""


@dataclass(frozen=True, slots=True)
class Growth:
    """One ingredient of one run, by places, since each grows by itself.

    Attributes:
        rate: A day.
        most: Units a day that all places together yield for ever at most.
        most_now: The same of those places in which anything is left: nothing grows from nothing.
        now: Units that grow a day with what is left now.
        taken: Units taken a day, late in the run.
        grew: Units a day that came back then, net of what was destroyed.
        left: Units now.
        best: Units that would yield ``most``.
    """

    rate: float
    most: float
    most_now: float
    now: float
    taken: float
    grew: float
    left: int
    best: float


@dataclass(frozen=True, slots=True)
class Yield:
    """The same over runs: medians, in units a day.

    Attributes:
        name: The ingredient.
        rate: Its regrowth a day.
        runs: Runs in which it lay.
        most, most_now, now, taken, grew: As of `Growth`.
        left, best: Units.
        too_much: Share of the runs in which more is taken than can ever grow where any is left.
        days: Read for ``taken`` and ``grew``.
    """

    name: str
    rate: float
    runs: int
    most: Interval
    most_now: Interval
    now: Interval
    taken: Interval
    grew: Interval
    left: Interval
    best: Interval
    too_much: float
    days: int


def growths(ground: Ground, rates: dict[str, float]) -> dict[str, Growth]:
    """Every ingredient that grows back.

    Args:
        ground: Of one run.
        rates: Of each ingredient that grows, above 0 a day.
    """
    return {
        name: _growth(ground, name, rates[name]) for name in ground.ingredients if name in rates
    }


def yields(name: str, runs: Sequence[Growth], last_day: int) -> Yield:
    """One ingredient over runs, at least one."""
    medians = {
        part: median_of([getattr(each, part) for each in runs])
        for part in ("most", "most_now", "now", "taken", "grew", "left", "best")
    }
    return Yield(
        name=name,
        rate=runs[0].rate,
        runs=len(runs),
        too_much=float(np.mean([each.taken > each.most_now for each in runs])),
        days=min(LATE_DAYS, last_day),
        **medians,
    )


def _growth(ground: Ground, name: str, rate: float) -> Growth:
    fishery = ground.fishery(name)
    initial, left = fishery.stock[:, 0], fishery.stock[:, -1]
    late = slice(-min(LATE_DAYS, fishery.caught.shape[1]), None)
    taken = (fishery.caught + fishery.uncounted)[:, late].sum(axis=0)
    bearing = [most_sustainable(float(first), rate) for first in initial]
    return Growth(
        rate=rate,
        most=sum(each.daily for each in bearing),
        most_now=sum(each.daily for each, units in zip(bearing, left, strict=True) if units > 0),
        now=sum(
            growth(float(units), float(first), rate)
            for units, first in zip(left, initial, strict=True)
        ),
        taken=float(taken.mean()),
        grew=float(fishery.grown[:, late].sum(axis=0).mean()),
        left=int(left.sum()),
        best=sum(each.at_stock for each in bearing),
    )
