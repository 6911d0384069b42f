"""Who is first: the order of a day, fairness at a shared reserve, and dice that are one's own."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import Any

import pytest
from stories import HOME, Told, scenario, team, tell

STAY = ("missions.gather.day_limit=9999", "missions.camp.day_limit=9999",
        "rules.activities.idle_days=9999", "rules.activities.retreat_floor=0",
        "rules.activities.retreat_margin=-100",
        "rules.survival.drain=0", "rules.survival.appetite=0")  # fmt: skip


def patrols(*names: str) -> str:
    """Teams that stay where they are."""
    return "".join(team(name, mission="camp") for name in names)


def acting_order(told: Told, kind: str) -> list[list[str]]:
    """For each day, the teams in the order of their events of one kind."""
    days: dict[int, list[str]] = {}
    for each in told.all(kind):
        days.setdefault(each["day"], []).append(each["team"])
    return list(days.values())


@pytest.mark.rule("DAY-3")
def test_either_of_two_teams_is_first_about_half_of_the_days() -> None:
    told = tell(801, *STAY, colonies=HOME + patrols("ants", "bees"))
    orders = [each for each in acting_order(told, "team.endured") if len(each) == 2]
    assert len(orders) == 800
    first = sum(each[0] == "home/ants" for each in orders)
    assert abs(first - 400) <= 4 * sqrt(800 * 0.25)
    same_as_before = sum(a == b for a, b in pairwise(orders))
    assert abs(same_as_before - 399.5) <= 4 * sqrt(799 * 0.25), "one day says nothing of the next"


@pytest.mark.rule("DAY-3")
def test_among_three_teams_every_order_comes_about_as_often_as_any_other() -> None:
    told = tell(601, *STAY, colonies=HOME + patrols("ants", "bees", "wasps"))
    orders = [tuple(each) for each in acting_order(told, "team.endured")]
    counts = {order: orders.count(order) for order in set(orders)}
    assert len(counts) == 6
    assert all(abs(n - 100) <= 4 * sqrt(600 * 5 / 36) for n in counts.values())


@pytest.mark.rule("DAY-3")
def test_teams_at_home_are_sent_out_in_the_days_order_too() -> None:
    firsts = {
        tell(1, colonies=HOME + team("ants") + team("bees"), seed=seed).all("team.departed")[0][
            "team"
        ]
        for seed in range(12)
    }
    assert firsts == {"home/ants", "home/bees"}


@pytest.mark.rule("DAY-3", "RES-3")
def test_over_a_thousand_days_two_equal_teams_share_a_reserve_equally() -> None:
    # Six units lie there every morning, and the first to come takes four of them.
    told = Told(
        scenario(
            *STAY, "rules.fatigue.fatigued_difficulty=0", 'rules.fatigue.fatigued_total="none"',
            "rules.gathering.class_size.common=4", "rules.reserves.bands=[[0.0, 0]]",
            goods='\n[[ingredients]]\nid = "berry"\nkind = "fruit"\nreserve = 24\n',
            colonies=HOME + team("ants", vehicles=300) + team("bees", vehicles=300),
        )
    )  # fmt: skip
    world = told.sim.world
    for _ in range(1001):
        told.days(1)
        world.ledger.regrown[0] += 6 - world.reserves.left[2][0]
        world.reserves.left[2][0] = 6
    days: dict[int, dict[str, int]] = {}
    for each in told.all("team.gathered"):
        days.setdefault(each["day"], {})[each["team"]] = sum(each["taken"].values())
    differences = [day["home/ants"] - day["home/bees"] for day in days.values()]
    assert len(differences) == 1000
    assert {abs(each) for each in differences} == {2, 4}, "they do compete"
    assert abs(sum(differences)) <= 4 * sqrt(sum(each * each for each in differences))


def rolls_by_team(told: Told) -> dict[str, list[dict[str, Any]]]:
    """Each team's rolls of the first day, found by the events they belong to."""
    teams = {each["seq"]: each.get("team", "") for each in told.events if "seq" in each}
    rolls: dict[str, list[dict[str, Any]]] = {}
    for each in told.all("dice.rolled", day=1):
        roll = {key: value for key, value in each.items() if key not in {"of", "n"}}
        rolls.setdefault(teams[each["of"]], []).append(roll)
    return rolls


@pytest.mark.rule("DAY-3")
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_more_team_leaves_the_first_days_rolls_of_all_others_as_they_were(place: int) -> None:
    wolves = '\n[[wildlife]]\nid = "wolf"\nstrength = 2\n'
    busy = ('missions.gather.outbound=["gather", "research"]',
            "planet.landscapes.meadow.wildlife=0.5")  # fmt: skip
    teams = [team("ants"), team("bees", mission="explore")]
    before = tell(1, *busy, more=wolves, colonies=HOME + "".join(teams), level="debug", seed=5)
    teams.insert(place, team("moths"))
    after = tell(1, *busy, more=wolves, colonies=HOME + "".join(teams), level="debug", seed=5)
    old, new = rolls_by_team(before), rolls_by_team(after)
    assert set(new) == {*old, "home/moths"}
    assert all(len(each) > 2 for each in old.values())
    assert {name: new[name] for name in old} == old
