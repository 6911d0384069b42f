"""Intervals of means, quantiles and shares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from worldsim.study.inputs import UnfitDataError
from worldsim.study.intervals import (
    bootstrap_interval,
    mean_interval,
    quantile_interval,
    share_interval,
)

# Student (1908), Biometrika 6: hours of sleep gained with two drugs, ten patients.
DEXTRO = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
LAEVO = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

FIGURES = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40)


def draws(n: int, seed: int = 3) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.random.Generator(np.random.Philox(seed)).standard_normal(n)


def test_the_t_interval_is_that_of_students_own_figures() -> None:
    """1.58 hours; t of 97.5 % with 9 degrees of freedom is 2.262 (his table gives the law)."""
    found = mean_interval([b - a for a, b in zip(DEXTRO, LAEVO, strict=True)])
    assert found.estimate == pytest.approx(1.58)
    assert found.low == pytest.approx(1.58 - 2.262 * 1.23 / 10**0.5, abs=0.002)
    assert found.high == pytest.approx(1.58 + 2.262 * 1.23 / 10**0.5, abs=0.002)


@given(FIGURES, st.floats(0.5, 0.999))
def test_the_t_interval_agrees_with_scipy(values: list[float], confidence: float) -> None:
    found = mean_interval(values, confidence=confidence)
    row = np.array(values)
    if np.ptp(row) > 1e-3:
        mean, se = row.mean(), row.std(ddof=1) / len(row) ** 0.5
        low, high = stats.t.interval(confidence, len(row) - 1, mean, se)
        assert found.low == pytest.approx(low)
        assert found.high == pytest.approx(high)


def test_skewed_values_are_noted_until_there_are_enough_of_them() -> None:
    skewed = np.random.Generator(np.random.Philox(1)).standard_exponential(3000)
    few, many = mean_interval(skewed[:30]), mean_interval(skewed)
    assert few.note
    assert "skewed" in few.note
    assert many.note is None  # 25 times the squared skewness of 2 is 100
    assert mean_interval(draws(30)).note is None


def test_equal_values_are_noted() -> None:
    for found in (mean_interval([4, 4, 4]), bootstrap_interval([4, 4, 4], seed=1)):
        assert (found.estimate, found.low, found.high) == (4, 4, 4)
        assert found.note
        assert "the same" in found.note


def test_a_bootstrap_is_the_same_for_the_same_seed_and_another_for_another() -> None:
    row = draws(60)
    assert bootstrap_interval(row, seed=0) == bootstrap_interval(row, seed=0)
    assert bootstrap_interval(row, seed=0) != bootstrap_interval(row, seed=1)


def test_a_bootstrap_of_a_mean_of_many_values_comes_near_the_t_interval() -> None:
    """Both have the same limit; 9 999 resamples leave 2 % of the width."""
    row = draws(400)
    found, exact = bootstrap_interval(row, seed=2, resamples=9999), mean_interval(row)
    assert found.low is not None
    assert found.high is not None
    assert exact.half_width is not None
    assert found.low == pytest.approx(exact.low, abs=0.06 * exact.half_width)
    assert found.high == pytest.approx(exact.high, abs=0.06 * exact.half_width)


def test_a_bootstrap_below_50_values_is_noted_and_one_of_50_is_not() -> None:
    few = bootstrap_interval(draws(49), seed=1)
    assert few.note
    assert "49 values" in few.note
    assert bootstrap_interval(draws(50), seed=1).note is None


def test_a_bootstrap_takes_any_statistic_and_has_bounds_where_bca_has_none() -> None:
    found = bootstrap_interval([1.0, 1.0, 1.0, 1.0, 7.0] * 12, seed=1, statistic=np.median)
    assert found.method == "bootstrap percentile"
    assert found.estimate == 1
    assert found.low == 1
    assert bootstrap_interval(draws(60), seed=1, statistic=np.std).method == "bootstrap BCa"


@given(
    st.integers(2, 60).flatmap(
        lambda n: st.lists(st.floats(-1e6, 1e6), min_size=n, max_size=n, unique=True)
    ),
    st.sampled_from([0.1, 0.25, 0.5, 0.9]),
)
def test_a_quantiles_bounds_are_scipys(values: list[float], share: float) -> None:
    found = quantile_interval(values, share)
    theirs = stats.quantile_test(values, q=0, p=share).confidence_interval(0.95)
    assert (np.nan if found.low is None else found.low) == pytest.approx(theirs.low, nan_ok=True)
    assert (np.nan if found.high is None else found.high) == pytest.approx(theirs.high, nan_ok=True)


@pytest.mark.parametrize(("n", "ranks"), [(6, (1, 6)), (10, (2, 9)), (20, (6, 15)), (50, (18, 33))])
def test_a_medians_bounds_have_the_ranks_of_the_printed_tables(
    n: int, ranks: tuple[int, int]
) -> None:
    """Conover (1999), table A3; by the binomial law."""
    found = quantile_interval(list(range(1, n + 1)))
    assert (found.low, found.high) == ranks


def test_a_quantile_too_far_out_for_the_values_has_no_bound_on_that_side() -> None:
    found = quantile_interval(list(range(30)), 0.95)
    assert found.high is None
    assert found.low is not None
    assert found.note == "30 values are too few for an upper bound"
    assert found.holds(1e9)
    assert not found.holds(-1)
    assert quantile_interval([1, 2, 3]).note == "3 values are too few for a lower or upper bound"


def test_wilsons_interval_is_the_published_one() -> None:
    """Newcombe (1998), Statistics in Medicine 17, table I: 81 of 263, 15 of 148, 0 of 20."""
    published = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611)]
    for hits, n, low, high in published:
        found = share_interval(hits, n)
        assert found.low == pytest.approx(low, abs=5e-5)
        assert found.high == pytest.approx(high, abs=5e-5)


def test_what_cannot_be_read_is_refused() -> None:
    for wrong in ([], [1], [1, float("inf")]):
        for method in (mean_interval, quantile_interval):
            with pytest.raises(UnfitDataError):
                method(wrong)
    for confidence in (0, 1, 95, float("nan")):
        with pytest.raises(UnfitDataError, match="confidence"):
            mean_interval([1, 2], confidence=confidence)
    with pytest.raises(UnfitDataError, match="seed"):
        bootstrap_interval([1, 2], seed=-1)
    with pytest.raises(UnfitDataError, match="3 of 2"):
        share_interval(3, 2)
