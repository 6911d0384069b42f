"""What is done to a run, once each way, and whether it ended as if nothing had been."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from faulty_disks import Death, Died
from forgetful_disk import Device
from promises import Promises
from small_runs import begin, go_on, leftovers, small
from watched_disk import WatchedDisk

from worldsim.errors import WorldsimError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from small_runs import Reference
    from watched_disk import Operation

RUN = "runs/small"
"""Where the run is on its device, whose folder ``runs`` is not there at first."""


@dataclass(slots=True)
class Tally:
    """Attributes:
    tried: Trials.
    problems: What went wrong, a line for each trial that did.
    """

    tried: int = 0
    problems: list[str] = field(default_factory=list)

    def note(self, what: str, problems: Collection[str]) -> None:
        self.tried += 1
        if problems:
            self.problems.append(f"{what}: {', '.join(problems)}")


def steps(operations: Iterable[Operation]) -> list[Operation]:
    """Those that are counted, where something dies or power is cut."""
    return [each for each in operations if each.kind != "open folder"]


@dataclass(frozen=True, slots=True)
class Bench:
    """Where trials are made.

    Attributes:
        scratch: A folder for them.
        reference: What they should end in.
    """

    scratch: Path
    reference: Reference

    def fresh(self) -> Path:
        """A new device, empty."""
        return Path(mkdtemp(dir=self.scratch))

    def ended(self, device: Path, promised: int | None) -> list[str]:
        """Resume on a sound disk; the device is gone afterwards unless something was wrong."""
        problems = self._problems(device / RUN, promised)
        if not problems:
            shutil.rmtree(device)
        return problems

    def _problems(self, run: Path, promised: int | None) -> list[str]:
        if promised is not None and not run.exists():
            return ["the run is lost"]
        try:
            day = go_on(run)
        except WorldsimError as error:
            return [f"not resumed: {error!r}"]
        try:
            problems = self.reference.differences(run)
        except WorldsimError as error:
            return [f"not read: {error!r}"]
        if day is None or day <= small().campaign.days:  # it was not over already
            problems += leftovers(run)
        if promised is not None and (day is None or day < promised):
            problems.append(f"day {promised} was promised, went on from day {day}")
        return problems


def operations(bench: Bench) -> list[Operation]:
    """All that a run does."""
    disk = WatchedDisk()
    begin(bench.fresh() / RUN, disk)
    return steps(disk.operations)


def dying(bench: Bench, *before: int, half: bool = False) -> list[str]:
    """Die before some operation of a run, and then before some of resuming it, and so on.

    Args:
        bench: Where.
        before: The operations, each counted from 0 in its own process.
        half: If that is a write, die in the middle of it.
    """
    device = bench.fresh()
    promises = Promises(device / RUN)
    for number in before:
        disk = WatchedDisk(Device(device, after=promises.learn), Death(number, half))
        try:
            go_on(device / RUN, disk)
        except Died:
            continue
        return ["lived"]
    return bench.ended(device, promises.day)
