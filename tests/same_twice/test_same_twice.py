"""A run is a value: scenario and seed give the same bytes, whoever asks and however often."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from worldsim.runs import Run, simulate
from worldsim.scenario import load

if TYPE_CHECKING:
    from worldsim.events.kinds import Level

HARSH = Path(__file__).parents[1] / "replay" / "harsh.toml"
SCENARIOS = ["first_landing", str(HARSH)]
NAMES = ["first_landing", "harsh"]
DAYS = 60
TABLES = ("stocks", "takings", "teams")


def started(name: str, out: Path, hash_seed: str, *options: str) -> subprocess.Popen[bytes]:
    """A run in a process of its own, with hashes of its own."""
    command = [sys.executable, "-m", "worldsim", "run", name, "--days", str(DAYS), "--quiet"]
    return subprocess.Popen(
        [*command, "--out", str(out), *options],
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finished(process: subprocess.Popen[bytes]) -> None:
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode()


def event_files(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (out / "events").iterdir()}


def lines_of(
    name: str, *, seed: int | None = None, level: Level = "info", days: int = DAYS
) -> list[bytes]:
    return list(simulate(load(name), seed=seed, days=days, level=level).lines())


@pytest.fixture(scope="module", params=SCENARIOS, ids=NAMES, name="twins")
def _twins(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("twins")
    first, second = folder / "first", folder / "second"
    short_segments = ("--set", "record.segment_days=25")
    processes = [
        started(request.param, first, "0", *short_segments),
        started(request.param, second, "4242", *short_segments),
    ]
    for process in processes:
        finished(process)
    return first, second


def test_two_processes_with_other_hashes_write_the_same_events(twins: tuple[Path, Path]) -> None:
    first, second = map(event_files, twins)
    assert len(first) == 3
    assert all(first.values())
    assert first == second


def test_two_processes_with_other_hashes_keep_the_same_tables(twins: tuple[Path, Path]) -> None:
    first, second = map(Run.open, twins)
    for table in TABLES:
        rows = first.query(f"FROM {table}").fetchall()
        assert rows
        assert rows == second.query(f"FROM {table}").fetchall(), table


def test_a_run_in_memory_says_what_the_one_on_disk_says(twins: tuple[Path, Path]) -> None:
    on_disk = Run.open(twins[0])
    in_memory = simulate(on_disk.scenario, days=DAYS)
    assert list(in_memory.lines()) == list(on_disk.lines())
    for table in TABLES:
        sql = f"FROM {table}"
        assert in_memory.query(sql).fetchall() == on_disk.query(sql).fetchall(), table


@pytest.mark.parametrize("name", SCENARIOS, ids=NAMES)
def test_what_else_is_recorded_changes_no_line(name: str) -> None:
    info = lines_of(name)
    debug, warning = lines_of(name, level="debug"), lines_of(name, level="warning")
    assert len(debug) > len(info) > len(warning) > 0
    assert [line for line in debug if b'"level":"debug"' not in line] == info
    assert [line for line in info if b'"level":"warning"' in line] == warning


@pytest.mark.parametrize("name", SCENARIOS, ids=NAMES)
def test_a_shorter_run_is_the_beginning_of_a_longer_one(name: str) -> None:
    short, longer = lines_of(name, days=23), lines_of(name, days=41)
    assert 0 < len(short) < len(longer)
    assert longer[: len(short)] == short


@pytest.mark.parametrize("name", SCENARIOS, ids=NAMES)
def test_another_seed_tells_another_story(name: str) -> None:
    one, other = lines_of(name, seed=1, days=10), lines_of(name, seed=2, days=10)
    assert one[1:] != other[1:], "beyond the line that names the seed"


def test_looking_on_changes_nothing() -> None:
    seen: list[object] = []
    watched = simulate(load(HARSH), days=20, on_event=seen.append, on_day=lambda *_: None)
    assert list(watched.lines()) == lines_of(str(HARSH), days=20)
    assert len(seen) == len(list(watched.lines()))
