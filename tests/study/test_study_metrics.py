"""Metrics: shipped ones say what SQL over the same campaign says."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest

import worldsim as ws
from worldsim.study.metrics import (
    OF_INGREDIENTS,
    SHIPPED,
    Metric,
    MetricError,
    lowest_level,
    named_metric,
    read_metrics,
)
from worldsim.study.stocks import Stocks
from worldsim.study.work import plain_columns

if TYPE_CHECKING:
    from worldsim.runs import Run

DAYS, WARM_UP = 40, 7
IN_SQL = {
    "taken": "select sum(units) from takings where day > $warm_up_days",
    "taken.tuber": "select coalesce(sum(units), 0) from takings"
    " where day > $warm_up_days and ingredient = 'tuber'",
    "effort": "select sum(effort) from takings where day > $warm_up_days",
    "left": 'select sum("left") from (select arg_max("left", day) as "left" from stocks'
    " group by place, ingredient)",
    "empty_share": 'select avg(("left" = 0)::int) from'
    ' (select arg_max("left", day) as "left" from stocks group by place, ingredient)',
    "first_empty_day": 'select min(day) from stocks where "left" = 0 and day > $warm_up_days',
    "left_share": 'select sum(a) / sum(b) from (select arg_max("left", day) as a,'
    ' arg_max("left", day) filter (where day <= $warm_up_days) as b from stocks'
    " group by place, ingredient)",
}


class Told:
    """A campaign whose metrics are read."""

    days, warm_up_days = DAYS, WARM_UP

    def __init__(self, run: Run) -> None:
        self.run = run

    def columns(self, table: str) -> Any:
        return self._read[table]

    @cached_property
    def _read(self) -> dict[str, Any]:
        tables = {"stocks": self.run.stocks(), "takings": self.run.takings()}
        return {name: plain_columns(table) for name, table in tables.items()}


@pytest.fixture(scope="module", name="told")
def _told() -> Told:
    scenario = ws.load("lone_colony", sets=["ingredients.ferrite.reserve=9"])
    return Told(ws.simulate(scenario, seed=7, days=DAYS, level="warning"))


@pytest.mark.parametrize("name", IN_SQL)
def test_a_shipped_metric_is_what_sql_finds(told: Told, name: str) -> None:
    found = read_metrics([named_metric(name), Metric("asked", "sql", IN_SQL[name])], told)
    assert found[name] == pytest.approx(found["asked"])
    assert found[name] is not None


def test_every_shipped_metric_gives_a_number_or_none(told: Told) -> None:
    names = [*SHIPPED, *(f"{name}.ferrite" for name in OF_INGREDIENTS)]
    found = read_metrics(map(named_metric, names), told)
    assert list(found) == names
    assert all(value is None or isinstance(value, float) for value in found.values())


def stocks(warm_up: int = 0) -> Stocks:
    rows = [
        (0, "a", "ore", 80), (0, "b", "ore", 20), (0, "a", "fish", 10),
        (2, "a", "ore", 40), (4, "a", "ore", 20), (4, "b", "ore", 0), (5, "b", "ore", 5),
    ]  # fmt: skip
    return Stocks(rows, warm_up, 6)


def test_days_of_depletion_are_the_first_on_which_no_more_is_left() -> None:
    found = [stocks().day_left(share, "ore") for share in (0.75, 0.6, 0.5, 0.2, 0.1)]
    assert found == [2, 2, 4, 4, None]
    assert stocks().day_left(0.5) == 4
    assert stocks().first_empty_day() == 4
    assert stocks().first_empty_day("fish") is None


def test_shares_are_of_the_stock_after_the_warm_up() -> None:
    assert stocks().left_share("ore") == 0.25
    assert stocks(warm_up=2).left_share("ore") == 25 / 60
    assert stocks(warm_up=2).day_left(0.5, "ore") == 4
    assert stocks(warm_up=4).first_empty_day() is None
    assert stocks().empty_share() == 0


def test_the_mean_share_counts_every_day_once() -> None:
    # days 1 to 6 end with 100, 60, 60, 20, 25, 25 of 100
    assert stocks().mean_left_share("ore") == pytest.approx(290 / 600)
    assert stocks(warm_up=3).mean_left_share("ore") == pytest.approx(70 / 180)
    assert stocks().mean_left_share("salt") is None


@pytest.mark.parametrize(
    ("sql", "level"),
    [
        ("select 1 from takings", "warning"),
        ("select count(*) from events where event = 'team.lost'", "warning"),
        ("select count(*) from events where event = 'team.returned'", "info"),
        ("select count(*) from events", "info"),
        ("select count(*) from events where event = 'dice.rolled'", "debug"),
    ],
)
def test_sql_turns_on_the_events_it_names_and_no_more(sql: str, level: str) -> None:
    assert lowest_level([Metric("asked", "sql", sql)]) == level


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("select team from takings limit 1", "no number"),
        ("select units from takings", "several rows"),
        ("select units from takings where day < 0", "no row"),
        ("select 'inf'::double", "null is wanted"),
    ],
)
def test_sql_that_gives_no_number_is_an_error_of_the_campaign(
    told: Told, sql: str, says: str
) -> None:
    with pytest.raises(MetricError, match=says):
        read_metrics([Metric("asked", "sql", sql)], told)
