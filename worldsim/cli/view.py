"""``worldsim view``: the live page of runs and studies, in a browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import Whole
from worldsim.cli.named import EITHER, find
from worldsim.cli.options import json_option
from worldsim.cli.output import clean, note, print_json

PORT = 8570


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim view", "all runs and studies of this folder"),
        ("worldsim view first_landing-7", "one run, finished or being simulated"),
        ("worldsim view studies/two_policies --port 0", "a study, at a free port"),
        ("worldsim view --host 0.0.0.0 --no-open", "for other machines: with a token"),
    ],
)
@click.argument("place", metavar="[RUN|STUDY|FOLDER]", required=False)
@click.option(
    "--port",
    type=Whole(0, 65535),
    default=PORT,
    show_default=True,
    help="Where to listen; 0 takes a free one.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Another one than this machine's own demands a token, which the address holds.",
)
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
@json_option
def command(place: str | None, port: int, host: str, *, no_open: bool, as_json: bool) -> None:
    """Show RUN, STUDY or the runs and studies of FOLDER as a page, until Ctrl-C.

    RUN and STUDY are paths, or names under runs/ and studies/. The page only reads. It is served on
    this machine alone, unless --host says otherwise.
    """
    folder = _place(place)
    from worldsim.views.live.serving import Server  # noqa: PLC0415

    server = Server(folder, host=host, port=port)
    note(f"{clean(server.address)}\nCtrl-C ends it")
    if as_json:
        print_json({"address": server.address})
        sys.stdout.flush()
    if not no_open and sys.stderr.isatty():
        import webbrowser  # noqa: PLC0415 -- seldom needed

        webbrowser.open(server.address)
    server.serve()


def _place(given: str | None) -> Path:
    """The folder that was named, or this one.

    Raises:
        NotThereError: there is none.
    """
    if given is None:
        return Path()
    if given and os.path.isdir(given):  # noqa: PTH112 -- false for any name
        return Path(given)
    return find(given, *EITHER)[1]
