"""The order of names for people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

DIGITS = re.compile(r"(\d+)")


def in_natural_order(names: Iterable[str]) -> list[str]:
    """Names, each once, sorted so that ``r2`` comes before ``r10``."""
    return sorted(dict.fromkeys(names), key=_parts)


def _parts(name: str) -> list[tuple[int, str]]:
    return [(len(part), part) if part.isdigit() else (0, part) for part in DIGITS.split(name)]
