"""``worldsim show``: what became of a run."""

from __future__ import annotations

import click

from worldsim.cli.ending import note_unfinished
from worldsim.cli.examples import ExampleCommand
from worldsim.cli.named import open_run
from worldsim.cli.options import json_option, run_argument
from worldsim.cli.output import print_json
from worldsim.cli.summary import print_summary, summary_json


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim show first_landing-7", ""),
        ("worldsim show runs/first_landing-7 --json", ""),
    ],
)
@run_argument
@json_option
def command(run: str, *, as_json: bool) -> None:
    """Sum up RUN: a path, or a name under runs/."""
    opened = open_run(run)
    if as_json:
        print_json(summary_json(opened.summary()))
    else:
        print_summary(opened)
        note_unfinished(opened)
