"""The map of a campaign alone, without the world that would stand on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.chance import Chance
from worldsim.world.build import lay_atlas

if TYPE_CHECKING:
    from worldsim.scenario.model import Scenario
    from worldsim.world.atlas import Atlas


def atlas_of(scenario: Scenario, seed: int) -> Atlas:
    """The map that a campaign of this scenario and seed begins on.

    Rule MAP-1 [us].

    Raises:
        MapError: the map file is no map.
    """
    return lay_atlas(scenario, Chance(seed))
