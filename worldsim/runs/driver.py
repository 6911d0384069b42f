"""Begins runs, and takes them to their end."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldsim.errors import InputError
from worldsim.runs.campaign import Campaign
from worldsim.runs.chapters import scenarios_of
from worldsim.runs.checkpoints import SECONDS, Cadence
from worldsim.runs.disk import Disk
from worldsim.runs.folder import FolderStore
from worldsim.runs.manifest import Manifest, versions
from worldsim.runs.places import (
    SCENARIO,
    FolderTakenError,
    forecast_bytes,
    refuse_if_full,
    refuse_within_run,
)
from worldsim.runs.recorder import Recorder
from worldsim.runs.store import MemoryStore
from worldsim.scenario import digest, resolved_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from worldsim.events.kinds import Level
    from worldsim.runs.campaign import Build, OnEvent, Rebuild, Simulation
    from worldsim.runs.reading import Run
    from worldsim.runs.store import Store
    from worldsim.scenario.interventions import Turn
    from worldsim.scenario.model import Scenario
    from worldsim.world.world import World

    OnDay = Callable[[int, World], None]

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
    checkpoint_days: int | None = None,
    checkpoint_seconds: float = SECONDS,
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
        checkpoint_days: Simulated days between checkpoints, besides those by time.
        checkpoint_seconds: Wall time between checkpoints; more where one takes long.

    Raises:
        OutOfRangeError: seed or days.
        FolderTakenError: there is something at ``out``.
        NoSpaceError: the forecast says that the run will not fit.
    """
    scenario = as_run(scenario, seed, days, level)
    cadence = cadence_of(out, checkpoint_days, checkpoint_seconds)
    store = new_store(scenario, manifest_of(scenario), out, disk or Disk())
    return begin(scenario, store, build=build, on_event=on_event, cadence=cadence)


def cadence_of(out: str | Path | None, days: int | None, seconds: float) -> Cadence | None:
    """When checkpoints are taken; of a run in memory, which ends with its process, none are."""
    return None if out is None else Cadence(days, seconds)


def new_store(scenario: Scenario, manifest: Manifest, out: str | Path | None, disk: Disk) -> Store:
    """Where a new run is kept: in memory, or in a folder that does not exist yet.

    Raises:
        FolderTakenError: there is something at ``out``.
        NoSpaceError: the forecast says that the run will not fit.
    """
    if out is None:
        return MemoryStore(manifest)
    folder = Path(out)
    if folder.exists() or folder.is_symlink():
        raise FolderTakenError(str(folder))
    refuse_within_run(folder)
    refuse_if_full(folder, forecast_bytes(scenario, manifest.days, manifest.level), disk)
    return FolderStore(folder, manifest, disk)


def begin(
    scenario: Scenario,
    store: Store,
    *,
    build: Build | None = None,
    on_event: OnEvent | None = None,
    cadence: Cadence | None = None,
    turns: Mapping[int, Turn] | None = None,
    scenarios: Mapping[str, str] | None = None,
    own: Scenario | None = None,
) -> Campaign:
    """Found the world of a run, and keep that.

    Args:
        scenario: By which the first day is simulated.
        store: Of the run.
        build: Makes the simulation, instead of the real one.
        on_event: Called with every event as it is recorded.
        cadence: Of checkpoints; without one none are taken.
        turns: By the midnights from which on another scenario holds; those of its interventions
            if None.
        scenarios: All of them as TOML, by their paths; the one above if None.
        own: The scenario that is the run's; the one above if None.

    Raises:
        UnfitStockError, UnfitScenarioError: an intervention that can't be made of this world.
    """
    if turns is None:
        turns = scenarios_of(scenario).turns
    rebuild = builder(build, store, on_event)
    simulation = rebuild(scenario)
    check_turns(turns, simulation, store.manifest.seed)
    recorder = Recorder(simulation.world, scenario.record.teams_every_days)
    recorder.found()
    texts = {SCENARIO: resolved_toml(scenario)} if scenarios is None else scenarios
    store.begin(texts, simulation.state(), recorder.open_rows())
    return Campaign(
        scenario, store, simulation, recorder, rebuild=rebuild, cadence=cadence, turns=turns,
        own=own,
    )  # fmt: skip


def check_turns(turns: Mapping[int, Turn], simulation: Simulation, seed: int) -> None:
    """Refuse at the start what would fail on its day.

    Raises:
        UnfitStockError: stock is to be set that cannot be there.
        UnfitScenarioError: colonies are to be founded where they cannot stand.
    """
    for turn in turns.values():
        for place, amounts in turn.stocks.items():
            for ingredient, units in amounts.items():
                simulation.world.check_stock(place, ingredient, units)
        if turn.after.colonies != turn.before.colonies:
            _real(turn.after, seed=seed, write=bytearray().extend)


def builder(build: Build | None, store: Store, on_event: OnEvent | None) -> Rebuild:
    """What makes the simulations of a run, whatever the scenario and the state."""
    return partial(
        build or _real,
        seed=store.manifest.seed,
        write=store.lines.extend,
        level=store.manifest.level,
        on_event=on_event,
    )


def simulate(
    scenario: Scenario,
    *,
    seed: int | None = None,
    days: int | None = None,
    out: str | Path | None = None,
    level: Level | None = None,
    on_event: OnEvent | None = None,
    on_day: OnDay | None = None,
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
    campaign = open_campaign(
        scenario, seed=seed, days=days, out=out, level=level, on_event=on_event, **more
    )
    return drive(campaign, on_day=on_day, stop=stop)


def drive(
    campaign: Campaign, *, on_day: OnDay | None = None, stop: Callable[[], bool] | None = None
) -> Run:
    """Take a campaign to its end.

    Args:
        campaign: To be simulated.
        on_day: Called after each day with the day and the world.
        stop: Asked after each day; if true, the run ends there as interrupted.

    Returns:
        The run, finished unless ``stop`` said otherwise.
    """
    with campaign:
        for day in campaign:
            if on_day is not None:
                on_day(day, campaign.world)
            if stop is not None and stop():
                campaign.stop()
    return campaign.run


def as_run(scenario: Scenario, seed: int | None, days: int | None, level: Level | None) -> Scenario:
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


def manifest_of(scenario: Scenario) -> Manifest:
    """Of a new run."""
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
