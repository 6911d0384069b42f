"""A scenario's tables as quick records: the same values, frozen."""

from __future__ import annotations

from typing import Any

import pytest

from worldsim.scenario import load, shipped_scenarios
from worldsim.scenario.slots import Record, slotted


def plain(value: Any) -> Any:
    if isinstance(value, Record):
        return {name: plain(getattr(value, name)) for name in value.__slots__}
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize("name", shipped_scenarios())
def test_a_slotted_scenario_says_the_same_as_the_model_does(name: str) -> None:
    scenario = load(name)
    assert plain(slotted(scenario)) == scenario.model_dump()


def test_a_slotted_table_cannot_be_changed() -> None:
    rules = slotted(load("lone_colony").rules)
    with pytest.raises(AttributeError, match=r"FatigueOptions\.ready_stamina is fixed"):
        rules.fatigue.ready_stamina = 0  # type: ignore[misc]
