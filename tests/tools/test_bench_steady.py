"""The workload of tools/bench.py: nobody gets faster by doing less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from benching.steady import RANGES, bare_run, one_run, out_of_range, slices, steady

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.long

DAYS = 30
UNSTEADY_YET = {"at the colony a team-day": 0.2, "gathering phases a team-day": 0.15}
"""All teams leave on the first day: in a short run these are still low."""


@pytest.fixture(scope="module")
def logged() -> dict[str, Any]:
    return one_run(DAYS, disk=True, level="info")


def test_a_short_run_shows_the_shares_that_are_asked_for(logged: dict[str, Any]) -> None:
    shares = logged["shares"]
    assert set(shares) == set(RANGES)
    for name, (least, most) in RANGES.items():
        assert UNSTEADY_YET.get(name, least) <= shares[name] <= most, name


def test_a_run_that_does_less_is_not_believed(logged: dict[str, Any]) -> None:
    idle = logged["shares"] | {"at the colony a team-day": 0.9, "events of teams a team-day": 1.0}
    idle |= {"gathering phases a team-day": 0.3}
    assert len(out_of_range(idle)) == 2
    assert "at the colony a team-day: 0.9, must be 0.25 to 0.35" in out_of_range(idle)


@pytest.mark.parametrize(
    "ran", [lambda: one_run(DAYS, disk=False, level="warning"), lambda: bare_run(DAYS)]
)
def test_with_less_of_a_log_the_same_happens(
    logged: dict[str, Any], ran: Callable[[], dict[str, Any]]
) -> None:
    other = ran()
    assert other["fingerprint"] == logged["fingerprint"]
    assert other["figures"]["units_per_team_day"] > 0


def test_the_fingerprint_tells_runs_apart(logged: dict[str, Any]) -> None:
    assert one_run(DAYS - 1, disk=False, level="warning")["fingerprint"] != logged["fingerprint"]


def test_more_teams_have_as_much_stock_each() -> None:
    few, many = steady(), steady(400)
    assert sum(team.count for colony in many.colonies for team in colony.teams) == 400
    assert [each.reserve for each in many.ingredients] == [
        4 * each.reserve for each in few.ingredients
    ]


@pytest.mark.parametrize("days", [1, 2, 12, 13, 90, 360])
def test_slices_are_all_of_the_days(days: int) -> None:
    parts = list(slices(days))
    assert sum(parts) == days
    assert max(parts) - min(parts) <= 1
