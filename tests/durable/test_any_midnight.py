"""A world saved and restored at any midnight has the same rest of its run, battles included.

``WORLDSIM_MIDNIGHTS=1`` lives on from each midnight to the end of the year; without it, from
every seventh for a day, after which the state is the same again, and from one to the end.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest

from worldsim.processes.simulation import Simulation
from worldsim.scenario import load
from worldsim.world.state import UnfitStateError

if TYPE_CHECKING:
    from worldsim.scenario import Scenario

DAYS = 365
SEED = 7
ALL = os.environ.get("WORLDSIM_MIDNIGHTS") == "1"


class Midnight(NamedTuple):
    state: bytes
    written: int
    battles: int


@cache
def frontier() -> Scenario:
    return load("contested_frontier")


@cache
def year() -> tuple[list[bytes], list[Midnight]]:
    """The lines of the year, and each midnight of it."""
    lines: list[bytes] = []
    world = Simulation(
        frontier(), seed=SEED, write=lambda chunk: lines.extend(chunk.splitlines(keepends=True))
    )
    midnights = [Midnight(world.state(), len(lines), 0)]
    for _ in range(DAYS):
        world.advance()
        battles = len(world.world.contests.battles)
        midnights.append(Midnight(world.state(), len(lines), battles))
    return lines, midnights


def live_on(day: int, days: int) -> None:
    lines, midnights = year()
    again: list[bytes] = []
    world = Simulation(
        frontier(),
        seed=SEED,
        write=lambda chunk: again.extend(chunk.splitlines(keepends=True)),
        state=midnights[day].state,
    )
    assert world.day == day
    assert world.state() == midnights[day].state
    for _ in range(days):
        world.advance()
    then = midnights[day + days]
    assert again == lines[midnights[day].written : then.written]
    assert world.state() == then.state


@pytest.mark.parametrize("week", range(DAYS // 7 + 1))
def test_a_restored_world_lives_on_as_it_did(week: int) -> None:
    for day in range(week * 7, min(week * 7 + 7, DAYS), 1 if ALL else 7):
        to_the_end = ALL or day == 26 * 7
        live_on(day, DAYS - day if to_the_end else 1)


def test_battles_go_on_over_some_of_these_midnights() -> None:
    _, midnights = year()
    assert sum(1 for midnight in midnights if midnight.battles) >= 10


@pytest.mark.parametrize("name", ["lone_colony", "first_landing"])
def test_the_state_of_another_world_is_refused(name: str) -> None:
    _, midnights = year()
    with pytest.raises(UnfitStateError, match="other colonies"):
        Simulation(load(name), seed=1, write=lambda _line: None, state=midnights[3].state)


@pytest.mark.parametrize("data", [b"", b"\x00", b"\xc1" * 30, b"{}"])
def test_what_is_no_state_is_refused(data: bytes) -> None:
    with pytest.raises(UnfitStateError, match="cannot be read"):
        Simulation(load("lone_colony"), seed=1, write=lambda _line: None, state=data)


def test_a_state_that_was_cut_or_damaged_in_its_shape_is_refused() -> None:
    state = year()[1][5].state
    for damaged in (state[:-1], state[: len(state) // 2], state + b"\x00"):
        with pytest.raises(UnfitStateError):
            Simulation(frontier(), seed=SEED, write=lambda _line: None, state=damaged)
