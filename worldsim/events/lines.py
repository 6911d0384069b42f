"""From events to lines: structlog's pipeline, whose last processor is msgspec's encoder.

Events are typed structs handed whole to structlog, a day of them at once. Its global configuration
stays as the program around us left it.
"""

from __future__ import annotations

from types import UnionType
from typing import TYPE_CHECKING, Any, get_args

import msgspec
from structlog import BoundLoggerBase, wrap_logger

from worldsim.errors import BrokenInvariantError
from worldsim.events.kinds import AnyEvent, DiceRolled, Event

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_encoder = msgspec.json.Encoder()


class NotANumberError(BrokenInvariantError, ValueError):
    """An event holds a float that is infinite or not a number, which JSON cannot say."""

    def __init__(self, event: str, field: str, value: float) -> None:
        super().__init__(event, field, value)
        self.event, self.field, self.value = event, field, value

    def __str__(self) -> str:
        return f"event {self.event!r} has {self.field} = {self.value}, which is not finite"


class _Lines:
    """The end of structlog's pipeline."""

    __slots__ = ("write",)

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self.write = write

    def write_lines(self, rendered: bytes) -> None:
        """Hand the lines on, the newline of each included."""
        self.write(rendered)


class _EventLogger(BoundLoggerBase):
    """Passes events through the processors as they are: no context, no dictionary."""

    def log(self, events: Sequence[Event | DiceRolled]) -> None:
        rendered: Any = events
        for processor in self._processors:
            rendered = processor(self._logger, "write_lines", rendered)
        self._logger.write_lines(rendered)


def line_writer(
    write: Callable[[bytes], None],
) -> Callable[[Sequence[Event | DiceRolled]], None]:
    """What encodes events, one JSON line each, and gives the lines to ``write`` together."""
    logger: _EventLogger = wrap_logger(
        _Lines(write),
        processors=[_render],
        wrapper_class=_EventLogger,
        context_class=dict,
    ).bind()
    return logger.log


def _render(_logger: object, _method: str, events: Any) -> bytes:
    return _encoder.encode_lines(events)


def _may_be_float(annotation: Any) -> bool:
    return annotation is float or (
        isinstance(annotation, UnionType) and float in get_args(annotation)
    )


def _float_fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    return tuple(f.name for f in msgspec.structs.fields(kind) if _may_be_float(f.type))


HAS_FLOATS = {kind: names for kind in get_args(AnyEvent) if (names := _float_fields(kind))}
"""The float fields of each kind that has any."""
