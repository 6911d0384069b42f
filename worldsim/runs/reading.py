"""Reading a run back: its tables, its lines, and SQL over both."""

from __future__ import annotations

import os
import time
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from filelock import FileLock, Timeout

from worldsim.errors import WorldsimError
from worldsim.runs.places import (
    EVENTS,
    LOCK,
    SCENARIO,
    NotARunError,
    near_run,
    read_manifest,
    segment_name,
)
from worldsim.runs.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duckdb import DuckDBPyConnection, DuckDBPyRelation

    from worldsim.runs.manifest import Manifest
    from worldsim.runs.store import MemoryStore
    from worldsim.runs.summary import Summary
    from worldsim.scenario.model import Scenario

POLL_S = 0.2
CHUNK_BYTES = 4 * 2**20


class Attached(NamedTuple):
    """What a database must still read from files.

    Attributes:
        segments: Whole segments of events.
        files: All files that its views read.
        lines: Whether there are raw lines in it besides.
    """

    segments: list[str]
    files: list[str]
    lines: bool = True


class Source(Protocol):
    """Where the parts of a run are."""

    @property
    def name(self) -> str:
        """What the run is called."""

    @property
    def path(self) -> Path | None:
        """The folder, if there is one."""

    def manifest(self) -> Manifest:
        """As it is now."""

    def scenario(self) -> Scenario:
        """What was simulated."""

    def attach(self, connection: DuckDBPyConnection) -> Attached:
        """Make tables or views of all that is not read as whole event files."""

    def lines(self, *, follow: bool) -> Iterator[bytes]:
        """The event log, line by line."""


class MemorySource:
    """A run kept in memory."""

    path: Path | None = None

    def __init__(self, scenario: Scenario, store: MemoryStore) -> None:
        self._scenario = scenario
        self._store = store
        self.name = f"{scenario.campaign.name}-{scenario.campaign.seed}"

    def manifest(self) -> Manifest:
        """As the run ended."""
        return self._store.manifest

    def scenario(self) -> Scenario:
        """What was simulated."""
        return self._scenario

    def attach(self, connection: DuckDBPyConnection) -> Attached:
        """Copy all into the database."""
        from worldsim.runs import duck  # noqa: PLC0415  # as in Run

        duck.add_lines(connection, self._store.segments)
        for table, parts in self._store.tables.items():
            duck.add_rows(connection, table, parts)
        return Attached([], [])

    def lines(self, *, follow: bool) -> Iterator[bytes]:
        """All lines; there is nothing to follow."""
        del follow
        for segment in self._store.segments:
            yield from segment.splitlines(keepends=True)


class FolderSource:
    """A run directory, which may still be written, or may have been left in the middle of a line.

    Args:
        path: The folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name or path.resolve().name

    def manifest(self) -> Manifest:
        """As it is now."""
        return read_manifest(self.path)

    def scenario(self) -> Scenario:
        """Read the scenario that lies in the folder."""
        from worldsim.scenario import load  # noqa: PLC0415  # most readers need none

        return load(self.path / SCENARIO)

    def attach(self, connection: DuckDBPyConnection) -> Attached:
        """Make views of the parts on disk; of a torn segment the whole lines are copied."""
        from worldsim.runs import duck  # noqa: PLC0415  # as in Run

        whole, torn = self._segments()
        if torn is not None or not whole:
            duck.add_lines(connection, [] if torn is None else _whole_lines(torn))
        needed = list(whole)
        for table in TABLES:
            files = self._files(table, ".parquet")
            duck.add_parquet(connection, table, files)
            needed += files
        return Attached(whole, needed, lines=torn is not None or not whole)

    def lines(self, *, follow: bool) -> Iterator[bytes]:
        """All whole lines, and where ``follow`` those to come until nobody writes any more."""
        for number in count(1):
            path = self.path / segment_name(number)
            while not path.exists():
                if not (follow and is_written(self.path)):
                    return
                time.sleep(POLL_S)
            yield from self._segment_lines(path, number, follow=follow)

    def _segment_lines(self, path: Path, number: int, *, follow: bool) -> Iterator[bytes]:
        following = self.path / segment_name(number + 1)
        with path.open("rb") as file:
            while True:
                # Asked before reading: what is written until then is read once more.
                last = following.exists() or not (follow and is_written(self.path))
                start = file.tell()
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    start += len(line)
                    yield line
                if last:
                    return
                file.seek(start)
                time.sleep(POLL_S)

    def _segments(self) -> tuple[list[str], str | None]:
        """Segments that are whole, and the last one if it is open or torn."""
        files = self._files(EVENTS, ".jsonl")
        if files and (is_written(self.path) or not _ends_with_newline(files[-1])):
            return files[:-1], files[-1]
        return files, None

    def _files(self, folder: str, suffix: str) -> list[str]:
        """Plain files only, in order: a link might lead out of the run."""
        try:
            with os.scandir(self.path.absolute() / folder) as entries:
                return sorted(
                    entry.path
                    for entry in entries
                    if entry.name.endswith(suffix) and entry.is_file(follow_symlinks=False)
                )
        except OSError as error:
            raise WorldsimError(f"could not read {error.filename}: {error.strerror}") from error


class Run:
    """A run: its manifest, scenario, tables and lines.

    What the tables show is as it was when the first of them was asked for.

    Args:
        source: Where the parts of the run are.
    """

    def __init__(self, source: Source) -> None:
        self._source = source

    @classmethod
    def open(cls, path: str | Path) -> Run:
        """Open a run directory.

        Raises:
            NotARunError: it is none.
            WorldsimError: it is damaged, or too new.
        """
        run = cls(FolderSource(Path(path)))
        try:
            run.manifest  # noqa: B018  # read now, so that a wrong path is refused here
        except NotARunError as error:
            raise NotARunError(error.path, near_run(Path(path))) from None
        return run

    @property
    def name(self) -> str:
        """The folder's name, or what it would be."""
        return self._source.name

    @property
    def path(self) -> Path | None:
        """The folder; None of a run in memory."""
        return self._source.path

    @cached_property
    def manifest(self) -> Manifest:
        """What the run is and how far it came."""
        return self._source.manifest()

    @cached_property
    def scenario(self) -> Scenario:
        """What was simulated, every default and override written out."""
        return self._source.scenario()

    def events(self, kind: str | Sequence[str] | None = None) -> DuckDBPyRelation:
        """Events in their order, as a DuckDB relation (``.df()``, ``.pl()``, ``.fetchall()``).

        Args:
            kind: Name or names of kinds; the columns are those the kinds have. All if ``None``.

        Raises:
            UnknownKindError: a kind that does not exist.
        """
        from worldsim.runs import duck  # noqa: PLC0415  # as in _database

        kinds = [kind] if isinstance(kind, str) else kind
        connection, attached = self._database
        return connection.sql(duck.events_sql(attached.segments, kinds, lines=attached.lines))

    def stocks(self) -> DuckDBPyRelation:
        """What is in the ground: the start as day 0, then each change as of its midnight."""
        return self._database[0].table("stocks")

    def takings(self) -> DuckDBPyRelation:
        """Who took what, where, at what effort."""
        return self._database[0].table("takings")

    def teams(self) -> DuckDBPyRelation:
        """The state of each team, at the cadence of the scenario."""
        return self._database[0].table("teams")

    def query(self, sql: str) -> DuckDBPyRelation:
        """What one statement reads from ``events``, ``stocks``, ``takings`` and ``teams``.

        It can write nothing, and can open no file but those of this run.

        Raises:
            QueryError: it is wrong, or does more than read.
        """
        from worldsim.runs import duck  # noqa: PLC0415  # as in _database

        return duck.reading(self._locked, sql)

    def rows(self, relation: DuckDBPyRelation) -> Iterator[tuple[Any, ...]]:
        """The rows of a relation, with errors in its data as `QueryError`."""
        from worldsim.runs import duck  # noqa: PLC0415  # as in _database

        return duck.rows(relation)

    def lines(self, *, follow: bool = False) -> Iterator[bytes]:
        """The event log as it is stored, line by line.

        Args:
            follow: Go on while the run is being written.
        """
        return self._source.lines(follow=follow)

    def summary(self) -> Summary:
        """What became of the campaign, in figures."""
        from worldsim.runs.summary import summary  # noqa: PLC0415  # as in _database

        return summary(self)

    @cached_property
    def _database(self) -> tuple[DuckDBPyConnection, Attached]:
        # Imported here: whoever only lists runs or reads lines should not wait for a database.
        from worldsim.runs import duck  # noqa: PLC0415

        connection = duck.connect()
        return connection, self._source.attach(connection)

    @cached_property
    def _locked(self) -> DuckDBPyConnection:
        from worldsim.runs import duck  # noqa: PLC0415  # as in _database

        connection = duck.connect()
        attached = self._source.attach(connection)
        events = duck.events_sql(attached.segments, None, lines=attached.lines)
        connection.execute(f"CREATE VIEW events AS {events}")
        duck.lock(connection, attached.files)
        return connection


def is_written(path: Path) -> bool:
    """Whether some process is writing the run in this folder now."""
    if not (path / LOCK).exists():
        return False
    try:
        with FileLock(path / LOCK, timeout=0):
            return False
    except Timeout:
        return True


def _ends_with_newline(file: str) -> bool:
    with Path(file).open("rb") as opened:
        end = opened.seek(0, os.SEEK_END)
        opened.seek(max(0, end - 1))
        return end == 0 or opened.read(1) == b"\n"


def _whole_lines(file: str) -> Iterator[bytes]:
    """The file in chunks of whole lines, without what follows its last newline."""
    rest = b""
    with Path(file).open("rb") as opened:
        while chunk := opened.read(CHUNK_BYTES):
            whole, newline, rest_of_chunk = chunk.rpartition(b"\n")
            if newline:
                yield rest + whole + newline
                rest = rest_of_chunk
            else:
                rest += chunk
