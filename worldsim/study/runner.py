"""Takes a study to its end: round after round, campaigns done by an executor, kept as they come."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from worldsim.runs.tidy import tidy_parquet
from worldsim.study.intervals import Interval, mean_interval
from worldsim.study.places import run_name
from worldsim.study.storage import parts_of
from worldsim.study.table import columns_of, present, shape_of, values_by_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from worldsim.study.executors import Executor, Stop
    from worldsim.study.plan import Plan
    from worldsim.study.storage import StudyFolder
    from worldsim.study.work import Job, Outcome

    OnProgress = Callable[["Progress"], None]

PART_ROWS = 256
TELL_S = 0.25
AT_LEAST = 2  # values that have a spread
GROWTH = 2
"""A further round of the stopping rule has at most so many times the replications in all."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a study is.

    Attributes:
        done: Campaigns that came to an end, the failed ones included.
        failed: Those that failed.
        total: Of the rounds so far.
        a_second: Campaigns in a second of wall time, since somebody is at it; None at first.
        left_s: Seconds that the rest will take, likewise.
        metric: The watched one.
        interval: Its t interval in the cell where it is widest; None before there is one.
    """

    done: int
    failed: int
    total: int
    a_second: float | None
    left_s: float | None
    metric: str
    interval: Interval | None


def carry_out(
    plan: Plan,
    folder: StudyFolder,
    executor: Executor,
    *,
    total: int,
    stop: Stop,
    on_progress: OnProgress | None = None,
) -> None:
    """Simulate what is missing of a study, until it is finished or somebody stops it.

    Args:
        plan: Of the study.
        folder: Where it is kept.
        executor: Who simulates.
        total: Replications wanted, unless the stopping rule wants more.
        stop: Asked all the time; if true, nothing new is begun.
        on_progress: Told after each campaign.
    """
    folder.begin(total)
    try:
        watch = _Watch(plan, folder, on_progress)
        number = 0
        while (bounds := _next_round(plan, folder, number)) is not None:
            parts = _Parts(plan, folder, plan.order(*bounds), number)
            watch.expect(bounds[1])
            jobs = _missing(plan, folder, *bounds)
            with closing(executor.outcomes(jobs, stop)) as outcomes:
                for outcome in outcomes:
                    folder.add(outcome)
                    parts.note(outcome)
                    watch.tell()
            watch.tell(at_once=True)
            if any(run not in folder.rows for run in plan.order(*bounds)):
                folder.end("interrupted")
                return
            parts.seal_rest()
            number += 1
    except BaseException as error:
        folder.end("interrupted" if isinstance(error, KeyboardInterrupt) else "failed")
        raise
    folder.end("finished")


def _next_round(plan: Plan, folder: StudyFolder, number: int) -> tuple[int, int] | None:
    """From which replication to which the round of a number goes; None if there is none.

    It follows from the rows alone, so that whoever goes on after a crash comes to the same rounds.
    """
    totals = folder.manifest.totals
    if number >= len(totals):
        wanted = wanted_total(plan, folder.rows, totals[-1])
        if wanted is None:
            return None
        folder.begin(wanted)
    return (totals[number - 1] if number else 0), totals[number]


def wanted_total(plan: Plan, rows: Mapping[tuple[int, int], Outcome], total: int) -> int | None:
    """How many replications the stopping rule asks for now; None if it is content.

    As many as the spread seen so far asks for, but at most twice as many as there are.
    """
    rule = plan.study.stop
    if rule is None or total >= rule.ceiling:
        return None
    wanted = 0
    for values in map(present, values_by_cell(plan, rows, rule.metric)):
        if len(values) < AT_LEAST:
            wanted = max(wanted, total + 1)
            continue
        half = mean_interval(values).half_width or 0.0
        if half > rule.half_width:
            needed = ceil(len(values) * (half / rule.half_width) ** 2)
            wanted = max(wanted, needed, total + 1)
    return min(wanted, GROWTH * total, rule.ceiling) if wanted else None


def _missing(plan: Plan, folder: StudyFolder, first: int, last: int) -> Iterator[Job]:
    """Jobs of the campaigns of a round that have no row."""
    keep = plan.study.study.keep != "metrics"
    for cell, replication in plan.order(first, last):
        if (cell, replication) not in folder.rows:
            place = folder.folder / run_name(cell, replication)
            yield plan.job(cell, replication, str(place.absolute()) if keep else None)


class _Parts:
    """Seals the parts of a round as they become full."""

    def __init__(
        self, plan: Plan, folder: StudyFolder, order: Sequence[tuple[int, int]], number: int
    ) -> None:
        self._plan, self._folder = plan, folder
        self._shape = shape_of(plan)
        stretches = parts_of(order, PART_ROWS)
        totals = folder.manifest.totals[:number]
        before = _parts_before(len(plan.cells), totals)
        sealed = folder.sealed()
        self._runs = {
            before + n: stretch
            for n, stretch in enumerate(stretches, 1)
            if before + n not in sealed
        }
        self._of = {run: n for n, runs in self._runs.items() for run in runs}
        self._missing = {
            n: sum(run not in folder.rows for run in runs) for n, runs in self._runs.items()
        }

    def note(self, outcome: Outcome) -> None:
        """A row came in; its part may be full now."""
        number = self._of.pop((outcome.cell, outcome.replication), None)
        if number is None:
            return
        self._missing[number] -= 1
        if not self._missing[number]:
            self._seal(number)

    def seal_rest(self) -> None:
        """All rows are there: seal what a crash left unsealed."""
        for number in list(self._runs):
            self._seal(number)

    def _seal(self, number: int) -> None:
        runs = self._runs.pop(number)
        rows = [self._folder.rows[run] for run in runs]
        data = tidy_parquet(self._shape, columns_of(self._plan, self._shape, rows))
        self._folder.seal(number, data, len(rows))


def _parts_before(cells: int, totals: Sequence[int]) -> int:
    """How many parts the rounds before have."""
    sizes = [last - first for first, last in zip([0, *totals], totals, strict=False)]
    return sum(ceil(size * cells / PART_ROWS) for size in sizes)


class _Watch:
    """Tells how far a study is, a few times a second at most."""

    def __init__(self, plan: Plan, folder: StudyFolder, on_progress: OnProgress | None) -> None:
        self._plan, self._folder, self._on_progress = plan, folder, on_progress
        self._begun = time.monotonic()
        self._told = 0.0
        self._before = len(folder.rows)
        self._total = 0

    def expect(self, replications: int) -> None:
        """So many there are to be in each cell."""
        self._total = replications * len(self._plan.cells)
        self.tell(at_once=True)

    def tell(self, *, at_once: bool = False) -> None:
        """Tell, if somebody listens and was not told just now."""
        now = time.monotonic()
        if self._on_progress is not None and (at_once or now - self._told >= TELL_S):
            self._told = now
            self._on_progress(self._progress())

    def _progress(self) -> Progress:
        rows = self._folder.rows
        done, now = len(rows), time.monotonic()
        rate = (done - self._before) / max(now - self._begun, 1e-9)
        return Progress(
            done=done,
            failed=sum(each.status == "failed" for each in rows.values()),
            total=self._total,
            a_second=rate or None,
            left_s=(self._total - done) / rate if rate else None,
            metric=self._plan.watched.name,
            interval=_widest(values_by_cell(self._plan, rows, self._plan.watched.name)),
        )


def _widest(cells: Sequence[Mapping[int, float | None]]) -> Interval | None:
    found = [mean_interval(values) for values in map(present, cells) if len(values) >= AT_LEAST]
    return max(found, key=lambda each: each.half_width or 0.0, default=None)
