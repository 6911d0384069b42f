"""Sealed segments of the event log, compressed and plain."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from worldsim.runs import manifest as manifests
from worldsim.runs.manifest import MANIFEST
from worldsim.runs.partfiles import MOST_EXPANSION, PLAIN, live_lines, plain_file, sealed_lines
from worldsim.runs.places import GZIP, segment_name

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.runs.disk import Disk
    from worldsim.runs.manifest import Manifest

LEVEL = 6


def compress(folder: Path, manifest: Manifest, disk: Disk) -> int:
    """Compress all sealed segments of a run that nobody writes; the bytes freed.

    Each is written beside the plain one and told of in the manifest before that is removed, so a
    crash leaves a whole run. One that readers would take for a bomb stays plain.

    Raises:
        LinkError, DamagedPartError: a segment is not what it was; it is left as it is.
        DiskError: it cannot be written.
    """
    freed = 0
    for part in [each for each in manifest.parts if each.path.endswith(PLAIN)]:
        data = b"".join(sealed_lines(folder, part))
        small = gzip.compress(data, LEVEL, mtime=0)  # no clock: the same bytes always
        if len(small) * MOST_EXPANSION <= len(data) or len(small) >= len(data):
            continue
        packed = manifests.part_of(part.path + GZIP, small)
        disk.write_file(folder / packed.path, small)
        manifest.parts[manifest.parts.index(part)] = packed
        disk.write_file(folder / MANIFEST, manifests.encode(manifest))
        disk.remove_file(folder / part.path)
        freed += len(data) - len(small)
    return freed


def plain_segment(folder: Path, manifest: Manifest, number: int, size: int) -> bytes:
    """The first bytes of a segment, whether it is compressed or not.

    Args:
        folder: Of the run.
        manifest: Its.
        number: Of the segment.
        size: Bytes wanted; fewer are returned where there are not so many.

    Raises:
        LinkError, DamagedPartError: it is missing, or compressed and was changed.
    """
    name = segment_name(number)
    packed = next((part for part in manifest.parts if part.path == name + GZIP), None)
    if packed is None:
        chunks = live_lines(plain_file(folder, name))
    else:
        chunks = sealed_lines(folder, packed)
    data = bytearray()
    for chunk in chunks:
        data += chunk
        if len(data) >= size:
            break
    return bytes(data[:size])
