"""Which events a person wants to see, as the options of a command say it."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import click

from worldsim.cli.output import clean
from worldsim.errors import InputError
from worldsim.runs.filters import LEVELS, WHERE
from worldsim.runs.filters import Filters as AnyFilters

if TYPE_CHECKING:
    from worldsim.runs import Run

__all__ = ["LEVELS", "Filters", "NoDaysError", "kinds_like", "nothing_matches"]


class NoDaysError(InputError):
    """The first day wanted is after the last one."""

    def __init__(self, first: int, last: int) -> None:
        super().__init__(first, last)
        self.first, self.last = first, last

    def __str__(self) -> str:
        return f"--from {self.first} is after --to {self.last}: no day is between them"


@dataclass(frozen=True, slots=True)
class Filters(AnyFilters):
    """What the options ask for.

    Raises:
        NoDaysError: the first day is after the last.
    """

    def __post_init__(self) -> None:
        if self.first is not None and self.last is not None and self.first > self.last:
            raise NoDaysError(self.first, self.last)


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
