"""Each table of a run as a file of its own: CSV for spreadsheets, Parquet for programs."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from worldsim.events.schema import columns
from worldsim.runs.copying import write_parquet
from worldsim.runs.tables import TABLES
from worldsim.views.cells import csv_cell
from worldsim.views.exports.log import Log, as_json, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from worldsim.runs import Run
    from worldsim.views.exports.log import Told


def write_csv_folder(run: Run, folder: Path, on_events: Told | None = None) -> dict[str, int]:
    """Write ``events.csv`` and the three tables.

    Amounts and lists are JSON in their cells. Text that a spreadsheet would take for a formula
    stands behind an apostrophe, and has no control characters.

    Returns:
        Rows by table.
    """
    names = list(columns())
    log = Log(run, on_events, rolls=True)
    counts = {"events": _write_csv(folder / "events.csv", names, _event_rows(log, names))}
    for table, shape in TABLES.items():
        rows = run.rows(run.query(f"FROM {table}"))
        counts[table] = _write_csv(folder / f"{table}.csv", list(shape), rows)
    return counts


def write_parquet_folder(run: Run, folder: Path, on_events: Told | None = None) -> dict[str, int]:
    """Write ``events.parquet`` and the three tables, typed as in queries.

    Returns:
        Rows by table.

    Raises:
        DiskError, QueryError: a file could not be written, or the data not be read.
    """
    del on_events  # all is done at once, by DuckDB
    relations = {
        "events": run.events(),
        "stocks": run.stocks(),
        "takings": run.takings(),
        "teams": run.teams(),
    }
    return {
        name: write_parquet(relation, folder / f"{name}.parquet")
        for name, relation in relations.items()
    }


def _event_rows(log: Log, names: list[str]) -> Iterator[list[Any]]:
    at = {name: n for n, name in enumerate(names)}
    for event in log:
        row: list[Any] = [None] * len(names)
        row[at["event"]] = kind_of(event)
        for name in event.__struct_fields__:
            value = getattr(event, name)
            row[at[name]] = as_json(value) if isinstance(value, dict | list) else value
        yield row


def _write_csv(path: Path, names: list[str], rows: Iterable[Iterable[Any]]) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([csv_cell(name) for name in names])
        for row in rows:
            writer.writerow([cell if cell is None else csv_cell(cell) for cell in row])
            count += 1
    return count
