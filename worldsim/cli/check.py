"""``worldsim check``: is a scenario right, and what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.options import json_option, scenario_argument, set_option
from worldsim.cli.output import clean, counted, print_json, say
from worldsim.errors import UnfitScenarioError

if TYPE_CHECKING:
    from worldsim.scenario.model import Scenario
    from worldsim.world.world import World

COUNTED = {
    "regions": ("region", "regions"),
    "sectors": ("sector", "sectors"),
    "ingredients": ("ingredient", "ingredients"),
    "units_in_ground": ("unit in the ground", "units in the ground"),
    "colonies": ("colony", "colonies"),
    "teams": ("team", "teams"),
    "people": ("person", "people"),
    "days": ("day", "days"),
}
"""What one and what more of each are called."""


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim check my_world.toml", ""),
        ("worldsim check first_landing", "a shipped scenario"),
        ("worldsim check my_world.toml --set planet.regions=9", ""),
    ],
)
@scenario_argument
@set_option
@json_option
@click.pass_context
def command(ctx: click.Context, scenario: str, sets: tuple[str, ...], *, as_json: bool) -> None:
    """Check SCENARIO, a path or the name of a shipped one: all faults, or what is in it.

    The world is made too, so that a target nobody can reach is found.
    """
    from worldsim.processes.simulation import Simulation  # noqa: PLC0415 -- not for --help
    from worldsim.scenario import ScenarioError, load_with_origins  # noqa: PLC0415

    try:
        loaded = load_with_origins(scenario, sets=sets)
        seed = loaded.scenario.campaign.seed
        try:
            world = Simulation(loaded.scenario, seed=seed, write=bytearray().extend).world
        except UnfitScenarioError as unfit:
            raise loaded.located(unfit) from unfit
    except ScenarioError as error:
        if not as_json:
            raise
        print_json({"ok": False, **error.as_json()})
        ctx.exit(error.exit_code)
    facts = _facts(loaded.scenario, world)
    if as_json:
        print_json({"ok": True, **facts})
    else:
        _print_facts(scenario, facts)


def _facts(scenario: Scenario, world: World) -> dict[str, Any]:
    from worldsim.scenario import digest  # noqa: PLC0415 -- not for --help

    return {
        "scenario": scenario.campaign.name,
        "days": scenario.campaign.days,
        "seed": scenario.campaign.seed,
        "regions": len(world.atlas.regions),
        "sectors": len(world.atlas.sectors),
        "ingredients": len(world.ingredients),
        "units_in_ground": sum(map(sum, world.reserves.initial)),
        "colonies": len(world.colonies),
        "teams": len(world.teams),
        "people": sum(len(team.members) for team in world.teams),
        "digest": digest(scenario),
    }


def _print_facts(source: str, facts: dict[str, Any]) -> None:
    say(f"{clean(source)}: ok")
    for line in (
        ("planet", "regions", "sectors"),
        ("reserves", "ingredients", "units_in_ground"),
        ("people", "colonies", "teams", "people"),
        ("campaign", "days"),
    ):
        counts = ", ".join(counted(facts[name], *COUNTED[name]) for name in line[1:])
        say(f"  {line[0]:<10}{counts}")
    say(f"  {'seed':<10}{facts['seed']}")
    say(f"  {'digest':<10}{facts['digest']}")
