"""``worldsim runs``: which runs there are, and what they can do without."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.named import kind_of, run_folder
from worldsim.cli.options import RUNS, json_option
from worldsim.cli.output import clean, counted, note, print_json, print_table, say
from worldsim.errors import WorldsimError
from worldsim.views.cells import bytes_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from worldsim.runs import RunInfo
    from worldsim.runs.pruning import Waste

Given = TypeVar("Given")
Result = TypeVar("Result")


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim runs", "those under runs/"),
        ("worldsim runs elsewhere --json", ""),
        ("worldsim runs --prune", "remove what they can do without, if you say so"),
        ("worldsim runs runs/first_landing-7 --compress", "the log of one run"),
    ],
)
@click.argument("folder", type=click.Path(path_type=Path), default=RUNS)
@click.option("--prune", is_flag=True,
              help="Remove old checkpoints, caches, what crashes left; asks first.")  # fmt: skip
@click.option("--compress", is_flag=True, help="Compress the sealed parts of the event logs.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def command(folder: Path, *, prune: bool, compress: bool, yes: bool, as_json: bool) -> None:
    """List the runs in FOLDER, damaged ones too. FOLDER may be one run.

    What is pruned stays as it is otherwise: the first checkpoint and the latest are kept, so a run
    can be resumed, extended, replayed and branched as before. Compressed logs are read by all
    commands.
    """
    from worldsim.runs import list_runs  # noqa: PLC0415 -- not for --help

    if prune and compress:
        raise click.UsageError("--prune and --compress are two things: one after the other")
    if yes and not prune:
        raise click.UsageError("--yes answers what --prune asks, and is not used without it")
    folder = _folder(folder)
    found = [each for each in list_runs(folder) if kind_of(each.path) != "study"]
    if prune:
        _prune(folder, found, yes=yes, as_json=as_json)
    elif compress:
        _compress(found, as_json=as_json)
    elif as_json:
        print_json([asdict(info) for info in found])
    elif not found:
        note(_nothing_in(folder))
    else:
        print_table(
            ("run", "state", "day", "of", "seed", "size", ""),
            [
                (each.name, each.state, each.day, each.days, each.seed,
                 bytes_in_words(each.size_bytes), each.problem)
                for each in found
            ],
        )  # fmt: skip


def _folder(given: Path) -> Path:
    """The folder that was named, or the run of that name under ``runs/``.

    Raises:
        NotThereError: it is neither.
    """
    try:
        if given == RUNS or given.is_dir():
            return given
    except (OSError, ValueError):  # too long a name, or a NUL in it
        pass
    return run_folder(str(given))


def _nothing_in(folder: Path) -> str:
    """What is said of a folder without runs, and what may help."""
    name = clean(str(folder))
    if kind_of(folder) == "study":
        return f"{name} is a study: worldsim study show {shlex.quote(name)}"
    within = folder / RUNS
    cure = f"worldsim runs {shlex.quote(clean(str(within)))}" if within.is_dir() else ""
    return f"There is no run in {name}; {cure or 'one begins with: worldsim run first_landing'}"


def _prune(folder: Path, found: Sequence[RunInfo], *, yes: bool, as_json: bool) -> None:
    """Say what would be freed, ask, and free it; with ``--json``, free nothing unless ``yes``.

    Raises:
        LeftAloneError: something could not be done.
    """
    from worldsim.runs.pruning import abandoned, remove, waste_in  # noqa: PLC0415 -- not for --help

    tried = Tried()
    wastes = [each for info in _idle(found) for each in tried(info.name, waste_in, info.path)]
    if folder.is_dir():
        wastes += abandoned(folder)
    wastes = [waste for waste in wastes if waste.files]
    if not as_json and wastes:
        _print_wastes(wastes)
    go = bool(wastes) and (yes or (not as_json and _asked()))
    freed = [each for waste in wastes if go for each in tried(waste.path.name, remove, waste)]
    if as_json:
        print_json([_waste_json(waste, removed=go) for waste in (freed if go else wastes)])
    elif go:
        say(f"freed {bytes_in_words(sum(waste.total for waste in freed))}")
    elif not tried.refused:
        note("nothing was removed" if wastes else "there is nothing to remove")
    tried.conclude()


def _compress(found: Sequence[RunInfo], *, as_json: bool) -> None:
    """Compress the logs of all runs that nobody writes, and say what was freed.

    Raises:
        LeftAloneError: something could not be done.
    """
    from worldsim.runs.pruning import compress_run  # noqa: PLC0415 -- as in _prune

    tried = Tried()
    freed = [
        (info, size)
        for info in _idle(found)
        for size in tried(info.name, compress_run, info.path)
        if size
    ]
    if as_json:
        print_json(
            [{"name": i.name, "path": str(i.path), "freed_bytes": size} for i, size in freed]
        )
    else:
        for info, size in freed:
            say(f"{clean(info.name)}: freed {bytes_in_words(size)}")
        if not freed and not tried.refused:
            note("there is nothing to compress")
    tried.conclude()


def _idle(found: Sequence[RunInfo]) -> Iterator[RunInfo]:
    """Those that nobody writes and that can be read; of the others a note is printed."""
    for info in found:
        if info.state == "damaged":
            note(f"{clean(info.name)} was left as it is: {clean(info.problem or 'damaged')}")
        elif info.state == "running":
            note(f"{clean(info.name)} was left as it is: it is being written")
        else:
            yield info


class LeftAloneError(WorldsimError):
    """Some runs could not be worked on; why was said of each."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count

    def __str__(self) -> str:
        return f"nothing was done to {counted(self.count, 'run')}: see above"


class Tried:
    """Does something with one run after the other, whatever becomes of those before.

    Attributes:
        refused: How many could not be worked on.
    """

    def __init__(self) -> None:
        self.refused = 0

    def __call__(self, name: str, work: Callable[[Given], Result], given: Given) -> list[Result]:
        """What comes of one run; nothing, and a note, where worldsim refuses."""
        try:
            return [work(given)]
        except WorldsimError as error:
            self.refused += 1
            note(f"{clean(name)} was left as it is: {clean(str(error))}")
            return []

    def conclude(self) -> None:
        """End the command.

        Raises:
            LeftAloneError: something could not be done.
        """
        if self.refused:
            raise LeftAloneError(self.refused)


def _print_wastes(wastes: Sequence[Waste]) -> None:
    from worldsim.runs.pruning import Kind  # noqa: PLC0415 -- as in _prune

    kinds = get_args(Kind)
    print_table(
        ("run", *kinds, "files"),
        [
            (
                waste.path.name,
                *(bytes_in_words(waste.bytes.get(kind, 0)) for kind in kinds),
                waste.files,
            )
            for waste in wastes
        ],
    )


def _asked() -> bool:
    """Whether somebody says yes; no, where nobody can."""
    try:
        return click.confirm("Remove them?", err=True)
    except click.Abort:
        return False


def _waste_json(waste: Waste, *, removed: bool) -> dict[str, Any]:
    return {
        "name": waste.path.name,
        "path": str(waste.path),
        "files": waste.files,
        "bytes": waste.total,
        "by_kind": dict(waste.bytes),
        "removed": removed,
    }
