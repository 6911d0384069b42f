"""Points of a design: what they cover, and that a seed fixes them."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.study.designs import (
    Design,
    Factor,
    Levels,
    Range,
    grid,
    latin_hypercube,
    listed,
    morris,
    saltelli,
    sobol,
)
from worldsim.study.inputs import MissingExtraError, UnfitDataError

if TYPE_CHECKING:
    from collections.abc import Callable

    Sampler = Callable[..., Design]

COST = Range("rules.cost", 0, 3, whole=True)
SHARE = Range("share", 0.25, 0.75)
SIZE = Range("size", 1, 1000, log=True)
POLICY = Levels("policy", ("stay", "go"))
FACTORS: list[Factor] = [COST, SHARE, SIZE, POLICY]
SALIB = pytest.mark.needs("SALib")
SEEDED = [
    latin_hypercube, sobol,
    pytest.param(morris, marks=SALIB), pytest.param(saltelli, marks=SALIB),
]  # fmt: skip


def test_a_grid_has_every_combination_once_and_the_last_factor_turns_fastest() -> None:
    found = grid([COST, POLICY])
    assert [tuple(point.values()) for point in found.points] == [
        (cost, policy) for cost in (0, 1, 2, 3) for policy in ("stay", "go")
    ]
    steps = [point["size"] for point in grid([SIZE], steps=4).points]
    assert steps == pytest.approx([1, 10, 100, 1000])
    assert [point["share"] for point in grid([SHARE], steps=3).points] == [0.25, 0.5, 0.75]


def test_a_list_pairs_the_values_of_its_factors_in_order() -> None:
    found = listed([Levels("a", (1, 2, 3)), Levels("b", (True, False, True))])
    assert found.points == ({"a": 1, "b": True}, {"a": 2, "b": False}, {"a": 3, "b": True})


@pytest.mark.parametrize("sampler", SEEDED)
def test_a_seed_fixes_all_points_and_another_moves_them(sampler: Sampler) -> None:
    for seed in (0, 1):
        assert sampler(FACTORS, 8, seed=seed).points == sampler(FACTORS, 8, seed=seed).points
    assert sampler(FACTORS, 8, seed=0).points != sampler(FACTORS, 8, seed=1).points


@pytest.mark.parametrize("sampler", SEEDED)
@given(seed=st.integers(0, 2**63 - 1))
def test_points_lie_in_the_ranges_of_their_factors(sampler: Sampler, seed: int) -> None:
    for point in sampler(FACTORS, 4, seed=seed).points:
        assert list(point) == ["rules.cost", "share", "size", "policy"]
        assert point["rules.cost"] in (0, 1, 2, 3)
        assert isinstance(point["rules.cost"], int)
        assert isinstance(point["share"], float)
        assert 0.25 <= point["share"] <= 0.75
        assert isinstance(point["size"], float)
        assert 1 <= point["size"] <= 1000
        assert point["policy"] in ("stay", "go")


def test_a_latin_hypercube_has_each_part_of_each_factor_once() -> None:
    found = latin_hypercube(FACTORS, 12, seed=5)
    assert found.unit is not None
    for column in found.unit.T:
        assert sorted(int(each * 12) for each in column) == list(range(12))
    assert Counter(point["rules.cost"] for point in found.points) == {0: 3, 1: 3, 2: 3, 3: 3}


def test_a_sobol_sequence_is_balanced_in_every_half_and_quarter() -> None:
    found = sobol(FACTORS, 64, seed=5)
    assert Counter(point["policy"] for point in found.points) == {"stay": 32, "go": 32}
    assert Counter(point["rules.cost"] for point in found.points) == dict.fromkeys(range(4), 16)
    sizes = sorted(float(point["size"]) for point in found.points)
    assert sizes[31] < 1000**0.5 < sizes[32]  # on a log scale half lie below the geometric mean


@SALIB
def test_a_trajectory_of_morris_changes_one_factor_at_a_time_and_each_once() -> None:
    found = morris(FACTORS, 6, seed=5)
    assert found.unit is not None
    for start in range(0, len(found.points), 5):
        moved = np.diff(found.unit[start : start + 5], axis=0) != 0
        assert moved.sum(axis=1).tolist() == [1] * 4
        assert moved.sum(axis=0).tolist() == [1] * 4


@SALIB
@pytest.mark.parametrize(("second_order", "size"), [(False, 8 * 6), (True, 8 * 10)])
def test_a_saltelli_design_has_the_points_its_indices_need(second_order: bool, size: int) -> None:  # noqa: FBT001 - a parameter of the test
    found = saltelli(FACTORS, 8, seed=5, second_order=second_order)
    assert len(found.points) == size
    assert found.second_order == second_order


@given(st.integers(-50, 50), st.integers(1, 100))
def test_each_whole_number_has_an_equal_part_of_its_range(low: int, more: int) -> None:
    count = more + 1
    shares = (np.arange(count * 10) + 0.5) / (count * 10)
    values = Counter(Range("n", low, low + more, whole=True).at(shares))
    assert values == dict.fromkeys(range(low, low + count), 10)


def test_the_ends_of_a_share_are_the_ends_of_a_range() -> None:
    ends = np.array([0.0, 1.0])
    assert [factor.at(ends) for factor in FACTORS] == [
        [0, 3], [0.25, 0.75], [1.0, 1000.0], ["stay", "go"],
    ]  # fmt: skip
    assert Range("n", 1, 8, whole=True, log=True).at(ends) == [1, 8]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: Range("x", 2, 2), "x: 2 to 2; a finite range, low below high"),
        (lambda: Range("x", 0, float("inf")), "finite"),
        (lambda: Range("x", 0, 1, log=True), "above 0"),
        (lambda: Range("x", 0.5, 2, whole=True), "whole ends"),
        (lambda: Levels("x", ()), "x: no values"),
        (lambda: grid([]), "at least 1"),
        (lambda: grid([SHARE, SHARE]), "share twice"),
        (lambda: grid([SHARE], steps=1), "2 or more"),
        (lambda: grid([Range(f"x{i}", 0, 1) for i in range(9)]), "1953125; 1 to 1000000"),
        (lambda: listed([POLICY, Levels("b", (1,))]), "policy has 2, b has 1"),
        (lambda: listed([SHARE]), "a list has lists of values only"),  # type: ignore[list-item]
        (lambda: latin_hypercube(FACTORS, 0, seed=1), "points: 0"),
        (lambda: latin_hypercube(FACTORS, 3, seed=-1), "seed: -1"),
        (lambda: sobol(FACTORS, 100, seed=1), "100; a power of 2 is wanted, as 64 or 128"),
        pytest.param(lambda: saltelli(FACTORS, 100, seed=1), "power of 2", marks=SALIB),
        pytest.param(lambda: saltelli([SHARE], 8, seed=1), "at least 2", marks=SALIB),
        pytest.param(lambda: morris(FACTORS, 1, seed=1), "2 or more", marks=SALIB),
    ],
)
def test_a_design_that_cannot_be_is_refused(wrong: Callable[[], object], says: str) -> None:
    with pytest.raises(UnfitDataError, match=says):
        wrong()


@pytest.mark.parametrize("sampler", [morris, saltelli])
def test_without_salib_the_message_says_what_to_install(
    sampler: Sampler, monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in ("SALib.sample.morris", "SALib.sample.sobol"):
        monkeypatch.setitem(sys.modules, part, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'worldsim\[sensitivity\]'") as raised:
        sampler(FACTORS, 8, seed=1)
    assert raised.value.exit_code == 2
