"""Which events are wanted: the same choice as SQL and as a look at one event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

LEVELS = ("debug", "info", "warning")
WHERE = ("place", "sector", "target", "region")
"""The fields that say where an event happened."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What is wanted; None and empty want everything.

    Attributes:
        kinds: Names of kinds.
        team: Its id, or the part after the colony's.
        sector: A sector or region.
        first, last: Days, both included.
        level: The lowest level.
    """

    kinds: tuple[str, ...] = ()
    team: str | None = None
    sector: str | None = None
    first: int | None = None
    last: int | None = None
    level: str | None = None

    def sql(self) -> str:
        """The condition as SQL over the table ``events``."""
        from worldsim.runs.duck import text  # noqa: PLC0415  # loads DuckDB

        conditions = ["TRUE"]
        if self.kinds:
            conditions.append(f"event IN ({', '.join(map(text, self.kinds))})")
        if self.team is not None:
            conditions.append(f"(team = {text(self.team)} OR "
                              f"ends_with(team, {text('/' + self.team)}))")  # fmt: skip
        if self.sector is not None:
            conditions.append(f"{text(self.sector)} IN ({', '.join(WHERE)})")
        if self.first is not None:
            conditions.append(f"day >= {self.first}")
        if self.last is not None:
            conditions.append(f"day <= {self.last}")
        if self.level is not None:
            conditions.append(f"level IN ({', '.join(map(text, self._levels()))})")
        return " AND ".join(conditions)

    def wants(self, event: Mapping[str, Any]) -> bool:
        """Whether one event is wanted."""
        team, day = event.get("team"), event["day"]
        return (
            (not self.kinds or event["event"] in self.kinds)
            and (self.team is None or team == self.team or str(team).endswith(f"/{self.team}"))
            and (self.sector is None or self.sector in [event.get(field) for field in WHERE])
            and (self.first is None or day >= self.first)
            and (self.last is None or day <= self.last)
            and (self.level is None or event["level"] in self._levels())
        )

    def _levels(self) -> tuple[str, ...]:
        return LEVELS if self.level is None else LEVELS[LEVELS.index(self.level) :]
