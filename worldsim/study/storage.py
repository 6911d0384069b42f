"""A study's folder that is being filled, and reading it back.

``status.jsonl`` gets a line as soon as a campaign ends, so killing the process loses at most those
in flight. Parts are Parquet files of a fixed stretch of the plan each, written as a whole when the
last campaign of the stretch has ended: the same rows in the same bytes, whoever simulated them.
"""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from worldsim.errors import WorldsimError
from worldsim.runs import manifest as runs_manifest
from worldsim.runs.disk import Disk, DiskError
from worldsim.runs.folder import hold
from worldsim.runs.places import LOCK, FolderTakenError
from worldsim.study.manifest import (
    MANIFEST,
    DamagedStudyError,
    SealedPart,
    Status,
    StudyManifest,
    decode,
    encode,
)
from worldsim.study.places import PARTS, STATUS, STUDY, NotAStudyError
from worldsim.study.status import note_line, read_status, row_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any, Self

    from worldsim.runs.disk import Appender
    from worldsim.study.work import Outcome

    Rows = dict[tuple[int, int], Outcome]

SYNC_S = 1.0
"""The most that a power cut may cost besides the campaigns in flight."""
LARGEST_MANIFEST_BYTES = 2**28


def versions() -> dict[str, str]:
    """Of what a study's campaigns depend on."""
    found = runs_manifest.versions()
    return {name: getattr(found, name) for name in found.__struct_fields__}


def read_manifest(folder: Path) -> StudyManifest:
    """The manifest of a study's folder.

    Raises:
        NotAStudyError: there is none.
        DamagedStudyError: it cannot be trusted.
    """
    path = folder / MANIFEST
    try:
        if not path.is_file() or path.is_symlink():
            raise NotAStudyError(str(folder))
        if path.stat().st_size > LARGEST_MANIFEST_BYTES:
            raise DamagedStudyError(str(path), "is too large to be a manifest")
    except (OSError, ValueError):  # too long a name, or a NUL in it
        raise NotAStudyError(str(folder)) from None
    return decode(Disk().read(path), str(path))


def read_rows(folder: Path) -> Rows:
    """The campaigns of a study that came to an end, also while it is being filled.

    Raises:
        DamagedStudyError: its status file is not what worldsim wrote.
    """
    path = _plain(folder / STATUS)
    return read_status(Disk().read(path), str(path))[0] if path.exists() else {}


def make_folder(
    folder: Path, manifest: StudyManifest, files: Mapping[str, str], disk: Disk | None = None
) -> None:
    """Make the folder of a new study: under another name, which is then changed.

    Args:
        folder: Which does not exist.
        manifest: Of the study.
        files: Texts by their paths in the folder.
        disk: Instead of the real one.

    Raises:
        FolderTakenError: something is there.
        UnfitPlaceError: no folder can be made there.
        DiskError: it could not be written.
    """
    disk = disk or Disk()
    if os.path.lexists(folder):
        raise FolderTakenError(str(folder))
    disk.check_place(folder)
    made = folder.with_name(f".{folder.name}.tmp-{time.time_ns():x}")
    try:
        disk.make_folder(made / PARTS)
        for name, text in files.items():
            disk.make_folder((made / name).parent)
            disk.write_file(made / name, text.encode())
        disk.write_file(made / STATUS, note_line("made", name=manifest.name))
        disk.write_file(made / MANIFEST, encode(manifest))
        if os.path.lexists(folder):
            raise FolderTakenError(str(folder))
        disk.rename(made, folder)
    except WorldsimError as error:
        with suppress(WorldsimError):
            disk.remove_folder(made)
        if isinstance(error, DiskError):  # which names a file that nobody asked for
            raise DiskError("make the study", str(folder), error.reason) from error
        raise


class StudyFolder:
    """A study's folder that is being filled. To be used in a ``with``: nobody else fills it then.

    Args:
        folder: Of a study.
        disk: Instead of the real one.

    Attributes:
        manifest: Of the study.
        rows: What came to an end so far.

    Raises:
        InUseError: somebody else fills it.
    """

    def __init__(self, folder: Path, disk: Disk | None = None) -> None:
        self.folder = folder
        self._disk = disk or Disk()
        self._synced = time.monotonic()
        for name in (LOCK, MANIFEST, STATUS, STUDY, PARTS):
            _plain(folder / name)
        self._lock = hold(folder)
        try:
            self.manifest = read_manifest(folder)
            self.rows = self._trusted_rows()
            self._status: Appender = self._disk.open_append(folder / STATUS)
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(WorldsimError):
            self._status.close()
        (self.folder / LOCK).unlink(missing_ok=True)
        self._lock.release()

    def begin(self, total: int) -> None:
        """Note that somebody is at it, until there are so many replications.

        What a crash left in the place of parts is removed.
        """
        manifest = self.manifest
        if total > manifest.totals[-1]:
            manifest.totals.append(total)
        manifest.status, manifest.ended = "running", None
        self._write_manifest()
        told = {part.path for part in manifest.parts}
        for name in self._disk.names(self.folder / PARTS):
            if f"{PARTS}/{name}" not in told:
                self._disk.remove_file(self.folder / PARTS / name)
        self.note("begun", replications=total)

    def add(self, outcome: Outcome) -> None:
        """Keep what became of a campaign; one that is there already stays as it is."""
        run = outcome.cell, outcome.replication
        if run in self.rows:
            return
        self._status.write(row_line(outcome))
        self.rows[run] = outcome
        if time.monotonic() - self._synced >= SYNC_S:
            self._status.sync()
            self._synced = time.monotonic()

    def note(self, event: str, **fields: Any) -> None:
        """Keep what happened to the study as a whole."""
        self._status.write(note_line(event, **fields))

    def seal(self, number: int, data: bytes, rows: int) -> None:
        """Keep a part, numbered from 1; the manifest tells of it afterwards."""
        path = f"{PARTS}/{number:06}.parquet"
        self._disk.write_file(self.folder / path, data)
        part = SealedPart(path, len(data), hashlib.sha256(data).hexdigest(), rows)
        others = [each for each in self.manifest.parts if each.path != path]
        self.manifest.parts = sorted([*others, part], key=lambda each: each.path)
        self._write_manifest()

    def sealed(self) -> set[int]:
        """The numbers of the parts that are sealed, and are what they were."""
        return {
            int(part.path.removeprefix(f"{PARTS}/").removesuffix(".parquet"))
            for part in self.manifest.parts
            if self._is_whole(part)
        }

    def end(self, status: Status) -> None:
        """Note that nobody is at it any more, and why."""
        self.note(status)
        self._status.sync()
        self.manifest.status, self.manifest.ended = status, time.time()
        self._write_manifest()

    def _is_whole(self, part: SealedPart) -> bool:
        path = self.folder / part.path
        if path.is_symlink() or not path.is_file() or path.stat().st_size != part.bytes:
            return False
        return hashlib.sha256(self._disk.read(path)).hexdigest() == part.sha256

    def _trusted_rows(self) -> Rows:
        """The rows that are there; a line that a crash tore is cut off."""
        path = self.folder / STATUS
        data = self._disk.read(path) if path.exists() else b""
        rows, trusted = read_status(data, str(path))
        if trusted < len(data):
            self._disk.truncate(path, trusted)
        return rows

    def _write_manifest(self) -> None:
        self._disk.write_file(self.folder / MANIFEST, encode(self.manifest))


def parts_of(order: Sequence[tuple[int, int]], rows: int) -> list[Sequence[tuple[int, int]]]:
    """The stretches of a round that make a part each."""
    return [order[start : start + rows] for start in range(0, len(order), rows)]


def _plain(path: Path) -> Path:
    """A path that is no link, which might lead anywhere.

    Raises:
        DamagedStudyError: it is one.
    """
    if path.is_symlink():
        raise DamagedStudyError(str(path), "is a link: worldsim makes none, and follows none here")
    return path
