"""``worldsim schema``: the generated reference of scenarios and events."""

from __future__ import annotations

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.options import form_option
from worldsim.cli.output import print_json, say


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim schema scenario > scenario.json", "completion in an editor"),
        ("worldsim schema events --format markdown", ""),
    ],
)
@click.argument("of", type=click.Choice(["scenario", "events"]))
@form_option("json", "markdown", says="JSON Schema for editors and programs, or tables for people.")
def command(of: str, form: str) -> None:
    """Print what a scenario may hold, or which events a log may hold."""
    if of == "scenario" and form == "markdown":
        from worldsim.scenario.reference import scenario_markdown  # noqa: PLC0415 -- loads the scenario

        say(scenario_markdown())
    elif of == "scenario":
        from worldsim.scenario.loading import json_schema  # noqa: PLC0415 -- as above

        print_json(json_schema())
    elif form == "markdown":
        from worldsim.events.schema import events_markdown  # noqa: PLC0415 -- as above

        say(events_markdown())
    else:
        from worldsim.events.schema import events_schema  # noqa: PLC0415 -- as above

        print_json(events_schema())
