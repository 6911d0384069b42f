"""``worldsim why``: the chain of causes of an event."""

from __future__ import annotations

import re
import sys
import textwrap
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.eventlines import clock
from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import Whole
from worldsim.cli.named import open_run
from worldsim.cli.options import json_option, run_argument
from worldsim.cli.output import (
    clean,
    counted,
    heading,
    note,
    page_columns,
    paints,
    print_json,
    say,
)
from worldsim.views.words import roll_line, roll_lines, sentence

if TYPE_CHECKING:
    from worldsim.runs import Chain, Link, Run

NEGATIVE = re.compile(r"-[0-9]+")
MOST_ROLLS = 12  # lines of rolls an event has, unless all are asked for
NARROWEST = 40  # columns of a sentence


class _NumberCommand(ExampleCommand):
    """A command whose last argument is a number, so that ``-1`` is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse negative numbers for what they are."""
        for arg in args:
            if NEGATIVE.fullmatch(arg):
                message = f"{arg} is no event: they are numbered from 0"
                raise click.BadParameter(message, ctx=ctx, param_hint="SEQ")
        return super().parse_args(ctx, args)


@click.command(
    cls=_NumberCommand,
    examples=[
        ("worldsim why first_landing-7 1042", "the event whose seq is 1042"),
        ("worldsim why first_landing-7 1042 --all", "back to the start"),
        ("worldsim why first_landing-7 1042 --no-rolls", "without simulating anything"),
        ("worldsim events first_landing-7 --level warning", "where to find a seq"),
    ],
)
@run_argument
@click.argument("seq", type=Whole(min=0), metavar="SEQ")
@click.option("--all", "show_all", is_flag=True, help="The whole chain, with all rolls.")
@click.option(
    "--rolls/--no-rolls",
    default=True,
    help="The dice behind each event; days are simulated again if the log has none.",
)
@json_option
def command(run: str, seq: int, *, show_all: bool, rolls: bool, as_json: bool) -> None:
    """Say in words what led to event SEQ of RUN, a path or a name under runs/.

    Each event names its cause, so the chain ends at one that has none. The oldest comes first, and
    of a long chain the latest events are shown.
    """
    from worldsim.runs import SHOWN_LINKS, causes_of  # noqa: PLC0415 -- not for --help

    opened = open_run(run)
    found = causes_of(opened, seq, most=None if show_all else SHOWN_LINKS, rolls=rolls)
    if as_json:
        print_json(_as_json(opened, seq, found))
        return
    say(f"{heading(f'Why event {seq:,}')} of {clean(opened.name)}\n")
    _print_start(found)
    for link in found.links:
        _print_link(link, show_all=show_all)
    _print_rules(found)
    if found.problem is not None:
        note(found.problem)
    elif rolls and any(link.rolls is None for link in found.links):
        note("rolls of days after the latest checkpoint cannot be told yet")
    _print_next(found, run, has_all=opened.manifest.level != "warning")


def _print_start(found: Chain) -> None:
    if found.founding is not None:
        say(
            f"Event {found.founding:,} belongs to the founding of the world: a log of warnings does"
            " not hold it."
        )
    if found.earlier:
        say(f"… {counted(found.earlier, 'earlier cause')}: --all shows the whole chain\n")


def _print_link(link: Link, *, show_all: bool) -> None:
    event = link.event
    head = f"day {event['day']:>4} {clock(event['t'])} {event['seq']:>7}  "
    under, page = " " * len(head), page_columns()
    width = 10**6 if page is None else max(page - len(head), NARROWEST)
    first, *rest = textwrap.wrap(sentence(event), width, break_on_hyphens=False)
    lines = [head + first, *(under + line for line in rest)]
    if paints(sys.stdout) and event["level"] == "warning":
        lines = [click.style(line, fg="yellow") for line in lines]
    rolls = roll_lines(link.rolls or ())
    hidden = 0 if show_all else max(0, len(rolls) - MOST_ROLLS)
    for roll in rolls[: len(rolls) - hidden]:
        lines += [under + line for line in textwrap.wrap(roll, width, subsequent_indent="  ")]
    if hidden:
        lines.append(f"{under}… {counted(hidden, 'more roll')}: --all")
    for line in lines:
        say(line)


def _print_rules(found: Chain) -> None:
    """Print what the rules say by which dice were rolled."""
    from worldsim.rules.rulebook import RULES  # noqa: PLC0415 -- not for --help

    rolled = [roll["rule"] for link in found.links for roll in link.rolls or ()]
    rules = [rule for rule in dict.fromkeys(rolled) if rule in RULES]
    if rules:
        say(f"\n{heading('Rules')}")
    for rule in rules:
        say(f"  {rule:<7}  {RULES[rule]}")


def _print_next(found: Chain, given: str, *, has_all: bool) -> None:
    if not found.links:
        return
    event = found.links[-1].event
    name = quote(clean(given))
    say(f"\n{heading('Next')}")
    if event["day"]:
        team = f" --team {quote(clean(event['team']))}" if "team" in event else ""
        say(f"  worldsim replay {name} --from {event['day']}{team}")
    if has_all:
        say(f'  worldsim events {name} --where "cause = {event["seq"]}"')


def _as_json(run: Run, seq: int, found: Chain) -> dict[str, Any]:
    return {
        "run": run.name,
        "seq": seq,
        "earlier": found.earlier,
        "founding": found.founding,
        "problem": found.problem,
        "chain": [
            {
                "says": sentence(link.event),
                "event": link.event,
                "rolls": None
                if link.rolls is None
                else [{"says": roll_line(roll), **roll} for roll in link.rolls],
            }
            for link in found.links
        ],
    }
