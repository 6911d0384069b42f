"""``diff``: where two runs part."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Command = Callable[..., Result]

RUN = "new_world-1"
CHANGED = "rules.survival.drain=40"


@pytest.fixture(name="changed")
def _changed(worldsim: Command, at_work: Path, tmp_path: Path) -> str:
    """A shorter run of the same scenario with one rule changed."""
    del at_work
    out = str(tmp_path / "changed")
    args = ["--days", "30", "--set", CHANGED, "--out", out, "--quiet"]
    assert worldsim("run", "world.toml", *args).exit_code == 0
    return out


def log(folder: str | Path) -> list[dict[str, Any]]:
    files = sorted(Path(folder, "events").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


@pytest.mark.usefixtures("at_work")
def test_a_run_and_itself_are_the_same_and_the_exit_code_is_0(worldsim: Command) -> None:
    result = worldsim("diff", RUN, f"runs/{RUN}")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "The scenario and the seed are the same." in result.stdout
    assert result.stdout.endswith("No event differs.\n")


def test_the_first_difference_is_shown_with_both_lines_and_the_exit_code_is_1(
    changed: str, worldsim: Command
) -> None:
    result = worldsim("diff", RUN, changed)
    assert (result.exit_code, result.stderr) == (1, "")
    pairs = zip(log(f"runs/{RUN}"), log(changed), strict=False)
    ours, theirs = next((a, b) for a, b in pairs if a != b and a["seq"])
    out = result.stdout
    lines = out.splitlines()
    assert f"The first difference is on day {ours['day']}" in lines
    marked = [line.split()[:2] for line in lines if line.startswith(("A ", "B "))]
    assert [letter for letter, number in marked if number.isdigit()] == ["A"] * 4 + ["B"] * 4
    [at] = [n for n, line in enumerate(lines) if line.split()[:2] == ["A", str(ours["seq"])]]
    assert [line.split()[0] for line in lines[at - 3 : at]] == [
        str(seq) for seq in range(ours["seq"] - 3, ours["seq"])
    ]
    assert f"situation {ours['situation']}" in lines[at]
    assert f"situation {theirs['situation']}" in lines[at + 4]
    assert "They differ in situation:" in lines
    assert f"  worldsim why {RUN} {ours['seq']}" in lines


def test_the_keys_that_differ_are_listed(changed: str, worldsim: Command) -> None:
    lines = worldsim("diff", changed, RUN).stdout.splitlines()
    assert "The scenarios differ in 1 key" in lines
    row = next(line.split() for line in lines if "rules.survival.drain" in line)
    assert row[1] == "40"


def test_a_longer_run_goes_on_and_kinds_are_counted_until_the_other_ends(
    changed: str, worldsim: Command
) -> None:
    out = worldsim("diff", RUN, changed).stdout
    beyond = sum(event["day"] > 30 for event in log(f"runs/{RUN}"))
    assert f"A goes on to day 60, with {beyond:,} more events; B ends after day 30." in out
    assert "from there to the end of day 30" in out


def test_where_one_run_is_the_beginning_of_the_other_that_is_said(
    worldsim: Command, at_work: Path, tmp_path: Path
) -> None:
    del at_work
    out = str(tmp_path / "short")
    worldsim("run", "world.toml", "--days", "20", "--out", out, "--quiet")
    result = worldsim("diff", out, RUN)
    assert result.exit_code == 1
    assert "No event differs as far as both go. B goes on to day 60" in result.stdout
    assert "differ in" not in result.stdout


def test_for_programs_everything_is_one_document(changed: str, worldsim: Command) -> None:
    result = worldsim("diff", RUN, changed, "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert (told["same"], told["goes_on"], told["same_scenario"]) == (False, "a", False)
    assert [key["key"] for key in told["scenario"]] == ["rules.survival.drain"]
    first = told["first_difference"]
    seq = first["a"][0]["seq"]
    ours, theirs = log(f"runs/{RUN}"), log(changed)
    assert first["before"] == ours[seq - 3 : seq]
    assert (first["a"], first["b"]) == (ours[seq : seq + 4], theirs[seq : seq + 4])
    counts = {each["event"]: (each["a"], each["b"]) for each in told["counts"]}
    assert counts
    for kind, (a, b) in counts.items():
        assert a == sum(e["event"] == kind and seq <= e["seq"] and e["day"] <= 30 for e in ours)
        assert b == sum(e["event"] == kind and seq <= e["seq"] for e in theirs)


@pytest.mark.usefixtures("at_work")
def test_a_run_that_is_not_there_exits_2(worldsim: Command) -> None:
    result = worldsim("diff", RUN, "new_wrld-1")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"did you mean {RUN}?" in result.stderr


def test_a_damaged_log_is_an_error_and_no_difference(changed: str, worldsim: Command) -> None:
    file = Path(changed, "events", "000001.jsonl")
    file.write_bytes(file.read_bytes().replace(b'"situation":', b'"situatiom":', 1))
    result = worldsim("diff", RUN, changed)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "worldsim verify" in result.stderr
    assert result.stderr.count("\n") == 1
