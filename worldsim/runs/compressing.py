"""Sealed segments of the event log, compressed and plain."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from typing import TYPE_CHECKING

from worldsim.errors import WorldsimError
from worldsim.runs import manifest as manifests
from worldsim.runs.places import EVENTS, GZIP, segment_name

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.runs.disk import Disk
    from worldsim.runs.manifest import Manifest, Part

LEVEL = 6


class DamagedPartError(WorldsimError):
    """A file of a run is not what it was when it was sealed."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        return f"{self.path} {self.reason}"


def compress(folder: Path, manifest: Manifest, disk: Disk) -> int:
    """Compress all sealed segments of a run that nobody writes; the bytes freed.

    Each is written beside the plain one and told of in the manifest before that is removed, so a
    crash leaves a whole run.

    Raises:
        DamagedPartError: a segment is not what it was; it is left as it is.
    """
    freed = 0
    for n, part in enumerate(manifest.parts):
        if not (part.path.startswith(f"{EVENTS}/") and part.path.endswith(".jsonl")):
            continue
        data = checked(disk.read(folder / part.path), part, folder)
        small = gzip.compress(data, LEVEL, mtime=0)  # no clock: the same bytes always
        path = part.path + GZIP
        disk.write_file(folder / path, small)
        manifest.parts[n] = manifests.part_of(path, small)
        disk.write_file(folder / manifests.MANIFEST, manifests.encode(manifest))
        disk.remove_file(folder / part.path)
        freed += len(data) - len(small)
    return freed


def checked(data: bytes, part: Part, folder: Path) -> bytes:
    """The bytes of a sealed file.

    Raises:
        DamagedPartError: they are not what they were.
    """
    if len(data) != part.bytes or hashlib.sha256(data).hexdigest() != part.sha256:
        raise DamagedPartError(str(folder / part.path), "is not what it was: see worldsim verify")
    return data


def plain_segment(folder: Path, manifest: Manifest, number: int, disk: Disk) -> bytes:
    """The lines of a segment, whether it is compressed or not.

    Raises:
        DamagedPartError: it is compressed and was changed.
        DiskError: it cannot be read.
    """
    name = segment_name(number)
    for part in manifest.parts:
        if part.path == name + GZIP:
            return unpacked(checked(disk.read(folder / part.path), part, folder), folder, part)
    return disk.read(folder / name)


def unpacked(data: bytes, folder: Path, part: Part) -> bytes:
    """What a compressed segment holds.

    Raises:
        DamagedPartError: it cannot be unpacked.
    """
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise DamagedPartError(str(folder / part.path), f"cannot be unpacked: {error}") from error
