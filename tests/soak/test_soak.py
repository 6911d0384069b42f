"""Random small worlds live for a while, watched by checkers that know nothing of the code."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, get_args

import pytest
from replayed import HARSH, midnights
from soaking.checkers import LogChecker, read
from soaking.options import other_values
from soaking.watching import Case, random_case, watch
from soaking.worlds import random_scenario

from worldsim.scenario import load, load_text
from worldsim.scenario.options import GatheringOptions, Rules
from worldsim.world.state import restore

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldsim.world.world import World

SEED, WORLDS = 20, 50
LIVED = 20
"""Worlds that live here; ``tools/soak.py --worlds 500`` lives through them and more."""


@pytest.mark.rule("RES-6")
@pytest.mark.parametrize("number", range(LIVED))
def test_whatever_the_scenario_the_world_stays_whole_and_goes_on_from_any_midnight(
    number: int,
) -> None:
    failure = watch(random_case(SEED, number)).failure
    again = f"python tools/soak.py --seed {SEED} --world {number} makes it small"
    assert failure is None, f"{failure.check}, day {failure.day}: {failure.what}\n{again}"


def test_the_harsh_world_stays_whole() -> None:
    assert watch(Case(HARSH.read_text(encoding="utf-8"), 90, (30,))).failure is None


def test_a_random_scenario_is_the_same_each_time_and_another_for_another_number() -> None:
    assert random_scenario(1, 2) == random_scenario(1, 2)
    assert len({random_scenario(seed, n) for seed in (1, 2) for n in (1, 2)}) == 4


def test_random_scenarios_reach_every_option_of_the_rules() -> None:
    sections: list[Any] = [field.annotation for field in Rules.model_fields.values()]
    for section in sections:
        for option, info in section.model_fields.items():
            assert other_values(section, option, info), f"{section.__name__}.{option}"


def test_random_scenarios_are_of_every_kind() -> None:
    told = "".join(random_scenario(SEED, number) for number in range(WORLDS))
    for word in (
        *("nearest", "richest_known", "round_robin", "random", "scripted"),
        *("rest", "reform", "contribute", "war", "peace", "avoid", "debug", "info", "warning"),
        *("ring", "line", "star", "grid", "complete", "tree", "soak.json", "soak.graphml"),
        *("per_mission", "league", "starship", "vehicle", "equipment"),
    ):
        assert f'= "{word}"' in told, word
    for key in ("targets", "members", "region_weights", "priority", "target_units", "tables"):
        assert f"{key} = " in told, key


def test_the_values_of_an_option_are_those_it_accepts_and_not_its_default() -> None:
    field = GatheringOptions.model_fields["failed_unit"]
    assert other_values(GatheringOptions, "failed_unit", field) == ["destroyed"]
    assert set(get_args(field.annotation)) == {"stays", "destroyed"}


def forget_carried(world: World) -> None:
    world.reserves.carried = [[0.0] * len(row) for row in world.reserves.carried]


def forget_weather(world: World) -> None:
    world.sky = {}


def forget_control(world: World) -> None:
    world.contests.control.clear()


def forget_memory(world: World) -> None:
    for colony in world.colonies:
        colony.memory = None


@pytest.mark.parametrize("forget", [forget_carried, forget_weather, forget_control, forget_memory])
def test_a_state_that_forgets_something_is_caught(
    monkeypatch: pytest.MonkeyPatch, forget: Callable[[World], None]
) -> None:
    def forgetful(world: World, data: bytes, *, joined: bool) -> int:
        seq = restore(world, data, joined=joined)
        forget(world)
        return seq

    monkeypatch.setattr("worldsim.processes.simulation.restore", forgetful)
    failures = (watch(random_case(SEED, number)).failure for number in range(WORLDS))
    failure = next(each for each in failures if each is not None)
    assert failure.check == "resume"
    assert "the state is another" in failure.what


def first(lines: list[bytes], kind: bytes) -> int:
    return next(n for n, line in enumerate(lines) if kind in line)


def twice(lines: list[bytes], kind: bytes) -> list[bytes]:
    """The first event of a kind happens once more."""
    at = first(lines, kind)
    return [*lines[: at + 1], re.sub(rb'"seq":\d+', b'"seq":%d' % (at + 1), lines[at])]


def swapped(lines: list[bytes]) -> list[bytes]:
    return [*lines[:50], lines[51], lines[50], *lines[52:]]


def without_a_line(lines: list[bytes]) -> list[bytes]:
    return [*lines[:50], *lines[51:]]


def in_another_place(lines: list[bytes]) -> list[bytes]:
    at = first(lines, b'"team.endured"')
    event = json.loads(lines[at])
    event["place"] = "r4/s3" if event["place"] != "r4/s3" else "r4/s2"
    return [*lines[:at], json.dumps(event).encode(), *lines[at + 1 :]]


def too_weary(lines: list[bytes]) -> list[bytes]:
    return [re.sub(rb'"efficiency":\d+', b'"efficiency":101', line) for line in lines]


def healthier_than_can_be(lines: list[bytes]) -> list[bytes]:
    return [re.sub(rb'"health":-?\d+', b'"health":-81', line) for line in lines]


def moving_twice(lines: list[bytes]) -> list[bytes]:
    return twice(lines, b'"team.moved"')


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (swapped, "seq has no gap"),
        (without_a_line, "seq has no gap"),
        (in_another_place, "is in r"),
        (too_weary, "efficiency is 101"),
        (healthier_than_can_be, "Health -81"),
        (moving_twice, "team.moved after"),
    ],
)
def test_the_checkers_notice_a_damaged_log(
    damage: Callable[[list[bytes]], list[bytes]], says: str
) -> None:
    scenario = load(HARSH)
    *_, last = midnights(scenario, 20)
    with pytest.raises(AssertionError, match=says):
        read(damage(last.lines), LogChecker(scenario))


def test_random_scenarios_live_through_most_of_what_can_happen() -> None:
    kinds: Counter[str] = Counter()
    for number in range(20):
        *_, last = midnights(load_text(random_scenario(SEED, number)), 25)
        kinds.update(json.loads(line)["event"] for line in last.lines)
    assert len(kinds) >= 40
    assert {
        "sector.contested", "battle.round_fought", "card.fell", "card.recovered", "battle.ended",
        "sector.secured", "sector.claimed", "team.slipped_away",
    } <= set(kinds)  # fmt: skip


def fighting_twice(lines: list[bytes]) -> list[bytes]:
    """The first duel begins again while it goes on."""
    return twice(lines, b'"battle.started"')


def moving_after_a_battle(lines: list[bytes]) -> list[bytes]:
    """The loser of the first duel walks on the same day."""
    at = first(lines, b'"battle.ended"')
    end = json.loads(lines[at])
    walk = {
        "event": "team.moved", "seq": at + 1, "t": end["t"], "day": end["day"], "level": "info",
        "cause": None, "team": end["loser"], "place": end["sector"].partition("/")[0],
        "heading": "home", "progress": 1.0, "travelled": 1.0, "distance": 1.0,
    }  # fmt: skip
    return [*lines[: at + 1], json.dumps(walk).encode()]


def without_the_winner(lines: list[bytes]) -> list[bytes]:
    """The sector is secured by nobody."""
    at = first(lines, b'"sector.secured"')
    event = json.loads(lines[at])
    return [*lines[:at], json.dumps(event | {"teams": []}).encode()]


@pytest.mark.rule("BAT-13", "BAT-15")
@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (fighting_twice, "one duel after another"),
        (moving_after_a_battle, "has fought today|team.moved after"),
        (without_the_winner, "all who are left"),
    ],
)
def test_the_checkers_notice_battles_that_cannot_be(
    damage: Callable[[list[bytes]], list[bytes]], says: str
) -> None:
    scenario = load("contested_frontier")
    *_, last = midnights(scenario, 40)
    read(last.lines, LogChecker(scenario))
    with pytest.raises(AssertionError, match=says):
        read(damage(last.lines), LogChecker(scenario))
