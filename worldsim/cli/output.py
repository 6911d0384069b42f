"""What the command prints: tables for people, CSV and JSON for programs; notes go to stderr."""

from __future__ import annotations

import csv
import json
import math
import os
import re
import sys
from typing import TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

UNBOUNDED_COLUMNS = 4000  # of a pipe: nothing is cut or wrapped there
GAP = 2
NARROWEST_TEXT = 16  # columns a cell of text needs to be read
BARS = "▁▂▃▄▅▆▇█"
SPREADSHEET_FORMULA = ("=", "+", "-", "@")
NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?")


def clean(value: object) -> str:
    """A value as text that can neither break a line nor drive a terminal."""
    text = value if isinstance(value, str) else _as_text(value)
    if text.isprintable():
        return text
    spaced = " ".join(click.unstyle(text).split())
    return "".join(character for character in spaced if character.isprintable())


def _as_text(value: object) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{value:.6g}"
        case dict() | list() | tuple():
            return json.dumps(value, default=str, separators=(",", ":"))
        case _:
            return str(value)


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

    On a terminal too narrow for that, each row becomes a paragraph of its own.

    Args:
        columns: The headings.
        rows: The cells, cleaned here.
        indent: Spaces before each line.
    """
    names = [clean(column) for column in columns]
    given = [list(row) for row in rows]
    cells = [[clean(cell) for cell in row] for row in given]
    numeric = [all(_is_number(row[n]) for row in given) for n in range(len(names))]
    width = page_columns()
    if width is not None and _least_width(names, cells, numeric) > width - indent:
        _print_paragraphs(names, cells)
        return
    for line in _laid_out(names, cells, numeric, None if width is None else width - indent):
        say(f"{' ' * indent}{line.rstrip()}")


def _least_width(names: list[str], cells: list[list[str]], numeric: list[bool]) -> int:
    """Columns below which a table can't be read: numbers stay whole, text may be folded."""
    width = 0
    for n, name in enumerate(names):
        widest = max(len(name), *(len(row[n]) for row in cells)) if cells else len(name)
        width += GAP + (widest if numeric[n] else min(widest, NARROWEST_TEXT))
    return width - GAP


def _print_paragraphs(names: list[str], cells: list[list[str]]) -> None:
    widest = max(map(len, names))
    for number, row in enumerate(cells, 1):
        say(heading(f"row {number}"))
        for name, cell in zip(names, row, strict=True):
            say(f"  {name:<{widest}}  {cell}")


def _laid_out(
    names: list[str], cells: list[list[str]], numeric: list[bool], width: int | None
) -> list[str]:
    """The lines of a table."""
    from rich.console import Console  # noqa: PLC0415 -- most commands print no table
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    for name, right in zip(names, numeric, strict=True):
        justify: Literal["left", "right"] = "right" if right and cells else "left"
        table.add_column(Text(name), justify=justify, overflow="fold", no_wrap=right)
    for row in cells:
        table.add_row(*map(Text, row))
    console = Console(width=width or UNBOUNDED_COLUMNS, markup=False, highlight=False, emoji=False)
    with console.capture() as captured:
        console.print(table)
    return captured.get().splitlines()


def _is_number(cell: object) -> bool:
    if isinstance(cell, str):
        return bool(NUMBER.fullmatch(cell.replace(",", "").removesuffix("%").strip()))
    return cell is None or isinstance(cell, int | float)


def print_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as CSV that a spreadsheet will not take for formulas."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow([csv_cell(column) for column in columns])
    writer.writerows([csv_cell(cell) for cell in row] for row in rows)


def csv_cell(value: object) -> object:
    """One cell: numbers as they are; text that looks like a formula behind an apostrophe."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = clean(value)
    if text.startswith(SPREADSHEET_FORMULA) and not NUMBER.fullmatch(text):
        return f"'{text}"
    return text


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
