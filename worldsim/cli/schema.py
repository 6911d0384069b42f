"""``worldsim schema``: the generated reference of scenarios, studies and events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.options import form_option
from worldsim.cli.output import print_json, say

if TYPE_CHECKING:
    from collections.abc import Callable


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim schema scenario > scenario.json", "completion in an editor"),
        ("worldsim schema study --format markdown", "each key, its default and its limits"),
        ("worldsim schema events --format markdown", ""),
    ],
)
@click.argument("of", type=click.Choice(["scenario", "study", "events"]))
@form_option("json", "markdown", says="JSON Schema for editors and programs, or tables for people.")
def command(of: str, form: str) -> None:
    """Print what a scenario or a study may hold, or which events a log may hold."""
    schema, markdown = {"scenario": _scenario, "study": _study, "events": _events}[of]()
    if form == "markdown":
        say(markdown())
    else:
        print_json(schema())


def _scenario() -> tuple[Callable[[], Any], Callable[[], str]]:
    from worldsim.scenario.loading import json_schema  # noqa: PLC0415 -- loads the scenario
    from worldsim.scenario.reference import scenario_markdown  # noqa: PLC0415 -- as above

    return json_schema, scenario_markdown


def _study() -> tuple[Callable[[], Any], Callable[[], str]]:
    from worldsim.scenario.reference import study_markdown  # noqa: PLC0415 -- as above
    from worldsim.scenario.study_loading import study_schema  # noqa: PLC0415 -- as above

    return study_schema, study_markdown


def _events() -> tuple[Callable[[], Any], Callable[[], str]]:
    from worldsim.events.schema import events_markdown, events_schema  # noqa: PLC0415 -- as above

    return events_schema, events_markdown
