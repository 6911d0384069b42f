"""The survival phase: what a day in the wild costs."""

from __future__ import annotations

from typing import Literal

Fate = Literal["unharmed", "hurt", "vanished"]


def difficulty(place: int, weather: int, easiest: int = 2, hardest: int = 9) -> int:
    """Survival difficulty of a day.

    Rule SURV-1 [W].

    Args:
        place: Difficulty of the sector, or of the region on the way.
        weather: What the region's weather adds today.
        easiest: Lowest there is.
        hardest: Highest there is.
    """
    return max(easiest, min(hardest, place + weather))


def situation_after(situation: int, successes: int, drain: int = 15, relief: int = 3) -> int:
    """Situation after a survival phase.

    Rule SURV-2 [W]: successes soften the drain, they never lift Situation; 0 is lost.
    """
    return max(0, situation - max(0, drain - relief * successes))


def stranded(situation: int, below: int = 20) -> bool:
    """Whether a team is so low that a test decides if it is lost tomorrow.

    Rule SURV-2 [W].
    """
    return 0 < situation < below


def runners(fit: int, share: float = 0.5) -> int:
    """Most members who go on a Supply Run while the others rest.

    Rule SURV-3 [P].

    Args:
        fit: Conscious members with Stamina left.
        share: Share of them, rounded down: one alone stays.
    """
    return int(fit * share)


def hunger_damage(hungry_days: int, grace_days: int = 3, damage: int = 10) -> int:
    """Health a member loses on a hungry day.

    Rule SURV-3 [us].

    Args:
        hungry_days: Days in a row without enough food, today included.
        grace_days: Of them without harm.
        damage: Lost on each further one.
    """
    return damage if hungry_days > grace_days else 0


def lost_fate(roll: int, vanishes_to: int = 1, hurt_to: int = 5) -> Fate:
    """What a day of being lost does to a member.

    Rule SURV-5 [us].

    Args:
        roll: The member's die, from 1.
        vanishes_to: Up to this the member disappears.
        hurt_to: Up to this the member loses Health.
    """
    if roll <= vanishes_to:
        return "vanished"
    return "hurt" if roll <= hurt_to else "unharmed"


def never_found(lost_days: int, limit: int = 10) -> bool:
    """Whether a lost team is given up.

    Rule SURV-5 [us].
    """
    return lost_days >= limit


def wounds(strength: int, defended: int) -> int:
    """Wounds wildlife deals: one for each Defense success that was missing.

    Rule SURV-6 [us].
    """
    return max(0, strength - defended)
