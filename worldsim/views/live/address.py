"""Addresses of the page's views, which keep all of their state: a link opens the same view."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

if TYPE_CHECKING:
    from typing import Any

LONGEST = 4000  # characters of a value
MOST_DAY = 10_000_000


def link(path: str, **values: object) -> str:
    """An address below the page's root; what is None or empty is left out."""
    given = [(name, str(value)) for name, value in values.items() if value not in (None, "", [])]
    return f"{path}?{urlencode(given)}" if given else path


def values_of(search: str | None) -> dict[str, str]:
    """What stands behind the question mark; of what is there twice, the first."""
    try:
        pairs = parse_qsl((search or "").removeprefix("?"), max_num_fields=100)
    except ValueError:
        return {}
    found: dict[str, str] = {}
    for name, value in pairs:
        found.setdefault(name, value[:LONGEST])
    return found


def whole(value: Any, least: int = 0, most: int = MOST_DAY) -> int | None:
    """A whole number within bounds, or None of anything else."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if least <= number <= most else None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which events of a run are wanted, as the address says it; None wants everything.

    Attributes:
        kinds: Names of kinds, joined by commas.
        first, last: Days.
        where: A condition in SQL.
        newest: Whether the latest come first.
    """

    kinds: str | None = None
    team: str | None = None
    sector: str | None = None
    first: int | None = None
    last: int | None = None
    level: str | None = None
    text: str | None = None
    where: str | None = None
    newest: bool = False

    @classmethod
    def of(cls, values: dict[str, Any]) -> Wanted:
        """From an address, or from the fields of a form; what makes no sense wants everything."""
        words = ("kinds", "team", "sector", "level", "text", "where")
        given: dict[str, Any] = {
            name: str(values[name])[:LONGEST] for name in words if values.get(name)
        }
        given |= {name: whole(values.get(name)) for name in ("first", "last")}
        newest = str(values.get("newest", "")).lower() in {"1", "true"}
        made = cls(**given, newest=newest)
        levels = {"debug", "info", "warning"}
        return made if made.level in levels else replace(made, level=None)

    def values(self) -> dict[str, object]:
        """As an address has them."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in found.items() if value not in (None, False)} | (
            {"newest": 1} if self.newest else {}
        )
