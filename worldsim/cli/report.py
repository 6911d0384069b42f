"""``worldsim report``: one HTML file of what became of a run or a study, to look at or send."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import NewFile
from worldsim.cli.named import EITHER, find, open_run_at
from worldsim.cli.options import json_option
from worldsim.cli.output import clean, counted, note, print_json, say

if TYPE_CHECKING:
    from worldsim.views.report.page import Page

ENDINGS = (".html", ".htm")


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim report first_landing-7", "writes first_landing-7.html"),
        ("worldsim report runs/first_landing-7 --out landing.html", ""),
        ("worldsim report two_policies", "of a study"),
    ],
)
@click.argument("run", metavar="RUN|STUDY")
@click.option(
    "--out",
    type=NewFile(*ENDINGS),
    metavar="FILE",
    help="A new .html file, instead of NAME.html in this folder.",
)
@json_option
def command(run: str, out: Path | None, *, as_json: bool) -> None:
    """Write what became of RUN or STUDY, a path or a name under runs/ or studies/, into one file.

    The file needs nothing else: its pictures can be moved, read as tables and saved without a
    network. It asks nobody for anything. Nothing is overwritten.
    """
    page, name = _page(run)
    path = Path(f"{name}.html") if out is None else out
    from worldsim.views.exports.writing import new_file  # noqa: PLC0415 -- not for --help
    from worldsim.views.report.html import html_of  # noqa: PLC0415 -- loads plotly

    with new_file(path) as made:
        data = html_of(page).encode()
        made.write_bytes(data)
    for each in page.warnings:
        note(clean(each))
    if page.damaged:
        note(f"What is damaged: worldsim verify {shlex.quote(clean(run))}")
    if as_json:
        print_json({"path": str(path), "bytes": len(data), "pictures": page.pictures,
                    "warnings": list(page.warnings)})  # fmt: skip
        return
    pictures = counted(page.pictures, "picture")
    say(f"written: {clean(str(path))}, {pictures}, {len(data) / 1e6:.1f} MB")


def _page(given: str) -> tuple[Page, str]:
    """The report of what was named, and what its file is called."""
    kind, folder = find(given, *EITHER)
    if kind == "study":
        from worldsim.study.study import Study  # noqa: PLC0415 -- loads statistics
        from worldsim.views.report.study import study_page  # noqa: PLC0415 -- loads plotly

        return study_page(Study.open(folder)), folder.absolute().name
    from worldsim.views.report.run import run_page  # noqa: PLC0415 -- loads plotly

    run = open_run_at(folder)
    return run_page(run), run.name
