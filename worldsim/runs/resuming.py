"""Goes on with a run: from where it stopped, or past its end."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from worldsim import __version__
from worldsim.errors import InputError, WorldsimError
from worldsim.runs import checkpoints
from worldsim.runs.campaign import Campaign
from worldsim.runs.chapters import read_scenarios, remade
from worldsim.runs.checkpoints import SECONDS, Cadence, Checkpoint, UnfitCheckpointError
from worldsim.runs.compressing import plain_segment
from worldsim.runs.disk import Disk
from worldsim.runs.driver import MOST_DAYS, OutOfRangeError, builder, drive
from worldsim.runs.folder import FolderStore, hold
from worldsim.runs.manifest import number_of
from worldsim.runs.partfiles import DamagedPartError, whole_file
from worldsim.runs.places import SCENARIO, read_manifest, refuse_links, segment_name
from worldsim.runs.recorder import Recorder

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldsim.runs.campaign import Build, OnEvent
    from worldsim.runs.driver import OnDay
    from worldsim.runs.manifest import Manifest, Part
    from worldsim.runs.reading import Run


class AlreadyEndedError(InputError):
    """A run that has come to its end can only be extended."""

    def __init__(self, run: str, day: int) -> None:
        super().__init__(run, day)
        self.run, self.day = run, day

    def __str__(self) -> str:
        return (
            f"{self.run} has come to its end, day {self.day}: nothing is left to resume; more days:"
            f" worldsim extend {self.run} --days {2 * self.day}"
        )


class StoppedError(InputError):
    """A run that a condition of its scenario ended has no days to come."""

    def __init__(self, run: str, day: int, condition: str) -> None:
        super().__init__(run, day, condition)
        self.run, self.day, self.condition = run, day, condition

    def __str__(self) -> str:
        return (
            f"{self.run} ended on day {self.day} since campaign.stop.{self.condition} holds:"
            " nothing follows; what would, without it:"
            f" worldsim branch {self.run} --at DAY --set KEY=VALUE"
        )


class NotFurtherError(InputError):
    """The end that is asked for lies before the one the run has already."""

    def __init__(self, run: str, asked: int, days: int) -> None:
        super().__init__(run, asked, days)
        self.run, self.asked, self.days = run, asked, days

    def __str__(self) -> str:
        return f"--days is {self.asked}, but {self.run} goes to day {self.days}: give a later day"


class OtherVersionError(InputError):
    """A run that another worldsim began: with this one, other things might happen."""

    def __init__(self, run: str, made_by: str) -> None:
        super().__init__(run, made_by)
        self.run, self.made_by = run, made_by

    def __str__(self) -> str:
        return (
            f"{self.run} was begun by worldsim {self.made_by}, this is {__version__}: going on"
            " could change what happens. It can be read; to go on with it, use"
            f" worldsim {self.made_by}"
        )


class NotResumableError(WorldsimError):
    """No checkpoint of a run is whole."""

    def __init__(self, run: str, reasons: list[str]) -> None:
        super().__init__(run, reasons)
        self.run, self.reasons = run, reasons

    def __str__(self) -> str:
        listed = "".join(f"\n  {reason}" for reason in self.reasons)
        return (
            f"{self.run} cannot be gone on with, since no checkpoint is whole:{listed}\n"
            f"its scenario can be run again: worldsim run {self.run}/{SCENARIO} --out NEW"
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a run can go on.

    Attributes:
        checkpoint: The latest that is whole.
        prefix: The bytes of the open segment that belong to it.
        skipped: What is wrong with later ones.
    """

    checkpoint: Checkpoint
    prefix: bytes
    skipped: list[str]


def reopen(
    folder: str | Path,
    *,
    days: int | None = None,
    on_event: OnEvent | None = None,
    build: Build | None = None,
    disk: Disk | None = None,
    checkpoint_days: int | None = None,
    checkpoint_seconds: float = SECONDS,
    on_skipped: Callable[[str], None] | None = None,
) -> Campaign:
    """Open a run to go on with it, from its latest whole checkpoint.

    Args:
        folder: Of the run. What came after the checkpoint is removed from it.
        days: The new end of the run, later than the old one; as it was if None.
        on_event: Called with every event as it is recorded.
        build: Makes the simulation, instead of the real one.
        disk: Instead of the real one.
        checkpoint_days: Simulated days between checkpoints, besides those by time.
        checkpoint_seconds: Wall time between checkpoints.
        on_skipped: Told of each later checkpoint that is damaged, and why.

    Raises:
        NotARunError, DamagedManifestError: there is no run, or none to be trusted.
        AlreadyEndedError, NotFurtherError: there is nothing to do.
        OtherVersionError: another worldsim began it.
        InUseError: somebody writes it now.
        NotResumableError: no checkpoint is whole.
        UnfitRunError: a plug-in of its scenario is not installed.
    """
    folder, disk = Path(folder), disk or Disk()
    read_manifest(folder, disk)  # before a lock is made in a folder that is no run
    refuse_links(folder)
    lock = hold(folder)
    try:
        manifest = read_manifest(folder, disk)
        _set_end(manifest, folder, days)
        scenarios, standing = read_scenarios(folder, manifest), stand(folder, manifest)
        for reason in standing.skipped:
            if on_skipped is not None:
                on_skipped(reason)
        checkpoint = standing.checkpoint
        scenario = scenarios.on(checkpoint.day)
        store = FolderStore(folder, manifest, disk, lock)
        rebuild = builder(build, store, on_event)
        with remade(str(folder)):
            simulation = rebuild(scenario, state=checkpoint.state)
        recorder = Recorder(simulation.world, scenario.record.teams_every_days, checkpoint.rows)
        store.go_on(checkpoint, standing.prefix)  # changes the run: so all that may be refused was
    except BaseException:
        with suppress(OSError):
            lock.release()
        raise
    campaign = Campaign(
        scenario, store, simulation, recorder, rebuild=rebuild, day=checkpoint.day,
        cadence=Cadence(checkpoint_days, checkpoint_seconds), turns=scenarios.turns,
    )  # fmt: skip
    campaign.catch_up()
    return campaign


def resume(
    folder: str | Path,
    *,
    days: int | None = None,
    on_day: OnDay | None = None,
    stop: Callable[[], bool] | None = None,
    checkpoint_days: int | None = None,
    disk: Disk | None = None,
) -> Run:
    """Go on with a run to its end.

    Args:
        folder: Of the run.
        days: A later end than it had, for a run that is extended.
        on_day: Called after each day with the day and the world.
        stop: Asked after each day; if true, the run ends there as interrupted.
        checkpoint_days: Simulated days between checkpoints, besides those by time.
        disk: Instead of the real one.

    Raises:
        WorldsimError: as of `reopen`.
    """
    campaign = reopen(folder, days=days, checkpoint_days=checkpoint_days, disk=disk)
    return drive(campaign, on_day=on_day, stop=stop)


def stand(folder: Path, manifest: Manifest) -> Standing:
    """The latest whole checkpoint.

    Raises:
        NotResumableError: there is none.
    """
    skipped: list[str] = []
    for part in reversed(manifest.checkpoints):
        try:
            checkpoint = read_checkpoint(folder, part)
            prefix = _prefix(folder, manifest, checkpoint)
            _check_sealed(folder, manifest, checkpoint)
        except WorldsimError as error:
            skipped.append(error.says if isinstance(error, DamagedPartError) else str(error))
        else:
            return Standing(checkpoint, prefix, skipped)
    raise NotResumableError(str(folder), skipped)


def read_checkpoint(folder: Path, part: Part) -> Checkpoint:
    """A checkpoint that the manifest tells of.

    Raises:
        WorldsimError: it is not as the manifest tells, or none.
    """
    checkpoint = checkpoints.decode(whole_file(folder, part), f"{folder}/{part.path}")
    if checkpoint.day != checkpoints.day_of(part):
        raise UnfitCheckpointError(f"{folder}/{part.path}", f"is of day {checkpoint.day}")
    return checkpoint


def check_version(manifest: Manifest, run: str) -> None:
    """Refuse to simulate days of a run that another worldsim began.

    Raises:
        OtherVersionError: one did.
    """
    if manifest.versions.worldsim != __version__:
        raise OtherVersionError(run, manifest.versions.worldsim)


def _set_end(manifest: Manifest, folder: Path, days: int | None) -> None:
    """Refuse what cannot be gone on with, and note the new end."""
    check_version(manifest, str(folder))
    if manifest.status == "finished" and manifest.stopped is not None:
        raise StoppedError(str(folder), manifest.day, manifest.stopped)
    if days is not None:
        if not 1 <= days <= MOST_DAYS:
            raise OutOfRangeError("days", days, 1, MOST_DAYS)
        if days <= manifest.days:
            raise NotFurtherError(str(folder), days, manifest.days)
        manifest.days = days
    elif manifest.status == "finished":
        raise AlreadyEndedError(str(folder), manifest.day)


def _prefix(folder: Path, manifest: Manifest, checkpoint: Checkpoint) -> bytes:
    """The bytes of the open segment up to a checkpoint.

    Raises:
        UnfitCheckpointError: they are not what they were.
    """
    segment = checkpoint.segment
    if not segment.bytes:
        return b""
    path = folder / segment_name(segment.number)
    data = plain_segment(folder, manifest, segment.number, segment.bytes)
    if hashlib.sha256(data).hexdigest() != segment.sha256:
        reason = f"is not what it was at the checkpoint of day {checkpoint.day}"
        raise UnfitCheckpointError(str(path), reason)
    return data


def _check_sealed(folder: Path, manifest: Manifest, checkpoint: Checkpoint) -> None:
    """The parts before the open one must be there, and as long as they were.

    Raises:
        UnfitCheckpointError: one is not.
    """
    for part in manifest.parts:
        if number_of(part) < checkpoint.segment.number:
            path = folder / part.path
            if not path.is_file() or path.stat().st_size != part.bytes:
                reason = f"is missing or was cut, and day {checkpoint.day} builds on it"
                raise UnfitCheckpointError(str(path), reason)
