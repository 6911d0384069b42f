"""How far a day takes a team, as pure rules, and how many days a way takes on average."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev

import icepool  # type: ignore[import-untyped]  # it ships annotations but no py.typed
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.chance import Chance
from worldsim.processes.befalls import EventTable
from worldsim.rules.dice import Dice, score_law, with_bonus
from worldsim.rules.travel import arrival_minute, leg_at, progress, region_stretches, scaled
from worldsim.scenario.model import Change, Entry
from worldsim.scenario.options import TravelOptions

OPTIONS = TravelOptions()
OUT = [(1, 4.476), (2, 2.489), (3, 1.828), (4, 1.466)]
BACK = [(1, 2.489), (2, 1.828), (3, 1.466), (4, 1.221)]
lengths = st.lists(st.integers(1, 12), min_size=2, max_size=9)


@pytest.mark.rule("MOVE-1")
def test_a_score_is_divided_by_the_activities_and_fractions_are_kept() -> None:
    assert [progress(7, activities) for activities in (1, 2, 4)] == [7, 3.5, 1.75]
    assert progress(10, 3) == pytest.approx(10 / 3)


def mean_days(d6: int) -> Fraction:
    """Mean days on a way of 4d6 with so many d6 of Speed, by icepool and the law of the score."""
    law = score_law((d6, 0))

    @cache
    def days(left: int) -> Fraction:
        if left <= 0:
            return Fraction(0)
        return 1 + sum(
            (chance * days(left - int(progress(score, 1))) for score, chance in law.items()),
            Fraction(0),
        )

    way = 4 @ icepool.d6
    return sum(
        (Fraction(ways, way.denominator()) * days(int(length)) for length, ways in way.items()),
        Fraction(0),
    )


@pytest.mark.rule("MOVE-1", "MOVE-2", "MAP-2")
@pytest.mark.parametrize(("speed", "days"), OUT)
def test_mean_days_out_on_four_dice_agree_with_the_rulebook(speed: int, days: float) -> None:
    assert float(mean_days(speed)) == pytest.approx(days, abs=6e-4)


@pytest.mark.rule("MOVE-3")
@pytest.mark.parametrize(("speed", "days"), BACK)
def test_the_way_back_has_one_die_more_and_takes_fewer_days(speed: int, days: float) -> None:
    d6, extra = with_bonus((speed, 0), OPTIONS.home_dice)
    assert (d6, extra) == (speed + 1, 0)
    assert float(mean_days(d6)) == pytest.approx(days, abs=6e-4)


@pytest.mark.rule("MOVE-1", "MOVE-2")
@pytest.mark.parametrize(("speed", "days"), OUT)
def test_simulated_ways_take_as_many_days_as_the_exact_law_says(speed: int, days: float) -> None:
    chance = Chance(3)
    taken: list[int] = []
    for team in range(2000):
        dice = Dice(chance.at("journey", f"{speed}/{team}", 1))
        left: float = dice.total("MAP-2", (4, 0))
        count = 0
        while left > 0:
            left -= progress(dice.total("MOVE-1", (speed, 0)), 1)
            count += 1
        taken.append(count)
    error = stdev(taken) / sqrt(len(taken))
    assert abs(fmean(taken) - float(mean_days(speed))) < 4 * error
    assert abs(fmean(taken) - days) < 4 * error + 0.01 * days


@pytest.mark.rule("MOVE-2")
def test_by_default_the_objective_waits_for_the_next_day() -> None:
    assert OPTIONS.carry_surplus is False


@pytest.mark.rule("MOVE-2")
@given(remaining=st.floats(0, 40), surplus=st.floats(0, 40), march=st.integers(1, 1440))
def test_a_team_arrives_within_the_day_of_its_move(
    remaining: float, surplus: float, march: int
) -> None:
    assert 1 <= arrival_minute(remaining, remaining + surplus, march) <= 1439


@pytest.mark.rule("MOVE-2")
def test_the_minute_of_arrival_is_the_share_of_the_move_that_was_needed() -> None:
    assert arrival_minute(5, 10, 1440) == 720
    assert arrival_minute(5, 10, 600) == 300
    assert arrival_minute(10, 10, 1440) == 1439
    assert arrival_minute(0, 10, 1440) == arrival_minute(0, 0, 1440) == 1
    assert arrival_minute(1, 7, 1440) == 206  # 205.7: the minute in which it gets there


@pytest.mark.rule("MOVE-4")
def test_entries_of_a_travel_table_come_by_their_weights() -> None:
    slower = (Change(effect="progress", amount=-2),)
    table = EventTable("terrain", [Entry(id="path", weight=6),
                                   Entry(id="bog", weight=2, effects=slower),
                                   Entry(id="pass", weight=2, effects=slower)])  # fmt: skip
    drawn = [table.draw(Dice(iter([(i + 0.5) / 100]))) for i in range(100)]
    names = Counter(entry and entry.id for entry in drawn)
    assert names == {None: 60, "bog": 20, "pass": 20}, "what has no effect is nothing"
    last = table.draw(Dice(iter([1 - 2**-53])))
    assert last is not None
    assert last.id == "pass"


@pytest.mark.rule("MOVE-5")
def test_half_of_a_stretch_between_regions_lies_in_either() -> None:
    assert region_stretches([3, 4]) == [7]
    assert region_stretches([3, 4, 5]) == [5, 12]
    assert region_stretches([3, 4, 2, 5]) == [5, 8, 14]


@pytest.mark.rule("MOVE-5")
@given(lengths)
def test_stretches_ascend_and_end_where_the_way_ends(edges: list[int]) -> None:
    ends = region_stretches(edges)
    assert len(ends) == len(edges) - 1
    assert all(a < b for a, b in pairwise(ends))
    assert ends[-1] == pytest.approx(sum(edges))


@pytest.mark.rule("MOVE-5")
@given(lengths)
def test_the_way_back_crosses_the_regions_at_the_same_points(edges: list[int]) -> None:
    whole = sum(edges)
    there = region_stretches(edges)[:-1]
    back = region_stretches(edges[::-1])[:-1]
    assert sorted(whole - end for end in back) == pytest.approx(there)


@pytest.mark.rule("MOVE-5")
@pytest.mark.parametrize(
    ("travelled", "leg"), [(0, 0), (4.9, 0), (5, 1), (7.9, 1), (8, 2), (13, 2), (14, 2), (99, 2)]
)
def test_a_team_stands_in_the_stretch_it_has_reached(travelled: float, leg: int) -> None:
    assert leg_at(travelled, [5, 8, 14]) == leg


@pytest.mark.rule("MAP-2")
@pytest.mark.reading("planet.distance=per_mission")
@given(edges=lengths, distance=st.integers(4, 24))
def test_a_rolled_distance_is_shared_out_over_the_way_in_proportion(
    edges: list[int], distance: int
) -> None:
    stretched = scaled(edges, distance)
    assert sum(stretched) == pytest.approx(distance)
    for was, now in zip(edges, stretched, strict=True):
        assert now / distance == pytest.approx(was / sum(edges))
