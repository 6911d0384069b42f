"""Everything the lab tells of an ensemble, against the same figures worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from depletion_runs import made_run, pond_run, taking
from hypothesis import given
from hypothesis import strategies as st

from worldsim.study.depletion.curves import band, days_read, decline, halving, quantiles, times_left
from worldsim.study.depletion.ensembles import (
    EmptyGroundError,
    Ensemble,
    NotInTheGroundError,
    Scope,
    by_scenario,
)
from worldsim.study.depletion.forecasts import days_foretold, foretell, outlooks
from worldsim.study.depletion.ground import Ground
from worldsim.study.depletion.report import examine
from worldsim.study.forecast import forecast
from worldsim.study.inputs import UnfitDataError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.runs import Run
    from worldsim.study.depletion.report import Report

SEEDS = range(1, 7)


@pytest.fixture(scope="module", name="runs")
def _runs() -> list[Run]:
    """Six campaigns at a pond; the last ends earlier than the others."""
    return [pond_run(seed=seed, days=150 if seed < 6 else 100) for seed in SEEDS]


@pytest.fixture(scope="module", name="report")
def _report(runs: list[Run]) -> Report:
    [ensemble] = by_scenario(runs)
    return examine(ensemble)


@given(st.lists(st.lists(st.floats(-1e6, 1e6) | st.just(np.nan), min_size=3, max_size=3),
                min_size=1, max_size=8))  # fmt: skip
def test_quantiles_are_those_of_numpy_where_runs_have_ended(rows: list[list[float]]) -> None:
    table = np.array(rows)
    found = quantiles(table, (0.05, 0.5, 1.0))
    for column in range(3):
        values = table[np.isfinite(table[:, column]), column]
        if values.size:
            expected = np.quantile(values, (0.05, 0.5, 1.0))
            assert found[:, column] == pytest.approx(expected, rel=1e-9, abs=1e-9)
        else:
            assert np.isnan(found[:, column]).all()


def test_bands_are_quantiles_of_the_stocks_and_say_of_how_many_runs(
    runs: list[Run], report: Report
) -> None:
    curves = [Ground(run, Scope()).fishery("ore").stock.sum(axis=0) for run in runs]
    [ore] = [each for each in report.bands if each.name == "ore"]
    assert ore.runs.tolist() == [6 if day <= 100 else 5 for day in ore.day]
    for at in (0, 40, 100, 101, 150):
        units = [int(curve[at]) for curve in curves if at < curve.size]
        n = ore.day.tolist().index(at)
        assert (ore.low[n], ore.middle[n], ore.high[n]) == pytest.approx(
            np.quantile(units, (0.05, 0.5, 0.95))
        )
        assert ore.share_middle[n] == pytest.approx(np.median(units) / 1000)


def test_long_curves_are_kept_at_two_hundred_days_with_both_ends() -> None:
    assert days_read(3).tolist() == [0, 1, 2, 3]
    long = days_read(3650)
    assert (long.size, long[0], long[-1]) == (201, 0, 3650)
    assert np.all(np.diff(long) > 0)


def test_days_until_shares_are_left_are_the_first_ones_and_runs_that_ended_are_censored() -> None:
    at = days_read(9)
    falls = decline(np.array([100, 80, 75, 60, 50, 52, 30, 20, 10, 0]), at)
    slow = decline(np.array([100, 99, 98, 70, 60]), at)
    assert falls.until == (2, 4, 7, 8, 9)
    assert slow.until == (3, None, None, None, None)
    three_quarters, half, *_ = times_left("ore", [falls, slow])
    assert (three_quarters.runs, three_quarters.reached) == (2, 2)
    assert (half.runs, half.reached) == (2, 1)
    assert half.curve is not None
    # The slow run was watched to day 4 only: with Kaplan and Meier it is at risk until then.
    assert dict(zip(half.curve.day.tolist(), half.curve.at_risk.tolist(), strict=True)) == {4: 2}
    [alone, *_] = times_left("ore", [falls])
    assert (alone.median.estimate, alone.median.low, alone.curve) == (2, None, None)


def test_a_stock_that_falls_by_a_hundredth_a_day_halves_in_sixty_nine() -> None:
    falls = decline(np.round(1e9 * 0.99 ** np.arange(200.0)).astype(np.int64), days_read(199))
    found = halving("ore", [falls, decline(np.array([5, 5, 5, 5]), days_read(199))])
    assert (found.falling, found.runs) == (1, 2)
    assert found.days is not None
    assert found.days.estimate == pytest.approx(np.log(2) / -np.log(0.99), rel=1e-4)


def test_a_band_of_one_run_is_the_run() -> None:
    at = days_read(3)
    one = band("ore", [decline(np.array([8, 6, 6, 2]), at)], at)
    assert one.low.tolist() == one.middle.tolist() == one.high.tolist() == [8, 6, 6, 2]


def test_forecasts_are_those_of_the_first_days_and_their_coverage_is_counted(
    runs: list[Run], report: Report
) -> None:
    days = days_foretold(75, 150)
    assert days == [94, 113, 132, 150]
    for name in ("ore", "roe"):
        held, tried = dict.fromkeys(days, 0), dict.fromkeys(days, 0)
        for run in runs:
            stock = Ground(run, Scope()).fishery(name).stock.sum(axis=0).astype(float)
            told = forecast(stock[:76], days, may_rise=name == "roe")
            for n, day in enumerate(days):
                if day < stock.size:
                    tried[day] += 1
                    held[day] += bool(told.low[n] <= stock[day] <= told.high[n])
        for outlook in (each for each in report.outlooks if each.name == name):
            assert outlook.held is not None
            assert outlook.held.n == tried[outlook.day]
            assert outlook.held.estimate == held[outlook.day] / tried[outlook.day]


def test_what_has_not_come_is_foretold_without_a_verdict() -> None:
    left = (1000 * 0.99 ** np.arange(41.0)).astype(np.int64)
    days = days_foretold(40, 40)
    assert days == [50, 60, 70, 80]
    [first, *_] = outlooks("ore", [foretell(left, 40, days, may_rise=False)], 40, days)
    assert (first.truth, first.held, first.runs) == (None, None, 1)
    assert first.middle == pytest.approx(1000 * 0.99**50, rel=0.02)
    [short, *_] = outlooks("ore", [foretell(left, 60, [70], may_rise=False)], 60, [70])
    assert (short.runs, short.middle, short.why) == (0, None, ("the run ends before day 60",))


def test_accounts_takers_and_catches_of_a_report_agree_with_each_other(report: Report) -> None:
    taken = sum(each.taken for each in report.accounts.values())
    for told in report.takers.values():
        assert sum(each.units for each in told) == taken
    by_how = {each.name: each.units for each in report.takers["how"]}
    caught = sum(float(each.caught.sum()) for each in report.rates)
    assert caught == by_how["gather"] + by_how["hunt"]
    assert report.total.middle[0] == 1600
    assert report.seeds == tuple(SEEDS)


def test_the_sustainable_yield_is_that_of_the_rule_place_by_place(report: Report) -> None:
    [roe] = report.yields
    assert roe.name == "roe"
    assert roe.most.estimate == pytest.approx(0.01 * 600 / 4)
    assert roe.best.estimate == 300
    assert (roe.most_now.estimate or 9) <= 1.5
    assert roe.runs == 6


def test_nothing_grows_where_nothing_is_left() -> None:
    places = [("r1", "transition", 200, 0), ("r1/s1", "sector", 100, 50)]
    stocks = [(0, place, "r1", pool, "roe", first) for place, pool, first, _ in places]
    stocks += [(1, place, "r1", pool, "roe", last) for place, pool, _, last in places]
    rows = [
        row
        for place, _, first, last in places
        for row in taking(1, "supply", first - last, 0, place=place, ingredient="roe")
    ]
    [ensemble] = by_scenario([made_run(stocks, rows, days=1)])
    [roe] = examine(ensemble).yields
    assert (roe.most.estimate, roe.most_now.estimate) == (0.75, 0.25)
    assert roe.now.estimate == pytest.approx(0.01 * 50 * 0.5)
    assert (roe.taken.estimate, roe.too_much) == (250, 1)


def test_a_report_by_region_of_one_ingredient_tries_each_region(runs: list[Run]) -> None:
    [ensemble] = by_scenario(runs[:2])
    report = examine(ensemble, scope=Scope(ingredient="ore"), by="sector")
    assert {each.ingredient for each in report.verdicts} == {"ore"}
    assert [each.name for each in report.bands] == ["r1/s1", "r1/s2"]
    assert list(report.accounts) == ["ore"]


@pytest.mark.parametrize("days", [3, 151])
def test_days_that_are_too_few_or_have_not_come_are_refused(runs: list[Run], days: int) -> None:
    [ensemble] = by_scenario(runs[:1])
    with pytest.raises(UnfitDataError, match=f"from: {days}; 4 to 150 are wanted"):
        examine(ensemble, from_days=days)


def test_a_run_of_a_day_is_told_without_forecast() -> None:
    [ensemble] = by_scenario([pond_run(days=1)])
    report = examine(ensemble)
    assert report.outlooks == ()
    assert report.last_day == 1


def test_an_empty_ground_and_a_wrong_name_are_refused(runs: list[Run]) -> None:
    empty = made_run([], [], days=4)
    with pytest.raises(EmptyGroundError, match="nothing ever lay in the ground of pond-1"):
        examine(by_scenario([empty])[0])
    with pytest.raises(NotInTheGroundError):
        examine(by_scenario(runs[:1])[0], scope=Scope(region="nowhere"))


def test_runs_are_gone_through_once_and_let_go(runs: list[Run]) -> None:
    asked: list[str] = []

    def one_by_one() -> Iterator[Run]:
        for run in runs:
            asked.append(run.name)
            yield run

    report = examine(Ensemble("pond", one_by_one(), 6, 150))
    assert asked == [run.name for run in runs]
    assert len(report.seeds) == 6
