"""A run in progress: it simulates day after day, and keeps what that tells."""

from __future__ import annotations

import gc
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from worldsim.errors import WorldsimError
from worldsim.runs.folder import FolderStore
from worldsim.runs.reading import Run
from worldsim.runs.sources import FolderSource, MemorySource
from worldsim.runs.store import MemoryStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import TracebackType
    from typing import Self

    from worldsim.events.kinds import DiceRolled, Event, Level
    from worldsim.runs.checkpoints import Cadence
    from worldsim.runs.manifest import Status
    from worldsim.runs.recorder import Recorder
    from worldsim.runs.store import Store
    from worldsim.scenario.interventions import Turn
    from worldsim.scenario.model import Scenario
    from worldsim.world.world import World

    OnEvent = Callable[[Event | DiceRolled], None]


SELDOM = (20_000, 20, 50)
"""Thresholds of Python's garbage collector while a campaign is simulated in a ``with``."""


class Simulation(Protocol):
    """What a campaign needs of the simulation it drives."""

    world: World

    def advance(self) -> None:
        """Simulate one more day, to its midnight."""

    def state(self) -> bytes:
        """All that a checkpoint must hold."""

    def turn(self, turn: Turn) -> None:
        """Record what is different from this midnight on."""

    def stopped(self) -> str | None:
        """Why the campaign ends at this midnight, if it does."""


class Build(Protocol):
    """Makes a simulation; what it records meanwhile is the founding."""

    def __call__(
        self,
        scenario: Scenario,
        *,
        seed: int,
        write: Callable[[bytes], None],
        level: Level | None,
        on_event: OnEvent | None,
        state: bytes | None = None,
        before: Scenario | None = None,
    ) -> Simulation:
        """Build the world of day 0, or that of a state, left by another scenario if ``before``."""


class Rebuild(Protocol):
    """Makes a simulation that goes on from a state; all else is as it was."""

    def __call__(
        self, scenario: Scenario, *, state: bytes | None = None, before: Scenario | None = None
    ) -> Simulation:
        """Build it."""


class Campaign:
    """A run in progress: iterate over it, and each day is simulated as it is asked for.

    Use it in a ``with``: left before its end, it is closed as interrupted.

    Args:
        scenario: What is simulated, with the seed and the days of this run in it.
        store: Keeps the run. It has begun.
        simulation: At the end of a day.
        recorder: Of the simulation's world.
        rebuild: Makes a simulation like this one of another scenario.
        day: Days that are simulated.
        cadence: When checkpoints are taken; None where nothing can be gone on from.
        turns: By the days after which another scenario holds.
        own: The scenario that is written as the run's; the one above if None.

    Attributes:
        scenario: The one that holds now.
        simulation: The simulation; look, but change nothing.
        day: Days that are simulated.
    """

    def __init__(
        self, scenario: Scenario, store: Store, simulation: Simulation, recorder: Recorder, *,
        rebuild: Rebuild, day: int = 0, cadence: Cadence | None = None,
        turns: Mapping[int, Turn] | None = None, own: Scenario | None = None,
    ) -> None:  # fmt: skip
        self.scenario = scenario
        self._own = own or scenario
        self.simulation = simulation
        self.day = day
        self._store = store
        self._recorder = recorder
        self._rebuild = rebuild
        self._cadence = cadence
        self._turns = turns or {}
        self._collecting = gc.get_threshold()
        self._ended = False
        self._keeping = False
        self._kept_day = day
        self._whole_days = len(store.lines)

    @property
    def world(self) -> World:
        """The world as it is now; look, but change nothing."""
        return self.simulation.world

    @property
    def days(self) -> int:
        """Days asked for."""
        return self._store.manifest.days

    @property
    def run(self) -> Run:
        """What was kept. A run in memory can be read when it has ended."""
        store = self._store
        if isinstance(store, FolderStore):
            return Run(FolderSource(store.folder))
        if not isinstance(store, MemoryStore) or not self._ended:
            raise WorldsimError("a run in memory can be read only when it has ended")
        return Run(MemorySource(self._own, store))

    def step(self) -> int:
        """Simulate one more day; the last one finishes the run.

        Returns:
            The day.

        Raises:
            WorldsimError: the run has ended; or what the simulation raised, which fails the run.
        """
        if self._ended:
            raise WorldsimError("this campaign has ended")
        try:
            self._turn_page()
            self.simulation.advance()
            self._keeping = True
            if self._keep_day():
                self._end("finished")
            self._keeping = False
        except KeyboardInterrupt:
            # The day is not over: resuming simulates it again, so what it said must go.
            del self._store.lines[self._whole_days :]
            self._give_up("interrupted")
            raise
        except BaseException as error:
            self._store.manifest.error = f"{type(error).__name__}: {error}"
            self._give_up("failed")
            raise
        return self.day

    def catch_up(self) -> None:
        """Of a run that goes on: do what a midnight asks for that another process did not do."""
        if self._is_over():
            self._end("finished")
        elif self.day and self.day == self._store.manifest.day + self._store.manifest.segment_days:
            self._cut()

    def stop(self) -> None:
        """End the run here, so that it can be resumed; nothing happens if it has ended.

        Raises:
            DiskError: something could not be kept; resuming goes further back.
        """
        if not self._ended:
            self._end("interrupted")

    def __iter__(self) -> Iterator[int]:
        """Each day, as it is over. Stops after the last, or where the run was ended."""
        while not self._ended:
            yield self.step()

    def __enter__(self) -> Self:
        # A day leaves much behind, but hardly a cycle: nothing is gained by searching often.
        self._collecting = gc.get_threshold()
        gc.set_threshold(*SELDOM)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        gc.set_threshold(*self._collecting)
        self.stop()

    def _turn_page(self) -> None:
        """Where an intervention, or a branch, begins: the same world, by another scenario."""
        turn = self._turns.get(self.day)
        if turn is None:
            return
        self.scenario = turn.after
        state = self.simulation.state()
        self.simulation = self._rebuild(turn.after, state=state, before=turn.before)
        self.simulation.turn(turn)
        self._recorder.watch(self.simulation.world)

    def _is_over(self) -> bool:
        """Whether the last day is over, or a condition to stop holds."""
        self._store.manifest.stopped = self.simulation.stopped() if self.day else None
        return self.day == self.days or self._store.manifest.stopped is not None

    def _keep_day(self) -> bool:
        """Keep what the day told; whether it was the last."""
        self.day += 1
        self._recorder.midnight(self.day)
        over = self._is_over()
        if not over:
            if self.day % self._store.manifest.segment_days == 0:
                self._cut()
            else:
                self._store.midnight()
            if self._cadence is not None and self._cadence.due(self.day):
                self._checkpoint()
        self._whole_days = len(self._store.lines)
        return over

    def _cut(self) -> None:
        self._store.cut(self.day, self._recorder.take())

    def _checkpoint(self) -> None:
        """Keep all that it takes to go on from this midnight, if that is not done."""
        if self._cadence is None or self._kept_day == self.day:
            return
        begun = time.monotonic()
        self._store.checkpoint(self.day, self.simulation.state(), self._recorder.open_rows())
        self._kept_day = self.day
        self._cadence.taken(time.monotonic() - begun)

    def _end(self, status: Status) -> None:
        """End the run at a midnight. The checkpoint comes first: extending goes on from it."""
        self._ended = True
        self._checkpoint()
        if status == "finished":
            self._recorder.last_day(self.day)
        self._store.end(status, self.day, self._recorder.take())

    def _give_up(self, status: Status) -> None:
        """End the run while an error is on its way, which must not be hidden by a second one.

        Within a day, all days before it are kept. In the middle of keeping something nobody knows
        how much of it was written: then what was kept before stays the truth.
        """
        self._ended = True
        with suppress(WorldsimError):
            if self._keeping:
                self._store.abandon(status)
            else:
                self._store.end(status, self.day, self._recorder.take())
