"""The summary of a run, for people and as JSON."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from worldsim.cli.named import run_word
from worldsim.cli.output import (
    clean,
    counted,
    heading,
    page_columns,
    print_table,
    say,
    sparkline,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldsim.runs import Run, Stock, Summary

NAMED = 8  # perished teams and depletions that are named; the rest is counted
WIDE = 75  # columns that whole bars need
WHO_TOOK = "select team, sum(units) from takings group by 1"


def summary_json(summary: Summary) -> dict[str, Any]:
    """The summary as plain data."""
    counts = summary.events
    return {
        **asdict(summary),
        "events": {"debug": counts.debug, "info": counts.info, "warning": counts.warning},
        "by_region": _stocks_json(summary.by_region),
        "by_ingredient": _stocks_json(summary.by_ingredient),
    }


def _stocks_json(stocks: Mapping[str, Stock]) -> dict[str, Any]:
    return {
        name: {"initial": stock.initial, "left": stock.left, "curve": stock.curve}
        for name, stock in stocks.items()
    }


def print_summary(run: Run, source: str | None = None) -> None:
    """Print what became of a run, where it lies, and what to try next.

    Args:
        run: The run.
        source: The scenario as the user named it, if they did.
    """
    summary = run.summary()
    _print_head(summary)
    if summary.level != "warning":
        _print_delivered(summary)
    _print_stocks(summary)
    _print_losses(summary)
    _print_depletions(summary)
    _print_next(run, source)


def _print_head(summary: Summary) -> None:
    counts = summary.events
    lines = counts.info + counts.warning
    say(
        f"{heading(clean(summary.campaign))}, seed {summary.seed}: {summary.status}, "
        f"day {summary.day:,} of {summary.days:,}; "
        f"{counted(lines, 'event')}, {counted(counts.warning, 'warning')}"
    )


def _print_delivered(summary: Summary) -> None:
    total = sum(summary.delivered.values())
    units, trips = counted(total, "unit"), counted(summary.trips, "trip")
    say(f"\n{heading('Delivered')}: {units} in {trips}")
    print_table(
        ("ingredient", "units", "left in the ground", "of"),
        [
            (name, f"{units:,}", f"{stock.left:,}", f"{stock.initial:,}")
            for name, units in summary.delivered.items()
            for stock in [summary.by_ingredient.get(name)]
            if stock is not None
        ],
        indent=2,
    )


def _print_stocks(summary: Summary) -> None:
    initial = sum(stock.initial for stock in summary.by_region.values())
    left = sum(stock.left for stock in summary.by_region.values())
    share = f", {left / initial:.0%}" if initial else ""
    every = 1 if (page_columns() or WIDE) >= WIDE else 2  # a bar that is broken shows nothing
    say(f"\n{heading('In the ground')}: {left:,} of {counted(initial, 'unit')}{share}")
    print_table(
        ("region", "left", "units", "of", f"day 0 to {summary.day}"),
        [
            (
                name,
                f"{stock.left / stock.initial:.0%}" if stock.initial else "",
                f"{stock.left:,}",
                f"{stock.initial:,}",
                sparkline(units / max(stock.initial, 1) for units in stock.curve[::every]),
            )
            for name, stock in summary.by_region.items()
        ],
        indent=2,
    )


def _print_losses(summary: Summary) -> None:
    gone = summary.teams_perished
    named = f": {', '.join(clean(team) for team in gone[:NAMED])}" if gone else ""
    more = f" and {len(gone) - NAMED} more" if len(gone) > NAMED else ""
    times = "once" if summary.teams_lost == 1 else f"{summary.teams_lost:,} times"
    lost = f"lost {times}" if summary.teams_lost else "none was lost"
    say(f"\n{heading('Teams')}: {lost}, {len(gone) or 'none'} perished{named}{more}")


def _print_depletions(summary: Summary) -> None:
    if summary.level == "warning":
        say("The log holds warnings only: deliveries and depletions are not in it.")
        return
    first = summary.first_depletions
    if not first:
        say(f"{heading('Used up')}: nothing anywhere")
        return
    say(f"\n{heading('Used up first')}")
    print_table(
        ("day", "ingredient", "place"),
        [(each.day, each.ingredient, each.place) for each in first[:NAMED]],
        indent=2,
    )
    if len(first) > NAMED:
        say(f"  and {counted(len(first) - NAMED, 'more ingredient')} elsewhere")


def _print_next(run: Run, source: str | None) -> None:
    if run.path is None:
        return
    name = run_word(run.path)
    say(f"\n{heading('Files')}: {clean(str(run.path))}")
    say(heading("Next"))
    say(f"  worldsim events {name} --level warning")
    say(f'  worldsim query {name} "{WHO_TOOK}"')
    if source is not None:
        say(f"  worldsim run {shlex.quote(clean(source))} --seed {run.manifest.seed + 1}")
