"""The plain rules on SimPy alone: a process a team, and one for the planet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import simpy

from bench_peers.planet import DAY_MIN
from bench_peers.team import Team

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from bench_peers.planet import Planet


def start(planet: Planet) -> Callable[[], None]:
    """Start everybody; what is returned simulates one more day."""
    env = simpy.Environment()
    env.process(_days(env, planet))
    for data in planet.data.teams:
        env.process(_life(env, planet, Team(planet, data)))

    def advance() -> None:
        env.run(until=(int(env.now) // DAY_MIN + 1) * DAY_MIN)

    return advance


def _days(env: simpy.Environment, planet: Planet) -> Generator[simpy.Event, Any, None]:
    while True:
        planet.now = int(env.now)
        planet.turn_day()
        yield env.timeout(DAY_MIN)


def _life(env: simpy.Environment, planet: Planet, team: Team) -> Generator[simpy.Event, Any, None]:
    dawn = 0
    while True:
        # Within the first minute of the day, so that the order of teams is drawn anew.
        yield env.timeout(dawn + planet.random.random() - env.now)
        planet.now = dawn
        minute = team.live_day()
        if minute is not None:
            yield env.timeout(dawn + minute - env.now)
            planet.now = dawn + minute
            team.arrive()
        dawn += DAY_MIN
