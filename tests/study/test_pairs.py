"""Differences between cells that share their seeds."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from worldsim.study.inputs import UnfitDataError
from worldsim.study.intervals import mean_interval
from worldsim.study.pairs import paired_difference, pairs_needed, unpaired_difference

# Student (1908), Biometrika 6: hours of sleep gained with two drugs, ten patients.
DEXTRO = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
LAEVO = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_students_patients_gain_what_is_printed() -> None:
    """The data ``sleep`` of R: t.test gives 0.7001142 to 2.4598858 paired, -0.2054832 to 3.3654832
    by Welch."""
    found = paired_difference(DEXTRO, LAEVO)
    assert found.difference.estimate == pytest.approx(1.58)
    assert found.difference.low == pytest.approx(0.7001142, abs=1e-6)
    assert found.difference.high == pytest.approx(2.4598858, abs=1e-6)
    assert found.zero_share == 0.1  # the fifth patient
    alone = unpaired_difference(DEXTRO, LAEVO)
    assert alone.low == pytest.approx(-0.2054832, abs=1e-6)
    assert alone.high == pytest.approx(3.3654832, abs=1e-6)


def test_the_variance_factor_is_how_many_more_runs_no_pairing_would_take() -> None:
    """Var of either 1.25, of the difference 0.5: a factor of 5, at 20 000 pairs within 3 %."""
    rng = np.random.Generator(np.random.Philox(1))
    luck = rng.standard_normal(20_000)
    one, other = (luck + 0.5 * rng.standard_normal(20_000) for _ in range(2))
    found = paired_difference(one, other)
    assert found.variance_factor == pytest.approx(5, rel=0.03)
    assert found.correlation == pytest.approx(0.8, abs=0.01)


@given(
    st.lists(st.tuples(st.integers(-1000, 1000), st.integers(-1000, 1000)), min_size=3, max_size=30)
)
def test_the_correlation_is_pearsons_and_order_of_pairs_does_not_matter(
    pairs: list[tuple[int, int]],
) -> None:
    base, changed = ([pair[i] for pair in pairs] for i in (0, 1))
    found = paired_difference(base, changed)
    if len(set(base)) > 1 and len(set(changed)) > 1:
        expected = stats.pearsonr(base, changed).statistic
        assert found.correlation == pytest.approx(expected, abs=1e-9)
    else:
        assert found.correlation is None
    back = paired_difference(base[::-1], changed[::-1])
    assert back.difference.estimate == pytest.approx(found.difference.estimate, abs=1e-9)


def test_pairs_that_never_differ_give_no_false_certainty() -> None:
    found = paired_difference([1, 2, 3] * 20, [1, 2, 3] * 20)
    assert found.zero_share == 1
    assert found.variance_factor is None
    assert found.difference.note == (
        "no pair differs; up to 5% of pairs may (at 95 %), by any amount"  # 3 / 60
    )


def test_few_pairs_that_differ_are_noted() -> None:
    base = list(range(30))
    found = paired_difference(base, [0.0, 5.0, *base[2:]])
    assert found.difference.note
    assert "only 1 of 30 pairs differ" in found.difference.note
    assert paired_difference(DEXTRO, LAEVO).difference.note is not None  # 9 of 10 differ


def test_the_same_change_for_every_seed_is_known_and_noted() -> None:
    found = paired_difference([1, 5, 2], [3, 7, 4])
    assert (found.difference.low, found.difference.high) == (2, 2)
    assert found.variance_factor is None
    assert found.correlation == pytest.approx(1)
    assert found.difference.note


@given(st.integers(2, 25), st.integers(0, 100), st.floats(0.05, 3), st.floats(0.8, 0.99))
def test_the_pairs_needed_are_the_fewest_that_do(
    n: int, seed: int, width: float, confidence: float
) -> None:
    gaps = np.random.Generator(np.random.Philox(seed)).standard_normal(n)
    needed = pairs_needed(gaps, width, confidence=confidence)
    spread = float(gaps.std(ddof=1))

    def half(pairs: int) -> float:
        return float(stats.t.ppf(0.5 + confidence / 2, pairs - 1)) * spread / sqrt(pairs)

    assert half(needed) <= width
    assert needed == 2 or half(needed - 1) > width


def test_a_width_that_is_reached_needs_no_more_pairs() -> None:
    found = mean_interval([1, 2, 3, 4, 5])
    assert found.half_width is not None
    assert pairs_needed([1, 2, 3, 4, 5], found.half_width * (1 + 1e-12)) == 5
    assert pairs_needed([2, 2, 2], 0.1) == 2


def test_bad_pairs_are_refused() -> None:
    with pytest.raises(UnfitDataError, match="3 and 2 values"):
        paired_difference([1, 2, 3], [1, 2])
    with pytest.raises(UnfitDataError, match="1 values each"):
        paired_difference([1], [2])
    with pytest.raises(UnfitDataError, match="changed: value 2 is nan"):
        paired_difference([1, 2], [1, float("nan")])
    with pytest.raises(UnfitDataError, match="no spread"):
        unpaired_difference([1, 1], [2, 2])
    for width in (0, -1, float("nan")):
        with pytest.raises(UnfitDataError, match="half-width"):
            pairs_needed([1, 2], width)
    with pytest.raises(UnfitDataError, match="billion"):
        pairs_needed([1, 2], 1e-9)
