"""The segment of the log that is not sealed: what may be believed of it."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, NamedTuple

from worldsim.errors import WorldsimError
from worldsim.events.decoding import NoEventLineError, events_in
from worldsim.runs.checkpoints import day_of, segment_at
from worldsim.runs.partfiles import (
    DamagedPartError,
    live_lines,
    plain_file,
    whole_file,
)
from worldsim.runs.places import segment_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worldsim.runs.checkpoints import OpenSegment
    from worldsim.runs.manifest import Manifest


class Live(NamedTuple):
    """The segment after those that are sealed."""

    path: Path
    number: int


def live_segment(folder: Path, manifest: Manifest) -> Live | None:
    """The segment that is written, or was when its writer died; no checksum is known of it.

    Raises:
        LinkError, DamagedPartError: what has its name is no file.
    """
    if is_closed(manifest):
        return None
    number = live_number(manifest)
    name = segment_name(number)
    return Live(plain_file(folder, name), number) if os.path.lexists(folder / name) else None


def is_closed(manifest: Manifest) -> bool:
    """Whether all that was logged is in files whose checksums are known."""
    return manifest.status == "finished" or bool(manifest.open_parts)


def live_number(manifest: Manifest) -> int:
    """The number of the part after those that are sealed."""
    return manifest.day // manifest.segment_days + 1


def check_first_lines(folder: Path, manifest: Manifest) -> None:
    """Compare the live segment of a run that nobody writes with what checkpoints tell of it.

    Raises:
        DamagedPartError: its first lines are not what they were.
    """
    for part in reversed(manifest.checkpoints):
        try:
            segment = segment_at(whole_file(folder, part), part.path)
        except WorldsimError:
            continue  # `verify` tells of it
        if segment.number == live_number(manifest) and segment.bytes:
            path = plain_file(folder, segment_name(segment.number))
            if not _begins_as(path, segment):
                reason = f"is not what it was on day {day_of(part)}"
                raise DamagedPartError(str(path), reason)
        return


def events_only(chunks: Iterator[bytes], path: Path) -> Iterator[bytes]:
    """The same chunks, as long as each of their lines is an event.

    What was written last, before a power cut, may be anything.

    Raises:
        DamagedPartError: one is none.
    """
    for chunk in chunks:
        try:
            events_in(chunk)
        except NoEventLineError as error:
            reason = f"holds a line that is no event ({error.reason})"
            raise DamagedPartError(str(path), reason) from error
        yield chunk


def _begins_as(path: Path, segment: OpenSegment) -> bool:
    sha256, left = hashlib.sha256(), segment.bytes
    for chunk in live_lines(path):
        sha256.update(chunk[:left])
        left -= min(left, len(chunk))
        if not left:
            break
    return not left and sha256.hexdigest() == segment.sha256
