"""``worldsim replay``: days of a run once more, in full detail."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.eventlines import looked_ahead, print_events
from worldsim.cli.examples import ExampleCommand
from worldsim.cli.filters import LEVELS, Filters, kinds_like, nothing_matches
from worldsim.cli.kinds import Whole
from worldsim.cli.named import open_run
from worldsim.cli.options import form_option, run_argument
from worldsim.cli.output import note, print_csv

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.events.kinds import Level

Event = dict[str, Any]
DAY = Whole(1, 1_000_000)
ROLL = "dice.rolled"


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim replay first_landing-7 --from 40", "day 40, with every roll of the dice"),
        ("worldsim replay first_landing-7 --from 40 --team gleaners_1", "a team's day"),
        ("worldsim replay first_landing-7 --from 40 --event dice.rolled --team gleaners_1", ""),
        ("worldsim replay first_landing-7 --from 1 --to 30 --format csv > rolls.csv", ""),
    ],
)
@run_argument
@click.option("--from", "first", type=DAY, metavar="DAY", required=True, help="The first day.")
@click.option("--to", "last", type=DAY, metavar="DAY", help="The last day; the first if not given.")
@click.option("--event", "kinds", multiple=True, metavar="KIND", help="A kind; may be repeated.")
@click.option("--team", help="A team, with or without its colony, and the rolls of its events.")
@click.option("--sector", help="A sector or region, and the rolls of what happened there.")
@click.option("--level", type=click.Choice(LEVELS), default="debug", show_default=True,
              help="The lowest level wanted.")  # fmt: skip
@form_option("table", "jsonl", "csv", says="How events are printed.")
def command(
    run: str,
    first: int,
    last: int | None,
    kinds: tuple[str, ...],
    level: Level,
    form: str,
    **chosen: str | None,
) -> None:
    """Simulate days of RUN again, and print what the log left out.

    RUN is a path, or a name under runs/. What was stored is compared on the way: if an event is not
    the same, the command stops with exit code 3.
    """
    from worldsim.runs.replaying import replayed  # noqa: PLC0415 -- loads the simulation

    last = first if last is None else last
    filters = Filters(
        kinds=kinds_like(kinds), first=first, last=last, level=level,
        team=chosen["team"], sector=chosen["sector"],
    )  # fmt: skip
    opened = open_run(run)
    lines = replayed(opened, range(first, last + 1), level=level)
    events, some = looked_ahead(_wanted(lines, filters))
    if form == "csv":
        _print_csv(events, filters)
    elif some:
        print_events(events, form, at_once=False)
    if not some:
        note(nothing_matches(opened, filters))


@dataclass(slots=True)
class _WithRolls:
    """Filters that take a roll for part of its event.

    Attributes:
        filters: What is wanted.
        whose: Events so far that happened where, and to whom, it is wanted.
    """

    filters: Filters
    whose: set[int] = field(default_factory=set)

    def wants(self, event: Event) -> bool:
        """Whether one event or roll is wanted; they are asked for in their order."""
        filters = self.filters
        if event["event"] == ROLL:
            anywhere = replace(filters, team=None, sector=None)
            return event["of"] in self.whose and anywhere.wants(event)
        if replace(filters, kinds=(), level=None).wants(event):
            self.whose.add(event["seq"])
        return filters.wants(event)


def _wanted(lines: Iterator[bytes], filters: Filters) -> Iterator[Event]:
    with_rolls = _WithRolls(filters)
    for line in lines:
        event: Event = json.loads(line)
        if with_rolls.wants(event):
            yield event


def _print_csv(events: Iterator[Event], filters: Filters) -> None:
    from worldsim.events.schema import columns  # noqa: PLC0415 -- not for --help

    names = list(columns(filters.kinds or None))
    print_csv(names, ([event.get(name) for name in names] for event in events))
