"""Catch per effort, half-life, and what a growing stock bears, against the product's own rule."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.rules.abundance import regrown
from worldsim.study.inputs import NoEstimateError, UnfitDataError
from worldsim.study.sustainable import (
    catch_per_effort,
    growth,
    half_life,
    level_stocks,
    most_sustainable,
    recovery_days,
    surplus,
)


def lived(stock: int, initial: int, rate: float, takes: list[int]) -> list[int]:
    """A place over days: it grows at dawn by the rule of RES-5, then units are taken."""
    carried, stocks = 0.0, [stock]
    for take in takes:
        units, carried = regrown(stock, initial, rate, carried)
        stock = max(0, stock + units - take)
        stocks.append(stock)
    return stocks


@given(st.integers(400, 5000), st.floats(0.01, 1), st.floats(0.2, 0.95))
def test_a_place_under_a_constant_take_comes_to_the_upper_level_and_stays(
    initial: int, rate: float, part: float
) -> None:
    take = int(part * most_sustainable(initial, rate).daily)
    if take == 0:
        return
    levels = level_stocks(take, initial, rate)
    assert levels is not None
    low, high = levels
    ended = lived(initial, initial, rate, [take] * int(60 / rate))[-1]
    # whole units: growth is off by less than one a day, which moves the level so far at most
    slope = rate * (2 * high / initial - 1)
    assert ended == pytest.approx(high, abs=2 + 2 / slope)
    assert growth(high, initial, rate) == pytest.approx(take)
    assert growth(low, initial, rate) == pytest.approx(take)


@given(st.integers(400, 5000), st.floats(0.05, 1))
def test_a_place_from_which_more_is_taken_than_ever_grows_is_used_up(
    initial: int, rate: float
) -> None:
    take = int(most_sustainable(initial, rate).daily) + 2
    assert level_stocks(take, initial, rate) is None
    assert lived(initial, initial, rate, [take] * initial)[-1] == 0


def test_the_most_a_place_yields_lies_at_half_of_what_it_holds() -> None:
    found = most_sustainable(1000, 0.04)
    assert (found.daily, found.at_stock) == (10, 500)
    assert level_stocks(10, 1000, 0.04) == (500, 500)
    stocks = np.linspace(0, 1000, 1001)
    assert max(growth(float(each), 1000, 0.04) for each in stocks) == pytest.approx(10)
    assert most_sustainable(1000, 0).daily == 0


def test_below_the_lower_level_a_place_is_used_up_and_above_it_recovers() -> None:
    levels = level_stocks(6, 1000, 0.04)
    assert levels is not None
    low, high = levels
    assert lived(int(low) - 5, 1000, 0.04, [6] * 1000)[-1] == 0
    assert lived(int(low) + 5, 1000, 0.04, [6] * 1000)[-1] == pytest.approx(high, abs=5)


def test_recovery_takes_as_long_as_the_rule_takes() -> None:
    """At 2 % a day, growing by days instead of at every moment is slower by about a hundredth."""
    stocks = lived(100, 10_000, 0.02, [0] * 600)
    day = next(i for i, each in enumerate(stocks) if each >= 5000)
    assert recovery_days(100, 5000, 10_000, 0.02) == pytest.approx(day, rel=0.02)
    assert recovery_days(100, 100, 10_000, 0.02) == 0


def test_surplus_is_what_the_rule_grew() -> None:
    takes = [30, 0, 25, 10, 0, 0, 60]
    stocks = lived(600, 1000, 0.1, takes)
    grown = surplus(stocks, takes)
    assert grown.sum() == stocks[-1] - stocks[0] + sum(takes)
    assert np.all(grown >= 0)
    expected = [growth(each, 1000, 0.1) for each in stocks[:-1]]
    assert np.cumsum(grown) == pytest.approx(np.cumsum(expected), abs=1)


@given(st.floats(0.001, 0.2), st.floats(1, 1e6))
def test_a_stock_that_halves_exponentially_has_that_half_life(rate: float, first: float) -> None:
    days = np.arange(0.0, 1 + int(2 / rate))
    found = half_life(days, first * np.exp(-rate * days))
    assert found.fitted_days == pytest.approx(log(2) / rate)
    assert found.daily_share == pytest.approx(1 - exp(-rate))
    assert found.r_squared == pytest.approx(1)
    assert found.day is not None
    assert log(2) / rate <= found.day + 1e-9 < log(2) / rate + 1


def test_a_stock_that_is_not_halved_says_until_when() -> None:
    found = half_life([0, 10, 20], [100, 90, 81])
    assert (found.day, found.until) == (None, 20)
    assert found.fitted_days == pytest.approx(10 * log(2) / log(1 / 0.9))
    level = half_life([0, 10, 20], [100, 100, 100])
    assert (level.day, level.fitted_days, level.daily_share) == (None, None, 0)
    assert half_life([0, 1, 2], [100, 110, 121]).fitted_days is None
    assert half_life([0, 1, 2, 3], [100, 50, 25, 0]).fitted_days == pytest.approx(1)
    with pytest.raises(NoEstimateError, match="left on 2 days"):
        half_life([0, 1, 2], [100, 50, 0])


def test_catch_per_effort_sums_before_it_divides_and_knows_no_rate_without_effort() -> None:
    found = catch_per_effort([4, 0, 6, 1, 9], [2, 0, 2, 3, 0])
    assert found[:1] == pytest.approx([2])
    assert np.isnan(found[[1, 4]]).all()
    assert catch_per_effort([4, 0, 6, 1, 9], [2, 0, 2, 3, 3], every=2).tolist() == [2, 1.4, 3]


def test_figures_outside_their_ranges_are_refused() -> None:
    for call in (
        lambda: growth(11, 10, 0.1),
        lambda: growth(5, 0, 0.1),
        lambda: most_sustainable(10, 1.1),
        lambda: level_stocks(0, 10, 0.1),
        lambda: recovery_days(5, 10, 10, 0.1),
        lambda: recovery_days(0, 5, 10, 0.1),
        lambda: surplus([1, 2], [1, 2]),
        lambda: half_life([0, 2, 1], [3, 2, 1]),
        lambda: catch_per_effort([1, -2], [1, 1]),
        lambda: catch_per_effort([1], [1], every=0),
    ):
        with pytest.raises(UnfitDataError):
            call()
