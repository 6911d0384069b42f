"""Resilience, Stamina and Efficiency as pure rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.rules.dice import with_bonus
from worldsim.rules.fatigue import (
    clamped,
    drained,
    ready_to_leave,
    resilience,
    restored,
    stamina_loss,
)
from worldsim.scenario.options import FatigueOptions

RESTED: dict[str, Any] = {
    "resilience_share": 1.0,
    "needed_share": 1.0,
    "stamina_least": 60,
    "needed_stamina": 60,
    "efficiency": 80,
    "needed_efficiency": 80,
    "in_coma": 0,
}


@pytest.mark.rule("FAT-1")
@pytest.mark.parametrize(
    ("value", "points"),
    [(0, 0), (9.99, 0), (10, 1), (19.9, 1), (20, 2), (55, 5), (99.9, 9), (100, 10), (-1, 0)],
)
def test_every_full_ten_points_are_one_of_resilience(value: float, points: int) -> None:
    assert resilience(value) == points


@pytest.mark.rule("FAT-2")
def test_a_test_drains_one_point_for_each_dash_and_never_below_zero() -> None:
    assert [drained(left, 1)[0] for left in (5, 2, 1, 0)] == [4, 1, 0, 0]
    assert [drained(left, 2)[0] for left in (5, 3, 2, 1, 0)] == [3, 1, 0, 0, 0]


@pytest.mark.rule("FAT-2", "FAT-3")
@pytest.mark.parametrize("left", [0, 1, 7])
def test_a_test_without_a_dash_drains_nothing_and_finds_nobody_fatigued(left: int) -> None:
    assert drained(left, 0) == (left, False)


@pytest.mark.rule("FAT-2")
def test_five_attributes_carry_one_dash_by_default_and_the_rest_none() -> None:
    assert FatigueOptions().drain == dict.fromkeys(
        ("speed", "gathering", "construction", "research", "detection"), 1
    )


@pytest.mark.rule("FAT-3")
def test_fatigued_is_what_stood_at_zero_before_the_drain_not_after_it() -> None:
    assert drained(1, 1) == (0, False)
    assert drained(1, 3) == (0, False)
    assert drained(0, 1) == (0, True)


@pytest.mark.rule("FAT-3")
def test_a_fatigued_total_loses_one_d6_but_never_the_last_die() -> None:
    lost = FatigueOptions().fatigued_dice
    assert with_bonus((3, 0), -lost) == (2, 0)
    assert with_bonus((4, 8), -lost) == (3, 8)
    assert with_bonus((1, 0), -lost) == (1, 0)
    assert with_bonus((0, 4), -lost) == (0, 4)


@pytest.mark.rule("FAT-3")
def test_being_fatigued_is_two_harder_for_the_phase_and_a_die_less_by_default() -> None:
    given = FatigueOptions()
    assert given.fatigued_difficulty == 2
    assert (given.fatigued_for, given.fatigued_total) == ("phase", "minus_one_die")


@pytest.mark.rule("FAT-4")
def test_a_day_of_rest_gives_one_point_back_up_to_the_base() -> None:
    back = FatigueOptions().resilience_rest
    assert [restored(left, 5, back, tested=False) for left in (0, 3, 4, 5)] == [1, 4, 5, 5]
    assert restored(4, 5, 3, tested=False) == 5


@pytest.mark.rule("FAT-4")
def test_what_was_tested_that_day_does_not_recover() -> None:
    assert restored(3, 5, 1, tested=True) == 3


@pytest.mark.rule("FAT-4")
@pytest.mark.parametrize("tested", [True, False])
def test_rest_leaves_alone_what_an_event_lifted_above_the_base(tested: bool) -> None:  # noqa: FBT001
    assert restored(7, 5, 1, tested=tested) == 7


@pytest.mark.rule("FAT-4")
@given(left=st.integers(0, 40), base=st.integers(0, 40), days=st.integers(0, 60))
def test_days_of_rest_restore_exactly_what_was_missing_and_no_more(
    left: int, base: int, days: int
) -> None:
    now = left
    for _ in range(days):
        now = restored(now, base, 1, tested=False)
    assert now == max(left, min(base, left + days))


@pytest.mark.rule("FAT-5")
@pytest.mark.parametrize(("activities", "lost"), [(0, 10), (1, 10), (2, 15), (3, 20), (5, 30)])
def test_a_day_away_costs_stamina_and_more_for_each_activity_beyond_the_first(
    activities: int, lost: int
) -> None:
    options = FatigueOptions()
    assert stamina_loss(activities, options.stamina_day, options.stamina_activity) == lost
    assert stamina_loss(activities) == lost


@pytest.mark.rule("FAT-5", "FAT-6")
@pytest.mark.parametrize(
    ("given", "kept"), [(-1, 0), (0, 0), (1, 1), (99, 99), (100, 100), (101, 100)]
)
def test_stamina_and_efficiency_stay_between_zero_and_a_hundred(given: int, kept: int) -> None:
    assert clamped(given) == kept


@pytest.mark.rule("FAT-5", "FAT-6")
def test_a_day_of_rest_gives_back_a_quarter_of_stamina_and_a_fifth_of_efficiency() -> None:
    options = FatigueOptions()
    assert (options.stamina_rest, options.efficiency_rest, options.efficiency_day) == (25, 20, 5)


@pytest.mark.rule("FAT-7")
def test_a_team_that_meets_every_threshold_exactly_may_leave() -> None:
    assert ready_to_leave(**RESTED)


@pytest.mark.rule("FAT-7")
@pytest.mark.parametrize(
    "short",
    [
        {"resilience_share": 0.99},
        {"stamina_least": 59},
        {"efficiency": 79},
        {"in_coma": 1},
    ],
)
def test_missing_any_one_threshold_keeps_a_team_at_home(short: dict[str, Any]) -> None:
    assert not ready_to_leave(**(RESTED | short))


@pytest.mark.rule("FAT-7")
def test_the_rest_policy_asks_full_resilience_sixty_stamina_and_eighty_efficiency() -> None:
    options = FatigueOptions()
    assert options.ready_resilience == 1.0
    assert (options.ready_stamina, options.ready_efficiency) == (60, 80)


@pytest.mark.rule("FAT-8")
def test_by_default_all_teams_may_be_away_and_forming_anew_takes_days() -> None:
    options = FatigueOptions()
    assert options.max_away is None
    assert (options.reform_after_days, options.recruit_days) == (3, 14)
