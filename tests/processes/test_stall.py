"""A world that stands still is noticed, and says who waits for what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from worldsim.processes.simulation import Simulation
from worldsim.processes.stall import StalledError
from worldsim.scenario import load

if TYPE_CHECKING:
    from collections.abc import Generator

    import simpy


def simulation() -> Simulation:
    return Simulation(load("lone_colony"), seed=1, write=lambda _line: None)


def add(world: Simulation, name: str, process: Generator[simpy.Event, Any, None]) -> None:
    """One more process that takes part in the day's order; the first dawn it sees is day 2's."""
    context = world.context
    context.roster.enlist(context.env.process(process), 3, name)


def live(world: Simulation, days: int) -> None:
    for _ in range(days):
        world.advance()


def test_a_process_that_waits_for_what_cannot_come_is_named() -> None:
    world = simulation()
    context = world.context

    def lost() -> Generator[simpy.Event, Any, None]:
        while context.day < 3:
            yield context.dawn
        yield context.env.event()

    add(world, "ghost", lost())
    live(world, 2)
    with pytest.raises(StalledError, match="do not wait for the next dawn") as stalled:
        live(world, 1)
    assert stalled.value.exit_code == 3
    first, *others = stalled.value.waiting
    assert first == "ghost waits for something that nobody has made happen since day 3"
    assert all(line.endswith("waits for dawn since day 3") for line in others)
    assert "day 3" in str(stalled.value)


def test_a_process_that_holds_on_to_an_old_dawn_is_named() -> None:
    world = simulation()
    context = world.context

    def late() -> Generator[simpy.Event, Any, None]:
        yield context.dawn
        yield context.env.timeout(3000)

    add(world, "sleeper", late())
    with pytest.raises(StalledError) as stalled:
        live(world, 2)
    assert stalled.value.waiting[0] == "sleeper waits for a moment that is to come since day 2"


def test_a_process_that_waits_for_another_is_named_with_it() -> None:
    world = simulation()
    context = world.context

    def endless() -> Generator[simpy.Event, Any, None]:
        while True:
            yield context.dawn

    def follower() -> Generator[simpy.Event, Any, None]:
        yield context.dawn
        leader = next(each for each, rank in context.roster.ranks.items() if rank[1] == "leader")
        yield leader

    add(world, "leader", endless())
    add(world, "follower", follower())
    with pytest.raises(StalledError) as stalled:
        live(world, 2)
    assert stalled.value.waiting[0] == "follower waits for leader to end since day 2"


def test_time_that_stands_still_is_noticed() -> None:
    world = simulation()
    context = world.context

    def busy() -> Generator[simpy.Event, Any, None]:
        yield context.dawn
        while True:
            yield context.env.timeout(0)

    add(world, "busybody", busy())
    with pytest.raises(StalledError, match="time stands still") as stalled:
        live(world, 2)
    assert any(line.startswith("busybody waits for") for line in stalled.value.waiting)


def test_a_world_without_a_dawn_to_come_is_noticed() -> None:
    world = simulation()
    env = world.context.env
    live(world, 1)
    env._queue.clear()
    with pytest.raises(StalledError, match="no dawn will come"):
        live(world, 1)


def test_processes_that_have_ended_are_not_missed() -> None:
    world = simulation()
    context = world.context

    def brief() -> Generator[simpy.Event, Any, None]:
        yield context.dawn

    add(world, "passer-by", brief())
    live(world, 10)
    assert world.day == 10
