"""The unit: what SimPy itself costs. Machines differ and are noisy; ratios to the unit travel."""

from __future__ import annotations

import gc
import statistics
import time
from typing import TYPE_CHECKING, Any

import simpy

if TYPE_CHECKING:
    from collections.abc import Generator

TEAMS = 100
WARM_DAYS = 10
USUAL = (700, 10, 10)  # Python 3.11's thresholds of its garbage collector
TIMEOUTS = 20_000  # in one measurement, some 20 ms


class Unit:
    """A loop of bare processes, to be timed now and then between other work.

    Args:
        teams: Processes, each of which waits one ``timeout(1)`` a day.
    """

    def __init__(self, teams: int = TEAMS) -> None:
        self._env = simpy.Environment()
        self._teams = teams
        self._days = max(2, TIMEOUTS // teams)
        self.measured: list[float] = []
        for _ in range(teams):
            self._env.process(self._sleeper())
        self._env.run(WARM_DAYS)

    def _sleeper(self) -> Generator[simpy.Event, Any, None]:
        while True:
            yield self._env.timeout(1)

    def time(self) -> float:
        """CPU microseconds of one timeout, measured now."""
        until = self._env.now + self._days
        thresholds = gc.get_threshold()
        gc.set_threshold(*USUAL)  # a campaign sets its own, and the unit is to be one thing
        begun = time.process_time()
        self._env.run(until)
        cost = (time.process_time() - begun) / (self._days * self._teams) * 1e6
        gc.set_threshold(*thresholds)
        self.measured.append(cost)
        return cost

    @property
    def us(self) -> float:
        """The median of what was measured so far."""
        return statistics.median(self.measured)
