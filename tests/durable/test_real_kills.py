"""Runs that are killed at random instants, resumed, and killed again, end in the same bytes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from soaking.targets import content_of, day_on_disk, difference

from worldsim.runs import simulate
from worldsim.scenario import load

TOOL = Path(__file__).parents[2] / "tools" / "soak.py"
KILLS = 5
"""Of one run; ``tools/soak.py --kills 300`` kills many, of the command and with a full log too."""


@pytest.fixture(scope="module")
def killed() -> dict[str, Any]:
    """The tool forks, and so wants a process of its own that has no threads."""
    asked = [sys.executable, str(TOOL), "--kills", str(KILLS), "--workers", "1", "--json"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    told: dict[str, Any] = json.loads(done.stdout)["kills"]
    return told


def test_whenever_a_run_is_killed_it_resumes_to_the_same_bytes(killed: dict[str, Any]) -> None:
    assert killed["failures"] == []
    assert killed["kills"] == KILLS
    assert 0 < killed["runs"] <= KILLS / 2, "several kills a run"


def test_most_kills_fall_after_day_1(killed: dict[str, Any]) -> None:
    assert killed["after_day_1"] >= 0.6 * KILLS


def test_a_run_that_came_to_something_else_is_told_apart(tmp_path: Path) -> None:
    scenario = load("lone_colony", sets=["record.segment_days=4"])
    simulate(scenario, days=12, out=tmp_path / "a")
    simulate(scenario, days=12, out=tmp_path / "same")
    simulate(scenario, days=12, seed=8, out=tmp_path / "other")
    one, same, other = (content_of(tmp_path / name) for name in ("a", "same", "other"))
    assert difference(one, same) == ""
    assert "events/000001.jsonl" in difference(one, other)
    missing = {name: digest for name, digest in one.items() if name != "events/000002.jsonl"}
    assert difference(one, missing) == "events/000002.jsonl differ"


def test_the_day_on_the_disk_is_that_of_the_newest_file_that_tells_of_one(tmp_path: Path) -> None:
    assert day_on_disk(tmp_path / "nothing") == 0
    scenario = load("lone_colony", sets=["record.segment_days=4"])
    simulate(scenario, days=12, out=tmp_path / "a", stop=lambda: True)
    assert day_on_disk(tmp_path / "a") == 1
