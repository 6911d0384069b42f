"""The map of a campaign alone, without the world that would stand on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.chance import Chance
from worldsim.world.atlas import Atlas, checked, generate, parse

if TYPE_CHECKING:
    from worldsim.scenario.model import Scenario


def atlas_of(scenario: Scenario, seed: int) -> Atlas:
    """The map that a campaign of this scenario and seed begins on.

    Rule MAP-1 [us].

    Raises:
        MapError: the map file is no map.
    """
    planet = scenario.planet
    if planet.map is not None and planet.map_text is not None:
        return Atlas(parse(planet.map_text, planet.map))
    return Atlas(checked(generate(planet, Chance(seed))))
