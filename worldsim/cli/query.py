"""``worldsim query``: SQL over a run."""

from __future__ import annotations

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.options import open_run, run_argument
from worldsim.cli.output import print_csv, print_json, print_table


@click.command(
    cls=ExampleCommand,
    short_help="Ask a run anything, in SQL.",
    examples=[
        ('worldsim query first_landing-7 "from stocks limit 5"', ""),
        ('worldsim query first_landing-7 "select how, sum(units) from takings group by 1"', ""),
        ('worldsim query runs/first_landing-7 "from teams" --format csv > teams.csv', ""),
    ],
)
@run_argument
@click.argument("sql")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="How the rows are printed.",
)
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
def command(run: str, sql: str, form: str) -> None:
    """Print what SQL selects from RUN: a path, or a name under runs/.

    There are the tables events, stocks, takings and teams, in DuckDB's SQL.
    """
    opened = open_run(run)
    answer = opened.query(sql)
    columns, rows = answer.columns, opened.rows(answer)
    if form == "json":
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    elif form == "csv":
        print_csv(columns, rows)
    else:
        print_table(columns, rows)
