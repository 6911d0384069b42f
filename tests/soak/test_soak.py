"""Random small worlds live for a while, watched by checkers that know nothing of the code.

``WORLDSIM_SOAK_SEED`` and ``WORLDSIM_SOAK_SCENARIOS`` ask for others, and for more of them.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import pytest
from checkers import LogChecker, check_world
from random_scenarios import other_values, random_scenario
from replayed import HARSH, midnights, tally_of

from worldsim.events.kinds import AnyEvent
from worldsim.scenario import Scenario, load, load_text
from worldsim.scenario.options import GatheringOptions, Rules

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = int(os.environ.get("WORLDSIM_SOAK_SEED", "20"))
SCENARIOS = int(os.environ.get("WORLDSIM_SOAK_SCENARIOS", "30"))
DAYS = 40


def read(lines: list[bytes], checker: LogChecker) -> None:
    for line in lines:
        try:
            checker.see(msgspec.json.decode(line, type=AnyEvent))
        except AssertionError as fault:
            raise AssertionError(f"{fault}\n{line.decode()}") from fault


def watch(scenario: Scenario, days: int) -> None:
    """Live through a run, with every checker at every event and every midnight."""
    checker = LogChecker(scenario)
    seen = 0
    for day, lines, tally, simulation in midnights(scenario, days):
        read(lines[seen:], checker)
        seen = len(lines)
        check_world(simulation.world)
        assert tally.balance() == {}, f"day {day}"
        assert tally == tally_of(simulation, tally.day), f"day {day}"


@pytest.mark.rule("RES-6")
@pytest.mark.parametrize("number", range(SCENARIOS))
def test_whatever_the_scenario_the_world_stays_whole(number: int) -> None:
    text = random_scenario(SEED, number)
    print(f"WORLDSIM_SOAK_SEED={SEED}, scenario {number}:\n\n{text}")  # noqa: T201 - if it fails
    watch(load_text(text), DAYS)


def test_the_harsh_world_stays_whole() -> None:
    watch(load(HARSH), 90)


def test_a_random_scenario_is_the_same_each_time_and_another_for_another_number() -> None:
    assert random_scenario(1, 2) == random_scenario(1, 2)
    assert len({random_scenario(seed, n) for seed in (1, 2) for n in (1, 2)}) == 4


def test_random_scenarios_reach_most_options_of_the_rules() -> None:
    sections: list[Any] = [field.annotation for field in Rules.model_fields.values()]
    options = [(each, *item) for each in sections for item in each.model_fields.items()]
    reached = [option for section, option, info in options if other_values(section, option, info)]
    assert len(reached) > 0.85 * len(options)


def test_the_values_of_an_option_are_those_it_accepts_and_not_its_default() -> None:
    field = GatheringOptions.model_fields["failed_unit"]
    assert other_values(GatheringOptions, "failed_unit", field) == ["destroyed"]
    assert set(get_args(field.annotation)) == {"stays", "destroyed"}


def swapped(lines: list[bytes]) -> list[bytes]:
    return [*lines[:50], lines[51], lines[50], *lines[52:]]


def without_a_line(lines: list[bytes]) -> list[bytes]:
    return [*lines[:50], *lines[51:]]


def in_another_place(lines: list[bytes]) -> list[bytes]:
    at = next(n for n, line in enumerate(lines) if b'"team.endured"' in line)
    event = json.loads(lines[at])
    event["place"] = "r4/s3" if event["place"] != "r4/s3" else "r4/s2"
    return [*lines[:at], json.dumps(event).encode(), *lines[at + 1 :]]


def too_weary(lines: list[bytes]) -> list[bytes]:
    return [re.sub(rb'"efficiency":\d+', b'"efficiency":101', line) for line in lines]


def healthier_than_can_be(lines: list[bytes]) -> list[bytes]:
    return [re.sub(rb'"health":-?\d+', b'"health":-81', line) for line in lines]


def moving_twice(lines: list[bytes]) -> list[bytes]:
    at = next(n for n, line in enumerate(lines) if b'"team.moved"' in line)
    again = [re.sub(rb'"seq":\d+', b'"seq":%d' % (at + 1), lines[at])]
    return [*lines[: at + 1], *again]


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
    kinds = {
        json.loads(line)["event"]
        for number in range(8)
        for line in [*midnights(load_text(random_scenario(SEED, number)), 25)][-1].lines
    }
    assert len(kinds) >= 35
    assert {
        "sector.contested", "battle.round_fought", "card.fell", "card.recovered", "battle.ended",
        "sector.secured", "sector.claimed", "team.slipped_away",
    } <= kinds  # fmt: skip


def fighting_twice(lines: list[bytes]) -> list[bytes]:
    """The first duel begins again while it goes on."""
    at = next(n for n, line in enumerate(lines) if b'"battle.started"' in line)
    return [*lines[: at + 1], re.sub(rb'"seq":\d+', b'"seq":%d' % (at + 1), lines[at])]


def moving_after_a_battle(lines: list[bytes]) -> list[bytes]:
    """The loser of the first duel walks on the same day."""
    at = next(n for n, line in enumerate(lines) if b'"battle.ended"' in line)
    end = json.loads(lines[at])
    walk = {
        "event": "team.moved", "seq": at + 1, "t": end["t"], "day": end["day"], "level": "info",
        "cause": None, "team": end["loser"], "place": end["sector"].partition("/")[0],
        "heading": "home", "progress": 1.0, "travelled": 1.0, "distance": 1.0,
    }  # fmt: skip
    return [*lines[: at + 1], json.dumps(walk).encode()]


def without_the_winner(lines: list[bytes]) -> list[bytes]:
    """The sector is secured by nobody."""
    at = next(n for n, line in enumerate(lines) if b'"sector.secured"' in line)
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
