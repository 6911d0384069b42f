"""Several things at once, and when a mission is over."""

from __future__ import annotations

from typing import Literal

End = Literal["target_reached", "day_limit", "full", "idle"]


def added_difficulty(activities: int, per_extra: int = 1) -> int:
    """What doing several things at once adds to every difficulty of theirs.

    Rule ACT-1 [P].

    Args:
        activities: How many, Moving included.
        per_extra: Added for each beyond the first.
    """
    return per_extra * max(0, activities - 1)


def divided(total: int, activities: int) -> int:
    """A total score that counts units, shared among activities.

    Rule ACT-1 [P].
    """
    return total // activities if activities > 1 else total


def mission_end(
    *,
    units: int,
    successes: int,
    days: int,
    idle: int,
    room: bool,
    target_units: int | None,
    target_successes: int | None,
    day_limit: int,
    idle_days: int,
) -> End | None:
    """Why a mission ends after a day on site, or None if it goes on.

    Rule ACT-3 [us].

    Args:
        units: Units the team has taken on this trip.
        successes: Successes of the mission so far.
        days: Days on site so far.
        idle: Days on site in a row without any yield.
        room: Whether one unit of the lightest ingredient still fits.
        target_units: Units that end it, if any.
        target_successes: Successes that end it, if any.
        day_limit: Days on site at most.
        idle_days: Idle days that end it.
    """
    if target_units is not None and units >= target_units:
        return "target_reached"
    if target_successes is not None and successes >= target_successes:
        return "target_reached"
    if not room:
        return "full"
    if days >= day_limit:
        return "day_limit"
    return "idle" if idle >= idle_days else None


def turns_back(
    situation: float, days_home: float, *, floor: float, margin: float, per_day: float
) -> bool:
    """Whether a team gives up and goes home while it still can.

    Rule ACT-3 [us].

    Args:
        situation: 0 to 100.
        days_home: Days the way home is expected to take.
        floor: Situation wanted on getting home.
        margin: Caution on top.
        per_day: Situation a day is expected to cost.
    """
    return situation <= floor + margin + per_day * days_home


def progress_of(total: int, successes: int, needed: int) -> tuple[int, int]:
    """How often a work is finished by these successes, and what stays towards the next time.

    Rule ACT-4 [us].

    Args:
        total: Successes before.
        successes: Successes now.
        needed: Successes that finish it once.
    """
    return divmod(total + successes, needed)
