"""``worldsim query``: SQL over a run."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import Whole
from worldsim.cli.named import open_run
from worldsim.cli.options import form_option, run_argument
from worldsim.cli.output import (
    MEASURED_ROWS,
    counted,
    note,
    print_csv,
    print_json_rows,
    print_table,
)
from worldsim.cli.signals import cut_off

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.runs import Run

SHOWN_ROWS = 200
WIDE_COLUMNS = 20  # from here on a table is read only without its empty columns


@click.command(
    cls=ExampleCommand,
    examples=[
        ('worldsim query first_landing-7 "from stocks limit 5"', ""),
        ('worldsim query first_landing-7 "select how, sum(units) from takings group by 1"', ""),
        ('worldsim query runs/first_landing-7 "from teams" --format csv > teams.csv', ""),
    ],
)
@run_argument
@click.argument("sql")
@form_option("table", "csv", "json", says="How the rows are printed.")
@click.option(
    "--limit",
    type=Whole(min=0),
    metavar="N",
    help=f"Rows printed at most, 0 for all; a table shows {SHOWN_ROWS} if not told.",
)
def command(run: str, sql: str, form: str, limit: int | None) -> None:
    """Print what SQL selects from RUN: a path, or a name under runs/.

    There are the tables events, stocks, takings and teams, in DuckDB's SQL.
    """
    with cut_off():
        _answer(open_run(run), sql, form, limit)


def _answer(opened: Run, sql: str, form: str, limit: int | None) -> None:
    answer = opened.query(sql)
    columns = answer.columns
    if form == "table":
        most = SHOWN_ROWS if limit is None else limit
        # One more row tells whether there are more.
        rows = opened.rows(answer.limit(most + 1) if most else answer)
        _print_rows(columns, rows, most or None)
        return
    rows = opened.rows(answer.limit(limit) if limit else answer)
    print_rows = print_json_rows if form == "json" else print_csv
    print_rows(columns, rows)


def _print_rows(columns: list[str], rows: Iterator[tuple[Any, ...]], most: int | None) -> None:
    """Print a table of at most ``most`` rows, and say on stderr what was left out."""
    first = list(islice(rows, most or MEASURED_ROWS))
    following = list(islice(rows, 1))
    kept = list(range(len(columns)))
    if first and len(columns) >= WIDE_COLUMNS and not (following and most is None):
        kept = [n for n in kept if any(row[n] is not None for row in first)]
    rest = chain(following, rows) if most is None else ()
    print_table([columns[n] for n in kept], ([row[n] for n in kept] for row in chain(first, rest)))
    if len(kept) < len(columns):
        note(f"{counted(len(columns) - len(kept), 'column')} without any value here left out")
    if following and most is not None:
        note(f"… more rows than these {most:,}: --limit 0, or --format csv|json")
