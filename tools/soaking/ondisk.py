"""A random world as a run on disk: stopped on the way, resumed, and looked at again."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from worldsim.runs import simulate
from worldsim.runs.disk import Appender, Disk
from worldsim.runs.replaying import replayed
from worldsim.runs.resuming import resume
from worldsim.runs.verifying import verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.runs import Run
    from worldsim.scenario import Scenario

DEBUG, WARNING = b'"level":"debug"', b'"level":"warning"'


class _UnsyncedAppender(Appender):
    __slots__ = ()

    def sync(self) -> None:
        """Leave it to the system."""


class UnsyncedDisk(Disk):
    """Whether a run survives the power is not asked here, and syncing takes most of the time."""

    def open_append(self, path: Path) -> Appender:
        """Open a file that is never synced."""
        return _UnsyncedAppender(path)

    def sync_folder(self, path: Path) -> None:
        """Leave it to the system."""


def told_on_disk(scenario: Scenario, days: int, stopped: int, checkpoint_days: int) -> list[bytes]:
    """The lines of a run that was stopped after a day and resumed, rolls left out.

    `verify` looks at all its files, and `replayed` simulates some of its days again, which must
    tell what the log tells.

    Args:
        scenario: Its ``[record]`` says what is kept.
        days: Simulated.
        stopped: After this day.
        checkpoint_days: Days between checkpoints.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "run"
        ended: list[int] = []
        simulate(
            scenario, days=days, out=folder, checkpoint_days=checkpoint_days, disk=UnsyncedDisk(),
            on_day=lambda day, _: ended.append(day), stop=lambda: ended[-1] == stopped,
        )  # fmt: skip
        run = resume(folder, checkpoint_days=checkpoint_days, disk=UnsyncedDisk())
        assert run.manifest.status == "finished"
        verify(folder)
        for _ in replayed(run, {1, stopped, min(days, stopped + 1), days}):
            pass
        return _lines(run)


def _lines(run: Run) -> list[bytes]:
    return [line for line in run.lines() if DEBUG not in line]


def kept(lines: Sequence[bytes], scenario: Scenario) -> list[bytes]:
    """Those of the lines of level info that a run of this scenario keeps."""
    if scenario.record.level != "warning":
        return list(lines)
    return [line for line in lines if WARNING in line]
