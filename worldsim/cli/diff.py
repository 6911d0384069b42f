"""``worldsim diff``: where two runs part."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.eventlines import event_line, head_line
from worldsim.cli.examples import ExampleCommand
from worldsim.cli.named import open_run
from worldsim.cli.options import json_option
from worldsim.cli.output import (
    clean,
    counted,
    heading,
    page_columns,
    paints,
    print_json,
    print_table,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.runs import Difference, Run

DIFFERENT = 1
SIDES = ("A", "B")
MARK = 2  # columns before an event, which say whose it is
MOST_KEYS = 40
LONGEST_VALUE = 48
NOT_GIVEN = "not given"


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim diff first_landing-7 first_landing-7-2", "two runs under runs/"),
        ("worldsim diff runs/before runs/after --json", ""),
        ("worldsim diff before after > changes.txt || less changes.txt", ""),
    ],
)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@json_option
@click.pass_context
def command(ctx: click.Context, a: str, b: str, *, as_json: bool) -> None:
    """Find the first event that differs between the runs A and B, paths or names under runs/.

    It is shown with those around it, and then the kinds that did not happen as often in both. Of
    logs of different levels, what both hold is compared.

    Exit code: 0 if the events are the same, 1 if they differ or one run goes on where the other
    ends (or it failed), 2 if the input is wrong.
    """
    from worldsim.runs import compare  # noqa: PLC0415 -- not for --help

    runs = open_run(a), open_run(b)
    found = compare(*runs)
    if as_json:
        print_json(_as_json(found, runs))
    else:
        _print_runs(found, runs)
        _print_scenarios(found)
        _print_parents(runs)
        _print_divergence(found)
        _print_counts(found)
        _print_next(found, (a, b))
    ctx.exit(0 if found.same else DIFFERENT)


def _print_runs(found: Difference, runs: tuple[Run, Run]) -> None:
    rows = [
        (letter, side.name, side.last_day, run.manifest.level, run.manifest.versions.worldsim)
        for letter, side, run in zip(SIDES, (found.a, found.b), runs, strict=True)
    ]
    print_table(("", "run", "to day", "log level", "worldsim"), rows)
    if rows[0][3] != rows[1][3]:
        say(f"Compared from level {found.level} on, which both logs hold.")


def _print_scenarios(found: Difference) -> None:
    if found.same_scenario:
        say("The scenario and the seed are the same.")
        return
    if found.problem is not None:
        say("The scenarios or seeds differ; where cannot be said:")
        for line in found.problem.splitlines():
            say(f"  {clean(line)}")
        return
    keys = found.keys
    say(f"\n{heading('The scenarios differ')} in {counted(len(keys), 'key')}")
    shown = [(each.key, _value(each.a), _value(each.b)) for each in keys[:MOST_KEYS]]
    print_table(("key", *SIDES), shown, indent=2)
    if len(keys) > MOST_KEYS:
        say(f"  and {counted(len(keys) - MOST_KEYS, 'more key')}: --json lists all")


def _print_parents(runs: tuple[Run, Run]) -> None:
    for letter, run in zip(SIDES, runs, strict=True):
        parent = run.manifest.parent
        if parent is not None:
            changes = clean(", ".join(parent.changes)) or "no change"
            say(f"{letter} branched from {clean(parent.run)} after day {parent.day:,}: {changes}")


def _value(value: object) -> str:
    if value is None:
        return NOT_GIVEN
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def _print_divergence(found: Difference) -> None:
    parting = found.divergence
    if parting is None:
        say(f"\n{heading('No event differs')}{_how_far(found)}")
        return
    ours, theirs = parting.a, parting.b
    first = min(ours[0]["day"], theirs[0]["day"])
    say(f"\n{heading('The first difference')} is on day {first:,}")
    _print_event_lines(" ", parting.before, head=True)
    _print_event_lines("A", ours)
    _print_event_lines("B", theirs)
    if ours[0]["event"] == theirs[0]["event"]:
        _print_fields(ours[0], theirs[0])
    if found.goes_on is not None:
        say(f"\n{_which_goes_on(found)}.")


def _how_far(found: Difference) -> str:
    if found.goes_on is not None:
        return f" as far as both go. {_which_goes_on(found)}."
    return "." if found.same_scenario else ", although the scenarios do."


def _which_goes_on(found: Difference) -> str:
    """``A goes on to day 365, where B ends after day 60``."""
    first = found.goes_on == "a"
    longer, shorter = (found.a, found.b) if first else (found.b, found.a)
    letter, other = SIDES if first else SIDES[::-1]
    if longer.last_day == shorter.last_day:
        return f"{letter} goes on where {other} ends, on day {shorter.last_day:,}"
    more = f", with {counted(longer.beyond, 'more event')}" if longer.beyond else ""
    ends = f"{other} ends after day {shorter.last_day:,}"
    return f"{letter} goes on to day {longer.last_day:,}{more}; {ends}"


def _print_event_lines(mark: str, events: Sequence[dict[str, Any]], *, head: bool = False) -> None:
    paint, page = paints(sys.stdout), page_columns()
    columns = None if page is None else page - MARK
    lines = [head_line(columns, paint=paint)] if head else []
    marks = [" " for _ in lines] + [mark for _ in events]
    lines += [event_line(event, columns, paint=paint) for event in events]
    for letter, line in zip(marks, lines, strict=True):
        say(f"{letter:<{MARK}}" + line.replace("\n", "\n" + " " * MARK))


def _print_fields(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Print in what two events of one kind differ."""
    names = [name for name in dict.fromkeys([*one, *other]) if one.get(name) != other.get(name)]
    if not names:
        say("\nThey say the same, but are not written alike.")
        return
    say(f"\nThey differ in {', '.join(clean(name) for name in names)}:")
    rows = [(name, _value(one.get(name)), _value(other.get(name))) for name in names]
    print_table(("field", *SIDES), rows, indent=2)


def _print_counts(found: Difference) -> None:
    if found.divergence is None:
        return
    last = min(found.a.last_day, found.b.last_day)
    counts = found.counts
    say(f"\n{heading('How often each kind happened')} from there to the end of day {last:,}")
    if not counts:
        say("  as often in both")
        return
    rows = [(kind, a, b, f"{b - a:+,}") for kind, (a, b) in counts.items()]
    print_table(("those that differ", *SIDES, "B - A"), rows, indent=2)


def _print_next(found: Difference, given: tuple[str, str]) -> None:
    parting = found.divergence
    if parting is None:
        return
    say(f"\n{heading('Next')}")
    for name, events in zip(given, (parting.a, parting.b), strict=True):
        say(f"  worldsim why {quote(clean(name))} {events[0].get('seq', events[0].get('of'))}")


def _as_json(found: Difference, runs: tuple[Run, Run]) -> dict[str, Any]:
    parting = found.divergence
    return {
        "same": found.same,
        "level": found.level,
        "runs": {
            letter.lower(): {
                "name": side.name,
                "digest": run.manifest.digest,
                "seed": run.manifest.seed,
                "last_day": side.last_day,
                "events_beyond": side.beyond,
            }
            for letter, side, run in zip(SIDES, (found.a, found.b), runs, strict=True)
        },
        "goes_on": found.goes_on,
        "same_scenario": found.same_scenario,
        "scenario_problem": found.problem,
        "scenario": [asdict(each) for each in found.keys],
        "first_difference": None if parting is None else asdict(parting),
        "counts": [{"event": kind, "a": a, "b": b} for kind, (a, b) in found.counts.items()],
    }
