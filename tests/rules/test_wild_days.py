"""What a day in the wild costs, as pure rules, and how long a team lasts on average."""

from __future__ import annotations

from functools import cache
from math import sqrt
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.chance import Chance
from worldsim.rules.dice import Dice, Pool, pool_of, success_law
from worldsim.rules.survival import (
    difficulty,
    hunger_damage,
    lost_fate,
    never_found,
    runners,
    situation_after,
    stranded,
    wounds,
)
from worldsim.scenario.options import SurvivalOptions

OPTIONS = SurvivalOptions()


@pytest.mark.rule("SURV-1")
@pytest.mark.parametrize(
    ("place", "weather", "met"),
    [(3, 0, 3), (3, 1, 4), (4, 2, 6), (2, -1, 2), (1, 0, 2), (8, 1, 9), (9, 3, 9), (8, 2, 9)],
)
def test_survival_is_as_hard_as_land_and_weather_between_two_and_nine(
    place: int, weather: int, met: int
) -> None:
    assert difficulty(place, weather, OPTIONS.easiest, OPTIONS.hardest) == met
    assert difficulty(place, weather) == met


@pytest.mark.rule("SURV-2")
@pytest.mark.parametrize(
    ("successes", "left"), [(0, 85), (1, 88), (2, 91), (4, 97), (5, 100), (6, 100), (9, 100)]
)
def test_situation_falls_by_fifteen_less_three_for_each_success_and_never_rises(
    successes: int, left: int
) -> None:
    assert situation_after(OPTIONS.situation, successes, OPTIONS.drain, OPTIONS.relief) == left
    assert situation_after(100, successes) == left


@pytest.mark.rule("SURV-2")
def test_situation_ends_at_zero() -> None:
    assert [situation_after(s, 0) for s in (16, 15, 14, 3, 0)] == [1, 0, 0, 0, 0]
    assert situation_after(3, 4) == 0


@pytest.mark.rule("SURV-2")
def test_a_team_is_stranded_below_twenty_and_lost_at_nothing() -> None:
    assert [s for s in range(101) if stranded(s, OPTIONS.stranded_below)] == list(range(1, 20))


@pytest.mark.rule("SURV-2", "DICE-3")
def test_the_stranded_test_rolls_one_d4_as_situation_is_below_a_d6() -> None:
    assert {pool_of(situation, extra_die=False) for situation in range(1, 20)} == {(0, 4)}


def mean_phases(pool: Pool, against: int) -> float:
    """Mean survival phases until Situation is 0, from the exact law of the pool."""
    law = success_law(pool, against)

    @cache
    def left(situation: int) -> float:
        if situation == 0:
            return 0.0
        return 1.0 + sum(
            float(chance) * left(situation_after(situation, k)) for k, chance in enumerate(law)
        )

    return left(OPTIONS.situation)


LASTS = [
    ((2, 0), 4, 8.9),
    ((3, 0), 4, 10.1),
    ((4, 0), 4, 11.7),
    ((4, 0), 3, 15.0),
    ((1, 0), 5, 7.7),
]


@pytest.mark.rule("SURV-2")
@pytest.mark.parametrize(("pool", "against", "phases"), LASTS)
def test_mean_phases_until_situation_is_gone_agree_with_the_rulebook(
    pool: Pool, against: int, phases: float
) -> None:
    assert mean_phases(pool, against) == pytest.approx(phases, rel=0.01)


@pytest.mark.rule("SURV-2")
@pytest.mark.parametrize(("pool", "against", "phases"), LASTS)
def test_simulated_teams_last_as_long_as_the_exact_law_says(
    pool: Pool, against: int, phases: float
) -> None:
    chance = Chance(5)
    lengths: list[int] = []
    for team in range(1500):
        dice = Dice(chance.at("duration", f"{pool}{against}{team}", 1))
        situation, count = 100, 0
        while situation:
            situation = situation_after(situation, dice.test("SURV-2", pool, against))
            count += 1
        lengths.append(count)
    error = stdev(lengths) / sqrt(len(lengths))
    assert abs(fmean(lengths) - mean_phases(pool, against)) < 4 * error
    assert abs(fmean(lengths) - phases) < 4 * error + 0.01 * phases


@pytest.mark.rule("SURV-3")
@given(st.integers(2, 60))
def test_at_most_half_of_the_fit_members_run_for_supplies(fit: int) -> None:
    assert runners(fit, OPTIONS.runners) == fit // 2


@pytest.mark.rule("SURV-3")
def test_a_single_fit_member_is_more_than_half_and_stays() -> None:
    assert runners(1, OPTIONS.runners) == 0


@pytest.mark.rule("SURV-3")
@pytest.mark.reading("rules.survival.runners=0")
def test_nobody_runs_where_the_share_is_nothing_or_nobody_is_fit() -> None:
    assert runners(0, 0.5) == 0
    assert runners(8, 0.0) == 0
    assert runners(8, 1.0) == 8


@pytest.mark.rule("SURV-3")
def test_hunger_harms_from_the_fourth_day_on() -> None:
    harm = [hunger_damage(day, OPTIONS.grace_days, OPTIONS.hunger_damage) for day in range(7)]
    assert harm == [0, 0, 0, 0, 10, 10, 10]
    assert [hunger_damage(day) for day in range(7)] == harm


@pytest.mark.rule("SURV-3")
def test_a_team_takes_four_days_of_food_and_eats_what_is_food() -> None:
    assert (OPTIONS.rations_days, OPTIONS.appetite) == (4, 1)
    assert set(OPTIONS.edible) == {"meat", "fish", "fruit", "vegetable"}


@pytest.mark.rule("SURV-4")
def test_colonies_eat_nothing_by_default() -> None:
    assert OPTIONS.upkeep is False


@pytest.mark.rule("SURV-5")
def test_of_twenty_faces_one_loses_a_person_and_four_hurt() -> None:
    assert OPTIONS.lost_die == 20
    fates = [lost_fate(face, OPTIONS.vanishes_to, OPTIONS.hurt_to) for face in range(1, 21)]
    assert fates == ["vanished"] + ["hurt"] * 4 + ["unharmed"] * 15
    assert [lost_fate(face) for face in range(1, 21)] == fates
    assert OPTIONS.lost_damage == 20


@pytest.mark.rule("SURV-5")
def test_a_lost_team_is_given_up_after_ten_days() -> None:
    assert [never_found(days, OPTIONS.lost_days) for days in (1, 9, 10, 11)] == [
        False, False, True, True,
    ]  # fmt: skip


@pytest.mark.rule("SURV-6")
def test_each_missing_defense_success_is_a_wound() -> None:
    assert [wounds(3, defended) for defended in range(6)] == [3, 2, 1, 0, 0, 0]
    assert OPTIONS.ambush_difficulty == 1
