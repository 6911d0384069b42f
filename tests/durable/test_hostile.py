"""A run directory that somebody made to do harm: nothing outside is touched, nothing is executed.

Every command ends within limits, with a clear message, whatever the run holds. What is forged has
checksums that fit: anybody can work those out.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from click.testing import CliRunner
from whole_runs import DAYS, finished, forge, forge_file, interrupted, killed

from worldsim.cli.main import cli
from worldsim.runs.manifest import MANIFEST
from worldsim.runs.places import LARGEST_MANIFEST_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from click.testing import Result

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("quick")]

READ = (
    ("show",),
    ("events", "--limit", "3"),
    ("query", "SELECT sum(units) FROM takings"),
    ("verify",),
    ("replay", "--from", "9"),
)
SELDOM = (("query", "SELECT count(*) FROM events"), ("why", "40"))
"""Slow, and much like the others."""
WRITE = (("resume", "--quiet"), ("extend", "--days", str(DAYS + 2), "--quiet"))
PARTS = ("events/000001.jsonl", "stocks/000001.parquet", "takings/000002.parquet")
SECONDS = 10
"""Within which a command must be done; most need a tenth."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("whole")
    return {each.__name__: each(folder / each.__name__) for each in MAKERS}


MAKERS = (finished, interrupted, killed)


@pytest.fixture
def run(whole: dict[str, Path], tmp_path: Path) -> Path:
    """One that is finished, alone among the runs in its folder."""
    return copied(whole["finished"], tmp_path)


def copied(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "runs" / "run"))


@contextmanager
def in_time() -> Iterator[None]:
    """Within, nothing takes for ever."""

    def late(*_: object) -> None:
        pytest.fail(f"not done in {SECONDS} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def called(*arguments: str) -> Result:
    """A command, which must end as a command ends: with a known code, and no exception of ours."""
    with in_time():
        result = CliRunner().invoke(cli, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise AssertionError(f"{arguments}") from result.exception
    assert result.exit_code in {0, 1, 2, 3}, (arguments, result.output)
    if result.exit_code:
        assert result.stderr.count("error:") == 1, (arguments, result.output)
        assert "Traceback" not in result.output
    return result


def all_called(run: Path, *, seldom: bool = False) -> dict[str, Result]:
    """The commands that read, and then those that write."""
    results = {}
    for each in (*READ, *(SELDOM if seldom else ()), *WRITE):
        results[each[0]] = called(each[0], str(run), *each[1:])
    results["runs"] = called("runs", str(run.parent))
    results["compress"] = called("runs", str(run.parent), "--compress")
    results["prune"] = called("runs", str(run.parent), "--prune", "--yes")
    return results


def branched(run: Path, out: Path) -> Result:
    change = "rules.survival.drain=1"
    return called("branch", str(run), "--at", "5", "--set", change, "--out", str(out))


def snapshot(folder: Path) -> dict[str, tuple[bytes, float]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


LINKED = (
    MANIFEST, "scenario.toml", "run.log", ".lock", "cache", "history", "events", "stocks", "teams",
    "checkpoints", "events/000002.jsonl", "takings/000001.parquet", "checkpoints/000000.msgpack",
    "checkpoints/000012.msgpack",
)  # fmt: skip


@pytest.mark.parametrize("name", LINKED)
def test_a_link_out_of_the_run_is_not_followed(name: str, run: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    target = outside / "target"
    if not (run / name).exists():  # what worldsim makes only now and then
        (run / name).mkdir() if "." not in name else (run / name).write_bytes(b"")
    (run / name).rename(target)
    (run / name).symlink_to(target)
    before = snapshot(outside)
    results = all_called(run)
    branched(run, tmp_path / "branch")
    assert snapshot(outside) == before
    assert results["verify"].exit_code == 3
    assert "is a link" in results["verify"].stderr


def test_a_lock_that_is_a_second_name_of_a_file_outside_does_not_change_that(
    run: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "precious"
    outside.write_text("precious")
    (run / ".lock").hardlink_to(outside)
    all_called(run)
    assert outside.read_text() == "precious"


@pytest.mark.parametrize("name", ["run.log", ".lock", "events/000003.jsonl", "scenario.toml"])
def test_a_pipe_in_the_place_of_a_file_holds_nobody_up(name: str, whole: dict[str, Path],
                                                       tmp_path: Path) -> None:  # fmt: skip
    run = copied(whole["killed"], tmp_path)
    (run / name).unlink(missing_ok=True)
    os.mkfifo(run / name)
    all_called(run)


DAY = 10**18
CHANGES: dict[str, Callable[[dict[str, Any]], None]] = {
    "days beyond all": lambda plain: plain.update(days=DAY, day=DAY),
    "no days": lambda plain: plain.update(days=0),
    "day after the last": lambda plain: plain.update(day=DAYS + 1),
    "days before the first": lambda plain: plain.update(day=-1),
    "segments of no days": lambda plain: plain.update(segment_days=0),
    "segments of negative days": lambda plain: plain.update(segment_days=-4),
    "segments of many days": lambda plain: plain.update(segment_days=10**12),
    "a seed too large": lambda plain: plain.update(seed=2**64),
    "a digest that is none": lambda plain: plain.update(digest="../x"),
    "a campaign with a path": lambda plain: plain.update(campaign="../../x"),
    "a campaign with a newline": lambda plain: plain.update(campaign="a\nb"),
    "a level that is none": lambda plain: plain.update(level="all"),
    "negative lines": lambda plain: plain["events"].update(info=-1),
    "negative bytes": lambda plain: plain["parts"][1].update(bytes=-1),
    "bytes beyond all": lambda plain: plain["parts"][1].update(bytes=2**70),
    "a checksum that is none": lambda plain: plain["parts"][1].update(sha256="x"),
    "no parts": lambda plain: plain.pop("parts"),
    "parts that are none": lambda plain: plain.update(parts=[1, 2]),
    "a part twice": lambda plain: plain["parts"].append(plain["parts"][1]),
    "a part plain and compressed": lambda plain: plain["parts"].append(
        plain["parts"][1] | {"path": plain["parts"][1]["path"] + ".gz"}
    ),
    "a part after the last day": lambda plain: plain["parts"][1].update(path="events/000009.jsonl"),
    "checkpoints in another order": lambda plain: plain["checkpoints"].reverse(),
    "a checkpoint among the parts": lambda plain: plain["parts"].append(plain["checkpoints"][0]),
    "a part among the checkpoints": lambda plain: plain["checkpoints"].append(plain["parts"][1]),
    "a version with a newline": lambda plain: plain["versions"].update(worldsim="1\n2"),
    "no number of format": lambda plain: plain.update(format="one"),
} | {
    f"the path {path!r}": lambda plain, path=path: plain["parts"][1].update(path=path)
    for path in (
        "../outside/000001.jsonl",
        "events/../../outside",
        "/etc/passwd",
        "events//000001.jsonl",
        "events/1.jsonl",
        "events/0000001.jsonl",
        "events/000001.jsonl\n",
        "events/000001.jsonl\x1b",
        "events/00000\N{ARABIC-INDIC DIGIT ONE}.jsonl",
        "events/000000.jsonl",
        "events/000001.jsonl.gz.gz",
        "cache/000001.jsonl",
        "run.log",
        "",
        ".",
    )
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_manifest_that_tells_of_what_cannot_be_is_refused(case: str, run: Path) -> None:
    forge(run, CHANGES[case])
    before = snapshot(run)
    for each in (*READ, *WRITE):
        result = called(each[0], str(run), *each[1:])
        assert result.exit_code in {1, 3}, each
        assert MANIFEST in result.stderr
    listed = called("runs", str(run.parent))
    assert "damaged" in listed.stdout
    for option in (("--prune", "--yes"), ("--compress",)):
        assert called("runs", str(run.parent), *option).exit_code == 0
    assert snapshot(run) == before


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 4_000_000,
        b'{"format":' * 1_000_000,
        b"\x00" * 1_000_000,
        b'{"format": 1, "parts": [' + b"[]," * 1_000_000 + b"[]]}",
        b'{"format": 1e400}',
        b" " * (LARGEST_MANIFEST_BYTES + 1),
        b"\xff\xfe",
        b"",
    ],
    ids=["deep list", "deep table", "zeros", "many", "infinite", "large", "no text", "empty"],
)
def test_a_manifest_that_is_a_bomb_or_none_is_refused(data: bytes, run: Path) -> None:
    (run / MANIFEST).write_bytes(data)
    for each in (*READ, *WRITE):
        assert called(each[0], str(run), *each[1:]).exit_code in {1, 3}, each
    assert "damaged" in called("runs", str(run.parent)).stdout


SCENARIOS = {
    "extends": 'extends = "{outside}"\n',
    "catalogue": 'catalogue = "{outside}"\n',
    "catalogues": 'catalogue = ["{outside}"]\n',
    "map": '[planet]\nmap = "{outside}"\n',
}


@pytest.mark.parametrize("key", SCENARIOS)
def test_a_scenario_of_a_run_that_names_another_file_is_refused_and_that_is_not_read(
    key: str, run: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.toml"
    os.mkfifo(outside)  # who opens it waits for ever
    text = (run / "scenario.toml").read_text()
    added = SCENARIOS[key].format(outside=outside)
    forged = text.replace("[planet]\n", added) if key == "map" else added + text
    assert forged != text
    forge_file(run, "scenario.toml", forged.encode())
    results = all_called(run) | {"branch": branched(run, tmp_path / "branch")}
    for name in ("verify", "resume", "extend", "replay", "branch"):
        assert results[name].exit_code, name
    assert "names another file" in results["verify"].stderr
    assert "names another file" in results["extend"].stderr


def test_a_policy_of_an_installed_plug_in_is_not_loaded_by_who_only_reads(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []

    class Provided:
        names = frozenset({"evil"})

        def __getitem__(self, name: str) -> Provided:
            return self

        def load(self) -> None:
            loaded.append("evil")
            raise RuntimeError("loaded")

    monkeypatch.setattr(metadata, "entry_points", lambda **_: Provided())
    text = (run / "scenario.toml").read_text()
    forge_file(run, "scenario.toml", text.replace('policy = "nearest"', 'policy = "evil"').encode())
    for each in READ:
        if each[0] != "replay":  # which simulates again
            called(each[0], str(run), *each[1:])
    called("runs", str(run.parent))
    called("runs", str(run.parent), "--compress")
    called("runs", str(run.parent), "--prune", "--yes")
    assert loaded == []
    assert called("extend", str(run), "--days", "20").exit_code in {2, 3}


def test_a_policy_that_nobody_provides_is_refused(run: Path) -> None:
    text = (run / "scenario.toml").read_text()
    forge_file(run, "scenario.toml", text.replace('policy = "nearest"', 'policy = "evil"').encode())
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    change = ["--at", "5", "--set", "colonies.0.policy=nearest", "--out", str(run) + "_branch"]
    replay = ["replay", "--from", "3"]
    for command in (["extend", "--days", "20"], replay, ["why", "30"], ["branch", *change]):
        result = called(command[0], str(run), *command[1:])
        assert result.exit_code == 2, command
        assert "colonies[0].policy: evil; one of: nearest" in result.stderr
        assert f"{run} can be read, but no day of it can be simulated here" in result.stderr
    after = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    after.pop(run / ".lock", None)
    assert after == before


CHECKPOINTS = {
    "a list of 2**32": b"\xdd\xff\xff\xff\xff",
    "a table of 2**32": b"\xdf\xff\xff\xff\xff",
    "bytes of 2**32": b"\xc6\xff\xff\xff\xff",
    "deep": b"\x91" * 1_000_000,
    "nothing": b"",
    "text": b"a checkpoint",
}


@pytest.mark.parametrize("case", CHECKPOINTS)
@pytest.mark.parametrize("inside", [False, True], ids=["file", "state"])
def test_a_checkpoint_that_claims_too_much_or_is_none_is_passed_over(
    case: str, inside: bool, run: Path  # noqa: FBT001 - a case
) -> None:  # fmt: skip
    path = "checkpoints/000012.msgpack"
    data = CHECKPOINTS[case]
    if inside:
        plain = msgspec.msgpack.decode((run / path).read_bytes())
        data = msgspec.msgpack.encode(plain | {"state": data})
    forge_file(run, path, data)
    assert called("verify", str(run)).exit_code == 3
    called("replay", str(run), "--from", "12")
    result = called("extend", str(run), "--days", "14", "--quiet")
    assert result.exit_code == 1 if inside else result.exit_code == 0, result.stderr


ROWS: dict[str, Callable[[dict[str, Any]], None]] = {
    "a table missing": lambda rows: rows["columns"].pop("stocks"),
    "a column missing": lambda rows: rows["columns"]["teams"].pop("day"),
    "half a number": lambda rows: rows["columns"]["stocks"].update(day=b"1234"),
    "columns of two lengths": lambda rows: rows["columns"]["stocks"].update(day=b"\0" * 800),
    "texts that are not there": lambda rows: rows["texts"].clear(),
    "cells that are not there": lambda rows: rows["columns"]["stocks"].update(
        dict.fromkeys(rows["columns"]["stocks"], b"\xff" * 8)
    ),
}


@pytest.mark.parametrize("case", ROWS)
def test_rows_of_a_checkpoint_that_are_none_are_refused(
    case: str, whole: dict[str, Path], tmp_path: Path
) -> None:
    run = copied(whole["interrupted"], tmp_path)
    path = "checkpoints/000010.msgpack"
    plain = msgspec.msgpack.decode((run / path).read_bytes())
    ROWS[case](plain["rows"])
    forge_file(run, path, msgspec.msgpack.encode(plain))
    called("resume", str(run), "--quiet")


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in plain data."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from leaves(item, (*path, key))


ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**12,
    2**63,
    -1.5,
    1e300,
    "",
    "r1",
    "on_site",
    "in_battle",
    [],
    {},
)


def test_a_state_that_was_tampered_with_never_ends_in_a_traceback_or_for_ever(
    whole: dict[str, Path], tmp_path: Path
) -> None:
    path = "checkpoints/000010.msgpack"
    data = (whole["interrupted"] / path).read_bytes()
    codes: list[int] = []
    for number in range(25):
        draw = random.Random(number)  # noqa: S311 - the same cases again, nothing secret
        plain = msgspec.msgpack.decode(data)
        state = msgspec.msgpack.decode(plain["state"])
        *above, last = draw.choice(list(leaves(state)))
        holder = state
        for key in above:
            holder = holder[key]
        holder[last] = draw.choice(ODD)
        plain["state"] = msgspec.msgpack.encode(state)
        run = copied(whole["interrupted"], tmp_path / str(number))
        forge_file(run, path, msgspec.msgpack.encode(plain))
        codes.append(called("resume", str(run), "--quiet").exit_code)
    assert codes.count(1) > 5  # most are noticed


@pytest.mark.parametrize("path", PARTS)
@pytest.mark.parametrize("size", [2**33, 2**40])
def test_a_huge_file_without_content_is_not_read_to_its_end(
    path: str, size: int, run: Path
) -> None:
    os.truncate(run / path, size)

    def tell(plain: dict[str, Any]) -> None:
        for part in plain["parts"]:
            if part["path"] == path:
                part["bytes"] = size

    forge(run, tell)
    for each in READ:
        called(each[0], str(run), *each[1:])
    assert called("verify", str(run)).exit_code == 3
    refused = path.startswith("events")  # compressing looks at nothing else
    assert called("runs", str(run.parent), "--compress").exit_code == int(refused)


def test_a_huge_live_segment_is_not_read_to_its_end(whole: dict[str, Path], tmp_path: Path) -> None:
    run = copied(whole["killed"], tmp_path)
    os.truncate(run / "events" / "000003.jsonl", 2**40)
    for each in READ:
        called(each[0], str(run), *each[1:])
    assert called("verify", str(run)).exit_code == 3
    assert called("resume", str(run), "--quiet").exit_code == 0


BOMBS: dict[str, Callable[[], bytes]] = {
    "zeros": lambda: gzip.compress(bytes(150_000_000), 1),
    "lines": lambda: gzip.compress(b"\n" * 150_000_000, 1),
    "half": lambda: gzip.compress(b'{"event":"x"}\n' * 1000)[:-20],
    "two": lambda: gzip.compress(b"{}\n") * 2,
    "none": lambda: b"no gzip",
}


@pytest.mark.parametrize("case", BOMBS)
def test_a_compressed_segment_that_is_a_bomb_or_none_is_refused_in_little_memory(
    case: str, run: Path
) -> None:
    forge_file(run, "events/000001.jsonl", BOMBS[case](), "events/000001.jsonl.gz")
    for each in (*READ[:2], *SELDOM[:1], ("verify",)):
        assert called(each[0], str(run), *each[1:]).exit_code in {1, 3}, each
    if case in {"zeros", "lines"} and sys.platform == "linux":
        code, peak = measured("events", str(run), "--limit", "1")
        assert code == 1
        assert peak < 300 * 2**20


MEASURED = """
import sys
from worldsim.cli.main import cli
try:
    cli(sys.argv[1:])
except SystemExit as end:
    peak = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
    print(end.code, *peak[0].split()[1:2])
"""


def measured(*arguments: str) -> tuple[int, int]:
    """Exit code of a command in a process of its own, and the most memory it took in bytes."""
    words = [sys.executable, "-c", MEASURED, *arguments]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    code, peak_kb = done.stdout.split()[-2:]
    return int(code), int(peak_kb) * 1024


@pytest.mark.parametrize("path", ["stocks/000001.parquet", "takings/000002.parquet"])
@pytest.mark.parametrize("other", ["text", "another table", "half"])
def test_parquet_that_is_something_else_is_refused(path: str, other: str, run: Path) -> None:
    data = {
        "text": b"day,place\n1,r1\n",
        "another table": (run / "teams" / "000001.parquet").read_bytes(),
        "half": (run / path).read_bytes()[:200] + b"PAR1",
    }[other]
    forge_file(run, path, data)
    results = all_called(run)
    assert results["verify"].exit_code == 3
    assert path in results["verify"].stderr
    assert results["query"].exit_code in {1, 2}


def lines_of(run: Path) -> list[dict[str, Any]]:
    lines = (run / "events" / "000001.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(line) for line in lines]


@pytest.mark.parametrize("case", ["kind", "null", "missing", "type", "deep", "text"])
def test_a_log_that_was_written_by_somebody_else_never_ends_in_a_traceback(
    case: str, run: Path
) -> None:
    events = lines_of(run)
    for number, event in enumerate(events):
        keys = [key for key in event if key != "event"]
        key = keys[number % len(keys)]
        if case == "kind":
            event["event"] = "team.cheated"
        elif case == "missing":
            del event[key]
        elif case != "text":
            event[key] = {"null": None, "type": [{"a": 1}], "deep": {"a": {"b": [[[]]]}}}[case]
    data = b"".join(msgspec.json.encode(event) + b"\n" for event in events)
    if case == "text":
        data = b"not json\n" * 9
    forge_file(run, "events/000001.jsonl", data)
    results = all_called(run, seldom=True)
    assert results["verify"].exit_code == 3
    assert "events/000001.jsonl, line 1" in results["verify"].stderr


def test_names_that_drive_a_terminal_are_cleaned(run: Path) -> None:
    evil = "evil\x1b[31m\nname"
    (run / "events" / evil).write_bytes(b"")
    named = run.parent / evil
    run.rename(named)
    for result in (called("verify", str(named)), called("runs", str(named.parent))):
        assert "\x1b[31m" not in result.output
        assert result.exit_code == 0
    shutil.rmtree(named / "teams")
    assert "\x1b[31m" not in called("verify", str(named)).output


def test_what_is_forged_here_fits_its_checksums(run: Path) -> None:
    forge(run, lambda plain: plain.update(started=1.0))
    data = (run / "scenario.toml").read_bytes()
    forge_file(run, "scenario.toml", data)
    assert called("verify", str(run)).exit_code == 0
    assert hashlib.sha256(data).hexdigest() in (run / MANIFEST).read_text()
