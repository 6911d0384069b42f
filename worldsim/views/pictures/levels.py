"""What lay in the ground of one run, place by place, on a bounded number of days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from worldsim.study.order import in_natural_order

if TYPE_CHECKING:
    import numpy.typing as npt

    from worldsim.runs import Run

    Numbers = npt.NDArray[np.int64]

MOST_STEPS = 400
FEWEST_STEPS = 12
MOST_NUMBERS = 20_000_000
"""Numbers held at once: 160 MB; a map of a hundred thousand places is read on fewer days."""

PLACES = 'SELECT DISTINCT place, region, pool FROM stocks WHERE day = 0 OR "left" > 0'
KINDS = 'SELECT DISTINCT ingredient FROM stocks WHERE day = 0 OR "left" > 0'
STEPS = """
    SELECT place, ingredient, CAST(ceil(day * {steps} / {last}) AS BIGINT) AS step,
        arg_max("left", day) AS units
    FROM stocks WHERE day <= {days} GROUP BY ALL
"""


@dataclass(frozen=True, slots=True)
class Levels:
    """Units in the ground of P places, of I ingredients, on K days.

    Attributes:
        day: From 0 to the last, ascending, shape (K,).
        places, regions, pools: Of each place, in natural order.
        ingredients: In natural order.
        left: Units at the midnight of each day, shape (P, I, K).
    """

    day: Numbers
    places: tuple[str, ...]
    regions: tuple[str, ...]
    pools: tuple[str, ...]
    ingredients: tuple[str, ...]
    left: Numbers

    def by_ingredient(self) -> dict[str, Numbers]:
        """Units of each ingredient on each day."""
        sums = self.left.sum(axis=0)
        return dict(zip(self.ingredients, sums, strict=True))

    def by_region(self, ingredient: str | None = None) -> dict[str, Numbers]:
        """Units of one ingredient, or of all, in each region on each day."""
        of_place = self.of_place(ingredient)
        names = list(dict.fromkeys(self.regions))
        sums = np.zeros((len(names), self.day.size), np.int64)
        np.add.at(sums, [names.index(each) for each in self.regions], of_place)
        return dict(zip(names, sums, strict=True))

    def of_place(self, ingredient: str | None = None) -> Numbers:
        """Units of one ingredient, or of all, in each place on each day, shape (P, K)."""
        if ingredient is None:
            everything: Numbers = self.left.sum(axis=1)
            return everything
        one: Numbers = self.left[:, self.ingredients.index(ingredient), :]
        return one


def levels(run: Run, *, most_steps: int = MOST_STEPS) -> Levels:
    """Read the stocks of a run.

    Args:
        run: As far as it came.
        most_steps: Days read besides day 0, at most, evenly spread; the last is among them.
    """
    places = {place: (region, pool) for place, region, pool in run.query(PLACES).fetchall()}
    names = in_natural_order(places)
    kinds = in_natural_order(kind for (kind,) in run.query(KINDS).fetchall())
    last = run.manifest.day
    cells = max(1, len(names) * len(kinds))
    steps = min(last, most_steps, max(FEWEST_STEPS, MOST_NUMBERS // cells))
    return Levels(
        day=np.arange(steps + 1, dtype=np.int64) * last // max(steps, 1),
        places=tuple(names),
        regions=tuple(places[name][0] for name in names),
        pools=tuple(places[name][1] for name in names),
        ingredients=tuple(kinds),
        left=_filled(run, names, kinds, steps),
    )


def check_ingredient(levels: Levels, ingredient: str | None) -> None:
    """Refuse an ingredient that lay nowhere.

    Raises:
        NotInTheGroundError: with those that did.
    """
    if ingredient is not None and ingredient not in levels.ingredients:
        from worldsim.study.depletion.ensembles import (  # noqa: PLC0415 - loads scipy
            NotInTheGroundError,
        )

        raise NotInTheGroundError("ingredient", ingredient, levels.ingredients)


def _filled(run: Run, places: list[str], kinds: list[str], steps: int) -> Numbers:
    """Units by place, ingredient and step; a step without a change has those of the one before."""
    last = run.manifest.day
    sql = STEPS.format(steps=steps, last=max(last, 1), days=last)
    rows: dict[str, Any] = run.query(sql).fetchnumpy()
    row_place = _positions(rows["place"], places)
    row_kind = _positions(rows["ingredient"], kinds)
    known = (row_place >= 0) & (row_kind >= 0)
    at = (row_place[known], row_kind[known], np.asarray(rows["step"], np.int64)[known])
    left = np.zeros((len(places), len(kinds), steps + 1), np.int64)
    latest = np.zeros(left.shape, np.int32)
    left[at] = np.asarray(rows["units"], np.int64)[known]
    latest[at] = at[2]
    np.maximum.accumulate(latest, axis=2, out=latest)
    filled: Numbers = np.take_along_axis(left, latest, axis=2)
    return filled


def _positions(given: Any, names: list[str]) -> Numbers:
    """Of each text its place in a list, -1 where it is not there."""
    at = {name: n for n, name in enumerate(names)}
    return np.fromiter((at.get(each, -1) for each in given), np.int64, len(given))
