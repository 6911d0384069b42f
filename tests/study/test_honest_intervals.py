"""The tool that measures how often intervals hold the truth, and what importing costs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import intervals
import numpy as np
import pytest

from worldsim.study.intervals import (
    ENOUGH_TO_RESAMPLE,
    RESAMPLES,
    bootstrap_bounds,
    mean_interval,
    t_times,
)

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.study.intervals import Interval


pytestmark = pytest.mark.long


def test_t_and_paired_intervals_of_normal_figures_hold_the_truth_as_often_as_they_say() -> None:
    """1 000 studies each: 95 % within 3.3 standard errors, 2.3 points."""
    for draw, truth in ((intervals.normal_mean, 0.0), (intervals.normal_pairs, intervals.CHANGE)):
        rows = list(intervals.one_by_one(draw, truth, ("t", "normal"), 1000, bound=True))
        assert [row.n for row in rows] == [10, 30, 100]
        for row in rows:
            assert row.held == pytest.approx(0.95, abs=0.023)


def test_survival_medians_hold_the_truth_about_as_often_as_they_say() -> None:
    """300 studies each: 3.3 standard errors are 4.2 points, the method's own error 1."""
    for row in intervals.survivals(300):
        if row.method == "median, survival":
            assert row.held == pytest.approx(0.95, abs=0.052)
        elif row.n < 30:
            assert row.noted == 1


def test_what_is_measured_to_miss_is_what_comes_with_a_note() -> None:
    """Bootstraps of ten skewed figures hold the truth in fewer than 91 %, 1 000 studies."""
    rows = [row for row in intervals.bootstraps(1000) if row.law == "exponential"]
    assert {row.n for row in rows if row.noted} == {10, 30}
    assert all(row.held < 0.91 for row in rows if row.n == 10)
    assert 30 < ENOUGH_TO_RESAMPLE <= 100


def test_the_tool_fails_when_a_bar_is_missed() -> None:
    row = intervals.Coverage("t", "normal", 10, 4000, 0.95, 0.0, bound=True)
    assert not row.fails
    assert replace(row, held=0.9399).fails
    assert replace(row, held=0.9601).fails
    assert not replace(row, held=0.9, bound=False).fails


def test_an_interval_that_is_too_narrow_would_be_caught() -> None:
    """The t interval with the wrong law: 1.96 standard errors at n = 10 hold 92 %."""

    def narrow(rng: np.random.Generator, n: int) -> Interval:
        found = mean_interval(rng.standard_normal(n))
        assert found.estimate is not None
        assert found.half_width is not None
        half = found.half_width * 1.96 / t_times(n - 1, 0.95)
        return replace(found, low=found.estimate - half, high=found.estimate + half)

    rows = list(intervals.one_by_one(narrow, 0.0, ("t", "normal"), 4000, bound=True))
    assert rows[0].fails


def test_studies_resampled_together_get_the_bounds_they_get_alone() -> None:
    rng = np.random.Generator(np.random.Philox(1))
    rows = rng.standard_normal((3, 20))
    low, high = bootstrap_bounds(rows, "BCa", np.mean, 0.95, RESAMPLES, 7)
    for i in range(3):
        alone = bootstrap_bounds(rows[i : i + 1], "BCa", np.mean, 0.95, RESAMPLES, 7)
        assert (alone[0][0], alone[1][0]) == pytest.approx((low[i], high[i]))


def test_nobody_loads_scipy_who_did_not_ask_for_statistics(tmp_path: Path) -> None:
    code = (
        "import sys, worldsim.study\n"
        "from worldsim.cli.main import main\n"
        "for words in (['--help'], ['run', 'lone_colony', '--days', '2', '--quiet']):\n"
        "    sys.argv[1:] = words\n"
        "    try:\n        main()\n"
        "    except SystemExit as left:\n        assert not left.code, left.code\n"
        "loaded = {'scipy', 'SALib', 'dask', 'distributed', 'pandas'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "runs").iterdir())
