"""``worldsim export``: a run in the formats of other programs."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import NewFile
from worldsim.cli.named import open_run
from worldsim.cli.options import json_option, run_argument
from worldsim.cli.output import clean, counted, note, print_json, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from worldsim.runs import Run
    from worldsim.views.exports import Exported

FORMS = ("perfetto", "ocel", "ocel-sqlite", "sqlite", "parquet", "csv")
LONG_S = 2.0
"""After so long a terminal is told how far an export is."""
REFRESH_S = 0.2
NEXT = {
    "perfetto": "open it at ui.perfetto.dev; a minute of the campaign is a minute there",
    "ocel": 'pm4py.read_ocel2_json("{path}")',
    "ocel-sqlite": 'pm4py.read_ocel2_sqlite("{path}")',
    "sqlite": 'sqlite3 "{path}" "select event, count(*) from events group by 1"',
    "parquet": "duckdb, pandas and polars read its files",
    "csv": "spreadsheets read its files",
}
LONG_CAMPAIGN = "open it at ui.perfetto.dev; a minute of the campaign is a second there"


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim export first_landing-7 --to perfetto", "teams as tracks, stocks as lines"),
        ("worldsim export first_landing-7 --to ocel", "for process mining, as JSON"),
        ("worldsim export first_landing-7 --to sqlite --out run.db", ""),
        ("worldsim export runs/first_landing-7 --to csv", "a folder, one file a table"),
    ],
)
@run_argument
@click.option("--to", "form", type=click.Choice(FORMS), required=True, help="The format.")
@click.option(
    "--out",
    type=NewFile(),
    metavar="PATH",
    help="A new file or folder; here, named after the run, if not given.",
)
@json_option
def command(run: str, form: str, out: Path | None, *, as_json: bool) -> None:
    """Write RUN, a path or a name under runs/, in a format that other programs read.

    Nothing is overwritten. Of a run that is still simulated, what is there now is written.
    """
    opened = open_run(run)
    from worldsim.views.exports import export  # noqa: PLC0415 -- not for --help

    with _progress(opened) as on_events:
        exported = export(opened, form, out, on_events=on_events)  # type: ignore[arg-type]
    if as_json:
        print_json(
            {"path": str(exported.path), "format": exported.form, "bytes": exported.bytes,
             "counts": exported.counts}
        )  # fmt: skip
    else:
        _print(exported, opened)


def _print(exported: Exported, run: Run) -> None:
    path = clean(str(exported.path))
    say(f"{path}: {counted(exported.bytes, 'byte')}")
    for name, count in exported.counts.items():
        say(f"  {count:>12,}  {name.replace('_', ' ')}")
    hint = NEXT[exported.form].format(path=path)
    if exported.form == "perfetto":
        from worldsim.views.exports.perfetto_trace import LONGEST_DAYS  # noqa: PLC0415 -- late

        hint = LONG_CAMPAIGN if run.manifest.days > LONGEST_DAYS else hint
    note(f"Next: {hint}")


@contextmanager
def _progress(run: Run) -> Iterator[Callable[[int], None] | None]:
    """What to tell how many lines were read; a terminal sees it where that takes long."""
    if not sys.stderr.isatty():
        yield None
        return
    begun = shown = time.monotonic()
    lines = max(1, run.manifest.events.total)
    drawn = False

    def on_events(done: int) -> None:
        nonlocal shown, drawn
        now = time.monotonic()
        if now - begun > LONG_S and now - shown > REFRESH_S:
            shown, drawn = now, True
            sys.stderr.write(f"\r{min(done / lines, 1):.0%} of the events ")
            sys.stderr.flush()

    try:
        yield on_events
    finally:
        if drawn:
            sys.stderr.write("\r\x1b[K")
