"""One campaign of a study: what a worker is given, does, and gives back."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from worldsim import __version__
from worldsim.errors import WorldsimError
from worldsim.runs.disk import Disk
from worldsim.runs.driver import as_run, begin, drive, manifest_of, new_store, simulate
from worldsim.runs.store import MemoryStore
from worldsim.scenario.study_loading import cell_scenario
from worldsim.study.metrics import MetricShapeError, lowest_level, read_metrics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldsim.runs import Run
    from worldsim.scenario.model import Scenario
    from worldsim.study.metrics import Metric

End = Literal["finished", "failed"]
CELLS_AT_ONCE = 8
"""Cells whose campaigns take turns, and whose scenarios a worker keeps at hand."""
LONGEST_ERROR = 500
DIED = "the process that simulated it died, again and again"
"""The error of a campaign that no worker survived."""


class OtherVersionError(WorldsimError):
    """A worker has another worldsim, whose campaigns may be others."""

    def __init__(self, here: str, there: str) -> None:
        super().__init__(here, there)
        self.here, self.there = here, there

    def __str__(self) -> str:
        return f"a worker has worldsim {self.there}, and the study is of {self.here}"


@dataclass(frozen=True, slots=True)
class Job:
    """A campaign to simulate; it says all that a worker must know.

    Attributes:
        cell, replication: Which one it is.
        seed: Of the campaign.
        source: The scenario as an enclosed text.
        sets: What differs in this cell, as of ``--set``.
        days, warm_up_days: Of the study.
        metrics: To be read.
        folder: Where the campaign is kept; None if it is not.
        every_event: Whether a kept campaign keeps the log that its scenario asks for.
        version: Of worldsim.
    """

    cell: int
    replication: int
    seed: int
    source: str
    sets: tuple[str, ...]
    days: int
    warm_up_days: int
    metrics: tuple[Metric, ...]
    folder: str | None = None
    every_event: bool = False
    version: str = __version__


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a campaign: a row of the study's table.

    Attributes:
        cell, replication, seed: Of the job.
        status: Whether its metrics could be read.
        values: Each metric; None where there is no such number. None are there if it failed.
        digest: Of the scenario; None if there was none.
        error: Why it failed.
        seconds: Of wall time; not part of the table.
    """

    cell: int
    replication: int
    seed: int
    status: End
    values: dict[str, float | None]
    digest: str | None
    error: str | None
    seconds: float


class _Kept:
    """A campaign of which the metrics can be read: `metrics.Told`."""

    def __init__(self, run: Run, job: Job, store: MemoryStore | None) -> None:
        self.run = run
        self.days, self.warm_up_days = run.manifest.day, job.warm_up_days
        self._store = store

    def columns(self, table: str) -> Mapping[str, Any]:
        """Those of a table, without a database where they are in memory."""
        if self._store is not None:
            parts = self._store.tables[table]
            return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return self._read[table]

    @cached_property
    def _read(self) -> dict[str, Mapping[str, Any]]:
        return {
            "stocks": plain_columns(self.run.stocks()),
            "takings": plain_columns(self.run.takings()),
        }


def do(job: Job) -> Outcome:
    """Simulate a campaign and read its metrics; whatever goes wrong with it is in the outcome.

    Raises:
        OtherVersionError: this process has another worldsim than the study.
    """
    if job.version != __version__:
        raise OtherVersionError(job.version, __version__)
    begun = time.monotonic()
    digest: str | None = None
    try:
        scenario = _scenario(job.source, job.sets)
        kept = _simulated(scenario, job)
        digest = kept.run.manifest.digest
        values = read_metrics(job.metrics, kept)
    except Exception as error:  # noqa: BLE001  # one campaign must not end the others
        return failed(job, _told(error), digest, time.monotonic() - begun)
    took = time.monotonic() - begun
    return Outcome(
        job.cell, job.replication, job.seed, "finished", values, digest, None, round(took, 4)
    )


def failed(job: Job, error: str, digest: str | None = None, seconds: float = 0.0) -> Outcome:
    """The outcome of a campaign that failed."""
    return Outcome(
        job.cell, job.replication, job.seed, "failed", {}, digest, error, round(seconds, 4)
    )


def wrong_metrics(job: Job) -> dict[str, WorldsimError]:
    """The metrics that no campaign of a job's kind could ever give, found on its first day.

    Raises:
        WorldsimError: there is no such campaign.
    """
    from worldsim.runs.duck import QueryError  # noqa: PLC0415  # a worker needs no database

    scenario = cell_scenario(job.source, job.sets)
    kept = _simulated(scenario, replace(job, days=1, folder=None))
    wrong: dict[str, WorldsimError] = {}
    for metric in job.metrics:
        try:
            read_metrics([metric], kept)
        except (QueryError, MetricShapeError) as error:
            wrong[metric.name] = error
        except Exception:  # noqa: BLE001, S110  # after one day a figure may not be there yet
            pass
    return wrong


def _simulated(scenario: Scenario, job: Job) -> _Kept:
    if job.folder is not None:
        return _Kept(_simulated_on_disk(scenario, job, Path(job.folder)), job, None)
    level = lowest_level(job.metrics)
    scenario = as_run(scenario, job.seed, job.days, level)
    store = new_store(scenario, manifest_of(scenario), None, Disk())
    campaign = begin(scenario, store)
    return _Kept(drive(campaign), job, store if isinstance(store, MemoryStore) else None)


def _simulated_on_disk(scenario: Scenario, job: Job, folder: Path) -> Run:
    """The campaign in a run directory; what a worker that died left there is removed."""
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)
    asked = scenario.record.level if job.every_event else "warning"
    level = lowest_level(job.metrics, asked)
    return simulate(scenario, seed=job.seed, days=job.days, out=folder, level=level)


@lru_cache(maxsize=CELLS_AT_ONCE)
def _scenario(source: str, sets: tuple[str, ...]) -> Scenario:
    """The scenario of a cell; a worker simulates it many times."""
    return cell_scenario(source, sets)


def plain_columns(relation: Any) -> Mapping[str, Any]:
    """The columns of a table as the shipped metrics read them: None where there is nothing."""
    columns = relation.order("day").fetchnumpy()
    return {
        name: column.filled(None) if np.ma.is_masked(column) else column
        for name, column in columns.items()
    }


def _told(error: Exception) -> str:
    """An error in one line of bounded length."""
    says = " ".join(str(error).split())
    text = says if isinstance(error, WorldsimError) else f"{type(error).__name__}: {says}"
    return text if len(text) <= LONGEST_ERROR else f"{text[: LONGEST_ERROR - 1]}…"
