"""``worldsim events``: the log of a run, filtered."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.eventlines import looked_ahead, print_events
from worldsim.cli.examples import ExampleCommand
from worldsim.cli.filters import LEVELS, Filters, kinds_like, nothing_matches
from worldsim.cli.kinds import Whole
from worldsim.cli.named import open_run
from worldsim.cli.options import form_option, run_argument
from worldsim.cli.output import note, print_csv
from worldsim.cli.signals import cut_off

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldsim.runs import Run

DAY = Whole(min=0)
NEEDED = ("t", "day", "level")  # what every line has
Event = dict[str, Any]


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim events first_landing-7 --level warning", "what went wrong"),
        ("worldsim events first_landing-7 --team foragers", "a team's life"),
        ("worldsim events first_landing-7 --event 'team.*' --from 30 --to 40", ""),
        ('worldsim events first_landing-7 --where "situation < 30"', "any condition in SQL"),
        ('worldsim events first_landing-7 --where "of = 35"', "rolls behind event 35, if kept"),
        ("worldsim events first_landing-7 --format jsonl > log.jsonl", ""),
        ("worldsim events first_landing-7 --follow", "while it is simulated"),
    ],
)
@run_argument
@click.option("--event", "kinds", multiple=True, metavar="KIND", help="A kind; may be repeated.")
@click.option("--team", help="A team, with or without its colony.")
@click.option("--sector", help="A sector or region.")
@click.option("--from", "first", type=DAY, metavar="DAY", help="The first day wanted.")
@click.option("--to", "last", type=DAY, metavar="DAY", help="The last day wanted.")
@click.option("--level", type=click.Choice(LEVELS), help="The lowest level wanted.")
@click.option("--where", metavar="SQL", help="A condition over the events' fields.")
@click.option("--limit", type=Whole(min=0), metavar="N",
              help="Events printed at most; 0 for all.")  # fmt: skip
@click.option("--follow", is_flag=True, help="Go on while the run is being simulated.")
@form_option("table", "jsonl", "csv", says="How events are printed.")
def command(
    run: str,
    kinds: tuple[str, ...],
    where: str | None,
    limit: int | None,
    form: str,
    *,
    follow: bool,
    **chosen: Any,
) -> None:
    """Print the events of RUN: a path, or a name under runs/."""
    if follow and (where is not None or form == "csv"):
        raise click.UsageError("--follow goes with neither --where nor --format csv")
    filters = Filters(kinds=kinds_like(kinds), **chosen)
    opened = open_run(run)
    if follow:
        some = print_events(islice(_followed(opened, filters), limit or None), form, at_once=True)
    else:
        with cut_off():
            some = _print_selected(opened, form, *_selected(opened, filters, where, limit))
    if not some:
        note(nothing_matches(opened, filters))


def _followed(run: Run, filters: Filters) -> Iterator[Event]:
    """The wanted events, as they are written."""
    for line in run.lines(follow=True):
        event: Event = json.loads(line)
        if filters.wants(event):
            yield event


def _print_selected(
    run: Run, form: str, columns: Sequence[str], rows: Iterator[tuple[Any, ...]]
) -> bool:
    """Print the wanted events; whether there are any."""
    rows, some = looked_ahead(rows)
    if form == "csv":
        print_csv(columns, rows)
    elif some:
        print_events(_events(run, columns, rows), form, at_once=False)
    return some


def _selected(
    run: Run, filters: Filters, where: str | None, limit: int | None
) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """The wanted events as rows, with only the columns their kinds have."""
    from worldsim.events.schema import columns  # noqa: PLC0415 -- not for --help
    from worldsim.runs import duck  # noqa: PLC0415

    names = list(columns(filters.kinds or None))
    shown = ", ".join(f'"{name}"' for name in names)
    sql = f"SELECT {shown} FROM events WHERE {filters.sql()}"  # noqa: S608 -- every value is quoted
    if where is not None:
        duck.check_condition(where)
        sql += f" AND (\n{where}\n)"
    if limit:
        sql += f" LIMIT {limit}"
    return names, run.rows(run.query(sql))


@cache
def _fields(kind: str) -> tuple[str, ...]:
    from worldsim.events.schema import kinds_by_name  # noqa: PLC0415 -- not for --help

    return ("event", *kinds_by_name()[kind].__struct_fields__)


def _events(run: Run, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[Event]:
    """Rows as the events they were, without the columns of other kinds.

    Raises:
        DamagedLogError: one is no event.
    """
    from worldsim.events.schema import kinds_by_name  # noqa: PLC0415 -- not for --help
    from worldsim.runs.streams import DamagedLogError  # noqa: PLC0415

    for row in rows:
        cells = dict(zip(columns, row, strict=True))
        kind = cells["event"]
        if kind not in kinds_by_name() or any(cells[name] is None for name in NEEDED):
            raise DamagedLogError(run.name, f"a line of kind {kind!r} is no event")
        yield {name: cells[name] for name in _fields(kind)}
