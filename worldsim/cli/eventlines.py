"""Events as lines: one each, for people or as JSON."""

from __future__ import annotations

import json
import sys
import textwrap
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

import click

from worldsim.cli.output import clean, page_columns, paints, print_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

T = TypeVar("T")
MINUTES_A_DAY = 1440
COMMON = frozenset({"seq", "t", "day", "level", "event", "cause", "of", "n"})
ACTORS = ("team", "colony", "place", "sector", "region", "campaign")
"""The first of these that an event has is whom it is about."""

SEQ_WIDTH, DAY_WIDTH, EVENT_WIDTH, WHO_WIDTH = 7, 5, 17, 18
UNDER = SEQ_WIDTH + DAY_WIDTH + 8  # where the kind begins
NARROWEST_WHAT = 24  # columns; where fewer are left, what happened stands on lines of its own


def head_line(columns: int | None, *, paint: bool) -> str:
    """The headings of `event_line`; on a narrow page without that of what stands below."""
    head = _columns("seq", "day", "time", "event", "who")
    below = columns is not None and columns - len(head) <= NARROWEST_WHAT
    line = head.rstrip() if below else f"{head} what"
    return click.style(line, bold=True) if paint else line


def event_line(event: Mapping[str, Any], columns: int | None, *, paint: bool) -> str:
    """The event in columns: number, day, time, kind, who, and all other fields that say something.

    Args:
        event: As decoded from the log.
        columns: Where to wrap those other fields, under themselves or, on a narrow page, under
            the kind; None leaves the line whole.
        paint: Whether warnings are coloured.
    """
    seq = f"{event['of']}.{event['n']}" if "of" in event else str(event["seq"])
    actor = next((name for name in ACTORS if name in event), None)
    who = clean(event[actor]) if actor else ""
    head = _columns(seq, str(event["day"]), clock(event["t"]), clean(event["event"]), who)
    what = "  ".join(
        f"{clean(name)} {_said(value)}"
        for name, value in event.items()
        if name not in COMMON and name != actor and _says_something(value)
    )
    line = _wrapped(head, what, columns)
    return click.style(line, fg="yellow") if paint and event["level"] == "warning" else line


def clock(t: int) -> str:
    """The time of day of a minute since the first dawn: ``07:30``."""
    hours, minutes = divmod(int(t) % MINUTES_A_DAY, 60)
    return f"{hours:02d}:{minutes:02d}"


def print_events(events: Iterable[Mapping[str, Any]], form: str, *, at_once: bool) -> bool:
    """Print events as lines for people or as JSON Lines, and tell whether there was one.

    Args:
        events: What to print.
        form: ``table`` or ``jsonl``.
        at_once: For those who follow.
    """
    paint, width = paints(sys.stdout), page_columns()
    some = False
    if form == "table":
        print_line(head_line(width, paint=paint), at_once=at_once)
    for event in events:
        some = True
        if form == "table":
            line = event_line(event, width, paint=paint)
        else:
            line = json.dumps(event, separators=(",", ":"))
        print_line(line, at_once=at_once)
    return some


def looked_ahead(items: Iterator[T]) -> tuple[Iterator[T], bool]:
    """The same items, and whether there is one."""
    first = list(islice(items, 1))
    return chain(first, items), bool(first)


def _columns(seq: str, day: str, time: str, kind: str, who: str) -> str:
    return (
        f"{seq:>{SEQ_WIDTH}} {day:>{DAY_WIDTH}} {time:<5} {kind:<{EVENT_WIDTH}} {who:<{WHO_WIDTH}}"
    )


def _wrapped(head: str, what: str, columns: int | None) -> str:
    """The columns and what follows them, cut nowhere."""
    whole = f"{head} {what}".rstrip()
    if columns is None or len(whole) <= columns:
        return whole
    under, lines = len(head) + 1, [""]
    if columns - under < NARROWEST_WHAT:
        under, lines = UNDER, [head.rstrip()]
    width = max(columns - under, NARROWEST_WHAT)
    parts = textwrap.wrap(what, width, break_on_hyphens=False)
    if lines == [""]:
        lines = [f"{head} {parts.pop(0)}"]
    return "\n".join([*lines, *(" " * under + part for part in parts)])


def _says_something(value: object) -> bool:
    return value is not None and value not in ("", {}, [])


def _said(value: object) -> str:
    match value:
        case dict():
            return ",".join(f"{clean(name)}:{clean(item)}" for name, item in value.items())
        case list():
            return ",".join(clean(item) for item in value)
        case bool():
            return "yes" if value else "no"
        case _:
            return clean(value)
