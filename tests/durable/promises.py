"""What a run has promised to keep, told by what it did to its disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.runs.checkpoints import day_of
from worldsim.runs.manifest import MANIFEST, decode

if TYPE_CHECKING:
    from pathlib import Path

    from forgetful_disk import Device
    from watched_disk import Operation


class Promises:
    """What a run may rely on: the day to which a power cut may not take it back.

    Attributes:
        day: Of the last checkpoint that a manifest tells of which was put in place; the day after
            the last if it tells that the run has ended; None before the run has its name.
    """

    def __init__(self, run: Path, day: int | None = None) -> None:
        self._run = run
        self.day = day

    def learn(self, device: Device, operation: Operation) -> None:
        if not operation.path.is_relative_to(self._run):
            return
        if self.day is None:
            self.day = 0
        if (operation.kind, operation.path) == ("sync folder", self._run):
            manifest = decode(device.read(self._run / MANIFEST) or b"", "the run")
            self.day = max(day_of(part) for part in manifest.checkpoints)
            if manifest.status == "finished":
                self.day = manifest.days + 1
