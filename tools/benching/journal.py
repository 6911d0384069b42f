"""(c) Events per second of the journal: recorded, encoded, and added to a bytearray."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any

import msgspec

from benching.children import in_child
from benching.plan import Measured
from benching.steady import steady
from benching.unit import Unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from benching.plan import Figures, Plan
    from worldsim.events.kinds import Level

DAYS = 20  # of a real run, whose events are recorded again and again
GIVEN_BY_JOURNAL = {"seq", "t", "day", "level", "cause"}

Said = tuple[Any, int | None, dict[str, Any]]


def journal(plan: Plan) -> Measured:
    """The mix of kinds of some days of ``bench_steady``, flushed once a day as there."""
    times = 5 if plan.quick else 30
    return Measured(in_child("journal.rates", source=plan.source, times=times))


def rates(times: int) -> dict[str, Figures]:
    """Record a real run's events so often, in this process."""
    from worldsim.events.journal import Journal  # noqa: PLC0415 - only children import worldsim

    days = events_by_day()
    count = sum(map(len, days))
    unit = Unit()
    levels: dict[str, Level] = {"written": "info", "not written": "warning"}
    costs: dict[str, list[float]] = {name: [] for name in levels}
    lines = {name: bytearray() for name in levels}
    for _ in range(times):
        for name, level in levels.items():
            lines[name].clear()
            kept = Journal(lines[name].extend, level=level, t=1440)
            costs[name].append(_timed(days, kept.record, kept.flush))
        unit.time()
    rows: dict[str, Figures] = {}
    for name, each in costs.items():
        cost = statistics.median(each) / count * 1e6
        rows[name] = {
            "events_per_s": 1e6 / cost,
            "us_per_event": cost,
            "units_per_event": cost / unit.us,
        }
    rows["mix"] = {
        "kinds": len({kind for day in days for kind, _, _ in day}),
        "events": count,
        "bytes_per_event": len(lines["written"]) / count,
    }
    return rows


def _timed(days: list[list[Said]], record: Callable[..., int], flush: Callable[[], None]) -> float:
    """CPU seconds of recording all these events, a day at a time."""
    begun = time.process_time()
    for day in days:
        for kind, cause, fields in day:
            record(kind, cause=cause, **fields)
        flush()
    return time.process_time() - begun


def events_by_day() -> list[list[Said]]:
    """What processes told the journal on each day of a run."""
    from worldsim.runs import simulate  # noqa: PLC0415

    days: dict[int, list[Said]] = {}

    def keep(event: Any) -> None:
        fields = {
            each.name: getattr(event, each.name)
            for each in msgspec.structs.fields(type(event))
            if each.name not in GIVEN_BY_JOURNAL
        }
        days.setdefault(event.day, []).append((type(event), event.cause, fields))

    simulate(steady(), days=DAYS, level="warning", on_event=keep)
    return list(days.values())
