"""Weeks, work at home, and the order of a day: pure rules."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import sqrt
from typing import Any, cast

import pytest

from worldsim.chance import Chance
from worldsim.processes.calendar import day_order
from worldsim.rules.day import begins_year, contribution, ends_week, week_of
from worldsim.scenario.options import DayOptions


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
    ranks = cast("Any", {"c": (0, "c"), "x": (1, "x"), "y": (1, "y"), "z": (1, "z")})
    order = cast("Any", day_order({"c": 0.9, "x": 0.5, "y": 0.1, "z": 0.5}, ranks))
    assert sorted(order, key=order.__getitem__) == ["c", "y", "x", "z"]


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
