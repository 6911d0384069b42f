"""What campaigns say together: figures, differences seed by seed, sensitivity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from small_studies import COST, loaded

from worldsim.study.analysis import (
    UnknownCellError,
    UnknownMetricError,
    changes,
    figures,
    find_cell,
    sensitivity,
)
from worldsim.study.inputs import NoEstimateError
from worldsim.study.intervals import mean_interval
from worldsim.study.work import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from worldsim.study.analysis import Rows
    from worldsim.study.plan import Cell, Plan

TWO_KNOBS = """
[[factors]]
name = "strong"
key = "ingredients.ferrite.regrowth"
range = [0.0, 1.0]
[[factors]]
name = "weak"
key = "ingredients.tuber.regrowth"
range = [0.0, 1.0]
"""


def rows_of(plan: Plan, replications: int, value: Callable[[Cell, int], float | None]) -> Rows:
    """Rows in which every metric has a value that follows from cell and replication."""
    return {
        (cell.number, r): Outcome(
            cell.number, r, plan.seed(cell.number, r), "finished",
            {metric.name: value(cell, r) for metric in plan.metrics}, "0" * 64, None, 0.1,
        )
        for cell in plan.cells
        for r in range(replications)
    }  # fmt: skip


def test_each_cell_has_its_mean_with_intervals_and_quantiles(tmp_path: Path) -> None:
    plan = loaded(tmp_path, COST).plan
    rows = rows_of(plan, 5, lambda cell, r: 10 * cell.number + r)
    first, second = figures(plan, rows, "taken")
    assert first.mean == mean_interval([0, 1, 2, 3, 4])
    assert (second.n, second.without, second.quantiles[0.5]) == (5, 0, 12)
    assert second.bootstrap is not None
    assert second.bootstrap.note is not None
    assert "5 values" in second.bootstrap.note
    assert figures(plan, rows, "taken") == [first, second]  # resampling has a seed


def test_campaigns_without_a_value_are_counted_and_failed_ones_left_out(tmp_path: Path) -> None:
    plan = loaded(tmp_path, COST).plan
    rows = dict(rows_of(plan, 4, lambda _, r: None if r == 1 else r))
    rows[0, 3] = Outcome(0, 3, 1, "failed", {}, None, "broke", 0.1)
    first, second = figures(plan, rows, "taken")
    assert (first.n, first.without) == (2, 1)
    assert (second.n, second.without) == (3, 1)


def test_cells_are_compared_over_the_seeds_they_both_have(tmp_path: Path) -> None:
    plan = loaded(tmp_path, COST).plan
    noise = np.random.default_rng(1).normal(0, 10, 30)
    rows = dict(rows_of(plan, 30, lambda cell, r: noise[r] + cell.number * (2 + r % 3)))
    del rows[1, 4]
    (change,) = changes(plan, rows, "taken", plan.cells[0], half_width=0.1)
    assert change.pairs == 29
    assert change.difference.estimate == pytest.approx(3, abs=0.1)
    assert change.comparison is not None
    assert change.comparison.variance_factor is not None
    assert change.comparison.variance_factor > 100
    assert change.needed is not None
    assert 200 < change.needed < 400
    (back,) = changes(plan, rows, "taken", plan.cells[1])
    assert back.difference.estimate == pytest.approx(-(change.difference.estimate or 0))


def test_cells_with_seeds_of_their_own_are_not_paired(tmp_path: Path) -> None:
    plan = loaded(tmp_path, "common_random_numbers = false\n" + COST).plan
    rows = rows_of(plan, 6, lambda cell, r: cell.number * 2 + r)
    (change,) = changes(plan, rows, "taken", plan.cells[0])
    assert (change.difference.method, change.comparison, change.needed) == ("Welch", None, None)


def test_too_few_common_seeds_give_no_difference(tmp_path: Path) -> None:
    plan = loaded(tmp_path, COST).plan
    with pytest.raises(NoEstimateError, match="no other cell"):
        changes(plan, rows_of(plan, 1, lambda _, r: r), "taken", plan.cells[0])


@pytest.mark.needs("SALib")
@pytest.mark.parametrize("kind", ["saltelli", "morris"])
def test_the_knob_that_matters_is_told_from_the_one_that_does_not(
    tmp_path: Path, kind: str
) -> None:
    plan = loaded(tmp_path, TWO_KNOBS + f'[design]\nkind = "{kind}"\npoints = 16\n').plan
    rows = rows_of(plan, 2, lambda cell, r: 5 * float(cell.values["strong"]) + r)
    told = sensitivity(plan, rows, "taken")
    found: Any = told.morris or told.sobol
    sizes = [(e.size if kind == "morris" else e.total).estimate for e in found]
    assert sizes[0] == pytest.approx(5 if kind == "morris" else 1, rel=0.1)
    assert sizes[1] == pytest.approx(0, abs=1e-9)


@pytest.mark.needs("SALib")
def test_a_metric_that_some_points_lack_tells_no_sensitivity(tmp_path: Path) -> None:
    plan = loaded(tmp_path, TWO_KNOBS + '[design]\nkind = "morris"\npoints = 2\n').plan
    rows = rows_of(plan, 1, lambda cell, _: cell.number or None)
    with pytest.raises(NoEstimateError, match="no value at 1 of 6 points"):
        sensitivity(plan, rows, "day_50_left")


def test_a_cell_is_found_by_its_number_or_its_factors(tmp_path: Path) -> None:
    more = COST + '[[factors]]\nname = "far"\nkey = "planet.regions"\nvalues = [2, 3]\n'
    plan = loaded(tmp_path, more).plan
    assert find_cell(plan, "3") is find_cell(plan, "far=3, cost=2") is plan.cells[3]
    with pytest.raises(UnknownCellError, match="fits 2 cells"):
        find_cell(plan, "cost=2")
    with pytest.raises(UnknownCellError, match="is no cell"):
        find_cell(plan, "cost=7")
    with pytest.raises(UnknownMetricError, match='did you mean "taken"'):
        figures(plan, {}, "takn")
