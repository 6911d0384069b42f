"""The journal: numbers what happened and hands a day's events on to be written.

A day's events are encoded in one pass, which costs less than a line at a time. Nothing here draws
chance or looks at a clock on the wall.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from worldsim.events.kinds import DiceRolled, Event, Level
from worldsim.events.lines import HAS_FLOATS, NotANumberError, line_writer

if TYPE_CHECKING:
    from collections.abc import Callable

    import msgspec

MINUTES_A_DAY: Final = 1440
LEVELS: tuple[Level, ...] = ("debug", "info", "warning")
"""From the most talkative to the gravest."""


class Journal:
    """Numbers, dates and writes events.

    Args:
        write: Takes the lines, one or more at once, each with its newline, when the journal is
            flushed.
        level: The lowest level written; nothing is if None. It never changes the events' numbers.
        on_event: Called with every event of level info and above, written or not, and with every
            roll while debugging.
        seq: The number of the next event: 0, or what a checkpoint says.
        t: The minute it is, since the first dawn.

    Attributes:
        seq: The number the next event will get.
        t, day: When it happens: the minute, and its day from 1. Before the first dawn the day is 0,
            which is for whoever founds the world to say.
        level: The lowest level written.
        debugging: Rolls are asked for. Callers make what goes with a roll only then.
        silent: Nobody hears of events of level info. Callers may skip what they record every day.
    """

    __slots__ = (
        "_kept", "_on_event", "_pending", "_write_lines", "day", "debugging", "level", "seq",
        "silent", "t",
    )  # fmt: skip

    def __init__(
        self,
        write: Callable[[bytes], None],
        *,
        level: Level | None = "info",
        on_event: Callable[[Event | DiceRolled], None] | None = None,
        seq: int = 0,
        t: int = 0,
    ) -> None:
        self.seq = seq
        self.turn_to(t)
        self._on_event = on_event
        self.hear(level)
        self._pending: list[Event | DiceRolled] = []
        self._write_lines = line_writer(write)

    def turn_to(self, minute: int) -> None:
        """From now on it is this minute, from 0."""
        self.t = minute
        self.day = minute // MINUTES_A_DAY + 1

    def hear(self, level: Level | None) -> None:
        """From now on write events of this level and above; none at all if ``None``."""
        self.level = level
        self.debugging = level == "debug"
        self._kept = frozenset(() if level is None else LEVELS[LEVELS.index(level) :])
        self.silent = "info" not in self._kept and self._on_event is None

    def record(self, kind: type[Event], /, *, cause: int | None, **fields: Any) -> int:
        """Note one event of level info or above; it is written when the journal is flushed.

        Args:
            kind: What happened. Its ``LEVEL`` decides whether it is written.
            cause: The number of the event that led to it.
            fields: The fields of the kind, all of them.

        Returns:
            The event's number. It is the same whatever level is written.

        Raises:
            NotANumberError: a float field is infinite or not a number.
        """
        level = kind.LEVEL
        if level in self._kept or self._on_event is not None:
            return self.note(kind(self.seq, self.t, self.day, level, cause, **fields))
        return self.skip()

    def note(self, event: Event) -> int:
        """As ``record``, for what happens to every team every day and is told by thousands.

        Args:
            event: Made with this journal's ``seq``, ``t`` and ``day``, unless it is ``silent``.

        Raises:
            NotANumberError: a float field is infinite or not a number.
        """
        seq = self.skip()  # first of all: whoever is told of the event may fail
        if type(event) in HAS_FLOATS:
            refuse_what_json_cannot_say(event)
        if event.level in self._kept:
            self._pending.append(event)
        if self._on_event is not None:
            self._on_event(event)
        return seq

    def skip(self) -> int:
        """Count an event that nobody would hear of; its number."""
        seq = self.seq
        self.seq = seq + 1
        return seq

    def roll(self, of: int, n: int, **fields: Any) -> None:
        """Note one roll behind event ``of``, its ``n``-th, where debugging; else do nothing.

        Raises:
            NotANumberError: a float field is infinite or not a number.
        """
        if not self.debugging:
            return
        roll = DiceRolled(of, n, self.t, self.day, "debug", **fields)
        refuse_what_json_cannot_say(roll)
        self._pending.append(roll)
        if self._on_event is not None:
            self._on_event(roll)

    def flush(self) -> None:
        """Write what was noted since the last time."""
        if self._pending:
            pending, self._pending = self._pending, []
            self._write_lines(pending)


def refuse_what_json_cannot_say(event: msgspec.Struct) -> None:
    """Stop at NaN and infinity: msgspec would write null, and the line could not be read back.

    Raises:
        NotANumberError: a float field of the event is one of these.
    """
    for name in HAS_FLOATS[type(event)]:
        value = getattr(event, name)
        if value is not None and not isfinite(value):
            tag = event.__struct_config__.tag
            raise NotANumberError(str(tag), name, value)
