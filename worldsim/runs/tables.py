"""The tables of a run: what columns they have, and how a midnight becomes rows of them."""

from __future__ import annotations

from array import array
from struct import pack
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
import numpy as np

from worldsim.errors import WorldsimError
from worldsim.world.world import HOWS, NO_INGREDIENT, TAKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from worldsim.world.teams import Team
    from worldsim.world.world import World

Arrays = dict[str, "npt.NDArray[Any]"]
Numbers: TypeAlias = "npt.NDArray[np.int64]"

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


NUMBERS = {
    "stocks": ("day", "cell", "left"),
    "takings": TAKING,
    "teams": tuple(TABLES["teams"]),
}
"""What is kept of each table until its part is cut: whole numbers only, so that a checkpoint can
hold them as they are. Texts are told by their positions, 0 being that of none.
"""
NUMBER_BYTES = 8
TEXTS = frozenset(name for name, kind in TABLES["teams"].items() if kind == "VARCHAR")
"""The columns of ``teams`` that are texts."""


class OpenRows(msgspec.Struct, frozen=True):
    """The rows of a part that is not cut yet.

    Attributes:
        columns: By table and column, as 64-bit whole numbers.
        texts: What the numbers in text columns of ``teams`` stand for.
    """

    columns: dict[str, dict[str, bytes]]
    texts: list[str | None]

    def is_whole(self) -> bool:
        """Whether there are the columns of each table, of the same number of rows, all texts."""
        for table, names in NUMBERS.items():
            columns = self.columns.get(table, {})
            sizes = {len(columns.get(name, b".")) for name in names}
            if columns.keys() != set(names) or len(sizes) != 1 or sizes.pop() % NUMBER_BYTES:
                return False
        return all(self._within("teams", name, 0, len(self.texts)) for name in TEXTS)

    def fit(self, world: World) -> bool:
        """Whether they tell only of what there is in a world."""
        places, width = len(world.places), len(world.ingredients)
        return all(
            self._within(table, name, least, end)
            for table, name, least, end in (
                ("stocks", "cell", 0, places * width),
                ("takings", "team", 0, len(world.teams)),
                ("takings", "mission", 0, len(world.scenario.missions)),
                ("takings", "how", 0, len(HOWS)),
                ("takings", "place", 0, places),
                ("takings", "ingredient", NO_INGREDIENT, width),
            )
        )

    def _within(self, table: str, name: str, least: int, end: int) -> bool:
        numbers = np.frombuffer(self.columns[table][name], np.int64)
        return bool(((numbers >= least) & (numbers < end)).all())


class UnfitRowsError(WorldsimError):
    """Rows that were written down tell of what is not in the world that is to have them."""

    def __str__(self) -> str:
        return "the rows of a checkpoint do not belong to this world"


class Recorder:
    """Collects the rows of the open part. The world's own notes are cleared as they are read.

    Args:
        world: The world recorded.
        teams_every_days: Cadence of the teams table.
        rows: Of the open part, as a checkpoint holds them.

    Raises:
        UnfitRowsError: the rows are another world's.
    """

    def __init__(self, world: World, teams_every_days: int, rows: OpenRows | None = None) -> None:
        self._teams_every_days = teams_every_days
        self._texts: list[str | None] = [None] if rows is None else list(rows.texts)
        self._number = {text: number for number, text in enumerate(self._texts)}
        self._rows = _empty()
        if rows is not None:
            if not rows.fit(world):
                raise UnfitRowsError
            for table, columns in self._rows.items():
                for name, column in columns.items():
                    column.frombytes(rows.columns[table][name])
        self.watch(world)

    def watch(self, world: World) -> None:
        """From now on record this world, which has the same places, teams and missions."""
        self._world = world

    def open_rows(self) -> OpenRows:
        """All rows since the last ``take``, as they are kept."""
        return OpenRows(
            {
                table: {name: column.tobytes() for name, column in columns.items()}
                for table, columns in self._rows.items()
            },
            list(self._texts),
        )

    def found(self) -> None:
        """Day 0: the initial stocks, and the teams as they were formed."""
        reserves = self._world.reserves
        stocked = [
            place * reserves.width + ingredient
            for place, row in enumerate(reserves.initial)
            for ingredient, units in enumerate(row)
            if units
        ]
        self._add_stocks(0, stocked)
        reserves.changed.clear()
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
        kept, self._rows = self._rows, _empty()
        numbers = {
            table: {name: np.array(column, np.int64) for name, column in columns.items()}
            for table, columns in kept.items()
        }
        return {
            "stocks": self._stocks(**numbers["stocks"]),
            "takings": self._takings(**numbers["takings"]),
            "teams": self._teams(numbers["teams"]),
        }

    def _add_stocks(self, day: int, cells: list[int]) -> None:
        rows, reserves = self._rows["stocks"], self._world.reserves
        left, width = reserves.left, reserves.width
        _append(rows["day"], [day] * len(cells))
        _append(rows["cell"], cells)
        _append(rows["left"], [left[cell // width][cell % width] for cell in cells])

    def _add_takings(self) -> None:
        takings = self._world.takings
        for n, column in enumerate(self._rows["takings"].values()):
            _append(column, takings[n :: len(TAKING)])
        takings.clear()

    def _add_teams(self, day: int) -> None:
        rows = [self._team_row(day, team) for team in self._world.teams]
        if not rows:
            return
        for (name, column), values in zip(
            self._rows["teams"].items(), zip(*rows, strict=True), strict=True
        ):
            _append(column, [self._told(each) for each in values] if name in TEXTS else values)

    def _told(self, text: str | None) -> int:
        """The number that stands for a text."""
        number = self._number.get(text)
        if number is None:
            number = self._number[text] = len(self._texts)
            self._texts.append(text)
        return number

    def _team_row(self, day: int, team: Team) -> tuple[Any, ...]:
        """In the order of the columns."""
        living = self._world.living(team)
        health = [each.health for each in living]
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
            len([points for points in health if points > 0]),
            min(health, default=0),
            min([each.stamina for each in living], default=0),
            sum(team.cargo),
            sum(team.rations),
        )

    def _stocks(self, day: Numbers, cell: Numbers, left: Numbers) -> Arrays:
        place, ingredient = np.divmod(cell, max(1, self._world.reserves.width))
        return {
            "day": day,
            **self._places(place),
            "ingredient": _names(self._world.ingredients)[ingredient],
            "left": left,
        }

    def _takings(self, team: Numbers, mission: Numbers, how: Numbers, place: Numbers,
                 ingredient: Numbers, **plain: Numbers) -> Arrays:  # fmt: skip
        world = self._world
        homes = [world.home[each.id] for each in world.teams]
        # Who has no ingredient has -1, which is the last name.
        ingredients = _names([*world.ingredients, None])
        columns = {
            "team": _names([each.id for each in world.teams])[team],
            "colony": _names([home.id for home in homes])[team],
            "faction": _names([home.faction for home in homes])[team],
            "mission": _names(list(world.scenario.missions))[mission],
            "how": _names(HOWS)[how],
            **self._places(place),
            "ingredient": ingredients[ingredient],
            **plain,
        }
        return {name: columns[name] for name in TABLES["takings"]}

    def _teams(self, numbers: dict[str, Numbers]) -> Arrays:
        texts = _names(self._texts)
        return {
            name: texts[column] if name in TEXTS else column for name, column in numbers.items()
        }

    def _places(self, place: Numbers) -> Arrays:
        places = self._world.places
        return {
            "place": _names([each.id for each in places])[place],
            "region": _names([each.region for each in places])[place],
            "pool": _names([each.pool for each in places])[place],
        }


def _empty() -> dict[str, dict[str, array[int]]]:
    return {table: {name: array("q") for name in names} for table, names in NUMBERS.items()}


def _append(column: array[int], numbers: Sequence[int]) -> None:
    """Add numbers to a column; ``array.extend`` takes more than twice as long."""
    column.frombytes(pack(f"{len(numbers)}q", *numbers))


def _names(texts: Sequence[str | None]) -> npt.NDArray[np.object_]:
    return np.array(texts, dtype=object)
