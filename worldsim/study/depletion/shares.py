"""Who took it: every unit that left the ground in an account, and all accounts adding up.

``initial + regrown + added = left + taken + destroyed + removed``, exactly, for each ingredient.
Initial, left and taken stand in the tables of a run. The rest is told apart by its log, or follows
from the tables where the scenario leaves only one thing that it can be.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from worldsim.errors import BrokenInvariantError
from worldsim.runs.duck import text
from worldsim.study.intervals import Interval, mean_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldsim.runs import Run
    from worldsim.study.depletion.ensembles import Scope

Taker = Literal["faction", "colony", "team", "mission", "how", "pool"]
TAKERS: tuple[Taker, ...] = ("faction", "colony", "team", "mission", "how", "pool")

TAKINGS = """
    SELECT {takers}, ingredient, CAST(sum(units) AS BIGINT)
    FROM takings WHERE ingredient IS NOT NULL AND {scope} GROUP BY ALL ORDER BY ALL
"""
ENDS = """
    SELECT ingredient, CAST(sum(first) AS BIGINT), CAST(sum(last) AS BIGINT) FROM (
        SELECT ingredient, arg_min("left", day) AS first, arg_max("left", day) AS last
        FROM stocks WHERE {scope} GROUP BY place, ingredient)
    GROUP BY ingredient
"""
TOLD = {
    "reserve.regrown": {"grown": "regrown"},
    "reserve.adjusted": {"added": "added", "removed": "removed"},
    "team.gathered": {"destroyed": "destroyed"},
}
"""Fields of events, and the accounts they belong to."""


class AccountsDisagreeError(BrokenInvariantError):
    """The log of a run and its tables tell different things."""

    def __init__(self, run: str, ingredient: str, log: int, tables: int) -> None:
        super().__init__(run, ingredient, log, tables)
        self.run, self.ingredient, self.log, self.tables = run, ingredient, log, tables

    def __str__(self) -> str:
        return (
            f"{self.run}: of {self.ingredient} {self.log:+,} units came or went by the log beside"
            f" what was taken, {self.tables:+,} by the tables; see: worldsim verify"
        )


@dataclass(frozen=True, slots=True)
class Accounts:
    """Where the units of one ingredient went, or of several, in one run or in all.

    Attributes:
        initial: In the ground at the start.
        left: In the ground at the end.
        taken: By teams, in whatever way.
        regrown: Grew back (RES-5).
        added: Put there by a branch or an intervention.
        destroyed: Missed by a team and so gone, where ``failed_unit`` says so (GATH-7).
        removed: Set away by a branch or an intervention.

    The last four are None where they cannot be told apart: only what they come to is known.
    """

    initial: int
    left: int
    taken: int
    regrown: int | None
    added: int | None
    destroyed: int | None
    removed: int | None

    @property
    def net(self) -> int:
        """Regrown and added less destroyed and removed: known always."""
        return self.left + self.taken - self.initial

    @property
    def known(self) -> bool:
        """Whether every account is."""
        return None not in (self.regrown, self.added, self.destroyed, self.removed)

    def __add__(self, other: Accounts) -> Accounts:
        return Accounts(
            self.initial + other.initial,
            self.left + other.left,
            self.taken + other.taken,
            *(_sum(getattr(self, name), getattr(other, name)) for name in PARTS),
        )


PARTS = ("regrown", "added", "destroyed", "removed")
NOTHING = Accounts(0, 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Takings:
    """What was taken in one run.

    Attributes:
        accounts: By ingredient.
        units: By faction, colony, team, mission, how and pool, in this order.
    """

    accounts: dict[str, Accounts]
    units: dict[tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class Share:
    """What one taker took.

    Attributes:
        by: What kind of taker.
        name: Of it.
        units: In all runs together. Those of one kind add up to all that was taken.
        share: Of all that was taken, 0 to 1.
        per_run: Mean units a run with its interval; None of a single run.
    """

    by: Taker
    name: str
    units: int
    share: float
    per_run: Interval | None


def takings(run: Run, scope: Scope) -> Takings:
    """Add up what one run's ground lost and won.

    Raises:
        AccountsDisagreeError: its log and its tables contradict each other.
    """
    where = scope.sql
    units: Counter[tuple[str, ...]] = Counter()
    taken: Counter[str] = Counter()
    sql = TAKINGS.format(takers=", ".join(TAKERS), scope=where)
    for *who, ingredient, amount in run.query(sql).fetchall():
        units[tuple(who)] += amount
        taken[ingredient] += amount
    ends: dict[str, tuple[int, int]] = {
        name: (first, last) for name, first, last in run.query(ENDS.format(scope=where)).fetchall()
    }
    net = {name: last + taken[name] - first for name, (first, last) in ends.items()}
    parts = _parts(run, scope, net)
    accounts = {
        name: Accounts(first, last, taken[name], *(parts[part][name] for part in PARTS))
        for name, (first, last) in sorted(ends.items())
    }
    return Takings(accounts, dict(units))


def shares(runs: Sequence[Takings], by: Taker, *, confidence: float = 0.95) -> list[Share]:
    """Who took how much, largest first; the units add up to all that was taken.

    Args:
        runs: Of at least one run.
        by: Which takers.
        confidence: Of the interval over runs.
    """
    at = TAKERS.index(by)

    def per_run(units: list[int]) -> Interval | None:
        if len(units) == 1:
            return None
        found = mean_interval(units, confidence=confidence)
        return replace(found, low=max(found.low or 0.0, 0.0))  # nobody takes less than nothing

    tables: list[Counter[str]] = []
    for run in runs:
        table: Counter[str] = Counter()
        for who, units in run.units.items():
            table[who[at]] += units
        tables.append(table)
    total: Counter[str] = sum(tables, Counter())
    whole = total.total()
    return [
        Share(
            by,
            name,
            units,
            units / whole,
            per_run([table[name] for table in tables]),
        )
        for name, units in sorted(total.items(), key=lambda each: (-each[1], each[0]))
    ]


def added_up(accounts: Iterable[Accounts]) -> Accounts:
    """Several accounts as one; what is not known of one is not known of all."""
    return sum(accounts, NOTHING)


def _parts(run: Run, scope: Scope, net: dict[str, int]) -> dict[str, dict[str, int | None]]:
    """What came and went beside what was taken, by account and ingredient.

    Where a unit can only grow back, or only be destroyed, the tables tell how many. Where both can
    be, or somebody set the stock, the log does; one of level warning does not hold it.
    """
    scenario, told = run.scenario, run.manifest
    grows = any(each.regrowth > 0 for each in scenario.ingredients)
    destroys = scenario.rules.gathering.failed_unit == "destroyed"
    changed = bool(told.history) or bool(getattr(scenario, "interventions", ()))
    parts: dict[str, dict[str, int | None]] = {part: dict.fromkeys(net, 0) for part in PARTS}
    if not changed and not (grows and destroys):
        sign, part = (-1, "destroyed") if destroys else (1, "regrown")
        parts[part] = {name: sign * units for name, units in net.items()}
    elif told.level == "warning":
        parts = {part: dict.fromkeys(net, None) for part in PARTS}
    else:
        for part, ingredient, units in _from_log(run, scope):
            if ingredient in net:
                parts[part][ingredient] = _sum(parts[part][ingredient], units)
        _compare(run, parts, net)
    return parts


def _from_log(run: Run, scope: Scope) -> list[tuple[str, str, int]]:
    """Account, ingredient and units of all that the log tells of it."""
    regions = dict(run.query("SELECT DISTINCT place, region FROM stocks").fetchall())
    told = run.events(list(TOLD)).filter(f"day <= {run.manifest.day}")
    found: list[tuple[str, str, int]] = []
    for kind, fields in TOLD.items():
        for field, part in fields.items():
            entries = told.filter(f"event = {text(kind)}").project(
                f"place, unnest(map_entries({field})) AS entry"
            )
            sums = entries.aggregate(
                "place, entry.key AS ingredient, CAST(sum(entry.value) AS BIGINT) AS units"
            )
            found += [
                (part, ingredient, units)
                for place, ingredient, units in sums.fetchall()
                if scope.region in {None, regions.get(place)}
                and scope.ingredient in {None, ingredient}
            ]
    return found


def _compare(run: Run, parts: dict[str, dict[str, int | None]], net: dict[str, int]) -> None:
    for name, units in net.items():
        came = (parts["regrown"][name] or 0) + (parts["added"][name] or 0)
        went = (parts["destroyed"][name] or 0) + (parts["removed"][name] or 0)
        if came - went != units:
            raise AccountsDisagreeError(run.name, name, came - went, units)


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other
