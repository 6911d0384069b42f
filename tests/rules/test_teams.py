"""What a team is worth, as pure rules."""

from __future__ import annotations

import pytest

from worldsim.rules.teams import (
    ATTRIBUTES,
    capacity,
    complete,
    experience_after,
    mean,
    profile_counts,
    speed,
    unit_weight,
    well_led,
)
from worldsim.scenario.options import TeamOptions

CARRIES = {"base": 15, "per_physical": 4, "vehicle": 50}


@pytest.mark.rule("TEAM-1")
def test_a_mean_stays_real_and_nobody_is_worth_nothing() -> None:
    assert mean([40, 41], [1, 1]) == 40.5
    assert mean([10, 20, 40], [1, 1, 1]) == pytest.approx(70 / 3)
    assert mean([], []) == 0


@pytest.mark.rule("TEAM-2")
@pytest.mark.reading("rules.teams.speed_from=mean")
@pytest.mark.reading("rules.teams.speed_from=min")
def test_team_speed_is_the_mean_or_by_a_reading_the_slowest() -> None:
    assert speed([30, 60, 75], "mean") == 55
    assert speed([30, 60, 75], "min") == 30
    assert speed([], "mean") == speed([], "min") == 0
    assert TeamOptions().speed_from == "mean"


@pytest.mark.rule("TEAM-3")
def test_a_weight_of_three_counts_like_three_people() -> None:
    assert mean([70, 30], [3, 1]) == mean([70, 70, 70, 30], [1, 1, 1, 1]) == 60
    assert TeamOptions().gatherer_weight == 3


@pytest.mark.rule("TEAM-2", "TEAM-3", "TEAM-4")
def test_each_attribute_comes_from_its_skills() -> None:
    assert {str(name): skills for name, skills in TeamOptions().attributes.items()} == {
        "speed": ("speed",),
        "gathering": ("manual", "speed"),
        "stealth": ("stealth",),
        "detection": ("awareness",),
        "communications": ("awareness",),
        "defense": ("shooting", "cover"),
        "construction": ("engineering",),
        "research": ("science",),
        "survival": ("planetary",),
    }
    assert set(ATTRIBUTES) == set(TeamOptions().attributes)


UNSEEN = {"detection_wildlife", "detection_other"}


@pytest.mark.rule("TEAM-5")
@pytest.mark.parametrize(
    ("profile", "dice"),
    [
        ("scouting", {"speed": 1, "stealth": 1} | dict.fromkeys(UNSEEN, 1)),
        ("gathering", {"gathering": 2, "detection_gathering": 2}),
        ("hunting", {"defense": 2, "detection_wildlife": 2}),
        ("engineering", {"construction": 2}),
        ("escort", {"defense": 2}),
        ("scientific", {"research": 2}),
        ("tactical", {"defense": 2, "stealth": 2} | dict.fromkeys(UNSEEN, 2)),
        ("ark", {"research": 2}),
        ("secret", {"stealth": 3} | dict.fromkeys(UNSEEN, 3)),
    ],
)
def test_each_profile_brings_its_dice_and_no_others(profile: str, dice: dict[str, int]) -> None:
    table = {str(name): given for name, given in TeamOptions().profiles.items()}
    assert table[profile].dice == dice
    assert table[profile].guard_factor == (1.3 if profile == "escort" else 1.0)
    assert table[profile].collecting == (-1 if profile == "ark" else 0)
    assert len(table) == 9


@pytest.mark.rule("TEAM-6")
@pytest.mark.parametrize(
    ("efficiency", "led", "counts"),
    [(60, True, True), (59, True, False), (100, False, False), (100, True, True)],
)
def test_a_profile_counts_from_sixty_efficiency_on_and_only_if_led(
    efficiency: int, led: bool, counts: bool  # noqa: FBT001
) -> None:  # fmt: skip
    assert profile_counts(efficiency, TeamOptions().profile_efficiency, led=led) is counts


@pytest.mark.rule("TEAM-6")
def test_led_is_a_team_with_a_fit_leader_and_one_fit_member_beside() -> None:
    assert well_led(1, 1)
    assert well_led(2, 3)
    assert not well_led(0, 5)
    assert not well_led(3, 0)


@pytest.mark.rule("TEAM-7")
@pytest.mark.parametrize(
    ("physical", "points"), [(4, 31), (0, 15), (-1, 11), (-3, 3), (-4, 0), (-20, 0)]
)
def test_what_a_member_carries_follows_from_physical_affinity(physical: int, points: int) -> None:
    assert capacity([physical], 0, **CARRIES) == points


@pytest.mark.rule("TEAM-7")
def test_capacity_sums_members_and_vehicles() -> None:
    assert capacity([-4, 0, 2], 2, **CARRIES) == 0 + 15 + 23 + 100
    assert capacity([], 1, **CARRIES) == 50
    options = TeamOptions()
    assert (options.capacity_base, options.capacity_per_physical) == (15, 4)
    assert options.vehicle_capacity == 50


@pytest.mark.rule("TEAM-8")
@pytest.mark.parametrize(
    ("weight", "points"), [(0, 1), (219, 1), (220, 2), (439, 2), (440, 3), (1000, 5)]
)
def test_a_unit_weighs_one_point_and_one_more_for_each_full_step(weight: int, points: int) -> None:
    assert unit_weight(weight, TeamOptions().weight_step) == points


@pytest.mark.rule("TEAM-8")
def test_a_ration_weighs_one_point_and_a_unit_of_cargo_fifty() -> None:
    assert (TeamOptions().ration_weight, TeamOptions().cargo_weight) == (1, 50)


@pytest.mark.rule("TEAM-9")
def test_experience_grows_by_one_a_mission_up_to_ten() -> None:
    most = TeamOptions().experience_most
    assert [experience_after(had, most) for had in (0, 1, 9, 10)] == [1, 2, 10, 10]
    assert TeamOptions().experience_value == 1


@pytest.mark.rule("TEAM-10")
@pytest.mark.parametrize(
    ("leaders", "members", "leaves"),
    [(1, 3, True), (1, 2, False), (0, 3, False), (0, 9, False), (2, 3, True), (3, 3, True)],
)
def test_a_team_leaves_with_a_leader_and_three_people_or_recruits(
    leaders: int, members: int, leaves: bool  # noqa: FBT001
) -> None:  # fmt: skip
    assert complete(leaders, members, TeamOptions().fewest_members) is leaves
