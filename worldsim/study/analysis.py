"""What the campaigns of a study say together: figures of cells, differences, sensitivity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldsim.errors import InputError
from worldsim.scenario.near import did_you_mean
from worldsim.study.inputs import NoEstimateError, UnfitDataError
from worldsim.study.intervals import Interval, bootstrap_interval, mean_interval
from worldsim.study.pairs import Comparison, paired_difference, pairs_needed, unpaired_difference
from worldsim.study.plan import Cell, Plan, derived
from worldsim.study.sensitivity import morris_effects, sobol_indices
from worldsim.study.table import present, values_by_cell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldsim.study.sensitivity import MorrisEffect, SobolIndex, SobolPair
    from worldsim.study.work import Outcome

    Rows = Mapping[tuple[int, int], Outcome]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
AT_LEAST = 2  # values that have a spread


class UnknownCellError(InputError, LookupError):
    """A study has no such cell, or several that are meant alike."""

    def __init__(self, given: str, fitting: int, example: str) -> None:
        super().__init__(given, fitting, example)
        self.given, self.fitting, self.example = given, fitting, example

    def __str__(self) -> str:
        fits = f"fits {self.fitting} cells" if self.fitting else "is no cell"
        return f"{self.given!r} {fits}: give a number, or factors as in {self.example!r}"


class UnknownMetricError(InputError, LookupError):
    """A study has no such metric."""

    def __init__(self, given: str, names: Sequence[str]) -> None:
        super().__init__(given, names)
        self.given, self.names = given, names

    def __str__(self) -> str:
        near = did_you_mean(self.given, self.names)
        return f"{self.given!r} is no metric of this study{near}: it has {', '.join(self.names)}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A metric in a cell.

    Attributes:
        cell: Which one.
        metric: Its name.
        n: Campaigns that have a value.
        without: Campaigns that were simulated and have none, such as a day that never came.
        mean: With its t interval; None of fewer than 2 values.
        bootstrap: The mean with its bootstrap interval, likewise; None too if not asked for.
        quantiles: By share, of those that have a value.
    """

    cell: Cell
    metric: str
    n: int
    without: int
    mean: Interval | None
    bootstrap: Interval | None
    quantiles: Mapping[float, float]


@dataclass(frozen=True, slots=True)
class Change:
    """A cell beside the one it is compared with.

    Attributes:
        base: The cell compared with.
        cell: The cell.
        metric: Its name.
        pairs: Seeds that have a value in both.
        without: Seeds that have none in one or both.
        difference: Of the means, cell less base, with its interval.
        comparison: More about it, if the cells share their seeds.
        needed: Pairs for the wanted half-width, those at hand included; None if no seeds are
            shared or no pair differs.
        half_width: The wanted one.
    """

    base: Cell
    cell: Cell
    metric: str
    pairs: int
    without: int
    difference: Interval
    comparison: Comparison | None
    needed: int | None
    half_width: float | None

    @property
    def n(self) -> int:
        """What the difference rests on: pairs, or the values of both cells."""
        return self.difference.n


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How much each factor matters to a metric.

    Attributes:
        metric: Its name.
        sobol: Indices, of a ``saltelli`` design.
        pairs: Of two factors, if the design tells them apart.
        morris: Effects, of a ``morris`` design.
    """

    metric: str
    sobol: list[SobolIndex]
    pairs: list[SobolPair]
    morris: list[MorrisEffect]


def figures(plan: Plan, rows: Rows, metric: str, *, resample: bool = True) -> list[Figure]:
    """A metric in each cell.

    Args:
        plan: Of the study.
        rows: Its campaigns.
        metric: Its name.
        resample: Whether bootstrap intervals are wanted, which take some time.

    Raises:
        UnknownMetricError: there is no such metric.
    """
    _known(plan, metric)
    by_cell = values_by_cell(plan, rows, metric)
    return [
        _figure(plan, cell, metric, values, resample=resample)
        for cell, values in zip(plan.cells, by_cell, strict=True)
    ]


def _figure(
    plan: Plan, cell: Cell, metric: str, given: Mapping[int, float | None], *, resample: bool
) -> Figure:
    values = present(given)
    enough = len(values) >= AT_LEAST
    seed = derived("bootstrap", plan.study.study.seed, cell.number, metric)
    return Figure(
        cell=cell,
        metric=metric,
        n=len(values),
        without=len(given) - len(values),
        mean=mean_interval(values) if enough else None,
        bootstrap=bootstrap_interval(values, seed=seed) if enough and resample else None,
        quantiles={q: float(np.quantile(values, q)) for q in QUANTILES} if values else {},
    )


def changes(
    plan: Plan, rows: Rows, metric: str, base: Cell, *, half_width: float | None = None
) -> list[Change]:
    """How each other cell differs from one.

    Args:
        plan: Of the study.
        rows: Its campaigns.
        metric: Its name.
        base: The cell the others are compared with.
        half_width: For which the needed pairs are worked out; half of the present one if None.

    Raises:
        UnknownMetricError: there is no such metric.
        NoEstimateError: no two cells have two values each.
    """
    _known(plan, metric)
    by_cell = values_by_cell(plan, rows, metric)
    found = []
    for cell, values in zip(plan.cells, by_cell, strict=True):
        if cell.number != base.number:
            change = _change(plan, base, by_cell[base.number], cell, values, metric, half_width)
            found += [change] if change is not None else []
    if not found:
        why = f"no other cell has values of {metric} for {AT_LEAST} of the same seeds"
        raise NoEstimateError("difference", why)
    return found


def _change(
    plan: Plan,
    base: Cell,
    before: Mapping[int, float | None],
    cell: Cell,
    after: Mapping[int, float | None],
    metric: str,
    half_width: float | None,
) -> Change | None:
    if not plan.study.study.common_random_numbers:
        return _unpaired(base, before, cell, after, metric)
    both = sorted(before.keys() & after.keys())
    pairs = [
        (one, other)
        for one, other in ((before[seed], after[seed]) for seed in both)
        if one is not None and other is not None
    ]
    if len(pairs) < AT_LEAST:
        return None
    ones, others = zip(*pairs, strict=True)
    found = paired_difference(ones, others)
    wanted = half_width or (found.difference.half_width or 0) / 2
    needed = None
    if wanted > 0:
        try:
            needed = pairs_needed(np.subtract(others, ones), wanted)
        except UnfitDataError:  # over a billion
            needed = None
    return Change(
        base, cell, metric, len(pairs), len(both) - len(pairs), found.difference, found, needed,
        wanted or None,
    )  # fmt: skip


def _unpaired(
    base: Cell,
    before: Mapping[int, float | None],
    cell: Cell,
    after: Mapping[int, float | None],
    metric: str,
) -> Change | None:
    ones, others = present(before), present(after)
    if min(len(ones), len(others)) < AT_LEAST:
        return None
    without = len(before) + len(after) - len(ones) - len(others)
    difference = unpaired_difference(ones, others)
    return Change(base, cell, metric, 0, without, difference, None, None, None)


def sensitivity(plan: Plan, rows: Rows, metric: str) -> Sensitivity:
    """How much each factor matters to a metric, of a ``saltelli`` or ``morris`` design.

    Raises:
        UnknownMetricError: there is no such metric.
        UnfitDataError: it is another design.
        NoEstimateError: some point has no value, or all have the same.
        MissingExtraError: SALib is not installed.
    """
    _known(plan, metric)
    if plan.design is None:
        raise UnfitDataError("design", "no factors", "a saltelli or morris design is wanted")
    means = _means(plan, rows, metric)
    seed = derived("sensitivity", plan.study.study.seed, metric)
    if plan.design.kind == "morris":
        return Sensitivity(metric, [], [], morris_effects(plan.design, means, seed=seed))
    indices, pairs = sobol_indices(plan.design, means, seed=seed)
    return Sensitivity(metric, indices, pairs, [])


def _means(plan: Plan, rows: Rows, metric: str) -> list[float]:
    """The mean of a metric at each point, over the same replications everywhere."""
    by_cell = values_by_cell(plan, rows, metric)
    shared = set.intersection(*(set(values) for values in by_cell))
    if not shared:
        raise NoEstimateError("sensitivity", "some points were not simulated yet")
    missing = sum(any(values[seed] is None for seed in shared) for values in by_cell)
    if missing:
        why = (
            f"{metric} has no value at {missing} of {len(by_cell)} points; "
            "one that always has, such as mean_left_share, can be asked"
        )
        raise NoEstimateError("sensitivity", why)
    return [float(np.mean([values[seed] for seed in sorted(shared)])) for values in by_cell]


def find_cell(plan: Plan, given: str) -> Cell:
    """The cell that a person means: its number, or enough of its factors: ``cost=0``.

    Raises:
        UnknownCellError: it is none, or several.
    """
    if given.isdecimal() and int(given) < len(plan.cells):
        return plan.cells[int(given)]
    wanted = {each.strip() for each in given.split(",")}
    fitting = [cell for cell in plan.cells if wanted <= set(cell.label.split(", "))]
    if len(fitting) == 1:
        return fitting[0]
    raise UnknownCellError(given, len(fitting), plan.cells[-1].label or "0")


def _known(plan: Plan, metric: str) -> None:
    names = [each.name for each in plan.metrics]
    if metric not in names:
        raise UnknownMetricError(metric, names)
