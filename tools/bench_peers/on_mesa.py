"""The plain rules on Mesa: teams are agents, activated once a day in an order of chance.

Mesa counts steps, so an arrival within the day is only a time in the log.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import mesa

from bench_peers.planet import DAY_MIN
from bench_peers.team import Team

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench_peers.planet import Planet
    from bench_peers.setup import TeamData


class TeamAgent(mesa.Agent):
    """A team."""

    def __init__(self, model: CampaignModel, data: TeamData) -> None:
        super().__init__(model)
        self.planet = model.planet
        self.team = Team(model.planet, data)

    def step(self) -> None:
        """Live a day."""
        minute = self.team.live_day()
        if minute is not None:
            dawn = self.planet.now
            self.planet.now = dawn + minute
            self.team.arrive()
            self.planet.now = dawn


class CampaignModel(mesa.Model):
    """The planet and its teams."""

    def __init__(self, planet: Planet) -> None:
        super().__init__(seed=planet.data.seed)
        self.planet = planet
        TeamAgent.create_agents(self, len(planet.data.teams), planet.data.teams)

    def step(self) -> None:
        """A day."""
        self.planet.now = (self.steps - 1) * DAY_MIN
        self.planet.turn_day()
        self.agents.shuffle_do("step")


def start(planet: Planet) -> Callable[[], None]:
    """Start everybody; what is returned simulates one more day."""
    return CampaignModel(planet).step
