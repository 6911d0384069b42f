"""A run: simulated day by day, kept in a directory or in memory, and read back.

Names are imported when first used, so that a command which only reads pays for no simulation.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from worldsim.runs.driver import Campaign, open_campaign, simulate
    from worldsim.runs.listing import RunInfo, list_runs
    from worldsim.runs.places import AlreadyFinished, new_folder
    from worldsim.runs.reading import Run
    from worldsim.runs.summary import Depletion, Stock, Summary

__all__ = [
    "AlreadyFinished",
    "Campaign",
    "Depletion",
    "Run",
    "RunInfo",
    "Stock",
    "Summary",
    "list_runs",
    "new_folder",
    "open_campaign",
    "simulate",
]

_HOMES = {
    "AlreadyFinished": "places",
    "Campaign": "driver",
    "Depletion": "summary",
    "Run": "reading",
    "RunInfo": "listing",
    "Stock": "summary",
    "Summary": "summary",
    "list_runs": "listing",
    "new_folder": "places",
    "open_campaign": "driver",
    "simulate": "driver",
}


def __getattr__(name: str) -> Any:
    """Import a public name from the module that holds it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
