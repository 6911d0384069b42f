"""Depletion estimates, against published figures and against stocks that are known."""

from __future__ import annotations

import pickle
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.study.estimators import METHODS, Depletion, delury, leslie, ricker
from worldsim.study.inputs import NoEstimateError, UnfitDataError

# Smallmouth bass of Little Silver Lake, Ontario, 7 traps on each of ten days
# (Ricker 1975, table 6.2; as SMBassLS in the R package FSAdata).
CATCH = [131, 69, 99, 78, 56, 76, 49, 42, 63, 47]
EFFORT = [7] * 10


def test_leslie_gives_the_published_figures_of_the_bass() -> None:
    found = leslie(CATCH, EFFORT)
    assert (round(found.n0, 3), round(found.n0_se, 3)) == (1060.296, 169.268)
    assert round(found.q, 6) == 0.014844
    assert found.points == 10


def test_rickers_variant_and_delury_give_the_published_figures_of_the_bass() -> None:
    assert f"{ricker(CATCH, EFFORT).n0:.3f}" == "1077.571"
    assert f"{delury(CATCH, EFFORT).n0:.3f}" == "1098.503"


@given(
    n0=st.floats(100, 1e6), q=st.floats(1e-3, 0.1), n=st.integers(3, 20), effort=st.floats(0.5, 5)
)
def test_catches_that_follow_leslies_law_give_back_stock_and_catchability(
    n0: float, q: float, n: int, effort: float
) -> None:
    left, catch = n0, []
    for _ in range(n):
        catch.append(q * effort * left)
        left -= catch[-1]
    found = leslie(catch, [effort] * n)
    assert found.n0 == pytest.approx(n0, rel=1e-6)
    assert found.q == pytest.approx(q, rel=1e-6)
    assert found.holds(n0) or found.n0_se < 1e-3 * n0  # exact but for rounding


@given(n0=st.floats(100, 1e6), q=st.floats(1e-3, 0.1), n=st.integers(3, 20))
def test_catches_that_follow_delurys_law_give_back_stock_and_catchability(
    n0: float, q: float, n: int
) -> None:
    found = delury([q * n0 * exp(-q * day) for day in range(n)], [1.0] * n)
    assert found.n0 == pytest.approx(n0, rel=1e-6)
    assert found.q == pytest.approx(q, rel=1e-6)


def test_rickers_variant_is_exact_where_effort_works_all_day_long() -> None:
    """Catch per effort then belongs to the stock at half time, all but for the curve of a day."""
    left, catch = 10_000.0, []
    for _ in range(10):
        catch.append(left * (1 - exp(-0.05)))
        left -= catch[-1]
    assert ricker(catch, [1.0] * 10).n0 == pytest.approx(10_000, rel=1e-9)
    assert ricker(catch, [1.0] * 10).q == pytest.approx(0.05, rel=3e-4)
    assert leslie(catch, [1.0] * 10).q == pytest.approx(1 - exp(-0.05), rel=1e-9)


def test_standard_errors_are_the_spread_of_many_estimates() -> None:
    """1 000 lines with small errors: chance is 2.2 %, and the delta method leaves some out."""
    rng = np.random.Generator(np.random.Philox(1))
    before = np.arange(10) * 80.0
    found: list[Depletion] = []
    for _ in range(1000):
        # efforts that turn noise of catch per effort into catches of 80 each
        rate = 0.01 * (1000 - before) + rng.normal(0, 0.15, 10)
        found.append(leslie([80.0] * 10, 80.0 / rate))
    for name in ("n0", "q"):
        spread = np.std([getattr(each, name) for each in found])
        said = np.sqrt(np.mean([getattr(each, f"{name}_se") ** 2 for each in found]))
        assert said == pytest.approx(spread, rel=0.08)


def test_fiellers_bounds_hold_the_stock_as_often_as_they_say() -> None:
    """Exact for this law: 1 000 studies, 95 % within 3.3 standard errors (2.3 points)."""
    rng = np.random.Generator(np.random.Philox(2))
    before = np.arange(8) * 80.0
    held = 0
    for _ in range(1000):
        rate = 0.01 * (1000 - before) + rng.normal(0, 0.6, 8)
        held += leslie([80.0] * 8, 80.0 / rate).holds(1000)
    assert held / 1000 == pytest.approx(0.95, abs=0.023)


def test_bounds_that_nothing_bounds_are_absent_and_said_so() -> None:
    found = leslie([10, 12, 9, 11, 10, 9], [1] * 6)
    assert found.n0_high is None
    assert found.note
    assert "chance" in found.note
    assert found.q_low < 0 < found.q_high


def test_no_stock_is_below_what_was_caught_of_it() -> None:
    for method in METHODS.values():
        assert method([50, 40, 5, 4, 1], [1] * 5).n0_low >= 100


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
@pytest.mark.parametrize(
    ("catch", "effort", "says"),
    [
        ([5, 4], [1, 1], "2 values each; at least 3"),
        ([], [], "0 values"),
        ([5, 4, 3], [1, 1], "3 and 2 values"),
        ([5, 4, 3], [1, 0, 1], "effort: value 2 is 0; above 0 is wanted; leave out"),
        ([5, -4, 3], [1, 1, 1], "catch: value 2 is -4"),
        ([5, float("nan"), 3], [1, 1, 1], "catch: value 2 is nan; finite"),
        ([5, 4, 3], [1, 1, float("inf")], "effort: value 3 is inf"),
        ([5, "many", 3], [1, 1, 1], "catch: not numbers"),
        ([[5, 4, 3]], [1, 1, 1], "2 dimensions"),
    ],
)
def test_bad_rows_are_refused_with_the_value_and_its_place(
    method: object, catch: list[float], effort: list[float], says: str
) -> None:
    assert callable(method)
    with pytest.raises(UnfitDataError, match=says) as raised:
        method(catch, effort)
    again = pickle.loads(pickle.dumps(raised.value))  # noqa: S301 - our own, as workers send it
    assert str(again) == str(raised.value)
    assert raised.value.exit_code == 2


@pytest.mark.parametrize("catch", [[3, 4, 5, 6], [5, 5, 5, 5], [1, 9, 2, 9]])
@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_catch_per_effort_that_does_not_fall_gives_no_estimate_and_says_why(
    method: object, catch: list[int]
) -> None:
    assert callable(method)
    with pytest.raises(NoEstimateError, match="does not fall") as raised:
        method(catch, [1] * 4)
    assert raised.value.exit_code == 1


def test_nothing_caught_gives_no_estimate() -> None:
    with pytest.raises(NoEstimateError, match="nothing was caught"):
        leslie([0, 0, 0], [1, 1, 1])


def test_delury_names_the_empty_catch_that_leslie_takes() -> None:
    # by hand: slope -59/98, mean of catch 8/3 at a mean of 13/3 caught before
    assert leslie([5, 3, 0], [1, 1, 1]).n0 == pytest.approx(13 / 3 + 8 / 3 * 98 / 59)
    with pytest.raises(UnfitDataError, match="value 3 is 0"):
        delury([5, 3, 0], [1, 1, 1])


def test_delury_of_catches_that_hardly_fall_has_no_upper_bound() -> None:
    found = delury([38, 36, 11, 21], [91, 50, 42, 37])
    assert found.n0_high is None
    assert found.n0_low == 106  # what was caught
