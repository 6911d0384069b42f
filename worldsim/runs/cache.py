"""Parquet of the sealed events of a large run: made on first use, so that later queries are quick.

All of it lies in ``cache/`` of the run, follows from the sealed segments, and may be deleted at any
time. A file covers some segments in a row. Its name tells of which bytes it was made, by which
columns, and its own checksum: so a file that is torn, damaged or of another run is never read, and
several readers need no lock, since each file appears whole under a name that fits its content.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
from contextlib import closing, suppress
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import duckdb

from worldsim.errors import WorldsimError
from worldsim.events.schema import columns
from worldsim.runs import duck
from worldsim.runs.disk import TEMPORARY, Disk, DiskError
from worldsim.runs.manifest import number_of
from worldsim.runs.partfiles import checked_path, is_packed, opened, pieces
from worldsim.runs.places import CACHE, EVENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from worldsim.runs.manifest import Part

    Progress = Callable[[int, int], None]
    """Called with the bytes of log that are cached by now and those to be cached."""

FORMAT = 1
"""Of what is in the files, besides the columns. A higher number makes all of them anew."""
LEAST_BYTES = 8 * 2**20
"""Of a log for which a cache pays: 30,000 events, which take 0.1 s to read without."""
FILE_BYTES = 32 * 2**20
"""Of the log in one file: as many events as DuckDB puts into one group of rows, or a few more."""
FRAME_BYTES = 2**20
"""More than what a file without events has: the names of its columns."""
EXPANSION = 10
"""What compressed segments unpack to, roughly, in their own size."""

NAME = re.compile(r"(?P<about>\d{6,7}-\d{6,7}-[0-9a-f]{32})-(?P<own>[0-9a-f]{32})\.parquet")
CAREFULLY = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class EventCache:
    """The cached events of one run. No error of it is anybody's: without it a query is slower.

    Args:
        folder: Of the run.
        on_made: Called before the first file is made, and after each. Never, if none must be made.
    """

    def __init__(self, folder: Path, on_made: Progress | None = None) -> None:
        self._folder = folder
        self._at = folder / CACHE / EVENTS
        self._on_made: Progress = on_made or (lambda _done, _total: None)
        self._known: dict[Path, tuple[int, ...]] = {}  # checked before, as they were then

    def files(self, parts: Sequence[Part], *, closed: bool) -> tuple[list[str], list[Part]]:
        """The cached files of the first segments, made where they are missing, and the rest.

        Args:
            parts: All sealed segments, in order.
            closed: Whether there will be no more of them soon.

        Returns:
            Absolute paths in the order of events, and the segments that must be read themselves:
            all of them, where nothing can be written or the run is too small.

        Raises:
            LinkError, DamagedPartError: a segment is not what the manifest tells.
        """
        groups = grouped(parts, closed=closed)
        found = self._made(groups) if groups else []
        covered = sum(map(len, groups[: len(found)]))
        for part in parts[:covered]:
            with opened(self._folder, part):  # whether it is still there, of its size
                pass
        return [str(path.absolute()) for path in found], list(parts[covered:])

    def _made(self, groups: Sequence[Sequence[Part]]) -> list[Path]:
        """The files of the first groups, up to one that cannot be had: events stay in order."""
        there = self._names()
        sizes = [sum(map(_plain_bytes, group)) for group in groups]
        done = 0
        found: list[Path] = []
        told = False
        for group, size in zip(groups, sizes, strict=True):
            path = self._found(group, there)
            if path is None:
                if not told:
                    self._on_made(done, sum(sizes))
                told = True
                path = self._make(group)
            if path is None:
                break
            found.append(path)
            done += size
            if told:
                self._on_made(done, sum(sizes))
        return found

    def _names(self) -> dict[str, list[str]]:
        """Names in the folder, by what they tell the file is made of."""
        names: dict[str, list[str]] = {}
        if _is_folder(self._at.parent) and _is_folder(self._at):
            try:
                listed = sorted(os.listdir(self._at))  # noqa: PTH208  # names, not paths
            except OSError:
                return {}
            for name in listed:
                told = NAME.fullmatch(name)
                if told is not None:
                    names.setdefault(told["about"], []).append(name)
        return names

    def _found(self, group: Sequence[Part], there: dict[str, list[str]]) -> Path | None:
        """A file of these segments whose content fits its name. Others of that name go."""
        for name in there.get(self._about(group), []):
            path = self._at / name
            if self._is_whole(path, most=sum(map(_plain_bytes, group)) + FRAME_BYTES):
                return path
            try:
                path.unlink()
            except OSError:
                continue  # another reader was quicker, or it is a folder
        return None

    def _is_whole(self, path: Path, most: int) -> bool:
        """Whether a file has the checksum that is in its name, and the columns of today."""
        checksum = _checksum()
        try:
            with open(path, "rb", opener=_opened) as file:
                now = os.fstat(file.fileno())
                looks = (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns)
                if self._known.get(path) == looks:
                    return True
                if not stat.S_ISREG(now.st_mode) or now.st_size > most:
                    return False
                for piece in pieces(file):
                    checksum.update(piece)
        except OSError:
            return False
        if f"-{checksum.hexdigest()}." not in path.name or not self._has_columns(path):
            return False
        self._known[path] = looks
        return True

    def _about(self, group: Sequence[Part]) -> str:
        """What the name of a file tells of that which it is made of."""
        made_of = repr((FORMAT, self._columns, [part.sha256 for part in group])).encode()
        first, last = number_of(group[0]), number_of(group[-1])
        return f"{first:06}-{last:06}-{_checksum(made_of).hexdigest()}"

    @cached_property
    def _columns(self) -> dict[str, str]:
        return columns()  # 10 ms

    def _has_columns(self, path: Path) -> bool:
        """Whether it is Parquet of the columns that events have."""
        source = f"read_parquet({duck.text_list([str(path)])}, hive_partitioning = false)"
        try:
            found = self._looking.sql(f"SELECT * FROM {source}")  # noqa: S608  # nobody's SQL
            return dict(zip(found.columns, map(str, found.types), strict=True)) == self._columns
        except duckdb.Error:
            return False

    @cached_property
    def _looking(self) -> duckdb.DuckDBPyConnection:
        return duck.connect()

    def _make(self, group: Sequence[Part]) -> Path | None:
        """Make the file of these segments; None where that cannot be.

        Raises:
            LinkError, DamagedPartError: a segment is not what the manifest tells.
        """
        disk = Disk()
        beside = self._at / f"{secrets.token_hex(8)}{TEMPORARY}"
        try:
            if not self._prepared(disk, sum(map(_plain_bytes, group))):
                return None
            file = disk.open_append(beside)  # first, so that who may not write loses no time
        except WorldsimError:
            return None
        try:
            with closing(file):
                segments = [str(checked_path(self._folder, part).absolute()) for part in group]
                data = _parquet(segments)
                file.write(data)
            path = self._at / f"{self._about(group)}-{_checksum(data).hexdigest()}.parquet"
            disk.rename(beside, path)
        except (duckdb.Error, OSError, DiskError):
            return None  # no space, or lines that are no events: whoever reads them will tell
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
        self._is_whole(path, len(data))  # known from now on
        return path

    def _prepared(self, disk: Disk, size: int) -> bool:
        """Have the folder, if it may be used and the disk is not almost full."""
        for folder in (self._at.parent, self._at):
            if os.path.lexists(folder) and not _is_folder(folder):
                return False
        disk.make_folder(self._at)
        return disk.free_bytes(self._at) > 2 * size


def grouped(parts: Sequence[Part], *, closed: bool) -> list[list[Part]]:
    """The segments of each file, in order: always the same ones, however many come after them.

    Args:
        parts: All sealed segments, in order.
        closed: Whether the last file is made too, though more would go into it.

    Returns:
        None of a log too small for a cache to pay.
    """
    if sum(map(_plain_bytes, parts)) < LEAST_BYTES:
        return []
    groups: list[list[Part]] = []
    size = FILE_BYTES
    for part in parts:
        if size >= FILE_BYTES:
            groups.append([])
            size = 0
        groups[-1].append(part)
        size += _plain_bytes(part)
    return groups if closed or size >= FILE_BYTES else groups[:-1]


def _plain_bytes(part: Part) -> int:
    return part.bytes * (EXPANSION if is_packed(part) else 1)


def _checksum(data: bytes = b"") -> hashlib.blake2b:
    """Of 128 bits: it is the quickest, and nobody's proof of anything."""
    return hashlib.blake2b(data, digest_size=16)


def _opened(path: str, flags: int) -> int:
    """Open a file for reading, but neither a link nor, waiting for a writer, a pipe."""
    return os.open(path, flags | CAREFULLY)


def _is_folder(path: Path) -> bool:
    """Whether it is a folder, and no link to one."""
    return path.is_dir() and not path.is_symlink()


def _parquet(segments: Sequence[str]) -> bytes:
    """The events of some segments as a Parquet file, in their order."""
    with duck.connect() as connection, TemporaryDirectory(prefix="worldsim-") as scratch:
        file = Path(scratch) / "events.parquet"
        connection.execute(
            f"COPY ({duck.events_sql(segments, None, lines=False)}) TO {duck.text(str(file))}"
            " (FORMAT parquet, COMPRESSION zstd)"
        )
        return file.read_bytes()
