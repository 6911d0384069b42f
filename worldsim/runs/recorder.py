"""How a midnight becomes rows of the tables of a run."""

from __future__ import annotations

from array import array
from struct import pack
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from worldsim.runs.tables import NUMBERS, TABLES, TEXTS, OpenRows, UnfitRowsError
from worldsim.world.world import HOWS, TAKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from worldsim.runs.tables import Arrays
    from worldsim.world.teams import Team
    from worldsim.world.world import World

    Numbers: TypeAlias = "npt.NDArray[np.int64]"


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
        teams, told, rows = self._world.teams, self._told, self._rows["teams"]
        _append(rows["day"], [day] * len(teams))
        _append(rows["team"], [told(team.id) for team in teams])
        _append(rows["colony"], [told(team.colony) for team in teams])
        _append(rows["profile"], [told(team.profile) for team in teams])
        _append(rows["status"], [told(team.status) for team in teams])
        _append(rows["place"], [told(team.place) for team in teams])
        _append(rows["mission"], [told(team.mission) for team in teams])
        _append(rows["target"], [told(team.target) for team in teams])
        _append(rows["days_away"], [team.days_away for team in teams])
        _append(rows["situation"], [team.situation for team in teams])
        _append(rows["efficiency"], [team.efficiency for team in teams])
        _append(rows["experience"], [team.experience for team in teams])
        _append(rows["cargo"], [sum(team.cargo) for team in teams])
        _append(rows["rations"], [sum(team.rations) for team in teams])
        self._add_people(teams)

    def _add_people(self, teams: list[Team]) -> None:
        """How many people each team has, and how the worst of the living are."""
        rows = self._rows["teams"]
        people = [self._world.living(team) for team in teams]
        _append(rows["members"], [len(team.members) for team in teams])
        _append(rows["living"], [len(living) for living in people])
        _append(
            rows["conscious"],
            [len([each for each in living if each.health > 0]) for living in people],
        )
        _append(
            rows["health_least"],
            [min([each.health for each in living], default=0) for living in people],
        )
        _append(
            rows["stamina_least"],
            [min([each.stamina for each in living], default=0) for living in people],
        )

    def _told(self, text: str | None) -> int:
        """The number that stands for a text."""
        number = self._number.get(text)
        if number is None:
            number = self._number[text] = len(self._texts)
            self._texts.append(text)
        return number

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


def _append(column: array[int], numbers: list[int]) -> None:
    """Add numbers to a column; ``array.extend`` takes more than twice as long."""
    column.frombytes(pack(f"{len(numbers)}q", *numbers))


def _names(texts: Sequence[str | None]) -> npt.NDArray[np.object_]:
    return np.array(texts, dtype=object)
