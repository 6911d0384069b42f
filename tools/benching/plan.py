"""What is to be measured, and what a part hands back."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TOOLS = Path(__file__).parents[1]
ROOT = TOOLS.parent
STEADY = Path(__file__).with_name("steady.toml")

Figures = dict[str, float]
Rows = dict[str, Figures]


@dataclass(frozen=True, slots=True)
class Plan:
    """How to measure.

    Attributes:
        quick: Shorter runs.
        source: A folder that holds the package ``worldsim`` to measure; the installed one if None.
    """

    quick: bool
    source: Path | None = None


@dataclass(slots=True)
class Measured:
    """What a part found.

    Attributes:
        rows: Figures by row and name.
        faults: Why these figures are not to be believed: somebody got faster by doing less.
    """

    rows: dict[str, Any]
    faults: list[str] = field(default_factory=list)
