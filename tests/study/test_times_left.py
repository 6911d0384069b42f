"""Survival curves over runs that may end before it happens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.study.inputs import UnfitDataError
from worldsim.study.survival import (
    Curve,
    Times,
    quantile_day,
    restricted_mean,
    survival_curve,
    times_to,
)

# Freireich et al. (1963), Blood 21: weeks of remission of 21 children given 6-mercaptopurine.
RELAPSED = [6, 6, 6, 7, 10, 13, 16, 22, 23]
STILL_WELL = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]


def curve_of(ended: list[float], watched: list[float]) -> Curve:
    day = np.array([*ended, *watched], dtype=float)
    return survival_curve(Times(day, np.arange(day.size) < len(ended)))


REMISSION = curve_of([*map(float, RELAPSED)], [*map(float, STILL_WELL)])


def test_the_curve_of_the_remissions_is_the_published_one() -> None:
    """Collett (2015), Modelling Survival Data, and every textbook since Gehan (1965)."""
    published = {6: 0.857, 7: 0.807, 10: 0.753, 13: 0.690, 16: 0.627, 22: 0.538, 23: 0.448}
    at = dict(zip(REMISSION.day, REMISSION.share, strict=True))
    assert {week: round(at[week], 3) for week in published} == published
    risk = dict(zip(REMISSION.day, REMISSION.at_risk, strict=True))
    assert [risk[week] for week in published] == [21, 17, 15, 12, 11, 7, 6]


def test_the_median_remission_is_the_published_one_and_has_no_upper_bound() -> None:
    """23 weeks, 13 to no limit: as LIFETEST of SAS and survfit of R (log-log) print it."""
    found = quantile_day(REMISSION)
    assert (found.estimate, found.low, found.high) == (23, 13, None)
    assert found.note == "21 runs until day 35 are too few for an upper bound"


def test_the_restricted_mean_of_the_remissions_is_the_published_one() -> None:
    """23.29 weeks up to week 35, standard error 2.83 (print of survfit, R)."""
    found = restricted_mean(REMISSION, 35)
    assert found.estimate == pytest.approx(23.29, abs=0.005)
    assert found.half_width == pytest.approx(1.96 * 2.83, abs=0.01)


def test_what_is_not_reached_is_said_so_with_the_day() -> None:
    found = quantile_day(REMISSION, 0.75)
    assert (found.estimate, found.high) == (None, None)
    assert found.note == "not reached by day 35: it happened in 9 of 21 runs"
    never = curve_of([], [730.0, 730.0])
    assert quantile_day(never).estimate is None
    assert quantile_day(never).note == "not reached by day 730: it happened in 0 of 2 runs"
    assert restricted_mean(never, 730).note == "it happened in no run before day 730"


@given(st.lists(st.integers(1, 400), min_size=2, max_size=40))
def test_without_censoring_the_curve_is_the_share_of_runs_and_the_area_the_mean(
    days: list[int],
) -> None:
    curve = curve_of([float(day) for day in days], [])
    row = np.array(days, dtype=float)
    assert curve.n == row.size
    for day, share in zip(curve.day, curve.share, strict=True):
        assert share == pytest.approx(np.mean(row > day))
    found = restricted_mean(curve, 500)
    assert found.estimate == pytest.approx(row.mean())
    expected = 1.959963984540054 * row.std() / row.size**0.5
    assert found.half_width is not None
    assert found.high is not None
    assert found.high - row.mean() == pytest.approx(expected, abs=1e-6)


@given(
    st.lists(st.tuples(st.integers(1, 60), st.booleans()), min_size=1, max_size=30),
    st.sampled_from([0.25, 0.5, 0.9]),
)
def test_bounds_enclose_the_curve_and_its_quantiles(
    runs: list[tuple[int, bool]], share: float
) -> None:
    curve = survival_curve(
        Times(np.array([day for day, _ in runs], float), np.array([got for _, got in runs]))
    )
    known = ~np.isnan(curve.low)
    assert np.all(curve.low[known] <= curve.share[known] + 1e-12)
    assert np.all(curve.share[known] <= curve.high[known] + 1e-12)
    assert not np.any(np.diff(curve.share) > 0)
    found = quantile_day(curve, share)
    if found.estimate is not None:
        assert found.low is None or found.low <= found.estimate
        assert found.high is None or found.estimate <= found.high
    assert curve.happened.sum() == sum(got for _, got in runs)


def test_a_run_that_ends_on_the_day_it_happens_elsewhere_was_at_risk_on_that_day() -> None:
    curve = curve_of([5.0], [5.0])
    assert curve.share.tolist() == [0.5]
    assert curve.at_risk.tolist() == [2]


def test_times_are_first_days_at_or_below_and_else_the_last_day_read() -> None:
    stock = np.array([[8, 6, 4, 2, 0], [8, 8, 7, 7, 7], [4, 1, 3, 4, 4]])
    days = [0, 10, 20, 30, 40]
    half = times_to(0.5, days, stock)
    assert half.day.tolist() == [20, 40, 10]  # the third grew back later
    assert half.reached.tolist() == [True, False, True]
    spent = times_to(0, days, stock)
    assert (spent.day.tolist(), spent.reached.tolist()) == ([40, 40, 40], [True, False, False])
    more = times_to(0.5, days, stock, np.array([16.0, 16.0, 16.0]))
    assert more.day.tolist() == [0, 0, 0]


def test_what_does_not_fit_is_refused() -> None:
    stock = np.ones((2, 3))
    with pytest.raises(UnfitDataError, match=r"shape \(2, 3\); runs by 2 days"):
        times_to(0.5, [0, 1], stock)
    with pytest.raises(UnfitDataError, match="not ascending"):
        times_to(0.5, [0, 2, 1], stock)
    with pytest.raises(UnfitDataError, match="initial stock"):
        times_to(0.5, [0, 1, 2], np.zeros((2, 3)))
    with pytest.raises(UnfitDataError, match="at least 1"):
        survival_curve(Times(np.array([]), np.array([], bool)))
    with pytest.raises(UnfitDataError, match="reached"):
        survival_curve(Times(np.array([1.0]), np.array([True, False])))
    with pytest.raises(UnfitDataError, match="day 36; above 0 and no later than day 35"):
        restricted_mean(REMISSION, 36)
    with pytest.raises(UnfitDataError, match="share"):
        quantile_day(REMISSION, 1)
