"""The rules of a scenario, for those who read them all day long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.rules.teams import ATTRIBUTES
from worldsim.scenario.slots import slotted

if TYPE_CHECKING:
    from worldsim.scenario.options import Rules


class Rulebook:
    """The tables of ``[rules]`` as records with slots.

    Attributes:
        drains: Dashes that each attribute's first test of a day drains (FAT-2); of ``fatigue``.
        others: The tables of the same names.
    """

    __slots__ = (
        "activities", "battle", "characters", "day", "dice", "drains", "fatigue", "gathering",
        "reserves", "survival", "teams", "travel",
    )  # fmt: skip

    def __init__(self, rules: Rules) -> None:
        self.activities = slotted(rules.activities)
        self.battle = slotted(rules.battle)
        self.characters = slotted(rules.characters)
        self.day = slotted(rules.day)
        self.dice = slotted(rules.dice)
        self.fatigue = slotted(rules.fatigue)
        self.gathering = slotted(rules.gathering)
        self.reserves = slotted(rules.reserves)
        self.survival = slotted(rules.survival)
        self.teams = slotted(rules.teams)
        self.travel = slotted(rules.travel)
        self.drains = [rules.fatigue.drain.get(name, 0) for name in ATTRIBUTES]
