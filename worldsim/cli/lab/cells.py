"""Cells and tables as the depletion lab's report shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.cli.output import print_table, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.intervals import Interval

MOST_ROWS = 30
SPARK = 32


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], all_of_them: int) -> None:
    """Print the first rows, and say how many there are besides."""
    print_table(columns, rows[:MOST_ROWS], indent=2)
    if all_of_them > MOST_ROWS:
        say(f"  and {all_of_them - MOST_ROWS:,} more: --csv has all")


def some(values: list[float], most: int = SPARK) -> list[float]:
    """At most so many of them, evenly, the first and the last included."""
    last = len(values) - 1
    if last < most:
        return values
    return [values[last * n // (most - 1)] for n in range(most)]


def whole(interval: Interval | None) -> str | None:
    """A figure without decimals, with its bounds if it has both; None if there is none."""
    if interval is None or interval.estimate is None:
        return None
    if interval.low is None or interval.high is None:
        return f"{interval.estimate:,.0f}"
    return f"{interval.estimate:,.0f} ({interval.low:,.0f}-{interval.high:,.0f})"


def one(interval: Interval) -> str | None:
    """A figure with two decimals; None if there is none."""
    return None if interval.estimate is None else f"{interval.estimate:.2f}"
