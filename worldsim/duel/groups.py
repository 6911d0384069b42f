"""Alike cards of a side, taken together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldsim.rules.cards import Side


@dataclass(frozen=True, slots=True)
class DiceCounts:
    """Dice that cards bring to each value of their side."""

    first_initiative: int = 0
    later_initiative: int = 0
    attack: int = 0
    assault: int = 0
    protection: int = 0

    def plus(self, other: DiceCounts, times: int = 1) -> DiceCounts:
        """Both together, the other one so many times."""
        return DiceCounts(
            self.first_initiative + times * other.first_initiative,
            self.later_initiative + times * other.later_initiative,
            self.attack + times * other.attack,
            self.assault + times * other.assault,
            self.protection + times * other.protection,
        )


@dataclass(frozen=True, slots=True)
class Group:
    """Cards nobody could tell apart in a fight: equal dice, equal Combat Health left.

    Attributes:
        cards: Where they stand in the side.
        health: Combat Health each has left, from 1.
        dice: What each brings while it is up.
    """

    cards: tuple[int, ...]
    health: int
    dice: DiceCounts


def dice_counts(side: Side, card: int) -> DiceCounts:
    """Dice one card of a side brings."""
    return DiceCounts(
        side.first_initiative[card],
        side.later_initiative[card],
        side.attack[card],
        side.assault_dice[card],
        side.protection[card],
    )


def groups_of(side: Side, health: list[int]) -> list[Group]:
    """The cards of a side that are up and can be hit, alike ones together."""
    alike: dict[tuple[int, DiceCounts], list[int]] = {}
    for card, left in enumerate(health):
        if left > 0:
            alike.setdefault((left, dice_counts(side, card)), []).append(card)
    return [Group(tuple(cards), left, dice) for (left, dice), cards in alike.items()]


def fixed_dice(side: Side) -> DiceCounts:
    """Dice of the cards that cannot be hit."""
    total = DiceCounts()
    for card, whole in enumerate(side.whole):
        if whole == 0:
            total = total.plus(dice_counts(side, card))
    return total
