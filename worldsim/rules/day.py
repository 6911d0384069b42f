"""Days, weeks, and what a team at home gives its colony."""

from __future__ import annotations


def week_of(day: int, week_days: int = 7) -> int:
    """The week a day belongs to, from 1.

    Rule DAY-2 [B].
    """
    return (day - 1) // week_days + 1


def ends_week(day: int, week_days: int = 7) -> bool:
    """Whether what is true at the end of this day is what next week calls the week before.

    Rule DAY-2 [B].
    """
    return day % week_days == 0


def begins_year(day: int, year_days: int = 365) -> bool:
    """Whether quotas are whole again on this day: the first of a year."""
    return day % year_days == 1


def contribution(mean_skill: float, divisor: float = 2.0) -> float:
    """Points a team at home gives its colony in a day, instead of resting.

    Rule DAY-1 [W].
    """
    return mean_skill / divisor
