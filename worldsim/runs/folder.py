"""A run directory that is being written.

What is durable, and when: a checkpoint is made of a synced prefix of the open segment and a file
that names it; a sealed part of synced files. Only then does the manifest tell of them, and whoever
goes on believes the manifest. So nothing it tells of can be missing after a crash, and what it does
not tell of is made anew.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from worldsim.errors import WorldsimError
from worldsim.runs import checkpoints
from worldsim.runs import manifest as manifests
from worldsim.runs.checkpoints import Checkpoint, OpenSegment
from worldsim.runs.disk import DiskError
from worldsim.runs.manifest import MANIFEST, Part
from worldsim.runs.places import (
    CHECKPOINTS,
    EVENTS,
    LOCK,
    RUN_LOG,
    FolderTakenError,
    LinkError,
    checkpoint_name,
    part_name,
    segment_name,
)
from worldsim.runs.store import count_lines
from worldsim.runs.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import duckdb

    from worldsim.runs.disk import Appender, Disk
    from worldsim.runs.manifest import Manifest, Status
    from worldsim.runs.tables import Arrays, OpenRows

FLUSH_EVERY_S = 1.0
FLUSH_BYTES = 8 * 2**20


class InUseError(WorldsimError):
    """Another process writes this run."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"{self.path} is being written by another process"


def hold(folder: Path) -> FileLock:
    """Keep all others from writing a run.

    Raises:
        InUseError: somebody writes it.
        LinkError: the lock is a link.
    """
    path = folder / LOCK
    if path.is_symlink():
        raise LinkError(str(path))
    lock = FileLock(path, timeout=0.3)  # whoever only asks whether it is held, holds it a moment
    try:
        lock.acquire()
    except Timeout as error:
        raise InUseError(str(folder)) from error
    except OSError as error:
        raise DiskError("lock", str(path), error.strerror or str(error)) from error
    return lock


class FolderStore:
    """A run directory that is being written.

    Args:
        folder: Of a new run nothing has this name until ``begin`` is done.
        manifest: Of the run.
        disk: Takes all bytes.
        lock: Of a run that goes on, which is held already.

    Attributes:
        lines, manifest: As in `Store`.
    """

    def __init__(
        self, folder: Path, manifest: Manifest, disk: Disk, lock: FileLock | None = None
    ) -> None:
        self.folder = folder
        self.manifest = manifest
        self.lines = bytearray()
        self._disk = disk
        self._lock = lock
        self._log: Appender | None = None
        self._segment: Appender | None = None
        self._named = True
        self._number = 1
        self._bytes = 0
        self._sha256 = hashlib.sha256()
        self._flushed = time.monotonic()
        self._duck: duckdb.DuckDBPyConnection | None = None

    def begin(self, scenarios: Mapping[str, str], state: bytes, rows: OpenRows) -> None:
        """Make the directory under another name, then rename it.

        Raises:
            FolderTakenError: something has its name by now.
            DiskError: nothing has its name then; a folder ``.name.tmp-…`` may be left.
        """
        made = self.folder.with_name(f".{self.folder.name}.tmp-{time.time_ns():x}")
        try:
            self._fill(made, scenarios, state, rows)
            if self.folder.exists():
                raise FolderTakenError(str(self.folder))
            self._disk.rename(made, self.folder)
        except WorldsimError as error:
            with suppress(WorldsimError):
                self._disk.remove_folder(made)
            if isinstance(error, DiskError):  # which names a file that nobody asked for
                raise DiskError("make the run", str(self.folder), error.reason) from error
            raise
        self._lock = hold(self.folder)
        manifest = self.manifest
        self._open(
            f"started {manifest.campaign}, seed {manifest.seed}, {manifest.days} days,"
            f" worldsim {manifest.versions.worldsim}"
        )

    def go_on(self, checkpoint: Checkpoint, prefix: bytes) -> None:
        """Instead of ``begin``: forget what came after a checkpoint, and go on from there.

        Args:
            checkpoint: One that the manifest tells of.
            prefix: The bytes of the open segment that belong to it.

        Raises:
            DiskError: something could not be written; the run can be gone on with all the same.
        """
        segment, manifest = checkpoint.segment, self.manifest
        self._number, self._bytes = segment.number, segment.bytes
        self._sha256.update(prefix)
        manifest.parts = [
            part for part in manifest.parts if manifests.number_of(part) < self._number
        ]
        manifest.checkpoints = [
            part for part in manifest.checkpoints if checkpoints.day_of(part) <= checkpoint.day
        ]
        manifest.open_parts = []
        manifest.events = checkpoint.events
        manifest.status, manifest.error, manifest.ended = "running", None, None
        manifest.stopped = None
        manifest.day = (segment.number - 1) * manifest.segment_days
        path = self.folder / segment_name(segment.number)
        if segment.bytes and not path.exists():  # it was compressed
            self._disk.write_file(path, prefix)
        self._write_manifest()
        self._clean_up()  # what the manifest does not tell of may go now
        if segment.bytes:
            self._disk.truncate(path, segment.bytes)
        else:
            self._disk.remove_file(path)
        self._open(f"goes on after day {checkpoint.day}, to day {manifest.days}")

    def midnight(self) -> None:
        """Let others read along, about every second."""
        now = time.monotonic()
        if now - self._flushed >= FLUSH_EVERY_S or len(self.lines) >= FLUSH_BYTES:
            self._flush()

    def checkpoint(self, day: int, state: bytes, rows: OpenRows) -> None:
        """Keep all that it takes to go on from here."""
        self._flush()
        self._sync_segment()
        name = checkpoint_name(day)
        data = checkpoints.encode(self._checkpoint(day, state, rows))
        self._disk.write_file(self.folder / name, data)
        known = [*self.manifest.checkpoints, manifests.part_of(name, data)]
        old = checkpoints.outdated(known)
        self.manifest.checkpoints = [part for part in known if part not in old]
        self._write_manifest()
        for part in old:
            self._disk.remove_file(self.folder / part.path)

    def cut(self, day: int, rows: dict[str, Arrays]) -> None:
        """Seal the open part: synced, its checksums in the manifest, which comes last."""
        self._seal(day, rows)
        self._write_manifest()
        self._note(f"day {day}: part {self._number - 1} sealed")

    def end(self, status: Status, day: int, rows: dict[str, Arrays]) -> None:
        """Close the run, and let go of it whatever happens.

        The rows of a part that stays unsealed are written as well, so that they can be read.
        """
        try:
            if status == "finished":
                self._seal(day, rows)
            else:
                self._flush()
                self._sync_segment()
                self.manifest.open_parts = self._part_files(rows)
                self.manifest.day = day
            self._sign_off(status)
        except DiskError as error:
            self.manifest.error = str(error)
            self.abandon("failed")
            raise
        finally:
            self._let_go()

    def abandon(self, status: Status) -> None:
        """Close a run in the middle of a write: what was synced last stays the truth.

        Nothing that was not synced is synced now: after a failure that would prove nothing.
        """
        if self._lock is None or not self._lock.is_locked:
            return  # closed already
        try:
            with suppress(WorldsimError):
                self.manifest.open_parts = []
                self._sign_off(status)
        finally:
            self._let_go()

    def _sign_off(self, status: Status) -> None:
        manifest = self.manifest
        manifest.status, manifest.ended = status, time.time()
        self._write_manifest()
        error = f": {manifest.error}" if manifest.error else ""
        self._note(f"{status} after day {manifest.day}{error}")

    def _fill(self, made: Path, scenarios: Mapping[str, str], state: bytes, rows: OpenRows) -> None:
        """Write all that a run is before its first day; the manifest comes last."""
        disk, manifest = self._disk, self.manifest
        for name in (EVENTS, CHECKPOINTS, *TABLES):
            disk.make_folder(made / name)
        for name, text in scenarios.items():
            disk.make_folder((made / name).parent)
            disk.write_file(made / name, text.encode())
            manifest.parts.append(manifests.part_of(name, text.encode()))
        if self.lines:
            disk.write_file(made / segment_name(1), bytes(self.lines))
            self._written()
        name, data = checkpoint_name(0), checkpoints.encode(self._checkpoint(0, state, rows))
        disk.write_file(made / name, data)
        manifest.checkpoints.append(manifests.part_of(name, data))
        disk.write_file(made / MANIFEST, manifests.encode(manifest))

    def _checkpoint(self, day: int, state: bytes, rows: OpenRows) -> Checkpoint:
        segment = OpenSegment(self._number, self._bytes, self._sha256.hexdigest())
        return Checkpoint(
            day=day, segment=segment, events=self.manifest.events, rows=rows, state=state
        )

    def _clean_up(self) -> None:
        """Remove what the manifest does not tell of, but for the open segment."""
        told = {part.path for part in (*self.manifest.parts, *self.manifest.checkpoints)}
        told.add(segment_name(self._number))
        for folder in (EVENTS, CHECKPOINTS, *TABLES):
            for name in self._disk.names(self.folder / folder):
                if f"{folder}/{name}" not in told:
                    self._disk.remove_file(self.folder / folder / name)

    def _open(self, note: str) -> None:
        try:
            self._log = self._disk.open_append(self.folder / RUN_LOG)
            self._note(note)
        except BaseException:
            self._let_go()
            raise

    def _let_go(self) -> None:
        for file in (self._segment, self._log):
            if file is not None:
                with suppress(WorldsimError):
                    file.close()
        self._segment = self._log = None
        if self._duck is not None:
            self._duck.close()
        if self._lock is not None and self._lock.is_locked:
            (self.folder / LOCK).unlink(missing_ok=True)
            self._lock.release()

    def _flush(self) -> None:
        self._flushed = time.monotonic()
        if not self.lines:
            return
        if self._segment is None:
            self._segment = self._disk.open_append(self.folder / segment_name(self._number))
            self._named = False
        self._segment.write(self.lines)
        self._written()

    def _written(self) -> None:
        """The lines are in the open segment now."""
        self._sha256.update(self.lines)
        self._bytes += len(self.lines)
        count_lines(self.lines, self.manifest.events, self.manifest.level)
        self.lines.clear()

    def _sync_segment(self) -> None:
        if self._segment is not None:
            self._segment.sync()
        if not self._named:
            self._disk.sync_folder(self.folder / EVENTS)
            self._named = True

    def _seal(self, day: int, rows: dict[str, Arrays]) -> None:
        self._flush()
        self._sync_segment()
        if self._segment is not None:
            segment, self._segment = self._segment, None
            segment.close()
        self.manifest.parts += self._part_files(rows)
        self.manifest.day = day
        self._number += 1
        self._bytes = 0
        self._sha256 = hashlib.sha256()

    def _part_files(self, rows: dict[str, Arrays]) -> list[Part]:
        """The files of the open part, its tables written."""
        parts: list[Part] = []
        if self._bytes:
            name = segment_name(self._number)
            parts.append(Part(name, self._bytes, self._sha256.hexdigest()))
        return parts + self._write_rows(rows)

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
