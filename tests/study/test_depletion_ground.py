"""The ground of a run: its curves are those of its tables, and nothing is counted twice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, get_args

import numpy as np
import pytest
from depletion_runs import made_run, pond_run, taking

from worldsim.runs import simulate
from worldsim.scenario import load
from worldsim.study.depletion.catches import catches, period_days, periods, rate, unbroken_periods
from worldsim.study.depletion.ensembles import (
    By,
    NothingToReadError,
    NotInTheGroundError,
    SameRunTwiceError,
    Scope,
    by_scenario,
)
from worldsim.study.depletion.ground import Ground
from worldsim.study.inputs import UnfitDataError
from worldsim.study.order import in_natural_order

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.runs import Run

ALL = Scope()


@pytest.fixture(scope="module", name="run")
def _run() -> Run:
    """Sixty days of the smallest shipped campaign; hunters, hunger and regrowth included."""
    return simulate(load("lone_colony"), seed=5, days=60)


@pytest.fixture(scope="module", name="ground")
def _ground(run: Run) -> Ground:
    return Ground(run, ALL)


COLUMNS = {"ingredient": "ingredient", "region": "region", "sector": "place", "pool": "pool"}


@pytest.mark.parametrize("by", get_args(By))
def test_curves_equal_the_stocks_table_read_cell_by_cell(run: Run, ground: Ground, by: By) -> None:
    where = "pool = 'sector'" if by == "sector" else "TRUE"
    cells: dict[tuple[str, str, str], dict[int, int]] = {}
    sql = f'SELECT {COLUMNS[by]}, place, ingredient, day, "left" FROM stocks WHERE {where}'  # noqa: S608
    for group, place, ingredient, day, left in run.query(sql).fetchall():
        cells.setdefault((group, place, ingredient), {})[day] = left
    expected: dict[str, list[int]] = {}
    for (group, *_), rows in cells.items():
        now, curve = 0, expected.setdefault(group, [0] * 61)
        for day in range(61):
            now = rows.get(day, now)
            curve[day] += now
    names, table = ground.curves(by)
    assert dict(zip(names, table.tolist(), strict=True)) == expected


def test_regions_pools_and_ingredients_each_add_up_to_all(ground: Ground) -> None:
    for by in ("ingredient", "region", "pool"):
        assert ground.curves(by)[1].sum(axis=0).tolist() == ground.total().tolist()
    sectors = ground.curves("sector")[1].sum(axis=0)
    pools = dict(zip(*ground.curves("pool"), strict=True))
    assert sectors.tolist() == pools["sector"].tolist()
    assert ground.fishery().stock.sum(axis=0).tolist() == ground.total().tolist()


def test_what_came_otherwise_is_what_the_log_says_grew_back_day_by_day(
    run: Run, ground: Ground
) -> None:
    grew: Counter[int] = Counter()
    for day, grown in run.events("reserve.regrown").project("day, grown").fetchall():
        grew[day] += grown.get("tuber", 0)
    assert sum(grew.values()) > 0
    fishery = ground.fishery("tuber")
    assert fishery.grown.sum(axis=0).tolist() == [grew[day] for day in range(1, 61)]
    assert not ground.fishery("ferrite").grown.any()


def test_every_unit_taken_is_a_catch_or_taken_without_effort(run: Run, ground: Ground) -> None:
    sql = "SELECT how IN ('gather', 'hunt'), sum(units) FROM takings GROUP BY 1"
    told = dict(run.query(sql).fetchall())
    fisheries = [ground.fishery(name) for name in ground.ingredients]
    assert sum(int(each.caught.sum()) for each in fisheries) == told[True]
    assert sum(int(each.uncounted.sum()) for each in fisheries) == told[False] > 0


def test_a_scope_is_the_same_as_looking_at_that_part_of_all(run: Run, ground: Ground) -> None:
    part = Ground(run, Scope(ingredient="ferrite", region="r1"))
    whole = ground.fishery("ferrite")
    there = whole.region == "r1"
    found = part.fishery("ferrite")
    for name in ("stock", "caught", "uncounted", "effort", "filled"):
        assert getattr(found, name).tolist() == getattr(whole, name)[there].tolist()
    assert part.ingredients == ("ferrite",)


def test_a_name_under_which_nothing_lies_is_refused_with_one_that_is_like_it(run: Run) -> None:
    with pytest.raises(NotInTheGroundError, match=r"ingredient 'ferite'; did you mean \"ferrite\""):
        Ground(run, Scope(ingredient="ferite"))
    with pytest.raises(NotInTheGroundError, match=r"region 'x'; there are r1, r2"):
        Ground(run, Scope(region="x"))


def _two_places() -> Run:
    """Ore in one sector, roe in both; a phase in each, and a hunt in the first."""
    stocks = [
        (0, "r1/s1", "r1", "sector", "ore", 50),
        (0, "r1/s1", "r1", "sector", "roe", 40),
        (0, "r1/s2", "r1", "sector", "roe", 30),
        (1, "r1/s1", "r1", "sector", "ore", 45),
        (1, "r1/s2", "r1", "sector", "roe", 28),
        (2, "r1/s1", "r1", "sector", "roe", 30),
    ]
    takings = [
        *taking(1, "gather", 5, 5),
        *taking(1, "gather", 2, 7, place="r1/s2", ingredient="roe", team="c/t_2"),
        *taking(2, "hunt", 10, 30, ingredient="roe", team="c/h"),
    ]
    return made_run(stocks, takings, days=3)


def test_effort_counts_where_an_ingredient_lies_and_hunts_for_wildlife_only() -> None:
    ground = Ground(_two_places(), ALL)
    ore, roe = ground.fishery("ore"), ground.fishery("roe")
    assert ore.effort.sum(axis=0).tolist() == [5, 0, 0]
    assert roe.effort.sum(axis=0).tolist() == [12, 30, 0]
    assert ground.fishery().effort.sum(axis=0).tolist() == [12, 30, 0]
    assert catches(ground, "sector")["r1/s1"].effort.tolist() == [5, 30, 0]
    only = Ground(_two_places(), Scope(ingredient="ore"))
    assert catches(only, "region")["r1"].effort.tolist() == [5, 0, 0]


def test_a_phase_is_filled_when_it_took_all_its_limit_allows() -> None:
    ground = Ground(_two_places(), ALL)
    assert ground.fishery("ore").filled.sum(axis=0).tolist() == [5, 0, 0]
    assert ground.fishery("roe").filled.sum(axis=0).tolist() == [5, 0, 0]


def test_rates_are_units_over_effort_of_all_runs_and_nothing_where_there_was_no_effort() -> None:
    both = [catches(Ground(_two_places(), ALL), "ingredient")["roe"]] * 2
    found = rate("roe", both, every=1, last_day=3)
    assert found.rate.tolist()[:2] == [2 / 12, 10 / 30]
    assert np.isnan(found.rate[2])
    assert found.caught.tolist() == [4, 20, 0]
    assert found.runs.tolist() == [2, 2, 0]
    with pytest.raises(UnfitDataError, match="every: 0 days"):
        rate("roe", both, every=0, last_day=3)


def test_periods_without_effort_are_left_out_and_catches_of_none_make_all_longer() -> None:
    fishery = Ground(pond_run(days=120), ALL).fishery("ore")
    short = periods(fishery, 2)
    assert not short.catch.all()
    assert short.effort.min() > 0
    whole = unbroken_periods(fishery, 2)
    assert whole is not None
    assert whole.every > 2
    assert whole.catch.all()
    assert whole.catch.sum() == short.catch.sum() == fishery.caught.sum()


@pytest.mark.parametrize(("days", "every"), [(1, 1), (26, 1), (60, 7), (365, 14), (3650, 140)])
def test_periods_are_whole_weeks_of_which_some_26_make_the_time(days: int, every: int) -> None:
    assert period_days(days) == every


def test_names_with_numbers_are_sorted_as_people_do() -> None:
    names = ["r10/s1", "r2/s10", "r2/s9", "ore", "²", "r2"]
    assert in_natural_order(names) == ["ore", "r2", "r2/s9", "r2/s10", "r10/s1", "²"]


def test_runs_of_one_scenario_are_put_together_and_a_copy_is_refused(tmp_path: Path) -> None:
    one, other = pond_run(seed=1, days=5), pond_run(seed=2, days=9)
    changed = simulate(load("lone_colony"), seed=1, days=5, out=tmp_path / "lone")
    first, second = by_scenario([one, changed, other])
    assert (first.name, first.count, first.last_day) == ("pond", 2, 9)
    assert (second.name, second.count) == ("lone", 1)
    assert [run.name for run in second.runs] == ["lone"]
    with pytest.raises(SameRunTwiceError, match="pond-1 and pond-1 are the same scenario"):
        by_scenario([one, pond_run(seed=1, days=6)])


def test_two_scenarios_of_one_name_are_told_apart() -> None:
    runs = [pond_run(*sets, seed=seed, days=3) for seed in (1, 2)
            for sets in ((), ("rules.gathering.one_success_cost=0",))]  # fmt: skip
    names = [each.name for each in by_scenario(runs)]
    assert all(name.startswith("pond ") for name in names)
    assert len(set(names)) == 2


def test_a_run_without_a_whole_day_is_refused() -> None:
    empty = made_run([(0, "r1", "r1", "transition", "ore", 1)], [], days=1)
    empty.manifest.day = 0
    with pytest.raises(NothingToReadError, match="pond-1 has no whole day"):
        by_scenario([empty])
