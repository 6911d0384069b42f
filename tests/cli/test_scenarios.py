"""``new`` and ``check``: before a run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Command = Callable[..., Result]


def test_the_starter_scenario_has_no_fault(worldsim: Command, at_work: Path) -> None:
    assert (at_work / "world.toml").is_file()
    facts = json.loads(worldsim("check", "world.toml", "--json").stdout)
    assert facts.pop("digest").isalnum()
    assert facts == {
        "ok": True,
        "scenario": "new_world",
        "days": 180,
        "seed": 1,
        "regions": 3,
        "sectors": 9,
        "ingredients": 4,
        "units_in_ground": 2160,
        "colonies": 1,
        "teams": 2,
        "people": 10,
    }


@pytest.mark.usefixtures("at_work")
def test_a_right_scenario_is_ok_and_counted(worldsim: Command) -> None:
    out = worldsim("check", "world.toml", "--set", "planet.regions=5").stdout
    assert out.startswith("world.toml: ok\n")
    assert "5 regions, 15 sectors" in out
    assert "digest" in out


@pytest.mark.usefixtures("at_work")
def test_new_overwrites_nothing(worldsim: Command, at_work: Path) -> None:
    before = (at_work / "world.toml").read_bytes()
    result = worldsim("new", "world.toml")
    assert result.exit_code == 2
    assert "world.toml exists already: nothing was written; give another" in result.stderr
    assert (at_work / "world.toml").read_bytes() == before


def test_new_says_why_it_cannot_write(worldsim: Command, tmp_path: Path) -> None:
    result = worldsim("new", str(tmp_path / "missing" / "world.toml"))
    assert result.exit_code == 2
    assert "there is no folder" in result.stderr


def test_every_fault_of_a_scenario_is_reported_with_its_place(
    worldsim: Command, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('schema = 1\n[campaign]\nname = "x"\ndays = -3\n[planet]\nshap = "ring"\n')
    result = worldsim("check", str(wrong))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert f"{wrong}:4:" in result.stderr
    assert f"{wrong}:6:" in result.stderr
    assert "shape" in result.stderr
    document = json.loads(worldsim("check", str(wrong), "--json").stdout)
    assert document["ok"] is False
    assert {4, 6} <= {fault["line"] for fault in document["faults"]}


@pytest.mark.usefixtures("at_work")
def test_a_target_nobody_can_reach_is_found_without_a_run(worldsim: Command) -> None:
    args = ["check", "world.toml", "--set", 'colonies=[{id="a", targets=["r9/s1"]}]']
    result = worldsim(*args)
    assert result.exit_code == 2
    assert "r9/s1" in result.stderr
    document = json.loads(worldsim(*args, "--json").stdout)
    assert document["ok"] is False
    assert "r9/s1" in json.dumps(document)


@pytest.mark.parametrize("command", ["check", "run"])
def test_a_missing_scenario_is_refused_with_what_there_is(
    command: str, worldsim: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = worldsim(command, "no_such_world")
    assert result.exit_code == 2
    assert "is neither a file nor a shipped scenario" in result.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("of", ["scenario", "study", "events"])
def test_the_reference_comes_as_json_schema_and_as_tables(of: str, worldsim: Command) -> None:
    schema = json.loads(worldsim("schema", of).stdout)
    assert schema["$schema"].endswith("2020-12/schema")
    assert worldsim("schema", of, "--json").stdout == worldsim("schema", of).stdout
    assert "| --- |" in worldsim("schema", of, "--format", "markdown").stdout


def test_the_scenario_tables_have_every_option_with_its_default(worldsim: Command) -> None:
    lines = worldsim("schema", "scenario", "--format", "markdown").stdout.splitlines()
    assert "| `planet.regions` | `6` | whole number from 1 to 2000 | number of regions |" in lines
    assert any(line.startswith("| `colonies.teams.crew.size` | `5` |") for line in lines)
    assert any(line.startswith("| `missions.NAME.kind` | `(required)` |") for line in lines)


def test_the_study_tables_have_every_key_with_its_default(worldsim: Command) -> None:
    lines = worldsim("schema", "study", "--format", "markdown").stdout.splitlines()
    days = "| `study.days` | `(required)` | whole number from 1 to 1000000 "
    assert any(line.startswith(days) for line in lines)
    assert any(line.startswith('| `design.kind` | `"grid"` | grid \\| list') for line in lines)
    keys = {line.split("`")[1] for line in lines[2:]}
    assert {"study.set", "factors.range", "factors.variants.NAME.set", "stop.ceiling"} <= keys
    assert set(json.loads(worldsim("schema", "study").stdout)["properties"]) - {"extends"} <= keys
