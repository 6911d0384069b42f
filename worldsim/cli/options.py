"""Arguments and options that several commands share."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from worldsim.cli.output import clean
from worldsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldsim.runs import Run

F = TypeVar("F", bound="Callable[..., Any]")

RUNS = Path("runs")
MANIFEST = "manifest.json"

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
scenario_argument = click.argument("scenario")
run_argument = click.argument("run")
checkpoint_option = click.option(
    "--checkpoint-days",
    type=click.IntRange(min=1),
    metavar="N",
    help="Keep a checkpoint every N days too, besides every 10 seconds.",
)
set_option = click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="KEY=VALUE",
    help="Override a key of the scenario; may be repeated.",
)


def form_option(*forms: str, says: str) -> Callable[[F], F]:
    """``--format`` with these forms, the first where none is given, and ``--json``.

    Args:
        forms: One begins with ``json``, and ``--json`` is short for it.
        says: What ``--help`` says of the forms.
    """
    json = next(form for form in forms if form.startswith("json"))
    short = click.option("--json", "form", flag_value=json, help=f"The same as --format {json}.")
    whole = click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        show_default=True,
        help=says,
    )
    return lambda command: whole(short(command))


class NewFile(click.Path):
    """A file that is to be written: nothing is there yet, and its folder is. It becomes a `Path`.

    Args:
        endings: That its name may have; any if there are none.
    """

    def __init__(self, *endings: str) -> None:
        super().__init__(path_type=Path)
        self._endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Refuse it before anything is read."""
        path = Path(value)
        name = clean(str(path))
        if self._endings and path.suffix.lower() not in self._endings:
            self.fail(f"the name {name!r} must end in {' or '.join(self._endings)}", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"there is no folder {clean(str(path.parent))!r}", param, ctx)
        if os.path.lexists(path):
            self.fail(f"{name} exists already: nothing was written; give another", param, ctx)
        return path


class NoRunError(InputError, LookupError):
    """There is no run where one was named.

    Args:
        given: What was named.
        near: A run that may have been meant.
    """

    def __init__(self, given: str, near: str | None) -> None:
        super().__init__(given, near)
        self.given, self.near = given, near

    def __str__(self) -> str:
        cure = f"did you mean {self.near}?" if self.near else "'worldsim runs' lists those here"
        return f"{self.given!r} is no run, neither as a path nor under {RUNS}/; {cure}"


def run_folder(given: str) -> Path:
    """The folder of a run that was named by its path, or by its name under ``runs/``.

    Raises:
        NoRunError: it is neither.
    """
    for folder in (Path(given), RUNS / given):
        if _holds_run(folder):
            return folder
    raise NoRunError(given, _near_run(given))


def run_word(path: Path) -> str:
    """How a run is named in a command line that can be copied."""
    return shlex.quote(clean(path.name if path.parent == RUNS else str(path)))


def open_run(given: str) -> Run:
    """Open a run by its path, or by its name under ``runs/``; people are told while it is cached.

    Raises:
        NoRunError: there is none.
        WorldsimError: it cannot be read.
    """
    from worldsim.cli.caching import tell_cached  # noqa: PLC0415 -- not for --help
    from worldsim.runs import Run  # noqa: PLC0415 -- loads DuckDB

    return Run.open(run_folder(given), on_cached=tell_cached)


def _holds_run(folder: Path) -> bool:
    try:
        return (folder / MANIFEST).is_file()
    except (OSError, ValueError):  # too long a name, or a NUL in it
        return False


def _near_run(given: str) -> str | None:
    from worldsim.scenario.near import nearest  # noqa: PLC0415 -- only when something is wrong

    names = sorted(folder.name for folder in RUNS.iterdir()) if RUNS.is_dir() else []
    near = nearest(Path(given).name, names)
    return None if near is None else clean(near)
