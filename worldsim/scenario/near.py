"""Names that a mistyped one may have meant."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_COMPARED = 64  # comparing takes the product of both lengths
NAMES_COMPARED = 500
ALIKE = 0.6


def nearest(name: object, names: Iterable[object]) -> str | None:
    """The name most like ``name``, or None when none is alike.

    Only texts are compared: the first 500 of at most 64 characters.
    """
    if not isinstance(name, str) or len(name) > LONGEST_COMPARED:
        return None
    texts = (other for other in names if isinstance(other, str) and len(other) <= LONGEST_COMPARED)
    known = {_folded(other): other for other in islice(texts, NAMES_COMPARED)}
    found = get_close_matches(_folded(name), known, n=1, cutoff=ALIKE)
    return known[found[0]] if found else None


def did_you_mean(name: object, names: Iterable[object]) -> str:
    """``; did you mean "iron"?`` to put after a sentence, or nothing when no name is alike."""
    near = nearest(name, names)
    return "" if near is None else f'; did you mean "{near}"?'


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")
