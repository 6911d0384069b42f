"""Pools of dice, thrown a die at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from random import Random

EASIEST = 2
HIGHEST_FACE = 6


class Pool(NamedTuple):
    """So many d6, and one weak die of so many sides if any."""

    d6: int
    weak: int = 0


def pool_of(value: float, bonus: int = 0) -> Pool:
    """The dice of a team's value, and a profile's d6 on top."""
    if value < 20:  # noqa: PLR2004 - a d6 for every 20 points
        return Pool(bonus, 4)
    return Pool(min(4, int(value // 20)) + bonus)


def successes(random: Random, pool: Pool, difficulty: int) -> int:
    """Dice that reach the difficulty; beyond 6, pairs of sixes."""
    if difficulty > HIGHEST_FACE:
        sixes = sum(random.randint(1, 6) == HIGHEST_FACE for _ in range(pool.d6))
        return sixes // 2
    hits = 0
    for _ in range(pool.d6):
        if random.randint(1, 6) >= difficulty:
            hits += 1
    if pool.weak and random.randint(1, pool.weak) >= difficulty:
        hits += 1
    return hits


def total(random: Random, pool: Pool, fewer: int = 0) -> int:
    """The sum of all dice; at least one is thrown, however many fewer they are."""
    least = 0 if pool.weak else 1
    score = sum(random.randint(1, 6) for _ in range(max(least, pool.d6 - fewer)))
    return score + random.randint(1, pool.weak) if pool.weak else score


def at_least_easiest(difficulty: int) -> int:
    """A difficulty after all modifiers."""
    return max(EASIEST, difficulty)
