"""A disk refuses operations of a run: what the run says, and what is left of it."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from faulty_disks import Death, Died, Failure
from forgetful_disk import Device, Forgets, restore
from promises import Promises
from small_runs import begin, go_on
from trials import RUN
from watched_disk import WatchedDisk

from worldsim.runs import Run
from worldsim.runs.disk import DiskError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from faulty_disks import Refusal
    from trials import Bench
    from watched_disk import Kind

WAYS: dict[Kind, tuple[Refusal, ...]] = {
    "open": ("ENOSPC", "EIO"),
    "write": ("ENOSPC", "EIO", "short write"),
    "sync": ("ENOSPC", "EIO"),
    "rename": ("ENOSPC", "EIO"),
    "open folder": ("EIO",),
    "sync folder": ("EIO",),
    "make folder": ("ENOSPC", "EIO"),
    "remove": ("EIO",),
    "truncate": ("ENOSPC", "EIO"),
}
"""How an operation can fail."""


class Case(NamedTuple):
    """A trial: see `Failure`."""

    kind: Kind
    at: int
    how: Refusal
    for_ever: bool

    def __str__(self) -> str:
        span = "from then on" if self.for_ever else "once"
        return f"{self.kind} {self.at}, {self.how}, {span}"


def cases(bench: Bench, dead: int | None = None) -> Iterator[Case]:
    """Everything that a run does, each in every way it can fail.

    Args:
        bench: Where.
        dead: Of a run that goes on: the operation before which it died.
    """
    device, disk = _device(bench, dead), WatchedDisk()
    go_on(device / RUN, disk)
    met = Counter(operation.kind for operation in disk.operations)
    for kind, ways in WAYS.items():
        for at, how, for_ever in product(range(met[kind]), ways, (False, True)):
            yield Case(kind, at, how, for_ever)


def refused(bench: Bench, case: Case, dead: int | None = None) -> list[str]:
    """Run on a disk that fails. Then go on: with the device as it is, and after a power cut.

    Args:
        bench: Where.
        case: What fails.
        dead: As of `cases`.
    """
    device = _device(bench, dead)
    run = device / RUN
    promises = Promises(run)
    model = Device(device, after=promises.learn)
    failure = Failure(case.kind, case.at, case.for_ever, case.how)
    problems = _ending(run, WatchedDisk(model, failure))
    if not failure.failed:
        problems.append("nothing failed")
    problems += [f"relied on a failed sync: {operation}" for operation in model.retried]
    problems += _misread(bench, run)
    powerless = bench.fresh() / "device"
    restore(model.image(Forgets()), powerless)
    problems += [f"after a power cut: {what}" for what in bench.ended(powerless, promises.day)]
    return problems + bench.ended(device, promises.day)


def _device(bench: Bench, dead: int | None) -> Path:
    """An empty one, or one with a run that died."""
    device = bench.fresh()
    if dead is not None:
        with suppress(Died):
            begin(device / RUN, WatchedDisk(Death(dead)))
    return device


def _ending(run: Path, disk: WatchedDisk) -> list[str]:
    try:
        go_on(run, disk)
    except DiskError as error:
        return [] if error.exit_code == 1 else [f"exit code {error.exit_code}"]
    except Exception as error:  # noqa: BLE001  # whatever it is, it is what is looked for
        return [f"ended with {error!r}"]
    return ["ended as if nothing had been"]


def _misread(bench: Bench, run: Path) -> list[str]:
    """Whoever reads the run as it was left may see less, but nothing else."""
    if not run.exists():
        return []
    lines, whole = (b"".join(Run.open(each).lines()) for each in (run, bench.reference.folder))
    return [] if whole.startswith(lines) else ["its log reads otherwise"]
