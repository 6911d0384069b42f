"""``worldsim extend``: go on with a run past its end."""

from __future__ import annotations

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import Whole
from worldsim.cli.options import checkpoint_option, json_option, run_argument
from worldsim.cli.resume import go_on


@click.command(
    cls=ExampleCommand,
    examples=[("worldsim extend first_landing-7 --days 730", "a second year")],
)
@run_argument
@click.option(
    "--days", type=Whole(1, 1_000_000), metavar="N", required=True,
    help="The new last day, counted from the first.",
)  # fmt: skip
@checkpoint_option
@click.option("--quiet", is_flag=True, help="Show neither progress nor summary.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, run: str, days: int, checkpoint_days: int | None, *, quiet: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Go on with RUN to a later day, as if it had been longer from the start."""
    go_on(ctx, run, days, checkpoint_days, quiet=quiet, as_json=as_json)
