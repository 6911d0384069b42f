"""The weather of each region, drawn every day."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from math import fsum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldsim.chance import Chance
    from worldsim.scenario.options import Weather


@dataclass(frozen=True, slots=True)
class Sky:
    """A weather and what it adds to the survival difficulty (SURV-1)."""

    name: str
    difficulty: int


class Climate:
    """The weathers of one climate with their cumulative chances."""

    __slots__ = ("_cuts", "_skies")

    def __init__(self, weathers: Mapping[str, Weather]) -> None:
        self._skies = [Sky(name, each.difficulty) for name, each in weathers.items()]
        whole = fsum(each.weight for each in weathers.values())
        sums = list(accumulate(each.weight for each in weathers.values()))
        self._cuts = [at / whole for at in sums[:-1]]

    def on(self, region: str, day: int, chance: Chance) -> Sky:
        """The weather of a region on a day; one draw.

        Rule SURV-1 [W].
        """
        return self._skies[bisect_right(self._cuts, chance.first("weather", region, day))]
