"""Runs on disk that live in other processes: begun, gone on with, waited for, and read back.

All that touches DuckDB is done in children: it starts threads, and who has threads should not be
forked.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
import msgspec
from replayed import HARSH

from worldsim.runs import simulate
from worldsim.runs.manifest import MANIFEST
from worldsim.runs.places import RUN_LOG, read_manifest
from worldsim.runs.resuming import resume
from worldsim.runs.tables import TABLES
from worldsim.runs.verifying import verify
from worldsim.scenario import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

LOOK_EVERY_S = 0.002
fork = get_context("fork")


class Target(NamedTuple):
    """A run worth killing: a few seconds long, its parts sealed every few weeks.

    Attributes:
        scenario: A path, or the name of a shipped one.
        level: Of the log.
        segment_days: Days of a part.
        checkpoint_days: Days between checkpoints.
        command: Run by ``python -m worldsim`` instead of a forked child.
    """

    scenario: str
    days: int
    level: Any
    segment_days: int
    checkpoint_days: int
    command: bool = False


RACE = Target("contested_frontier", 120, "info", 20, 2)
LANDING = Target("first_landing", 200, "debug", 70, 20)  # much is flushed between checkpoints
RUIN = Target(str(HARSH), 350, "warning", 60, 5)
TARGETS = (
    RACE, LANDING, RACE._replace(command=True), RUIN, RACE, LANDING, RACE, LANDING,
)  # fmt: skip


class ChildError(Exception):
    """A child ended by itself, and not well."""


def start(target: Target, folder: Path) -> Any:
    """Begin the run, or go on with it if there is one, in another process."""
    there = (folder / MANIFEST).exists()
    if target.command:
        what = ["resume", str(folder)] if there else ["run", target.scenario, *_options(target)]
        out = [] if there else ["--out", str(folder)]
        often = ["--checkpoint-days", str(target.checkpoint_days), "--quiet"]
        return subprocess.Popen([sys.executable, "-m", "worldsim", *what, *out, *often])
    process = fork.Process(target=_go_on if there else _begin, args=(target, folder))
    process.start()
    return process


def _options(target: Target) -> list[str]:
    part = f"record.segment_days={target.segment_days}"
    return ["--days", str(target.days), "--log-level", target.level, "--set", part]


def _begin(target: Target, folder: Path) -> None:
    scenario = load(target.scenario, sets=[f"record.segment_days={target.segment_days}"])
    simulate(
        scenario,
        days=target.days,
        level=target.level,
        out=folder,
        checkpoint_days=target.checkpoint_days,
    )


def _go_on(target: Target, folder: Path) -> None:
    resume(folder, checkpoint_days=target.checkpoint_days)


def wait(process: Any, seconds: float | None) -> bool:
    """Wait for a process to end, and kill it when it takes longer.

    Returns:
        Whether it was killed.

    Raises:
        ChildError: it failed.
    """
    if isinstance(process, subprocess.Popen):
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            code = None
    else:
        process.join(seconds)
        code = process.exitcode
    if code is None:
        process.kill()
        process.wait() if isinstance(process, subprocess.Popen) else process.join()
        return True
    if code:
        raise ChildError(f"a child ended with {code}")
    return False


def log_bytes(folder: Path) -> int:
    """How long the run's log for people is: it grows when the run is begun or gone on with."""
    path = folder / RUN_LOG
    return path.stat().st_size if path.exists() else 0


def await_dawn(process: Any, folder: Path, said: int) -> float:
    """Wait until a process that was started simulates days, or has ended.

    Args:
        process: As of `start`.
        folder: Of the run.
        said: `log_bytes` before it was started.

    Returns:
        Seconds that it took.
    """
    begun = time.monotonic()
    while log_bytes(folder) == said and _alive(process):
        time.sleep(LOOK_EVERY_S)
    return time.monotonic() - begun


def _alive(process: Any) -> bool:
    if isinstance(process, subprocess.Popen):
        return process.poll() is None
    return bool(process.is_alive())


def finished(folder: Path) -> bool:
    """Whether there is a run that has come to its end."""
    return (folder / MANIFEST).exists() and read_manifest(folder).status == "finished"


def day_on_disk(folder: Path) -> int:
    """The last day of which a run's folder tells, by its manifest, checkpoints or last lines."""
    if not (folder / MANIFEST).exists():
        return 0
    days = [read_manifest(folder).day]
    days += [int(path.stem) for path in folder.glob("checkpoints/*.msgpack")]
    segments = sorted(folder.glob("events/*.jsonl"))
    if segments:
        whole = segments[-1].read_bytes().rpartition(b"\n")[0]
        line = whole.rpartition(b"\n")[2]
        days.append(msgspec.json.decode(line)["day"] - 1 if line else 0)
    return max(days)


def content_of(folder: Path) -> dict[str, str]:
    """What a run says, file by file: digests of the log's bytes and of the tables' rows.

    How the manifest sums it up is among it, without its times. `verify` must find no fault in it.
    """
    verify(folder)
    content = {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.glob("events/*")
    }
    with duckdb.connect() as duck:
        for path in (path for table in TABLES for path in folder.glob(f"{table}/*")):
            rows = duck.execute("select * from read_parquet(?)", [str(path)]).fetchall()
            content[str(path.relative_to(folder))] = hashlib.sha256(repr(rows).encode()).hexdigest()
    manifest = read_manifest(folder)
    content[MANIFEST] = repr((manifest.status, manifest.day, manifest.days, manifest.events))
    return dict(sorted(content.items()))


def difference(known: Mapping[str, str], found: Mapping[str, str]) -> str:
    """The files that differ; nothing if none does."""
    names = sorted(name for name in {*known, *found} if known.get(name) != found.get(name))
    return f"{', '.join(names)} differ" if names else ""


def in_child(work: Callable[[Path], dict[str, str]], folder: Path) -> dict[str, str]:
    """What a function says, called in a forked child."""
    queue = fork.SimpleQueue()
    child = fork.Process(target=lambda: queue.put(work(folder)))
    child.start()
    wait(child, None)
    told: dict[str, str] = queue.get()
    return told
