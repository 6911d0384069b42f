"""``worldsim report``: one HTML file of what became of a run or a study, to look at or send."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.options import json_option, open_run
from worldsim.cli.output import clean, counted, print_json, say

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
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="An .html file, instead of NAME.html in this folder; replaced if it is there.",
)
@json_option
def command(run: str, out: Path | None, *, as_json: bool) -> None:
    """Write what became of RUN or STUDY, a path or a name under runs/ or studies/, into one file.

    The file needs nothing else: its pictures can be moved, read as tables and saved without a
    network. It asks nobody for anything.
    """
    if out is not None:
        _check_out(out)
    page, name = _page(run)
    path = Path(f"{name}.html") if out is None else out
    from worldsim.runs.disk import Disk  # noqa: PLC0415 -- as in run
    from worldsim.views.report.html import html_of  # noqa: PLC0415 -- loads plotly

    data = html_of(page).encode()
    Disk().write_file(path, data)
    if as_json:
        print_json({"path": str(path), "bytes": len(data), "pictures": page.pictures,
                    "warnings": list(page.warnings)})  # fmt: skip
        return
    pictures = counted(page.pictures, "picture")
    say(f"written: {clean(str(path))}, {pictures}, {len(data) / 1e6:.1f} MB")


def _page(given: str) -> tuple[Page, str]:
    """The report of what was named, and what its file is called."""
    from worldsim.study.places import STUDIES, is_study  # noqa: PLC0415 -- only when it is needed

    if is_study(Path(given)) or is_study(STUDIES / given):
        from worldsim.study.study import Study  # noqa: PLC0415 -- loads statistics
        from worldsim.views.report.study import study_page  # noqa: PLC0415 -- loads plotly

        return study_page(Study.open(given)), Path(given).absolute().name
    from worldsim.views.report.run import run_page  # noqa: PLC0415 -- loads plotly

    run = open_run(given)
    return run_page(run), run.name


def _check_out(path: Path) -> None:
    """Refuse a file that cannot be written, before anything is read."""
    if path.suffix.lower() not in ENDINGS:
        raise click.BadParameter(
            f"{clean(str(path))!r} is no page; its name must end in .html", param_hint="--out"
        )
    if not path.parent.is_dir():
        raise click.BadParameter(
            f"there is no folder {clean(str(path.parent))!r}", param_hint="--out"
        )
