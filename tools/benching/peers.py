"""How much faster worldsim is than the same rules written the plain way on three libraries."""

from __future__ import annotations

import statistics
import tempfile
from contextlib import ExitStack
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benching.children import in_child
from benching.laws import LEVEL, chance_of_one_law
from benching.plan import Measured
from benching.steady import Timed, steady

if TYPE_CHECKING:
    from benching.plan import Figures, Plan

PEERS = {"simpy": "on_simpy", "mesa": "on_mesa", "salabim": "on_salabim"}
OURS: dict[str, dict[str, Any]] = {
    "with log": {"disk": True, "level": "info"},
    "without": {"disk": False, "level": "warning"},
}
LAW_DAYS, LAW_SEED = 60, 3


def peers(plan: Plan) -> Measured:
    """The factors, with the same events logged and without; first, whether they are the same.

    Runs of worldsim and of each peer take turns; a factor is the median over the rounds.
    """
    days, rounds = (60, 1) if plan.quick else (180, 5)
    known = {name: module for name, module in PEERS.items() if find_spec(name)}
    measured = Measured({})
    for name in sorted(set(PEERS) - set(known)):
        measured.faults.append(f"{name} is not installed: pip install -e '.[bench]'")
    _compare_laws(plan, known, measured)
    for way, ours in OURS.items():
        costs: dict[str, list[float]] = {name: [] for name in ("worldsim", *known)}
        for _ in range(rounds):
            done = in_child("steady.one_run", source=plan.source, days=days, **ours)
            costs["worldsim"].append(done["figures"]["units_per_team_day"])
            for name, module in known.items():
                done = in_child(
                    "peers.one_run", source=plan.source, module=module, days=days,
                    log=way == "with log",
                )  # fmt: skip
                costs[name].append(done["units_per_team_day"])
        for name in known:
            measured.rows[f"factor {way}: {name}"] = _factor(costs[name], costs["worldsim"])
    return measured


def _factor(peer: list[float], ours: list[float]) -> Figures:
    factors = [one / other for one, other in zip(peer, ours, strict=True)]
    return {
        "factor": statistics.median(factors),
        "least": min(factors),
        "most": max(factors),
        "units": statistics.median(peer),
        "units of worldsim": statistics.median(ours),
    }


def _compare_laws(plan: Plan, known: dict[str, str], measured: Measured) -> None:
    """Units a gathering day, of worldsim and of each peer: who has another law is no peer."""
    ours = in_child("peers.our_hauls", source=plan.source, days=LAW_DAYS, seed=LAW_SEED)
    measured.rows["law of worldsim"] = {"mean": statistics.fmean(ours), "phases": len(ours)}
    for name, module in known.items():
        theirs = in_child(
            "peers.their_hauls", source=plan.source, module=module, days=LAW_DAYS, seed=LAW_SEED
        )
        p = chance_of_one_law(ours, theirs)
        measured.rows[f"law of {name}"] = {
            "mean": statistics.fmean(theirs), "phases": len(theirs), "p": p
        }  # fmt: skip
        if p < LEVEL:
            measured.faults.append(
                f"{name} gathers by another law (p = {p:.2g}): it is no baseline"
            )


def one_run(module: str, days: int, *, log: bool) -> Figures:
    """A peer's cost, in this process, with every event as a line in a file or with none."""
    from bench_peers.planet import Planet  # noqa: PLC0415 - only children need the peers
    from bench_peers.setup import world_data  # noqa: PLC0415

    scenario = steady()
    data = world_data(scenario, scenario.campaign.seed)
    with ExitStack() as stack:
        file = None
        if log:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            path = Path(folder) / "events.jsonl"
            file = stack.enter_context(path.open("w", encoding="utf-8", buffering=1 << 16))
        start = import_module(f"bench_peers.{module}").start
        advance = start(Planet(data, scenario.campaign.seed, file))
        return Timed(advance, teams=len(data.teams), days=days).figures()


def our_hauls(days: int, seed: int) -> list[int]:
    """Units of each gathering phase of worldsim's, in this process."""
    from worldsim.runs import simulate  # noqa: PLC0415

    hauls: list[int] = []

    def keep(event: Any) -> None:
        if event.__struct_config__.tag == "team.gathered":
            hauls.append(sum(event.taken.values()))

    simulate(steady(), seed=seed, days=days, level="warning", on_event=keep)
    return hauls


def their_hauls(module: str, days: int, seed: int) -> list[int]:
    """Units of each gathering phase of a peer's, with the same people on the same map."""
    from bench_peers.planet import Planet  # noqa: PLC0415
    from bench_peers.setup import world_data  # noqa: PLC0415

    planet = Planet(world_data(steady(), seed), seed)
    planet.hauls = []
    advance = import_module(f"bench_peers.{module}").start(planet)
    for _ in range(days):
        advance()
    return planet.hauls
