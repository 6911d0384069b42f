"""The depletion lab's report for people: its head, its sections, and what to try next."""

from __future__ import annotations

import shlex
from itertools import pairwise
from typing import TYPE_CHECKING

from worldsim.cli.lab import estimates, ground
from worldsim.cli.output import clean, counted, heading, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from worldsim.study.depletion.report import Report

MOST_NAMED = 3
LARGEST_TOLD = 10**9
"""Greater seeds were drawn, and say nothing to people."""
HEADINGS = {
    "stock": "In the ground",
    "times": "Days until so much was left",
    "accounts": "Where it went",
    "takers": "Who took it",
    "effort": "Catch per unit of effort",
    "estimates": "What the catches alone would have told",
    "causes": "Why such estimates miss here",
    "forecast": "Forecasts",
    "yield": "What grows back",
}


def print_report(report: Report, table: str | None = None) -> None:
    """Print a report, or one of its tables only."""
    print_head(report)
    wanted = list(SECTIONS) if table is None else [ALSO.get(table, table)]
    for name in wanted:
        say(f"\n{heading(HEADINGS[name])}{SECTIONS[name][0](report)}")
        SECTIONS[name][1](report)


def print_next(found: Sequence[Report], given: tuple[str, ...]) -> None:
    """Print what to try next."""
    first = found[0]
    few = given if len(given) <= MOST_NAMED else given[:1]
    names = " ".join(shlex.quote(clean(name)) for name in few)
    say(f"\n{heading('Next')}")
    if first.scope.ingredient is None and first.accounts:
        most = max(first.accounts, key=lambda name: first.accounts[name].taken)
        say(f"  worldsim depletion {names} --ingredient {shlex.quote(clean(most))}")
    say(f"  worldsim depletion {names} --plot depletion.svg")
    say(f"  worldsim depletion {names} --csv --table effort")


def print_head(report: Report) -> None:
    """Print what is told of."""
    seeds, runs = report.seeds, len(report.seeds)
    scope = report.scope
    what = clean(scope.ingredient) if scope.ingredient else "all ingredients"
    where = f"region {clean(scope.region)}" if scope.region else "all regions"
    told = f"seed {seeds[0]}" if runs == 1 else f"{counted(runs, 'run')}, {_seeds(seeds)}"
    say(f"{heading(clean(report.name))}: {told}, to day {report.last_day:,}; {what}, {where}")


def _seeds(seeds: Sequence[int]) -> str:
    """``seeds 1 to 30``, or a list of them."""
    ordered = sorted(seeds)
    if ordered[-1] > LARGEST_TOLD:
        return "seeds of a study"
    if all(after == before + 1 for before, after in pairwise(ordered)):
        return f"seeds {ordered[0]} to {ordered[-1]}"
    shown = ", ".join(str(seed) for seed in ordered[:4])
    return f"seeds {shown}, …" if len(ordered) > 4 else f"seeds {shown}"  # noqa: PLR2004 - a few


def _nothing(report: Report) -> str:
    del report
    return ""


SECTIONS: dict[str, tuple[Callable[[Report], str], Callable[[Report], None]]] = {
    "stock": (ground.stock_head, ground.print_stock),
    "times": (ground.times_head, ground.print_times),
    "accounts": (ground.accounts_head, ground.print_accounts),
    "takers": (_nothing, ground.print_takers),
    "effort": (ground.effort_head, ground.print_effort),
    "estimates": (estimates.estimates_head, estimates.print_estimates),
    "causes": (_nothing, estimates.print_causes),
    "forecast": (estimates.forecast_head, estimates.print_forecast),
    "yield": (estimates.yield_head, estimates.print_yield),
}
ALSO = {"survival": "times", "halving": "times"}
"""Tables for programs that people find within another one."""
