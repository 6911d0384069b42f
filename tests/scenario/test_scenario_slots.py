"""A scenario's tables as quick records: the same values, frozen."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, asdict
from typing import Any, cast

import pytest

from worldsim.scenario import load, shipped_scenarios
from worldsim.scenario.slots import slotted


@pytest.mark.parametrize("name", shipped_scenarios())
def test_a_slotted_scenario_says_the_same_as_the_model_does(name: str) -> None:
    scenario = load(name)
    record = cast("Any", slotted(scenario))
    assert asdict(record) == scenario.model_dump()


def test_a_slotted_table_cannot_be_changed() -> None:
    rules = slotted(load("lone_colony").rules)
    with pytest.raises(FrozenInstanceError):
        rules.fatigue.ready_stamina = 0  # type: ignore[misc]
