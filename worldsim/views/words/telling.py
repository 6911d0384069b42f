"""How an event becomes a sentence."""

from __future__ import annotations

import re
from string import Formatter
from typing import TYPE_CHECKING, Any

from worldsim.views.cells import plain
from worldsim.views.words.sentences import PHRASES, SENTENCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

OPTIONAL = re.compile(r"\[([^\]]*)\]")
FIELD = re.compile(r"\{(\w+)")


def sentence(event: Mapping[str, Any]) -> str:
    """What happened, in one sentence.

    Args:
        event: As decoded from the log; no roll.

    Raises:
        LookupError: its kind, or a field the kind needs, is not known here.
    """
    kind = event["event"]
    fields = {name: _phrase(kind, name, value) for name, value in event.items()}

    def kept(optional: re.Match[str]) -> str:
        says = any(fields[name] for name in FIELD.findall(optional[1]))
        return optional[1] if says else ""

    # The template's own brackets go first: names that are filled in may hold some.
    return _Filler().vformat(OPTIONAL.sub(kept, SENTENCES[kind]), (), fields)


def written(value: object) -> str:
    """A value as people write it: ``3 wood and 2 tuber``, ``12.5``, ``nothing``."""
    match value:
        case dict():
            return _listed(f"{written(units)} {plain(name)}" for name, units in value.items())
        case list():
            return _listed(plain(item) for item in value)
        case float():
            return f"{value:,.2f}".rstrip("0").rstrip(".")
        case int():
            return f"{value:,}"
        case _:
            return plain(value)


def signed(value: float) -> str:
    """A number with its sign."""
    return ("-" if value < 0 else "+") + written(abs(value))


def amount(value: float, one: str, many: str | None = None) -> str:
    """A number and what it counts: ``1 round``, ``2.5 points``."""
    return f"{written(value)} {one if value == 1 else many or f'{one}s'}"


def _phrase(kind: str, name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return PHRASES.get(f"{kind}.{name}", {}).get(value, value)


def _listed(items: Iterable[str]) -> str:
    *all_but_last, last = [*items] or ["nothing"]
    return f"{', '.join(all_but_last)} and {last}" if all_but_last else last


class _Filler(Formatter):
    """Fills in fields as ``worldsim.views.words.sentences`` describes."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """One field, by what stands behind its colon."""
        if "|" in format_spec:
            yes, _, no = format_spec.partition("|")
            return yes if value else no
        if format_spec.startswith("+"):
            return _with_signs(value, format_spec[1:])
        if format_spec:
            one, _, many = format_spec.partition(":")
            return amount(len(value) if isinstance(value, list) else value, one, many or None)
        return written(value)


def _with_signs(value: Any, one: str) -> str:
    if isinstance(value, dict):
        return _listed(f"{plain(name)} {signed(change)}" for name, change in value.items())
    return signed(value) + amount(abs(value), one).removeprefix(written(abs(value)))
