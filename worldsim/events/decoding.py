"""From lines to events: strictly, since whoever reads a log relies on it."""

from __future__ import annotations

import msgspec

from worldsim.events.kinds import AnyEvent

_decoder = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder()


class NoEventLineError(ValueError):
    """A line that is no event.

    Args:
        number: Which one, from 1.
        reason: What is wrong with it.
    """

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(number, reason)
        self.number, self.reason = number, reason

    def __str__(self) -> str:
        return f"line {self.number} is no event: {self.reason}"


def events_in(lines: bytes) -> list[AnyEvent]:
    """The events that whole lines tell, each written exactly as worldsim writes it.

    Raises:
        NoEventLineError: a line is no event, has a field that its kind has not, or is written in
            another way.
    """
    try:
        events: list[AnyEvent] = _decoder.decode_lines(lines)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        events = []
    if not lines or (events and _encoder.encode_lines(events) == lines):
        return events
    return [_event_in(n, line) for n, line in enumerate(lines.split(b"\n")[:-1], 1)]


def _event_in(number: int, line: bytes) -> AnyEvent:
    try:
        event: AnyEvent = _decoder.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise NoEventLineError(number, str(error)) from error
    if _encoder.encode(event) != line:
        raise NoEventLineError(number, "it is not as worldsim writes it")
    return event
