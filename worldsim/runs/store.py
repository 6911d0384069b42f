"""Where a running campaign's lines and rows go: a run directory, or memory."""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from filelock import FileLock, Timeout

from worldsim.errors import WorldsimError
from worldsim.runs import manifest as manifests
from worldsim.runs.disk import DiskError
from worldsim.runs.manifest import MANIFEST, Part
from worldsim.runs.places import (
    CHECKPOINTS,
    EVENTS,
    LOCK,
    RUN_LOG,
    SCENARIO,
    FolderTakenError,
    checkpoint_name,
    part_name,
    segment_name,
)
from worldsim.runs.tables import TABLES

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from worldsim.runs.disk import Appender, Disk
    from worldsim.runs.manifest import Counts, Manifest, Status
    from worldsim.runs.tables import Arrays

FLUSH_EVERY_S = 1.0
FLUSH_BYTES = 8 * 2**20


class InUseError(WorldsimError):
    """Another process writes this run."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"{self.path} is being written by another process"


class Store(Protocol):
    """What a campaign needs of the place its run is kept in.

    Attributes:
        lines: Event lines not yet kept. The journal extends it, and it is the same object always:
            so a line costs no call of ours.
        manifest: What is known of the run; ``day`` is set by the campaign.
    """

    lines: bytearray
    manifest: Manifest

    def begin(self, scenario_toml: str, checkpoint: bytes) -> None:
        """Before day 1; the founding events are in ``lines``."""

    def midnight(self) -> None:
        """After each day that ends no part."""

    def cut(self, rows: dict[str, Arrays]) -> None:
        """Seal a part: its lines, and its rows by table."""

    def end(self, status: Status, rows: dict[str, Arrays]) -> None:
        """Nothing follows. Of a run that is not finished the last part stays unsealed."""


def count_lines(lines: bytes | bytearray, counts: Counts) -> None:
    """Add lines to the counts by level.

    In JSON a quotation mark within a text is escaped, so the words looked for are keys.
    """
    total = lines.count(b"\n")
    warnings = lines.count(b'"level":"warning"')
    rolls = lines.count(b'"level":"debug"')
    counts.debug += rolls
    counts.warning += warnings
    counts.info += total - warnings - rolls


@dataclass(slots=True)
class MemoryStore:
    """Keeps everything in memory: segments as bytes, tables as arrays, part by part."""

    manifest: Manifest
    lines: bytearray = field(default_factory=bytearray)
    segments: list[bytes] = field(default_factory=list)
    tables: dict[str, list[Arrays]] = field(default_factory=lambda: {name: [] for name in TABLES})

    def begin(self, scenario_toml: str, checkpoint: bytes) -> None:
        """Nothing to prepare."""

    def midnight(self) -> None:
        """Nothing to do: nobody follows a run in memory."""

    def cut(self, rows: dict[str, Arrays]) -> None:
        """Keep a part."""
        count_lines(self.lines, self.manifest.events)
        self.segments.append(bytes(self.lines))
        self.lines.clear()
        for table, arrays in rows.items():
            self.tables[table].append(arrays)

    def end(self, status: Status, rows: dict[str, Arrays]) -> None:
        """Keep the last part."""
        self.cut(rows)
        self.manifest.status = status
        self.manifest.ended = time.time()


class FolderStore:
    """A run directory that is being written.

    Args:
        folder: Must not exist. Until ``begin`` is done, nothing has this name.
        manifest: What is known before day 1.
        disk: All bytes go through it.

    Attributes:
        lines, manifest: As in `Store`.
    """

    def __init__(self, folder: Path, manifest: Manifest, disk: Disk) -> None:
        self.folder = folder
        self.manifest = manifest
        self.lines = bytearray()
        self._disk = disk
        self._lock = FileLock(folder / LOCK, timeout=0)
        self._log: Appender | None = None
        self._segment: Appender | None = None
        self._number = 1
        self._bytes = 0
        self._sha256 = hashlib.sha256()
        self._flushed = time.monotonic()
        self._duck: duckdb.DuckDBPyConnection | None = None

    def begin(self, scenario_toml: str, checkpoint: bytes) -> None:
        """Make the directory under another name, then rename it.

        Raises:
            FolderTakenError: something has its name by now.
            DiskError: nothing has its name then; a folder ``.name.tmp-…`` may be left.
        """
        self.manifest.parts = [
            manifests.part_of(SCENARIO, scenario_toml.encode()),
            manifests.part_of(checkpoint_name(0), checkpoint),
        ]
        made = self.folder.with_name(f".{self.folder.name}.tmp-{time.time_ns():x}")
        try:
            for name in (EVENTS, CHECKPOINTS, *TABLES):
                self._disk.make_folder(made / name)
            self._disk.write_file(made / SCENARIO, scenario_toml.encode())
            self._disk.write_file(made / checkpoint_name(0), checkpoint)
            self._disk.write_file(made / MANIFEST, manifests.encode(self.manifest))
            if self.folder.exists():
                raise FolderTakenError(str(self.folder))
            self._disk.rename(made, self.folder)
        except WorldsimError as error:
            with suppress(WorldsimError):
                self._disk.remove_folder(made)
            if isinstance(error, DiskError):  # which names a file that nobody asked for
                raise DiskError("make the run", str(self.folder), error.reason) from error
            raise
        self._open()

    def midnight(self) -> None:
        """Let others read along, about every second."""
        now = time.monotonic()
        if now - self._flushed >= FLUSH_EVERY_S or len(self.lines) >= FLUSH_BYTES:
            self._flush()

    def cut(self, rows: dict[str, Arrays]) -> None:
        """Seal the open part: synced, its checksums in the manifest, which comes last."""
        self._seal(rows)
        self._write_manifest()
        self._note(f"day {self.manifest.day}: part {self._number - 1} sealed")

    def end(self, status: Status, rows: dict[str, Arrays]) -> None:
        """Close the run, and let go of it whatever happens.

        The rows of a part that stays unsealed are written as well, so that they can be read.
        """
        try:
            if status == "finished":
                self._seal(rows)
            else:
                self._flush()
                self._close_segment()
                self._write_rows(rows)
            self.manifest.status = status
            self.manifest.ended = time.time()
            self._write_manifest()
            error = f": {self.manifest.error}" if self.manifest.error else ""
            self._note(f"{status} after day {self.manifest.day}{error}")
        finally:
            self._let_go()

    def _open(self) -> None:
        try:
            self._lock.acquire()
        except Timeout as error:
            raise InUseError(str(self.folder)) from error
        self._log = self._disk.open_append(self.folder / RUN_LOG)
        manifest = self.manifest
        self._note(
            f"started {manifest.campaign}, seed {manifest.seed}, {manifest.days} days,"
            f" worldsim {manifest.versions.worldsim}"
        )

    def _let_go(self) -> None:
        for file in (self._segment, self._log):
            if file is not None:
                with suppress(WorldsimError):
                    file.close()
        self._segment = self._log = None
        if self._duck is not None:
            self._duck.close()
        if self._lock.is_locked:
            (self.folder / LOCK).unlink(missing_ok=True)
            self._lock.release()

    def _flush(self) -> None:
        self._flushed = time.monotonic()
        if not self.lines:
            return
        if self._segment is None:
            self._segment = self._disk.open_append(self.folder / segment_name(self._number))
        self._segment.write(self.lines)
        self._sha256.update(self.lines)
        self._bytes += len(self.lines)
        count_lines(self.lines, self.manifest.events)
        self.lines.clear()

    def _close_segment(self) -> None:
        if self._segment is not None:
            self._segment.sync()
            self._segment.close()
            self._segment = None
            self._disk.sync_folder(self.folder / EVENTS)

    def _seal(self, rows: dict[str, Arrays]) -> None:
        self._flush()
        self._close_segment()
        if self._bytes:
            name = segment_name(self._number)
            self.manifest.parts.append(Part(name, self._bytes, self._sha256.hexdigest()))
        self.manifest.parts += self._write_rows(rows)
        self._number += 1
        self._bytes = 0
        self._sha256 = hashlib.sha256()

    def _write_rows(self, rows: dict[str, Arrays]) -> list[Part]:
        # Imported here: a scenario that is refused should not wait for a database.
        from worldsim.runs import duck  # noqa: PLC0415

        if self._duck is None:
            self._duck = duck.connect(threads=1)
        parts: list[Part] = []
        for table, arrays in rows.items():
            if not len(arrays["day"]):
                continue
            name = part_name(table, self._number)
            data = duck.parquet(self._duck, table, arrays)
            self._disk.write_file(self.folder / name, data)
            parts.append(manifests.part_of(name, data))
        return parts

    def _write_manifest(self) -> None:
        self._disk.write_file(self.folder / MANIFEST, manifests.encode(self.manifest))

    def _note(self, what: str) -> None:
        if self._log is not None:
            stamp = datetime.now(UTC).isoformat(timespec="seconds")
            self._log.write(f"{stamp} {what}\n".encode())
