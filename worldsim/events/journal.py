"""The journal: numbers what happened and writes it, one JSON line an event.

Events are typed structs handed whole to structlog, whose last processor is msgspec's encoder, so a
line costs about as much as a bare timeout of SimPy. Nothing here draws chance or looks at a clock
on the wall, and structlog's global configuration stays as the program around us left it.
"""

from __future__ import annotations

from math import isfinite
from types import UnionType
from typing import TYPE_CHECKING, Any, Protocol, get_args

import msgspec
from structlog import BoundLoggerBase, wrap_logger

from worldsim.errors import BrokenInvariantError
from worldsim.events.kinds import AnyEvent, DiceRolled, Event, Level

if TYPE_CHECKING:
    from collections.abc import Callable

MINUTES_A_DAY = 1440
LEVELS: tuple[Level, ...] = ("debug", "info", "warning")
"""From the most talkative to the gravest."""

_encoder = msgspec.json.Encoder()


class NotANumberError(BrokenInvariantError, ValueError):
    """An event holds a float that is infinite or not a number, which JSON cannot say."""

    def __init__(self, event: str, field: str, value: float) -> None:
        super().__init__(event, field, value)
        self.event, self.field, self.value = event, field, value

    def __str__(self) -> str:
        return f"event {self.event!r} has {self.field} = {self.value}, which is not finite"


class Clock(Protocol):
    """Anything that knows the time in minutes, such as a SimPy environment."""

    @property
    def now(self) -> int | float:
        """Minutes since the first dawn."""


class _Lines:
    """The end of structlog's pipeline: rendered bytes go on as lines."""

    __slots__ = ("write",)

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self.write = write


class _EventLogger(BoundLoggerBase):
    """Passes an event through the processors as it is: no context, no dictionary."""

    def log(self, event: Event | DiceRolled) -> None:
        rendered: Any = event
        for processor in self._processors:
            rendered = processor(self._logger, "write", rendered)
        self._logger.write(rendered)


def _may_be_float(annotation: Any) -> bool:
    return annotation is float or (
        isinstance(annotation, UnionType) and float in get_args(annotation)
    )


def _float_fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(f.name for f in msgspec.structs.fields(kind) if _may_be_float(f.type))


_FLOATS = {kind: names for kind in get_args(AnyEvent) if (names := _float_fields(kind))}


def _render_line(_logger: object, _method: str, event: Any) -> bytes:
    if type(event) in _FLOATS:
        _refuse_what_json_cannot_say(event)
    return _encoder.encode(event) + b"\n"


def _refuse_what_json_cannot_say(event: msgspec.Struct) -> None:
    """Stop at NaN and infinity: msgspec would write null, and the line could not be read back."""
    for name in _FLOATS[type(event)]:
        value = getattr(event, name)
        if value is not None and not isfinite(value):
            tag = event.__struct_config__.tag
            raise NotANumberError(str(tag), name, value)


class Journal:
    """Numbers, dates and writes events.

    Args:
        clock: Tells the simulated time.
        write: Takes each line, its newline included. Buffering is its concern.
        level: The lowest level written. It never changes the numbers of the events.
        on_event: Called with every event of level info and above, written or not, and with every
            roll while debugging.
        seq: The number of the next event: 0, or what a checkpoint says.

    Attributes:
        seq: The number the next event will get.
        debugging: Rolls are asked for. Callers make what goes with a roll only then.
        founding: Events belong to day 0, before the first dawn.
    """

    __slots__ = ("_clock", "_kept", "_log", "_on_event", "debugging", "founding", "seq")

    def __init__(
        self,
        clock: Clock,
        write: Callable[[bytes], None],
        *,
        level: Level = "info",
        on_event: Callable[[Event | DiceRolled], None] | None = None,
        seq: int = 0,
    ) -> None:
        self.seq = seq
        self.debugging = level == "debug"
        self.founding = False
        self._clock = clock
        self._on_event = on_event
        self._kept = frozenset(LEVELS[LEVELS.index(level) :])
        logger: _EventLogger = wrap_logger(
            _Lines(write),
            processors=[_render_line],
            wrapper_class=_EventLogger,
            context_class=dict,
        ).bind()
        self._log = logger.log

    def record(self, kind: type[Event], /, *, cause: int | None, **fields: Any) -> int:
        """Write one event of level info or above.

        Args:
            kind: What happened. Its ``LEVEL`` decides whether it is written.
            cause: The number of the event that led to it.
            fields: The fields of the kind, all of them.

        Returns:
            The event's number. It is the same whatever level is written.

        Raises:
            NotANumberError: a float field is infinite or not a number.
        """
        seq = self.seq
        self.seq = seq + 1
        level = kind.LEVEL
        written = level in self._kept
        if written or self._on_event is not None:
            t = int(self._clock.now)
            day = 0 if self.founding else t // MINUTES_A_DAY + 1
            event = kind(seq, t, day, level, cause, **fields)
            if written:
                self._log(event)
            if self._on_event is not None:
                self._on_event(event)
        return seq

    def roll(self, of: int, n: int, **fields: Any) -> None:
        """Write one roll behind event ``of``, its ``n``-th, where debugging; else do nothing.

        Raises:
            NotANumberError: a float field is infinite or not a number.
        """
        if not self.debugging:
            return
        t = int(self._clock.now)
        day = 0 if self.founding else t // MINUTES_A_DAY + 1
        roll = DiceRolled(of, n, t, day, "debug", **fields)
        self._log(roll)
        if self._on_event is not None:
            self._on_event(roll)
