"""Runs whose depletion is known: made up row by row, or simulated in the smallest of worlds."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from worldsim.runs import Run, simulate
from worldsim.runs.driver import as_run, manifest_of
from worldsim.runs.sources import MemorySource
from worldsim.runs.store import MemoryStore
from worldsim.runs.tables import TABLES
from worldsim.scenario import load_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from worldsim.events.kinds import Level
    from worldsim.scenario import Scenario

POND = """
schema = 1
[campaign]
name = "pond"
days = 150
[planet]
regions = 1
sectors_per_region = 2
sector_distance = "1d6"
[[ingredients]]
id = "ore"
kind = "metal"
reserve = 1000
[[ingredients]]
id = "roe"
kind = "fish"
reserve = 600
regrowth = 0.01
[[colonies]]
id = "c"
sector = "r1/s1"
stores = { roe = 5000 }
[[colonies.teams]]
id = "t"
count = 3
crew = { size = 5, rarity = "epic" }
[[colonies.teams]]
id = "h"
mission = "hunt"
crew = { size = 5, rarity = "epic" }
[rules.travel]
tables = []
"""


def pond(*sets: str) -> Scenario:
    """Three teams that gather and one that hunts, around one region."""
    return load_text(POND, sets=sets)


@cache
def pond_run(*sets: str, seed: int = 1, days: int | None = None, level: Level = "info") -> Run:
    return simulate(pond(*sets), seed=seed, days=days, level=level)


def made_run(
    stocks: Iterable[tuple[Any, ...]],
    takings: Iterable[tuple[Any, ...]],
    *,
    days: int,
    seed: int = 1,
    level: Level = "info",
    log: bytes = b"",
    sets: Sequence[str] = (),
) -> Run:
    """A run of which only the tables exist, with rows as ``TABLES`` has columns."""
    scenario = as_run(pond(*sets), seed, days, level)
    store = MemoryStore(manifest_of(scenario))
    store.manifest.day, store.manifest.status = days, "finished"
    store.segments.append(log)
    for name, rows in (("stocks", stocks), ("takings", takings)):
        columns = list(zip(*rows, strict=True)) or [()] * len(TABLES[name])
        store.tables[name].append(
            {
                column: np.array(values, dtype=object if kind == "VARCHAR" else np.int64)
                for (column, kind), values in zip(TABLES[name].items(), columns, strict=True)
            }
        )
    return Run(MemorySource(scenario, store))


def taking(
    day: int, how: str, units: int, effort: int, *, place: str = "r1/s1", ingredient: str = "ore",
    team: str = "c/t_1",
) -> list[tuple[Any, ...]]:  # fmt: skip
    """The rows of one phase in a sector: its effort, then what it took."""
    who = (day, team, "c", "c", "gather", how, place, "r1", "sector")
    limit = [(*who, None, 0, effort)] if how in {"gather", "hunt"} else []
    return limit + [(*who, ingredient, units, 0)] * (units > 0)


def worked_ground(
    initial: int,
    days: int,
    catch: Callable[[int, int], float],
    *,
    effort: int = 1_000_000,
    grown: Callable[[int], float] = lambda left: 0.0 * left,
    foraged: Callable[[int], float] = lambda left: 0.0 * left,
) -> Run:
    """One place, worked every day with the same effort by a law of one's own.

    Args:
        initial: Units; many, so that whole units make no difference.
        days: How long.
        catch: Units caught on a day, from what is left and the effort.
        effort: A day.
        grown: Units that come back each dawn.
        foraged: Units taken without effort each day.
    """
    left, stocks, takings = initial, [(0, "r1/s1", "r1", "sector", "ore", initial)], []
    for day in range(1, days + 1):
        left = min(initial, left + round(grown(left)))
        caught, eaten = round(catch(left, effort)), round(foraged(left))
        left -= caught + eaten
        takings += taking(day, "gather", caught, effort) + taking(day, "supply", eaten, 0)
        stocks.append((day, "r1/s1", "r1", "sector", "ore", left))
    return made_run(stocks, takings, days=days)
