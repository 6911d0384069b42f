"""Figures that are read from a campaign: shipped ones, SQL, plug-ins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import entry_points
from math import isfinite
from typing import TYPE_CHECKING, Literal, Protocol

from worldsim.errors import WorldsimError
from worldsim.events.schema import kinds_by_name
from worldsim.study.stocks import Stocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from worldsim.events.kinds import Level
    from worldsim.runs import Run

    Columns = Mapping[str, Any]
    Figure = float | None
    Read = Callable[["Tables", str | None], Figure]

GROUP = "worldsim.metrics"
"""The entry points of metrics: each a function of a `Run` that gives a number or None.

An attribute ``level`` of the function says which log it reads: ``warning`` if it has none.
"""
LEVELS: tuple[Level, ...] = ("debug", "info", "warning")
WARM_UP = re.compile(r"\$warm_up_days\b")
DAYS = re.compile(r"\$days\b")
Source = Literal["shipped", "sql", "plugin"]


class MetricError(WorldsimError):
    """A metric gives no number."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, reason)
        self.name, self.reason = name, reason

    def __str__(self) -> str:
        return f"the metric {self.name} {self.reason}"


class MetricShapeError(MetricError):
    """SQL that gives something else than one number, whatever happened."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure of a study.

    Attributes:
        name: Its column.
        source: Where it comes from.
        sql: Of such a metric.
    """

    name: str
    source: Source = "shipped"
    sql: str = ""

    @property
    def level(self) -> Level:
        """The lowest level of the log that it reads."""
        if self.source == "sql":
            return _level_of(self.sql)
        if self.source == "plugin":
            level: Level = getattr(_plugin(self.name), "level", "warning")
            return level
        return "warning"


class Told(Protocol):
    """What a metric may read.

    Attributes:
        days: Simulated; fewer than the study's where a scenario stopped before.
        warm_up_days: Of the study.
    """

    days: int
    warm_up_days: int

    @property
    def run(self) -> Run:
        """The campaign, with its events."""

    def columns(self, table: str) -> Columns:
        """The columns of ``stocks`` or ``takings``."""


class Tables:
    """The tables of a campaign as the shipped metrics read them, each once.

    Args:
        told: The campaign.
    """

    def __init__(self, told: Told) -> None:
        self._told = told
        self.days, self.warm_up_days = told.days, told.warm_up_days

    @cached_property
    def stocks(self) -> Stocks:
        """What was in the ground."""
        columns = self._told.columns("stocks")
        rows = zip(*(columns[name] for name in ("day", "place", "ingredient", "left")), strict=True)
        return Stocks(rows, self.warm_up_days, self.days)

    @cached_property
    def taken(self) -> dict[str | None, int]:
        """Units taken after the warm-up, by ingredient; those of all under None."""
        columns = self._told.columns("takings")
        late = columns["day"] > self.warm_up_days
        found: dict[str | None, int] = {None: 0}
        for ingredient, units in zip(
            columns["ingredient"][late], columns["units"][late], strict=True
        ):
            if ingredient is not None:
                found[ingredient] = found.get(ingredient, 0) + int(units)
                found[None] += int(units)
        return found

    @cached_property
    def effort(self) -> int:
        """Gathering Limits after the warm-up, added up."""
        columns = self._told.columns("takings")
        return int(columns["effort"][columns["day"] > self.warm_up_days].sum())


def _taken(tables: Tables, what: str | None) -> Figure:
    return tables.taken.get(what, 0)


def _per_effort(tables: Tables, what: str | None) -> Figure:
    return tables.taken.get(what, 0) / tables.effort if tables.effort else None


def _of_stocks(read: Callable[[Stocks, str | None], Figure]) -> Read:
    return lambda tables, what: read(tables.stocks, what)


def _day_left(share: float) -> Read:
    return lambda tables, what: tables.stocks.day_left(share, what)


OF_INGREDIENTS: dict[str, tuple[str, Read]] = {
    "taken": ("units taken from the ground", _taken),
    "taken_per_effort": ("units taken for each point of Gathering Limit", _per_effort),
    "left": ("units in the ground at the end", _of_stocks(Stocks.left)),
    "left_share": ("share of the stock that is left at the end", _of_stocks(Stocks.left_share)),
    "mean_left_share": (
        "share of the stock that is left, on the average of all days",
        _of_stocks(Stocks.mean_left_share),
    ),
    "day_75_left": ("first day with 75 % left or less; none if not reached", _day_left(0.75)),
    "day_50_left": ("first day with 50 % left or less; none if not reached", _day_left(0.5)),
    "day_25_left": ("first day with 25 % left or less; none if not reached", _day_left(0.25)),
    "day_10_left": ("first day with 10 % left or less; none if not reached", _day_left(0.1)),
    "day_0_left": ("first day with nothing left; none if not reached", _day_left(0)),
    "first_empty_day": (
        "first day on which some place has nothing left of what it had",
        _of_stocks(Stocks.first_empty_day),
    ),
    "empty_share": (
        "share of the places' stocks that are used up at the end",
        _of_stocks(Stocks.empty_share),
    ),
}
"""Shipped metrics that may be asked of one ingredient: ``taken.ferrite``."""
SHIPPED: dict[str, tuple[str, Read]] = {
    "effort": ("points of Gathering Limit spent", lambda tables, _: tables.effort),
    **OF_INGREDIENTS,
}
"""All shipped metrics, with what each is."""
DEFAULTS = ("taken", "left_share", "day_50_left", "effort")


def known_names(ingredients: Iterable[str]) -> list[str]:
    """The names of the metrics that a study can ask for, besides its own SQL."""
    plugged = sorted(each.name for each in entry_points(group=GROUP))
    of_ingredients = [f"{name}.{each}" for each in ingredients for name in OF_INGREDIENTS]
    return [*SHIPPED, *plugged, *of_ingredients]


def named_metric(name: str) -> Metric:
    """A metric by its name: a shipped one, else a plug-in."""
    shipped = name.partition(".")[0] in SHIPPED
    return Metric(name, "shipped" if shipped else "plugin")


def lowest_level(metrics: Iterable[Metric], at_least: Level = "warning") -> Level:
    """The level of the log that all metrics can be read from."""
    return min((at_least, *(each.level for each in metrics)), key=LEVELS.index)


def read_metrics(metrics: Iterable[Metric], told: Told) -> dict[str, Figure]:
    """Each metric of a campaign, by name.

    Raises:
        MetricError: one gives no number.
        QueryError: the SQL of one is wrong.
    """
    tables = Tables(told)
    return {each.name: _figure(each, tables, told) for each in metrics}


def _figure(metric: Metric, tables: Tables, told: Told) -> Figure:
    if metric.source == "sql":
        return _number(metric.name, _asked(metric, told))
    if metric.source == "plugin":
        return _number(metric.name, _plugin(metric.name)(told.run))
    name, _, ingredient = metric.name.partition(".")
    return _number(metric.name, SHIPPED[name][1](tables, ingredient or None))


def _asked(metric: Metric, told: Told) -> Any:
    """The one value that SQL gives."""
    sql = WARM_UP.sub(str(told.warm_up_days), metric.sql)
    sql = DAYS.sub(str(told.days), sql)
    answer = told.run.query(sql)
    rows = list(told.run.rows(answer.limit(2)))
    wanted = "but one row of one number is wanted"
    if len(answer.columns) != 1:
        given = f"gives {len(answer.columns)} columns"
        raise MetricShapeError(metric.name, f"{given}, {wanted}")
    if len(rows) != 1:
        raise MetricError(metric.name, f"gives {'several rows' if rows else 'no row'}, {wanted}")
    return rows[0][0]


def _number(name: str, value: Any) -> Figure:
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise MetricError(name, f"gives {str(value)[:60]!r}, which is no number") from None
    if not isfinite(number):
        raise MetricError(name, f"gives {number}: null is wanted where there is no number")
    return number


def _plugin(name: str) -> Callable[[Run], Any]:
    provided = entry_points(group=GROUP)
    if name not in provided.names:
        raise MetricError(name, f"is not installed here, under the entry points {GROUP}")
    metric: Callable[[Run], Any] = provided[name].load()
    return metric


def _level_of(sql: str) -> Level:
    """The lowest level of the events that a statement names; of all, if it names no kind."""
    if "events" not in sql.lower():
        return "warning"
    named = [kind for name, kind in kinds_by_name().items() if name in sql]
    levels: list[Level] = [getattr(kind, "LEVEL", "debug") for kind in named] or ["info"]
    return min(levels, key=LEVELS.index)
