"""Looks again at days of a run, in more detail than its log kept: by simulating them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.errors import BrokenInvariantError, InputError, WorldsimError
from worldsim.events.schema import stamp_of
from worldsim.runs.chapters import read_scenarios, remade, scenarios_of
from worldsim.runs.checkpoints import day_of, reached
from worldsim.runs.resuming import check_version, read_checkpoint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from worldsim.events.kinds import Level
    from worldsim.processes.context import Context
    from worldsim.processes.simulation import Simulation
    from worldsim.runs.campaign import OnEvent
    from worldsim.runs.reading import Run
    from worldsim.scenario.model import Scenario

GRAVITY = {"debug": 0, "info": 1, "warning": 2}


class NotTheSameError(BrokenInvariantError):
    """Simulated again, a day tells something else than the log: one of the two is wrong.

    Args:
        run: Its name.
        day: The day.
        stored: The first line that differs, as it is stored; None if there is none.
        again: The same line as it is now, likewise.
    """

    def __init__(self, run: str, day: int, stored: str | None, again: str | None) -> None:
        super().__init__(run, day, stored, again)
        self.run, self.day, self.stored, self.again = run, day, stored, again

    def __str__(self) -> str:
        return (
            f"day {self.day} of {self.run}, simulated again, is not what its log tells:\n"
            f"  stored: {self.stored or 'nothing more'}\n  now:    {self.again or 'nothing more'}"
        )


class NoSuchDayError(InputError, LookupError):
    """A day that a run has not come to."""

    def __init__(self, run: str, day: int, most: int) -> None:
        super().__init__(run, day, most)
        self.run, self.day, self.most = run, day, most

    def __str__(self) -> str:
        if not self.most:
            return f"{self.run} has no day {self.day}: none of its days is over"
        return f"{self.run} has no day {self.day}: give one from 1 to {self.most}"


def replayed(run: Run, days: Collection[int], *, level: Level = "debug") -> Iterator[bytes]:
    """The lines of some days, simulated again from the nearest checkpoint before each.

    Args:
        run: Finished or not, on disk or in memory.
        days: Each from 1 to the last one the run tells of.
        level: The lowest level wanted.

    Yields:
        Lines, in their order. Those of info and above are compared with the stored ones, as far as
        the log holds them.

    Raises:
        NoSuchDayError: a day is none of the run's.
        OtherVersionError: another worldsim made the run, and might simulate something else.
        NotTheSameError: the lines differ from the stored ones.
    """
    check_version(run.manifest, run.name)
    wanted = sorted(set(days))
    most = reached(run.manifest)
    for day in wanted:
        if not 1 <= day <= most:
            raise NoSuchDayError(run.name, day, most)
    return _replayed(run, wanted, level)


def _replayed(run: Run, days: list[int], level: Level) -> Iterator[bytes]:
    rerun = Rerun(run)
    for day in days:
        lines = rerun.day(day, level)
        _compare(run, day, lines)
        yield from (line for line in lines if GRAVITY[stamp_of(line).level] >= GRAVITY[level])


def _compare(run: Run, day: int, lines: list[bytes]) -> None:
    """Compare what was simulated again with what is stored, as far as both tell.

    Raises:
        NotTheSameError: they differ.
    """
    kept = max(GRAVITY["info"], GRAVITY[run.manifest.level])
    again = [line for line in lines if GRAVITY[stamp_of(line).level] >= kept]
    stored = [line for line in run.day_lines(day, day) if GRAVITY[stamp_of(line).level] >= kept]
    if again == stored:
        return
    first = next(
        (n for n, (a, b) in enumerate(zip(stored, again, strict=False)) if a != b),
        min(len(stored), len(again)),
    )
    one, other = (
        lines[first].decode().rstrip() if first < len(lines) else None for lines in (stored, again)
    )
    raise NotTheSameError(run.name, day, one, other)


class Rerun:
    """Simulates days of a run again, whatever their order; ascending is quick.

    Args:
        run: Which.
        on_event: Called with every event as it is recorded, of days that are only passed through
            too; ``context`` is the world at that moment.
    """

    def __init__(self, run: Run, on_event: OnEvent | None = None) -> None:
        self._run, self._on_event = run, on_event
        self._lines = bytearray()
        self._simulation: Simulation | None = None
        if run.path is None and run.manifest.history:
            raise WorldsimError(
                "a branch that is kept in memory cannot be replayed: keep it on disk"
            )
        self._scenarios = (
            scenarios_of(run.scenario)
            if run.path is None
            else read_scenarios(run.path, run.manifest)
        )

    @property
    def context(self) -> Context:
        """What is simulated, as it is now.

        Raises:
            LookupError: nothing was asked for yet.
        """
        if self._simulation is None:
            raise LookupError("no day is simulated yet")
        return self._simulation.context

    def day(self, day: int, level: Level) -> list[bytes]:
        """The lines of a day, of this level or one that tells more."""
        simulation = self.at(day - 1)
        simulation.journal.hear("debug" if level == "debug" else "info")
        self._lines.clear()
        simulation = self._step(simulation)
        simulation.journal.hear(None)
        return bytes(self._lines).splitlines(keepends=True)

    def at(self, day: int) -> Simulation:
        """The simulation at the midnight that ends a day."""
        simulation = self._simulation
        if simulation is None or simulation.day > day or self._nearer(simulation.day, day):
            simulation = self._simulation = self._from_checkpoint(day)
        while simulation.day < day:
            simulation = self._step(simulation)
        return simulation

    def _step(self, simulation: Simulation) -> Simulation:
        """Simulate one more day, by another scenario if that holds from now on."""
        turn = self._scenarios.turns.get(simulation.day)
        if turn is not None:
            heard = simulation.journal.level
            simulation = self._build(turn.after, simulation.state(), turn.before)
            simulation.journal.hear(heard)
            simulation.turn(turn)
            self._simulation = simulation
        simulation.advance()
        return simulation

    def _nearer(self, now: int, day: int) -> bool:
        """Whether there is a checkpoint between."""
        return any(now < day_of(part) <= day for part in self._run.manifest.checkpoints)

    def _from_checkpoint(self, day: int) -> Simulation:
        """At the nearest checkpoint that is whole; without any, at the founding."""
        if self._run.path is not None:
            for part in reversed(self._run.manifest.checkpoints):
                if day_of(part) <= day:
                    try:
                        checkpoint = read_checkpoint(self._run.path, part)
                    except WorldsimError:
                        continue  # an earlier one does as well; `verify` tells of it
                    scenario = self._scenarios.on(checkpoint.day)
                    return self._build(scenario, checkpoint.state)
        return self._build(self._scenarios.first)

    def _build(
        self, scenario: Scenario, state: bytes | None = None, before: Scenario | None = None
    ) -> Simulation:
        from worldsim.processes.simulation import Simulation as Real  # noqa: PLC0415 - slow

        with remade(str(self._run.path or self._run.name)):
            simulation = Real(
                scenario, seed=self._run.manifest.seed, write=self._lines.extend, state=state,
                before=before, on_event=self._on_event,
            )  # fmt: skip
        simulation.journal.hear(None)
        return simulation
