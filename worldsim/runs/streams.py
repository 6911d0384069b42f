"""The log of a run as a stream of bytes, for those who compare or count without looking inside."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

import msgspec

from worldsim.errors import WorldsimError

if TYPE_CHECKING:
    from worldsim.events.kinds import Level
    from worldsim.runs.reading import Run

ROLLED = b'{"event":"dice.rolled",'
WARNING = b'"level":"warning"'  # within a text the quotation marks would be escaped
KIND = re.compile(rb'\n\{"event":"([^"]+)"')
DAY = re.compile(rb'"day":([0-9]+),')


class DamagedLogError(WorldsimError):
    """A log holds what no log of worldsim holds."""

    def __init__(self, run: str, reason: str) -> None:
        super().__init__(run, reason)
        self.run, self.reason = run, reason

    def __str__(self) -> str:
        return f"the log of {self.run} is damaged: {self.reason}; see: worldsim verify {self.run}"


def no_event(run: str, line: bytes) -> DamagedLogError:
    """The error for a line that tells no event."""
    shown = line[:60].decode(errors="replace").rstrip()
    return DamagedLogError(run, f"{shown!r} is no event")


class _Least(msgspec.Struct):
    """What a line must have to be shown."""

    event: str
    t: int
    day: int
    level: str
    seq: int | None = None
    of: int | None = None
    n: int | None = None


def event_of(run: str, line: bytes) -> dict[str, Any]:
    """The event or roll that a line of a run tells.

    Raises:
        DamagedLogError: it tells none.
    """
    try:
        least = msgspec.json.decode(line, type=_Least)
        event: dict[str, Any] = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise no_event(run, line) from error
    if least.seq is None and (least.of is None or least.n is None):
        raise no_event(run, line)
    return event


def day_of_line(run: str, line: bytes) -> int:
    """The day on which the event of a line happened.

    Raises:
        DamagedLogError: it tells none.
    """
    found = DAY.search(line)
    if found is None:
        raise no_event(run, line)
    return int(found[1])


class Stream:
    """The whole lines of a log from a level on, in chunks.

    Args:
        run: A run; of one that is being written, what is there now.
        level: Not lower than that of the log.

    Attributes:
        rest: The lines to come next; empty before `fill` and at the end.
        last_day: How far the run came.
    """

    def __init__(self, run: Run, level: Level) -> None:
        chunks = run.chunks()
        if level != run.manifest.level:
            chunks = (_from_level(chunk, level) for chunk in chunks)
        self._chunks = chunks
        self._name = run.name
        self.rest = b""
        self.last_day = _last_day(run)

    def fill(self) -> bool:
        """Have lines in ``rest``, unless there are no more."""
        while not self.rest:
            chunk = next(self._chunks, None)
            if chunk is None:
                return False
            self.rest = chunk
        return True

    def take(self, size: int) -> bytes:
        """The first bytes of ``rest``, which leave it."""
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def ahead(self, number: int) -> list[dict[str, Any]]:
        """The events of the next lines, which stay where they are."""
        while self.rest.count(b"\n") < number and (chunk := next(self._chunks, None)) is not None:
            self.rest += chunk
        lines = self.rest.split(b"\n", number)[:number]
        return [self.event(line) for line in lines if line]

    def event(self, line: bytes) -> dict[str, Any]:
        """What a line of this log tells."""
        return event_of(self._name, line)

    def count(self, last: int) -> tuple[Counter[str], int]:
        """Go to the end.

        Args:
            last: The last day whose events are counted by kind.

        Returns:
            Events by kind, and how many there are after that day.

        Raises:
            DamagedLogError: a line that is no event.
        """
        counts: Counter[bytes] = Counter()
        beyond = 0
        while self.fill():
            chunk = self.take(len(self.rest))
            if day_of_line(self._name, chunk[chunk.rfind(b"\n", 0, -1) + 1 :]) > last:
                lines = chunk.splitlines(keepends=True)
                within = bisect_right(lines, last, key=lambda line: day_of_line(self._name, line))
                beyond += len(lines) - within
                chunk = b"".join(lines[:within])
            kinds = KIND.findall(b"\n" + chunk)
            if len(kinds) != chunk.count(b"\n"):
                lines = chunk.splitlines()
                wrong = next((line for line in lines if not KIND.match(b"\n" + line)), b"")
                raise no_event(self._name, wrong)
            counts.update(kinds)
        return Counter({kind.decode(): number for kind, number in counts.items()}), beyond


def _from_level(chunk: bytes, level: Level) -> bytes:
    lines = chunk.splitlines(keepends=True)
    if level == "info":
        return b"".join([line for line in lines if not line.startswith(ROLLED)])
    return b"".join([line for line in lines if WARNING in line])


def _last_day(run: Run) -> int:
    """How far a run came; the manifest of one that is being written, or was killed, lags behind."""
    manifest = run.manifest
    if manifest.status == "finished":
        return manifest.day
    unsealed = deque(run.day_lines(manifest.day + 1, manifest.days), maxlen=1)
    return max((event_of(run.name, line)["day"] for line in unsealed), default=manifest.day)
