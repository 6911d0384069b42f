"""The workload ``bench_steady``, and whether a run of it did all the work it should."""

from __future__ import annotations

import hashlib
import resource
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benching.plan import STEADY
from benching.unit import Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benching.plan import Figures
    from worldsim.events.kinds import Level
    from worldsim.scenario.model import Scenario

SLICES = 12  # of a run, between which the unit is timed
TEAMS_IN_SCENARIO = 100
FEWEST_TEAMS, FIRST_DAYS = 4, 5

RANGES: dict[str, tuple[float, float]] = {
    "at the colony a team-day": (0.25, 0.35),
    "events of teams a team-day": (1.8, 3.0),
    "gathering phases a team-day": (0.2, 0.4),
    "units a gathering phase": (5.0, 40.0),
    "places regrown a day": (5.0, 45.0),
    "battles": (0.0, 0.0),
    "teams lost a team-day": (0.0, 0.001),
}
"""What a run of bench_steady must show, so that nobody gets faster by doing less."""


def steady(teams: int = TEAMS_IN_SCENARIO) -> Scenario:
    """The scenario, with so many teams and as much stock for each.

    Args:
        teams: A multiple of four, as there are four colonies.
    """
    from worldsim.scenario import load  # noqa: PLC0415 - only children import worldsim

    scenario = load(STEADY)
    if teams == TEAMS_IN_SCENARIO:
        return scenario
    times = teams / TEAMS_IN_SCENARIO
    colonies = [
        colony.model_copy(
            update={
                "teams": tuple(
                    each.model_copy(update={"count": teams // len(scenario.colonies)})
                    for each in colony.teams
                )
            }
        )
        for colony in scenario.colonies
    ]
    stock = [
        each.model_copy(update={"reserve": round(each.reserve * times)})
        for each in scenario.ingredients
    ]
    return scenario.model_copy(update={"colonies": tuple(colonies), "ingredients": tuple(stock)})


class Timed:
    """Days of a run timed in slices, with the unit timed before, between and after them.

    Args:
        advance: Simulates a day.
        teams: How many there are, for the unit's loop too.
        days: Days that are timed.
        warm_days: Days before anything is timed.
    """

    def __init__(
        self, advance: Callable[[], object], *, teams: int, days: int, warm_days: int = 0
    ) -> None:
        for _ in range(warm_days):
            advance()
        unit = Unit(teams)
        unit.time()
        self.cpu = self.wall = 0.0
        for count in slices(days):
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in range(count):
                advance()
            self.cpu += time.process_time() - cpu
            self.wall += time.perf_counter() - wall
            unit.time()
        self.team_days = days * teams
        self.unit_us = unit.us

    def figures(self) -> Figures:
        """Cost a team-day, in microseconds of CPU and in units."""
        us = self.cpu / self.team_days * 1e6
        return {
            "units_per_team_day": us / self.unit_us,
            "us_per_team_day": us,
            "unit_us": self.unit_us,
            "team_days_per_s": self.team_days / self.cpu,
            "wall_s": self.wall,
            "peak_mib": peak_mib(),
        }


def slices(days: int) -> Iterator[int]:
    """The days in parts, as alike as can be."""
    count = min(SLICES, days)
    for number in range(count):
        yield days * (number + 1) // count - days * number // count


def peak_mib() -> float:
    """The most memory this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def one_run(
    days: int, *, teams: int = TEAMS_IN_SCENARIO, warm_days: int = 0, disk: bool, level: Level
) -> dict[str, Any]:
    """Simulate ``bench_steady`` as a campaign, in this process.

    Args:
        days: Timed ones.
        teams: How many.
        warm_days: Days before, not timed.
        disk: Whether the run is kept in a folder, or in memory.
        level: Of the log.

    Returns:
        ``figures``, ``fingerprint`` (what happened, whatever was logged), and ``shares`` where the
        whole log is on disk.
    """
    from worldsim.runs import open_campaign  # noqa: PLC0415

    load_libraries(disk=disk, level=level)
    whole = warm_days + days
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run" if disk else None
        with open_campaign(steady(teams), days=whole, out=out, level=level) as campaign:
            timed = Timed(campaign.step, teams=teams, warm_days=warm_days, days=days)
            fingerprint = hashlib.sha256(campaign.simulation.state()).hexdigest()
        result: dict[str, Any] = {"figures": timed.figures(), "fingerprint": fingerprint}
        if out is not None:
            size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
            result["figures"]["bytes_per_team_day"] = size / (whole * teams)
            if level == "info":
                result["shares"] = shares(out, days=whole, teams=teams)
    return result


def load_libraries(*, disk: bool, level: Level) -> None:
    """Simulate some days for nothing: what is imported when first used is not a day's cost."""
    from worldsim.runs import simulate  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run" if disk else None
        simulate(steady(FEWEST_TEAMS), days=FIRST_DAYS, out=out, level=level)


def bare_run(days: int) -> dict[str, Any]:
    """The simulation alone: no tables, no store, warnings encoded and dropped."""
    from worldsim.processes.simulation import Simulation  # noqa: PLC0415

    load_libraries(disk=False, level="warning")
    scenario = steady()
    simulation = Simulation(
        scenario, seed=scenario.campaign.seed, write=lambda _line: None, level="warning"
    )

    def advance() -> None:
        simulation.advance()
        simulation.world.takings.clear()  # as whoever keeps the tables does every midnight
        simulation.world.reserves.changed.clear()

    timed = Timed(advance, teams=TEAMS_IN_SCENARIO, days=days)
    fingerprint = hashlib.sha256(simulation.state()).hexdigest()
    return {"figures": timed.figures(), "fingerprint": fingerprint}


def shares(run: Path, *, days: int, teams: int) -> Figures:
    """What a run did, counted in its log of level info."""
    import msgspec  # noqa: PLC0415

    counts = dict.fromkeys((b"team.rested", b"team.gathered", b"team.lost", b"reserve.regrown"), 0)
    team_events = battles = units = 0
    for file in sorted((run / "events").glob("*.jsonl")):
        for line in file.read_bytes().splitlines():
            kind = line.split(b'"', 4)[3]  # the tag comes first
            team_events += b'"team":"' in line
            battles += kind.startswith(b"battle.")
            if kind in counts:
                counts[kind] += 1
            if kind == b"team.gathered":
                units += sum(msgspec.json.decode(line)["taken"].values())
    team_days = days * teams
    return {
        "at the colony a team-day": counts[b"team.rested"] / team_days,
        "events of teams a team-day": team_events / team_days,
        "gathering phases a team-day": counts[b"team.gathered"] / team_days,
        "units a gathering phase": units / max(1, counts[b"team.gathered"]),
        "places regrown a day": counts[b"reserve.regrown"] / days,
        "battles": float(battles),
        "teams lost a team-day": counts[b"team.lost"] / team_days,
    }


def out_of_range(found: Figures) -> list[str]:
    """The shares that are not as they must be, in words."""
    return [
        f"{name}: {found[name]:.4g}, must be {least:g} to {most:g}"
        for name, (least, most) in RANGES.items()
        if not least <= found[name] <= most
    ]
