"""Makes runs smaller: without old checkpoints, caches and what crashes left; compressed."""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from worldsim.errors import WorldsimError
from worldsim.runs import manifest as manifests
from worldsim.runs.checkpoints import day_of
from worldsim.runs.compressing import compress
from worldsim.runs.disk import TEMPORARY, Disk
from worldsim.runs.folder import hold
from worldsim.runs.listing import files_in
from worldsim.runs.manifest import MANIFEST
from worldsim.runs.places import (
    CACHE,
    CHECKPOINTS,
    EVENTS,
    LOCK,
    read_manifest,
    refuse_links,
)
from worldsim.runs.resuming import stand
from worldsim.runs.sources import known_files
from worldsim.runs.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from worldsim.runs.manifest import Manifest, Part

Kind = Literal["old checkpoints", "cache", "leftovers"]

BEGUN = re.compile(r"\.(.+)\.tmp-[0-9a-f]+")
"""What the folder of a run is called until it is whole."""
ABANDONED_S = 600.0
"""Since the last change of such a folder, before which its run may still be begun."""


@dataclass(slots=True)
class Waste:
    """What a run, or a folder left behind, can do without.

    Attributes:
        path: The folder.
        bytes: What would be freed, by kind.
        files: Of them.
    """

    path: Path
    bytes: dict[Kind, int] = field(default_factory=dict)
    files: int = 0

    @property
    def total(self) -> int:
        """Bytes of all kinds."""
        return sum(self.bytes.values())

    def add(self, kind: Kind, sizes: Sequence[int]) -> None:
        """Count some files."""
        if sizes:
            self.bytes[kind] = self.bytes.get(kind, 0) + sum(sizes)
            self.files += len(sizes)


def waste_in(folder: Path) -> Waste:
    """What a run can do without.

    Raises:
        WorldsimError: it is damaged, or holds links.
    """
    refuse_links(folder)
    manifest, disk = read_manifest(folder), Disk()
    return _waste(folder, _old_checkpoints(folder, manifest), _strangers(folder, manifest, disk))


def prune(folder: Path, disk: Disk | None = None) -> Waste:
    """Remove what a run can do without, and say what that was.

    What it can be gone on from stays: the first checkpoint, and the latest that is whole. The
    manifest is told first, so a crash leaves a whole run.

    Raises:
        InUseError: somebody writes it.
        WorldsimError: it is damaged, or holds links; nothing was removed then.
        DiskError: something could not be removed.
    """
    disk = disk or Disk()
    refuse_links(folder)
    with held(folder):
        manifest = read_manifest(folder, disk)
        old = _old_checkpoints(folder, manifest)
        waste = _waste(folder, old, _strangers(folder, manifest, disk))
        if old:
            manifest.checkpoints = [part for part in manifest.checkpoints if part not in old]
            disk.write_file(folder / MANIFEST, manifests.encode(manifest))
        for path in _strangers(folder, manifest, disk):  # old checkpoints are among them by now
            disk.remove_file(path)
        if (folder / CACHE).is_dir():
            disk.remove_folder(folder / CACHE)
    return waste


def remove(waste: Waste) -> Waste:
    """Remove what was found before, and say what that was: of a run it may be less by now.

    Raises:
        WorldsimError: as of `prune`.
    """
    if not BEGUN.fullmatch(waste.path.name):
        return prune(waste.path)
    Disk().remove_folder(waste.path)
    return waste


def compress_run(folder: Path, disk: Disk | None = None) -> int:
    """Compress the sealed segments of a run; the bytes freed.

    Raises:
        InUseError: somebody writes it.
        WorldsimError: it is damaged, or holds links.
        DiskError: something could not be written; the run is whole all the same.
    """
    disk = disk or Disk()
    refuse_links(folder)
    with held(folder):
        return compress(folder, read_manifest(folder, disk), disk)


def abandoned(folder: Path, seconds: float = ABANDONED_S) -> list[Waste]:
    """Folders of runs that were begun and never became whole, among the runs in a folder.

    Args:
        folder: Of the runs.
        seconds: For which nothing in one must have changed.
    """
    found: list[Waste] = []
    for path in sorted(folder.iterdir()):
        if BEGUN.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
            files = list(files_in(path))
            newest = max(each.st_mtime for each in (path.stat(), *files))
            if time.time() - newest >= seconds:
                waste = Waste(path)
                waste.add("leftovers", [each.st_size for each in files])
                found.append(waste)
    return found


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep all others from writing a run meanwhile.

    Raises:
        InUseError: somebody writes it.
        LinkError: its lock is a link.
    """
    lock = hold(folder)
    try:
        yield
    finally:
        (folder / LOCK).unlink(missing_ok=True)
        lock.release()


def _waste(folder: Path, old: Sequence[Part], strangers: Sequence[Path]) -> Waste:
    waste = Waste(folder)
    waste.add("old checkpoints", [part.bytes for part in old])
    waste.add("leftovers", [path.lstat().st_size for path in strangers])
    waste.add("cache", [each.st_size for each in files_in(folder / CACHE)])
    return waste


def _old_checkpoints(folder: Path, manifest: Manifest) -> list[Part]:
    """All but the first and the latest; none, if the latest is damaged."""
    try:
        standing = stand(folder, manifest)
    except WorldsimError:
        return []
    if not manifest.checkpoints or standing.checkpoint.day != day_of(manifest.checkpoints[-1]):
        return []
    return manifest.checkpoints[1:-1]


def _strangers(folder: Path, manifest: Manifest, disk: Disk) -> list[Path]:
    """Files that the manifest does not tell of, but for the live segment: nobody reads them."""
    told = known_files(folder, manifest)
    names = [f"{MANIFEST}{TEMPORARY}"]
    for part in (EVENTS, CHECKPOINTS, *TABLES):
        if (folder / part).is_dir():
            names += [f"{part}/{name}" for name in disk.names(folder / part)]
    paths = [folder / name for name in names if name not in told]
    return [path for path in paths if path.is_file() and not path.is_symlink()]
