"""What became of a campaign, in figures."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from worldsim.runs.manifest import Counts, Status
    from worldsim.runs.reading import Run

COUNTED = ("team.returned", "team.lost", "team.perished", "reserve.depleted")
POINTS = 40
"""Steps in which a curve is read, besides day 0."""


@dataclass(frozen=True, slots=True)
class Depletion:
    """The first place that lost the last unit of an ingredient it had."""

    ingredient: str
    place: str
    day: int


@dataclass(frozen=True, slots=True)
class Stock:
    """Units in the ground.

    Attributes:
        curve: Units at each of the summary's ``curve_days``; the first is the start.
    """

    curve: list[int]

    @property
    def initial(self) -> int:
        """Units at the start."""
        return self.curve[0]

    @property
    def left(self) -> int:
        """Units at the end."""
        return self.curve[-1]


@dataclass(frozen=True, slots=True)
class Summary:
    """What became of a campaign.

    Attributes:
        status: As `Run.state`.
        day, days: Days simulated, and asked for.
        events: Lines of the log by level.
        curve_days: Days at which the curves of stock are read, from 0 on.
        by_region, by_ingredient: Stock in the ground.
        delivered: Units brought home by ingredient.
        trips: Departures.
        teams_lost: Times that a team was lost, found again or not.
        teams_perished: Teams that are gone, in the order of their end.
        first_depletions: The first place each ingredient was used up in, by day.

    A log of level ``warning`` tells nothing of what was delivered, departed or used up.
    """

    name: str
    campaign: str
    seed: int
    digest: str
    status: Status
    day: int
    days: int
    level: Literal["debug", "info", "warning"]
    events: Counts
    curve_days: list[int]
    by_region: dict[str, Stock]
    by_ingredient: dict[str, Stock]
    delivered: dict[str, int]
    trips: int
    teams_lost: int
    teams_perished: list[str]
    first_depletions: list[Depletion]


def summary(run: Run) -> Summary:
    """Read a run's parts once, and add them up."""
    manifest = run.manifest
    days = _curve_days(manifest.day)
    told = _told(run)
    return Summary(
        name=run.name,
        campaign=manifest.campaign,
        seed=manifest.seed,
        digest=manifest.digest,
        status=run.state,
        day=manifest.day,
        days=manifest.days,
        level=manifest.level,
        events=manifest.events,
        curve_days=days,
        by_region=_stocks(run, "region", days),
        by_ingredient=_stocks(run, "ingredient", days),
        delivered=_delivered(told["team.returned"]),
        trips=len(told["team.returned"]),
        teams_lost=len(told["team.lost"]),
        teams_perished=[str(line["team"]) for line in told["team.perished"]],
        first_depletions=_first_depletions(told["reserve.depleted"]),
    )


def _told(run: Run) -> dict[str, list[dict[str, Any]]]:
    """The few kinds of event that a summary counts, all read in one pass."""
    told: dict[str, list[dict[str, Any]]] = {kind: [] for kind in COUNTED}
    columns = ("seq", "event", "day", "team", "place", "ingredient", "delivered")
    events = run.events(list(COUNTED)).project(", ".join(columns)).order("seq")
    for row in run.rows(events):
        line = dict(zip(columns, row, strict=True))
        told[line["event"]].append(line)
    return told


def _curve_days(day: int) -> list[int]:
    steps = min(POINTS, day)
    return [day * step // steps for step in range(steps + 1)] if steps else [0]


def _delivered(returns: list[dict[str, Any]]) -> dict[str, int]:
    """In the order of the amounts, largest first."""
    sums: dict[str, int] = {}
    for line in returns:
        for ingredient, units in line["delivered"].items():
            sums[ingredient] = sums.get(ingredient, 0) + units
    return dict(sorted(sums.items(), key=lambda each: (-each[1], each[0])))


def _first_depletions(depleted: list[dict[str, Any]]) -> list[Depletion]:
    first: dict[str, Depletion] = {}
    for line in depleted:
        name = line["ingredient"]
        first.setdefault(name, Depletion(name, line["place"], line["day"]))
    return sorted(first.values(), key=lambda each: (each.day, each.ingredient))


def _stocks(run: Run, by: str, days: list[int]) -> dict[str, Stock]:
    """Curves by region or ingredient, by name; what never was in the ground has none."""
    steps = len(days) - 1
    changes = run.stocks().project(
        f'day, {by}, "left" - coalesce(lag("left") OVER'
        " (PARTITION BY place, ingredient ORDER BY day), 0) AS change"
    )
    # The least step whose day is not before this one.
    step = f"CAST(ceil(day * {steps} / {max(days[-1], 1)}) AS BIGINT)" if steps else "0"
    # The tables of a run that is written may have come further than its manifest was read.
    changes = changes.filter(f"day <= {days[-1]}")
    sums = changes.aggregate(f"{by}, {step} AS step, CAST(sum(change) AS BIGINT) AS change")
    curves: dict[str, list[int]] = {}
    for name, at, change in run.rows(sums.order("step, 1")):
        curves.setdefault(name, [0] * (steps + 1))[at] = change
    return {name: Stock(list(accumulate(curve))) for name, curve in curves.items()}
