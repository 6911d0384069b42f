"""The tables of a run: what columns they have, and the rows of a part that is not cut yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from worldsim.errors import WorldsimError
from worldsim.world.world import HOWS, NO_INGREDIENT, TAKING

if TYPE_CHECKING:
    import numpy.typing as npt

    from worldsim.world.world import World

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
