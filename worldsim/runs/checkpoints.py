"""Checkpoints: from each a run can go on to the same bytes. What they hold, when they are taken."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from worldsim.errors import WorldsimError
from worldsim.runs.manifest import (  # noqa: TC001 - msgspec reads them at run time
    Bytes,
    Counts,
    Day,
    Number,
    Sha256,
)
from worldsim.runs.places import CHECKPOINTS
from worldsim.runs.tables import OpenRows  # noqa: TC001 - likewise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.runs.manifest import Manifest, Part

VERSION = 1
SECONDS = 10.0
"""Wall time between checkpoints."""
MOST_SHARE = 0.01
"""Of wall time that checkpoints may cost, where nobody asks for more of them."""
DAYS_A_YEAR = 365
KEPT = 2
"""The latest ones are kept: the last may turn out to be damaged."""


class UnfitCheckpointError(WorldsimError):
    """A checkpoint from which nothing can go on."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        return f"{self.path} {self.reason}"


class OpenSegment(msgspec.Struct, frozen=True):
    """How much of the event log's open part belongs to a checkpoint.

    Attributes:
        number: Of the part.
        bytes: From its beginning.
        sha256: Of these bytes.
    """

    number: Number
    bytes: Bytes
    sha256: Sha256


class Checkpoint(msgspec.Struct, frozen=True, kw_only=True):
    """A run at a midnight: plain data, written as MessagePack.

    Attributes:
        version: Of this layout; the state within has its own.
        day: Days that have ended.
        segment: The event log up to here, besides the parts that are sealed.
        events: Lines of the log up to here.
        rows: Of the tables' open parts.
        state: Of the world and its journal, as ``Simulation.state`` gives it.
    """

    version: int = VERSION
    day: Day
    segment: OpenSegment
    events: Counts
    rows: OpenRows
    state: bytes


def encode(checkpoint: Checkpoint) -> bytes:
    """The file of a checkpoint."""
    return msgspec.msgpack.encode(checkpoint)


def decode(data: bytes, path: str) -> Checkpoint:
    """Read the file of a checkpoint.

    Raises:
        UnfitCheckpointError: it is none, or comes from a later worldsim.
    """
    try:
        version = msgspec.msgpack.decode(data, type=_Version).version
        if version != VERSION:
            reason = f"has layout {version}, this worldsim knows {VERSION}"
            raise UnfitCheckpointError(path, reason)
        checkpoint = msgspec.msgpack.decode(data, type=Checkpoint)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnfitCheckpointError(path, f"cannot be read: {error}") from error
    if not checkpoint.rows.is_whole():
        raise UnfitCheckpointError(path, "holds rows of tables that are no rows")
    return checkpoint


def segment_at(data: bytes, path: str) -> OpenSegment:
    """How much of the log's open part belongs to a checkpoint, read without the rest of it.

    Raises:
        UnfitCheckpointError: it is none.
    """
    try:
        return msgspec.msgpack.decode(data, type=_Segment).segment
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnfitCheckpointError(path, f"cannot be read: {error}") from error


class _Segment(msgspec.Struct):
    """What is asked for most often."""

    segment: OpenSegment


class _Version(msgspec.Struct):
    """What is looked at first: another layout may have anything else."""

    version: int


def day_of(part: Part) -> int:
    """The day of a checkpoint, by its path."""
    return int(part.path.removeprefix(f"{CHECKPOINTS}/").partition(".")[0])


def reached(manifest: Manifest) -> int:
    """The last day that is kept: in the files, or by a checkpoint to go on from."""
    latest = day_of(manifest.checkpoints[-1]) if manifest.checkpoints else 0
    return max(manifest.day, latest)


def outdated(checkpoints: Sequence[Part]) -> list[Part]:
    """Those that need not be kept: the first, one a simulated year and the latest ones are."""
    return [part for part in checkpoints[:-KEPT] if day_of(part) % DAYS_A_YEAR]


class Cadence:
    """When the next checkpoint is due.

    Args:
        days: Simulated days between checkpoints, if somebody asks for that.
        seconds: Wall time between them; more, where taking one costs much.
    """

    def __init__(self, days: int | None, seconds: float) -> None:
        self._days = days
        self._seconds = seconds
        self._begun = time.monotonic()
        self._cost = 0.0

    def due(self, day: int) -> bool:
        """Whether this midnight is one for a checkpoint.

        The end of a year is, so that every day can be looked at again without simulating all
        before it; but not where years pass so quickly that it would be felt.
        """
        if self._days is not None and day % self._days == 0:
            return True
        passed = time.monotonic() - self._begun
        least = self._cost / MOST_SHARE
        return passed >= max(least, 0.0 if day % DAYS_A_YEAR == 0 else self._seconds)

    def taken(self, cost: float) -> None:
        """A checkpoint was taken, and took so many seconds."""
        self._begun = time.monotonic()
        self._cost = cost
