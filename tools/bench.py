"""How fast worldsim is, everything in one run: a table for people, ``--json`` for programs.

The unit is what SimPy itself costs: one ``env.timeout(1)`` a team-day for 100 teams, timed in the
same process before and after. Machines differ and are noisy; ratios to the unit travel.

    python tools/bench.py            # all of it, some minutes
    python tools/bench.py --quick    # shorter runs, no ten-year run
    python tools/bench.py speed      # one part
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from worldsim.events.kinds import Level

TEAMS = 100
PYTHON = sys.executable
# Several libraries load their parts when first used, so what a run imports is asked of a run.
LIST_LIBRARIES = """
import contextlib, io, sys
from worldsim.cli.main import main
sys.argv = ["worldsim", "run", "lone_colony"]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
print(*[name for name, module in list(sys.modules.items())
        if "site-packages" in (getattr(module, "__file__", None) or "")])
"""
IMPORT_LIBRARIES = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except Exception:
        pass  # a part that only its own library can import
"""


def unit_us(days: int = 400) -> float:
    """Microseconds of one bare timeout, for as many processes as there are teams."""
    import simpy  # noqa: PLC0415 - only the child processes that measure need it

    env = simpy.Environment()

    def sleeper() -> Any:
        while True:
            yield env.timeout(1)

    for _ in range(TEAMS):
        env.process(sleeper())
    env.run(10)
    begun = time.process_time()
    env.run(10 + days)
    return (time.process_time() - begun) / (days * TEAMS) * 1e6


def one_run(scenario: str, days: int, *, disk: bool, level: Level) -> dict[str, float]:
    """Simulate in this process; costs a team-day, and the peak of memory."""
    from worldsim.runs import open_campaign  # noqa: PLC0415
    from worldsim.scenario import load  # noqa: PLC0415

    before = unit_us()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run" if disk else None
        with open_campaign(load(scenario), days=days, out=out, level=level) as campaign:
            teams = len(campaign.world.teams)
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in campaign:
                pass
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        size = sum(f.stat().st_size for f in Path(folder).rglob("*") if f.is_file())
    unit = (before + unit_us()) / 2
    each = cpu / (days * teams) * 1e6
    return {
        "team_days_per_s": days * teams / cpu,
        "wall_s": wall,
        "us_per_team_day": each,
        "unit_us": unit,
        "units_per_team_day": each / unit,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "bytes_per_team_day": size / (days * teams),
    }


def in_child(scenario: str, days: int, *, disk: bool = True, level: str = "info") -> dict[str, Any]:
    """``one_run`` in a process of its own, so that peaks of memory are its own too."""
    arguments = json.dumps([scenario, days, disk, level])
    done = subprocess.run(
        [PYTHON, __file__, "--child", arguments], check=True, capture_output=True, text=True
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def medians(runs: list[dict[str, Any]]) -> dict[str, float]:
    """The median of each figure over some runs."""
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def speed(*, quick: bool) -> dict[str, Any]:
    """long_depletion for a year: with the info log on disk, and with warnings only."""
    days, times = (90, 1) if quick else (365, 3)
    return {
        "with log on disk": medians([in_child("long_depletion", days) for _ in range(times)]),
        "warnings only": medians(
            [in_child("long_depletion", days, level="warning") for _ in range(times)]
        ),
    }


def memory(*, quick: bool) -> dict[str, Any]:
    """Whether memory and cost stay flat from one year to ten."""
    short, long = (60, 240) if quick else (365, 3650)
    a, b = in_child("long_depletion", short), in_child("long_depletion", long)
    return {
        f"{short} days": a,
        f"{long} days": b,
        "ratio": {
            "peak_mib": b["peak_mib"] / a["peak_mib"],
            "units_per_team_day": b["units_per_team_day"] / a["units_per_team_day"],
        },
    }


def child_cpu(command: list[str], folder: str) -> float:
    """CPU seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def startup(*, quick: bool) -> dict[str, Any]:
    """The command's start, and the smallest run against the import of its libraries."""
    times = 3 if quick else 9
    command = [PYTHON, "-m", "worldsim"]
    figures: dict[str, list[float]] = {}
    wall: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        asked = subprocess.run(
            [PYTHON, "-c", LIST_LIBRARIES], check=True, capture_output=True, text=True, cwd=folder
        )
    libraries = [name for name in asked.stdout.split() if not name.startswith("worldsim")]
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder:
            for name, call in {
                "--version": [*command, "--version"],
                "--help": [*command, "--help"],
                "import libraries": [PYTHON, "-c", IMPORT_LIBRARIES, *libraries],
                "run lone_colony": [*command, "run", "lone_colony"],
            }.items():
                begun = time.perf_counter()
                figures.setdefault(name, []).append(child_cpu(call, folder))
                wall.setdefault(name, []).append(time.perf_counter() - begun)
    result: dict[str, Any] = {
        name: {"cpu_s": statistics.median(each), "wall_s": statistics.median(wall[name])}
        for name, each in figures.items()
    }
    pairs = zip(figures["run lone_colony"], figures["import libraries"], strict=True)
    result["ratio"] = {"run / import": statistics.median(a / b for a, b in pairs)}
    return result


def duels(*, quick: bool) -> dict[str, Any]:
    """Exact odds of duels of four a side: CPU seconds, and the peak of memory of the process."""
    cases = {
        "4 distinct, 2 health": (4, 2, True),
        "4 distinct, 6 health": (4, 6, True),
        "4 alike, 6 health": (4, 6, False),
    }
    if not quick:
        cases["5 distinct, 6 health"] = (5, 6, True)
    results: dict[str, Any] = {}
    for name, case in cases.items():
        done = subprocess.run(
            [PYTHON, __file__, "--duel", json.dumps(case)],
            check=True,
            capture_output=True,
            text=True,
        )
        results[name] = json.loads(done.stdout)
    return results


def one_duel(count: int, health: int, *, distinct: bool) -> dict[str, float]:
    """Exact odds of two sides of so many characters, in this process."""
    from worldsim.duel import duel_odds  # noqa: PLC0415
    from worldsim.rules.cards import TRAITS, Card, Side, Terms  # noqa: PLC0415

    terms = Terms()
    sides: list[Side] = []
    for first in (9, 12):
        powers = [first + (3 * number if distinct else 0) for number in range(count)]
        cards = [
            Card("character", [power] * len(TRAITS), health, str(n))
            for n, power in enumerate(powers)
        ]
        sides.append(Side(cards, terms))
    begun = time.process_time()
    odds = duel_odds(terms, sides[0], sides[1], method="exact")
    return {
        "cpu_s": time.process_time() - begun,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "attacker_wins": float(odds.attacker_wins),
    }


PARTS = {"speed": speed, "memory": memory, "startup": startup, "duels": duels}


def show(results: dict[str, Any]) -> None:
    """The results as a table."""
    for part, rows in results.items():
        print(f"\n{part}")
        for name, figures in rows.items():
            told = "  ".join(f"{key} {value:.4g}" for key, value in figures.items())
            print(f"  {name:<18} {told}")


def main() -> None:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all of them if none")
    parser.add_argument("--quick", action="store_true", help="shorter runs")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--duel", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        scenario, days, disk, level = json.loads(given.child)
        print(json.dumps(one_run(scenario, days, disk=disk, level=level)))
        return
    if given.duel:
        count, health, distinct = json.loads(given.duel)
        print(json.dumps(one_duel(count, health, distinct=distinct)))
        return
    results = {part: PARTS[part](quick=given.quick) for part in given.parts or PARTS}
    if given.json:
        print(json.dumps({"cores": os.cpu_count(), "python": sys.version.split()[0], **results}))
    else:
        show(results)


if __name__ == "__main__":
    main()
