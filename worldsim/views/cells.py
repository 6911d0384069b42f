"""Values as text that harms neither a terminal nor a spreadsheet."""

from __future__ import annotations

import json
import re

SPREADSHEET_FORMULA = ("=", "+", "-", "@")
NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?")
KILO = 1000
STYLE = re.compile(r"\x1b\[[;?0-9]*[a-zA-Z]")


def plain(value: object) -> str:
    """A value as text that can neither break a line nor drive a terminal."""
    text = value if isinstance(value, str) else _as_text(value)
    if text.isprintable():
        return text
    spaced = " ".join(STYLE.sub("", text).split())
    return "".join(character for character in spaced if character.isprintable())


def csv_cell(value: object) -> object:
    """One cell: numbers as they are; text that looks like a formula behind an apostrophe."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = plain(value)
    if text.startswith(SPREADSHEET_FORMULA) and not NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def bytes_in_words(size: int) -> str:
    """Such as ``3.1 MB``."""
    amount = float(size)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < KILO:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= KILO
    return f"{amount:.1f} TB"


def _as_text(value: object) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{value:.6g}"
        case dict() | list() | tuple():
            return json.dumps(value, default=str, separators=(",", ":"))
        case _:
            return str(value)
