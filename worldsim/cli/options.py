"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from worldsim.cli.kinds import Whole

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

RUNS = Path("runs")
MANIFEST = "manifest.json"

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
scenario_argument = click.argument("scenario")
run_argument = click.argument("run")
checkpoint_option = click.option(
    "--checkpoint-days",
    type=Whole(min=1),
    metavar="N",
    help="Keep a checkpoint every N days too, besides every 10 seconds.",
)
set_option = click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="KEY=VALUE",
    help="Override a key of the scenario; may be repeated.",
)


def form_option(*forms: str, says: str) -> Callable[[F], F]:
    """``--format`` with these forms, the first where none is given, and ``--json``.

    Args:
        forms: One begins with ``json``, and ``--json`` is short for it.
        says: What ``--help`` says of the forms.
    """
    json = next(form for form in forms if form.startswith("json"))
    short = click.option("--json", "form", flag_value=json, help=f"The same as --format {json}.")
    whole = click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        show_default=True,
        help=says,
    )
    return lambda command: whole(short(command))
