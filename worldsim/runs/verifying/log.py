"""Goes through the log of a run once: every byte, line and event, and what they add up to."""

from __future__ import annotations

import hashlib
from copy import copy
from typing import TYPE_CHECKING

from worldsim.events.decoding import NoEventLineError, events_in
from worldsim.events.folding import BrokenLogError
from worldsim.events.kinds import CampaignStarted
from worldsim.runs.live import is_closed
from worldsim.runs.manifest import Counts
from worldsim.runs.partfiles import lines_in, live_lines, opened, pieces
from worldsim.runs.places import checkpoint_name, segment_name
from worldsim.runs.store import count_lines
from worldsim.runs.verifying.books import Books, unlike
from worldsim.runs.verifying.order import Order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from worldsim.events.kinds import AnyEvent
    from worldsim.runs.chapters import Scenarios
    from worldsim.runs.checkpoints import Checkpoint
    from worldsim.runs.live import Live
    from worldsim.runs.manifest import Manifest, Part
    from worldsim.runs.verifying.faults import Faults

    OnLines = Callable[[int, int], None]


class LogCheck:
    """Reads the segments of a log in their order, and meets the checkpoints on the way.

    Args:
        folder: Of the run.
        manifest: Its.
        kept: Its checkpoints, from the first to the last.
        scenarios: By which it was simulated.
        faults: Makes what is raised.
        on_lines: Called with the lines read so far, and with those there should be.

    Attributes:
        books: What the log comes to; None for a log of warnings.
        counts: Lines so far, by level.
        order: Where the log is.
        told: Lines up to the latest checkpoint that was met, by level.
    """

    def __init__(
        self, folder: Path, manifest: Manifest, kept: Sequence[Checkpoint], scenarios: Scenarios,
        faults: Faults, on_lines: OnLines | None,
    ) -> None:  # fmt: skip
        self.books = Books() if manifest.level != "warning" else None
        self.counts = Counts()
        self.order = Order(manifest.level)
        self.told = Counts()
        self._folder, self._days = folder, manifest.segment_days
        # What failed within a day is logged to the error; checkpoints and tables end before it.
        broken = manifest.status == "failed" and is_closed(manifest)
        self._booked = manifest.day if broken else manifest.days
        self._seed, self._lines = manifest.seed, manifest.events.total
        # A branch begins with the scenario of another run.
        self._digest = None if manifest.history else manifest.digest
        self._scenarios, self._faults, self._on_lines = scenarios, faults, on_lines
        self._ahead = list(kept)
        self._line = 0
        self._at = 0
        self._sha256 = hashlib.sha256()

    def sealed(self, part: Part, number: int) -> None:
        """Read a segment of which the checksum is known.

        Raises:
            FaultError: something is wrong with it, or with a checkpoint on the way.
        """
        path, file_sha256 = self._folder / part.path, hashlib.sha256()
        with self._faults.blaming(part.path), opened(self._folder, part) as file:

            def hashed() -> Iterator[bytes]:
                for piece in pieces(file):
                    file_sha256.update(piece)
                    yield piece

            self._read(lines_in(hashed(), path, part), part.path, number)
        if file_sha256.hexdigest() != part.sha256:
            raise self._faults.of(part.path, "is not what it was")

    def live(self, live: Live) -> None:
        """Read the whole lines of a segment of which no checksum is known.

        Raises:
            FaultError: something is wrong with it, or with a checkpoint on the way.
        """
        name = segment_name(live.number)
        with self._faults.blaming(name):
            self._read(live_lines(live.path), name, live.number)

    def end(self) -> None:
        """There are no more lines.

        Raises:
            FaultError: a checkpoint was not met.
        """
        while self._ahead and not self._ahead[0].segment.bytes:
            self._meet()
        for checkpoint in self._ahead[:1]:
            size, day = checkpoint.segment.bytes, checkpoint.day
            problem = f"ends before byte {size:,}, where it was at the checkpoint of day {day}"
            raise self._faults.of(segment_name(checkpoint.segment.number), problem)

    def _read(self, chunks: Iterator[bytes], file: str, number: int) -> None:
        first = (number - 1) * self._days
        self.order.days = (first + 1 if first else 0, first + self._days)
        self._line = self._at = 0
        self._sha256 = hashlib.sha256()
        while self._ahead and self._next_place() <= (number, 0):
            self._meet()
        for chunk in chunks:
            rest = chunk
            while self._ahead and self._next_place() <= (number, self._at + len(rest)):
                size = max(0, self._next_place()[1] - self._at)
                whole = rest.rfind(b"\n", 0, size) + 1  # as many as there must be, if all is well
                self._take(rest[:whole], file)
                rest = rest[whole:]
                self._meet()
            self._take(rest, file)
            if self._on_lines is not None:
                self._on_lines(self.counts.total, self._lines)

    def _next_place(self) -> tuple[int, int]:
        """The part and the byte at which the next checkpoint must be."""
        segment = self._ahead[0].segment
        return segment.number, segment.bytes

    def _take(self, lines: bytes, file: str) -> None:
        """Some more lines of a segment."""
        self._at += len(lines)
        self._sha256.update(lines)
        try:
            events = events_in(lines)
        except NoEventLineError as error:
            raise self._faults.of(file, error.reason, self._line + error.number) from error
        if self.counts.total == 0 and events:
            self._check_start(events[0], file)
        apply = None if self.books is None else self.books.apply
        problem_of = self.order.problem
        for n, event in enumerate(events, self._line + 1):
            problem = problem_of(event)
            if problem is not None:
                raise self._faults.of(file, problem, n)
            if apply is not None and event.day <= self._booked:
                try:
                    apply(event)
                except BrokenLogError as error:
                    raise self._faults.of(file, error.what, n) from error
        self._line += len(events)
        count_lines(lines, self.counts)

    def _check_start(self, first: AnyEvent, file: str) -> None:
        """The log begins with what the manifest tells of.

        Raises:
            FaultError: it does not.
        """
        if self.books is None:
            return
        problem = "the log does not begin with the start of a campaign"
        if isinstance(first, CampaignStarted):
            problem = f"it starts another campaign, of seed {first.seed} and digest {first.digest}"
            if (first.digest, first.seed) == (self._digest or first.digest, self._seed):
                return
        raise self._faults.of(file, problem, 1)

    def _meet(self) -> None:
        """The next checkpoint is here: it must hold what the log came to.

        Raises:
            FaultError: it does not.
        """
        checkpoint = self._ahead.pop(0)
        segment, day = checkpoint.segment, checkpoint.day
        if segment.bytes and (self._at, self._sha256.hexdigest()) != (
            segment.bytes,
            segment.sha256,
        ):
            problem = f"its first {segment.bytes:,} bytes are not those of day {day}"
            raise self._faults.of(segment_name(segment.number), problem)
        for problem in self._misfits(checkpoint):
            raise self._faults.of(checkpoint_name(day), problem)
        self.told = copy(self.counts)
        self.order.days = (max(self.order.days[0], checkpoint.day + 1), self.order.days[1])

    def _misfits(self, checkpoint: Checkpoint) -> Iterator[str]:
        segment, day = checkpoint.segment, checkpoint.day
        if checkpoint.events != self.counts:
            yield f"it counts {checkpoint.events}, but so far the log holds {self.counts}"
        if self.order.day > day or not 0 <= segment.number - 1 - (day - 1) // self._days <= 1:
            yield f"it is of day {day}, but lies after events of day {self.order.day}"
        if self.books is not None:
            unbalanced = self.books.unbalanced()
            differs = unlike(self.books.tally, day, checkpoint.state, self._scenarios.on(day))
            yield from (problem for problem in (unbalanced, differs) if problem is not None)
