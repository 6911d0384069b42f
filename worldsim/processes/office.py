"""What a colony works with: its teams, its targets, its store."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldsim.processes.context import Context
    from worldsim.processes.policies import Choose
    from worldsim.scenario import model
    from worldsim.world.colonies import Colony
    from worldsim.world.world import World


class Office:
    """What a colony's process needs beside the colony's own state; follows from the scenario.

    Attributes:
        ctx: The run.
        colony: Whose office it is.
        given: The colony's table of the scenario.
        choose: Its policy.
        teams: All its teams.
        targets: Sectors it works, nearest first, equals by name.
    """

    __slots__ = ("choose", "colony", "ctx", "distances", "given", "targets", "teams")

    def __init__(self, ctx: Context, colony: Colony, given: model.Colony, choose: Choose) -> None:
        world = ctx.world
        self.ctx, self.colony, self.given, self.choose = ctx, colony, given, choose
        self.teams = [team for team in world.teams if team.colony == colony.id]
        sectors = given.targets if given.targets is not None else world.atlas.sectors
        self.distances = MappingProxyType({
            sector: world.route(colony.sector, sector).distance
            for sector in sectors
            if sector != colony.sector and world.atlas.reaches(colony.sector, sector)
        })  # fmt: skip
        self.targets = tuple(sorted(self.distances, key=lambda each: (self.distances[each], each)))


def take_food(world: World, colony: Colony, wanted: int) -> dict[int, int]:
    """Take up to so many units of food out of the store, most plentiful first."""
    store = colony.store
    taken: dict[int, int] = {}
    for ingredient in sorted(world.edible, key=lambda i: (-store[i], i)):
        units = min(wanted, store[ingredient])
        if units:
            store[ingredient] -= units
            taken[ingredient] = units
            wanted -= units
    return taken
