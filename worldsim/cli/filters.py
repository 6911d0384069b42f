"""Which events a person wants to see: the same choice as SQL and as a look at one event."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.output import clean
from worldsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldsim.runs import Run

LEVELS = ("debug", "info", "warning")
WHERE = ("place", "sector", "target", "region")
"""The fields that say where an event happened."""


class NoDaysError(InputError):
    """The first day wanted is after the last one."""

    def __init__(self, first: int, last: int) -> None:
        super().__init__(first, last)
        self.first, self.last = first, last

    def __str__(self) -> str:
        return f"--from {self.first} is after --to {self.last}: no day is between them"


@dataclass(frozen=True, slots=True)
class Filters:
    """What is wanted; None and empty want everything.

    Attributes:
        kinds: Names of kinds.
        team: Its id, or the part after the colony's.
        sector: A sector or region.
        first, last: Days, both included.
        level: The lowest level.

    Raises:
        NoDaysError: the first day is after the last.
    """

    kinds: tuple[str, ...] = ()
    team: str | None = None
    sector: str | None = None
    first: int | None = None
    last: int | None = None
    level: str | None = None

    def __post_init__(self) -> None:
        if self.first is not None and self.last is not None and self.first > self.last:
            raise NoDaysError(self.first, self.last)

    def sql(self) -> str:
        """The condition as SQL over the table ``events``."""
        from worldsim.runs.duck import text  # noqa: PLC0415 -- loads DuckDB

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


def kinds_like(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds of events that names such as ``team.lost`` or ``team.*`` stand for.

    Raises:
        click.BadParameter: a name stands for none.
    """
    from worldsim.events.schema import kinds_by_name  # noqa: PLC0415 -- not for --help
    from worldsim.scenario.near import nearest  # noqa: PLC0415

    known = list(kinds_by_name())
    found: list[str] = []
    for pattern in patterns:
        alike = [kind for kind in known if fnmatchcase(kind, pattern)]
        if not alike:
            near = nearest(pattern, known)
            hint = f"Did you mean {near}?" if near else "All kinds: worldsim schema events"
            raise click.BadParameter(
                f"no event is called {pattern!r}. {hint}", param_hint="--event"
            )
        found += alike
    return tuple(dict.fromkeys(found))


def nothing_matches(run: Run, filters: Filters) -> str:
    """What to say where the filters leave no event, with a cure if one is known."""
    from worldsim.scenario.near import nearest  # noqa: PLC0415 -- not for --help

    reasons = []
    for what, given, known in (
        ("team", filters.team, _teams),
        ("sector or region", filters.sector, _places),
    ):
        if given is None or given in (names := known(run)):
            continue
        near = nearest(given, names)
        hint = f", did you mean {clean(near)}?" if near else ""
        reasons.append(f"there is no {what} {clean(given)!r} in it{hint}")
    if filters.first is not None and filters.first > run.manifest.day:
        reasons.append(f"the run has come to day {run.manifest.day:,}")
    return f"no event matches: {'; '.join(reasons)}" if reasons else "no event matches"


def _teams(run: Run) -> list[str]:
    """Every team of a run, by its id and by the part after the colony's."""
    sql = "SELECT team FROM teams UNION SELECT team FROM events WHERE team IS NOT NULL ORDER BY 1"
    ids = [str(team) for (team,) in run.rows(run.query(sql))]
    return [*dict.fromkeys(team.rpartition("/")[2] for team in ids), *ids]


def _places(run: Run) -> list[str]:
    """Every place that a run names."""
    named = " UNION ".join(f"SELECT {field} AS name FROM events" for field in WHERE)  # noqa: S608
    sql = f"FROM (SELECT place AS name FROM stocks UNION {named}) WHERE name <> '' ORDER BY 1"  # noqa: S608 -- our own words
    return [str(place) for (place,) in run.rows(run.query(sql))]
