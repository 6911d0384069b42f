"""The tables of a run, compared with what its log comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import duckdb

from worldsim.runs import duck
from worldsim.runs.manifest import number_of
from worldsim.runs.partfiles import checked_path
from worldsim.runs.sources import told_of
from worldsim.runs.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worldsim.runs.manifest import Manifest, Part
    from worldsim.runs.verifying.books import Books
    from worldsim.runs.verifying.faults import Faults

LAST_STOCKS = """
    SELECT place, ingredient, list_distinct(list(region)), arg_max("left", day),
        count(*) - count(DISTINCT day)
    FROM stocks GROUP BY ALL"""
TAKEN = """
    SELECT team, ingredient, CAST(sum(units) AS BIGINT)
    FROM takings WHERE ingredient IS NOT NULL GROUP BY ALL HAVING sum(units) > 0"""
TEAMS = "SELECT team, status, place, cargo, rations FROM teams WHERE day = ?"


def check_files(folder: Path, manifest: Manifest, faults: Faults) -> None:
    """Every file of the tables must be what it was.

    Raises:
        FaultError: one is not.
    """
    for table in TABLES:
        for part in told_of(manifest, table):
            with faults.blaming(part.path):
                checked_path(folder, part)


def check_rows(folder: Path, manifest: Manifest, books: Books | None, faults: Faults) -> None:
    """The rows must be of the days of their parts, and say what the log says.

    Args:
        folder: Of the run.
        manifest: Its.
        books: What the log comes to at the end of the parts; None if it tells too little.
        faults: Makes what is raised.

    Raises:
        FaultError: they are not, or do not.
    """
    connection = duck.connect()
    try:
        for table in TABLES:
            told = told_of(manifest, table)
            for part in told:
                _check_part(connection, folder, manifest, part, faults)
            if told and books is not None:
                with faults.blaming(told[-1].path):
                    duck.add_parquet(connection, table, [str(folder / p.path) for p in told])
                for problem in _CHECKS[table](connection, manifest, books):
                    raise faults.of(told[-1].path, problem)
    except duckdb.Error as error:
        raise faults.of(table, f"cannot be read: {error}") from error
    finally:
        connection.close()


def _check_part(
    connection: duckdb.DuckDBPyConnection,
    folder: Path,
    manifest: Manifest,
    part: Part,
    faults: Faults,
) -> None:
    """One file: readable, of its days, of the columns of its table.

    Raises:
        FaultError: it is not.
    """
    columns = TABLES[part.path.partition("/")[0]]
    file = duck.text_list([str(folder / part.path)])
    try:
        relation = connection.sql(f"FROM read_parquet({file}, hive_partitioning = false)")
        shape = dict(zip(relation.columns, map(str, relation.types), strict=True))
        if shape != columns:
            raise faults.of(part.path, f"has the columns {shape}, not {columns}")
        days = relation.aggregate("min(day), max(day)").fetchall()[0]
    except duckdb.Error as error:
        raise faults.of(part.path, f"cannot be read: {error}") from error
    first = (number_of(part) - 1) * manifest.segment_days
    last = min(first + manifest.segment_days, manifest.day)
    if days[0] is None or days[0] < (first and first + 1) or days[1] > last:
        raise faults.of(part.path, f"has rows of days {days[0]} to {days[1]}, which are others'")


def _stocks(
    connection: duckdb.DuckDBPyConnection, manifest: Manifest, books: Books
) -> Iterator[str]:
    """The last row of each cell is what the log comes to."""
    del manifest
    tally = books.tally
    left = {
        (place, ingredient): units
        for place, stock in tally.stocks.items()
        for ingredient, units in stock.items()
    }
    for place, ingredient, regions, units, twice in _rows(connection, LAST_STOCKS):
        if twice:
            yield f"tells twice of a day's {ingredient} in {place}"
        if regions != [tally.region_of.get(place)]:
            yield f"has {place} in {' and '.join(map(str, regions))}"
        ours = left.pop((place, ingredient), 0)
        if ours != units:
            yield f"has {units} units of {ingredient} in {place}, but the log comes to {ours}"
    for (place, ingredient), units in left.items():
        if units:
            yield f"does not tell of the {units} units of {ingredient} in {place}"


def _takings(
    connection: duckdb.DuckDBPyConnection, manifest: Manifest, books: Books
) -> Iterator[str]:
    """Each team took what the log says it took."""
    del manifest
    ours = {key: units for key, units in books.taken.items() if units}
    theirs = {(team, what): units for team, what, units in _rows(connection, TAKEN)}
    for key in sorted(ours.keys() | theirs.keys()):
        if ours.get(key, 0) != theirs.get(key, 0):
            took, told = ours.get(key, 0), theirs.get(key, 0)
            yield f"has {told} units of {key[1]} taken by {key[0]}, but the log comes to {took}"


def _teams(
    connection: duckdb.DuckDBPyConnection, manifest: Manifest, books: Books
) -> Iterator[str]:
    """On the last day each team is as the log has it; only a finished run must tell of that day."""
    rows = _rows(connection, TEAMS, manifest.day)
    if manifest.status == "finished" and len(rows) != len(books.tally.teams):
        yield f"has {len(rows)} teams on the last day, but {len(books.tally.teams)} were formed"
    for name, *theirs in rows:
        team = books.tally.teams.get(name)
        if team is None:
            yield f"tells of {name}, which was never formed"
            continue
        carried = sum(team.cargo.values()), sum(team.rations.values())
        ours = [team.status, team.place, *carried]
        if ours != theirs:
            yield f"has {name} as {theirs} on the last day, but the log comes to {ours}"


def _rows(connection: duckdb.DuckDBPyConnection, sql: str, *given: Any) -> list[tuple[Any, ...]]:
    return connection.execute(sql, given or None).fetchall()


_CHECKS = {"stocks": _stocks, "takings": _takings, "teams": _teams}
