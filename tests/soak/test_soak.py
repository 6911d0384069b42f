"""Random small worlds live for a while, watched by checkers that know nothing of the code.

``WORLDSIM_SOAK_SEED`` and ``WORLDSIM_SOAK_SCENARIOS`` ask for others, and for more of them.
"""

from __future__ import annotations

import os
from typing import Any, get_args

import msgspec
import pytest
from checkers import LogChecker, check_world
from random_scenarios import other_values, random_scenario
from replayed import HARSH, midnights, tally_of

from worldsim.events.kinds import AnyEvent
from worldsim.scenario import Scenario, load, load_text
from worldsim.scenario.options import GatheringOptions, Rules

SEED = int(os.environ.get("WORLDSIM_SOAK_SEED", "20"))
SCENARIOS = int(os.environ.get("WORLDSIM_SOAK_SCENARIOS", "30"))
DAYS = 40


def watch(scenario: Scenario, days: int) -> None:
    """Live through a run, with every checker at every event and every midnight."""
    checker = LogChecker(scenario)
    seen = 0
    for day, lines, tally, simulation in midnights(scenario, days):
        for line in lines[seen:]:
            try:
                checker.see(msgspec.json.decode(line, type=AnyEvent))
            except AssertionError as fault:
                raise AssertionError(f"{fault}\n{line.decode()}") from fault
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
