"""What the command prints: tables for people, CSV and JSON for programs; notes go to stderr."""

from __future__ import annotations

import csv
import json
import math
import os
import sys
import textwrap
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any

import click

from worldsim.views.cells import NUMBER, csv_cell, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GAP = 2
MEASURED_ROWS = 1000  # by which the widths of a table's columns are chosen
NARROWEST_TEXT = 16  # columns a cell of text needs to be read
BARS = "▁▂▃▄▅▆▇█"


def clean(value: object) -> str:
    """A value as text that can neither break a line nor drive a terminal."""
    return plain(value)


def paints(stream: Any) -> bool:
    """Whether colours and moving lines belong on this stream."""
    return not os.environ.get("NO_COLOR") and bool(stream.isatty())


def say(text: str = "") -> None:
    """Print a line of the answer to stdout."""
    click.echo(text, color=paints(sys.stdout))


def print_line(text: str, *, at_once: bool) -> None:
    """Print one of many lines to stdout.

    Args:
        text: The line, painted only if stdout takes it.
        at_once: Whether it has to be seen now, not when the buffer is full.
    """
    sys.stdout.write(f"{text}\n")
    if at_once:
        sys.stdout.flush()


def note(text: str) -> None:
    """Print a line that is not part of the answer to stderr."""
    click.echo(text, err=True, color=paints(sys.stderr))


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number and what it counts: ``1 trip``, ``2,000 trips``.

    Args:
        number: How many.
        one: The word for one of them.
        many: The word for more; with an s at its end if ``None``.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def heading(text: str) -> str:
    """A heading among the lines for people."""
    return click.style(text, bold=True)


def page_columns() -> int | None:
    """Columns of the terminal the answer goes to; None where lines may be of any length."""
    if not sys.stdout.isatty():
        return None
    return os.get_terminal_size(sys.stdout.fileno()).columns


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, indent: int = 0
) -> None:
    """Print rows under each other; columns of numbers are aligned to the right.

    On a terminal too narrow for that, each row becomes a paragraph of its own. The first rows
    decide how wide the columns are, so that the rest need not be held: they are printed as they
    come.

    Args:
        columns: The headings.
        rows: The cells, cleaned here.
        indent: Spaces before each line.
    """
    names = [clean(column) for column in columns]
    coming = iter(rows)
    first = [list(row) for row in islice(coming, MEASURED_ROWS)]
    cells = [[clean(cell) for cell in row] for row in first]
    numeric = [bool(first) and all(_is_number(row[n]) for row in first) for n in range(len(names))]
    natural = [
        max(map(cell_width, [name, *(row[n] for row in cells)])) for n, name in enumerate(names)
    ]
    page = page_columns()
    widths = natural if page is None else _fitted(natural, numeric, page - indent)
    all_cells = chain(cells, ([clean(cell) for cell in row] for row in coming))
    if widths is None:
        _print_paragraphs(names, all_cells)
        return
    layout = _Layout(widths, numeric, indent, folds=page is not None)
    for line in layout.lines(names):
        print_line(heading(line) if paints(sys.stdout) else line, at_once=False)
    for row in all_cells:
        for line in layout.lines(row):
            print_line(line, at_once=False)


def _fitted(natural: list[int], numeric: list[bool], page: int) -> list[int] | None:
    """Widths with which a table fits a page: numbers stay whole, the widest texts are folded.

    None if it cannot be read like that.
    """
    widths = list(natural)
    texts = [n for n, right in enumerate(numeric) if not right]
    for _ in range(sum(widths) + GAP * (len(widths) - 1) - page):
        widest = max(texts, key=widths.__getitem__, default=None)
        if widest is None or widths[widest] <= NARROWEST_TEXT:
            return None
        widths[widest] -= 1
    return widths


@dataclass(frozen=True, slots=True)
class _Layout:
    """How the rows of a table are laid out.

    Attributes:
        widths: Of the columns.
        numeric: Which of them are aligned to the right.
        indent: Spaces before each line.
        folds: Whether a cell wider than its column goes on under itself; else it sticks out.
    """

    widths: list[int]
    numeric: list[bool]
    indent: int
    folds: bool

    def lines(self, cells: Sequence[str]) -> list[str]:
        """The lines of one row."""
        if not self.folds:
            return [self._line(cells)]
        folded = [_folded(cell, width) for cell, width in zip(cells, self.widths, strict=True)]
        return [self._line(parts) for parts in zip_longest(*folded, fillvalue="")]

    def _line(self, cells: Sequence[str]) -> str:
        line = " " * self.indent
        for cell, width, right in zip(cells, self.widths, self.numeric, strict=True):
            padding = " " * (width - cell_width(cell))
            line += (padding + cell if right else cell + padding) + " " * GAP
        return line.rstrip()


def _folded(cell: str, width: int) -> list[str]:
    """The lines of a cell in a column."""
    if cell_width(cell) <= width:
        return [cell]
    if cell.isascii():
        return textwrap.wrap(cell, width)
    from rich.cells import chop_cells  # noqa: PLC0415 -- most tables are plain

    return chop_cells(cell, width)


def cell_width(text: str) -> int:
    """Columns of a terminal that a cleaned text fills."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 -- most tables are plain

    return cell_len(text)


def _print_paragraphs(names: list[str], rows: Iterable[list[str]]) -> None:
    """Print each row as lines of name and cell, without the cells that are empty."""
    widest = max(map(cell_width, names), default=0)
    for number, row in enumerate(rows, 1):
        say(heading(f"row {number}"))
        for name, cell in zip(names, row, strict=True):
            if cell:
                padding = " " * (widest - cell_width(name))
                print_line(f"  {name}{padding}  {cell}", at_once=False)


def _is_number(cell: object) -> bool:
    if isinstance(cell, str):
        return bool(NUMBER.fullmatch(cell.replace(",", "").removesuffix("%").strip()))
    return cell is None or isinstance(cell, int | float)


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as CSV that a spreadsheet will not take for formulas."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([csv_cell(column) for column in columns])
    writer.writerows([csv_cell(cell) for cell in row] for row in rows)


def print_json_rows(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as one JSON list of objects, each as it comes."""
    before = "[\n  "
    for row in rows:
        plain = _finite(dict(zip(columns, row, strict=True)))
        document = json.dumps(plain, indent=2, default=str, allow_nan=False)
        sys.stdout.write(before + document.replace("\n", "\n  "))
        before = ",\n  "
    sys.stdout.write("[]\n" if before.startswith("[") else "\n]\n")


def print_json(value: object) -> None:
    """Print one JSON document; infinite numbers and NaN become null."""
    say(json.dumps(_finite(value), indent=2, default=str, allow_nan=False))


def _finite(value: Any) -> Any:
    """The value with null for each float that JSON cannot hold."""
    match value:
        case float():
            return value if math.isfinite(value) else None
        case dict():
            return {str(key): _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case _:
            return value


def sparkline(shares: Iterable[float]) -> str:
    """Shares between 0 and 1 as a line of bars; only nothing at all has the lowest bar."""
    return "".join(BARS[_height(share)] for share in shares)


def _height(share: float) -> int:
    top = len(BARS) - 1
    return max(1, min(top, round(share * top))) if share > 0 else 0
