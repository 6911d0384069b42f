"""Characters: how skills come about, and what Health means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Iterator

CharacterClass = Literal["leader", "gatherer", "guard", "scientist", "engineer", "scout", "member"]
CLASSES: tuple[CharacterClass, ...] = get_args(CharacterClass)


def skill(
    quality: int,
    affinity: int,
    training: float,
    investment: float,
    roll: float,
    *,
    base: float,
    per_level: float,
    per_affinity: float,
) -> float:
    """The value of one skill, never below 0.

    Rule CHAR-1, CHAR-2 [D]: its bands by rarity come from the coefficients.

    Args:
        quality: Level 1 to 13.
        affinity: The affinity the skill leans on, -4 to 4.
        training: Points that no, minor or major training brings.
        investment: Points the player put in.
        roll: Points of luck.
        base: Points of level 0 without anything.
        per_level: Points per level.
        per_affinity: Points per point of affinity.
    """
    value = base + per_level * quality + per_affinity * affinity + training + investment + roll
    return max(0.0, value)


def quality_of(levels: tuple[int, int], stream: Iterator[float]) -> int:
    """A quality level of a rarity, each as likely; one draw.

    Rule CHAR-2 [D].

    Args:
        levels: Lowest and highest level of the rarity.
        stream: One draw is taken.
    """
    low, high = levels
    return low + int(next(stream) * (high - low + 1))


def counts_as_member(role: str) -> bool:
    """Whether a class counts as a Member where a profile asks for one: all but the Leader.

    Rule CHAR-3 [P].
    """
    return role != "leader"


def conscious(health: int) -> bool:
    """Whether a character acts and counts in team values: Health above 0.

    Rule CHAR-5 [W].
    """
    return health > 0


def alive(health: int, most: int) -> bool:
    """Whether a character lives: Health above minus its maximum.

    Rule CHAR-5 [W].
    """
    return health > -most


def healed(health: int, points: int, most: int) -> int:
    """Health after a day at the colony, never above the maximum.

    Rule CHAR-5 [W].
    """
    return min(most, health + points)
