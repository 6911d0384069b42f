"""worldsim: a discrete-event simulation of away teams using up a new planet.

>>> import worldsim as ws
>>> run = ws.simulate(ws.load("lone_colony"), seed=7, days=30)  # doctest: +SKIP

Names are imported when first used, so that ``worldsim --help`` pays for none of them.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from worldsim.duel import duel_odds
    from worldsim.errors import WorldsimError
    from worldsim.runs import Campaign, Run, open_campaign, simulate
    from worldsim.scenario import Scenario, load
    from worldsim.scenario.side import load_duel, load_side
    from worldsim.study.study import Study

__version__ = "0.1.0"

__all__ = [
    "Campaign",
    "Run",
    "Scenario",
    "Study",
    "WorldsimError",
    "__version__",
    "build",
    "duel_odds",
    "load",
    "load_duel",
    "load_side",
    "open_campaign",
    "simulate",
]

_HOMES = {
    "Campaign": "worldsim.runs",
    "Run": "worldsim.runs",
    "Scenario": "worldsim.scenario",
    "Study": "worldsim.study.study",
    "WorldsimError": "worldsim.errors",
    "duel_odds": "worldsim.duel",
    "load": "worldsim.scenario",
    "load_duel": "worldsim.scenario.side",
    "load_side": "worldsim.scenario.side",
    "open_campaign": "worldsim.runs",
    "simulate": "worldsim.runs",
}


def build() -> str:
    """Which build is in use: ``compiled``, or ``plain``; both do the same, at different speeds."""
    here = Path(__file__).parent
    return (
        "compiled" if any(here.glob("chance.*.so")) or any(here.glob("chance.*.pyd")) else "plain"
    )


def __getattr__(name: str) -> Any:
    """Import a public name from the room that holds it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
