"""The runs in a folder, damaged ones too."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from worldsim.errors import WorldsimError
from worldsim.runs.checkpoints import reached
from worldsim.runs.manifest import MANIFEST
from worldsim.runs.places import EVENTS, RUN_LOG, read_manifest
from worldsim.runs.sources import state_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

State = Literal["running", "finished", "interrupted", "failed", "damaged"]


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One folder. What a damaged one does not tell is ``None``.

    Attributes:
        state: As the manifest says; but ``interrupted`` where nobody writes a running one.
        day, days: Days that are kept, and asked for.
        size_bytes: Of all its files.
        problem: What is wrong with a damaged one.
    """

    name: str
    path: Path
    state: State
    campaign: str | None
    seed: int | None
    day: int | None
    days: int | None
    size_bytes: int
    problem: str | None = None


def list_runs(folder: Path) -> list[RunInfo]:
    """Every run directory in a folder, by name; of a run, that run. A missing folder holds none.

    Folders whose name starts with a dot are left out: runs are made under such names. So are those
    in which nothing is of a run.
    """
    if not folder.is_dir():
        return []
    if (folder / MANIFEST).is_file():
        return [_look_at(folder)]
    paths = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    return [_look_at(path) for path in paths if not path.is_symlink() and _was_run(path)]


def _was_run(path: Path) -> bool:
    """Whether anything that worldsim makes is in a folder, be it a run without its manifest."""
    try:
        return path.is_dir() and any((path / name).exists() for name in (MANIFEST, EVENTS, RUN_LOG))
    except OSError:  # it may not be looked into
        return False


def _look_at(path: Path) -> RunInfo:
    size, name = sum(each.st_size for each in files_in(path)), path.name or path.resolve().name
    try:
        manifest = read_manifest(path)
        state: State = state_of(manifest.status, path)
    except (WorldsimError, OSError) as error:
        return RunInfo(name, path, "damaged", None, None, None, None, size, str(error))
    return RunInfo(
        name, path, state, manifest.campaign, manifest.seed, reached(manifest), manifest.days,
        size,
    )  # fmt: skip


def files_in(path: Path) -> Iterator[os.stat_result]:
    """Size and times of each file in a folder, links unfollowed; not of what vanishes meanwhile."""
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                yield os.lstat(os.path.join(folder, name))  # noqa: PTH118  # quicker
            except OSError:
                continue
