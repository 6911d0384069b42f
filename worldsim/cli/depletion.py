"""``worldsim depletion``: how a stock is used up, by whom, and what catches alone would tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import NewFile, Whole
from worldsim.cli.lab.tables import TABLES, report_json, table_of
from worldsim.cli.named import EITHER, find
from worldsim.cli.options import json_option
from worldsim.cli.output import clean, counted, note, print_csv, print_json, say

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.study.depletion.ensembles import By, Ensemble
    from worldsim.study.depletion.report import Report

PLOTS = (".svg", ".png")
MOST_PANELS = 6


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim depletion first_landing-7", "one run"),
        ("worldsim depletion runs/first_landing-*", "runs of several seeds: how sure it is"),
        ("worldsim depletion first_landing-7 --ingredient ferrite", "and by region"),
        ("worldsim depletion first_landing-7 --region r1 --by sector", ""),
        ("worldsim depletion first_landing-7 --from-days 90 --table forecast", ""),
        ("worldsim depletion first_landing-7 --plot stock.svg --by pool", "curves with bands"),
        ("worldsim depletion first_landing-7 --csv --table effort > effort.csv", ""),
    ],
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN|STUDY...")
@click.option("--ingredient", metavar="NAME", help="Only this one, by region where that tells.")
@click.option("--region", metavar="NAME", help="Only what lies in this region.")
@click.option(
    "--by",
    type=click.Choice(["ingredient", "region", "sector", "pool"]),
    help="What stocks, times, catches and forecasts are told by; ingredient, or region of one.",
)
@click.option(
    "--from-days",
    type=Whole(min=1),
    metavar="N",
    help="Days that forecasts and estimates may know; else forecasts know half, estimates all.",
)
@click.option("--table", type=click.Choice(list(TABLES)), help="Print this table only.")
@click.option("--cell", metavar="CELL", help="Of a study: only this one, as 0 or cost=0.")
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Print one table as CSV: stock, or --table.")
@click.option(
    "--plot",
    type=NewFile(*PLOTS),
    metavar="FILE",
    help="Draw the stock over time into a new .svg or .png file.",
)
def command(
    runs: tuple[str, ...],
    ingredient: str | None,
    region: str | None,
    by: By | None,
    from_days: int | None,
    table: str | None,
    cell: str | None,
    plot: Path | None,
    *,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Tell how the stock of a RUN or STUDY, a path or a name under runs/ or studies/, is used up.

    Several runs of one scenario, or of one cell of a study, are read as an ensemble: bands and
    intervals over their seeds. Scenarios and cells are told one after another. A study has runs to
    read if its file says keep = "tables".
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other: give one")
    from worldsim.study.depletion.ensembles import Scope  # noqa: PLC0415 -- loads scipy
    from worldsim.study.depletion.report import examine  # noqa: PLC0415

    scope = Scope(ingredient, region)
    told_by = by or ("ingredient" if ingredient is None else "region")
    found = [
        examine(each, scope=scope, by=told_by, from_days=from_days)
        for each in _ensembles(runs, cell)
    ]
    if plot is not None:
        _draw(found, plot)
    if as_json:
        print_json([report_json(each, table) for each in found])
    elif as_csv:
        _print_csv(found, table or "stock")
    else:
        _print(found, table, runs)


def _ensembles(given: tuple[str, ...], cell: str | None) -> list[Ensemble]:
    """What was named: runs, put together by scenario, and the cells of studies.

    Raises:
        NotThereError: a name is that of neither.
    """
    from worldsim.runs import Run  # noqa: PLC0415 -- loads DuckDB
    from worldsim.study.depletion.ensembles import by_scenario, of_study  # noqa: PLC0415
    from worldsim.study.study import Study  # noqa: PLC0415

    found = [find(name, *EITHER) for name in given]
    studies = [folder for kind, folder in found if kind == "study"]
    if cell is not None and not studies:
        raise click.BadParameter("only studies have cells", param_hint="--cell")
    runs = by_scenario(Run.open(folder) for kind, folder in found if kind == "run")
    return runs + [each for folder in studies for each in of_study(Study.open(folder), cell)]


def _print_csv(found: list[Report], table: str) -> None:
    several = len(found) > 1
    tables = [(each.name, table_of(each, table)) for each in found]
    columns = tables[0][1].columns
    print_csv(
        ("runs_of", *columns) if several else columns,
        ((name, *row) if several else row for name, each in tables for row in each.rows),
    )


def _print(found: list[Report], table: str | None, given: tuple[str, ...]) -> None:
    from worldsim.cli.lab.report import print_next, print_report  # noqa: PLC0415

    for n, each in enumerate(found):
        if n:
            say()
        print_report(each, table)
    if table is None:
        print_next(found, given)


def _draw(found: list[Report], path: Path) -> None:
    from worldsim.views.depletion_plot import draw  # noqa: PLC0415 -- loads matplotlib
    from worldsim.views.exports.writing import new_file  # noqa: PLC0415 -- as above

    shown = found[:MOST_PANELS]
    with new_file(path) as made:
        drawn = made.with_suffix(path.suffix)  # which tells the format
        draw(shown, drawn)
        drawn.rename(made)
    left_out = len(found) - len(shown)
    more = f"; {counted(left_out, 'scenario')} more left out" if left_out else ""
    note(f"drawn: {clean(str(path))}{more}")
