"""Cells compared: the mean of a metric in each with its interval, and how its values spread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.study.analysis import QUANTILES, figures
from worldsim.study.rows import factor_columns, factor_items, figure_columns, figure_row
from worldsim.study.table import values_by_cell
from worldsim.views.pictures.look import FILLS, graph_objects
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.pictures.study_axes import (
    Rows,
    counted,
    distances,
    python_of,
    rows_figure,
    whiskers,
)
from worldsim.views.pictures.study_rows import (
    incomplete,
    measured,
    metric_of,
    number,
    picture_name,
    reservations,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from worldsim.study.analysis import Figure
    from worldsim.study.plan import Plan
    from worldsim.study.study import Study
    from worldsim.views.pictures.picture import Cell as TableCell

MOST_RESAMPLED = 50
"""Cells up to which bootstrap intervals are made, which take some time."""
MOST_TWICE = 20
"""Cells up to which two whiskers fit beside each other."""
MOST_POINTS = 3000
GOLDEN = 0.6180339887498949


def cells_compared(study: Study, metric: str) -> Picture:
    """The mean of a metric in each cell, with its intervals.

    Args:
        study: As far as it was simulated.
        metric: Its name.

    Raises:
        UnknownMetricError: there is no such metric.
        MissingExtraError: plotly is not installed.
    """
    plan = study.plan
    found = figures(plan, study.rows, metric, resample=len(plan.cells) <= MOST_RESAMPLED)
    shown, rows, figure = _laid_out(study, metric, found)
    means = [_middle(each) for each in shown]
    tells = [f"{counted(each.n, 'campaign')}, {number(each.without)} without" for each in shown]
    figure.add_trace(
        whiskers(rows, means, distances([each.mean for each in shown]), tells, "mean, 95 % t")
    )
    if len(shown) <= MOST_TWICE and any(each.bootstrap for each in shown):
        boots = [each.bootstrap for each in shown]
        middle = [each.estimate if each else None for each in boots]
        figure.add_trace(
            whiskers(rows, middle, distances(boots), tells, "mean, 95 % bootstrap", n=1, aside=0.25)
        )
    told = [(f.cell.number, interval) for f in found for interval in (f.mean, f.bootstrap)]
    return Picture(
        name=picture_name(plan, "cells", metric),
        title=f"{metric}: cells compared",
        figure=figure,
        table=_table(plan, found),
        python=python_of(study, "study_cells", f"cells_compared(study, {metric!r})"),
        says=" ".join(
            [
                f"Dots are means over the campaigns of a cell ({_counts(shown)}).",
                "Whiskers are meant to hold the true mean 19 times of 20.",
                *(["Cells are sorted by their means."] if rows.unlabelled else []),
                *incomplete(found, metric),
                *reservations(told),
            ]
        ),
    )


def spread(study: Study, metric: str) -> Picture:
    """How the values of a metric spread over the campaigns of each cell.

    Args:
        study: As far as it was simulated.
        metric: Its name.

    Raises:
        UnknownMetricError: there is no such metric.
        MissingExtraError: plotly is not installed.
    """
    plan = study.plan
    found = figures(plan, study.rows, metric, resample=False)
    shown, rows, figure = _laid_out(study, metric, found)
    figure.add_trace(_boxes(rows, shown))
    values = values_by_cell(plan, study.rows, metric)
    pointed = sum(each.n for each in found) <= MOST_POINTS
    if pointed:
        figure.add_trace(_strip(rows, study, values))
    dots = "; each dot is a campaign" if pointed else ""
    return Picture(
        name=picture_name(plan, "spread", metric),
        title=f"{metric}: spread over campaigns",
        figure=figure,
        table=_values_table(study, values) if pointed else _table(plan, found),
        python=python_of(study, "study_cells", f"spread(study, {metric!r})"),
        says=" ".join(
            [
                "Boxes hold the middle half of a cell's campaigns, with their median;",
                f"lines reach from 5 % to 95 % of them{dots}.",
                *incomplete(found, metric),
            ]
        ),
    )


def _laid_out(study: Study, metric: str, found: list[Figure]) -> tuple[list[Figure], Rows, Any]:
    """The cells that have values in their order, their rows, and the figure, still empty."""
    shown = _ordered([each for each in found if each.n])
    rows = Rows([each.cell for each in shown], study.plan)
    return shown, rows, rows_figure(rows, measured(metric_of(study, metric)))


def _ordered(found: list[Figure]) -> list[Figure]:
    """As in the plan, or by mean where there are too many to be called by name."""
    if not Rows.too_many(len(found)):
        return found
    return sorted(found, key=_middle)


def _middle(each: Figure) -> float:
    """The mean of some campaigns, or the value of the only one."""
    if each.mean is not None and each.mean.estimate is not None:
        return each.mean.estimate
    return each.quantiles[0.5]


def _counts(found: Sequence[Figure]) -> str:
    sizes = sorted({each.n for each in found})
    if not sizes:
        return "none yet"
    return f"{sizes[0]:,} each" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,} each"


def _boxes(rows: Rows, shown: Sequence[Figure]) -> Any:
    lower, first, middle, third, upper = (
        [each.quantiles[share] for each in shown] for share in QUANTILES
    )
    return graph_objects().Box(
        y=[at - 0.1 for at in rows.positions], orientation="h", width=0.4, showlegend=False,
        boxpoints=False,
        q1=first, median=middle, q3=third, lowerfence=lower, upperfence=upper, hoverinfo="x",
        marker_color=FILLS[0], line_width=1,
    )  # fmt: skip


def _strip(rows: Rows, study: Study, values: Sequence[dict[int, float | None]]) -> Any:
    at, across, tells = [], [], []
    for place, cell in enumerate(rows.cells):
        for replication, value in values[cell.number].items():
            if value is not None:
                across.append(value)
                at.append(place + 0.3 + 0.16 * (replication * GOLDEN % 1 - 0.5))
                seed = study.rows[cell.number, replication].seed
                tells.append(f"{rows.told(cell)}<br>replication {replication}, seed {seed}")
    return graph_objects().Scatter(
        x=across, y=at, mode="markers", showlegend=False, text=tells,
        hovertemplate="%{x}<br>%{text}<extra></extra>",
        marker={"size": 4, "opacity": 0.6, "color": FILLS[1]},
    )  # fmt: skip


def _table(plan: Plan, found: Sequence[Figure]) -> Table:
    """As of ``worldsim study show --csv``."""
    return Table(figure_columns(plan), [figure_row(each) for each in found])


def _values_table(study: Study, values: Sequence[dict[int, float | None]]) -> Table:
    """Each campaign's value; seeds are texts, as a page's numbers have 53 bits."""
    plan = study.plan
    own = ("cell", "replication", "seed", "value")
    rows: list[tuple[TableCell, ...]] = [
        (
            cell.number,
            *factor_items(cell.values),
            replication,
            str(study.rows[cell.number, replication].seed),
            value,
        )
        for cell in plan.cells
        for replication, value in values[cell.number].items()
    ]
    return Table((own[0], *factor_columns(plan, own), *own[1:]), rows)
