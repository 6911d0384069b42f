"""What a picture of a page is: a figure, the numbers it shows, and the Python that makes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plotly.graph_objects import Figure

Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of plain values.

    Attributes:
        columns: Their names; units last, as in ``left_units``.
        rows: Each as long as ``columns``; absent is None.
    """

    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of a page.

    Attributes:
        name: Unique on its page; lower-case words joined by hyphens, fit for an address, an HTML id
            and the name of a file.
        title: For people, in a few words.
        figure: Made with the template of `worldsim.views.pictures.look`, units on every axis.
        table: All numbers shown: what is downloaded as CSV.
        python: Lines that make the same figure from the same run or study.
        says: In a sentence or two what is seen, and how to read it; plain text.
    """

    name: str
    title: str
    figure: Figure
    table: Table
    python: str
    says: str = ""
