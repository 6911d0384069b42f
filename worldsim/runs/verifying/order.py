"""The order of a log: numbers, time, days, causes, rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.events.journal import LEVELS, MINUTES_A_DAY
from worldsim.events.kinds import DiceRolled

if TYPE_CHECKING:
    from worldsim.events.kinds import AnyEvent, Event, Level


class Order:
    """Follows a log from its first line on.

    Args:
        level: The lowest level the log holds.

    Attributes:
        day: Of the line before.
        days: The first and the last day that the lines to come may have.
    """

    __slots__ = ("_first", "_gapless", "_kept", "_rolled", "_t", "day", "days", "seq")

    def __init__(self, level: Level) -> None:
        self._kept = frozenset(LEVELS[LEVELS.index(level) :])
        self._gapless = level != "warning"
        self._first = 0  # event of this minute
        self._rolled = (-1, -1)  # event and number of the roll before
        self._t = 0
        self.day = 0
        self.days = (0, 0)
        self.seq = -1

    def problem(self, event: AnyEvent) -> str | None:
        """What is wrong with the next line; None if nothing."""
        t, day = event.t, event.day
        if t < self._t or day < self.day:
            return f"minute {t} of day {day} comes after minute {self._t} of day {self.day}"
        if day != t // MINUTES_A_DAY + 1 and (day or t):
            return f"minute {t} is not in day {day}"
        if not self.days[0] <= day <= self.days[1]:
            return f"day {day} is in the file of days {self.days[0]} to {self.days[1]}"
        if event.level != event.LEVEL or event.level not in self._kept:
            return f"it is of level {event.level}"
        if t != self._t or day != self.day:
            self._t, self.day, self._first = t, day, self.seq + 1
        return self._roll(event) if isinstance(event, DiceRolled) else self._event(event)

    def _event(self, event: Event) -> str | None:
        seq, cause = event.seq, event.cause
        if seq <= self.seq or (self._gapless and seq != self.seq + 1):
            wanted = f"{self.seq + 1}" if self._gapless else f"one after {self.seq}"
            return f"event {seq} is where {wanted} should be"
        if cause is not None and not 0 <= cause < seq:
            return f"event {seq} has event {cause} for its cause"
        self.seq = seq
        return None

    def _roll(self, roll: DiceRolled) -> str | None:
        """Rolls follow their event, which may have led to others in the same minute."""
        if not self._first <= roll.of <= self.seq:
            return f"roll of event {roll.of} is not where that event is"
        rolled, self._rolled = self._rolled, (roll.of, roll.n)
        if roll.n and rolled != (roll.of, roll.n - 1):
            return f"roll {roll.n} of event {roll.of} does not follow the one before"
        return None
