"""The rulebook that a run reads says what the scenario says."""

from __future__ import annotations

import pytest

from worldsim.rules.teams import ATTRIBUTES
from worldsim.scenario.options import Rules
from worldsim.world.rulebook import Rulebook

ONLY_TO_BUILD = {"survival.climates"}  # the world's climates are made of it, once
NESTED = {"teams.profiles"}


@pytest.mark.parametrize("table", sorted(Rules.model_fields))
def test_each_table_has_the_values_of_the_scenarios(table: str) -> None:
    rules = Rules.model_validate({
        "survival": {"drain": 11, "wildlife_chance": 0.5},
        "fatigue": {"stamina_day": 3, "drain": {"speed": 7}},
        "dice": {"pool_cap": 9},
        "teams": {"ration_weight": 2},
        "travel": {"home_dice": 2, "tables": ["terrain"]},
        "activities": {"retreat_margin": -3.5},
    })  # fmt: skip
    given, read = getattr(rules, table), getattr(Rulebook(rules), table)
    for name in type(given).model_fields:
        if f"{table}.{name}" in ONLY_TO_BUILD:
            assert not hasattr(read, name)
        elif f"{table}.{name}" in NESTED:
            assert {
                key: (each.dice, each.guard_factor, each.collecting)
                for key, each in getattr(read, name).items()
            } == {
                key: (each.dice, each.guard_factor, each.collecting)
                for key, each in getattr(given, name).items()
            }
        elif isinstance(getattr(given, name), (int, float, str, dict, tuple, type(None))):
            assert getattr(read, name) == getattr(given, name), name


def test_the_drains_of_each_attribute_are_in_their_order() -> None:
    rules = Rules.model_validate({"fatigue": {"drain": {"speed": 7, "stealth": 0}}})
    drains = dict(zip(ATTRIBUTES, Rulebook(rules).drains, strict=True))
    assert (drains["speed"], drains["stealth"]) == (7, 0)
    assert drains["gathering"] == Rules().fatigue.drain["gathering"]
