"""``run``, ``runs`` and ``show``: a campaign from the command line."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import worldsim as ws

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Command = Callable[..., Result]

ROOT = Path(__file__).parents[2]
RUN = "new_world-1"

pytestmark = pytest.mark.usefixtures("at_work")


def test_a_run_is_summed_up_for_people(worldsim: Command) -> None:
    result = worldsim("run", "world.toml", "--seed", "2", "--days", "30")
    assert result.exit_code == 0
    assert "simulating 30 days of new_world into runs/new_world-2" in result.stderr
    out = result.stdout
    assert out.startswith("new_world, seed 2: finished, day 30 of 30; ")
    for part in ("Delivered: ", "In the ground: ", "Teams: ", "Files: runs/new_world-2"):
        assert part in out
    assert "  worldsim run world.toml --seed 3" in out
    assert "\x1b" not in out + result.stderr


def test_what_is_recommended_next_works(worldsim: Command) -> None:
    out = worldsim("show", RUN).stdout
    recommended = [line.strip() for line in out.splitlines() if line.startswith("  worldsim ")]
    assert len(recommended) >= 2
    for line in recommended:
        assert worldsim(*shlex.split(line)[1:]).exit_code == 0


def test_the_summary_in_json_agrees_with_the_tables_of_the_run(worldsim: Command) -> None:
    document = json.loads(worldsim("show", RUN, "--json").stdout)
    run = ws.Run.open(f"runs/{RUN}")
    assert (document["status"], document["day"], document["days"]) == ("finished", 60, 60)
    assert document["events"]["debug"] == 0
    [(taken,)] = run.query("select sum(units) from takings").fetchall()
    ground = document["by_ingredient"].values()
    assert sum(each["initial"] for each in ground) == 2160
    assert 0 < taken <= 2160
    for by in ("by_region", "by_ingredient"):
        for stock in document[by].values():
            assert (stock["curve"][0], stock["curve"][-1]) == (stock["initial"], stock["left"])


def test_a_run_is_found_by_path_and_by_name(worldsim: Command) -> None:
    by_name = worldsim("show", RUN, "--json").stdout
    assert worldsim("show", f"runs/{RUN}", "--json").stdout == by_name
    assert worldsim("show", str(Path("runs", RUN).absolute()), "--json").stdout == by_name


def test_the_same_run_again_says_so_and_is_not_simulated(worldsim: Command) -> None:
    before = sorted(Path("runs").iterdir())
    result = worldsim("run", "world.toml", "--days", "60")
    assert result.exit_code == 0
    assert f"log of level info: runs/{RUN}" in result.stderr
    assert sorted(Path("runs").iterdir()) == before


def test_out_onto_something_that_exists_is_refused(worldsim: Command) -> None:
    result = worldsim("run", "world.toml", "--out", f"runs/{RUN}")
    assert result.exit_code == 2
    assert "exists already" in result.stderr


def test_out_below_a_file_is_refused_by_the_name_of_the_file(
    worldsim: Command, tmp_path: Path
) -> None:
    (tmp_path / "f").write_text("mine")
    result = worldsim("run", "world.toml", "--out", str(tmp_path / "f" / "x" / "y"))
    assert result.exit_code == 2
    assert f"{tmp_path / 'f'} is no folder" in result.stderr
    assert ".tmp" not in result.stderr


def test_fewer_days_than_a_finished_run_are_simulated_anew(
    worldsim: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy("world.toml", tmp_path)
    monkeypatch.chdir(tmp_path)
    args = ["run", "world.toml", "--quiet", "--days"]
    for days in ("4", "3", "4"):
        assert worldsim(*args, days).exit_code == 0
    assert [ws.Run.open(path).manifest.days for path in sorted(Path("runs").iterdir())] == [4, 3]


def test_a_single_colony_is_counted_in_the_singular(worldsim: Command) -> None:
    out = worldsim("check", "world.toml").stdout
    assert "1 colony, 2 teams" in out


def test_overrides_seed_and_level_reach_the_run(worldsim: Command, tmp_path: Path) -> None:
    out = tmp_path / "other"
    result = worldsim(
        "run", "world.toml", "--set", "planet.regions=2", "--set", 'campaign.name="other"',
        "--seed", "9", "--days", "3", "--log-level", "debug", "--out", str(out), "--json",
    )  # fmt: skip
    document = json.loads(result.stdout)
    assert (document["campaign"], document["seed"], document["level"]) == ("other", 9, "debug")
    assert len(document["by_region"]) == 2
    assert document["events"]["debug"] > 0


def test_a_wrong_override_is_refused_and_nothing_written(worldsim: Command, tmp_path: Path) -> None:
    out = tmp_path / "none"
    result = worldsim("run", "world.toml", "--set", "planet.regins=2", "--out", str(out))
    assert result.exit_code == 2
    assert "--set 1" in result.stderr
    assert "regions" in result.stderr
    assert not out.exists()


def test_runs_are_listed_with_state_day_and_size(worldsim: Command) -> None:
    row = next(line for line in worldsim("runs").stdout.splitlines() if line.startswith(f"{RUN} "))
    assert row.split()[:5] == [RUN, "finished", "60", "60", "1"]
    rows = json.loads(worldsim("runs", "runs", "--json").stdout)
    [found] = [each for each in rows if each["name"] == RUN]
    assert found["size_bytes"] > 1000
    assert found["problem"] is None


def test_a_killed_run_is_interrupted_everywhere_and_how_to_go_on_is_said(
    worldsim: Command, tmp_path: Path
) -> None:
    cut = tmp_path / "cut"
    campaign = ws.open_campaign(ws.load("lone_colony"), days=60, out=tmp_path / "begun")
    for _ in range(20):
        campaign.step()
    shutil.copytree(tmp_path / "begun", cut, ignore=shutil.ignore_patterns(".lock"))
    campaign.stop()
    [listed] = json.loads(worldsim("runs", str(cut), "--json").stdout)
    shown = worldsim("show", str(cut))
    assert listed["state"] == "interrupted"
    assert ": interrupted, day " in shown.stdout
    assert f"go on with: worldsim resume {cut}" in shown.stderr
    assert json.loads(worldsim("show", str(cut), "--json").stdout)["status"] == "interrupted"


def test_a_damaged_run_is_listed_and_refused_with_its_reason(
    worldsim: Command, tmp_path: Path
) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "manifest.json").write_text("{}")
    [found] = json.loads(worldsim("runs", str(tmp_path), "--json").stdout)
    assert found["state"] == "damaged"
    assert "damaged" in worldsim("runs", str(tmp_path)).stdout
    result = worldsim("show", str(tmp_path / "bad"))
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")


def test_a_folder_without_runs_says_how_to_begin(worldsim: Command, tmp_path: Path) -> None:
    assert "worldsim run" in worldsim("runs", str(tmp_path)).stderr
    assert worldsim("runs", str(tmp_path / "missing")).exit_code == 2


@pytest.mark.parametrize("command", [["show"], ["events"], ["query"]])
def test_an_unknown_run_is_refused_with_a_near_one(command: list[str], worldsim: Command) -> None:
    sql = ["from stocks"] if command == ["query"] else []
    result = worldsim(*command, "new_wrld-1", *sql)
    assert result.exit_code == 2
    assert f"did you mean {RUN}?" in result.stderr


def test_a_log_of_warnings_only_claims_nothing_about_deliveries(
    worldsim: Command, tmp_path: Path
) -> None:
    args = ["run", "world.toml", "--days", "20", "--log-level", "warning"]
    out = worldsim(*args, "--out", str(tmp_path / "quiet")).stdout
    assert "Delivered" not in out
    assert "warnings only" in out


def test_a_signal_stops_at_midnight_with_130_and_a_run_that_can_be_read(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "worldsim", "run", "world.toml", "--days", "900000",
               "--log-level", "warning", "--out", str(tmp_path / "long")]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        manifest = tmp_path / "long" / "manifest.json"
        deadline = time.monotonic() + 20
        while not manifest.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert "stopping at the next midnight" in err
    assert "interrupted after day" in err
    assert "Traceback" not in err
    assert "interrupted, day" in out
    assert ws.Run.open(tmp_path / "long").manifest.status == "interrupted"


def test_of_several_commands_begun_at_once_each_has_a_folder_of_its_own(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "worldsim", "run", "lone_colony", "--seed", "9", "--quiet"]
    begun = [subprocess.Popen(command, cwd=tmp_path) for _ in range(3)]
    assert [each.wait() for each in begun] == [0, 0, 0]
    runs = {each.name for each in (tmp_path / "runs").iterdir()}
    assert runs <= {"lone_colony-9", "lone_colony-9-2", "lone_colony-9-3"}


def test_a_folder_that_is_none_of_worldsims_is_no_damaged_run(
    worldsim: Command, tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "lost" / "events").mkdir(parents=True)
    [found] = json.loads(worldsim("runs", str(tmp_path), "--json").stdout)
    assert (found["name"], found["state"]) == ("lost", "damaged")


@pytest.mark.parametrize(
    ("out", "says"), [("", "a name is wanted"), ("x" * 300, "too long"), ("a\0b", "null")]
)
def test_a_name_that_no_folder_can_have_is_refused(
    out: str, says: str, worldsim: Command, tmp_path: Path
) -> None:
    del tmp_path
    result = worldsim("run", "lone_colony", "--out", out)
    assert result.exit_code == 2
    assert says in result.stderr
