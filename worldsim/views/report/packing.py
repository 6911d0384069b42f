"""Figures and tables as data in a page: short, and unable to end the element they are in."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from worldsim.views.pictures.look import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.views.pictures.picture import Cell, Picture, Table

LONGEST_CELL = 2000
DIGITS = 9
"""That a number with a fraction keeps, besides all those before its point."""
EXACT = 2**53
"""Up to which each whole number is one of JavaScript."""


def packed(value: Any) -> str:
    """JSON for a ``<script type="application/json">``: no ``<`` in it."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return harmless(text)


def harmless(text: str) -> str:
    """JSON whose strings hold neither the end of an element nor a comment's beginning."""
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def figure_json(picture: Picture) -> str:
    """A figure without its template, which the page has once, and without plotly's own slider.

    Raises:
        MissingExtraError: plotly is not installed.
    """
    from worldsim.views.pictures.look import graph_objects  # noqa: PLC0415 - an extra

    graph_objects()
    from plotly.io.json import to_json_plotly  # noqa: PLC0415 - an extra

    plain = picture.figure.to_dict()
    plain["layout"].pop("template", None)
    if plain.get("frames"):
        plain["layout"].pop("sliders", None)
        plain["layout"].pop("updatemenus", None)
    return harmless(to_json_plotly(plain))


def table_data(table: Table) -> dict[str, Any]:
    """A table by columns: texts as positions in a list, whole numbers as steps if that is shorter.

    The page's script undoes it: ``{"texts": […], "at": […]}``, ``{"steps": […]}`` or
    ``{"cells": […]}``.
    """
    columns = list(zip(*table.rows, strict=True)) if table.rows else [()] * len(table.columns)
    return {
        "columns": list(table.columns),
        "rows": len(table.rows),
        "data": [_column(column) for column in columns],
    }


def _column(cells: Sequence[Cell]) -> dict[str, Any]:
    if cells and all(isinstance(each, str) for each in cells):
        texts = list(dict.fromkeys(cells))
        at = {text: n for n, text in enumerate(texts)}
        told = [words(str(text), LONGEST_CELL) for text in texts]
        return {"texts": told, "at": [at[each] for each in cells]}
    plain = [_cell(each) for each in cells]
    if plain and all(type(each) is int for each in plain):
        steps = [plain[0], *(b - a for a, b in pairwise(plain))]
        if _length(steps) < _length(plain) and max(map(abs, steps)) <= EXACT:
            return {"steps": steps}
    return {"cells": plain}


def _length(numbers: Sequence[int]) -> int:
    return sum(len(str(each)) for each in numbers)


def _cell(value: Any) -> Any:
    """A cell as JavaScript reads it; numbers of numpy become plain, very large ones text."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) <= EXACT else str(value)
    if isinstance(value, float):
        return _rounded(value) if math.isfinite(value) else None
    if isinstance(value, str):
        return words(value, LONGEST_CELL)
    return _cell(value.item())


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}") if abs(value) < 10**DIGITS else round(value, 0)
