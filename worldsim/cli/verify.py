"""``worldsim verify``: whether a run is what it was."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.named import run_folder
from worldsim.cli.options import json_option, run_argument
from worldsim.cli.output import clean, counted, note, print_json, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from worldsim.runs import FaultError, Verified

REFRESH_S = 0.1
LONG_LOG = 50_000  # lines, from which on it takes long enough to be watched


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim verify first_landing-7", ""),
        ("worldsim verify runs/first_landing-7 --quiet && echo whole", "the exit code alone"),
        ("worldsim verify first_landing-7 --json", ""),
    ],
)
@run_argument
@click.option("--quiet", is_flag=True, help="Say nothing unless something is wrong.")
@json_option
@click.pass_context
def command(ctx: click.Context, run: str, *, quiet: bool, as_json: bool) -> None:
    """Check RUN, a path or a name under runs/, and name the first fault.

    Compared are: each file with its checksum; each line of the log with its kind, and its number,
    time and day with those before; what the log adds up to with checkpoints and tables. Exit code
    3 if something is wrong.
    """
    from worldsim.runs import FaultError, verify  # noqa: PLC0415 -- loads DuckDB

    folder = run_folder(run)
    try:
        with _shown_progress(quiet=quiet) as on_lines:
            verified = verify(folder, on_lines=on_lines)
    except FaultError as fault:
        if not as_json:
            raise
        print_json(_fault_json(fault))
        ctx.exit(fault.exit_code)
    if as_json:
        print_json({"run": verified.run, "whole": True, **asdict(verified)})
    elif not quiet:
        _print(verified)


def _print(verified: Verified) -> None:
    for each in verified.notes:
        note(f"note: {clean(each)}")
    books = "; the log adds up to what checkpoints and tables hold" if verified.folded else ""
    say(
        f"{clean(verified.run)} is whole: {counted(verified.files, 'file')},"
        f" {counted(verified.lines, 'line')}, {counted(verified.days, 'day')}{books}"
    )


def _fault_json(fault: FaultError) -> dict[str, Any]:
    return {
        "run": fault.run,
        "whole": False,
        "file": fault.file,
        "line": fault.line,
        "problem": fault.problem,
    }


@contextmanager
def _shown_progress(*, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal, where there is much to read; nothing elsewhere."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 -- only terminals show it
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), auto_refresh=False, transient=True) as progress:
        last = time.monotonic()

        def on_lines(number: int, of: int) -> None:
            nonlocal last
            if of < LONG_LOG or time.monotonic() - last < REFRESH_S:
                return
            last = time.monotonic()
            task = next(iter(progress.task_ids), None)
            if task is None:
                task = progress.add_task("verifying", total=of)
            progress.update(task, completed=number, refresh=True)

        yield on_lines
