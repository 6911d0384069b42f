"""Colonies: a store, teams at home, and what they know of the planet."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Colony:
    """A colony. Only its own process changes it, and teams that deliver.

    Attributes:
        id: Of the scenario.
        faction: Its own id unless the scenario says otherwise.
        sector: Where it stands.
        store: Units by position in the catalogue.
        mapped: Sectors whose stock it knows, in the order in which they were mapped.
        explored: Successes towards mapping a sector (ACT-4).
        yields: Units that the last gathering trip to each sector took.
        research, construction, contribution: Points so far.
        memory: What its policy keeps from one order to the next; JSON.
        cause: ``seq`` of the event that founded it.
    """

    id: str
    faction: str
    sector: str
    store: list[int]
    mapped: list[str] = field(default_factory=list)
    explored: dict[str, int] = field(default_factory=dict)
    yields: dict[str, int] = field(default_factory=dict)
    research: int = 0
    construction: int = 0
    contribution: float = 0.0
    memory: Any = None
    cause: int | None = None
