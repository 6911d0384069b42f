"""Resilience, Stamina and Efficiency: how teams tire, and when they are ready again."""

from __future__ import annotations


def resilience(value: float, per: int = 10) -> int:
    """Resilience a value expresses, before any bonus.

    Rule FAT-1 [D].

    Args:
        value: A team attribute as the team leaves.
        per: Points of value for one of Resilience.
    """
    return max(0, int(value // per))


def drained(left: int, dashes: int) -> tuple[int, bool]:
    """Resilience after a draining test, and whether that test finds the attribute Fatigued.

    Rule FAT-2, FAT-3 [D]: Fatigued is what stood at 0 before the drain; a test without a dash
    drains nothing and tires nobody.
    """
    if dashes <= 0:
        return left, False
    return (left - dashes if left > dashes else 0), left <= 0


def restored(left: int, base: int, points: int, *, tested: bool) -> int:
    """Resilience after a full day of rest.

    Rule FAT-4 [D]: up to the base; what an event lifted above it stays; what was tested that day
    does not recover.
    """
    if tested or left >= base:
        return left
    return min(base, left + points)


def stamina_loss(activities: int, day: int = 10, extra: int = 5) -> int:
    """Stamina that a day away takes from each member.

    Rule FAT-5 [us].

    Args:
        activities: Activities of the day; a day without any tires like one.
        day: Lost by any day away.
        extra: Lost by each activity beyond the first.
    """
    return day + extra * (activities - 1) if activities > 1 else day


def clamped(value: int, least: int = 0, most: int = 100) -> int:
    """A scale's value kept in its range.

    Rule FAT-5, FAT-6 [us].
    """
    if value < least:
        return least
    return most if value > most else value  # noqa: FURB136 - hot: min is a call


def ready_to_leave(
    *,
    resilience_share: float,
    needed_share: float,
    stamina_least: int,
    needed_stamina: int,
    efficiency: int,
    needed_efficiency: int,
    in_coma: int,
) -> bool:
    """Whether the rest policy lets a team leave.

    Rule FAT-7 [D].

    Args:
        resilience_share: The lowest share, over attributes, of base Resilience that is there.
        needed_share: What the policy asks of it.
        stamina_least: Lowest Stamina among the living members.
        needed_stamina: What the policy asks of it.
        efficiency: Of the team.
        needed_efficiency: What the policy asks of it.
        in_coma: Living members who are not conscious.
    """
    return (
        in_coma == 0
        and efficiency >= needed_efficiency
        and stamina_least >= needed_stamina
        and resilience_share >= needed_share
    )
