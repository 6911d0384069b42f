"""Who fights whom for a sector, when, and what comes after."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.chance import Chance
from worldsim.rules.contest import (
    ambushes,
    arrival_order,
    assaults,
    cargo_lost,
    controller_after,
    drains_situation,
    may_leave,
    may_progress,
    meeting,
    next_duel,
    recovers,
    round_ends_at,
    tries_recovery,
)
from worldsim.rules.dice import Dice

PEACE = [[False] * 3] * 3


def at_war(*pairs: tuple[int, int], teams: int = 4) -> list[list[bool]]:
    return [[(a, b) in pairs or (b, a) in pairs for b in range(teams)] for a in range(teams)]


@pytest.mark.rule("BAT-4")
def test_scouts_lie_in_ambush_where_nobody_was_in_control() -> None:
    assert ambushes(scouting=True, controller=None)
    assert not ambushes(scouting=True, controller="red")
    assert not ambushes(scouting=False, controller=None)


@pytest.mark.rule("BAT-6", "DAY-2")
def test_an_assault_is_led_against_the_team_that_sat_there_last_week() -> None:
    assert assaults(striking=True, target="red/a", sitting="red/a")
    assert not assaults(striking=True, target="red/b", sitting="red/a")
    assert not assaults(striking=True, target="red/a", sitting=None)
    assert not assaults(striking=False, target="red/a", sitting="red/a")


@pytest.mark.rule("BAT-12", "DAY-3")
def test_the_later_to_arrive_attacks_and_in_one_minute_the_later_in_the_days_order() -> None:
    assert arrival_order([(700, 0), (10, 2), (700, 1)]) == [1, 0, 2]
    assert arrival_order([(10, 2), (10, 1), (10, 0)]) == [2, 1, 0]


@pytest.mark.rule("BAT-13")
def test_the_installed_team_fights_its_enemies_one_after_another() -> None:
    order, hostile = [2, 0, 1], at_war((0, 1), (0, 2), (1, 2))
    assert next_duel(order, hostile) == (0, 2)
    assert next_duel([2, 1], hostile) == (1, 2), "the installed team has won"
    assert next_duel([0, 1], hostile) == (1, 0), "it has lost"
    assert next_duel([1], hostile) is None


@pytest.mark.rule("BAT-13", "BAT-18")
def test_teams_at_peace_with_the_installed_one_may_still_fight_each_other() -> None:
    assert next_duel([2, 0, 1], at_war((0, 1))) == (1, 0)
    assert next_duel([0, 1, 2], PEACE) is None


@pytest.mark.rule("BAT-14", "RES-6")
def test_losers_leave_half_of_their_cargo() -> None:
    assert cargo_lost([10, 4]) == [5, 2]
    assert cargo_lost([1, 1, 1]) == [0, 1, 0]
    assert cargo_lost([3, 0, 5], 1.0) == [3, 0, 5]
    assert cargo_lost([3, 0, 5], 0.0) == [0, 0, 0]
    assert sum(cargo_lost([50, 50], 0.29)) == 29
    assert cargo_lost([]) == []


@pytest.mark.rule("BAT-14", "RES-6")
@given(st.lists(st.integers(0, 500), max_size=9), st.sampled_from([0.1, 0.25, 0.5, 0.7, 1.0]))
def test_no_unit_is_made_by_rounding_a_share_of_cargo(units: list[int], share: float) -> None:
    lost = cargo_lost(units, share)
    assert all(0 <= gone <= had for gone, had in zip(lost, units, strict=True))
    assert abs(sum(lost) - share * sum(units)) < 1
    assert all(abs(gone - share * had) < 1 + 1e-6 for gone, had in zip(lost, units, strict=True))


@pytest.mark.rule("BAT-14")
def test_the_fallen_try_on_the_day_they_are_home_and_then_weekly() -> None:
    assert [day for day in range(30) if tries_recovery(day)] == [0, 7, 14, 21, 28]
    assert [day for day in range(9) if tries_recovery(day, 3)] == [0, 3, 6]


@pytest.mark.rule("BAT-14")
def test_one_in_six_of_the_fallen_gets_up() -> None:
    dice = Dice(Chance(2).at("recovery", "x", 1))
    tries = 6000
    share = sum(recovers(dice) for _ in range(tries)) / tries
    assert abs(share - 1 / 6) < 4 * sqrt(5 / 36 / tries)
    assert recovers(Dice(iter([0.51])), 4)
    assert not recovers(Dice(iter([0.49])), 4)


@pytest.mark.rule("BAT-14")
def test_a_team_leaves_its_fallen_behind_while_it_has_a_leader_and_two_more() -> None:
    assert may_leave(1, 2)
    assert not may_leave(0, 5)
    assert not may_leave(2, 1)


@pytest.mark.rule("BAT-15")
def test_a_round_takes_ten_minutes_and_none_is_cut_by_midnight() -> None:
    assert round_ends_at(500) == 510
    assert round_ends_at(500, 25) == 525
    assert round_ends_at(1429) == 1439
    assert round_ends_at(1430) == 1450, "it would end at midnight: it begins then"
    assert round_ends_at(1439) == 1450
    assert round_ends_at(1440) == 1450, "dawn"
    assert round_ends_at(2 * 1440 - 3) == 2 * 1440 + 10


@pytest.mark.rule("BAT-15")
@given(st.integers(0, 10_000), st.integers(1, 60))
def test_no_round_lies_across_midnight(now: int, long: int) -> None:
    end = round_ends_at(now, long)
    assert end >= now + long
    assert (end - long) // 1440 == end // 1440
    assert end - long == now or (end - long) % 1440 == 0


@pytest.mark.rule("BAT-15")
def test_a_team_that_fought_goes_no_further_that_day() -> None:
    assert [may_progress(day, 5) for day in (4, 5, 6)] == [True, False, True]
    assert may_progress(1, None)


@pytest.mark.rule("BAT-17")
def test_a_sector_belongs_to_who_ends_the_day_there_unopposed() -> None:
    assert controller_after(None, ["red"], PEACE) == "red"
    assert controller_after("blue", ["red"], PEACE) == "red"
    assert controller_after("blue", [], PEACE) == "blue", "until another takes it"
    assert controller_after("blue", ["red", "green"], at_war((0, 1))) == "blue"
    assert controller_after(None, ["red", "green"], at_war((0, 1))) is None


@pytest.mark.rule("BAT-17", "BAT-18")
def test_of_several_at_peace_who_was_in_control_stays_and_else_the_first_takes_it() -> None:
    assert controller_after("green", ["red", "green"], PEACE) == "green"
    assert controller_after("blue", ["red", "green"], PEACE) == "red"


@pytest.mark.rule("BAT-17")
def test_situation_holds_on_patrol_in_a_sector_of_ones_own() -> None:
    assert not drains_situation(patrolling=True, controls=True)
    assert drains_situation(patrolling=True, controls=False)
    assert drains_situation(patrolling=False, controls=True)


ALL_OF_TWO, ONE_OF_TWO, NONE_OF_TWO = 0.99, 0.5, 0.0


@pytest.mark.rule("BAT-18")
def test_war_fights_and_peace_shares_without_a_roll() -> None:
    nothing = Dice(iter(()))
    assert meeting(nothing, "war", (2, 0), (2, 0)) == "fight"
    assert meeting(nothing, "peace", (2, 0), (2, 0)) == "share"
    with pytest.raises(ValueError, match="'love' is no relation"):
        meeting(nothing, "love", (2, 0), (2, 0))


@pytest.mark.rule("BAT-18")
@pytest.mark.parametrize(
    ("hidden", "seen", "end"),
    [
        (ALL_OF_TWO, ONE_OF_TWO, "slip_away"),
        (ONE_OF_TWO, NONE_OF_TWO, "slip_away"),
        (ONE_OF_TWO, ONE_OF_TWO, "fight"),
        (NONE_OF_TWO, NONE_OF_TWO, "fight"),
        (NONE_OF_TWO, ONE_OF_TWO, "fight"),
    ],
)
def test_who_avoids_slips_away_with_more_successes_and_is_seen_at_a_tie(
    hidden: float, seen: float, end: str
) -> None:
    assert meeting(Dice(iter((hidden, seen))), "avoid", (2, 0), (2, 0)) == end


@pytest.mark.rule("BAT-18")
def test_both_sides_of_a_meeting_roll_at_four() -> None:
    just_missed, just_made = 0.4999, 0.5001
    assert meeting(Dice(iter((just_made, just_missed))), "avoid", (1, 0), (1, 0)) == "slip_away"
    assert meeting(Dice(iter((just_missed, just_missed))), "avoid", (1, 0), (1, 0)) == "fight"
    assert meeting(Dice(iter((0.66, 0.5))), "avoid", (1, 0), (1, 0), 5) == "fight"
