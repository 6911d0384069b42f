"""A run as one SQLite database: events, stocks, takings, teams, and what the run is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any

from worldsim.runs.tables import TABLES
from worldsim.views.exports.log import Log, as_json, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from worldsim.runs import Run
    from worldsim.views.exports.log import Told

BATCH = 5000
TYPES = {"BIGINT": "INTEGER", "VARCHAR": "TEXT", "DOUBLE": "REAL", "BOOLEAN": "INTEGER"}
EVENTS = {
    "seq": "INTEGER", "of": "INTEGER", "n": "INTEGER", "t": "INTEGER NOT NULL",
    "day": "INTEGER NOT NULL", "event": "TEXT NOT NULL", "level": "TEXT NOT NULL",
    "cause": "INTEGER", "team": "TEXT", "colony": "TEXT", "member": "TEXT", "place": "TEXT",
    "sector": "TEXT", "region": "TEXT", "ingredient": "TEXT",
}  # fmt: skip
"""Columns of ``events`` and their types; all other fields of an event are JSON in ``fields``."""
INDEXES = (
    "CREATE INDEX events_event ON events(event)",
    "CREATE INDEX events_team ON events(team)",
    "CREATE INDEX events_day ON events(day)",
    "CREATE INDEX stocks_place ON stocks(place, ingredient, day)",
)


def write_sqlite(run: Run, path: Path, on_events: Told | None = None) -> dict[str, int]:
    """Write the database.

    Returns:
        Rows by table.

    Raises:
        sqlite3.Error: it could not be written.
    """
    with closing(fresh(path)) as connection:
        counts = {"events": _fill(connection, "events", [*EVENTS.items(), ("fields", "TEXT")],
                                  _event_rows(Log(run, on_events, rolls=True)))}  # fmt: skip
        for table, shape in TABLES.items():
            typed = [(name, TYPES[kind]) for name, kind in shape.items()]
            counts[table] = _fill(connection, table, typed, run.rows(run.query(f"FROM {table}")))
        facts = [("key", "TEXT PRIMARY KEY"), ("value", "TEXT")]
        counts["manifest"] = _fill(connection, "manifest", facts, _manifest(run))
        for index in INDEXES:
            connection.execute(index)
        connection.commit()
    return counts


def fresh(path: Path) -> sqlite3.Connection:
    """A new database in a file that nobody else knows yet, so that no journal is needed."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def batches(rows: Iterable[Any]) -> Iterator[list[Any]]:
    """Rows, some thousands at a time."""
    coming = iter(rows)
    while batch := list(islice(coming, BATCH)):
        yield batch


def _fill(
    connection: sqlite3.Connection,
    table: str,
    shape: list[tuple[str, str]],
    rows: Iterable[Iterable[Any]],
) -> int:
    """Make a table of rows in the order of its columns; how many there were."""
    columns = ", ".join(f'"{name}" {kind}' for name, kind in shape)
    connection.execute(f"CREATE TABLE {table} ({columns})")
    marks = ", ".join("?" * len(shape))
    count = 0
    for batch in batches(rows):
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", batch)  # noqa: S608
        count += len(batch)
    return count


def _event_rows(log: Log) -> Iterator[tuple[Any, ...]]:
    for event in log:
        told = {name: getattr(event, name) for name in event.__struct_fields__}
        told["event"] = kind_of(event)
        columns = [told.pop(name, None) for name in EVENTS]
        yield (*columns, as_json(told) if told else None)


def _manifest(run: Run) -> Iterator[tuple[str, str]]:
    manifest = run.manifest
    yield "run", run.name
    for name in ("campaign", "seed", "digest", "status", "day", "days", "level"):
        yield name, str(getattr(manifest, name))
    yield "worldsim", manifest.versions.worldsim
