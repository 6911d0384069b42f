"""Where the parts of a run are, and how each is read: from a folder, or from memory.

A sealed file is compared with its checksum before it is believed, so whatever was changed is
noticed by whoever reads it, not only by ``worldsim verify``.
"""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeVar

from filelock import FileLock, Timeout

from worldsim.runs.live import (
    check_first_lines,
    events_only,
    is_closed,
    live_number,
    live_segment,
)
from worldsim.runs.manifest import number_of
from worldsim.runs.partfiles import checked_path, live_lines, pieces, sealed_lines, whole_lines
from worldsim.runs.places import EVENTS, LOCK, read_manifest, segment_name
from worldsim.runs.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from worldsim.runs.cache import EventCache
    from worldsim.runs.live import Live
    from worldsim.runs.manifest import Manifest, Part
    from worldsim.runs.store import MemoryStore
    from worldsim.scenario.model import Scenario

Stated = TypeVar("Stated", bound=str)

POLL_S = 0.2


class Attached(NamedTuple):
    """What a database must still read from files.

    Attributes:
        segments: Whole segments of events.
        lines: Whether there are raw lines in it besides.
        cached: Parquet of the segments before those.
    """

    segments: list[str]
    lines: bool
    cached: Sequence[str] = ()


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

    def chunks(self, parts: range | None = None) -> Iterator[bytes]:
        """The event log as it is now, in chunks of whole lines: of all parts, or of these."""

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

    def chunks(self, parts: range | None = None) -> Iterator[bytes]:
        """The parts as they are."""
        for number, segment in enumerate(self._store.segments, 1):
            if parts is None or number in parts:
                yield segment

    def lines(self, *, follow: bool) -> Iterator[bytes]:
        """All lines; there is nothing to follow."""
        del follow
        for segment in self._store.segments:
            yield from segment.splitlines(keepends=True)


class FolderSource:
    """A run directory, which may still be written, or may have been left in the middle of a line.

    Args:
        path: The folder.
        on_cached: Called with bytes done and to be done, while the log of a large run is cached.
    """

    def __init__(self, path: Path, on_cached: Callable[[int, int], None] | None = None) -> None:
        self.path = path
        self._on_cached = on_cached
        self.name = path.name or path.resolve().name

    def manifest(self) -> Manifest:
        """As it is now."""
        return read_manifest(self.path)

    def scenario(self) -> Scenario:
        """Read the scenario that lies in the folder.

        Raises:
            LinkError, DamagedPartError: it is not what it was.
        """
        from worldsim.runs.chapters import read_scenario  # noqa: PLC0415  # most readers need none

        return read_scenario(self.path, self.manifest()).scenario

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
        """Copy the whole lines of a segment that no checksum is known of; cache those that are.

        Raises:
            LinkError, DamagedPartError: a sealed segment that had to be read is not what it was,
                or a cached one is gone.
        """
        from worldsim.runs import duck  # noqa: PLC0415  # as in Run

        manifest = self.manifest()
        cached, rest = self._cache.files(told_of(manifest, EVENTS), closed=is_closed(manifest))
        segments = [self._checked(part) for part in rest]
        live = self._live(manifest)
        if live is None and (cached or segments):
            return Attached(segments, lines=False, cached=cached)
        duck.add_lines(
            connection, [] if live is None else events_only(live_lines(live.path), live.path)
        )
        return Attached(segments, lines=True, cached=cached)

    @cached_property
    def _cache(self) -> EventCache:
        from worldsim.runs.cache import EventCache  # noqa: PLC0415  # as in Run

        return EventCache(self.path, self._on_cached)

    def lines(self, *, follow: bool) -> Iterator[bytes]:
        """All whole lines, and where ``follow`` those to come until nobody writes any more.

        Raises:
            DamagedPartError: a sealed segment is not what it was; none of its lines was given.
        """
        if follow:
            yield from self._followed_lines()
            return
        manifest = self.manifest()
        for part in told_of(manifest, EVENTS):
            yield from _split(sealed_lines(self.path, part))
        live = self._live(manifest)
        if live is not None:
            yield from _split(events_only(live_lines(live.path), live.path))

    def _followed_lines(self) -> Iterator[bytes]:
        """All whole lines, and those to come until nobody writes any more."""
        number = 0  # of the segment given last; those that would be empty do not exist
        while True:
            written = is_written(self.path)  # asked first: what comes then is seen
            manifest = self.manifest()
            later = [part for part in told_of(manifest, EVENTS) if number_of(part) > number]
            live = self._live(manifest)
            if later:
                number = number_of(later[0])
                yield from _split(sealed_lines(self.path, later[0]))
            elif live is not None and live.number > number:
                number = live.number
                yield from self._growing_lines(live)
            elif written:
                time.sleep(POLL_S)
            else:
                return

    def chunks(self, parts: range | None = None) -> Iterator[bytes]:
        """The segments of these parts, as they are now.

        Raises:
            DamagedPartError: a sealed one is not what it was.
        """
        manifest = self.manifest()
        for part in told_of(manifest, EVENTS):
            if parts is None or number_of(part) in parts:
                yield from sealed_lines(self.path, part)
        live = self._live(manifest)
        if live is not None and (parts is None or live.number in parts):
            yield from live_lines(live.path)

    def _live(self, manifest: Manifest) -> Live | None:
        """The live segment, its first lines as they were at the latest checkpoint.

        Raises:
            DamagedPartError: they are others, or gone.
        """
        live = live_segment(self.path, manifest)
        if not is_closed(manifest) and not is_written(self.path):
            check_first_lines(self.path, manifest)
        return live

    def _growing_lines(self, live: Live) -> Iterator[bytes]:
        """The lines of the live segment, and all that come until it is sealed."""
        with live.path.open("rb") as file:
            while True:
                # Asked before reading: what is written until then is read once more.
                last = not self._grows(live)
                start = file.tell()
                lines = whole_lines(pieces(file), live.path, torn=True)
                for chunk in events_only(lines, live.path):
                    start += len(chunk)
                    yield from chunk.splitlines(keepends=True)
                if last:
                    return
                file.seek(start)
                time.sleep(POLL_S)

    def _grows(self, live: Live) -> bool:
        return is_written(self.path) and live_number(self.manifest()) == live.number

    def _checked(self, part: Part) -> str:
        """The path of a file that is what the manifest tells.

        Raises:
            LinkError, DamagedPartError: it is not.
        """
        return str(checked_path(self.path, part).absolute())


def told_of(manifest: Manifest, folder: str) -> list[Part]:
    """The files of a folder of parts that the manifest tells of, in order."""
    parts = (*manifest.parts, *manifest.open_parts)
    told = [part for part in parts if part.path.startswith(f"{folder}/")]
    return sorted(told, key=number_of)


def known_files(folder: Path, manifest: Manifest) -> set[str]:
    """The paths in a run that its manifest tells of, and that of the live segment."""
    told = {part.path for part in (*manifest.parts, *manifest.open_parts, *manifest.checkpoints)}
    live = live_segment(folder, manifest)
    return told if live is None else told | {segment_name(live.number)}


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


def state_of(status: Stated, path: Path) -> Stated | Literal["interrupted"]:
    """What a manifest says, but ``interrupted`` where nobody writes what is said to be running."""
    return "interrupted" if status == "running" and not is_written(path) else status


def _split(chunks: Iterator[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        yield from chunk.splitlines(keepends=True)
