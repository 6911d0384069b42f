"""Which runs and studies the page shows: those found in one folder, by names and never by paths.

A name that comes in an address is looked up among what was found. It is never joined to a path, so
no address leads out of the folder.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Literal

from worldsim.errors import InputError, WorldsimError
from worldsim.runs.listing import list_runs
from worldsim.runs.manifest import MANIFEST
from worldsim.runs.places import EVENTS, SCENARIO
from worldsim.study.places import RUNS, STUDIES, is_study
from worldsim.views.live.opened import OpenedRun

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worldsim.study.study import Study

Kind = Literal["run", "study"]
MOST_OPENED = 4
FRESH_S = 2.0
"""How long an opened run is believed; a run that took long to open, five times as long."""


class UnknownNameError(InputError, LookupError):
    """An address names what is not in the folder."""

    def __init__(self, kind: Kind, name: str) -> None:
        super().__init__(kind, name)
        self.kind, self.name = kind, name

    def __str__(self) -> str:
        return f"there is no {self.kind} {self.name[:100]!r} in the folder that is shown"


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the list.

    Attributes:
        state: ``running``, ``finished``, ``interrupted``, ``failed`` or ``damaged``.
        done, of: Days of a run, campaigns of a study; None where that is not known.
        problem: What is wrong with a damaged one.
    """

    kind: Kind
    name: str
    state: str
    done: int | None
    of: int | None
    size_bytes: int
    problem: str | None = None


class Catalogue:
    """The runs and studies of a folder, opened when they are looked at.

    Args:
        place: A run, a study, or a folder of them; one with ``runs/`` and ``studies/`` shows both.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self._opened: OrderedDict[Path, OpenedRun] = OrderedDict()
        self._lock = Lock()

    @property
    def title(self) -> str:
        """What the folder is called."""
        return self.place.resolve().name or "runs"

    def only(self) -> tuple[Kind, str] | None:
        """The one run or study that is shown, if the place is one."""
        if (self.place / MANIFEST).is_file():
            return ("study" if is_study(self.place) else "run"), self.title
        return None

    def listed(self) -> list[Listed]:
        """All of them, running ones first, then by name."""
        lines = [
            _look_at_study(name, path) if kind == "study" else _look_at_run(name, path)
            for name, (kind, path) in self._found().items()
        ]
        return sorted(lines, key=lambda each: (each.state != "running", each.kind, each.name))

    def names(self, kind: Kind) -> list[str]:
        """The names of all runs, or of all studies."""
        return [name for name, (is_kind, _) in self._found().items() if is_kind == kind]

    def run(self, name: str) -> OpenedRun:
        """A run by its name, as it is now or was a few seconds ago.

        Raises:
            UnknownNameError: there is none.
            WorldsimError: it is damaged.
        """
        path = self._path("run", name)
        with self._lock:
            known = self._opened.get(path)
        if known is not None and (known.is_fresh(FRESH_S) or known.version == _version(path)):
            return known
        begun, version = time.monotonic(), _version(path)
        opened = OpenedRun(name, path, version)
        opened.took_s = time.monotonic() - begun
        with self._lock:
            gone = [old for old in [self._opened.pop(path, None)] if old is not None]
            self._opened[path] = opened
            while len(self._opened) > MOST_OPENED:
                gone.append(self._opened.popitem(last=False)[1])
        for old in gone:
            old.close()
        return opened

    def close(self) -> None:
        """End all that is still asked: nobody waits for it any more."""
        with self._lock:
            for opened in self._opened.values():
                opened.close()
                opened.interrupt()
            self._opened.clear()

    def study(self, name: str) -> Study:
        """A study by its name, as it is now.

        Raises:
            UnknownNameError: there is none.
            WorldsimError: it is damaged.
        """
        from worldsim.study.study import Study  # noqa: PLC0415 -- loads statistics

        return Study.open(self._path("study", name).absolute())

    def kept_runs(self, study: str) -> list[str]:
        """The names of the campaigns that a study keeps."""
        path = self._path("study", study)
        return [f"{study}/{each.relative_to(path).as_posix()}" for each in _kept(path)]

    def _path(self, kind: Kind, name: str) -> Path:
        found = self._found()
        if name in found and found[name][0] == kind:
            return found[name][1]
        if kind == "run":
            for study, (is_kind, path) in found.items():
                if is_kind == "study" and name.startswith(f"{study}/"):
                    kept = {f"{study}/{each.relative_to(path).as_posix()}": each
                            for each in _kept(path)}  # fmt: skip
                    if name in kept:
                        return kept[name]
        raise UnknownNameError(kind, name)

    def _found(self) -> dict[str, tuple[Kind, Path]]:
        only = self.only()
        if only is not None:
            return {only[1]: (only[0], self.place)}
        found = dict(_of(self.place, ""))
        for below in (RUNS, str(STUDIES)):
            folder = self.place / below
            if folder.is_dir() and not folder.is_symlink():
                found |= dict(_of(folder, f"{below}/"))
        return found


def _of(folder: Path, before: str) -> Iterator[tuple[str, tuple[Kind, Path]]]:
    """What lies in a folder; links lead elsewhere, and runs are made under names with a dot."""
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return
    for path in paths:
        if path.name.startswith(".") or path.is_symlink() or not path.is_dir():
            continue
        if is_study(path):
            yield f"{before}{path.name}", ("study", path)
        elif any((path / each).exists() for each in (MANIFEST, EVENTS, SCENARIO)):
            yield f"{before}{path.name}", ("run", path)


def _kept(study: Path) -> list[Path]:
    """The runs that lie in a study's folder."""
    cells = study / RUNS
    if cells.is_symlink() or not cells.is_dir():
        return []
    found = [each for cell in sorted(cells.iterdir()) if cell.is_dir() and not cell.is_symlink()
             for each in sorted(cell.iterdir())]  # fmt: skip
    return [each for each in found if not each.is_symlink() and (each / MANIFEST).is_file()]


def _version(path: Path) -> str:
    """What changes when a run does: its manifest, and the log that is written."""
    manifest = (path / MANIFEST).read_bytes() if (path / MANIFEST).is_file() else b""
    try:
        live = max((each.name, each.stat().st_size) for each in os.scandir(path / EVENTS))
    except (OSError, ValueError):
        live = ("", 0)
    return hashlib.sha256(manifest + repr(live).encode()).hexdigest()


def _look_at_run(name: str, path: Path) -> Listed:
    infos = list_runs(path)
    if not infos:
        problem = f"there is no {MANIFEST} in it"
        return Listed("run", name, "damaged", None, None, 0, problem)
    info = infos[0]
    return Listed("run", name, info.state, info.day, info.days, info.size_bytes, info.problem)


def _look_at_study(name: str, path: Path) -> Listed:
    from worldsim.study.study import Study  # noqa: PLC0415 -- loads statistics

    size = 0
    try:
        size = sum(each.stat().st_size for each in path.iterdir() if each.is_file())
        study = Study.open(path.absolute())
        total = study.manifest.totals[-1] * len(study.plan.cells)
        return Listed("study", name, study.state, len(study.rows), total, size)
    except (WorldsimError, OSError) as error:
        return Listed("study", name, "damaged", None, None, size, str(error))
