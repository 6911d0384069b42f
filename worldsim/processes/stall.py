"""Notices when a world stands still: nothing can happen any more, or time does not go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import simpy

from worldsim.errors import BrokenInvariantError
from worldsim.events.journal import MINUTES_A_DAY

if TYPE_CHECKING:
    from worldsim.processes.context import Context

AT_ONCE = 10_000
"""SimPy events in one minute, besides 100 for each process, after which time is said to stand."""


class StalledError(BrokenInvariantError):
    """The world cannot go on.

    Args:
        day: On which it stalled.
        why: What is wrong.
        waiting: Who waits, and for what.
    """

    def __init__(self, day: int, why: str, waiting: list[str]) -> None:
        super().__init__(day, why, waiting)
        self.day, self.why, self.waiting = day, why, waiting

    def __str__(self) -> str:
        listed = "".join(f"\n  {line}" for line in self.waiting)
        return f"the world stalled on day {self.day}: {self.why}{listed}"


class Watch:
    """Takes the processes through a day, and looks at what they wait for.

    At midnight everybody waits for the next dawn (DESIGN: so all state is plain data). Whoever does
    not will be waiting for ever: the dawn it should wait for will pass without it.

    Args:
        env: The simulation's.
        ctx: Its context.
    """

    def __init__(self, env: simpy.Environment, ctx: Context) -> None:
        self._env = env
        self._ctx = ctx
        self._ended = 0

    def live_until(self, minute: int) -> None:
        """Let everything happen that is due before a minute, which is a midnight.

        Raises:
            StalledError: there is too much of it at one minute, or somebody does not wait for dawn.
        """
        env, ranks = self._env, self._ctx.roster.ranks
        most = AT_ONCE + 100 * len(ranks)
        moment, left = -1.0, most
        while (now := env.peek()) < minute:
            if now != moment:
                moment, left = now, most
                self._ctx.journal.turn_to(int(now))
            env.step()
            left -= 1
            if left < 0:
                why = f"{most} things happened at minute {int(moment)} and time stands still"
                raise StalledError(self._today, why, self._who_waits())
        if len(self._ctx.dawn.callbacks or ()) + self._ended != len(ranks):
            self._look_closer()
        if env.peek() > minute:
            raise StalledError(self._today, "no dawn will come any more", self._who_waits())

    @property
    def _today(self) -> int:
        return int(self._env.now) // MINUTES_A_DAY + 1

    def _look_closer(self) -> None:
        """Some processes have ended, which is well; the others must wait for dawn."""
        ranks, dawn = self._ctx.roster.ranks, self._ctx.dawn
        stuck = [each for each in ranks if each.is_alive and each.target is not dawn]
        if stuck:
            why = f"{len(stuck)} of {len(ranks)} do not wait for the next dawn"
            raise StalledError(self._today, why, self._who_waits())
        self._ended = sum(not each.is_alive for each in ranks)

    def _who_waits(self) -> list[str]:
        """A line for each process, those first who do not wait for dawn."""
        ranks, dawn = self._ctx.roster.ranks, self._ctx.dawn
        alive = [process for process in ranks if process.is_alive]
        alive.sort(key=lambda each: (each.target is dawn, ranks[each]))
        return [
            f"{ranks[each][1]} waits for {self._named(each.target)} since day {self._today}"
            for each in alive
        ]

    def _named(self, target: simpy.Event | None) -> str:
        """What a process waits for, in words: an event's own text would hold its address."""
        if target is self._ctx.dawn:
            return "dawn"
        if isinstance(target, simpy.Timeout):
            return "a moment that is to come"
        if isinstance(target, simpy.Process):
            name = self._ctx.roster.ranks.get(target, (0, "another process"))[1]
            return f"{name} to end"
        if target is None or target.triggered:
            return "its turn, now"
        return "something that nobody has made happen"
