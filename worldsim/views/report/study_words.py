"""What a study found, in sentences that claim no more than its intervals allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.study.analysis import changes, figures, sensitivity
from worldsim.study.inputs import NoEstimateError
from worldsim.views.pictures.look import words
from worldsim.views.pictures.study_axes import counted
from worldsim.views.pictures.study_rows import (
    between,
    few,
    incomplete,
    number,
    reservations,
)
from worldsim.views.pictures.study_sensitivity import tells_sensitivity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.analysis import Change, Figure, Sensitivity
    from worldsim.study.intervals import Interval
    from worldsim.study.plan import Cell
    from worldsim.study.study import Study

LONGEST_LABEL = 80
PAIR = 2
"""Cells of which one difference tells all."""


def state(study: Study) -> list[str]:
    """How far a study is."""
    plan, manifest = study.plan, study.manifest
    total = manifest.totals[-1] * len(plan.cells)
    failed = sum(each.status == "failed" for each in study.rows.values())
    done, missing = len(study.rows) - failed, total - len(study.rows)
    size = f"{counted(plan.study.study.days, 'day')} in {counted(len(plan.cells), 'cell')}"
    counts = f"{done:,} of {counted(total, 'campaign')} of {size} are done"
    says = [f"The study is {study.state}: {counts}."]
    if failed:
        says.append(f"{counted(failed, 'campaign')} failed and count in no figure.")
    if missing > 0:
        says.append(f"{counted(missing, 'campaign')} are missing: all figures may still change.")
    if study.state == "interrupted":
        says.append("“worldsim study resume” goes on with it.")
    return says


def found(study: Study, metric: str) -> list[str]:
    """What a study found about a metric, as far as it was simulated.

    Args:
        study: As far as it was simulated.
        metric: Its name.
    """
    if tells_sensitivity(study):
        try:
            return _factors(sensitivity(study.plan, study.rows, metric))
        except NoEstimateError as error:
            return [f"{_capital(str(error))}."]
    known = [each for each in figures(study.plan, study.rows, metric, resample=False) if each.n]
    if not known:
        return [f"No campaign has a value of {metric}."]
    if len(study.plan.cells) == 1:
        return [_alone(known[0]), *_doubts(known, metric)]
    with_mean = [each for each in known if each.mean is not None]
    if not with_mean:
        return [f"No cell has two campaigns with a value of {metric}, so no figure is sure."]
    return _cells(study, metric, with_mean)


def _alone(only: Figure) -> str:
    """The only cell of a study."""
    if only.mean is None:
        value = number(only.quantiles[0.5])
        return f"{only.metric} is {value} in the only campaign, which says nothing about others."
    says = f"{only.metric} is {between(only.mean)} on the average of {counted(only.n, 'campaign')}"
    return f"{says}; the interval is 95 %."


def _cells(study: Study, metric: str, known: Sequence[Figure]) -> list[str]:
    """Which cell has most, and how sure that is."""
    most = max(known, key=_mean)
    least = min(known, key=_mean)
    if _mean(most) == _mean(least):
        return [f"{metric} has the same mean in all cells: {number(_mean(most))}."]
    first, last = (f"{_cell(each.cell)}: {between(each.mean)}" for each in (most, least))
    over = f"on the average of {counted(most.n, 'campaign')}"
    says = [f"{metric} is greatest in {first} {over}, and least in {last}."]
    try:
        others = changes(study.plan, study.rows, metric, most.cell)
    except NoEstimateError as error:
        return [*says, f"How sure that is cannot be said: {error}."]
    if len(study.plan.cells) == PAIR:
        return [*says, *_one_other(most.cell, others[0]), *_doubts(known, metric)]
    return [*says, *_others(study, others), *_doubts(known, metric, others)]


def _one_other(most: Cell, other: Change) -> list[str]:
    """Two cells: their difference tells all."""
    lead = f"Cell {most.number} leads by {_lead(other.difference)}"
    if _surely_less(other):
        return [f"{lead}: the two differ, at 95 %."]
    if other.difference.note is not None:
        return [f"{lead}; that interval cannot be relied on: {other.difference.note}."]
    return [f"{lead}: at 95 % the two cannot be told apart."]


def _others(study: Study, others: Sequence[Change]) -> list[str]:
    """Which of several other cells have less, and which cannot be told from the first."""
    less = [each for each in others if _surely_less(each)]
    same = [each for each in others if not _surely_less(each)]
    says = []
    if less:
        says.append(
            f"Less than that, each by an interval of 95 %, have {len(less):,} of "
            f"{len(study.plan.cells) - 1:,} other cells: {_numbers(less)}."
        )
    if same:
        says.append(f"At 95 % these cannot be told from it: {_numbers(same)}.")
    lacking = len(study.plan.cells) - 1 - len(others)
    if lacking:
        says.append(f"Of {counted(lacking, 'cell')} there is too little to be compared.")
    nearest = max(others, key=lambda each: each.difference.estimate or 0.0)
    lead = f"Over the next, cell {nearest.cell.number}, it leads by {_lead(nearest.difference)}"
    says.append(f"{lead}; being picked as the greatest of several, it leads by rather less.")
    return says


def _surely_less(other: Change) -> bool:
    """Whether a cell has less than the first one, by an interval of which nothing bad is known."""
    high = other.difference.high
    return high is not None and high < 0 and other.difference.note is None


def _lead(difference: Interval) -> str:
    """How far the first cell is ahead of another, of which the difference is the other way."""
    ahead, low, high = (
        number(None if each is None else -each)
        for each in (difference.estimate, difference.high, difference.low)
    )
    return f"{ahead} ({low} to {high})"


def _doubts(known: Sequence[Figure], metric: str, others: Sequence[Change] = ()) -> list[str]:
    """What speaks against the figures of a metric."""
    notes = [
        *((each.cell.number, each.mean) for each in known),
        *((each.cell.number, each.difference) for each in others),
    ]
    return [*incomplete(known, metric), *reservations(notes)]


def _factors(told: Sensitivity) -> list[str]:
    """Which factors matter most, and whether their order is sure."""
    if told.morris:
        ranked = [(each.factor, each.size) for each in told.morris]
        what, unit = f"moves {told.metric} most", " over its whole range (Morris, mu*)"
    else:
        ranked = [(each.factor, each.total) for each in told.sobol]
        what, unit = f"has most part in the variance of {told.metric}", " of it (Sobol', total)"
    ranked.sort(key=lambda each: -(each[1].estimate or 0.0))
    (first, size), (second, next_size) = ranked[0], ranked[1]
    follows = f"then comes {second}: {between(next_size)}"
    says = [f"Of {len(ranked)} factors {first} {what}: {between(size)}{unit}; {follows}."]
    apart = size.low is not None and next_size.high is not None and size.low > next_size.high
    says.append(
        "Their intervals do not overlap."
        if apart
        else "Their intervals overlap, so their order is not sure."
    )
    none = [name for name, each in ranked if each.low is not None and each.low <= 0]
    if none:
        says.append(f"Of these no effect is shown: {few(none)}.")
    return says


def _mean(each: Figure) -> float:
    return 0.0 if each.mean is None or each.mean.estimate is None else each.mean.estimate


def _cell(cell: Cell) -> str:
    return f"cell {cell.number} ({words(cell.label, LONGEST_LABEL)})"


def _numbers(some: Sequence[Change]) -> str:
    return few([str(each.cell.number) for each in some], 20)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
