"""The heavier promises of studies, measured: kills, workers' memory, speed beside bare processes.

``python tools/studies.py`` does all and prints what it found; the exit code is 1 if a promise does
not hold. ``--kills 100`` and the like say how much of each, 0 leaves it out.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import worldsim as ws
from worldsim.study.analysis import changes
from worldsim.study.places import PARTS, STATUS
from worldsim.study.storage import read_manifest, read_rows
from worldsim.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SMALL = """
schema = 1
[study]
name = "small"
scenario = "lone_colony"
days = {days}
replications = {replications}
seed = 3
metrics = ["taken", "left_share"]
[[factors]]
name = "cost"
key = "rules.gathering.one_success_cost"
values = {values}
"""
LONG = """
schema = 1
[study]
name = "long"
scenario = "{scenario}"
days = {days}
replications = {replications}
seed = 5
"""
LONGEST_LIFE_S = 0.4
LONGEST_WAIT_S = 60.0
AT_WORK = 0.7
"""How often a study with workers is left alive until they have begun."""
LEAST_SHARE = 0.93
LEAST_FACTOR = 1.5
MOST_OVERHEAD = 0.05
MOST_GROWTH = 0.10
LEAST_CAMPAIGN_S = 2.0


class BrokenPromiseError(Exception):
    """Something does not hold."""


def promise(kept: bool, says: str) -> None:  # noqa: FBT001 - as of assert
    """Refuse to go on if something does not hold.

    Raises:
        BrokenPromiseError: it does not.
    """
    if not kept:
        raise BrokenPromiseError(says)


def folder_of(study: Study) -> Path:
    """Where a study is kept."""
    promise(study.path is not None, "the study was not made")
    return study.path or Path()


def go_on(folder: Path, settings: dict[str, Any]) -> None:
    """Resume the study in a folder."""
    Study.open(folder).resume(**settings)


def small_study(folder: Path, *, days: int, replications: int, values: Sequence[int]) -> Study:
    """A study of short campaigns, made in a folder and not begun."""
    text = SMALL.format(days=days, replications=replications, values=list(values))
    file = folder / "small.toml"
    file.write_text(text)
    return Study.load(file)


def in_child(do: Callable[[], object]) -> int:
    """Start a process that does something and ends; its id."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        do()
        code = 0
    finally:
        os._exit(code)


def ended(pid: int) -> bool:
    """Whether a process ended by itself, without a fault; one that was killed has not."""
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        return False
    promise(os.WEXITSTATUS(status) == 0, "a study that nobody killed failed")
    return True


def status_of(study: Study) -> bytes:
    """The whole lines of its status file."""
    data = (folder_of(study) / STATUS).read_bytes()
    return data[: data.rfind(b"\n") + 1]


def lines_of(study: Study) -> list[dict[str, Any]]:
    """What its status file says of campaigns."""
    return [line for line in map(json.loads, status_of(study).splitlines()) if "cell" in line]


def check_lines(study: Study) -> int:
    """No campaign is there twice; how many there are."""
    runs = [(line["cell"], line["replication"]) for line in lines_of(study)]
    promise(len(runs) == len(set(runs)), "a campaign is there twice")
    return len(runs)


def await_rows(study: Study, rows: int) -> None:
    """Wait until a study has so many rows, or is finished."""
    until = time.monotonic() + LONGEST_WAIT_S
    while check_lines(study) < rows and time.monotonic() < until:
        if read_manifest(folder_of(study)).status == "finished":
            return
        time.sleep(0.02)


def results_of(study: Study) -> tuple[object, list[bytes]]:
    """All that two studies must have in common: rows without wall times, and the parts' bytes."""
    folder = folder_of(study)
    rows = {
        run: (row.seed, row.status, row.values, row.digest, row.error)
        for run, row in read_rows(folder).items()
    }
    parts = [part.read_bytes() for part in sorted((folder / PARTS).iterdir())]
    return rows, parts


def kill_and_resume(kills: int, seed: int, folder: Path, *, workers: int = 0) -> str:
    """Kill studies at random instants, resume them, and compare what is there at the end.

    Args:
        kills: How many.
        seed: Of the instants.
        folder: An empty one.
        workers: Processes of each study; 0 for none but its own.

    Returns:
        What was done, for people. Anything lost, twice or different raises.
    """
    dice = random.Random(seed)  # noqa: S311 - instants, not secrets
    plain = small_study(folder, days=5, replications=30, values=[0, 2])
    whole = plain.make(folder / "whole")
    promise(ended(in_child(whole.resume)), "a study was killed by somebody else")
    wanted = results_of(whole)
    settings: dict[str, Any] = {"executor": "local", "workers": workers} if workers else {}
    killed = finished = kept = 0
    study = plain.make(folder / "study_0")
    while killed < kills:
        before, had = status_of(study), check_lines(study)
        pid = in_child(partial(go_on, folder_of(study), settings))
        if workers and dice.random() < AT_WORK:
            await_rows(study, had + 1)
        time.sleep(dice.random() * LONGEST_LIFE_S)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        if ended(pid):
            promise(results_of(study) == wanted, "a study that was killed has other results")
            finished += 1
            study = plain.make(folder / f"study_{finished}")
            continue
        killed += 1
        promise(status_of(study).startswith(before), "what was there before a kill has changed")
        kept += check_lines(study) - had
    promise(
        ended(in_child(partial(go_on, folder_of(study), {}))), "a study was killed by somebody else"
    )
    check_lines(study)
    promise(results_of(study) == wanted, "a study that was killed has other results")
    each = f"{kept / max(kills, 1):.1f} campaigns before each"
    return f"{kills} kills with {workers or 'no'} workers, {each}: none lost, none twice"


def memory(runs: int, folder: Path) -> tuple[str, bool]:
    """What a worker holds after a tenth of its campaigns, and after all of them."""
    values = [0, 1, 2]
    study = small_study(folder, days=30, replications=runs // len(values) + 1, values=values)
    held: dict[int, int] = {}

    def look(progress: Any) -> None:
        for child in multiprocessing.active_children():
            held[progress.done] = resident_bytes(child.pid or 0)

    study.run(folder / "memory", executor="local", workers=1, on_progress=look)
    early = next(held[n] for n in sorted(held) if n >= runs // 10)
    late = held[max(n for n in held if n <= runs)]
    growth = late / early - 1
    says = f"a worker holds {early / 2**20:.0f} MiB after {runs // 10} campaigns, "
    says += f"{late / 2**20:.0f} MiB after {runs}: {growth:+.1%}"
    return says, growth <= MOST_GROWTH


def resident_bytes(pid: int) -> int:
    """Memory that a process holds, as Linux tells it."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


BARE = """
import sys, time
import worldsim as ws
from worldsim.study.study import Study
study = Study.open(sys.argv[1])
scenario = ws.load(study.plan.files[study.plan.cells[0].scenario])
first, last, days = map(int, sys.argv[2:5])
ws.simulate(scenario, seed=1, days=1, level="warning")
sys.stdin.readline()
begun = time.monotonic()
for replication in range(first, last):
    seed = study.plan.seed(0, replication)
    ws.simulate(scenario, seed=seed, days=days, level="warning")
print(time.monotonic() - begun)
"""


def bare_seconds(study: Study, processes: int, campaigns: int) -> float:
    """Seconds that the same campaigns take in as many bare processes, start-up apart."""
    share = campaigns // processes
    days = str(study.plan.study.study.days)
    started = [
        subprocess.Popen(
            [
                sys.executable, "-c", BARE, str(study.path), str(n * share), str((n + 1) * share),
                days,
            ],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for n in range(processes)
    ]  # fmt: skip
    time.sleep(3)
    for process in started:
        if process.stdin is not None:
            process.stdin.write("\n")
            process.stdin.flush()
    return max(float(process.communicate()[0]) for process in started)


def study_seconds(study: Study, workers: int) -> float:
    """Seconds from the first campaign's begin to the last one's end in a study's workers."""
    study.resume(executor="local", workers=workers)
    rows = lines_of(study)
    promise(all(row["status"] == "finished" for row in rows), "a campaign failed")
    return float(max(r["at"] for r in rows) - min(r["at"] - r["seconds"] for r in rows))


def speed(workers: int, campaigns: int, rounds: int, folder: Path) -> tuple[float, float]:
    """How fast a study's workers are beside bare processes, as many, turn by turn.

    Returns:
        Bare seconds over the study's in the median turn, and the seconds of a bare campaign.
    """
    days = 365
    scenario = ws.load("contested_frontier")
    begun = time.process_time()
    ws.simulate(scenario, seed=1, days=days, level="warning")
    took = time.process_time() - begun
    days = max(days, round(days * 1.2 * LEAST_CAMPAIGN_S / took))
    text = LONG.format(scenario="contested_frontier", days=days, replications=campaigns)
    file = folder / f"long_{workers}.toml"
    file.write_text(text)
    plain = Study.load(file)
    bare, own = [], []
    for n in range(rounds):
        study = plain.make(folder / f"long_{workers}_{n}")
        if n % 2:
            own.append(study_seconds(study, workers))
        bare.append(bare_seconds(study, workers, campaigns))
        if not n % 2:
            own.append(study_seconds(study, workers))
    ratios = [one / other for one, other in zip(bare, own, strict=True)]
    return median(ratios), sum(bare) * workers / (rounds * campaigns)


def same_bytes(folder: Path) -> str:
    """One worker, two workers, and a cluster of two give the same parts."""
    plain = small_study(folder, days=20, replications=6, values=[0, 2])
    found = [
        results_of(plain.run(folder / "local_1", executor="local", workers=1)),
        results_of(plain.run(folder / "local_2", executor="local", workers=2)),
        results_of(plain.run(folder / "dask_2", executor="dask", workers=2)),
    ]
    promise(found[0] == found[1] == found[2], "the rows depend on who simulated them")
    return "one worker, two workers, a cluster of two: the same rows in the same bytes"


def pairing(replications: int, folder: Path) -> tuple[str, bool]:
    """What common random numbers are worth in the shipped study of one team's profile."""
    sets = [f"study.replications={replications}"]
    study = Study.load("hunters_or_gatherers", sets=sets)
    study = study.run(folder / "pairing", executor="local", workers=2)
    (change,) = changes(study.plan, study.rows, "taken", study.plan.cells[0])
    found = change.comparison
    factor = 0.0 if found is None or found.variance_factor is None else found.variance_factor
    share = 1.0 if found is None else found.zero_share
    days = study.plan.study.study.days
    says = f"{replications} pairs of {days} days: pairing is worth {factor:.2f} times the campaigns"
    return f"{says}; {share:.0%} of pairs do not differ", factor >= LEAST_FACTOR


def main() -> int:
    """Measure what was asked for; 1 if a promise does not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="of studies, at random instants")
    parser.add_argument("--memory", type=int, default=300, help="campaigns of one worker")
    parser.add_argument("--speed", type=int, default=5, help="turns beside bare processes")
    parser.add_argument("--pairing", type=int, default=40, help="replications of a shipped study")
    parser.add_argument("--same", type=int, default=1, help="whether executors are compared")
    parser.add_argument("--seed", type=int, default=1, help="of the instants of the kills")
    asked = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        if asked.kills:
            with_workers = asked.kills // 10
            for kills, workers in ((asked.kills - with_workers, 0), (with_workers, 2)):
                folder = place / f"kills_{workers}"
                folder.mkdir()
                print(kill_and_resume(kills, asked.seed, folder, workers=workers), flush=True)
        if asked.same:
            print(same_bytes(place), flush=True)
        if asked.memory:
            says, held = memory(asked.memory, place)
            print(says, flush=True)
            good &= held
        if asked.pairing:
            says, held = pairing(asked.pairing, place)
            print(says, flush=True)
            good &= held
        if asked.speed:
            good &= print_speed(asked.speed, place)
    return 0 if good else 1


def print_speed(rounds: int, place: Path) -> bool:
    """Print how fast one and two workers are; whether that is fast enough."""
    one, took = speed(1, 2, rounds, place)
    print(f"one worker on campaigns of {took:.1f} s: an overhead of {1 / one - 1:+.1%}", flush=True)
    two, took = speed(2, 6, rounds, place)
    print(f"two workers on campaigns of {took:.1f} s: {two:.3f} of two bare processes", flush=True)
    return took >= LEAST_CAMPAIGN_S and two >= LEAST_SHARE and 1 / one - 1 <= MOST_OVERHEAD


if __name__ == "__main__":
    sys.exit(main())
