"""``worldsim map``: the planet as a picture, or as a graph for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import NewFile, Whole
from worldsim.cli.named import NotThereError, open_run_at, run_folder
from worldsim.cli.options import json_option
from worldsim.cli.output import clean, counted, print_json, say
from worldsim.errors import InputError

if TYPE_CHECKING:
    from worldsim.views.ground import Ground

FORMS = (".png", ".svg", ".graphml")


class NeitherError(InputError, LookupError):
    """A word that names neither a run nor a scenario.

    Args:
        given: The word.
    """

    def __init__(self, given: str) -> None:
        super().__init__(given)
        self.given = given

    def __str__(self) -> str:
        return (
            f"{clean(self.given)!r} is neither a run nor a scenario; "
            "'worldsim runs' lists the runs here, and a scenario is a .toml file or a shipped name"
        )


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim map first_landing", "a scenario: what lies where at the start"),
        ("worldsim map first_landing-7 --day 180", "a run: what is left then"),
        ("worldsim map first_landing-7 --out left.svg", ""),
        ("worldsim map my_world.toml --out planet.graphml", 'for map = "planet.graphml"'),
    ],
)
@click.argument("source", metavar="SCENARIO|RUN")
@click.option(
    "--out",
    type=NewFile(*FORMS),
    metavar="FILE",
    help="A new .png, .svg or .graphml file; NAME-map.png if not given.",
)
@click.option(
    "--day",
    type=Whole(min=0),
    metavar="N",
    help="Of a run: the end of this day; its last.",
)
@json_option
def command(source: str, out: Path | None, day: int | None, *, as_json: bool) -> None:
    """Draw the map of a SCENARIO or of a RUN: regions, sectors, colonies, and what lies where.

    A GraphML file has the same map as a graph, and can be the map of a scenario again. Nothing is
    overwritten.
    """
    ground = _ground(source, day)
    from worldsim.views.maps import draw  # noqa: PLC0415 -- loads networkx

    path = out or Path(f"{ground.name}-map.png")
    counts = draw(ground, path)
    if as_json:
        print_json({"path": str(path), "format": path.suffix.lower().removeprefix("."),
                    "bytes": path.stat().st_size, "day": ground.day, "counts": counts})  # fmt: skip
        return
    told = (
        counted(counts["regions"], "region"),
        counted(counts["sectors"], "sector"),
        counted(counts["colonies"], "colony", "colonies"),
    )
    say(f"{clean(str(path))}: {', '.join(told)}")


def _ground(source: str, day: int | None) -> Ground:
    """What was named: a run, or else a scenario.

    Raises:
        NeitherError: it is none.
        NotThereError: it is a folder without a run.
        WorldsimError: it cannot be read.
    """
    try:
        folder = run_folder(source)
    except NotThereError:
        if Path(source).is_dir():
            raise
        return _ground_of_scenario(source, day)
    from worldsim.views.ground import ground_of_run  # noqa: PLC0415 -- loads networkx

    return ground_of_run(open_run_at(folder), day)


def _ground_of_scenario(source: str, day: int | None) -> Ground:
    from worldsim.processes.simulation import Simulation  # noqa: PLC0415 -- not for --help
    from worldsim.scenario import ScenarioError, load  # noqa: PLC0415
    from worldsim.scenario.shipped import find  # noqa: PLC0415
    from worldsim.views.ground import ground_of_world  # noqa: PLC0415

    try:
        find(source)
    except ScenarioError:
        raise NeitherError(source) from None
    scenario = load(source)
    if day is not None:
        raise click.BadParameter("a scenario has no days; only runs have", param_hint="--day")
    seed = scenario.campaign.seed
    return ground_of_world(Simulation(scenario, seed=seed, write=bytearray().extend).world)
