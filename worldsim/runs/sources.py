"""Where the parts of a run are, and how each is read: from a folder, or from memory.

A sealed file is compared with its checksum before it is believed, so whatever was changed is
noticed by whoever reads it, not only by ``worldsim verify``.
"""

from __future__ import annotations

import hashlib
import time
from itertools import count
from typing import TYPE_CHECKING, NamedTuple, Protocol

from filelock import FileLock, Timeout

from worldsim.runs.compressing import DamagedPartError, checked, unpacked
from worldsim.runs.manifest import number_of
from worldsim.runs.places import (
    EVENTS,
    GZIP,
    LOCK,
    SCENARIO,
    LinkError,
    read_manifest,
    segment_name,
)
from worldsim.runs.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from worldsim.runs.manifest import Manifest, Part
    from worldsim.runs.store import MemoryStore
    from worldsim.scenario.model import Scenario

POLL_S = 0.2
CHUNK_BYTES = 4 * 2**20


class Attached(NamedTuple):
    """What a database must still read from files.

    Attributes:
        segments: Whole segments of events.
        lines: Whether there are raw lines in it besides.
    """

    segments: list[str]
    lines: bool


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

    def attach_tables(self, connection: DuckDBPyConnection) -> list[str]:
        """Make ``stocks``, ``takings`` and ``teams``; the files they read."""

    def attach_events(self, connection: DuckDBPyConnection) -> Attached:
        """Put into a table what is not read as whole event files."""

    def day_lines(self, first: int, last: int) -> Iterator[bytes]:
        """The event log of the parts in which these days are, line by line."""

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

    def attach_tables(self, connection: DuckDBPyConnection) -> list[str]:
        """Copy the tables into the database."""
        from worldsim.runs import duck  # noqa: PLC0415  # as in Run

        for table, parts in self._store.tables.items():
            duck.add_rows(connection, table, parts)
        return []

    def attach_events(self, connection: DuckDBPyConnection) -> Attached:
        """Copy the lines into the database."""
        from worldsim.runs import duck  # noqa: PLC0415  # as in Run

        duck.add_lines(connection, self._store.segments)
        return Attached([], lines=True)

    def day_lines(self, first: int, last: int) -> Iterator[bytes]:
        """The lines of the parts that hold these days."""
        days = self._store.manifest.segment_days
        for number in parts_of_days(first, last, days):
            if number <= len(self._store.segments):
                yield from self._store.segments[number - 1].splitlines(keepends=True)

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

    def attach_tables(self, connection: DuckDBPyConnection) -> list[str]:
        """Make views of the tables' parts."""
        from worldsim.runs import duck  # noqa: PLC0415  # as in Run

        manifest = self.manifest()
        needed: list[str] = []
        for table in TABLES:
            files = [self._checked(part) for part in told_of(manifest, table)]
            duck.add_parquet(connection, table, files)
            needed += files
        return needed

    def attach_events(self, connection: DuckDBPyConnection) -> Attached:
        """Copy the whole lines of a segment that no checksum is known of."""
        from worldsim.runs import duck  # noqa: PLC0415  # as in Run

        manifest = self.manifest()
        segments = [self._checked(part) for part in told_of(manifest, EVENTS)]
        live = self.live_segment(manifest)
        if live is None and segments:
            return Attached(segments, lines=False)
        duck.add_lines(connection, [] if live is None else _whole_lines(live))
        return Attached(segments, lines=True)

    def lines(self, *, follow: bool) -> Iterator[bytes]:
        """All whole lines, and where ``follow`` those to come until nobody writes any more.

        Raises:
            DamagedPartError: a sealed segment is not what it was; none of its lines was given.
        """
        for number in count(1):
            while (found := self._segment(number)) is None:
                if not (follow and is_written(self.path)):
                    return
                time.sleep(POLL_S)
            yield from self._lines_of(found, number, follow=follow)

    def day_lines(self, first: int, last: int) -> Iterator[bytes]:
        """The lines of the parts that hold these days."""
        for number in parts_of_days(first, last, self.manifest().segment_days):
            found = self._segment(number)
            if found is not None:
                yield from self._lines_of(found, number, follow=False)

    def live_segment(self, manifest: Manifest) -> Path | None:
        """The segment that is written, or was when its writer died; no checksum is known of it."""
        told = told_of(manifest, EVENTS)
        path = self.path / segment_name(number_of(told[-1]) + 1 if told else 1)
        if manifest.status == "finished" or manifest.open_parts or not path.is_file():
            return None
        if path.is_symlink():
            raise LinkError(str(path))
        return path

    def _segment(self, number: int) -> bytes | Path | None:
        """The lines of a segment, or its file if it is live; None if there is none."""
        manifest = self.manifest()
        for part in told_of(manifest, EVENTS):
            if number_of(part) == number:
                data = checked(self._plain_file(part).read_bytes(), part, self.path)
                return unpacked(data, self.path, part) if part.path.endswith(GZIP) else data
        live = self.live_segment(manifest)
        return live if live == self.path / segment_name(number) else None

    def _lines_of(self, found: bytes | Path, number: int, *, follow: bool) -> Iterator[bytes]:
        if isinstance(found, bytes):
            yield from found.splitlines(keepends=True)
            return
        following = self.path / segment_name(number + 1)
        with found.open("rb") as file:
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

    def _checked(self, part: Part) -> str:
        """The path of a file that is what the manifest tells.

        Raises:
            DamagedPartError: it is not.
            LinkError: it is a link, which might lead out of the run.
        """
        path = self._plain_file(part)
        sha256, size = hashlib.sha256(), 0
        with path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                sha256.update(chunk)
                size += len(chunk)
        if (size, sha256.hexdigest()) != (part.bytes, part.sha256):
            raise DamagedPartError(str(path), "is not what it was: see worldsim verify")
        return str(path.absolute())

    def _plain_file(self, part: Part) -> Path:
        path = self.path / part.path
        if path.is_symlink() or path.parent.is_symlink():
            raise LinkError(str(path))
        if not path.is_file():
            raise DamagedPartError(str(path), "is missing: see worldsim verify")
        return path


def told_of(manifest: Manifest, folder: str) -> list[Part]:
    """The files of a folder of parts that the manifest tells of, in order."""
    parts = (*manifest.parts, *manifest.open_parts)
    told = [part for part in parts if part.path.startswith(f"{folder}/")]
    return sorted(told, key=number_of)


def parts_of_days(first: int, last: int, segment_days: int) -> range:
    """The numbers of the parts in which these days are; day 0 is in the first."""
    return range((max(first, 1) - 1) // segment_days + 1, (max(last, 1) - 1) // segment_days + 2)


def is_written(path: Path) -> bool:
    """Whether some process is writing the run in this folder now."""
    lock = path / LOCK
    if lock.is_symlink() or not lock.exists():
        return False
    try:
        with FileLock(lock, timeout=0):
            return False
    except Timeout:
        return True


def _whole_lines(file: Path) -> Iterator[bytes]:
    """The file in chunks of whole lines, without what follows its last newline."""
    rest = b""
    with file.open("rb") as opened:
        while chunk := opened.read(CHUNK_BYTES):
            whole, newline, rest_of_chunk = chunk.rpartition(b"\n")
            if newline:
                yield rest + whole + newline
                rest = rest_of_chunk
            else:
                rest += chunk
