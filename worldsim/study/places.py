"""Where things are in a study's folder, and what a new study's folder is called."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

from worldsim.errors import InputError
from worldsim.scenario.near import nearest
from worldsim.study.manifest import MANIFEST

STUDIES = Path("studies")
STUDY = "study.toml"
STATUS = "status.jsonl"
PARTS = "parts"
SCENARIOS = "scenarios"
RUNS = "runs"


class NotAStudyError(InputError, LookupError):
    """A folder that was named is no study.

    Args:
        path: What was named.
        near: What may have been meant.
    """

    def __init__(self, path: str, near: str | None = None) -> None:
        super().__init__(path, near)
        self.path, self.near = path, near

    def __str__(self) -> str:
        cure = f"; did you mean {self.near}?" if self.near else ""
        return f"{self.path} is no study: there is no {MANIFEST} of one in it{cure}"


def study_folder(given: str | Path) -> Path:
    """The folder of a study that was named by its path, or by its name under ``studies/``.

    Raises:
        NotAStudyError: it is neither.
    """
    for folder in (Path(given), STUDIES / given):
        if is_study(folder):
            return folder
    names = sorted(each.name for each in STUDIES.iterdir()) if STUDIES.is_dir() else []
    raise NotAStudyError(str(given), nearest(Path(given).name, names))


def is_study(folder: Path) -> bool:
    """Whether there is a study in a folder; it may be damaged."""
    try:
        return (folder / MANIFEST).is_file() and (folder / STUDY).is_file()
    except (OSError, ValueError):  # too long a name, or a NUL in it
        return False


def free_name(name: str) -> Path:
    """A path under ``studies/`` that does not exist, with the next free suffix if it must."""
    if not os.path.lexists(STUDIES / name):
        return STUDIES / name
    suffixed = (STUDIES / f"{name}-{number}" for number in count(2))
    return next(path for path in suffixed if not os.path.lexists(path))


def run_name(cell: int, replication: int) -> str:
    """The path of a campaign that is kept."""
    return f"{RUNS}/cell_{cell:05}/{replication:06}"


def standing(name: str) -> list[Path]:
    """The folders under ``studies/`` that this name was given to, with a suffix or without."""
    found: list[Path] = []
    folder = STUDIES / name
    for number in count(2):
        if not os.path.lexists(folder):
            return found
        found.append(folder)
        folder = STUDIES / f"{name}-{number}"
    raise AssertionError("suffixes never end")
