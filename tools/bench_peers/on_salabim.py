"""The plain rules on salabim: a component a team, and one for the planet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import salabim

from bench_peers.planet import DAY_MIN
from bench_peers.team import Team

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from bench_peers.planet import Planet
    from bench_peers.setup import TeamData


class PlanetComponent(salabim.Component):
    """Turns the days."""

    def setup(self, planet: Planet) -> None:
        """Keep what the process needs; salabim's own statistics would grow for ever."""
        self.planet = planet
        self.mode.monitor(False)
        self.status.monitor(False)

    def process(self) -> Generator[Any, Any, None]:
        """One day after another."""
        while True:
            self.planet.now = int(self.env.now())
            self.planet.turn_day()
            yield self.hold(DAY_MIN)


class TeamComponent(salabim.Component):
    """A team."""

    def setup(self, planet: Planet, data: TeamData) -> None:
        """Keep what the process needs; salabim's own statistics would grow for ever."""
        self.planet = planet
        self.team = Team(planet, data)
        self.mode.monitor(False)
        self.status.monitor(False)

    def process(self) -> Generator[Any, Any, None]:
        """Live day after day."""
        dawn = 0
        while True:
            # Within the first minute of the day, so that the order of teams is drawn anew.
            yield self.hold(till=dawn + self.planet.random.random())
            self.planet.now = dawn
            minute = self.team.live_day()
            if minute is not None:
                yield self.hold(till=dawn + minute)
                self.planet.now = dawn + minute
                self.team.arrive()
            dawn += DAY_MIN


def start(planet: Planet) -> Callable[[], None]:
    """Start everybody; what is returned simulates one more day."""
    salabim.yieldless(False)  # generators, which are much faster than greenlets
    env = salabim.Environment(trace=False)
    PlanetComponent(planet=planet)
    for data in planet.data.teams:
        TeamComponent(planet=planet, data=data)

    def advance() -> None:
        env.run(till=(int(env.now()) // DAY_MIN + 1) * DAY_MIN)

    return advance
