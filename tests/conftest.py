"""What tests of several rooms share: scenarios made of a few tables."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldsim.scenario.model import Scenario


settings.register_profile("worldsim", deadline=None)  # a busy machine is no fault
settings.load_profile("worldsim")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose optional library is not installed."""
    for mark in item.iter_markers("needs"):
        for library in mark.args:
            pytest.importorskip(library, reason=f"needs {library}: pip install 'worldsim[all]'")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out the longest tests, unless they are asked for."""
    if os.environ.get("WORLDSIM_LONG") != "1":
        left_out = pytest.mark.skip(reason="long: WORLDSIM_LONG=1 runs it, as .ci/run does")
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(left_out)


@pytest.fixture(scope="session")
def make_scenario() -> Callable[..., Scenario]:
    """A function that makes a scenario: a tiny one, with the tables it is given instead."""
    from worldsim.scenario.model import Scenario  # noqa: PLC0415 - not every test needs the model

    def made(**tables: Any) -> Scenario:
        return Scenario.model_validate(
            {
                "schema": 1,
                "campaign": {"name": "tiny", "days": 10},
                "ingredients": [{"id": "berry", "kind": "fruit", "reserve": 100}],
                "colonies": [{"id": "c", "sector": "r1/s1"}],
            }
            | tables
        )

    return made
