"""``worldsim branch``: go on from a midnight of a run with something changed."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import click

from worldsim.cli.ending import conclude, driven
from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import NewFolder, Whole
from worldsim.cli.named import open_run_at, run_folder, run_word
from worldsim.cli.options import RUNS, checkpoint_option, json_option, run_argument, set_option
from worldsim.cli.output import note
from worldsim.errors import UnfitScenarioError

if TYPE_CHECKING:
    from pathlib import Path

_STOCK = re.compile(r"(?P<place>.+):(?P<ingredient>[^:=]+)=(?P<units>[0-9]{1,18})")


class Stock(click.ParamType[tuple[str, str, int]]):
    """``PLACE:INGREDIENT=UNITS``."""

    name = "stock"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str, int]:
        """Take it apart."""
        found = _STOCK.fullmatch(value)
        if found is None:
            self.fail(f"{value!r} is not PLACE:INGREDIENT=UNITS, such as r1/s2:salt=40", param, ctx)
        return found["place"], found["ingredient"], int(found["units"])


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim branch first_landing-7 --at 90 --set rules.gathering.one_success_cost=0", ""),
        ("worldsim branch first_landing-7 --at 90 --set colonies.0.policy=round_robin", ""),
        ("worldsim branch first_landing-7 --at 90 --stock r1/s3:salt=0", "somebody took it all"),
        ("worldsim diff first_landing-7 first_landing-7-at-90", "what came of it"),
    ],
)
@run_argument
@click.option(
    "--at", type=Whole(min=0), metavar="DAY", required=True,
    help="The last day both share; 0 for none.",
)  # fmt: skip
@set_option
@click.option(
    "--stock", "stocks", type=Stock(), multiple=True, metavar="PLACE:INGREDIENT=UNITS",
    help="Units in the ground at that midnight; may be repeated.",
)  # fmt: skip
@click.option("--days", type=Whole(1, 1_000_000), metavar="N", help="Instead of the run's.")
@click.option("--out", type=NewFolder(), help="A new folder, instead of runs/RUN-at-DAY.")
@checkpoint_option
@click.option("--quiet", is_flag=True, help="Show neither progress nor summary.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, run: str, at: int, sets: tuple[str, ...],
    stocks: tuple[tuple[str, str, int], ...], days: int | None, out: Path | None,
    checkpoint_days: int | None, *, quiet: bool, as_json: bool,
) -> None:  # fmt: skip
    """Go on from a midnight of RUN with a changed rule, policy or stock, as a new run.

    What the change does not touch keeps its dice, so the two differ by the change alone.
    """
    from worldsim.runs import open_branch  # noqa: PLC0415 -- not for --help
    from worldsim.runs.chapters import read_scenario  # noqa: PLC0415
    from worldsim.runs.places import free_folder  # noqa: PLC0415

    if not sets and not stocks:
        raise click.UsageError("nothing is changed: give --set or --stock")
    folder = run_folder(run)
    parent = open_run_at(folder)
    place = out or free_folder(RUNS, f"{parent.name}-at-{at}")
    units: dict[str, dict[str, int]] = {}
    for sector, ingredient, left in stocks:
        units.setdefault(sector, {})[ingredient] = left
    loaded = read_scenario(folder, parent.manifest, sets=sets)
    given = [*sets, *(f"stock {place}:{name}={left}" for place, name, left in stocks)]
    begin = partial(
        open_branch, parent, loaded.scenario, at=at, stocks=units, changes=given, days=days,
        out=place, checkpoint_days=checkpoint_days,
    )  # fmt: skip
    try:
        branched = driven(begin, place, quiet=quiet)
    except UnfitScenarioError as unfit:
        raise loaded.located(unfit) from unfit
    conclude(ctx, branched, None, quiet=quiet, as_json=as_json)
    if not quiet and not as_json:
        note(f"  worldsim diff {run_word(folder)} {run_word(place)}")
