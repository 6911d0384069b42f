"""What a study simulates: its cells, their seeds, in which order, and what is read from each."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from worldsim.scenario.study_loading import Setting, enclosed_text
from worldsim.study import designs
from worldsim.study.metrics import DEFAULTS, Metric, named_metric
from worldsim.study.work import CELLS_AT_ONCE, Job

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from worldsim.scenario.faults import KeyPath
    from worldsim.scenario.study_loading import LoadedStudy
    from worldsim.scenario.study_model import FactorTable, StudyFile
    from worldsim.study.designs import Design, Factor, Value

BASE: KeyPath = ("study", "scenario")
FREE_OF_DIGEST = ("name", "question", "answer", "scenario", "replications", "keep")
"""Keys of ``[study]`` that change nothing in the row of a campaign."""
SEED_BYTES = 8
SAMPLERS = {
    "latin_hypercube": designs.latin_hypercube,
    "sobol": designs.sobol,
    "morris": designs.morris,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A combination of the factors.

    Attributes:
        number: From 0.
        values: Of each factor, by its column; a variant by its name.
        scenario: The key path of the study that names its scenario file.
        settings: What differs, in the order in which it is laid on.
    """

    number: int
    values: Mapping[str, Value]
    scenario: KeyPath
    settings: tuple[Setting, ...]

    @property
    def label(self) -> str:
        """For people: ``cost=0, policy=nearest``."""
        return ", ".join(f"{name}={shown(value)}" for name, value in self.values.items())


@dataclass(frozen=True)
class Plan:
    """A whole study, before any of it is simulated.

    Attributes:
        study: As it was written.
        design: Its points; None where there are no factors.
        cells: One for each point.
        metrics: Read from each campaign, the watched one first.
        files: Scenario files by the key paths that name them.
    """

    study: StudyFile
    design: Design | None
    cells: tuple[Cell, ...]
    metrics: tuple[Metric, ...]
    files: Mapping[KeyPath, Path]

    @cached_property
    def sources(self) -> Mapping[KeyPath, str]:
        """The scenarios as enclosed texts, by the key paths that name them."""
        return {path: enclosed_text(file) for path, file in self.files.items()}

    @cached_property
    def digest(self) -> str:
        """SHA-256, in hex, of all that decides what is in the row of a campaign."""
        data = self.study.model_dump(mode="json", by_alias=True)
        for name in FREE_OF_DIGEST:
            data["study"].pop(name)
        data.pop("stop")
        for factor in data["factors"]:
            for variant in (factor["variants"] or {}).values():
                variant.pop("scenario")
        data["metrics of all"] = [each.name for each in self.metrics]
        data["scenarios"] = [
            [str(path), tomllib.loads(text)] for path, text in self.sources.items()
        ]
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def watched(self) -> Metric:
        """The metric that progress tells of."""
        stop = self.study.stop
        named = (each for each in self.metrics if stop is not None and each.name == stop.metric)
        return next(named, self.metrics[0])

    @property
    def factors(self) -> tuple[str, ...]:
        """The columns of the factors."""
        return () if self.design is None else tuple(each.name for each in self.design.factors)

    def order(self, first: int, last: int) -> list[tuple[int, int]]:
        """Cells and replications from ``first`` to before ``last``, as they are simulated.

        A few cells take turns until they are through: so what is there at any time can be compared,
        and a worker need not read a scenario each time.
        """
        return [
            (cell, replication)
            for start in range(0, len(self.cells), CELLS_AT_ONCE)
            for replication in range(first, last)
            for cell in range(start, min(start + CELLS_AT_ONCE, len(self.cells)))
        ]

    def seed(self, cell: int, replication: int) -> int:
        """The seed of a campaign: the same in all cells, unless the study says otherwise."""
        table = self.study.study
        words: list[str | int] = ["study", table.seed, replication]
        if not table.common_random_numbers:
            words.append(cell)
        return derived(*words)

    def job(self, cell: int, replication: int, folder: str | None = None) -> Job:
        """What a worker has to do.

        Args:
            cell: Its number.
            replication: From 0.
            folder: Where the campaign is to be kept, if it is.
        """
        table, chosen = self.study.study, self.cells[cell]
        return Job(
            cell=cell,
            replication=replication,
            seed=self.seed(cell, replication),
            source=self.sources[chosen.scenario],
            sets=tuple(each.text for each in chosen.settings),
            days=table.days,
            warm_up_days=table.warm_up_days,
            metrics=self.metrics,
            folder=folder,
            every_event=table.keep == "everything",
        )


def derived(*words: str | int) -> int:
    """A number from 0 to 2⁶³-1 that follows from these words and nothing else."""
    text = "\0".join(map(str, words)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=SEED_BYTES).digest()) >> 1


def shown(value: Value) -> str:
    """A factor's value for people."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def make_plan(loaded: LoadedStudy) -> Plan:
    """Work out what a study simulates.

    Raises:
        ScenarioError: a scenario it names cannot be found.
        UnfitDataError: its design has too many points.
        MissingExtraError: its design needs a library that is not installed.
    """
    study = loaded.file
    design = _design(study)
    points = [{}] if design is None else design.points
    cells = tuple(_cell(study, number, point) for number, point in enumerate(points))
    files = {
        path: loaded.scenario_path(path, _named(study, path))
        for path in dict.fromkeys(cell.scenario for cell in cells)
    }
    return Plan(study, design, cells, _metrics(study), files)


def _metrics(study: StudyFile) -> tuple[Metric, ...]:
    """Those that are listed, in that order; then the study's own, which need not be listed."""
    own = {each.name: Metric(each.name, "sql", each.sql) for each in study.metrics}
    names = study.study.metrics or (() if own else DEFAULTS)
    listed = {name: own.get(name) or named_metric(name) for name in names}
    return tuple((listed | own).values())


def _design(study: StudyFile) -> Design | None:
    if not study.factors:
        return None
    factors = [_factor(each) for each in study.factors]
    asked = study.design
    kind = "grid" if asked is None else asked.kind
    points = 0 if asked is None or asked.points is None else asked.points
    seed = derived("design", study.study.seed)
    if kind == "list":
        return designs.listed([each for each in factors if isinstance(each, designs.Levels)])
    if kind == "saltelli":
        pairs = asked is not None and asked.second_order
        return designs.saltelli(factors, points, seed=seed, second_order=pairs)
    if kind in SAMPLERS:
        return SAMPLERS[kind](factors, points, seed=seed)
    return designs.grid(factors, steps=designs.STEPS if asked is None else asked.steps)


def _factor(table: FactorTable) -> Factor:
    if table.range is not None:
        low, high = table.range
        return designs.Range(table.column, low, high, table.whole, table.log)
    return designs.Levels(table.column, tuple(table.values or table.variants or ()))


def _cell(study: StudyFile, number: int, point: Mapping[str, Value]) -> Cell:
    """A cell: what it lays on which scenario, and which keys of the study say so."""
    scenario: KeyPath = BASE
    settings = [Setting(text, ("study", "set", i)) for i, text in enumerate(study.study.sets)]
    for i, factor in enumerate(study.factors):
        value = point[factor.column]
        if factor.variants is None:
            settings.append(Setting(f"{factor.key}={_literal(value)}", _place(i, factor, value)))
            continue
        path: KeyPath = ("factors", i, "variants", str(value))
        variant = factor.variants[str(value)]
        if variant.scenario is not None:
            scenario = (*path, "scenario")
        settings += [Setting(text, (*path, "set", k)) for k, text in enumerate(variant.sets)]
    return Cell(number, point, scenario, tuple(settings))


def _place(i: int, factor: FactorTable, value: Value) -> KeyPath:
    """The key of the study that gives a factor its value."""
    if factor.values is None:
        return ("factors", i, "range")
    return ("factors", i, "values", factor.values.index(value))


def _literal(value: Value) -> str:
    """A value as TOML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _named(study: StudyFile, path: KeyPath) -> str:
    """The scenario file that a key of a study names."""
    if path == BASE:
        return study.study.scenario
    variants = study.factors[int(path[1])].variants or {}
    return variants[str(path[3])].scenario or study.study.scenario
