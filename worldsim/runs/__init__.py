"""A run: simulated day by day, kept in a directory or in memory, and read back.

Names are imported when first used, so that a command which only reads pays for no simulation.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from worldsim.runs.campaign import Campaign
    from worldsim.runs.causes import SHOWN_LINKS, Chain, Link, causes_of
    from worldsim.runs.difference import Difference, Divergence, KeyDifference, compare
    from worldsim.runs.driver import open_campaign, simulate
    from worldsim.runs.listing import RunInfo, list_runs
    from worldsim.runs.places import AlreadyFinished, new_folder
    from worldsim.runs.reading import Run
    from worldsim.runs.resuming import reopen, resume
    from worldsim.runs.summary import Depletion, Stock, Summary

__all__ = [
    "SHOWN_LINKS",
    "AlreadyFinished",
    "Campaign",
    "Chain",
    "Depletion",
    "Difference",
    "Divergence",
    "KeyDifference",
    "Link",
    "Run",
    "RunInfo",
    "Stock",
    "Summary",
    "causes_of",
    "compare",
    "list_runs",
    "new_folder",
    "open_campaign",
    "reopen",
    "resume",
    "simulate",
]

_HOMES = {
    "SHOWN_LINKS": "causes",
    "AlreadyFinished": "places",
    "Campaign": "campaign",
    "Chain": "causes",
    "Depletion": "summary",
    "Difference": "difference",
    "Divergence": "difference",
    "KeyDifference": "difference",
    "Link": "causes",
    "Run": "reading",
    "RunInfo": "listing",
    "Stock": "summary",
    "Summary": "summary",
    "causes_of": "causes",
    "compare": "difference",
    "list_runs": "listing",
    "new_folder": "places",
    "open_campaign": "driver",
    "reopen": "resuming",
    "resume": "resuming",
    "simulate": "driver",
}


def __getattr__(name: str) -> Any:
    """Import a public name from the module that holds it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
