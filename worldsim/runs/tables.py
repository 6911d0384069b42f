"""The tables of a run: what columns they have, and how a midnight becomes rows of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from worldsim.world.teams import Team
    from worldsim.world.world import World

Columns = dict[str, list[Any]]
"""Rows that are not in a part yet, column by column."""
Arrays = dict[str, "npt.NDArray[Any]"]

TABLES: dict[str, dict[str, str]] = {
    "stocks": {
        "day": "BIGINT",
        "place": "VARCHAR",
        "region": "VARCHAR",
        "pool": "VARCHAR",
        "ingredient": "VARCHAR",
        "left": "BIGINT",
    },
    "takings": {
        "day": "BIGINT",
        "team": "VARCHAR",
        "colony": "VARCHAR",
        "faction": "VARCHAR",
        "mission": "VARCHAR",
        "how": "VARCHAR",
        "place": "VARCHAR",
        "region": "VARCHAR",
        "pool": "VARCHAR",
        "ingredient": "VARCHAR",
        "units": "BIGINT",
        "effort": "BIGINT",
    },
    "teams": {
        "day": "BIGINT",
        "team": "VARCHAR",
        "colony": "VARCHAR",
        "profile": "VARCHAR",
        "status": "VARCHAR",
        "place": "VARCHAR",
        "mission": "VARCHAR",
        "target": "VARCHAR",
        "days_away": "BIGINT",
        "situation": "BIGINT",
        "efficiency": "BIGINT",
        "experience": "BIGINT",
        "members": "BIGINT",
        "living": "BIGINT",
        "conscious": "BIGINT",
        "health_least": "BIGINT",
        "stamina_least": "BIGINT",
        "cargo": "BIGINT",
        "rations": "BIGINT",
    },
}
"""DuckDB types by table and column. ``cargo`` and ``rations`` are units of all ingredients.

``stocks`` has the initial stock as day 0 (cells that hold nothing have no row), then what changed,
as it stands at each midnight. ``takings`` has, for each gathering phase, one row without ingredient
whose ``effort`` is the Gathering Limit, then one row an ingredient taken.
"""


class Recorder:
    """Collects the rows of the open parts. The world's own notes are cleared as they are read.

    Args:
        world: The world recorded.
        teams_every_days: Cadence of the teams table.
    """

    def __init__(self, world: World, teams_every_days: int) -> None:
        self._world = world
        self._teams_every_days = teams_every_days
        self._ids = [place.id for place in world.places]
        self._regions = [place.region for place in world.places]
        self._pools = [place.pool for place in world.places]
        self._rows = _empty()

    def found(self) -> None:
        """Day 0: the initial stocks, and the teams as they were formed."""
        initial = self._world.reserves.initial
        stocked = [(p, i) for p, row in enumerate(initial) for i, units in enumerate(row) if units]
        self._add_stocks(0, stocked)
        self._world.reserves.changed.clear()
        self._add_takings()
        self._add_teams(0)

    def midnight(self, day: int) -> None:
        """The end of a day."""
        changed = self._world.reserves.changed
        if changed:
            self._add_stocks(day, sorted(changed))
            changed.clear()
        self._add_takings()
        if day % self._teams_every_days == 0:
            self._add_teams(day)

    def last_day(self, day: int) -> None:
        """The teams of the last day, whatever the cadence."""
        days = self._rows["teams"]["day"]
        if not days or days[-1] != day:
            self._add_teams(day)

    def take(self) -> dict[str, Arrays]:
        """All rows since the last call, as arrays by table and column."""
        rows, self._rows = self._rows, _empty()
        return {
            table: {name: _array(values, TABLES[table][name]) for name, values in columns.items()}
            for table, columns in rows.items()
        }

    def _add_stocks(self, day: int, cells: list[tuple[int, int]]) -> None:
        rows, left = self._rows["stocks"], self._world.reserves.left
        names = self._world.ingredients
        rows["day"] += [day] * len(cells)
        rows["ingredient"] += [names[i] for _, i in cells]
        rows["left"] += [left[p][i] for p, i in cells]
        self._add_places(rows, [p for p, _ in cells])

    def _add_takings(self) -> None:
        takings = self._world.takings
        if not takings:
            return
        rows, names = self._rows["takings"], self._world.ingredients
        *plain, places, ingredients, units, effort = zip(*takings, strict=True)
        for name, values in zip(("day", "team", "colony", "faction", "mission", "how"), plain,
                                strict=True):  # fmt: skip
            rows[name] += values
        self._add_places(rows, list(places))
        rows["ingredient"] += [None if i is None else names[i] for i in ingredients]
        rows["units"] += units
        rows["effort"] += effort
        takings.clear()

    def _add_places(self, rows: Columns, places: list[int]) -> None:
        ids, regions, pools = self._ids, self._regions, self._pools
        rows["place"] += [ids[p] for p in places]
        rows["region"] += [regions[p] for p in places]
        rows["pool"] += [pools[p] for p in places]

    def _add_teams(self, day: int) -> None:
        rows = self._rows["teams"]
        for team in self._world.teams:
            for name, value in zip(rows, self._team_row(day, team), strict=True):
                rows[name].append(value)

    def _team_row(self, day: int, team: Team) -> tuple[Any, ...]:
        """In the order of the columns."""
        living = self._world.living(team)
        return (
            day,
            team.id,
            team.colony,
            team.profile,
            team.status,
            team.place,
            team.mission,
            team.target,
            team.days_away,
            team.situation,
            team.efficiency,
            team.experience,
            len(team.members),
            len(living),
            sum(1 for each in living if each.health > 0),
            min((each.health for each in living), default=0),
            min((each.stamina for each in living), default=0),
            sum(team.cargo),
            sum(team.rations),
        )


def _empty() -> dict[str, Columns]:
    return {table: {name: [] for name in columns} for table, columns in TABLES.items()}


def _array(values: list[Any], kind: str) -> npt.NDArray[Any]:
    return np.array(values, dtype=np.int64 if kind == "BIGINT" else object)
