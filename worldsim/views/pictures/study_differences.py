"""Differences between cells, seed by seed where they share their seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.study.analysis import changes
from worldsim.study.rows import CHANGE_COLUMNS, change_row
from worldsim.views.pictures.look import words
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.pictures.study_axes import (
    Rows,
    counted,
    distances,
    python_of,
    rows_figure,
    whiskers,
    zero_line,
)
from worldsim.views.pictures.study_rows import (
    cell_name,
    incomplete,
    measured,
    metric_of,
    picture_name,
    reservations,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.analysis import Change
    from worldsim.study.study import Study

LONGEST_NAME = 48
SURPRISES = 20
"""Of so many 95 % intervals one misses."""


def differences(study: Study, metric: str, base: int = 0) -> Picture:
    """How a metric differs between each cell and one of them.

    Args:
        study: As far as it was simulated.
        metric: Its name.
        base: The number of the cell that the others are compared with.

    Raises:
        UnknownMetricError: there is no such metric.
        NoEstimateError: no other cell has two values that can be compared.
        MissingExtraError: plotly is not installed.
    """
    plan = study.plan
    found = changes(plan, study.rows, metric, plan.cells[base])
    shown = found
    if Rows.too_many(len(found)):
        shown = sorted(found, key=lambda each: each.difference.estimate or 0.0)
    rows = Rows([each.cell for each in shown], plan)
    figure = rows_figure(rows, f"difference of {measured(metric_of(study, metric))}")
    figure.add_trace(
        whiskers(
            rows,
            [each.difference.estimate for each in shown],
            distances([each.difference for each in shown]),
            [_told(each) for each in shown],
            "difference, 95 %",
        )
    )
    zero_line(figure, [each.difference for each in shown])
    return Picture(
        name=picture_name(plan, "differences", metric),
        title=f"{metric}: each cell less cell {words(cell_name(plan.cells[base]), LONGEST_NAME)}",
        figure=figure,
        table=Table(CHANGE_COLUMNS, [change_row(each) for each in found]),
        python=python_of(
            study, "study_differences", f"differences(study, {metric!r}, base={base})"
        ),
        says=" ".join(_says(found, metric)),
    )


def _says(found: Sequence[Change], metric: str) -> list[str]:
    paired = found[0].comparison is not None
    how = "Differences are taken seed by seed" if paired else "Cells share no seeds (Welch)"
    says = [f"{how}; where whiskers cross 0, the cells cannot be told apart at 95 %."]
    if len(found) > 1:
        says.append(
            f"Each of {len(found):,} intervals is 95 % by itself: one in {SURPRISES} misses."
        )
    told = [(each.cell.number, each.difference) for each in found]
    return [*says, *incomplete(found, metric), *reservations(told)]


def _told(each: Change) -> str:
    """What else is known of a difference, when pointed at."""
    compared = each.comparison
    if compared is None:
        return counted(each.n, "campaign")
    factor = compared.variance_factor
    worth = "" if factor is None else f"; pairing was worth {factor:.3g} times the campaigns"
    return f"{counted(each.pairs, 'pair')}, {compared.zero_share:.0%} without difference{worth}"
