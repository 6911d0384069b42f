"""Why something happened: the events that led to an event, back to the start, and their rolls."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np

from worldsim import __version__
from worldsim.errors import InputError
from worldsim.runs.checkpoints import reached
from worldsim.runs.sources import parts_of_days
from worldsim.runs.streams import DamagedLogError, event_of, no_event

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    import numpy.typing as npt

    from worldsim.events.kinds import Level
    from worldsim.runs.reading import Run

SHOWN_LINKS = 12
NONE = -1  # in the array of causes only
HEAD = re.compile(rb'"seq":(\d+),"t":\d+,"day":(\d+),"level":"\w+","cause":(\d+|null)')
WHOSE = re.compile(rb'"(?:seq|of)":(\d+),')


class NoEventError(InputError, LookupError):
    """A number that no event of a run has."""

    def __init__(self, run: str, seq: int, last: int) -> None:
        super().__init__(run, seq, last)
        self.run, self.seq, self.last = run, seq, last

    def __str__(self) -> str:
        right = (
            f"its events are numbered from 0 to {self.last}" if self.last >= 0 else "it has none"
        )
        return f"there is no event {self.seq} in {self.run}: {right}"


@dataclass(frozen=True, slots=True)
class Link:
    """One event of a chain.

    Attributes:
        event: As in the log.
        rolls: Its rolls, as in a log of level debug; None if they are not known.
    """

    event: dict[str, Any]
    rolls: list[dict[str, Any]] | None


@dataclass(frozen=True, slots=True)
class Chain:
    """What led to an event.

    Attributes:
        links: Oldest first; the last is the event itself.
        earlier: How many more there are before the first of them.
        founding: The event of the founding that the chain begins with, if neither the log nor
            simulating again tells it.
        problem: Why no rolls are known though they were wanted, for people.
    """

    links: list[Link]
    earlier: int
    founding: int | None
    problem: str | None


def causes_of(run: Run, seq: int, *, most: int | None = SHOWN_LINKS, rolls: bool = True) -> Chain:
    """Follow the causes of an event.

    What the log does not hold is simulated again: rolls below level debug, and of a log of
    warnings the events too.

    Args:
        run: The run.
        seq: The event's number.
        most: How many links are wanted at most, the latest ones; all if None.
        rolls: Whether rolls are wanted.

    Raises:
        NoEventError: there is no such event.
        DamagedLogError: the log is damaged.
        OtherVersionError: the events of a log of warnings cannot be simulated again.
        NotTheSameError: simulating again gave something else than what is stored.
    """
    history = _simulated(run, seq) if run.manifest.level == "warning" else _stored(run)
    newest_first, founding = history.chain(run.name, seq)
    wanted = newest_first[:most]
    made_by = run.manifest.versions.worldsim
    problem = None
    if rolls and run.manifest.level == "info" and made_by != __version__:
        rolls = False
        problem = f"rolls can be told by worldsim {made_by} only, which made the run"
    links = _links(run, wanted[::-1], rolls=rolls)
    return Chain(links, len(newest_first) - len(wanted), founding, problem)


@dataclass(frozen=True, slots=True)
class _History:
    """Number, cause and day of each event, by number.

    Attributes:
        seqs, causes, days: Of shape (N,); a cause is NONE where there is none.
        whole: Whether the founding is among them.
    """

    seqs: npt.NDArray[np.int64]
    causes: npt.NDArray[np.int64]
    days: npt.NDArray[np.int64]
    whole: bool

    def chain(self, run: str, seq: int) -> tuple[list[tuple[int, int]], int | None]:
        """Number and day of an event and of what led to it, newest first, then what is missing."""
        first, last = (int(self.seqs[0]), int(self.seqs[-1])) if len(self.seqs) else (0, -1)
        if not 0 <= seq <= last:
            raise NoEventError(run, seq, last)
        found: list[tuple[int, int]] = []
        while seq != NONE:
            if seq < first and not self.whole:
                return found, seq
            at = int(np.searchsorted(self.seqs, seq))
            cause = int(self.causes[at])
            if self.seqs[at] != seq or cause >= seq:
                raise DamagedLogError(run, f"event {seq} is not in it, or comes too late")
            found.append((seq, int(self.days[at])))
            seq = cause
        return found, None


def _stored(run: Run) -> _History:
    """From the log."""
    events = run.events().filter("seq IS NOT NULL")
    try:
        columns = (
            events.project(f"seq, coalesce(cause, {NONE}) AS cause, day").order("seq").fetchnumpy()
        )
    except duckdb.Error as error:  # a line that is torn in the middle of what was not sealed yet
        raise DamagedLogError(run.name, "a line of it cannot be read") from error
    seqs, causes, days = (np.ma.filled(columns[name], 0) for name in ("seq", "cause", "day"))
    return _History(seqs, causes, days, whole=True)


def _simulated(run: Run, seq: int) -> _History:
    """By simulating again, up to that event."""
    seqs, causes, days = array("q"), array("q"), array("q")
    for line in _replayed(run, range(1, reached(run.manifest) + 1), "info"):
        found = HEAD.search(line)
        if found is None:
            raise no_event(run.name, line)
        seqs.append(int(found[1]))
        days.append(int(found[2]))
        causes.append(NONE if found[3] == b"null" else int(found[3]))
        if seqs[-1] >= seq:
            break
    return _History(_array(seqs), _array(causes), _array(days), whole=False)


def _array(numbers: array[int]) -> npt.NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)


def _links(run: Run, wanted: Sequence[tuple[int, int]], *, rolls: bool) -> list[Link]:
    """The events of these numbers and days, with their rolls."""
    level = run.manifest.level
    last = reached(run.manifest)
    whose = {seq for seq, _ in wanted}
    days = sorted({day for _, day in wanted})
    again = [day for day in days if 1 <= day <= last]
    sources: list[Iterable[bytes]] = []
    if level != "warning":
        sources.append(_stored_lines(run, days))
    if (level == "info" and rolls) or level == "warning":
        sources.append(_replayed(run, again, "debug" if rolls else "info"))
    events, found = _sorted(run.name, chain.from_iterable(sources), whose)
    links: list[Link] = []
    for seq, day in wanted:
        if seq not in events:
            raise DamagedLogError(run.name, f"event {seq} is not in it")
        known = rolls and (level == "debug" or day <= last)
        links.append(Link(events[seq], found.get(seq, []) if known else None))
    return links


def _stored_lines(run: Run, days: Sequence[int]) -> Iterator[bytes]:
    """The lines of these days, which ascend, and of those between them in one part of the log."""
    length = run.manifest.segment_days
    for _, part in groupby(days, key=lambda day: parts_of_days(day, day, length)):
        first, *_, last = [*part] * 2
        yield from run.day_lines(first, last)


def _sorted(
    run: str, lines: Iterable[bytes], whose: Collection[int]
) -> tuple[dict[int, dict[str, Any]], dict[int, list[dict[str, Any]]]]:
    """The events of these numbers, and the rolls behind them, from many lines."""
    events: dict[int, dict[str, Any]] = {}
    rolls: dict[int, list[dict[str, Any]]] = {}
    for line in lines:
        found = WHOSE.search(line)
        if found is None or int(found[1]) not in whose:
            continue
        event = event_of(run, line)
        if "of" in event:
            rolls.setdefault(event["of"], []).append(event)
        else:
            events.setdefault(event["seq"], event)
    return events, rolls


def _replayed(run: Run, days: Collection[int], level: Level) -> Iterator[bytes]:
    # Imported here: a log of level debug needs no simulation.
    from worldsim.runs.replaying import replayed  # noqa: PLC0415

    return replayed(run, days, level=level) if days else iter(())
