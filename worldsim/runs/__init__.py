"""A run: simulated day by day, kept in a directory or in memory, and read back.

Names are imported when first used, so that a command which only reads pays for no simulation.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from worldsim.runs.branching import open_branch
    from worldsim.runs.campaign import Campaign
    from worldsim.runs.causes import SHOWN_LINKS, Chain, Link, causes_of
    from worldsim.runs.difference import Difference, Divergence, KeyDifference, compare
    from worldsim.runs.driver import open_campaign, simulate
    from worldsim.runs.listing import RunInfo, list_runs
    from worldsim.runs.places import AlreadyFinished, new_folder
    from worldsim.runs.reading import Run
    from worldsim.runs.resuming import reopen, resume
    from worldsim.runs.summary import Depletion, Stock, Summary
    from worldsim.runs.verifying import FaultError, Verified, verify

__all__ = [
    "SHOWN_LINKS",
    "AlreadyFinished",
    "Campaign",
    "Chain",
    "Depletion",
    "Difference",
    "Divergence",
    "FaultError",
    "KeyDifference",
    "Link",
    "Run",
    "RunInfo",
    "Stock",
    "Summary",
    "Verified",
    "causes_of",
    "compare",
    "list_runs",
    "new_folder",
    "open_branch",
    "open_campaign",
    "reopen",
    "resume",
    "simulate",
    "verify",
]

_HOMES = {
    "SHOWN_LINKS": "causes",
    "AlreadyFinished": "places",
    "Campaign": "campaign",
    "Chain": "causes",
    "Depletion": "summary",
    "Difference": "difference",
    "Divergence": "difference",
    "FaultError": "verifying",
    "KeyDifference": "difference",
    "Link": "causes",
    "Run": "reading",
    "RunInfo": "listing",
    "Stock": "summary",
    "Summary": "summary",
    "Verified": "verifying",
    "causes_of": "causes",
    "compare": "difference",
    "list_runs": "listing",
    "new_folder": "places",
    "open_branch": "branching",
    "open_campaign": "driver",
    "reopen": "resuming",
    "resume": "resuming",
    "simulate": "driver",
    "verify": "verifying",
}


def __getattr__(name: str) -> Any:
    """Import a public name from the module that holds it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
