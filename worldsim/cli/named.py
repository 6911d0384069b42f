"""What a person named on the command line: a run, a study, or one of both."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from worldsim.cli.options import MANIFEST, RUNS
from worldsim.cli.output import clean
from worldsim.errors import InputError

if TYPE_CHECKING:
    from worldsim.runs import Run
    from worldsim.study.study import Study

Kind = Literal["run", "study"]
FOLDERS: dict[Kind, Path] = {"run": RUNS, "study": Path("studies")}
SHOWN: dict[Kind, str] = {"run": "worldsim show", "study": "worldsim study show"}
EITHER: tuple[Kind, ...] = ("run", "study")
MISSING: dict[tuple[Kind, ...], tuple[str, str]] = {
    ("run",): (
        "no run, neither as a path nor under runs/",
        "'worldsim runs' lists those here",
    ),
    ("study",): (
        "no study, neither as a path nor under studies/",
        "one is made by: worldsim study run FILE",
    ),
    EITHER: (
        "neither a run nor a study, as a path or under runs/ and studies/",
        "'worldsim runs' lists the runs here",
    ),
}
"""What is said of a name that there is nothing of, by what was wanted; and what may help."""


class NotThereError(InputError, LookupError):
    """There is no run, or no study, where one was named.

    Args:
        given: What was named.
        wanted: What it should have been.
        near: A name that may have been meant.
    """

    def __init__(self, given: str, wanted: tuple[Kind, ...], near: str | None) -> None:
        super().__init__(given, wanted, near)
        self.given, self.wanted, self.near = given, wanted, near

    def __str__(self) -> str:
        what, cure = MISSING[self.wanted]
        return f"{self.given!r} is {what}; {f'did you mean {self.near}?' if self.near else cure}"


class OtherKindError(InputError):
    """A run was named where a study is wanted, or the other way round."""

    def __init__(self, given: str, kind: Kind) -> None:
        super().__init__(given, kind)
        self.given, self.kind = given, kind

    def __str__(self) -> str:
        wanted = "study" if self.kind == "run" else "run"
        name = shlex.quote(clean(self.given))
        return f"{self.given!r} is a {self.kind}, not a {wanted}; see: {SHOWN[self.kind]} {name}"


def find(given: str, *wanted: Kind) -> tuple[Kind, Path]:
    """What was named by its path, or by its name in the folder of its kind; and where it is.

    Raises:
        OtherKindError: it is something else.
        NotThereError: there is nothing.
    """
    for kind in wanted:
        for folder in (Path(given), FOLDERS[kind] / given):
            if kind_of(folder) == kind:
                return kind, folder
    for kind in EITHER:
        if kind_of(Path(given)) == kind or kind_of(FOLDERS[kind] / given) == kind:
            raise OtherKindError(given, kind)
    raise NotThereError(given, wanted, _near(given, wanted))


def kind_of(folder: Path) -> Kind | None:
    """What is in a folder, if it looks like a run or a study; it may be damaged."""
    from worldsim.study.places import is_study  # noqa: PLC0415 -- not for --help

    try:
        if not (folder / MANIFEST).is_file():
            return None
    except (OSError, ValueError):  # too long a name, or a NUL in it
        return None
    return "study" if is_study(folder) else "run"


def run_folder(given: str) -> Path:
    """The folder of a run that was named.

    Raises:
        OtherKindError, NotThereError: there is none.
    """
    return find(given, "run")[1]


def open_run(given: str) -> Run:
    """Open a run that was named; people are told while it is cached.

    Raises:
        OtherKindError, NotThereError: there is none.
        WorldsimError: it cannot be read.
    """
    return open_run_at(run_folder(given))


def open_run_at(folder: Path) -> Run:
    """Open a run; people are told while it is cached.

    Raises:
        WorldsimError: it cannot be read.
    """
    from worldsim.cli.caching import tell_cached  # noqa: PLC0415 -- not for --help
    from worldsim.runs import Run  # noqa: PLC0415 -- loads DuckDB

    return Run.open(folder, on_cached=tell_cached)


def open_study(given: str) -> Study:
    """Open a study that was named.

    Raises:
        OtherKindError, NotThereError: there is none.
        WorldsimError: it cannot be read.
    """
    from worldsim.study.study import Study  # noqa: PLC0415 -- loads statistics

    return Study.open(find(given, "study")[1])


def run_word(path: Path) -> str:
    """How a run is named in a command line that can be copied."""
    return shlex.quote(clean(path.name if path.parent == RUNS else str(path)))


def _near(given: str, wanted: tuple[Kind, ...]) -> str | None:
    from worldsim.scenario.near import nearest  # noqa: PLC0415 -- only when something is wrong

    folders = [FOLDERS[kind] for kind in wanted if FOLDERS[kind].is_dir()]
    near = nearest(Path(given).name, sorted(each.name for at in folders for each in at.iterdir()))
    return None if near is None else clean(near)
