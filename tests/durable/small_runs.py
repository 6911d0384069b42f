"""A campaign of sixty days, what it must end in, and whether it did."""

from __future__ import annotations

import os
import pickle
import time
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import msgspec

from worldsim.runs import Run, chapters, duck, resume, simulate
from worldsim.runs.disk import TEMPORARY
from worldsim.runs.resuming import AlreadyEndedError
from worldsim.runs.tables import TABLES
from worldsim.scenario import load_enclosed, load_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import duckdb

    from worldsim.runs.disk import Disk
    from worldsim.runs.tables import Arrays
    from worldsim.scenario import Loaded, Scenario

SMALL = """
schema = 1
[campaign]
name = "small"
days = 60
seed = 5
[planet]
regions = 2
sectors_per_region = 3
[[ingredients]]
id = "wood"
kind = "wood"
reserve = 300
[[ingredients]]
id = "berry"
kind = "fruit"
reserve = 2000
[[ingredients]]
id = "ore"
kind = "metal"
reserve = 200
[[colonies]]
id = "red"
stores = { berry = 400 }
[[colonies.teams]]
id = "one"
crew = {}
[[colonies.teams]]
id = "two"
crew = {}
[record]
segment_days = 20
teams_every_days = 7
"""
CADENCE: dict[str, Any] = {"checkpoint_days": 7}


@cache
def small() -> Scenario:
    return load_text(SMALL)


def begin(out: Path, disk: Disk | None = None) -> Run:
    """The whole campaign."""
    return simulate(small(), out=out, disk=disk, **CADENCE)


def go_on(out: Path, disk: Disk | None = None) -> int | None:
    """Resume a run, or begin it anew if there is none, and let it end.

    Returns:
        The day after which it went on, the day after the last if it had ended already; None if it
        was begun anew.
    """
    if not out.exists():
        begin(out, disk)
        return None
    days: list[int] = []
    try:
        resume(out, disk=disk, on_day=lambda day, _: days.append(day), **CADENCE)
    except AlreadyEndedError:
        return small().campaign.days + 1
    return days[0] - 1 if days else small().campaign.days


class _NoDatabase:
    """Stands for the connection of a store, which is asked for nothing here."""

    def close(self) -> None:
        """Nothing is open."""


class Shortcuts:
    """What makes a run cost no more than what it simulates.

    Equal rows are made Parquet by DuckDB once only, a text is made a scenario once only, and nobody
    waits for the device: no power is really cut. The clock stands still, so that runs leave the
    same bytes, and what is known of one of them holds for the next.
    """

    def __init__(self) -> None:
        self._connect, self._parquet = duck.connect, duck.parquet
        self._made: dict[bytes, bytes] = {}
        self._loaded: dict[tuple[bytes, tuple[str, ...]], Loaded] = {}

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Within."""
        with (
            patch.object(duck, "connect", self._connected),
            patch.object(duck, "parquet", self._once),
            patch.object(chapters, "load_enclosed", self._load_once),
            patch.object(os, "fsync", os.fstat),
            patch.object(time, "time", lambda: 0.0),
        ):
            yield

    def _load_once(self, data: bytes, name: str, *, sets: Sequence[str] = ()) -> Loaded:
        key = data, tuple(sets)
        if key not in self._loaded:
            self._loaded[key] = load_enclosed(data, name, sets=sets)
        return self._loaded[key]

    def _connected(
        self, threads: int | None = None, memory: str | None = None
    ) -> duckdb.DuckDBPyConnection | _NoDatabase:
        """Those that read set no number of threads."""
        return self._connect(memory=memory) if threads is None else _NoDatabase()

    def _once(self, _connection: object, table: str, rows: Arrays) -> bytes:
        columns = {name: (str(rows[name].dtype), rows[name].tolist()) for name in rows}
        key = pickle.dumps((table, columns))
        if key not in self._made:
            with closing(self._connect(threads=1)) as connection:
                self._made[key] = self._parquet(connection, table, rows)
        return self._made[key]


@dataclass(frozen=True, slots=True)
class Reference:
    """The run that nothing happened to."""

    folder: Path

    @classmethod
    def made(cls, parent: Path) -> Reference:
        begin(parent / "reference")
        return cls(parent / "reference")

    def differences(self, folder: Path) -> list[str]:
        """In what a run that has ended is not this one: log, tables, what the manifest says."""
        mine, other = _files(self.folder), _files(folder)
        unequal = {
            name
            for name in mine & other
            if (folder / name).read_bytes() != (self.folder / name).read_bytes()
        }
        found = [f"files of {name}" for name in sorted(mine ^ other)]
        found += [f"bytes of {name}" for name in sorted(unequal) if name.endswith(".jsonl")]
        # Equal bytes are equal rows, and need no database.
        tables = {name.partition("/")[0] for name in unequal | (mine - other)} & TABLES.keys()
        found += [
            f"rows of {table}" for table in sorted(tables) if self._rows_differ(folder, table)
        ]
        accounts = _account(self.folder), _account(folder)
        return found + [
            f"manifest: {key}" for key in accounts[0] if accounts[0][key] != accounts[1][key]
        ]

    def _rows_differ(self, folder: Path, table: str) -> bool:
        mine, other = (
            Run.open(each).query(f"FROM {table}").fetchall() for each in (self.folder, folder)
        )
        return mine != other


def _files(folder: Path) -> set[str]:
    """Of the log and the tables."""
    return {name for name in _all(folder) if name.endswith((".jsonl", ".parquet"))}


def leftovers(folder: Path) -> list[str]:
    """Files in a run that are not whole, which nobody needs."""
    return [f"left over: {name}" for name in _all(folder) if name.endswith(TEMPORARY)]


def _all(folder: Path) -> list[str]:
    paths = (Path(where, name) for where, _, names in os.walk(folder) for name in names)
    return sorted(str(path.relative_to(folder)) for path in paths)


def _account(folder: Path) -> dict[str, Any]:
    manifest = Run.open(folder).manifest
    return {
        "status": manifest.status,
        "day": manifest.day,
        "days": manifest.days,
        "error": manifest.error,
        "events": msgspec.to_builtins(manifest.events),
        "parts": [
            (part.path, part.bytes, part.sha256)
            for part in manifest.parts
            if part.path.endswith((".jsonl", ".toml"))
        ],
    }
