"""Several things at once, and when a mission ends: pure rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.processes.context import PLANT_KINDS, WILDLIFE_KINDS, on_site
from worldsim.rules.activities import (
    added_difficulty,
    divided,
    mission_end,
    progress_of,
    turns_back,
)
from worldsim.scenario.model import Mission, Scenario
from worldsim.scenario.options import ActivityOptions

OPTIONS = ActivityOptions()
GOES_ON: dict[str, Any] = {
    "units": 19,
    "successes": 5,
    "days": 2,
    "idle": 0,
    "room": True,
    "target_units": 20,
    "target_successes": 6,
    "day_limit": 3,
    "idle_days": 1,
}
CARE: dict[str, Any] = {
    "floor": OPTIONS.retreat_floor,
    "margin": OPTIONS.retreat_margin,
    "per_day": OPTIONS.retreat_per_day,
}


@pytest.mark.rule("ACT-1")
def test_each_activity_beyond_the_first_adds_one_to_difficulties() -> None:
    added = [added_difficulty(n, OPTIONS.extra_difficulty) for n in (0, 1, 2, 3, 5)]
    assert added == [0, 0, 1, 2, 4]
    assert [added_difficulty(n) for n in (0, 1, 2, 3, 5)] == added


@pytest.mark.rule("ACT-1")
@given(total=st.integers(0, 60), activities=st.integers(1, 6))
def test_a_score_that_counts_units_is_divided_and_floored(total: int, activities: int) -> None:
    share = divided(total, activities)
    assert share * activities <= total < (share + 1) * activities


@pytest.mark.rule("ACT-2")
def test_there_are_seven_kinds_of_mission_with_nothing_done_on_the_way_by_default() -> None:
    missions = Scenario.model_fields["missions"].get_default(call_default_factory=True)
    assert set(missions) == {
        "gather", "hunt", "explore", "research", "construct", "patrol", "strike",
    }  # fmt: skip
    for name, mission in missions.items():
        assert (mission.kind, mission.outbound, mission.homeward) == (name, (), ())


@pytest.mark.rule("ACT-2")
def test_on_site_a_mission_does_what_it_lists_else_its_own_kind() -> None:
    assert on_site(Mission(kind="gather")) == ("gather",)
    assert on_site(Mission(kind="research")) == ("research",)
    assert on_site(Mission(kind="gather", on_site=("explore", "hunt"))) == ("explore", "hunt")
    assert on_site(Mission(kind="gather", on_site=())) == ()
    assert on_site(Mission(kind="patrol")) == on_site(Mission(kind="strike")) == ()


@pytest.mark.rule("ACT-3")
def test_a_mission_goes_on_while_nothing_ends_it() -> None:
    assert mission_end(**GOES_ON) is None
    assert mission_end(**(GOES_ON | {"target_units": None, "units": 10**6})) is None
    assert mission_end(**(GOES_ON | {"target_successes": None, "successes": 10**6})) is None


@pytest.mark.rule("ACT-3")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"units": 20}, "target_reached"),
        ({"successes": 6}, "target_reached"),
        ({"days": 3}, "day_limit"),
        ({"days": 4}, "day_limit"),
        ({"room": False}, "full"),
        ({"idle": 1}, "idle"),
        ({"units": 20, "room": False, "days": 3, "idle": 1}, "target_reached"),
    ],
)
def test_each_limit_ends_a_mission_the_moment_it_is_met(
    change: dict[str, Any], reason: str
) -> None:
    assert mission_end(**(GOES_ON | change)) == reason


@pytest.mark.rule("ACT-3")
def test_by_default_a_mission_stays_three_days_and_one_idle_day_ends_it() -> None:
    assert (OPTIONS.day_limit, OPTIONS.idle_days) == (3, 1)
    assert Mission(kind="gather").day_limit is None


@pytest.mark.rule("ACT-3")
@pytest.mark.parametrize(
    ("situation", "days_home", "goes"),
    [(30, 0, True), (30.5, 0, False), (31, 0, False), (42, 1, True), (43, 1, False),
     (54, 2, True), (48, 1.5, True), (49, 1.5, False), (90, 5, True),
     (91, 5, False)],
)  # fmt: skip
def test_a_team_turns_back_while_situation_still_carries_it_home(
    situation: float, days_home: float, goes: bool  # noqa: FBT001
) -> None:  # fmt: skip
    assert turns_back(situation, days_home, **CARE) is goes


@pytest.mark.rule("ACT-4")
def test_six_successes_finish_a_work_and_the_rest_counts_for_the_next() -> None:
    assert (OPTIONS.explore_successes, OPTIONS.construct_successes) == (6, 6)
    assert progress_of(0, 5, 6) == (0, 5)
    assert progress_of(5, 1, 6) == (1, 0)
    assert progress_of(5, 9, 6) == (2, 2)


@pytest.mark.rule("ACT-2", "TEAM-5")
def test_wildlife_is_meat_and_fish_and_plants_are_four_kinds() -> None:
    assert {"meat", "fish"} == WILDLIFE_KINDS
    assert {"fruit", "vegetable", "wood", "herb"} == PLANT_KINDS
