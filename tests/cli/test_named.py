"""What is named on the command line: a run, a study, either, or nothing that is there."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Command = Callable[..., Result]

RUN = "new_world-1"
STUDY = """
schema = 1
[study]
name = "small"
scenario = "lone_colony"
days = 2
replications = 1
seed = 1
"""


@pytest.fixture(name="study")
def _study(at_work: Path, worldsim: Command) -> str:
    """A study of this name, beside the run."""
    shutil.rmtree(at_work / "studies", ignore_errors=True)
    Path("small.toml").write_text(STUDY, encoding="utf-8")
    assert worldsim("study", "run", "small.toml", "--quiet").exit_code == 0
    return "small"


@pytest.mark.parametrize("command", [["show"], ["events"], ["verify"], ["why", "1"]])
def test_a_study_where_a_run_is_wanted_is_called_one(
    command: list[str], study: str, worldsim: Command
) -> None:
    for given in (study, f"studies/{study}"):
        result = worldsim(command[0], given, *command[1:])
        assert result.exit_code == 2
        assert f"'{given}' is a study, not a run" in result.stderr
        assert f"worldsim study show {given}" in result.stderr


@pytest.mark.parametrize("command", [["show"], ["compare"], ["resume"]])
def test_a_run_where_a_study_is_wanted_is_called_one(
    command: list[str], study: str, worldsim: Command
) -> None:
    del study
    result = worldsim("study", *command, RUN)
    assert result.exit_code == 2
    assert f"'{RUN}' is a run, not a study; see: worldsim show {RUN}" in result.stderr


@pytest.mark.parametrize("command", ["report", "depletion", "view"])
def test_where_either_may_stand_both_are_thought_of(
    command: str, study: str, worldsim: Command
) -> None:
    assert "neither a run nor a study" in worldsim(command, "nothing").stderr
    assert f"did you mean {study}?" in worldsim(command, "smal").stderr
    assert f"did you mean {RUN}?" in worldsim(command, "new_wrld-1").stderr


def test_runs_takes_the_name_of_one_run(study: str, worldsim: Command) -> None:
    del study
    assert RUN in worldsim("runs", RUN).stdout
    assert "worldsim runs runs" in worldsim("runs", ".").stderr
    for given in ("nothing", "x" * 300, "small.toml"):
        result = worldsim("runs", given)
        assert result.exit_code == 2
        assert "is no run" in result.stderr


def test_a_damaged_study_is_no_wrong_input(study: str, worldsim: Command) -> None:
    Path("studies", study, "study.toml").write_bytes(b"\xff\xfe")
    for command in (["study", "show"], ["study", "resume"], ["report"]):
        result = worldsim(*command, study)
        assert result.exit_code == 1, command
        assert f"studies/{study}/study.toml was damaged" in result.stderr


def test_no_run_is_written_into_another(at_work: Path, worldsim: Command) -> None:
    result = worldsim("run", "lone_colony", "--days", "1", "--out", f"runs/{RUN}/within")
    assert result.exit_code == 2
    assert "is within the run" in result.stderr
    assert not (at_work / "runs" / RUN / "within").exists()


def test_a_study_is_no_damaged_run(study: str, worldsim: Command) -> None:
    assert "There is no run in studies" in worldsim("runs", "studies").stderr
    assert f"worldsim study show studies/{study}" in worldsim("runs", f"studies/{study}").stderr
