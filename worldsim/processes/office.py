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
        away: How many of its teams are away; counted anew every dawn.
        bound_for: How many of them are on a trip to each target, likewise.
    """

    __slots__ = (
        "away",
        "bound_for",
        "choose",
        "colony",
        "ctx",
        "distances",
        "given",
        "targets",
        "teams",
    )

    def __init__(self, ctx: Context, colony: Colony, given: model.Colony, choose: Choose) -> None:
        world = ctx.world
        self.ctx, self.colony, self.given, self.choose = ctx, colony, given, choose
        self.teams = [team for team in world.teams if team.colony == colony.id]
        closed = world.scenario.planet.closed
        sectors = given.targets if given.targets is not None else world.atlas.sectors
        self.distances = MappingProxyType({
            sector: world.route(colony.sector, sector).distance
            for sector in sectors
            if sector not in closed
            and sector != colony.sector
            and world.atlas.reaches(colony.sector, sector)
        })  # fmt: skip
        self.away = 0
        self.bound_for: dict[str, int] = {}
        self.targets = tuple(sorted(self.distances, key=lambda each: (self.distances[each], each)))

    def count_teams(self) -> None:
        """Count who is away, and where."""
        self.away = 0
        self.bound_for = {}
        for team in self.teams:
            if team.trip is not None and team.status != "gone":
                self.note_departure(team.trip.target)

    def note_departure(self, target: str) -> None:
        """One more team is away."""
        self.away += 1
        self.bound_for[target] = self.bound_for.get(target, 0) + 1


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
