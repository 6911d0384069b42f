"""Scenarios: what a person writes, validated into a frozen value.

Names are imported when first used, so that a command which needs no scenario pays for none.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from worldsim.scenario.faults import Fault, ScenarioError
    from worldsim.scenario.loading import (
        Loaded,
        json_schema,
        load,
        load_enclosed,
        load_text,
        load_with_origins,
    )
    from worldsim.scenario.model import Scenario
    from worldsim.scenario.shipped import configs_dir, shipped_scenarios
    from worldsim.scenario.writing import digest, resolved_toml

__all__ = [
    "Fault",
    "Loaded",
    "Scenario",
    "ScenarioError",
    "configs_dir",
    "digest",
    "json_schema",
    "load",
    "load_enclosed",
    "load_text",
    "load_with_origins",
    "resolved_toml",
    "shipped_scenarios",
]

_HOMES = {
    "Fault": "faults",
    "Loaded": "loading",
    "Scenario": "model",
    "ScenarioError": "faults",
    "configs_dir": "shipped",
    "digest": "writing",
    "json_schema": "loading",
    "load": "loading",
    "load_enclosed": "loading",
    "load_text": "loading",
    "load_with_origins": "loading",
    "resolved_toml": "writing",
    "shipped_scenarios": "shipped",
}


def __getattr__(name: str) -> Any:
    """Import a public name from the module that holds it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
