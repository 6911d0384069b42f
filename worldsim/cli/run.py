"""``worldsim run``: simulate a scenario."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from worldsim.cli.ending import conclude
from worldsim.cli.examples import ExampleCommand
from worldsim.cli.filters import LEVELS
from worldsim.cli.kinds import NewFolder, Whole
from worldsim.cli.options import RUNS, checkpoint_option, json_option, scenario_argument, set_option
from worldsim.cli.output import clean, note
from worldsim.errors import UnfitScenarioError

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.events.kinds import Level
    from worldsim.runs import AlreadyFinished, Run
    from worldsim.scenario.model import Scenario

SEED = Whole(0, 2**63 - 1)
DAYS = Whole(1, 1_000_000)


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim run first_landing", "a shipped scenario"),
        ("worldsim run my_world.toml --seed 7 --days 90", ""),
        ("worldsim run my_world.toml --set rules.gathering.one_success_cost=0", ""),
        ("worldsim run lone_colony --log-level debug", "every roll of the dice too"),
    ],
)
@scenario_argument
@click.option("--seed", type=SEED, metavar="N", help="Instead of the scenario's.")
@click.option("--days", type=DAYS, metavar="N", help="Instead of the scenario's.")
@click.option("--out", type=NewFolder(), help="A new folder, instead of runs/NAME-SEED.")
@set_option
@click.option("--log-level", "level", type=click.Choice(LEVELS), help="The lowest level kept.")
@checkpoint_option
@click.option("--quiet", is_flag=True, help="Show neither progress nor summary.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    scenario: str,
    seed: int | None,
    days: int | None,
    out: Path | None,
    sets: tuple[str, ...],
    level: Level | None,
    checkpoint_days: int | None,
    *,
    quiet: bool,
    as_json: bool,
) -> None:
    """Simulate SCENARIO, a path or the name of a shipped one, and sum up what happened.

    Ctrl-C stops at the next midnight; `worldsim resume` goes on from there, as it does after the
    machine stopped.
    """
    from worldsim.runs import AlreadyFinished, Run  # noqa: PLC0415 -- not for --help
    from worldsim.runs.places import FolderTakenError  # noqa: PLC0415
    from worldsim.scenario import load_with_origins  # noqa: PLC0415

    loaded = load_with_origins(scenario, sets=sets)
    run = None
    while run is None:
        place = out if out is not None else _place(loaded.scenario, seed, days)
        if isinstance(place, AlreadyFinished):
            run = Run.open(place.path)
            note(
                f"This was simulated before, to day {place.day:,}, with a log of level "
                f"{run.manifest.level}: {clean(str(place.path))} (--out makes another)"
            )
            break
        try:
            run = _simulate(loaded.scenario, seed, days, place, level, checkpoint_days, quiet=quiet)
        except UnfitScenarioError as unfit:
            raise loaded.located(unfit) from unfit
        except FolderTakenError:
            if out is not None:
                raise  # else another command has taken the name meanwhile: the next is as good
    conclude(ctx, run, scenario, quiet=quiet, as_json=as_json)


def _place(scenario: Scenario, seed: int | None, days: int | None) -> Path | AlreadyFinished:
    """Where a run goes to which no place was given."""
    from worldsim.runs import new_folder  # noqa: PLC0415 -- not for --help
    from worldsim.scenario import digest  # noqa: PLC0415

    campaign = scenario.campaign
    return new_folder(
        RUNS,
        campaign=campaign.name,
        seed=campaign.seed if seed is None else seed,
        days=campaign.days if days is None else days,
        digest=digest(scenario),
    )


def _simulate(
    scenario: Scenario,
    seed: int | None,
    days: int | None,
    place: Path,
    level: Level | None,
    checkpoint_days: int | None,
    *,
    quiet: bool,
) -> Run:
    """Simulate with progress shown, until the end or a signal."""
    from worldsim.cli.ending import driven  # noqa: PLC0415 -- not for --help
    from worldsim.runs import open_campaign  # noqa: PLC0415

    begin = partial(
        open_campaign, scenario, seed=seed, days=days, out=place, level=level,
        checkpoint_days=checkpoint_days,
    )  # fmt: skip
    return driven(begin, place, quiet=quiet)
