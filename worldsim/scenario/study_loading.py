"""Study files to studies, and their cells to scenarios, with every fault in its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w
from pydantic import ValidationError

from worldsim.scenario.checks import cross_checks
from worldsim.scenario.faults import Fault, ScenarioError, in_order
from worldsim.scenario.layers import layered_file, layered_text, refuse_other_kind
from worldsim.scenario.loading import load_with_origins
from worldsim.scenario.model import Scenario
from worldsim.scenario.overrides import ORDER
from worldsim.scenario.shipped import SCENARIOS, STUDIES, find, find_beside
from worldsim.scenario.study_checks import study_checks
from worldsim.scenario.study_model import StudyFile
from worldsim.scenario.validation import found_fault, validated
from worldsim.scenario.writing import plain_data, schema_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from worldsim.errors import UnfitScenarioError
    from worldsim.scenario.checks import Finding, KeyPath
    from worldsim.scenario.layers import Layered
    from worldsim.scenario.loading import Loaded

    Checks = Callable[[StudyFile], list[Finding]]
    More = Callable[[StudyFile], Iterable[Finding]]

LIKELY: dict[str, Any] = {"name": "study", "days": 10**6, "replications": 2, "seed": 1}
"""What stands in for keys that must be there and are not, while further faults are looked for."""


@dataclass(frozen=True, slots=True)
class Setting:
    """An override of a cell, and the key of the study that asks for it.

    Attributes:
        text: As of ``--set``.
        path: Of the study.
    """

    text: str
    path: KeyPath


@dataclass(frozen=True, slots=True)
class LoadedStudy:
    """A study file that is right by itself, and where its keys stand.

    Attributes:
        file: What it says.
        layered: What it was read from.
        path: The file.
    """

    file: StudyFile
    layered: Layered
    path: Path

    def error(self, findings: Iterable[Finding]) -> ScenarioError:
        """What was found wrong later, with file, line and column."""
        return ScenarioError(in_order([found_fault(each, self.layered) for each in findings]))

    def scenario_path(self, path: KeyPath, name: str) -> Path:
        """The scenario file that a key of the study names; there is one, as was checked."""
        found = find_beside(name, self.layered.origins.folder(path), SCENARIOS)
        if found is None:
            what = "a scenario file that is there"
            raise self.error([(path, name, what)])
        return found

    def cell(self, source: Path, settings: Sequence[Setting]) -> Loaded:
        """The scenario of a cell.

        Raises:
            ScenarioError: with every fault, those of the cell's own overrides at their places in
                the study file.
        """
        try:
            return load_with_origins(source, sets=[each.text for each in settings])
        except ScenarioError as error:
            raise self._at_home(error, settings) from None

    def unfit(
        self, unfit: UnfitScenarioError, loaded: Loaded, settings: Sequence[Setting]
    ) -> ScenarioError:
        """What was found wrong while a cell's world was made, likewise."""
        return self._at_home(loaded.located(unfit), settings)

    def _at_home(self, error: ScenarioError, settings: Sequence[Setting]) -> ScenarioError:
        """The same faults, but those of overrides where the study asks for them."""
        faults = [self._moved(fault, settings) for fault in error.faults]
        return ScenarioError(in_order(faults), error.unsaid)

    def _moved(self, fault: Fault, settings: Sequence[Setting]) -> Fault:
        number = fault.place.order - ORDER
        if not 1 <= number <= len(settings):
            return fault
        return replace(fault, place=self.layered.origins.place(settings[number - 1].path))


def load_study_file(
    source: str | Path, *, sets: Sequence[str] = (), more: More | None = None
) -> LoadedStudy:
    """Read a study file.

    Args:
        source: A path, or the name of a shipped study.
        sets: Overrides of its keys, as of ``--set``: ``"study.days=30"``.
        more: Looks for what only other rooms know, such as names of metrics.

    Raises:
        ScenarioError: with every fault found.
    """
    path = find(source, STUDIES)
    layered = layered_file(path, sets)
    refuse_other_kind(layered, "study", "campaign", "worldsim run")

    def checks(study: StudyFile) -> list[Finding]:
        found = list(study_checks(study, layered.origins))
        return found + list(more(study) if more is not None else ())

    try:
        return LoadedStudy(validated(StudyFile, layered, checks), layered, path)
    except ScenarioError as error:
        raise _with_more(error, layered, checks) from None


def _with_more(error: ScenarioError, layered: Layered, checks: Checks) -> ScenarioError:
    """The same faults, and what the checks find beside wrong keys that have no default.

    By now the data has been mended where it could be, and such keys are missing in it.
    """
    table = layered.data.get("study")
    if error.unsaid or layered.partial or not isinstance(table, dict):
        return error
    missing = [name for name in LIKELY if name not in table]
    if not missing:
        return error
    table.update({name: LIKELY[name] for name in missing})
    try:
        study = StudyFile.model_validate(layered.data)
    except ValidationError:
        return error
    told = {fault.key for fault in error.faults} | {f"study.{name}" for name in missing}
    found = [found_fault(each, layered) for each in checks(study)]
    faults = [*error.faults, *(fault for fault in found if fault.key not in told)]
    return ScenarioError(in_order(faults))


def study_schema() -> dict[str, Any]:
    """The JSON Schema of a study file, for editors; a study lays nothing on a catalogue."""
    schema = schema_of(StudyFile)
    del schema["properties"]["catalogue"]
    return schema


def enclosed_text(source: Path) -> str:
    """A scenario file with all it names laid into it, as TOML; no default is written out.

    Overrides mean the same on it as on the file itself.
    """
    return tomli_w.dumps(layered_file(source).data)


def cell_scenario(text: str, sets: Sequence[str]) -> Scenario:
    """The scenario of a cell, from an enclosed text.

    Raises:
        ScenarioError: with every fault found.
    """
    layered = layered_text(text, "scenario", Path(), sets, enclosed=True)
    return validated(Scenario, layered, cross_checks)


def with_scenarios(study: StudyFile, named: Mapping[KeyPath, str]) -> StudyFile:
    """A study whose scenario files have other names.

    Args:
        study: The study.
        named: New names by the key paths of the old ones.
    """
    data = plain_data(study)
    for path, name in named.items():
        holder: Any = data
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = name
    return StudyFile.model_validate(data)
