"""When a share of the stock is left: curves of the campaigns in which it has not happened yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from worldsim.study.inputs import NoEstimateError
from worldsim.study.rows import factor_columns, factor_items
from worldsim.study.survival import Times, quantile_day, survival_curve
from worldsim.study.table import values_by_cell
from worldsim.views.pictures.look import graph_objects, label, new_figure
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.pictures.study_axes import (
    LONGEST_TOLD,
    band_colour,
    counted,
    line_of,
    python_of,
)
from worldsim.views.pictures.study_rows import (
    cell_name,
    measured,
    metric_of,
    number,
    picture_name,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldsim.study.plan import Cell
    from worldsim.study.study import Study
    from worldsim.study.survival import Curve
    from worldsim.views.pictures.picture import Cell as TableCell

FEWEST = 2
"""Campaigns of which there is a curve."""
MOST_BANDS = 4
MOST_LINES = 7
"""Lines that are drawn at first; more are drawn when they are chosen in the legend."""
MOST_CHOSEN = 40
HEIGHT_PX = 420
COLUMNS = ("day", "share", "low", "high", "at_risk", "happened", "ended_before")


def time_curves(study: Study, metric: str) -> Picture:
    """In which share of campaigns it has not happened yet, day by day, in each cell.

    Args:
        study: As far as it was simulated.
        metric: A day that may never come, such as ``day_50_left``.

    Raises:
        KeyError: there is no such metric.
        NoEstimateError: it happened in no campaign, or no cell has two.
        MissingExtraError: plotly is not installed.
    """
    plan = study.plan
    days = plan.study.study.days
    found: list[tuple[Cell, Curve]] = []
    for cell, values in zip(plan.cells, values_by_cell(plan, study.rows, metric), strict=True):
        if len(values) >= FEWEST:
            found.append((cell, _curve(values, days)))
    if not any(curve.happened.any() for _, curve in found):
        raise NoEstimateError("survival curve", f"{metric} was reached in no campaign")
    figure = new_figure(
        height=HEIGHT_PX,
        xaxis={"title": {"text": "day"}, "range": [0, days]},
        yaxis={
            "title": {"text": "campaigns in which it has not happened, %"},
            "range": [0, 104],
        },
        showlegend=True,
    )
    for n, (cell, curve) in enumerate(found[:MOST_CHOSEN]):
        for trace in curve_traces(curve, cell_name(cell), n, banded=len(found) <= MOST_BANDS):
            figure.add_trace(trace)
    return Picture(
        name=picture_name(plan, "times", metric),
        title=f"{metric}: when it happens",
        figure=figure,
        table=_table(study, found),
        python=python_of(study, "study_times", f"time_curves(study, {metric!r})"),
        says=_says(study, metric, found),
    )


def _curve(values: Mapping[int, float | None], days: int) -> Curve:
    """Of one cell: campaigns in which it never happened were watched to the end."""
    watched = np.array([days if value is None else value for value in values.values()], float)
    reached = np.array([value is not None for value in values.values()])
    return survival_curve(Times(watched, reached))


def curve_traces(curve: Curve, name: str, n: int, *, banded: bool) -> list[Any]:
    """A curve with its band, and marks where campaigns ended before it happened.

    Args:
        curve: Of at least two campaigns.
        name: For the legend.
        n: Which line.
        banded: Whether the band is drawn.
    """
    go = graph_objects()
    group, hidden = f"curve {n}", n >= MOST_LINES
    shown: dict[str, Any] = {
        "legendgroup": group, "visible": "legendonly" if hidden else True,
    }  # fmt: skip
    x = [0.0, *curve.day.tolist()]
    traces = []
    if banded:
        edge = {"width": 0, "shape": "hv"}
        for row, fill in ((curve.high, None), (curve.low, "tonexty")):
            y = _percent(np.concatenate(([1.0], np.nan_to_num(row, nan=0.0))))
            traces.append(
                go.Scatter(
                    x=x, y=y, line=edge, mode="lines", fill=fill, fillcolor=band_colour(n),
                    hoverinfo="skip", showlegend=False, **shown,
                )
            )  # fmt: skip
    known = _percent(np.concatenate(([1.0], curve.share)))
    told = f"{label(name, LONGEST_TOLD)}<br>{counted(curve.n, 'campaign')}"
    line = go.Scatter(
        x=x, y=known, mode="lines", name=label(name), line={**line_of(n), "shape": "hv"},
        text=[told] * len(x), hovertemplate="day %{x}: %{y:.4g} %<br>%{text}<extra></extra>",
        showlegend=True, **shown,
    )  # fmt: skip
    ended = ended_before(curve) > 0
    marks = go.Scatter(
        x=curve.day[ended].tolist(), y=_percent(curve.share[ended]), mode="markers",
        cliponaxis=False,
        marker={"symbol": "line-ns-open", "size": 11, "color": line_of(n)["color"]},
        hovertemplate="day %{x}: %{text} ended before it happened<extra></extra>",
        text=[f"{count:.0f}" for count in ended_before(curve)[ended]],
        showlegend=False, **shown,
    )  # fmt: skip
    return [*traces, line, marks]


def ended_before(curve: Curve) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Campaigns whose watch ended on each day of a curve without its having happened."""
    after = np.append(curve.at_risk[1:], 0.0)
    return np.asarray(curve.at_risk - curve.happened - after)


def curve_rows(curve: Curve) -> list[tuple[TableCell, ...]]:
    """The rows of a table of ``COLUMNS``."""
    rows = zip(
        curve.day, curve.share, curve.low, curve.high, curve.at_risk, curve.happened,
        ended_before(curve), strict=True,
    )  # fmt: skip
    return [tuple(None if np.isnan(value) else float(value) for value in row) for row in rows]


def _percent(shares: np.ndarray[Any, np.dtype[np.float64]]) -> list[float]:
    return [100 * float(each) for each in shares]


def _table(study: Study, found: Sequence[tuple[Cell, Curve]]) -> Table:
    factors = factor_columns(study.plan, ("cell", *COLUMNS))
    rows = [
        (cell.number, *factor_items(cell.values), *row)
        for cell, curve in found
        for row in curve_rows(curve)
    ]
    return Table(("cell", *factors, *COLUMNS), rows)


def _says(study: Study, metric: str, found: Sequence[tuple[Cell, Curve]]) -> str:
    happened = sum(int(curve.happened.sum()) for _, curve in found)
    campaigns = sum(curve.n for _, curve in found)
    says = [
        f"Day of: {measured(metric_of(study, metric))}.",
        f"It happened in {happened:,} of {counted(campaigns, 'campaign')}; ticks mark those that",
        "ended before (Kaplan-Meier). Bands are meant to hold each day's truth 19 times of 20.",
    ]
    if len(found) <= MOST_BANDS:
        for cell, curve in found:
            middle = quantile_day(curve)
            reached = f"median day {number(middle.estimate)}" if middle.estimate else middle.note
            says.append(f"Cell {cell.number}: {reached}.")
    else:
        says.append("Bands of so many cells are in the table only.")
    if len(found) > MOST_LINES:
        says.append(f"The first {MOST_LINES} cells are drawn; the legend adds others.")
    return " ".join(says)
