"""Forecasts of a stock, against walks whose law is known."""

from __future__ import annotations

import numpy as np
import pytest

from worldsim.study.forecast import Forecast, forecast, share_held
from worldsim.study.inputs import NoEstimateError, UnfitDataError


def walks(runs: int, days: int, drift: float, spread: float, seed: int) -> list[np.ndarray]:
    """Stocks whose logarithm is a random walk with drift."""
    rng = np.random.Generator(np.random.Philox(seed))
    steps = rng.normal(drift, spread, (runs, days))
    return [1000 * np.exp(np.concatenate(([0.0], np.cumsum(row)))) for row in steps]


@pytest.mark.parametrize("blocks", [2, 4, 10])
def test_forecasts_hold_as_often_as_they_say_whatever_the_blocks(blocks: int) -> None:
    """Exact for this law: 2 000 runs, 90 % within 3.3 standard errors (2.2 points)."""
    days = [101, 150, 300]
    runs = walks(2000, 300, -0.003, 0.01, seed=1)
    told = [forecast(run[:101], days, confidence=0.9, blocks=blocks, may_rise=True) for run in runs]
    for share in share_held(told, [run[days] for run in runs]):
        assert share.estimate == pytest.approx(0.9, abs=0.022)
        assert share.n == 2000


def test_days_that_come_in_lumps_are_read_in_blocks() -> None:
    """A trip a week brings all: with blocks of a day the spread is that of noise, far too wide or
    narrow; with blocks of whole weeks nothing is left to chance."""
    shares = np.tile([0, 0, 0, 0, 0, 0, 0.07], 12)
    run = 1000 * np.exp(-np.concatenate(([0.0], np.cumsum(shares))))
    weekly = forecast(run[:57], [84], blocks=4)
    daily = forecast(run[:57], [84], blocks=56)
    assert weekly.middle[0] == pytest.approx(run[84])
    assert weekly.high[0] - weekly.low[0] < 1e-6
    assert daily.high[0] - daily.low[0] > 100


def test_a_steady_decline_goes_on() -> None:
    run = 500 * np.power(0.99, np.arange(41.0))
    found = forecast(run, [50, 140])
    assert found.middle == pytest.approx(500 * 0.99 ** np.array([50.0, 140]))
    assert found.daily_share == pytest.approx(0.01)
    assert found.from_day == 40


def test_bounds_widen_and_never_rise_above_what_is_left_unless_it_may_grow() -> None:
    run = walks(1, 40, -0.001, 0.02, seed=3)[0]
    run = np.minimum.accumulate(run)
    closed = forecast(run, [41, 60, 200])
    grows = forecast(run, [41, 60, 200], may_rise=True)
    assert np.all(closed.high <= run[-1])
    assert grows.high[-1] > run[-1]
    assert np.all(np.diff(np.log(grows.high / grows.low)) > 0)
    assert np.all(closed.low == grows.low)


def test_a_bound_beyond_all_numbers_is_no_error() -> None:
    found = forecast([1e-3, 1e3, 1e-3, 1e3, 1e3], [10_000_000], may_rise=True)
    assert (found.low[0], found.high[0]) == (0, np.inf)


def test_what_cannot_be_forecast_says_why() -> None:
    with pytest.raises(NoEstimateError, match="nothing was taken in the first 5 days"):
        forecast([10] * 6, [7])
    with pytest.raises(NoEstimateError, match="nothing is left on day 2"):
        forecast([10, 5, 0, 0, 0], [7])
    good = [10.0, 9, 8, 7, 6]
    for days, blocks, says in (
        ([4], 4, "days"),
        ([6, 5], 4, "days"),
        ([], 4, "days"),
        ([7], 1, "blocks"),
        ([7], 5, "blocks: 5; 2 to the 4 days known"),
    ):
        with pytest.raises(UnfitDataError, match=says):
            forecast(good, days, blocks=blocks)
    with pytest.raises(UnfitDataError, match="value 2 is -1"):
        forecast([1, -1, 1], [7])


def test_the_share_of_forecasts_that_held_is_counted_day_by_day() -> None:
    def told(low: float, high: float) -> Forecast:
        day, both = np.array([10.0, 20.0]), np.ones(2)
        return Forecast(day, both, low * both, high * both, 5, 0.01, 0.95)

    truths = [np.array([1.0, 5.0]), np.array([2.0, 9.0])]
    first, second = share_held([told(0, 6), told(3, 10)], truths)
    assert (first.estimate, second.estimate) == (0.5, 1)
    with pytest.raises(UnfitDataError, match="2 and 1"):
        share_held([told(0, 6), told(3, 10)], truths[:1])
    with pytest.raises(UnfitDataError, match="2 and 1 values"):
        share_held([told(0, 6)], [np.array([1.0])])
    with pytest.raises(UnfitDataError, match="0 and 0"):
        share_held([], [])
