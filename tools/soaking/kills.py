"""Runs on disk that are killed at random instants, several times each, and resumed to their end.

Whatever the instant, the run must end in the same bytes as one that was left alone: its event log
byte for byte, its tables by content. Children are forked with worldsim loaded, so that nearly every
kill falls into simulated days; some runs go through the command instead, as people use it.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from soaking.targets import (
    TARGETS,
    ChildError,
    Target,
    await_dawn,
    content_of,
    day_on_disk,
    difference,
    finished,
    in_child,
    log_bytes,
    start,
    wait,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KILLS_A_RUN = 5
COMMAND_KILLS_A_RUN = 3  # it takes a second to start
SHARE_BEFORE = 0.02  # of the kills: before the first day
COMMAND_START_S = 0.8  # about
LEAST_DAYS = 10  # lived through by one process, to tell its pace
LEAST_AFTER_DAY_1 = 0.8  # of the kills: those before show little


class Reference(NamedTuple):
    """What a target comes to when nobody disturbs it.

    Attributes:
        content: As of `content_of`.
        start_s: Seconds before the first dawn.
        day_s: Seconds that a day takes.
    """

    content: dict[str, str]
    start_s: float
    day_s: float


@dataclass(slots=True)
class Killed:
    """What came of killing runs.

    Attributes:
        kills: How often a process was killed; those that ended before are not counted.
        after_day_1: How many of these found day 1 on the disk.
        amid_write: How many left a file or folder that was not whole yet.
        runs: How many came to their end and were compared.
        by_command: Kills of the command.
        failures: Of each run that went wrong, what.
    """

    kills: int = 0
    after_day_1: int = 0
    amid_write: int = 0
    runs: int = 0
    by_command: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, other: Killed) -> None:
        """Count what came of other runs, too."""
        for name in self.__dataclass_fields__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def enough_after_day_1(self) -> bool:
        """Whether most kills fell where there was something to lose."""
        return self.after_day_1 >= LEAST_AFTER_DAY_1 * self.kills


def kill_many(kills: int, seed: int, workers: int, note: Callable[[str], None]) -> Killed:
    """Kill runs until so many kills are done.

    Args:
        kills: How many.
        seed: Of the instants.
        workers: Runs at a time.
        note: Told how far it is.
    """
    done, begun = Killed(), 0
    known: dict[Target, Reference] = {}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        while done.kills < kills and not done.failures:
            shares = list(_shares(kills - done.kills, begun))
            plain = dict.fromkeys(target._replace(command=False) for target, _ in shares)
            new = [target for target in plain if target not in known]
            known |= zip(new, pool.map(reference, new), strict=True)
            asked = [
                pool.submit(
                    kill,
                    target,
                    known[target._replace(command=False)],
                    f"{seed}/{begun + n}",
                    share,
                )
                for n, (target, share) in enumerate(shares)
            ]
            begun += len(asked)
            for ended in as_completed(asked):
                done.add(ended.result())
                note(f"{done.kills} of {kills} kills, {len(done.failures)} runs went wrong")
    return done


def _shares(kills: int, begun: int) -> Iterator[tuple[Target, int]]:
    """So many kills shared out over runs, after so many that were begun before."""
    while kills > 0:
        target = TARGETS[begun % len(TARGETS)]
        share = min(kills, COMMAND_KILLS_A_RUN if target.command else KILLS_A_RUN)
        yield target, share
        kills, begun = kills - share, begun + 1


def reference(target: Target) -> Reference:
    """Live through a target undisturbed.

    The command must come to the same as a forked child, at the same pace.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "run"
        begun = time.monotonic()
        process = start(target, folder)
        start_s = await_dawn(process, folder, 0)
        wait(process, None)
        day_s = (time.monotonic() - begun - start_s) / target.days
        return Reference(in_child(content_of, folder), start_s, day_s)


def kill(target: Target, known: Reference, seed: str, kills: int) -> Killed:
    """Begin a run, kill it and resume it time and again, and compare what it ends in.

    Args:
        target: What to run.
        known: What it must come to.
        seed: Of the instants. They are of the clock, so a failure may not come again.
        kills: At most; fewer where the run ends before its time.
    """
    draw = random.Random(seed)  # noqa: S311 - nothing here is a secret
    scratch = Path(tempfile.mkdtemp(prefix="killed-"))
    folder, done = scratch / "run", Killed(runs=1)
    try:
        instants = sorted(draw.uniform(-SHARE_BEFORE, 1) for _ in range(kills))
        _kill_at(instants, target, known, folder, done)
        if not finished(folder):
            wait(start(target, folder), None)
        wrong = difference(known.content, in_child(content_of, folder))
    except ChildError as error:
        wrong = str(error)
    if wrong:
        done.failures.append(f"{target}, killed {done.kills} times: {wrong}; see {folder}")
    else:
        shutil.rmtree(scratch)
    return done


def _kill_at(
    instants: list[float], target: Target, known: Reference, folder: Path, done: Killed
) -> None:
    """Kill a run at each of some instants of its life.

    Args:
        instants: From 0, the first dawn, to 1, when it should have ended, or below 0, while it is
            begun; ascending.
        target: The run.
        known: How long it takes, as far as is known: its pace is looked at anew after each kill.
        folder: Where it is.
        done: What came of it.
    """
    day_s = known.day_s
    left: set[Path] = set()
    for instant in instants:
        if finished(folder):
            return
        day, said = day_on_disk(folder), log_bytes(folder)
        process = start(target, folder)
        if instant < 0:
            start_s = COMMAND_START_S if target.command else known.start_s
            wait_s = start_s * (1 + instant / SHARE_BEFORE)
        else:
            await_dawn(process, folder, said)
            wait_s = day_s * max(0.0, instant * target.days - day)
        if not wait(process, wait_s):
            return
        left = _count(done, target, folder, left)
        lived = day_on_disk(folder) - day
        if instant > 0 and lived > LEAST_DAYS + 2 * target.checkpoint_days:
            day_s = wait_s / lived


def _count(done: Killed, target: Target, folder: Path, before: set[Path]) -> set[Path]:
    """Look at what a kill left behind, and return all that is not whole."""
    left = {*folder.parent.glob(".*.tmp-*"), *folder.rglob("*.tmp")}
    done.kills += 1
    done.by_command += target.command
    done.after_day_1 += day_on_disk(folder) >= 1
    done.amid_write += bool(left - before)
    return left
