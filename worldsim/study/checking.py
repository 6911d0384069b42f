"""A study is looked at as a whole before anything of it is simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from worldsim.errors import UnfitScenarioError
from worldsim.scenario import ScenarioError
from worldsim.scenario.faults import in_order
from worldsim.scenario.near import did_you_mean
from worldsim.scenario.study_loading import load_study_file
from worldsim.study.metrics import OF_INGREDIENTS, SHIPPED, known_names
from worldsim.study.plan import make_plan
from worldsim.study.work import wrong_metrics

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from worldsim.scenario.checks import Finding
    from worldsim.scenario.faults import Fault
    from worldsim.scenario.loading import Loaded
    from worldsim.scenario.model import Scenario
    from worldsim.scenario.study_loading import LoadedStudy
    from worldsim.scenario.study_model import StudyFile
    from worldsim.study.plan import Cell, Plan

MOST_CHECKED = 32
"""Cells whose worlds are made beforehand; faults of others show in their campaigns' rows."""
MOST_RUNS = 10_000_000


def read_plan(source: str | Path, *, sets: Sequence[str] = ()) -> tuple[LoadedStudy, Plan]:
    """Read a study file and work out what it simulates; its scenarios are not looked at.

    Args:
        source: A path, or the name of a shipped study.
        sets: Overrides of its keys, as of ``--set``.

    Raises:
        ScenarioError: with every fault found in the file.
    """
    loaded = load_study_file(source, sets=sets, more=_metric_names)
    plan = make_plan(loaded)
    table, stop = loaded.file.study, loaded.file.stop
    runs = len(plan.cells) * (table.replications if stop is None else stop.ceiling)
    if runs > MOST_RUNS:
        path = ("study", "replications") if stop is None else ("stop", "ceiling")
        raise loaded.error([(path, f"{runs} campaigns", f"at most {MOST_RUNS} in all")])
    return loaded, plan


def check_cells(loaded: LoadedStudy, plan: Plan) -> None:
    """Make the world of each cell, or of some of very many, and try the metrics on one.

    Raises:
        ScenarioError: with every fault found, in the study and in the scenarios it names.
    """
    faults: list[Fault] = []
    unsaid = 0
    first: Scenario | None = None
    for cell in _some(plan.cells):
        try:
            scenario = _checked(loaded, plan, cell).scenario
        except ScenarioError as error:
            faults += error.faults
            unsaid += error.unsaid
        else:
            first = first or scenario
    if first is not None:
        findings = list(_ingredients(loaded.file, first))
        if not faults and not findings:
            findings = list(_tried(loaded.file, plan))
        if findings:
            faults += loaded.error(findings).faults
    if faults:
        raise ScenarioError(in_order(faults), unsaid)


def _some(cells: Sequence[Cell]) -> list[Cell]:
    """All cells, or evenly chosen ones."""
    if len(cells) <= MOST_CHECKED:
        return list(cells)
    chosen = np.linspace(0, len(cells) - 1, MOST_CHECKED).astype(int)
    return [cells[number] for number in chosen]


def _checked(loaded: LoadedStudy, plan: Plan, cell: Cell) -> Loaded:
    from worldsim.processes.simulation import Simulation  # noqa: PLC0415  # slow to import

    found = loaded.cell(plan.files[cell.scenario], cell.settings)
    try:
        Simulation(found.scenario, seed=plan.seed(cell.number, 0), write=bytearray().extend)
    except UnfitScenarioError as unfit:
        raise loaded.unfit(unfit, found, cell.settings) from unfit
    return found


def _metric_names(study: StudyFile) -> Iterator[Finding]:
    """Names of metrics that do not exist; ingredients are not looked up yet."""
    named = study.study.metrics
    sql = [each.name for each in study.metrics]
    for i, name in enumerate(sql):
        if name in SHIPPED:
            yield ("metrics", i, "name"), name, "another name: worldsim has a metric of this one"
    known = [*known_names(()), *sql]
    for i, name in enumerate(named):
        family, dot, _ = name.partition(".")
        if name not in known and not (dot and family in OF_INGREDIENTS):
            what = f"one of: {', '.join(known)}; some of one ingredient, as taken.ferrite"
            yield ("study", "metrics", i), name, what + did_you_mean(name, known)
    own = list(dict.fromkeys([*named, *sql]))
    taken = {each.column.lower() for each in study.factors}
    if study.stop is not None and study.stop.metric not in own:
        what = f"a metric that the study names: {', '.join(own) or 'it names none'}"
        yield ("stop", "metric"), study.stop.metric, what + did_you_mean(study.stop.metric, own)
    if not own and taken.intersection(known):
        yield ("factors",), "the name of a metric", "names of their own"


def _ingredients(study: StudyFile, scenario: Scenario) -> Iterator[Finding]:
    """Metrics of ingredients that the scenario does not have."""
    ids = [each.id for each in scenario.ingredients]
    for i, name in enumerate(study.study.metrics):
        family, dot, ingredient = name.partition(".")
        if dot and family in OF_INGREDIENTS and ingredient not in ids:
            what = f"{family}. and an ingredient of the scenario: {', '.join(ids[:20])}"
            yield ("study", "metrics", i), name, what + did_you_mean(ingredient, ids)


def _tried(study: StudyFile, plan: Plan) -> Iterator[Finding]:
    """Metrics that can give no number, whatever happens."""
    if not study.metrics:
        return
    wrong = wrong_metrics(plan.job(0, 0))
    for i, metric in enumerate(study.metrics):
        if metric.name in wrong:
            yield ("metrics", i, "sql"), metric.sql, f"SQL of one number: {wrong[metric.name]}"
