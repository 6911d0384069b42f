"""A run that was stored once opens for ever; one of a format to come says what to do.

``old_runs/format-N`` holds what the first worldsim of that format wrote, and never changes:
``run`` is ``lone_colony`` over 20 days, ``expected.json`` what was read from it then.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from whole_runs import finished, forge

from worldsim.cli.main import cli
from worldsim.cli.summary import summary_json
from worldsim.runs import Run, list_runs, verify
from worldsim.runs.manifest import FORMAT, NewerFormatError
from worldsim.runs.pruning import compress_run, prune
from worldsim.runs.tables import TABLES

OLD = Path(__file__).with_name("old_runs")
FORMATS = sorted(path.name for path in OLD.iterdir())


def read(folder: Path) -> dict[str, Any]:
    """All that a run tells, in few words: large answers as their checksums."""
    run = Run.open(folder)
    rows = {name: run.query(f"FROM {name} ORDER BY ALL").fetchall() for name in ("events", *TABLES)}
    lines = list(run.lines())
    told = {
        "manifest": [
            run.manifest.campaign,
            run.manifest.seed,
            run.manifest.day,
            run.manifest.level,
        ],
        "scenario": [run.scenario.campaign.name, len(run.scenario.ingredients)],
        "summary": {**summary_json(run.summary()), "name": None},
        "lines": [len(lines), hashlib.sha256(b"".join(lines)).hexdigest()],
        "days 3 to 12": len(list(run.day_lines(3, 12))),
        "rows": {name: len(found) for name, found in rows.items()},
        "takings": rows["takings"],
        "last teams": [row for row in rows["teams"] if row[0] == run.manifest.day],
        "stocks": hashlib.sha256(json.dumps(rows["stocks"]).encode()).hexdigest(),
        "verified": {**asdict(verify(folder)), "run": None, "notes": None},
    }
    plain: dict[str, Any] = json.loads(json.dumps(told))
    return plain


@pytest.mark.parametrize("stored", FORMATS)
def test_a_stored_run_is_read_as_it_was(stored: str) -> None:
    expected = json.loads((OLD / stored / "expected.json").read_text())
    assert read(OLD / stored / "run") == expected
    (listed,) = list_runs(OLD / stored)
    assert (listed.state, listed.campaign) == ("finished", "lone_colony")


@pytest.mark.parametrize("stored", FORMATS)
@pytest.mark.parametrize("command", ["show", "events", "verify"])
def test_the_commands_read_a_stored_run(command: str, stored: str) -> None:
    result = CliRunner().invoke(cli, [command, str(OLD / stored / "run")])
    assert result.exit_code == 0
    assert result.stdout


@pytest.mark.parametrize("stored", FORMATS)
def test_a_stored_run_can_be_made_smaller(stored: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(OLD / stored / "run", run)
    expected = json.loads((OLD / stored / "expected.json").read_text())
    assert compress_run(run) > 0
    assert read(run) == expected
    prune(run)
    assert read(run)["lines"] == expected["lines"]


def test_there_is_a_run_of_each_format() -> None:
    assert [f"format-{number}" for number in range(1, FORMAT + 1)] == FORMATS


@pytest.mark.parametrize(
    "command",
    [("show",), ("verify",), ("resume",), ("extend", "--days", "30"), ("query", "SELECT 1")],
)
def test_a_run_of_a_later_format_says_what_to_do(command: tuple[str, ...], tmp_path: Path) -> None:
    run = finished(tmp_path / "run")
    forge(run, lambda plain: plain.update(format=FORMAT + 1, seed="of another kind", more=1))
    with pytest.raises(NewerFormatError, match="update"):
        Run.open(run)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    result = CliRunner().invoke(cli, [command[0], str(run), *command[1:]])
    assert result.exit_code == 1
    assert (
        f"has format {FORMAT + 1}, this worldsim reads up to {FORMAT}: update it" in result.stderr
    )
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before
