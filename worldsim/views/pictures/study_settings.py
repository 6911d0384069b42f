"""The cells of a study and what differs between them, as a table to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.study.rows import factor_columns, factor_items
from worldsim.views.pictures.look import graph_objects, label, new_figure, words
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.pictures.study_axes import counted, python_of

if TYPE_CHECKING:
    from typing import Any

    from worldsim.study.study import Study
    from worldsim.views.pictures.picture import Cell as TableCell

OWN = ("cell", "set", "scenario", "campaigns", "digest")
MOST_ROWS, MOST_COLUMNS = 200, 8
ROW_PX, HEAD_PX, MOST_PX = 26, 84, 480
LONGEST_CELL, LONGEST_DIGEST = 40, 12


def settings(study: Study) -> Picture:
    """Each cell with the values of its factors, the keys it sets and its scenario's digest.

    Raises:
        MissingExtraError: plotly is not installed.
    """
    plan = study.plan
    digests: dict[int, set[str]] = {each.number: set() for each in plan.cells}
    ended = dict.fromkeys(digests, 0)
    for (cell, _), outcome in study.rows.items():
        ended[cell] += 1
        if outcome.digest is not None:
            digests[cell].add(outcome.digest)
    rows: list[tuple[TableCell, ...]] = [
        (
            each.number,
            *factor_items(each.values),
            "; ".join(setting.text for setting in each.settings),
            plan.files[each.scenario].name,
            ended[each.number],
            ", ".join(sorted(digests[each.number])),
        )
        for each in plan.cells
    ]
    table = Table((OWN[0], *factor_columns(plan, OWN), *OWN[1:]), rows)
    more = len(rows) - MOST_ROWS
    return Picture(
        name="settings",
        title="Cells and their settings",
        figure=_drawn(table),
        table=table,
        python=python_of(study, "study_settings", "settings(study)"),
        says=f"{counted(len(rows), 'cell')}; the digest is of the scenario with what is set in it."
        + (f" The first {MOST_ROWS} are shown, all are in the table." if more > 0 else ""),
    )


def _drawn(table: Table) -> Any:
    """Its first rows and columns; digests are cut, and all is whole in the table below."""
    heads = (*table.columns[: MOST_COLUMNS - len(OWN) + 1], *table.columns[1 - len(OWN) :])
    columns = list(dict.fromkeys(heads))  # of many factors the first
    at = [table.columns.index(each) for each in columns]
    rows = [[words(_told(row[n]), _longest(table.columns[n])) for n in at]
            for row in table.rows[:MOST_ROWS]]  # fmt: skip
    cells = [[label(row[n], LONGEST_CELL) for row in rows] for n in range(len(columns))]
    wide = [max(map(len, column)) + 3 for column in zip(columns, *rows, strict=True)]
    clear = "rgba(0,0,0,0)"  # what is behind may be light or dark
    height = min(MOST_PX, HEAD_PX + ROW_PX * len(rows))
    figure = new_figure(height=height, margin={"l": 8, "r": 8, "t": 8, "b": 8})
    figure.add_trace(
        graph_objects().Table(
            columnwidth=wide,
            header={
                "values": [f"<b>{label(each)}</b>" for each in columns], "align": "left",
                "fill": {"color": clear}, "line": {"color": "#888888"},
            },
            cells={
                "values": cells, "align": "left",
                "fill": {"color": clear}, "line": {"color": "#888888"}, "height": ROW_PX,
            },
        )
    )  # fmt: skip
    return figure


def _longest(column: str) -> int:
    return LONGEST_DIGEST if column == "digest" else LONGEST_CELL


def _told(cell: TableCell) -> str:
    return "" if cell is None else str(cell)
