"""Cheap checks of a text before a TOML parser sees it.

Parsers build what a text asks for: one key of 100 000 dots costs 2 GB. So the text is walked once,
in time that grows with its length, and refused when it asks for more than a scenario needs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

MAX_BYTES = 4_000_000
MAX_LINES = 100_000
MAX_PIECES = 20_000
MAX_ALL_DOTS = 20_000
MAX_ESCAPES = 200_000
MAX_QUOTES = 200_000
MAX_DEPTH = 32
MAX_DOTS = 16
MAX_WORD = 200

TOO_MANY = (
    f"has too many keys and values: the limits are {MAX_PIECES} for a scenario and its files, "
    f"and {MAX_ALL_DOTS} dots"
)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
PIECE = re.compile(r"[#\"'\[\]{}=,.\n]")
STRING_ENDS = {
    '"""': re.compile(r'\\.|"""(?!")', re.DOTALL),
    "'''": re.compile(r"'''(?!')"),
    '"': re.compile(r'\\.|["\n]'),
    "'": re.compile(r"['\n]"),
}


class Complaint(NamedTuple):
    """Why a text is refused.

    Attributes:
        offset: Where in the text, in characters; None when the whole text is meant.
        message: What is wrong and which limit holds.
    """

    offset: int | None
    message: str


@dataclass(slots=True)
class Budget:
    """What all files and options of one scenario may use together."""

    bytes_left: int = MAX_BYTES
    lines_left: int = MAX_LINES
    pieces_left: int = MAX_PIECES
    dots_left: int = MAX_ALL_DOTS
    escapes_left: int = MAX_ESCAPES
    quotes_left: int = MAX_QUOTES


def complaint(text: str, budget: Budget) -> Complaint | None:
    """Say why a text should not be parsed, or None, taking what it uses from the budget."""
    return _characters(text) or _amounts(text, budget) or _structure(text, budget)


def enclosed_complaint(text: str, budget: Budget) -> str | None:
    """Say why a file cannot be kept as one text of the scenario, taking what it will use there."""
    found = CONTROL.search(text)
    if found is not None:
        return f"holds the control character {found.group().encode('unicode_escape').decode()}"
    escaped = sum(text.count(mark) for mark in '"\\\n')
    budget.escapes_left -= escaped
    budget.quotes_left -= text.count('"') + text.count("'")
    budget.bytes_left -= escaped
    if budget.escapes_left < 0 or budget.quotes_left < 0:
        return f"has too many quotation marks and lines: the limit is {MAX_ESCAPES}"
    return f"is too large: the limit is {MAX_BYTES} bytes" if budget.bytes_left < 0 else None


def _characters(text: str) -> Complaint | None:
    found = CONTROL.search(text)
    if found is None:
        return None
    return Complaint(
        found.start(),
        f"holds the control character {found.group().encode('unicode_escape').decode()}; "
        "a scenario is plain text (is this a binary file?)",
    )


def _amounts(text: str, budget: Budget) -> Complaint | None:
    budget.lines_left -= text.count("\n")
    budget.escapes_left -= text.count("\\")
    budget.quotes_left -= text.count('"') + text.count("'")
    if budget.lines_left < 0:
        return Complaint(None, f"has too many lines: the limit for a scenario is {MAX_LINES}")
    if budget.escapes_left < 0:
        return Complaint(None, f"has too many backslashes: the limit is {MAX_ESCAPES}")
    if budget.quotes_left < 0:
        return Complaint(None, f"has too many quotation marks: the limit is {MAX_QUOTES}")
    return None


def _structure(text: str, budget: Budget) -> Complaint | None:
    """Walk brackets, dots and words outside texts and comments; stops where TOML would break."""
    at = depth = dots = 0
    while (found := PIECE.search(text, at)) is not None:
        mark, start = found.group(), found.start()
        if start - at > MAX_WORD and (long := _long_word(text, at, start)) is not None:
            return long
        budget.pieces_left -= mark in "=,[{"
        budget.dots_left -= mark == "."
        if budget.pieces_left < 0 or budget.dots_left < 0:
            return Complaint(start, TOO_MANY)
        following = _after(text, start, mark)
        if following is None:
            return None
        at = following
        if mark in "[{":
            depth += 1
        elif mark in "]}":
            depth -= 1
        dots = dots + 1 if mark == "." else dots if mark in "\"'" else 0
        if depth > MAX_DEPTH:
            return Complaint(start, f"is nested too deeply: the limit is {MAX_DEPTH} brackets")
        if dots > MAX_DOTS:
            return Complaint(start, f"has a key with too many dots: the limit is {MAX_DOTS}")
    return _long_word(text, at, len(text))


def _after(text: str, start: int, mark: str) -> int | None:
    """Where to go on after a piece; None when a text or comment reaches the end of the file."""
    if mark == "#":
        end = text.find("\n", start)
        return None if end < 0 else end
    if mark not in "\"'":
        return start + 1
    fence = mark * 3 if text.startswith(mark * 3, start) else mark
    at = start + len(fence)
    while (found := STRING_ENDS[fence].search(text, at)) is not None:
        if not found.group().startswith("\\"):
            return found.end()
        at = found.end()
    return None


def _long_word(text: str, start: int, end: int) -> Complaint | None:
    if end - start <= MAX_WORD:
        return None
    words = text[start:end].split()
    if max(map(len, words), default=0) <= MAX_WORD:
        return None
    return Complaint(start, f"has a key or number too long: the limit is {MAX_WORD} characters")
