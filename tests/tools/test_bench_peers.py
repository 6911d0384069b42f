"""The baselines of tools/bench.py: the same rules, or they are no baselines."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, replace
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from bench_peers import dice, gathering
from bench_peers.planet import Planet
from bench_peers.setup import world_data
from bench_peers.team import NotSteadyError, Team, Trip
from benching.laws import chance_of_one_law
from benching.peers import PEERS
from benching.steady import steady

from worldsim.chance import Chance
from worldsim.processes.context import gathering_terms
from worldsim.rules.dice import Dice, pool_of, with_bonus
from worldsim.rules.gathering import Skills, gather, gathering_limit
from worldsim.rules.teams import DETECTION, GATHERING
from worldsim.runs import simulate
from worldsim.world.build import build

if TYPE_CHECKING:
    from bench_peers.setup import WorldData

    from worldsim.scenario.model import Scenario

pytestmark = pytest.mark.long

LEVEL = 1e-3
"""Of every comparison here; seeds are fixed, so a pass stays one."""
DAYS, SEED = 30, 3
PHASES = 2_000
OURS_ALONE = {
    "campaign.started", "colony.founded", "reserve.founded", "team.formed", "sector.claimed",
}  # fmt: skip


@pytest.fixture(scope="module")
def data() -> WorldData:
    return world_data(steady(), SEED)


@pytest.fixture(scope="module")
def our_lines() -> list[dict[str, Any]]:
    run = simulate(steady(), seed=SEED, days=DAYS)
    return [json.loads(line) for line in run.lines()]


def their_lines(name: str, data: WorldData) -> list[dict[str, Any]]:
    """The log of a peer's run."""
    pytest.importorskip(name, reason=f"{name} comes with the extra 'bench'")
    file = io.StringIO()
    advance = import_module(f"bench_peers.{PEERS[name]}").start(Planet(data, SEED, file))
    for _ in range(DAYS):
        advance()
    return [json.loads(line) for line in file.getvalue().splitlines()]


def hauls(lines: list[dict[str, Any]]) -> list[int]:
    return [sum(line["taken"].values()) for line in lines if line["event"] == "team.gathered"]


@pytest.mark.filterwarnings("default")  # of libraries that only the bench uses
@pytest.mark.parametrize("name", PEERS)
def test_a_peer_gathers_by_the_same_law_and_logs_the_same(
    name: str, data: WorldData, our_lines: list[dict[str, Any]]
) -> None:
    lines = their_lines(name, data)
    assert chance_of_one_law(hauls(our_lines), hauls(lines)) > LEVEL
    ours, theirs = ({line["event"]: set(line) for line in each} for each in (our_lines, lines))
    assert theirs == {kind: keys for kind, keys in ours.items() if kind not in OURS_ALONE}
    assert len(lines) == pytest.approx(
        sum(line["event"] in theirs for line in our_lines), rel=0.03
    )  # fmt: skip


@dataclass(frozen=True)
class Day:
    """What a gathering day is like."""

    capacity: int = 200
    value: int = 55
    left: float = 1.0
    stealth: int = 120
    fragility: int = 120

    def scenario(self) -> Scenario:
        """The bench's scenario, but for what its ingredients are like."""
        scenario = steady()
        alike = {"stealth": self.stealth, "fragility": self.fragility}
        changed = tuple(each.model_copy(update=alike) for each in scenario.ingredients)
        return scenario.model_copy(update={"ingredients": changed})


EASY, LADEN, SPENT = Day(), Day(capacity=20), Day(value=25, left=0.4)
HARD = Day(stealth=700, fragility=900)
"""Here the Limit often ends the day, so that what a miss costs shows."""
HIDDEN = Day(stealth=900)
"""Here more than one success of Detection is rare."""


def our_phases(day: Day) -> list[int]:
    """Units of many phases of worldsim's, each in the same sector as it was."""
    world = build(day.scenario(), Chance(SEED))
    terms = gathering_terms(world, world.scenario.missions["gather"])
    place = world.index["r1/s1"]
    ground = world.reserves.grounds[place]
    ground.left[:] = [int(units * day.left) for units in ground.initial]
    pool = with_bonus(pool_of(day.value, extra_die=False), 2)
    skills = Skills(pool, pool, 0, [0] * len(world.ingredients))
    taken: list[int] = []
    for phase in range(PHASES):
        roll = Dice(Chance(SEED).at("gather", "anybody", phase))
        limit = gathering_limit(roll, pool, 1, day.capacity, "both")
        haul = gather(roll, terms, ground, ground.kinds, skills, limit, day.capacity)
        taken.append(sum(haul.taken.values()))
    return taken


def their_phases(day: Day) -> list[int]:
    """The same phases by the plain rules."""
    data = world_data(day.scenario(), SEED)
    planet = Planet(data, SEED)
    place = planet.places["r1/s1"]
    place.left = {name: int(units * day.left) for name, units in place.initial.items()}
    values = dict.fromkeys(data.teams[0].values, float(day.value))
    team = Team(planet, replace(data.teams[0], capacity=day.capacity, values=values))
    taken: list[int] = []
    for _ in range(PHASES):
        team.tested.clear()
        team.resilience = dict(team.base)
        taken.append(sum(gathering.gather(team, place).taken.values()))
    return taken


@pytest.mark.parametrize("day", [EASY, LADEN, SPENT, HARD, HIDDEN])
def test_one_phase_of_the_plain_rules_has_the_law_of_worldsims(day: Day) -> None:
    assert chance_of_one_law(our_phases(day), their_phases(day)) > LEVEL


@pytest.mark.parametrize(
    ("name", "wrong", "day"),
    [("MISS_COST", 1, HARD), ("FIND_ALL_AT", 1, HIDDEN), ("SCALE_BASE", 3, HARD)],
)
def test_a_baseline_with_a_wrong_number_is_found_out(
    monkeypatch: pytest.MonkeyPatch, name: str, wrong: int, day: Day
) -> None:
    monkeypatch.setattr(gathering, name, wrong)
    assert chance_of_one_law(our_phases(day), their_phases(day)) < LEVEL


def test_the_peers_start_from_the_same_people(data: WorldData) -> None:
    world = build(steady(), Chance(SEED))
    for ours, theirs in zip(world.teams, data.teams, strict=True):
        assert theirs.values["gathering"] == ours.values[GATHERING]
        team = Team(Planet(data, SEED), theirs)
        assert tuple(team.pool("detection")) == ours.profiled[3]
        assert team.base["detection"] == int(ours.values[DETECTION] // 10)


@pytest.mark.parametrize("difficulty", range(2, 11))
def test_a_plain_throw_has_the_law_of_a_test(difficulty: int) -> None:
    random = Random(difficulty)  # noqa: S311 - dice, not secrets
    pool = dice.Pool(5)
    theirs = [dice.successes(random, pool, difficulty) for _ in range(PHASES)]
    stream = Dice(Chance(1).at("test", "any", difficulty))
    ours = [stream.test("DICE-5", (5, 0), difficulty) for _ in range(PHASES)]
    assert chance_of_one_law(ours, theirs) > LEVEL


def test_a_plain_team_that_would_starve_stops_the_model(data: WorldData) -> None:
    team = Team(Planet(data, SEED), data.teams[0])
    team.trip = Trip(team.colony.routes[0], days=1)
    team.status = "on_site"
    with pytest.raises(NotSteadyError, match="hungry"):
        team.live_day()
