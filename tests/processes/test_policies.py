"""Which team goes where: the shipped policies, users' own, and broken ones."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from stories import GROUND, HOME, Told, scenario, team, tell

from worldsim.chance import Chance
from worldsim.cli.main import cli
from worldsim.processes.policies import (
    BrokenPolicyError,
    Order,
    UnknownPolicyError,
    View,
    nearest,
    random,
    richest_known,
    round_robin,
    scripted,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TARGETS = ("r1/s2", "r1/s3", "r1/s4")
THREE = 'targets = ["r1/s2", "r1/s3", "r1/s4"]'
WIDE = "planet.sectors_per_region=4"
SHORT = "missions.gather.day_limit=1"


def colonies(policy: str, *teams: str, more: str = "") -> str:
    head = HOME.replace('targets = ["r1/s2"]', f'{THREE}\npolicy = "{policy}"\n{more}')
    return head + "".join(teams or (team(),))


def view(**facts: Any) -> View:
    """What a colony knows, three targets 1, 2 and 3 away by default."""
    known: dict[str, Any] = {
        "day": 1, "colony": "home", "team": "home/ants", "profile": "gathering",
        "mission": "gather", "targets": TARGETS,
        "distances": MappingProxyType(dict(zip(TARGETS, (1.0, 2.0, 3.0), strict=True))),
        "known_stock": MappingProxyType({}), "yields": MappingProxyType({}),
        "bound_for": MappingProxyType({}), "script": (),
    }  # fmt: skip
    return View(**(known | facts))


def chance() -> Iterator[float]:
    return Chance(1).at("policy", "home/ants", 1)


@pytest.mark.parametrize(
    ("facts", "target"),
    [
        ({}, "r1/s2"),
        ({"known_stock": {"r1/s2": 0}}, "r1/s3"),
        ({"yields": {"r1/s2": 0, "r1/s3": 0}}, "r1/s4"),
        ({"yields": {"r1/s2": 7}}, "r1/s2"),
        ({"yields": dict.fromkeys(TARGETS, 0)}, "r1/s2"),
        ({"known_stock": dict.fromkeys(TARGETS, 0)}, "r1/s2"),
    ],
)
def test_nearest_takes_the_nearest_sector_not_known_to_be_spent(
    facts: dict[str, Any], target: str
) -> None:
    assert nearest(view(**facts), chance(), None) == (Order(target), None)
    assert nearest(view(targets=()), chance(), None) == (None, None)


@pytest.mark.rule("ACT-4")
@pytest.mark.parametrize(
    ("facts", "target"),
    [
        ({}, "r1/s2"),
        ({"known_stock": {"r1/s3": 4, "r1/s4": 9}}, "r1/s4"),
        ({"known_stock": {"r1/s3": 9, "r1/s4": 4}}, "r1/s3"),
        ({"known_stock": {"r1/s2": 0}}, "r1/s3"),
        ({"known_stock": {"r1/s3": 4}, "mission": "explore"}, "r1/s2"),
        ({"known_stock": {"r1/s2": 4}, "mission": "explore"}, "r1/s3"),
    ],
)
def test_richest_known_takes_the_fullest_mapped_sector_and_explores_the_nearest_unmapped(
    facts: dict[str, Any], target: str
) -> None:
    assert richest_known(view(**facts), chance(), None) == (Order(target), None)


def test_round_robin_goes_from_one_sector_to_the_next_and_remembers() -> None:
    told = tell(40, WIDE, SHORT, colonies=colonies("round_robin"))
    gone = [each["target"] for each in told.all("team.departed")]
    by_name = told.sim.context.world.route
    near_first = sorted(TARGETS, key=lambda s: (by_name("r1/s1", s).distance, s))
    assert gone[:6] == near_first * 2
    assert round_robin(view(), chance(), {"turn": 2}) == (Order("r1/s4"), {"turn": 3})


def test_random_takes_each_sector_as_often_as_any_other() -> None:
    counts = dict.fromkeys(TARGETS, 0)
    for seed in range(600):
        order, memory = random(view(), Chance(seed).at("policy", "home/ants", 1), None)
        assert order is not None
        assert memory is None
        counts[order.target] += 1
    assert all(abs(n - 200) <= 4 * (600 * 2 / 9) ** 0.5 for n in counts.values())
    told = tell(200, WIDE, SHORT, colonies=colonies("random"))
    assert {each["target"] for each in told.all("team.departed")} == set(TARGETS)


def test_a_script_is_carried_out_line_by_line_each_once_and_not_before_its_day() -> None:
    script = (
        'script = [{ day = 3, team = "ants", target = "r1/s3" },'
        ' { day = 1, team = "bees", target = "r1/s4", mission = "patrol" },'
        ' { day = 4, team = "ants", target = "r1/s2" },'
        ' { day = 30, team = "ants", target = "r1/s4" }]\n'
    )
    both = colonies("scripted", team("ants"), team("bees"), more=script)
    told = tell(40, WIDE, SHORT, "missions.patrol.day_limit=1", colonies=both)
    left = {
        (each["team"], each["target"], each["mission"]): each["day"]
        for each in told.all("team.departed")
    }
    first = left["home/ants", "r1/s3", "gather"]
    assert left == {
        ("home/ants", "r1/s3", "gather"): 3,
        ("home/bees", "r1/s4", "patrol"): 1,
        ("home/ants", "r1/s2", "gather"): left["home/ants", "r1/s2", "gather"],
        ("home/ants", "r1/s4", "gather"): 30,
    }
    assert left["home/ants", "r1/s2", "gather"] >= first + 3
    assert len(told.all("team.departed")) == 4
    assert told.colony.memory == {"done": [1, 0, 2, 3]}
    assert scripted(view(), chance(), None) == (None, None)


@pytest.fixture(name="provide")
def _provide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Install a package that provides the policy ``mine`` from the given source."""

    def provide(source: str) -> None:
        name = f"policy_{abs(hash(source)) % 10**9}"
        (tmp_path / f"{name}.py").write_text(source)
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[worldsim.policies]\nmine = {name}:choose\n")
        monkeypatch.syspath_prepend(tmp_path)

    return provide


HEAD = "from worldsim.processes.policies import Order\n"
FARTHEST = HEAD + "def choose(view, chance, memory):\n    return Order(view.targets[-1]), memory\n"


def test_a_users_own_policy_is_found_by_its_entry_point(provide: Callable[[str], None]) -> None:
    provide(FARTHEST)
    told = tell(1, WIDE, colonies=colonies("mine"))
    departed = told.one("team.departed")
    assert departed["policy"] == "mine"
    distances = {s: told.sim.world.route("r1/s1", s).distance for s in TARGETS}
    assert departed["target"] == max(TARGETS, key=lambda s: (distances[s], s))


def test_a_policy_sees_a_frozen_world(provide: Callable[[str], None]) -> None:
    provide(HEAD + "def choose(view, chance, memory):\n    view.day = 3\n")
    with pytest.raises(BrokenPolicyError, match=r"'mine' on day 1: failed with AttributeError"):
        tell(1, WIDE, colonies=colonies("mine"))


def test_a_policy_cannot_change_what_the_colony_knows(provide: Callable[[str], None]) -> None:
    provide("def choose(view, chance, memory):\n    view.distances['r1/s2'] = 0\n")
    with pytest.raises(BrokenPolicyError, match=r"'mine' on day 1: failed with TypeError"):
        tell(1, WIDE, colonies=colonies("mine"))


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise KeyError('oh')", "failed with KeyError: 'oh' (policy_"),
        ("1 / 0", ".py, line 5)"),
        ("return [][view.day]", "failed with IndexError"),
        ("pass", "answered None, which is no (order, memory)"),
        ("return Order('r1/s2')", "which is no (order, memory)"),
        ("return Order('r1/s2'), 1, 2", "which is no (order, memory)"),
        ("return Order('r9/s9'), memory", "no target"),
        ("return Order('r1/s1'), memory", "no target"),
        ("return Order('r1/s2', 'picnic'), memory", "no mission"),
        ("return Order('r1/s2'), {1, 2}", "cannot be remembered"),
        ("return Order('r1/s2'), float('nan')", "as JSON"),
        ("return Order('r1/s2'), 2**70", "cannot be remembered"),
        ("return Order('r1/s2'), [1, float('inf')]", "as JSON"),
        ("return Order('r1/s2'), {'turns': (1, 2)}", "as JSON"),
        ("return Order('r1/s2'), {1: 2}", "as JSON"),
        ("return 'r1/s2', memory", "order"),
        ("return Order(['r1/s2']), memory", "target"),
    ],
)
def test_a_broken_policy_stops_the_run_with_its_name_and_the_day(
    body: str, says: str, provide: Callable[[str], None]
) -> None:
    source = (
        "def choose(view, chance, memory):\n    if view.day < 2:\n        return None, memory\n"
    )
    provide(f"{HEAD}{source}    {body}\n")
    told = Told(scenario(WIDE, colonies=colonies("mine"))).days(1)
    with pytest.raises(BrokenPolicyError) as caught:
        told.days(1)
    assert str(caught.value).startswith("policy 'mine' on day 2: ")
    assert says in str(caught.value)
    assert caught.value.exit_code == 3


IMPURE = (
    HEAD + "turns = []\n"
    "def choose(view, chance, memory):\n"
    "    turns.append(1)\n"
    "    return Order(view.targets[len(turns) % 2]), memory\n"
)


def test_a_policy_that_is_not_pure_is_found_at_debug_level(provide: Callable[[str], None]) -> None:
    provide(IMPURE)
    with pytest.raises(BrokenPolicyError, match="not pure"):
        tell(1, WIDE, colonies=colonies("mine"), level="debug")
    assert tell(1, WIDE, colonies=colonies("mine")).all("team.departed")


def test_a_pure_policy_that_draws_and_remembers_passes_at_debug_level(
    provide: Callable[[str], None],
) -> None:
    provide(
        HEAD + "def choose(view, chance, memory):\n"
        "    memory = memory or []\n"
        "    memory.append(next(chance))\n"
        "    return Order(view.targets[int(next(chance) * 3)]), memory\n"
    )
    plain = tell(30, WIDE, SHORT, colonies=colonies("mine"))
    debug = tell(30, WIDE, SHORT, colonies=colonies("mine"), level="debug")
    assert plain.events == [each for each in debug.events if each["event"] != "dice.rolled"]
    assert len(plain.colony.memory) == len(plain.all("team.departed")) > 1


def test_the_command_stops_with_three_at_a_broken_policy(
    provide: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provide("def choose(view, chance, memory):\n    raise RuntimeError('no idea')\n")
    result = run_command(colonies("mine"), tmp_path, monkeypatch)
    assert result.exit_code == 3
    assert "policy 'mine' on day 1: failed with RuntimeError: no idea" in result.stderr
    assert "Traceback" not in result.stderr


def test_an_unknown_policy_is_refused_with_those_that_are_near(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UnknownPolicyError):
        tell(1, WIDE, colonies=colonies("nearst"))
    result = run_command(colonies("nearst"), tmp_path, monkeypatch)
    assert result.exit_code == 2
    assert '"nearst"' in result.stderr
    assert "nearest" in result.stderr
    assert not (tmp_path / "runs").exists(), "nothing is written"


def test_a_policy_that_cannot_be_imported_is_refused(
    provide: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provide("import no_such_module_anywhere\n")
    result = run_command(colonies("mine"), tmp_path, monkeypatch)
    assert result.exit_code in {2, 3}
    assert "mine" in result.stderr
    assert "Traceback" not in result.stderr


def run_command(where: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the command says of a story with these colonies."""
    from stories import BERRY  # noqa: PLC0415

    text = GROUND.replace("sectors_per_region = 2", "sectors_per_region = 4") + BERRY + where
    (folder / "story.toml").write_text(text)
    monkeypatch.chdir(folder)
    return CliRunner().invoke(cli, ["run", "story.toml", "--days", "2", "--quiet"])
