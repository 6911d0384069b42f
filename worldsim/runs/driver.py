"""Runs a simulation day by day, and keeps what it tells."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from worldsim.errors import InputError, WorldsimError
from worldsim.runs.disk import Disk
from worldsim.runs.manifest import Manifest, versions
from worldsim.runs.places import FolderTakenError, forecast_bytes, refuse_if_full
from worldsim.runs.reading import FolderSource, MemorySource, Run
from worldsim.runs.store import FolderStore, MemoryStore
from worldsim.runs.tables import Recorder
from worldsim.scenario import digest, resolved_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType
    from typing import Self

    from worldsim.events.kinds import DiceRolled, Event, Level
    from worldsim.runs.manifest import Status
    from worldsim.runs.store import Store
    from worldsim.scenario.model import Scenario
    from worldsim.world.world import World

    OnEvent = Callable[[Event | DiceRolled], None]

MOST_DAYS = 1_000_000
MOST_SEED = 2**63 - 1


class OutOfRangeError(InputError):
    """A number of days or a seed that can't be."""

    def __init__(self, name: str, given: object, least: int, most: int) -> None:
        super().__init__(name, given, least, most)
        self.name, self.given, self.least, self.most = name, given, least, most

    def __str__(self) -> str:
        right = f"a whole number from {self.least} to {self.most}"
        return f"{self.name} is {self.given!r}, but must be {right}"


class Simulation(Protocol):
    """What a campaign needs of the simulation it drives."""

    world: World

    def advance(self) -> None:
        """Simulate one more day, to its midnight."""

    def state(self) -> bytes:
        """All that a checkpoint must hold."""


class Build(Protocol):
    """Makes a simulation; the founding events are recorded meanwhile."""

    def __call__(
        self,
        scenario: Scenario,
        *,
        seed: int,
        write: Callable[[bytes], None],
        level: Level | None,
        on_event: OnEvent | None,
    ) -> Simulation:
        """Build the world of day 0."""


class Campaign:
    """A run in progress: iterate over it, and each day is simulated as it is asked for.

    Use it in a ``with``: left before its end, it is closed as interrupted.

    Args:
        scenario: What is simulated, with the seed and the days of this run in it.
        store: Keeps the run. It has begun.
        simulation: At the end of day 0.
        recorder: Of the simulation's world.

    Attributes:
        simulation: The simulation; look, but change nothing.
    """

    def __init__(
        self, scenario: Scenario, store: Store, simulation: Simulation, recorder: Recorder
    ) -> None:
        self.scenario = scenario
        self.simulation = simulation
        self._store = store
        self._recorder = recorder
        self._ended = False
        self._whole_days = len(store.lines)
        self._sealed_day = 0

    @property
    def world(self) -> World:
        """The world as it is now; look, but change nothing."""
        return self.simulation.world

    @property
    def day(self) -> int:
        """Days that are simulated."""
        return self._store.manifest.day

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
        return Run(MemorySource(self.scenario, store))

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
            self.simulation.advance()
            day = self._keep_day()
        except KeyboardInterrupt:
            # The day is not over: resuming simulates it again, so what it said must go.
            del self._store.lines[self._whole_days :]
            self._give_up("interrupted")
            raise
        except BaseException as error:
            self._store.manifest.error = f"{type(error).__name__}: {error}"
            self._give_up("failed")
            raise
        if day == self.days:
            self._end("finished")
        return day

    def stop(self) -> None:
        """End the run here; nothing happens if it has ended."""
        if not self._ended:
            self._end("interrupted")

    def __iter__(self) -> Iterator[int]:
        """Each day, as it is over. Stops after the last, or where the run was ended."""
        while not self._ended:
            yield self.step()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def _keep_day(self) -> int:
        manifest = self._store.manifest
        day = manifest.day + 1
        self._recorder.midnight(day)
        manifest.day = day
        if day < manifest.days:
            if day % manifest.segment_days == 0:
                self._cut()
            else:
                self._store.midnight()
        self._whole_days = len(self._store.lines)
        return day

    def _cut(self) -> None:
        manifest = self._store.manifest
        try:
            self._store.cut(self._recorder.take())
        except WorldsimError:
            manifest.day = self._sealed_day  # the rows since then are nowhere
            raise
        self._sealed_day = manifest.day

    def _end(self, status: Status) -> None:
        self._ended = True
        if status == "finished":
            self._recorder.last_day(self.day)
        self._store.end(status, self._recorder.take())

    def _give_up(self, status: Status) -> None:
        """End the run while another error is on its way, which must not be hidden by a second."""
        with suppress(WorldsimError):
            self._end(status)


def open_campaign(
    scenario: Scenario,
    *,
    seed: int | None = None,
    days: int | None = None,
    out: str | Path | None = None,
    level: Level | None = None,
    on_event: OnEvent | None = None,
    build: Build | None = None,
    disk: Disk | None = None,
) -> Campaign:
    """Begin a run; nothing of day 1 has happened yet.

    Args:
        scenario: What to simulate.
        seed: Instead of the scenario's.
        days: Instead of the scenario's.
        out: The run's folder, which must not exist; kept in memory if ``None``.
        level: Lowest level of the log, instead of the scenario's.
        on_event: Called with every event as it is recorded.
        build: Makes the simulation, instead of the real one.
        disk: Instead of the real one.

    Raises:
        OutOfRangeError: seed or days.
        FolderTakenError: there is something at ``out``.
        NoSpaceError: the forecast says that the run will not fit.
    """
    scenario = _with(scenario, seed, days, level)
    manifest = _manifest(scenario)
    store: Store
    if out is None:
        store = MemoryStore(manifest)
    else:
        folder, disk = Path(out), disk or Disk()
        if folder.exists() or folder.is_symlink():
            raise FolderTakenError(str(folder))
        needed = forecast_bytes(scenario, manifest.days, manifest.level)
        refuse_if_full(folder, needed, disk)
        store = FolderStore(folder, manifest, disk)
    simulation = (build or _real)(
        scenario,
        seed=manifest.seed,
        write=store.lines.extend,
        level=manifest.level,
        on_event=on_event,
    )
    recorder = Recorder(simulation.world, scenario.record.teams_every_days)
    recorder.found()
    store.begin(resolved_toml(scenario), simulation.state())
    return Campaign(scenario, store, simulation, recorder)


def simulate(
    scenario: Scenario,
    *,
    seed: int | None = None,
    days: int | None = None,
    out: str | Path | None = None,
    level: Level | None = None,
    on_event: OnEvent | None = None,
    on_day: Callable[[int, World], None] | None = None,
    stop: Callable[[], bool] | None = None,
    **more: Any,
) -> Run:
    """Simulate a scenario.

    Args:
        scenario: What to simulate.
        seed: Instead of the scenario's.
        days: Instead of the scenario's.
        out: The run's folder, which must not exist; kept in memory if ``None``.
        level: Lowest level of the log, instead of the scenario's.
        on_event: Called with every event as it is recorded.
        on_day: Called after each day with the day and the world.
        stop: Asked after each day; if true, the run ends there as interrupted.
        more: As of `open_campaign`.

    Returns:
        The run, finished unless ``stop`` said otherwise.
    """
    with open_campaign(
        scenario, seed=seed, days=days, out=out, level=level, on_event=on_event, **more
    ) as campaign:
        for day in campaign:
            if on_day is not None:
                on_day(day, campaign.world)
            if stop is not None and stop():
                campaign.stop()
    return campaign.run


def _with(scenario: Scenario, seed: int | None, days: int | None, level: Level | None) -> Scenario:
    """The scenario as it is run: what was given beside it written into it."""
    campaign, record = scenario.campaign, scenario.record
    if seed is not None:
        _check_range("seed", seed, 0, MOST_SEED)
        campaign = campaign.model_copy(update={"seed": seed})
    if days is not None:
        _check_range("days", days, 1, MOST_DAYS)
        campaign = campaign.model_copy(update={"days": days})
    if level is not None:
        record = record.model_copy(update={"level": level})
    return scenario.model_copy(update={"campaign": campaign, "record": record})


def _check_range(name: str, given: Any, least: int, most: int) -> None:
    """Refuse what is no whole number, or out of range."""
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise OutOfRangeError(name, given, least, most)


def _manifest(scenario: Scenario) -> Manifest:
    campaign, record = scenario.campaign, scenario.record
    return Manifest(
        campaign=campaign.name,
        digest=digest(scenario),
        seed=campaign.seed,
        versions=versions(),
        level=record.level,
        segment_days=record.segment_days,
        days=campaign.days,
        started=time.time(),
    )


def _real(scenario: Scenario, **given: Any) -> Simulation:
    from worldsim.processes.simulation import Simulation as Real  # noqa: PLC0415  # slow to import

    return Real(scenario, **given)
