"""When places lost the last unit of what they had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.study.order import in_natural_order
from worldsim.views.pictures.look import label, new_figure, python, words
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.style import COLOURS

if TYPE_CHECKING:
    from worldsim.runs import Run
    from worldsim.views.pictures.picture import Cell

MOST_DOTS = 3000
ROW_PX = 26
NAME = "first-depletions"
EMPTIED = """
    SELECT ingredient, place, region,
        min(day) FILTER ("left" = 0 AND day > 0) AS empty_day,
        arg_min("left", day) AS start_units, arg_max("left", day) AS left_units
    FROM stocks WHERE day <= {last} GROUP BY ingredient, place, region
    HAVING max("left") > 0 ORDER BY empty_day, ingredient, place
"""
COLUMNS = ("ingredient", "place", "region", "first_empty_day", "start_units", "left_units")


def draw(run: Run) -> Picture | None:
    """A dot for each stock that was used up, on the day it first was; None where none was."""
    rows: list[tuple[Cell, ...]] = run.query(EMPTIED.format(last=run.manifest.day)).fetchall()
    emptied = [row for row in rows if row[3] is not None]
    if not emptied:
        return None
    shown = emptied[:MOST_DOTS]
    kinds = in_natural_order({str(row[0]) for row in rows})
    at = {kind: n for n, kind in enumerate(reversed(kinds))}
    figure = new_figure(
        height=164 + ROW_PX * len(kinds),
        xaxis={"title": {"text": "day"}, "range": [0, run.manifest.day * 1.02],
               "tickformat": ",d"},
        yaxis={"title": {"text": "ingredient"}, "tickmode": "array", "tickvals": list(at.values()),
               "ticktext": [label(kind) for kind in at], "range": [-0.6, len(kinds) - 0.4]},
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0},
        margin={"t": 72},
    )  # fmt: skip
    firsts = {str(row[0]): row for row in reversed(shown)}
    for name, dots, colour, symbol, size in (
        ("further places", [row for row in shown if firsts[str(row[0])] != row],
         COLOURS[5], "circle-open", 8),
        ("the first place", list(firsts.values()), COLOURS[1], "diamond", 12),
    ):  # fmt: skip
        figure.add_scatter(
            x=[row[3] for row in dots], y=[at[str(row[0])] for row in dots], name=name,
            mode="markers", marker={"color": colour, "symbol": symbol, "size": size},
            text=[f"{label(str(row[0]))} in {label(str(row[1]))}" for row in dots],
            customdata=[row[4] for row in dots],
            hovertemplate="%{text}<br>used up on day %{x:,d}<br>"
            "%{customdata:,d} units at the start<extra></extra>",
        )  # fmt: skip
    return Picture(
        name=NAME,
        title="First depletions",
        figure=figure,
        table=Table(COLUMNS, shown),
        python=python(run, NAME),
        says=_says(emptied, len(rows), len(kinds), len(firsts)),
    )


def _says(emptied: list[tuple[Cell, ...]], stocks: int, kinds: int, begun: int) -> str:
    kind, place, _, day, *_ = emptied[0]
    more = len(emptied) - MOST_DOTS
    left_out = f" The {more:,} latest are not drawn." if more > 0 else ""
    none = f" {kinds - begun} ingredients were used up nowhere." if begun < kinds else ""
    return (
        f"{len(emptied):,} of {stocks:,} stocks of a place were used up at some time, first "
        f"{words(str(kind))} in {words(str(place))} on day {day:,}.{none} Where stocks grow back, "
        f"the first time counts.{left_out}"
    )
