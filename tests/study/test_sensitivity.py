"""Sensitivity indices, against functions whose indices are known exactly."""

from __future__ import annotations

import sys
from math import pi, sin

import pytest

from worldsim.study.designs import Range, morris, saltelli, sobol
from worldsim.study.inputs import MissingExtraError, NoEstimateError, UnfitDataError
from worldsim.study.sensitivity import morris_effects, sobol_indices

pytestmark = pytest.mark.needs("SALib")

ANGLES = [Range(name, -pi, pi) for name in "abc"]
KNOBS = [Range("strong", 0, 10), Range("weak", 0, 1), Range("idle", 1, 100, log=True)]


def ishigami(a: float, b: float, c: float) -> float:
    """Ishigami and Homma (1990), with 7 and 0.1."""
    return sin(a) + 7 * sin(b) ** 2 + 0.1 * c**4 * sin(a)


# Sobol' and Levitan (1999): V1 = (1 + pi^4/50)^2 / 2, V2 = 49/8, V13 = 0.01 pi^8 (1/18 - 1/50).
V1, V2, V13 = (1 + pi**4 / 50) ** 2 / 2, 49 / 8, 0.01 * pi**8 * (1 / 18 - 1 / 50)
VARIANCE = V1 + V2 + V13


def test_sobols_indices_of_ishigamis_function_are_the_exact_ones() -> None:
    """With 1 024 base points: within 0.03, and within their own intervals."""
    design = saltelli(ANGLES, 1024, seed=1, second_order=True)
    results = [ishigami(**point) for point in design.points]  # type: ignore[arg-type]
    indices, pairs = sobol_indices(design, results, seed=2)
    first = [V1 / VARIANCE, V2 / VARIANCE, 0]
    total = [(V1 + V13) / VARIANCE, V2 / VARIANCE, V13 / VARIANCE]
    for found, alone, together in zip(indices, first, total, strict=True):
        assert found.first.estimate == pytest.approx(alone, abs=0.03)
        assert found.first.holds(alone)
        assert found.total.estimate == pytest.approx(together, abs=0.03)
        assert found.total.holds(together)
    shares = {found.factors: found.share for found in pairs}
    assert list(shares) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert shares["a", "c"].estimate == pytest.approx(V13 / VARIANCE, abs=0.05)
    assert shares["a", "b"].holds(0)


def test_indices_without_pairs_have_none_and_are_the_same_for_the_same_seed() -> None:
    design = saltelli(ANGLES, 64, seed=1)
    results = [ishigami(**point) for point in design.points]  # type: ignore[arg-type]
    for seed in (0, 5):  # SALib alone takes 0 for no seed
        indices, pairs = sobol_indices(design, results, seed=seed)
        assert pairs == []
        assert indices == sobol_indices(design, results, seed=seed)[0]
    assert indices != sobol_indices(design, results, seed=6)[0]
    assert indices[0].first.n == 64


def test_a_linear_metric_has_effects_that_are_exact_and_do_not_spread() -> None:
    design = morris(KNOBS, 8, seed=1)
    results = [3 * float(point["strong"]) - 2 * float(point["weak"]) for point in design.points]
    strong, weak, idle = morris_effects(design, results, seed=0)
    assert [each.mean for each in (strong, weak, idle)] == pytest.approx([30, -2, 0])
    assert [each.size.estimate for each in (strong, weak, idle)] == pytest.approx([30, 2, 0])
    assert [each.spread for each in (strong, weak, idle)] == pytest.approx([0, 0, 0], abs=1e-9)
    assert strong.size.n == 8


def test_company_of_another_factor_shows_in_the_spread() -> None:
    """Effect of x in x * y is y, on levels 0, 1/3, 2/3, 1: mean 1/2, variance 5/36; 400
    trajectories, 4 standard errors."""
    design = morris([Range("x", 0, 1), Range("y", 0, 1)], 400, seed=3)
    results = [float(point["x"]) * float(point["y"]) for point in design.points]
    for found in morris_effects(design, results, seed=0):
        assert found.mean == pytest.approx(0.5, abs=4 * (5 / 36 / 400) ** 0.5)
        assert found.spread == pytest.approx((5 / 36) ** 0.5, rel=0.1)
        assert found.size.half_width == pytest.approx(1.96 * (5 / 36 / 400) ** 0.5, rel=0.1)


def test_a_metric_that_never_moves_gives_no_indices_and_says_so() -> None:
    design = saltelli(ANGLES, 8, seed=1)
    with pytest.raises(NoEstimateError, match="the metric is 4 at every point"):
        sobol_indices(design, [4] * len(design.points), seed=1)


def test_results_that_do_not_belong_to_the_design_are_refused() -> None:
    design = morris(ANGLES, 4, seed=1)
    with pytest.raises(UnfitDataError, match="15 for 16 points"):
        morris_effects(design, range(15), seed=1)
    with pytest.raises(UnfitDataError, match="value 3 is nan"):
        morris_effects(design, [1, 2, float("nan"), *range(13)], seed=1)
    with pytest.raises(UnfitDataError, match="morris; a saltelli design"):
        sobol_indices(design, range(16), seed=1)
    with pytest.raises(UnfitDataError, match="sobol; a morris design"):
        morris_effects(sobol(ANGLES, 16, seed=1), range(16), seed=1)


def test_without_salib_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    design = saltelli(ANGLES, 8, seed=1), morris(ANGLES, 4, seed=1)
    for part in ("SALib.analyze.morris", "SALib.analyze.sobol"):
        monkeypatch.setitem(sys.modules, part, None)
    for method, each in zip((sobol_indices, morris_effects), design, strict=True):
        with pytest.raises(MissingExtraError, match="need SALib, which is not installed"):
            method(each, range(len(each.points)), seed=1)
