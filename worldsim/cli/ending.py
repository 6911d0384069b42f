"""Takes a campaign to its end before a person's eyes, and says what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.cli.named import run_word
from worldsim.cli.output import note, print_json
from worldsim.cli.signals import INTERRUPTED, StopAsked
from worldsim.cli.summary import print_summary, summary_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import click

    from worldsim.runs import Campaign, Run


def driven(begin: Callable[[], Campaign], place: Path, *, quiet: bool) -> Run:
    """Begin a campaign and simulate it with progress shown, until the end or a signal.

    Args:
        begin: Makes the campaign; signals are heard by then.
        place: Where it is written.
        quiet: Show nothing.
    """
    from worldsim.cli.progress import shown_progress  # noqa: PLC0415 -- not for --help
    from worldsim.runs.driver import drive  # noqa: PLC0415

    with StopAsked() as stop:
        campaign = begin()
        name = campaign.scenario.campaign.name
        with shown_progress(
            name, campaign.days, str(place), begun=campaign.day, quiet=quiet
        ) as on_day:
            return drive(campaign, on_day=on_day, stop=stop)


def conclude(
    ctx: click.Context, run: Run, source: str | None, *, quiet: bool, as_json: bool
) -> None:
    """Print the summary as it was asked for; an interrupted run ends the command with 130."""
    if as_json:
        print_json(summary_json(run.summary()))
    elif not quiet:
        print_summary(run, source)
    note_unfinished(run)
    if run.state == "interrupted":
        ctx.exit(INTERRUPTED)


def note_unfinished(run: Run) -> None:
    """Say how to go on with a run that did not come to its end."""
    if run.path is None or run.state not in {"interrupted", "failed"}:
        return
    from worldsim.runs.checkpoints import reached  # noqa: PLC0415 -- not for --help

    kept = reached(run.manifest)
    more = "" if kept == run.manifest.day else f", its log and checkpoints go on to day {kept:,}"
    note(
        f"{run.state} after day {run.manifest.day:,} of {run.manifest.days:,}{more}; "
        f"go on with: worldsim resume {run_word(run.path)}"
    )
