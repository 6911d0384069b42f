"""One event as one line for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.output import clean

if TYPE_CHECKING:
    from collections.abc import Mapping

MINUTES_A_DAY = 1440
COMMON = frozenset({"seq", "t", "day", "level", "event", "cause", "of", "n"})
ACTORS = ("team", "colony", "place", "sector", "region", "campaign")
"""The first of these that an event has is whom it is about."""

SEQ_WIDTH, DAY_WIDTH, EVENT_WIDTH, WHO_WIDTH = 7, 5, 17, 18


def head_line(*, paint: bool) -> str:
    """The headings of the columns of `event_line`."""
    line = (
        f"{'seq':>{SEQ_WIDTH}} {'day':>{DAY_WIDTH}} time  "
        f"{'event':<{EVENT_WIDTH}} {'who':<{WHO_WIDTH}} what"
    )
    return click.style(line, bold=True) if paint else line


def event_line(event: Mapping[str, Any], columns: int | None, *, paint: bool) -> str:
    """The event in columns: number, day, time, kind, who, and all other fields that say something.

    Args:
        event: As decoded from the log.
        columns: Where to cut the line; None leaves it whole.
        paint: Whether warnings are coloured.
    """
    hours, minutes = divmod(int(event["t"]) % MINUTES_A_DAY, 60)
    seq = f"{event['of']}.{event['n']}" if "of" in event else str(event["seq"])
    actor = next((name for name in ACTORS if name in event), None)
    who = clean(event[actor]) if actor else ""
    what = "  ".join(
        f"{clean(name)} {_said(value)}"
        for name, value in event.items()
        if name not in COMMON and name != actor and _says_something(value)
    )
    line = (
        f"{seq:>{SEQ_WIDTH}} {event['day']:>{DAY_WIDTH}} {hours:02d}:{minutes:02d} "
        f"{clean(event['event']):<{EVENT_WIDTH}} {who:<{WHO_WIDTH}} {what}"
    ).rstrip()
    if columns is not None and len(line) > columns:
        line = f"{line[: columns - 1]}…"
    return click.style(line, fg="yellow") if paint and event["level"] == "warning" else line


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
