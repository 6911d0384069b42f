"""How reserves are shared out, how abundant they feel, and how they grow back: pure rules."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.rules.abundance import (
    NORMAL,
    POOR,
    RICH,
    class_of,
    modifier,
    regrown,
    sector_part,
    shared_out,
)
from worldsim.scenario.model import Ingredient
from worldsim.scenario.options import ReserveOptions

OPTIONS = ReserveOptions()
BANDS = OPTIONS.bands
weights_lists = st.lists(st.integers(0, 1000), min_size=1, max_size=40).filter(any)


@pytest.mark.rule("RES-1")
@given(total=st.integers(0, 10**12), weights=weights_lists)
def test_sharing_loses_no_unit_and_is_fair_to_within_one(total: int, weights: list[int]) -> None:
    shares = shared_out(total, weights)
    assert sum(shares) == total
    for share, weight in zip(shares, weights, strict=True):
        # Floats of this size leave an exact share a few thousandths unsure.
        assert abs(share - Fraction(total * weight, sum(weights))) < Fraction(101, 100)


@pytest.mark.rule("RES-1")
@given(total=st.integers(0, 10**9), weights=st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_real_weights_lose_nothing_either_and_no_weight_gets_nothing(
    total: int, weights: list[float]
) -> None:
    if sum(weights) < 1e-6:
        weights = [*weights, 1.0]
    shares = shared_out(total, weights)
    assert sum(shares) == total
    assert all(share >= 0 for share in shares)
    assert not any(share for share, weight in zip(shares, weights, strict=True) if weight == 0)


@pytest.mark.rule("RES-1")
def test_the_largest_remainders_get_what_is_left_over() -> None:
    assert shared_out(10, [5, 3, 1]) == [6, 3, 1]  # exactly 5.56, 3.33 and 1.11
    assert shared_out(7, [1, 1, 1]) == [3, 2, 2]
    assert shared_out(8, [1, 1, 1]) == [3, 3, 2]
    assert shared_out(1, [1, 2, 2]) == [0, 1, 0]
    assert shared_out(0, [1, 2]) == [0, 0]


@pytest.mark.rule("RES-1")
def test_sharing_among_no_weight_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        shared_out(5, [0, 0])


@pytest.mark.rule("RES-2")
@given(st.integers(0, 10**12))
def test_half_a_region_lies_in_its_sectors_and_an_odd_unit_on_its_ways(units: int) -> None:
    in_sectors = sector_part(units, OPTIONS.sector_share)
    assert in_sectors == units // 2
    assert units - in_sectors - in_sectors == units % 2


@pytest.mark.rule("RES-4")
@pytest.mark.parametrize(
    ("initial", "found"),
    [(300, RICH), (150, RICH), (149, NORMAL), (100, NORMAL), (51, NORMAL), (50, POOR), (1, POOR)],
)
def test_a_place_is_rich_or_poor_against_the_mean(initial: int, found: int) -> None:
    assert class_of(initial, 100.0, OPTIONS.rich_at, OPTIONS.poor_at) == found
    assert class_of(initial, 100.0) == found


@pytest.mark.rule("RES-4")
@given(total=st.integers(1, 10**6), places=st.integers(1, 3000), initial=st.integers(1, 10**6))
def test_the_class_of_a_place_is_that_of_exact_arithmetic(
    total: int, places: int, initial: int
) -> None:
    mean = Fraction(total, places)
    exact = RICH if initial >= mean * Fraction(3, 2) else POOR if initial <= mean / 2 else NORMAL
    assert class_of(initial, total / places) == exact


@pytest.mark.rule("RES-4")
@pytest.mark.parametrize(
    ("left", "rich", "normal", "poor"),
    [
        (100, -2, 0, 1),
        (75, -2, 0, 1),
        (74, -1, 0, 1),
        (50, -1, 0, 1),
        (49, 0, 0, 1),
        (35, 0, 0, 1),
        (34, 1, 1, 2),
        (15, 1, 1, 2),
        (14, 2, 2, 2),
        (1, 2, 2, 2),
        (0, 2, 2, 2),
    ],
)
def test_abundance_falls_with_the_share_that_is_left(
    left: int, rich: int, normal: int, poor: int
) -> None:
    found = [
        modifier(kind, left / 100, BANDS, OPTIONS.poor_modifier, OPTIONS.worst_modifier)
        for kind in (RICH, NORMAL, POOR)
    ]
    assert found == [rich, normal, poor]


@pytest.mark.rule("RES-5")
def test_nothing_grows_by_default_nor_from_nothing_nor_beyond_the_start() -> None:
    assert Ingredient(id="moss", kind="herb").regrowth == 0
    assert regrown(0, 100, 0.5, 0.9) == (0, 0.0)
    assert regrown(100, 100, 0.5, 0.9) == (0, 0.0)
    assert regrown(50, 100, 0.0, 0.0) == (0, 0.0)
    assert regrown(99, 100, 1.0, 0.999) == (1, 0.0)


@pytest.mark.rule("RES-5")
def test_the_remainder_of_growth_is_carried_to_the_next_day() -> None:
    units, carried = regrown(5, 10, 0.2, 0.0)  # half a unit a day
    assert units == 0
    assert carried == pytest.approx(0.5)
    units, carried = regrown(5, 10, 0.2, 0.75)
    assert units == 1
    assert carried == pytest.approx(0.25)
    assert regrown(5, 10, 0.2, 0.5)[0] == 1


@pytest.mark.rule("RES-5")
@pytest.mark.parametrize(("rate", "most", "start"), [(0.005, 100_000, 1000), (0.01, 50_000, 2500)])
def test_growth_follows_the_logistic_curve_and_ends_at_the_start_again(
    rate: float, most: int, start: int
) -> None:
    left, carried = start, 0.0
    for day in range(1, 5001):
        units, carried = regrown(left, most, rate, carried)
        assert 0 <= carried < 1
        left += units
        assert left <= most
        curve = most / (1 + (most - start) / start * exp(-rate * day))
        assert abs(left - curve) < 0.006 * most  # a day's step is no infinitesimal one
    assert left == most


@pytest.mark.rule("RES-5")
@given(st.integers(1, 500), st.integers(1, 500), st.floats(0, 1), st.floats(0, 1, exclude_max=True))
def test_growth_never_passes_the_initial_stock(
    left: int, initial: int, rate: float, carried: float
) -> None:
    units, rest = regrown(left, initial, rate, carried)
    assert units >= 0
    assert 0 <= rest < 1
    if left < initial:
        assert left + units <= initial
        if left + units < initial:
            expected = rate * left * (1 - left / initial) + carried
            assert units + rest == pytest.approx(expected)
