"""The ground of one run as whole numbers: what lay where each day, what was taken, at what effort.

Two tables hold all of it. The stock of a cell (a place and an ingredient) is what it was, less what
was taken, and what is left over of that is what grew back, was destroyed or was set by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from worldsim.study.depletion.ensembles import Scope, check_scope
from worldsim.study.order import in_natural_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from worldsim.runs import Run
    from worldsim.study.depletion.ensembles import By

    Numbers = npt.NDArray[np.int64]

WITH_EFFORT = ("gather", "hunt")
"""Ways of taking that have a Gathering Limit; what is eaten or found by chance has none."""

CELLS = """
    WITH places AS (
        SELECT place, region, pool, row_number() OVER (ORDER BY place) - 1 AS p
        FROM (SELECT DISTINCT place, region, pool FROM stocks WHERE {region})),
    kinds AS (
        SELECT ingredient, row_number() OVER (ORDER BY ingredient) - 1 AS i
        FROM (SELECT DISTINCT ingredient FROM stocks WHERE {ingredient}))
"""
PLACES = "SELECT place, region, pool FROM places ORDER BY p"
KINDS = "SELECT ingredient FROM kinds ORDER BY i"
STOCKS = """
    SELECT p, i, day, "left" FROM stocks JOIN places USING (place) JOIN kinds USING (ingredient)
    WHERE day <= {last} ORDER BY p, i, day
"""
TAKINGS = """
    SELECT p, i, day - 1 AS day, how IN {hows} AS counted, CAST(sum(units) AS BIGINT) AS units
    FROM takings JOIN places USING (place) JOIN kinds USING (ingredient)
    WHERE day <= {last} GROUP BY ALL ORDER BY ALL
"""
EFFORTS = """
    SELECT p, day - 1 AS day, how = 'hunt' AS hunt, CAST(sum(limit_) AS BIGINT) AS effort,
        CAST(sum(CASE WHEN units >= limit_ THEN limit_ ELSE 0 END) AS BIGINT) AS filled
    FROM (
        SELECT place, day, how, sum(effort) AS limit_, sum(units) AS units FROM takings
        WHERE how IN {hows} AND day <= {last} GROUP BY team, place, day, how)
    JOIN places USING (place) GROUP BY ALL ORDER BY ALL
"""


@dataclass(frozen=True, slots=True)
class Fishery:
    """One ingredient, or all together, in the P places where it lay at the start, for T days.

    Attributes:
        region: Of each place, shape (P,).
        stock: Units at the start and after each day, shape (P, T + 1).
        caught: Units gathered and hunted each day, shape (P, T).
        uncounted: Units taken without effort: foraged to eat, found by chance; shape (P, T).
        effort: Gathering Limits of the phases that were after it, shape (P, T).
        filled: The part of ``effort`` in whose phases all that the Limit allows was taken.
    """

    region: npt.NDArray[np.object_]
    stock: Numbers
    caught: Numbers
    uncounted: Numbers
    effort: Numbers
    filled: Numbers

    @property
    def grown(self) -> Numbers:
        """Units that came otherwise, net of those that went: grown, destroyed, set; (P, T)."""
        return np.diff(self.stock, axis=1) + self.caught + self.uncounted

    def within(self, chosen: npt.NDArray[np.bool_], days: int) -> Fishery:
        """Some of the places, for the first days."""
        rows = (self.caught, self.uncounted, self.effort, self.filled)
        caught, uncounted, effort, filled = (each[chosen, :days] for each in rows)
        return Fishery(
            self.region[chosen], self.stock[chosen, : days + 1], caught, uncounted, effort, filled
        )


class Ground:
    """The ground of one run, as far as a scope goes.

    Args:
        run: Its tables are read now.
        scope: What of it.

    Attributes:
        last_day: T, the last day in the tables.
        places, regions, pools: Of each place in which anything lay at the start.
        ingredients: What lay there.
        hunted: Those of them that hunting is after.

    Raises:
        NotInTheGroundError: nothing lies under a name of the scope.
    """

    def __init__(self, run: Run, scope: Scope) -> None:
        _check(run, scope)
        self.last_day = run.manifest.day
        cells = CELLS.format(
            region=Scope(region=scope.region).sql, ingredient=Scope(ingredient=scope.ingredient).sql
        )
        places = run.query(cells + PLACES).fetchall()
        self.places, self.regions, self.pools = (
            tuple(str(each[n]) for each in places) for n in range(3)
        )
        kinds = run.query(cells + KINDS).fetchall()
        self.ingredients = tuple(str(name) for (name,) in kinds)
        self.hunted = _hunted(run, self.ingredients)

        def read(sql: str) -> dict[str, Numbers]:
            return _whole(run, cells + sql.format(last=self.last_day, hows=WITH_EFFORT))

        self._stocks, self._takings, self._efforts = read(STOCKS), read(TAKINGS), read(EFFORTS)

    @cached_property
    def initial(self) -> Numbers:
        """Units at the start, shape (places, ingredients)."""
        table = np.zeros((len(self.places), len(self.ingredients)), np.int64)
        first = self._stocks["day"] == 0
        at = self._stocks["p"][first], self._stocks["i"][first]
        table[at] = self._stocks["left"][first]
        return table

    def fishery(self, ingredient: str | None = None) -> Fishery:
        """One ingredient, or all together."""
        kind = None if ingredient is None else self.ingredients.index(ingredient)
        here = self.initial.sum(axis=1) > 0 if kind is None else self.initial[:, kind] > 0
        efforts = _rows(self._efforts, self._after(kind))
        taken = self._takings if kind is None else _rows(self._takings, self._takings["i"] == kind)
        counted = taken["counted"] == 1
        return Fishery(
            np.array(self.regions, dtype=object)[here],
            self._levels(kind)[here],
            *(
                self._by_day(rows, column)[here]
                for rows, column in (
                    (_rows(taken, counted), "units"), (_rows(taken, ~counted), "units"),
                    (efforts, "effort"), (efforts, "filled"),
                )
            ),
        )  # fmt: skip

    def groups(self, by: By) -> tuple[list[str], Numbers, Numbers]:
        """Names, and of each cell its place's or ingredient's group.

        Returns:
            Names of groups in natural order; the group of each place, and of each ingredient, -1
            where there is none. One of the two is 0 everywhere where ``by`` does not ask for it.
        """
        p = np.zeros(len(self.places), np.int64)
        i = np.zeros(len(self.ingredients), np.int64)
        if by == "ingredient":
            names = in_natural_order(self.ingredients)
            return names, p, np.array([names.index(each) for each in self.ingredients], np.int64)
        of_place: Sequence[str | None] = {"region": self.regions, "pool": self.pools}.get(
            by,
            [
                place if pool == "sector" else None
                for place, pool in zip(self.places, self.pools, strict=True)
            ],
        )
        names = in_natural_order({each for each in of_place if each is not None})
        at = {name: n for n, name in enumerate(names)}
        return names, np.array([at.get(each or "", -1) for each in of_place], np.int64), i

    def curves(self, by: By) -> tuple[list[str], Numbers]:
        """Units left of each group, at the start and after each day; shape (G, T + 1)."""
        names, of_place, of_kind = self.groups(by)
        table = np.zeros((len(names), self.last_day + 1), np.int64)
        rows, change = self._stocks, self._changes
        group = of_place[rows["p"]] if by != "ingredient" else of_kind[rows["i"]]
        some = group >= 0
        np.add.at(table, (group[some], rows["day"][some]), change[some])
        return names, table.cumsum(axis=1)

    def total(self) -> Numbers:
        """Units left of all that is in scope, at the start and after each day; shape (T + 1,)."""
        table = np.zeros(self.last_day + 1, np.int64)
        np.add.at(table, self._stocks["day"], self._changes)
        return table.cumsum()

    @cached_property
    def _changes(self) -> Numbers:
        """Of each row of the stocks, what it adds to the row before of its cell."""
        left = self._stocks["left"]
        change = left.copy()
        later = self._stocks["day"] > 0
        change[later] -= left[np.flatnonzero(later) - 1]
        return change

    def _after(self, kind: int | None) -> npt.NDArray[np.bool_]:
        """Of each row of the efforts whether it was after an ingredient, or after any.

        A hunt is after nothing where no wildlife in scope lay.
        """
        kinds = range(len(self.ingredients)) if kind is None else (kind,)
        hunted = [i for i in kinds if self.ingredients[i] in self.hunted]
        prey = self.initial[:, hunted].sum(axis=1) > 0
        rows = self._efforts
        after: npt.NDArray[np.bool_] = (rows["hunt"] == 0) | prey[rows["p"]]
        return after

    def _levels(self, kind: int | None) -> Numbers:
        table = np.zeros((len(self.places), self.last_day + 1), np.int64)
        some = slice(None) if kind is None else self._stocks["i"] == kind
        np.add.at(table, (self._stocks["p"][some], self._stocks["day"][some]), self._changes[some])
        return table.cumsum(axis=1)

    def _by_day(self, rows: dict[str, Numbers], column: str) -> Numbers:
        table = np.zeros((len(self.places), self.last_day), np.int64)
        np.add.at(table, (rows["p"], rows["day"]), rows[column])
        return table


def _check(run: Run, scope: Scope) -> None:
    if scope.ingredient is None and scope.region is None:
        return
    kinds = run.query("SELECT DISTINCT ingredient FROM stocks").fetchall()
    regions = run.query("SELECT DISTINCT region FROM stocks").fetchall()
    check_scope(
        scope,
        in_natural_order(name for (name,) in kinds),
        in_natural_order(name for (name,) in regions),
    )


def _hunted(run: Run, ingredients: Sequence[str]) -> frozenset[str]:
    from worldsim.processes.context import WILDLIFE_KINDS  # noqa: PLC0415 - slow to import

    kinds = {each.id: each.kind for each in run.scenario.ingredients}
    return frozenset(each for each in ingredients if kinds.get(each) in WILDLIFE_KINDS)


def _whole(run: Run, sql: str) -> dict[str, Numbers]:
    """A query's columns as 64-bit whole numbers."""
    columns: dict[str, Any] = run.query(sql).fetchnumpy()
    return {name: np.asarray(column).astype(np.int64) for name, column in columns.items()}


def _rows(table: dict[str, Numbers], chosen: npt.NDArray[np.bool_]) -> dict[str, Numbers]:
    return {name: column[chosen] for name, column in table.items()}
