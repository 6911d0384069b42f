"""``worldsim resume``: go on with a run that was stopped."""

from __future__ import annotations

from functools import partial

import click

from worldsim.cli.ending import conclude, driven
from worldsim.cli.examples import ExampleCommand
from worldsim.cli.named import run_folder
from worldsim.cli.options import checkpoint_option, json_option, run_argument
from worldsim.cli.output import clean, note


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim resume first_landing-7", "after Ctrl-C, a crash, or a power cut"),
        ("worldsim resume runs/first_landing-7 --quiet", ""),
    ],
)
@run_argument
@checkpoint_option
@click.option("--quiet", is_flag=True, help="Show neither progress nor summary.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, run: str, checkpoint_days: int | None, *, quiet: bool, as_json: bool
) -> None:
    """Go on with RUN from its latest checkpoint: a path, or a name under runs/.

    It ends in the same bytes as if it had never stopped.
    """
    go_on(ctx, run, None, checkpoint_days, quiet=quiet, as_json=as_json)


def go_on(
    ctx: click.Context,
    run: str,
    days: int | None,
    checkpoint_days: int | None,
    *,
    quiet: bool,
    as_json: bool,
) -> None:
    """Resume a run, or extend it to a later day."""
    from worldsim.runs import reopen  # noqa: PLC0415 -- not for --help

    folder = run_folder(run)
    begin = partial(
        reopen,
        folder,
        days=days,
        checkpoint_days=checkpoint_days,
        on_skipped=lambda reason: note(f"{clean(reason)}: an earlier checkpoint serves"),
    )
    conclude(ctx, driven(begin, folder, quiet=quiet), None, quiet=quiet, as_json=as_json)
