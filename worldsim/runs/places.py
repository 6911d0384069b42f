"""Where things are in a run directory, what a new run is called, and whether it will fit."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import count, takewhile
from typing import TYPE_CHECKING

from worldsim.errors import InputError, WorldsimError
from worldsim.runs.disk import Disk
from worldsim.runs.manifest import MANIFEST, decode
from worldsim.runs.tables import TABLES
from worldsim.scenario.near import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worldsim.runs.manifest import Manifest
    from worldsim.scenario.model import Scenario

EVENTS = "events"
SCENARIO = "scenario.toml"
RUN_LOG = "run.log"
LOCK = ".lock"
CHECKPOINTS = "checkpoints"
HISTORY = "history"
CACHE = "cache"
GZIP = ".gz"
LARGEST_MANIFEST_BYTES = 16 * 2**20

# What a run may need at most, at its fullest; about twice what was measured.
BASE_BYTES = 2**20
CELL_BYTES = 64
TEAM_DAY_BYTES = {"debug": 5_000, "info": 1_500, "warning": 300}


class FolderTakenError(InputError):
    """A run can't be written where something is already."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"{self.path} exists already: nothing was written; give another --out"


class WithinRunError(InputError):
    """A run can't be written into another one, which holds only what worldsim knows of."""

    def __init__(self, path: str, run: str) -> None:
        super().__init__(path, run)
        self.path, self.run = path, run

    def __str__(self) -> str:
        return f"{self.path} is within the run {self.run}: nothing was written; give another --out"


class NotARunError(InputError, LookupError):
    """A folder that was named is no run directory.

    Args:
        path: What was named.
        near: What may have been meant.
    """

    def __init__(self, path: str, near: str | None = None) -> None:
        super().__init__(path, near)
        self.path, self.near = path, near

    def __str__(self) -> str:
        cure = f"; did you mean {self.near}?" if self.near else ""
        return f"{self.path} is no run: there is no {MANIFEST} in it{cure}"


class LinkError(WorldsimError):
    """A run holds links, which might lead anywhere."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"{self.path} is a link: worldsim makes none, and follows none in a run"


class StrangeFileError(WorldsimError):
    """Something in a run has a name that worldsim uses, but is not of that sort: say, a pipe."""

    def __init__(self, path: str, right: str) -> None:
        super().__init__(path, right)
        self.path, self.right = path, right

    def __str__(self) -> str:
        return f"{self.path} is no {self.right}: worldsim did not make it, and leaves it alone"


class NoSpaceError(WorldsimError):
    """The forecast of a run does not fit the disk."""

    def __init__(self, path: str, needed: int, free: int) -> None:
        super().__init__(path, needed, free)
        self.path, self.needed, self.free = path, needed, free

    def __str__(self) -> str:
        needed, free = _in_words(self.needed), _in_words(self.free)
        return (
            f"{self.path} may need up to {needed}, but {free} are free: nothing was written;"
            " simulate fewer days, or record less ([record] level)"
        )


@dataclass(frozen=True, slots=True)
class AlreadyFinished:
    """The run asked for is there already, of just as many days."""

    path: Path
    day: int


def segment_name(number: int) -> str:
    """The path of a part of the event log, from 1."""
    return f"{EVENTS}/{number:06}.jsonl"


def part_name(table: str, number: int) -> str:
    """The path of a part of a table, from 1."""
    return f"{table}/{number:06}.parquet"


def checkpoint_name(day: int) -> str:
    """The path of the checkpoint taken at the end of a day; 0 is before the first."""
    return f"{CHECKPOINTS}/{day:06}.msgpack"


def history_name(day: int) -> str:
    """The path of the scenario by which a branched run was simulated until the end of a day."""
    return f"{HISTORY}/{day:06}.toml"


def read_manifest(folder: Path, disk: Disk | None = None) -> Manifest:
    """The manifest of a run directory.

    Raises:
        NotARunError: there is none.
        LinkError: it is a link.
        WorldsimError: it is damaged or too new.
    """
    path = folder / MANIFEST
    if os.path.islink(path):  # noqa: PTH114  # false for names that no file can have, too
        raise LinkError(str(path))
    if not os.path.isfile(path):  # noqa: PTH113  # false for names that no file can have, too
        raise NotARunError(str(folder))
    if path.stat().st_size > LARGEST_MANIFEST_BYTES:
        raise WorldsimError(f"{path} is too large to be a manifest")
    return decode((disk or Disk()).read(path), str(folder))


def refuse_links(folder: Path) -> None:
    """Refuse to write where something in the run is a link, or of another sort than worldsim makes.

    Raises:
        LinkError: one is a link, which might lead out of the run.
        StrangeFileError: a folder is none, or a file is one or a pipe.
    """
    for name in (EVENTS, CHECKPOINTS, HISTORY, CACHE, *TABLES, RUN_LOG, LOCK, MANIFEST):
        path = folder / name
        if path.is_symlink():
            raise LinkError(str(path))
        a_file = name in {RUN_LOG, LOCK, MANIFEST}
        if os.path.lexists(path) and not (path.is_file() if a_file else path.is_dir()):
            raise StrangeFileError(str(path), "file" if a_file else "folder")


def near_run(folder: Path) -> str | None:
    """The run beside ``folder`` that may have been meant by it."""
    try:
        names = sorted(path.name for path in folder.parent.iterdir() if (path / MANIFEST).is_file())
    except (OSError, ValueError):
        return None
    near = nearest(folder.name, names)
    return None if near is None else str(folder.with_name(near))


def new_folder(
    runs: Path, *, campaign: str, seed: int, days: int, digest: str
) -> Path | AlreadyFinished:
    """Where a run goes that nobody gave a place: ``runs/campaign-seed``, or the next free suffix.

    Returns:
        A path that does not exist, or the finished run of the same digest and seed and of
        exactly ``days``: of a longer one neither tables nor summary are those of this one.
    """
    name = f"{campaign}-{seed}"
    for folder in takewhile(os.path.lexists, _suffixed(runs, name)):
        finished = _finished(folder, seed, digest)
        if finished is not None and finished.days == days:
            return AlreadyFinished(folder, finished.day)
    return free_folder(runs, name)


def free_folder(runs: Path, name: str) -> Path:
    """A path of this name that does not exist, with the next free suffix if it must have one."""
    return next(path for path in _suffixed(runs, name) if not os.path.lexists(path))


def _suffixed(runs: Path, name: str) -> Iterator[Path]:
    """``runs/name``, ``runs/name-2`` and so on, without end."""
    yield runs / name
    for number in count(2):
        yield runs / f"{name}-{number}"


def _finished(folder: Path, seed: int, digest: str) -> Manifest | None:
    try:
        manifest = read_manifest(folder)
    except WorldsimError:
        return None
    same = (manifest.digest, manifest.seed, manifest.status) == (digest, seed, "finished")
    return manifest if same and manifest.parent is None else None


def forecast_bytes(scenario: Scenario, days: int, level: str) -> int:
    """The most that a run may take on disk, roughly: rather too much than too little."""
    teams = sum(team.count for colony in scenario.colonies for team in colony.teams)
    planet = scenario.planet
    places = planet.regions * (planet.sectors_per_region + 1)
    cells = places * len(scenario.ingredients)
    return BASE_BYTES + cells * CELL_BYTES + teams * days * TEAM_DAY_BYTES[level]


def refuse_within_run(folder: Path) -> None:
    """Refuse to write a run into another one.

    Raises:
        WithinRunError: one of the folders above is a run.
    """
    for above in folder.absolute().parents:
        if (above / MANIFEST).is_file() and (above / CHECKPOINTS).is_dir():
            raise WithinRunError(str(folder), str(above))


def refuse_if_full(folder: Path, needed: int, disk: Disk) -> None:
    """Stop before a run starts that would not fit.

    Raises:
        UnfitPlaceError: no folder can be made there.
        NoSpaceError: less than ``needed`` bytes are free there.
    """
    disk.check_place(folder)
    free = disk.free_bytes(folder)
    if free < needed:
        raise NoSpaceError(str(folder), needed, free)


def _in_words(size: int) -> str:
    unit = 0
    amount = float(size)
    while amount >= 1000 and unit < 4:  # noqa: PLR2004  # kilo to tera
        amount /= 1000
        unit += 1
    return f"{amount:.1f} {('B', 'kB', 'MB', 'GB', 'TB')[unit]}"
