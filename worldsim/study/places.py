"""Where things are in a study's folder, and which folders are those of studies."""

from __future__ import annotations

import os
from itertools import chain, count, takewhile
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


def run_name(cell: int, replication: int) -> str:
    """The path of a campaign that is kept."""
    return f"{RUNS}/cell_{cell:05}/{replication:06}"


def standing(name: str) -> list[Path]:
    """The folders under ``studies/`` that this name was given to, with a suffix or without."""
    suffixed = (f"{name}-{number}" for number in count(2))
    folders = (STUDIES / each for each in chain([name], suffixed))
    return list(takewhile(os.path.lexists, folders))
