"""Stock over time in each cell, with bands over its campaigns, where a study kept their tables."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from worldsim.study.depletion.curves import Band, TimeLeft, band, days_read, decline, times_left
from worldsim.study.depletion.ensembles import Scope, of_study
from worldsim.study.depletion.ground import Ground
from worldsim.study.inputs import NoEstimateError
from worldsim.study.order import in_natural_order
from worldsim.views.pictures.look import graph_objects, label, new_figure
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.pictures.study_axes import LONGEST_TOLD, band_colour, line_of, python_of
from worldsim.views.pictures.study_times import (
    COLUMNS,
    HEIGHT_PX,
    MOST_BANDS,
    MOST_CHOSEN,
    MOST_LINES,
    curve_rows,
    curve_traces,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldsim.study.depletion.curves import Decline
    from worldsim.study.depletion.ensembles import Ensemble
    from worldsim.study.study import Study
    from worldsim.views.pictures.picture import Cell as TableCell

ALL = "all ingredients"
MOST_PANELS, ACROSS = 12, 3
PANEL_PX = 210
BAND_COLUMNS = (
    "cell", "of", "day", "campaigns", "low_units", "median_units", "high_units", "low_share",
    "median_share", "high_share",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CellStock:
    """How the stock of the kept campaigns of one cell declined.

    Attributes:
        name: Of the cell.
        runs: Campaigns.
        last_day: Of the one that came furthest.
        total: Of all ingredients together.
        by_ingredient: Of each.
        times: When shares of all of it were left; none of a single campaign.
    """

    name: str
    runs: int
    last_day: int
    total: Band
    by_ingredient: dict[str, Band]
    times: tuple[TimeLeft, ...]


def stocks_of(study: Study) -> list[CellStock]:
    """Read the stock tables of all campaigns that a study kept.

    Raises:
        NothingKeptError: it kept none.
        NoEstimateError: nothing ever lay in the ground.
    """
    found = [each for each in map(_read, of_study(study)) if each is not None]
    if not found:
        raise NoEstimateError("stock over time", "nothing ever lay in the ground")
    return found


def _read(ensemble: Ensemble) -> CellStock | None:
    """One cell, campaign after campaign; None where nothing lay."""
    at_day = days_read(ensemble.last_day)
    whole: list[Decline] = []
    parts: dict[str, list[Decline]] = {}
    for run in ensemble.runs:
        ground = Ground(run, Scope())
        total = ground.total()
        if not total[0]:
            continue
        whole.append(decline(total, at_day))
        names, table = ground.curves("ingredient")
        for name, left in zip(names, table, strict=True):
            if left[0]:
                parts.setdefault(name, []).append(decline(left, at_day))
    if not whole:
        return None
    return CellStock(
        name=ensemble.name,
        runs=len(whole),
        last_day=ensemble.last_day,
        total=band(ALL, whole, at_day),
        by_ingredient={n: band(n, parts[n], at_day) for n in in_natural_order(parts)},
        times=tuple(times_left(ALL, whole)),
    )


def stock_over_time(study: Study, stocks: Sequence[CellStock] | None = None) -> Picture:
    """The stock of all ingredients, day by day, in each cell.

    Args:
        study: One that keeps tables.
        stocks: What `stocks_of` read of it; read now if None.

    Raises:
        NothingKeptError: the study kept no campaign.
        NoEstimateError: nothing ever lay in the ground.
        MissingExtraError: plotly is not installed.
    """
    found = stocks_of(study) if stocks is None else stocks
    figure = new_figure(
        height=HEIGHT_PX,
        xaxis={"title": {"text": "day"}, "range": [0, max(each.last_day for each in found)]},
        yaxis={"title": {"text": "left of all stock, % of the start"}, "range": [0, 104]},
        showlegend=True,
    )
    for n, each in enumerate(found[:MOST_CHOSEN]):
        for trace in _lines(each, each.total, n, banded=len(found) <= MOST_BANDS):
            figure.add_trace(trace)
    rows = [row for each in found for row in _rows(each.name, each.total)]
    return Picture(
        name="stock-over-time",
        title="Stock over time",
        figure=figure,
        table=Table(BAND_COLUMNS, rows),
        python=python_of(study, "study_stock", "stock_over_time(study)"),
        says=_says(found),
    )


def stock_by_ingredient(study: Study, stocks: Sequence[CellStock] | None = None) -> Picture:
    """The stock of each ingredient, day by day, in each cell; arguments as `stock_over_time`."""
    found = stocks_of(study) if stocks is None else stocks
    names = in_natural_order(dict.fromkeys(n for each in found for n in each.by_ingredient))
    figure = _panels([label(name) for name in names[:MOST_PANELS]], found)
    for at, name in enumerate(names[:MOST_PANELS]):
        place = {"row": at // ACROSS + 1, "col": at % ACROSS + 1}
        for n, each in enumerate(found[:MOST_CHOSEN]):
            if name in each.by_ingredient:
                banded = len(found) <= MOST_BANDS
                for trace in _lines(each, each.by_ingredient[name], n, banded=banded):
                    trace.showlegend = bool(trace.showlegend) and at == 0
                    figure.add_trace(trace, **place)
    more = len(names) - MOST_PANELS
    left_out = f" {more} more ingredients are in the table only." if more > 0 else ""
    rows = [
        row for each in found for part in each.by_ingredient.values()
        for row in _rows(each.name, part)
    ]  # fmt: skip
    return Picture(
        name="stock-by-ingredient",
        title="Stock by ingredient",
        figure=figure,
        table=Table(BAND_COLUMNS, rows),
        python=python_of(study, "study_stock", "stock_by_ingredient(study)"),
        says=_says(found) + left_out,
    )


def times_of_stock(study: Study, stocks: Sequence[CellStock] | None = None) -> Picture:
    """When shares of all stock were left; arguments as of `stock_over_time`.

    Raises:
        NoEstimateError: no cell has two campaigns, or none came down to 75 %.
    """
    found = stocks_of(study) if stocks is None else stocks
    shares = {
        time.share_left for each in found for time in each.times if time.curve and time.reached
    }
    if not shares:
        why = "in no cell of two campaigns or more was 75 % or less left"
        raise NoEstimateError("survival curve", why)
    ordered = sorted(shares, reverse=True)
    figure = _panels([f"{share:.0%} left" for share in ordered], found, survival=True)
    rows: list[tuple[TableCell, ...]] = []
    for at, share in enumerate(ordered):
        for n, (name, time) in enumerate(_times(found, share)):
            if time.curve is None:
                continue
            rows += [(name, share, *row) for row in curve_rows(time.curve)]
            if n < MOST_CHOSEN:
                banded = len(found) <= MOST_BANDS
                for trace in curve_traces(time.curve, f"{name}", n, banded=banded):
                    trace.showlegend = bool(trace.showlegend) and at == 0
                    figure.add_trace(trace, row=at // ACROSS + 1, col=at % ACROSS + 1)
    return Picture(
        name="times-of-stock",
        title="When shares of the stock are left",
        figure=figure,
        table=Table(("cell", "share_left", *COLUMNS), rows),
        python=python_of(study, "study_stock", "times_of_stock(study)"),
        says="Lines are the share of campaigns in which more was left (Kaplan-Meier), ticks those "
        "that ended before it came so far; bands hold each day's truth 19 times of 20.",
    )


def _times(found: Sequence[CellStock], share: float) -> Iterator[tuple[str, TimeLeft]]:
    for each in found:
        for time in each.times:
            if time.share_left == share:
                yield each.name, time


def _panels(titles: Sequence[str], found: Sequence[CellStock], *, survival: bool = False) -> Any:
    """Small plots beside and under each other, all of one scale."""
    from plotly.subplots import make_subplots  # noqa: PLC0415 - an extra

    figure = new_figure()
    down = max(1, ceil(len(titles) / ACROSS))
    across = max(1, min(ACROSS, len(titles)))
    figure = make_subplots(
        rows=down, cols=across, figure=figure, subplot_titles=titles, shared_yaxes=True,
        shared_xaxes="all",
        vertical_spacing=0.32 / down, horizontal_spacing=0.04,
    )  # fmt: skip
    unit = "campaigns, %" if survival else "left, % of the start"
    figure.update_layout(height=110 + PANEL_PX * down, showlegend=True)
    figure.update_layout(legend={"orientation": "h", "yanchor": "bottom", "y": 1 + 0.16 / down})
    figure.update_layout(margin={"t": 70})
    figure.update_annotations(font_size=13)
    figure.update_xaxes(range=[0, max(each.last_day for each in found)], showticklabels=True)
    for n in range(max(0, len(titles) - across), len(titles)):  # nothing stands below these
        figure.update_xaxes(title_text="day", row=n // across + 1, col=n % across + 1)
    figure.update_yaxes(range=[0, 104])
    figure.update_yaxes(title_text=unit, col=1)
    return figure


def _lines(each: CellStock, drawn: Band, n: int, *, banded: bool) -> list[Any]:
    """The median of a cell's campaigns with the band that holds most of them."""
    go = graph_objects()
    shown: dict[str, Any] = {
        "legendgroup": each.name, "visible": "legendonly" if n >= MOST_LINES else True,
        "x": drawn.day.tolist(), "mode": "lines",
    }  # fmt: skip
    traces = []
    if banded and each.runs > 1:
        for row, fill in ((drawn.share_high, None), (drawn.share_low, "tonexty")):
            traces.append(
                go.Scatter(
                    y=(100 * row).tolist(), line={"width": 0}, fill=fill, hoverinfo="skip",
                    fillcolor=band_colour(n), showlegend=False, **shown,
                )
            )  # fmt: skip
    told = label(each.name, LONGEST_TOLD)
    middle = go.Scatter(
        y=(100 * drawn.share_middle).tolist(), name=label(each.name), line=line_of(n),
        text=[told] * drawn.day.size, showlegend=True,
        hovertemplate="day %{x}: %{y:.4g} %<br>%{text}<extra></extra>", **shown,
    )  # fmt: skip
    return [*traces, middle]


def _rows(name: str, drawn: Band) -> list[tuple[TableCell, ...]]:
    columns = (
        drawn.day, drawn.runs, drawn.low, drawn.middle, drawn.high, drawn.share_low,
        drawn.share_middle, drawn.share_high,
    )  # fmt: skip
    days = zip(*(each.tolist() for each in columns), strict=True)
    return [(name, drawn.name, *row) for row in days]


def _says(found: Sequence[CellStock]) -> str:
    sizes = sorted({each.runs for each in found})
    runs = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    if sizes[-1] == 1:
        return "Each line is the only campaign kept of a cell."
    held = f"{found[0].total.confidence:.0%}"
    says = f"Lines are medians over the campaigns of a cell ({runs}), bands hold {held} of them."
    if len(found) > MOST_BANDS:
        says += " Bands of so many cells are in the table only."
    if len(found) > MOST_LINES:
        says += f" The first {MOST_LINES} cells are drawn; the legend adds others."
    return says
