"""Runs are made smaller, and stay what they were to whoever reads or goes on with them."""

from __future__ import annotations

import json
import os
import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from faulty_disks import Death, Died
from watched_disk import WatchedDisk
from whole_runs import DAYS, branched, brief, interrupted, killed

from worldsim.cli.main import cli
from worldsim.runs import Run, causes_of, compare, open_campaign, resume, simulate, verify
from worldsim.runs.folder import InUseError
from worldsim.runs.manifest import MANIFEST
from worldsim.runs.partfiles import DamagedPartError
from worldsim.runs.pruning import abandoned, compress_run, prune, waste_in
from worldsim.runs.replaying import replayed
from worldsim.runs.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


pytestmark = pytest.mark.usefixtures("quick")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a checkpoint of each day: those of 0, 11 and 12 are kept."""
    out = tmp_path_factory.mktemp("whole") / "run"
    simulate(brief(), out=out, checkpoint_days=1)
    return out


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "runs" / "run")
    return tmp_path / "runs" / "run"


def told(folder: Path) -> dict[str, Any]:
    """All that is read from a run."""
    run = Run.open(folder)
    return {
        "lines": list(run.lines()),
        "chunks": b"".join(run.chunks()),
        "days": list(run.day_lines(3, 9)),
        "events": run.events().order("seq").fetchall(),
        "summary": run.summary(),
        "replayed": list(replayed(run, [2, 9])),
        "causes": causes_of(run, 40),
        **{table: run.query(f"FROM {table}").fetchall() for table in TABLES},
    }


def checkpoints(run: Path) -> list[str]:
    return sorted(path.stem for path in (run / "checkpoints").iterdir())


def test_pruning_keeps_the_first_and_the_last_checkpoint(run: Path) -> None:
    assert checkpoints(run) == ["000000", "000011", "000012"]
    size = (run / "checkpoints" / "000011.msgpack").stat().st_size
    before = told(run)
    waste = prune(run)
    assert checkpoints(run) == ["000000", "000012"]
    assert waste.bytes == {"old checkpoints": size}
    assert told(run) == before
    assert verify(run).notes == []
    assert prune(run).files == 0


def test_pruning_removes_caches_and_what_crashes_left(run: Path) -> None:
    strangers = ("manifest.json.tmp", "events/000004.jsonl.tmp", "checkpoints/000003.msgpack",
                 "stocks/000009.parquet", "events/000001.jsonl.gz", "cache/a/b")  # fmt: skip
    (run / "cache" / "a").mkdir(parents=True)
    for name in strangers:
        (run / name).write_bytes(b"12345")
    (run / "mine.txt").write_text("of somebody")
    before = told(run)
    assert waste_in(run).bytes["leftovers"] == 25
    assert prune(run).bytes["cache"] == 5
    assert not any((run / name).exists() for name in strangers)
    assert (run / "mine.txt").exists()
    assert told(run) == before


def test_a_run_whose_last_checkpoint_is_damaged_keeps_all(run: Path) -> None:
    last = run / "checkpoints" / "000012.msgpack"
    last.write_bytes(last.read_bytes()[:-1] + b"?")
    assert prune(run).files == 0
    assert checkpoints(run) == ["000000", "000011", "000012"]


@pytest.mark.parametrize("made", [killed, interrupted])
def test_a_run_that_can_be_resumed_is_resumed_to_the_same_when_pruned_and_compressed(
    made: Callable[[Path], Path], tmp_path: Path
) -> None:
    plain, small = made(tmp_path / "plain" / "run"), made(tmp_path / "small" / "run")
    prune(small)
    assert compress_run(small) > 0
    names = sorted(path.name for path in (small / "events").iterdir())
    assert names == ["000001.jsonl.gz", "000002.jsonl.gz", "000003.jsonl"]  # the last is not sealed
    assert told(small) == told(plain)
    assert told(resume(small).path or small) == told(resume(plain).path or plain)
    assert verify(small).notes == []


def test_a_compressed_run_is_read_as_it_was(run: Path) -> None:
    before, plain = told(run), shutil.copytree(run, run.with_name("plain"))
    assert compress_run(run) > 0
    assert all(path.name.endswith(".gz") for path in (run / "events").iterdir())
    assert told(run) == before
    assert verify(run).lines == len(before["lines"])
    assert compare(Run.open(run), Run.open(plain)).same
    assert compress_run(run) == 0


def test_a_log_that_is_compressed_in_part_is_read_as_a_whole(run: Path) -> None:
    before = told(run)
    compress_run(run)
    resume(run, days=DAYS + 3)  # the last part is written plain again
    names = sorted(path.name for path in (run / "events").iterdir())
    assert names == ["000001.jsonl.gz", "000002.jsonl.gz", "000003.jsonl", "000004.jsonl"]
    now = told(run)
    assert now["lines"][: len(before["lines"])] == before["lines"]
    assert len(now["events"]) == len(now["lines"]) > len(before["lines"])


def test_a_compressed_run_is_extended_to_the_same_as_a_plain_one(run: Path) -> None:
    plain = shutil.copytree(run, run.parent / "plain" / "run")
    compress_run(run)
    prune(run)
    ours, theirs = (told(resume(each, days=DAYS + 5).path or each) for each in (run, plain))
    assert ours == theirs


def test_a_branched_run_is_compressed_and_pruned_like_any_other(tmp_path: Path) -> None:
    run = branched(tmp_path / "run")
    before = told(run)
    compress_run(run)
    prune(run)
    assert told(run) == before
    assert verify(run).notes == []


def test_a_damaged_segment_is_not_compressed(run: Path) -> None:
    segment = run / "events" / "000002.jsonl"
    data = segment.read_bytes()
    segment.write_bytes(data.replace(b"r1", b"r2", 1))
    with pytest.raises(DamagedPartError, match="000002"):
        compress_run(run)
    assert segment.exists()


@pytest.mark.long
@pytest.mark.parametrize("work", [prune, compress_run])
def test_a_crash_at_any_moment_leaves_a_whole_run(
    work: Callable[[Path, WatchedDisk], object], run: Path, tmp_path: Path
) -> None:
    before, died = list(Run.open(run).lines()), 0
    (run / "checkpoints" / "000003.msgpack").write_bytes(b"?")
    while True:
        copy = shutil.copytree(run, tmp_path / str(died) / "run")
        try:
            work(copy, WatchedDisk(Death(died)))
        except Died:
            died += 2 if work is compress_run else 1  # which does the same for each segment
        else:
            break
        verify(copy)
        assert list(Run.open(copy).lines()) == before
        work(copy, WatchedDisk())
        prune(copy)
        assert verify(copy).notes == []
    assert died > 5


@pytest.mark.parametrize("work", [prune, compress_run])
def test_a_run_that_is_being_written_is_left_alone(
    work: Callable[[Path], object], tmp_path: Path
) -> None:
    with open_campaign(brief(), out=tmp_path / "run", checkpoint_days=1) as campaign:
        for _ in range(6):
            campaign.step()
        before = {path: path.stat().st_size for path in (tmp_path / "run").rglob("*")}
        with pytest.raises(InUseError):
            work(tmp_path / "run")
        assert {path: path.stat().st_size for path in (tmp_path / "run").rglob("*")} == before


def test_only_folders_of_runs_begun_long_ago_are_left_behind(tmp_path: Path) -> None:
    old, new, other, link = (
        tmp_path / name
        for name in (".run.tmp-17c", ".run.tmp-17d", ".git", ".run.tmp-17e")
    )  # fmt: skip
    for folder in (old, new, other):
        (folder / "events").mkdir(parents=True)
        (folder / "events" / "000001.jsonl").write_bytes(b"12")
    link.symlink_to(other)
    then = time.monotonic_ns() // 10**9 - 10**6
    for path in (old / "events" / "000001.jsonl", old / "events", old):
        os.utime(path, (then, then))
    os.utime(new, (then, then))
    now = time.clock_gettime(time.CLOCK_REALTIME)
    os.utime(new / "events" / "000001.jsonl", (now, now))
    found = abandoned(tmp_path, seconds=-now + 60)  # the clock of the tests stands at 0
    assert [(each.path, each.total) for each in found] == [(old, 2)]


def command(*arguments: str, answer: str | None = None) -> Any:
    return CliRunner().invoke(cli, ["runs", *arguments], input=answer)


def test_the_command_says_what_it_frees_and_asks(run: Path) -> None:
    runs = str(run.parent)
    for answer in ("n\n", ""):
        refused = command(runs, "--prune", answer=answer)
        assert refused.exit_code == 0
        assert "old checkpoints" in refused.stdout
        assert "nothing was removed" in refused.stderr
        assert len(checkpoints(run)) == 3
    agreed = command(runs, "--prune", answer="y\n")
    assert agreed.exit_code == 0
    assert "freed" in agreed.stdout
    assert len(checkpoints(run)) == 2
    assert "there is nothing to remove" in command(runs, "--prune").stderr


def test_the_command_does_not_ask_where_yes_was_said_and_tells_programs_what_it_did(
    run: Path,
) -> None:
    runs, size = str(run.parent), (run / "checkpoints" / "000011.msgpack").stat().st_size
    asked = json.loads(command(runs, "--prune", "--json").stdout)
    assert [(each["name"], each["bytes"], each["removed"]) for each in asked] == [
        ("run", size, False)
    ]
    assert len(checkpoints(run)) == 3
    done = json.loads(command(runs, "--prune", "--yes", "--json").stdout)
    assert [(each["by_kind"], each["removed"]) for each in done] == [
        ({"old checkpoints": size}, True)
    ]
    assert len(checkpoints(run)) == 2


def test_the_command_compresses_what_nobody_writes_and_leaves_the_rest(
    run: Path,
) -> None:
    runs = run.parent
    shutil.copytree(run, runs / "damaged")
    (runs / "damaged" / MANIFEST).write_bytes(b"{")
    shutil.copytree(run, runs / "torn")
    (runs / "torn" / "events" / "000001.jsonl").write_bytes(b"")
    with open_campaign(brief(), out=runs / "written") as campaign:
        for _ in range(5):
            campaign.step()
        result = command(str(runs), "--compress")
    assert result.exit_code == 1
    assert result.stdout.startswith("run: freed ")
    for name in ("damaged", "torn", "written"):
        assert f"{name} was left as it is" in result.stderr
    assert json.loads(command(str(runs), "--compress", "--json").stdout) != []  # written, by now
    assert json.loads(command(str(run), "--compress", "--json").stdout) == []


def test_one_run_may_be_named_instead_of_a_folder_of_runs(run: Path) -> None:
    (listed,) = json.loads(command(str(run), "--json").stdout)
    assert (listed["name"], listed["state"]) == ("run", "finished")


@pytest.mark.parametrize("options", [("--prune", "--compress"), ("--yes",)])
def test_options_that_do_not_go_together_are_refused(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    assert command(str(tmp_path), *options).exit_code == 2
