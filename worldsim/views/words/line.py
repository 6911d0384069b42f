"""Anything a log may hold, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.views.cells import plain
from worldsim.views.words.rolls import roll_line
from worldsim.views.words.telling import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping


def tell(event: Mapping[str, Any]) -> str:
    """An event or a roll in one line; its fields, where no words are known for it.

    Args:
        event: As decoded from the log, or a row of it by column: others' columns may be there.
    """
    try:
        return roll_line(event) if event.get("of") is not None else sentence(event)
    except (LookupError, TypeError, ValueError, AttributeError):
        said = (f"{plain(name)} {plain(value)}" for name, value in event.items() if value)
        return ", ".join(said)
