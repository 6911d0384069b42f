"""Figures of a study: cells or factors in rows under each other, estimates with their whiskers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldsim.study.places import STUDIES
from worldsim.study.plan import shown
from worldsim.views.pictures.look import FILLS, LINES, LONGEST, graph_objects, label, new_figure
from worldsim.views.pictures.study_rows import cell_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.intervals import Interval
    from worldsim.study.plan import Cell, Plan
    from worldsim.study.study import Study

MOST_LABELLED = 40
"""Rows up to which each is called by its name."""
ROW_PX, LEAST_PX, MOST_PX = 26, 170, 900
AROUND_PX = 110
LONGEST_TOLD = 300
LONGEST_AXIS = 100
LONGEST_DOWN = 20
MOST_MARKS = 12
BAND_ALPHA = 0.16

Distances = tuple[list[float | None], list[float | None]]


@dataclass(frozen=True, slots=True)
class Rows:
    """Cells under each other, the first at the top.

    Attributes:
        cells: In order.
        plan: Of their study.
    """

    cells: Sequence[Cell]
    plan: Plan

    @staticmethod
    def too_many(count: int) -> bool:
        """Whether so many rows cannot each be called by their names."""
        return count > MOST_LABELLED

    @property
    def unlabelled(self) -> bool:
        """Whether these rows are too many for names."""
        return self.too_many(len(self.cells))

    @property
    def positions(self) -> list[int]:
        """Heights of the rows: 0 at the top, as the axis is turned around."""
        return list(range(len(self.cells)))

    @property
    def called_by_values(self) -> bool:
        """Whether names with their factors would be too long for an axis."""
        return any(len(cell_name(cell)) > LONGEST for cell in self.cells)

    def labels(self) -> list[str]:
        """What stands at the rows: ``0: cost=0``, or ``0: 0`` where that is too long."""
        if not self.called_by_values:
            return [label(cell_name(cell)) for cell in self.cells]
        values = (", ".join(map(shown, cell.values.values())) for cell in self.cells)
        return [
            label(f"{cell.number}: {told}") for cell, told in zip(self.cells, values, strict=True)
        ]

    def told(self, cell: Cell) -> str:
        """A cell when pointed at."""
        return f"cell {label(cell_name(cell), LONGEST_TOLD)}"


def rows_figure(rows: Rows, across: str) -> Any:
    """An empty figure with a row for each cell.

    Args:
        rows: The cells.
        across: What the horizontal axis measures, with its unit.
    """
    factors = ", ".join(rows.plan.factors)
    named = rows.called_by_values and len(factors) <= LONGEST_DOWN and not rows.unlabelled
    down = f"cell: {factors}" if named else "cell"
    return _rows(rows.labels(), across, down, unlabelled=rows.unlabelled)


def bars_figure(names: Sequence[str], across: str) -> Any:
    """An empty figure with a row for each of some names, such as factors."""
    labels = [label(name) for name in names]
    return _rows(labels, across, "factor", unlabelled=Rows.too_many(len(names)))


def _rows(labels: list[str], across: str, down: str, *, unlabelled: bool) -> Any:
    """As above; many rows have no labels, and are told by pointing at them."""
    height = max(LEAST_PX, min(MOST_PX, AROUND_PX + ROW_PX * len(labels)))
    many = ", sorted" if unlabelled else ""
    return new_figure(
        height=height,
        xaxis={"title": {"text": label(across, LONGEST_AXIS)}},
        yaxis={
            "title": {"text": label(down, 32) + many},
            "range": [len(labels) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": [] if unlabelled else list(range(len(labels))),
            "ticktext": [] if unlabelled else labels,
            "showgrid": not unlabelled,
        },
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0.0},
    )


def whiskers(
    rows: Rows,
    middles: Sequence[float | None],
    reach: Distances,
    tells: Sequence[str],
    name: str,
    *,
    n: int = 0,
    aside: float = 0.0,
) -> Any:
    """Dots with whiskers.

    Args:
        rows: The cells.
        middles: The dot of each.
        reach: How far its whiskers reach, as of `distances`.
        tells: What else is told of each when pointed at.
        name: What they are.
        n: Which colour and mark.
        aside: How far below the row's middle.
    """
    low, high = reach
    told = [
        f"{rows.told(cell)}<br>{_bounds(middle, down, up)}<br>{label(tell, LONGEST_TOLD)}"
        for cell, middle, down, up, tell in zip(rows.cells, middles, low, high, tells, strict=True)
    ]
    return graph_objects().Scatter(
        x=list(middles),
        y=[at + aside for at in rows.positions],
        mode="markers",
        name=name,
        showlegend=True,
        error_x=_error(reach, FILLS[n]),
        marker={"color": FILLS[n], "size": 8, "symbol": ("circle", "diamond")[n]},
        text=told,
        hovertemplate="%{text}<extra></extra>",
    )


def bars(
    names: Sequence[str],
    middles: Sequence[float | None],
    reach: Distances,
    name: str,
    *,
    n: int = 0,
) -> Any:
    """Bars with whiskers, one for each row.

    Args:
        names: Of the rows.
        middles: Lengths.
        reach: How far the whiskers reach.
        name: What they are.
        n: Which colour.
    """
    told = [
        f"{label(each, LONGEST_TOLD)}<br>{_bounds(middle, down, up)}"
        for each, middle, down, up in zip(names, middles, *reach, strict=True)
    ]
    return graph_objects().Bar(
        x=list(middles),
        y=list(range(len(names))),
        orientation="h",
        name=name,
        showlegend=True,
        error_x={**_error(reach, None), "color": "#777777"},
        marker={"color": FILLS[n]},
        text=told,
        textposition="none",
        hovertemplate="%{text}<extra></extra>",
    )


def dots(names: Sequence[str], values: Sequence[float], name: str, *, n: int = 0) -> Any:
    """A mark at each row, a little below its middle."""
    return graph_objects().Scatter(
        x=list(values),
        y=[at + 0.3 for at in range(len(names))],
        mode="markers",
        name=name,
        marker={"color": FILLS[n], "size": 9, "symbol": "diamond"},
        text=[label(each, LONGEST_TOLD) for each in names],
        hovertemplate="%{text}<br>%{x:.4g}<extra></extra>",
    )


def counts(names: Sequence[str], values: Sequence[int], name: str, colour: str) -> Any:
    """A part of a stacked bar at each row."""
    return graph_objects().Bar(
        x=list(values),
        y=list(range(len(names))),
        orientation="h",
        name=name,
        marker={"color": colour},
        text=[label(each, LONGEST_TOLD) for each in names],
        textposition="none",
        hovertemplate="%{text}<br>%{x:,}<extra>" + name + "</extra>",
    )


def distances(intervals: Sequence[Interval | None]) -> Distances:
    """How far intervals reach below and above their estimates; None where they have no bound."""
    below: list[float | None] = []
    above: list[float | None] = []
    for each in intervals:
        middle = None if each is None else each.estimate
        low, high = (None, None) if each is None else (each.low, each.high)
        below.append(None if middle is None or low is None else middle - low)
        above.append(None if middle is None or high is None else high - middle)
    return below, above


def zero_line(figure: Any, intervals: Sequence[Interval]) -> None:
    """Mark where there is no difference, inside the frame."""
    edges = [each for i in intervals for each in (i.estimate, i.low, i.high) if each is not None]
    low, high = min([0.0, *edges]), max([0.0, *edges])
    aside = (high - low) * 0.05 or 1.0
    figure.update_xaxes(range=[low - aside, high + aside])
    figure.add_vline(x=0, line={"color": "#888888", "width": 1, "dash": "dot"})


def whole_numbers(figure: Any, most: int) -> None:
    """Have no marks between whole numbers on an axis from 0."""
    figure.update_xaxes(rangemode="tozero", tickformat=",d")
    if most <= MOST_MARKS:
        figure.update_xaxes(dtick=1)


def band_colour(n: int) -> str:
    """The colour of the n-th band: that of its line, seen through."""
    red, green, blue = (int(FILLS[n % len(FILLS)][at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{BAND_ALPHA})"


def line_of(n: int) -> dict[str, Any]:
    """The n-th line, told by its colour and its dashes."""
    return {"color": FILLS[n % len(FILLS)], "dash": LINES[n % len(LINES)], "width": 2}


def python_of(study: Study, module: str, call: str) -> str:
    """Lines that make a picture of a study again.

    Args:
        study: Kept in a folder.
        module: Of these pictures, in which the function is.
        call: Of the function.
    """
    function = call.partition("(")[0]
    return (
        "import worldsim as ws\n"
        f"from worldsim.views.pictures.{module} import {function}\n"
        "\n"
        f"study = ws.Study.open({where(study)!a})\n"
        f"picture = {call}\n"
        "picture.figure.show()\n"
    )


def where(study: Study) -> str:
    """A study's path as others can use it too: without the folders of this machine above it."""
    in_studies = study.path is not None and study.path.absolute().parent.name == STUDIES.name
    return f"{STUDIES.name}/{study.name}" if in_studies else study.name


def counted(count: int, what: str) -> str:
    """A number and what it counts: ``1 pair``, ``30 pairs``."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _error(reach: Distances, colour: str | None) -> dict[str, Any]:
    below, above = reach
    return {
        "type": "data", "symmetric": False, "array": above, "arrayminus": below, "thickness": 1.5,
        "width": 4, "color": colour,
    }  # fmt: skip


def _bounds(middle: float | None, down: float | None, up: float | None) -> str:
    """``12, 10 to 14``, when pointed at."""
    if middle is None:
        return "none"
    if down is None or up is None:
        return f"{middle:.5g}, no interval"
    return f"{middle:.5g}, {middle - down:.5g} to {middle + up:.5g}"
