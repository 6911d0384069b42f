"""``worldsim runs``: which runs there are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.options import RUNS, json_option
from worldsim.cli.output import clean, note, print_json, print_table

if TYPE_CHECKING:
    from worldsim.runs import RunInfo

KILO = 1000


@click.command(
    cls=ExampleCommand,
    examples=[("worldsim runs", "those under runs/"), ("worldsim runs elsewhere --json", "")],
)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=RUNS)
@json_option
def command(folder: Path, *, as_json: bool) -> None:
    """List the runs in FOLDER, damaged ones too."""
    from worldsim.runs import list_runs  # noqa: PLC0415 -- not for --help

    if folder != RUNS and not folder.is_dir():
        raise click.BadParameter(f"there is no folder {clean(str(folder))!r}", param_hint="FOLDER")
    found = list_runs(folder)
    if as_json:
        print_json([_as_json(info) for info in found])
    elif not found:
        note(
            f"There is no run in {clean(str(folder))}/. One begins with: worldsim run first_landing"
        )
    else:
        print_table(
            ("run", "state", "day", "of", "seed", "size", ""),
            [
                (each.name, each.state, each.day, each.days, each.seed, _size(each.size_bytes),
                 each.problem)
                for each in found
            ],
        )  # fmt: skip


def _size(size: int) -> str:
    """Bytes in words, such as ``3.1 MB``."""
    amount = float(size)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < KILO:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= KILO
    return f"{amount:.1f} TB"


def _as_json(info: RunInfo) -> dict[str, Any]:
    return {
        "name": info.name,
        "path": str(info.path),
        "state": info.state,
        "campaign": info.campaign,
        "seed": info.seed,
        "day": info.day,
        "days": info.days,
        "size_bytes": info.size_bytes,
        "problem": info.problem,
    }
