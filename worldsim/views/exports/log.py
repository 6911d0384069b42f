"""The events of a run, one after another, as their kinds."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from worldsim.events.decoding import NoEventLineError, events_in
from worldsim.events.kinds import DiceRolled
from worldsim.runs.streams import DamagedLogError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from worldsim.events.kinds import AnyEvent
    from worldsim.runs import Run

    Told = Callable[[int], None]

COMMON = ("seq", "t", "day", "level", "cause", "of", "n")
"""Fields that say when and why, not what; the last two are those of rolls."""
EVERY = 10_000


class Log:
    """The log of a run as it is now, read once and counted on the way.

    Args:
        run: As far as it came.
        on_events: Told now and then how many lines were read.
        rolls: Whether the rolls of a log of level ``debug`` are wanted.

    Attributes:
        counts: Lines read so far by kind, rolls included.
    """

    def __init__(self, run: Run, on_events: Told | None = None, *, rolls: bool) -> None:
        self._run, self._told, self._rolls = run, on_events, rolls
        self.counts: Counter[str] = Counter()

    @property
    def events(self) -> int:
        """Events of level info and above."""
        return self.counts.total() - self.rolls

    @property
    def rolls(self) -> int:
        """Rolls behind them."""
        return self.counts["dice.rolled"]

    def __iter__(self) -> Iterator[AnyEvent]:
        """The events in their order.

        Raises:
            DamagedLogError: a line is none.
        """
        since = 0
        for chunk in self._run.chunks():
            try:
                found = events_in(chunk)
            except NoEventLineError as error:
                raise DamagedLogError(self._run.name, str(error)) from error
            for event in found:
                self.counts[kind_of(event)] += 1
                if self._rolls or not isinstance(event, DiceRolled):
                    yield event
            since += len(found)
            if self._told is not None and since >= EVERY:
                self._told(self.counts.total())
                since = 0


def kind_of(event: AnyEvent) -> str:
    """The name of an event's kind."""
    return str(event.__struct_config__.tag)


def own_fields(event: AnyEvent) -> Iterator[tuple[str, Any]]:
    """What an event tells beside when and why."""
    for name in event.__struct_fields__:
        if name not in COMMON:
            yield name, getattr(event, name)


_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def as_json(value: Any) -> str:
    """Plain data as short JSON."""
    return _encoder.encode(value)
