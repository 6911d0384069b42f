"""Weeks, work at home, and the order of a day: pure rules."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import sqrt
from typing import TYPE_CHECKING, Any

import pytest
import simpy

from worldsim.chance import Chance
from worldsim.processes.roster import BATTLES, COLONIES, TEAMS, Roster
from worldsim.rules.day import begins_year, contribution, ends_week, week_of
from worldsim.scenario.options import DayOptions

if TYPE_CHECKING:
    from collections.abc import Generator


@pytest.mark.rule("DAY-1")
def test_a_contributing_team_gives_half_its_mean_skill() -> None:
    assert contribution(45.0, DayOptions().contribution_divisor) == 22.5
    assert contribution(45.0) == 22.5
    assert contribution(0.0) == 0


@pytest.mark.rule("DAY-2")
@pytest.mark.parametrize(
    ("day", "week", "last"),
    [(1, 1, False), (6, 1, False), (7, 1, True), (8, 2, False), (14, 2, True), (15, 3, False)],
)
def test_a_week_is_seven_days_from_the_first(day: int, week: int, last: bool) -> None:  # noqa: FBT001
    assert DayOptions().week_days == 7
    assert week_of(day) == week
    assert ends_week(day) is last


@pytest.mark.rule("DAY-3")
def test_the_days_order_is_that_of_its_draws_colonies_before_teams() -> None:
    env = simpy.Environment()
    roster = Roster()
    named = {}
    for name in ("z", "x", "c", "b", "y"):  # who comes first here makes no difference
        process = env.process(iter_forever(env))
        named[process] = name
        roster.enlist(process, {"c": COLONIES, "b": BATTLES}.get(name, TEAMS), name)
    drawn = {"c": 0.9, "b": 0.8, "x": 0.5, "y": 0.1, "z": 0.5}
    assert roster.names() == ["c", "b", "x", "y", "z"]
    woken = roster.order([drawn[name] for name in roster.names()])
    assert [named[process] for process in woken] == ["c", "b", "y", "x", "z"]
    roster.dismiss(woken[1])
    assert roster.names() == ["c", "x", "y", "z"]


def iter_forever(env: simpy.Environment) -> Generator[simpy.Event, Any, None]:
    while True:
        yield env.timeout(1)


@pytest.mark.rule("DAY-3")
def test_every_order_of_three_teams_is_as_likely() -> None:
    days = 3000
    chance = Chance(11)
    seen: Counter[tuple[str, ...]] = Counter()
    for day in range(1, days + 1):
        drawn = {name: chance.first("order", name, day) for name in ("a/x", "a/y", "b/x")}
        seen[tuple(sorted(drawn, key=drawn.__getitem__))] += 1
    error = sqrt(days * 1 / 6 * 5 / 6)
    for order in permutations(("a/x", "a/y", "b/x")):
        assert abs(seen[order] - days / 6) < 4 * error


@pytest.mark.parametrize(("day", "first"), [(1, True), (2, False), (365, False), (366, True)])
def test_a_year_begins_on_the_day_after_its_365th(day: int, *, first: bool) -> None:
    assert begins_year(day) is first
