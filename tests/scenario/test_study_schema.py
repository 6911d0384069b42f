"""The schema of study files: an editor that goes by it agrees with what the loader says."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from worldsim.scenario import ScenarioError, configs_dir
from worldsim.scenario.study_loading import load_study_file, study_schema
from worldsim.scenario.writing import resolved_toml

if TYPE_CHECKING:
    from pathlib import Path

LEAST = """schema = 1
[study]
name = "least"
scenario = "lone_colony"
days = 8
replications = 3
seed = 3
"""
SHIPPED = sorted((configs_dir() / "studies").glob("*.toml"))


@pytest.fixture(scope="module", name="check")
def _check() -> Draft202012Validator:
    schema = study_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def faults(check: Draft202012Validator, text: str) -> list[str]:
    """What an editor would say of a file, key by key."""
    data: Any = json.loads(json.dumps(tomllib.loads(text)))
    return [f"{error.json_path}: {error.message}" for error in check.iter_errors(data)]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_study_fits_the_schema_as_written_and_as_resolved(
    path: Path, check: Draft202012Validator
) -> None:
    assert faults(check, path.read_text(encoding="utf-8")) == []
    assert faults(check, resolved_toml(load_study_file(path).file)) == []


def test_there_are_shipped_studies_to_look_at() -> None:
    assert len(SHIPPED) >= 6


def test_a_file_may_leave_what_it_lacks_to_the_one_it_extends(check: Draft202012Validator) -> None:
    assert faults(check, 'extends = "base.toml"\n[study]\ndays = 3\n') == []
    assert faults(check, LEAST) == []


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ("keeep = 1", "$.study"),
        ('keep = "all"', "$.study.keep"),
        ("warm_up_days = -1", "$.study.warm_up_days"),
        ("warm_up_days = 1.5", "$.study.warm_up_days"),
        ("metrics = [3]", "$.study.metrics[0]"),
        ("[[factors]]\nvalues = []", "$.factors[0].values"),
        ("[[factors]]\nrange = [1, 2, 3]", "$.factors[0].range"),
        ("[[factors]]\n[factors.variants.a]\nsets = []", "$.factors[0].variants.a"),
        ('[design]\nkind = "cube"', "$.design.kind"),
        ("[design]\nsteps = 1", "$.design.steps"),
        ('[stop]\nmetric = "taken"\nhalf_width = 0\nceiling = 9', "$.stop.half_width"),
        ('[stop]\nmetric = "taken"\nhalf_width = 1\nceiling = "9"', "$.stop.ceiling"),
        ('[[factors]]\nname = "a"\nkey = 3', "$.factors[0].key"),
        ('[[metrics]]\nname = "a"', "$.metrics[0]"),
        ("[stdy]", "$"),
    ],
)
def test_what_the_loader_refuses_for_its_form_the_schema_refuses_at_the_same_key(
    more: str, where: str, check: Draft202012Validator, tmp_path: Path
) -> None:
    (fault,) = faults(check, LEAST + more)
    assert fault.startswith(where)
    file = tmp_path / "wrong.toml"
    file.write_text(LEAST + more)
    with pytest.raises(ScenarioError):
        load_study_file(file)
