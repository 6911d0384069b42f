"""Battles as they are lived: told by the journal, minute by minute."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, Any

import pytest
from frontier import (
    ALWAYS_READY,
    FRONT,
    at_front,
    crew,
    equipment,
    faction,
    person,
    relation,
    round_of,
    team_of,
    told_of_battles,
    vehicle,
)

from worldsim.rules.contest import cargo_lost

if TYPE_CHECKING:
    from frontier import Told

RED, BLUE = "red/ants", "blue/ants"
MET = f"+0 sector.contested team={RED} sector={FRONT} rivals={BLUE}"
DUEL = f"sector={FRONT} attacker={RED} defender={BLUE}"
BEGUN = f"+0 battle.started {DUEL} ambush=False assault=False"
CLAIMED = f"sector.claimed sector={FRONT} faction=red team={RED} taken_from=blue"


def ended(minute: int, winner: str, loser: str, reason: str, rounds: int) -> str:
    return (
        f"+{minute} battle.ended sector={FRONT} winner={winner} loser={loser} reason={reason} "
        f"rounds={rounds} covered=4.0 lost=nothing"
    )


def by_red(*, people: list[str] | None = None, day: int = 2, **more: Any) -> str:
    return faction("red", [(day, "strike")], people=people, **more)


@pytest.mark.rule("BAT-9", "BAT-10", "BAT-17")
def test_hits_on_a_card_that_is_down_are_wasted_and_it_never_fires_back() -> None:
    # One instance of Stealth twice gives the first shot; Power 6 in Shooting, twice, four hits.
    told = at_front(
        4, faction("blue", people=crew(shooting=60)), by_red(people=crew(shooting=6, stealth=3))
    )
    assert told_of_battles(told) == [
        MET,
        BEGUN,
        round_of(1, "attacker", (2, 0), (4, 0), overkill=3),
        f"+10 card.fell team={BLUE} card=a",
        ended(10, RED, BLUE, "defeated", 1),
        f"+10 sector.secured sector={FRONT} teams={RED}",
        f"+10 {CLAIMED}",
    ]
    assert told.lines("team", "place", "reason") == [
        "1 team.departed team=blue/ants", "1 team.rested team=red/ants",
        "1 team.moved team=blue/ants place=r1", "1 team.arrived team=blue/ants",
        "2 sector.claimed team=blue/ants", "2 team.departed team=red/ants",
        "2 team.endured team=blue/ants place=r1/s8", "2 team.waited team=blue/ants place=r1/s8",
        "2 team.moved team=red/ants place=r1", "2 team.arrived team=red/ants",
        "2 sector.contested team=red/ants", "2 battle.started", "2 battle.round_fought",
        "2 card.fell team=blue/ants", "2 battle.ended reason=defeated", "2 sector.secured",
        "2 sector.claimed team=red/ants",
        "3 team.endured team=blue/ants place=r1/s8", "3 team.endured team=red/ants place=r1/s8",
        "3 team.waited team=red/ants place=r1/s8",
        "3 team.turned_back team=red/ants place=r1/s8 reason=target_reached",
        "3 team.moved team=blue/ants place=r1", "3 team.returned team=blue/ants",
        "4 team.rested team=blue/ants", "4 team.endured team=red/ants place=r1/s8",
        "4 team.moved team=red/ants place=r1", "4 team.returned team=red/ants",
    ]  # fmt: skip


TWO_OF_ONE_DIE = crew(("leader", "member"), shooting=3)
"""Two dice each: together they get through a Protection of two, one alone does not."""


@pytest.mark.rule("BAT-10", "BAT-7", "BAT-3")
def test_casualties_are_out_before_their_side_fires_back() -> None:
    red = by_red(people=crew(leadership=3, cover=3, stealth=3))
    told = at_front(2, faction("blue", people=TWO_OF_ONE_DIE), red, sets=[DEFENDER_AT_A_TIE])
    lines = told_of_battles(told)
    first, second = (line.rpartition("=")[2] for line in lines if "card.fell" in line)
    assert {first, second} == {"a", "b"}
    assert lines == [
        MET,
        BEGUN,
        round_of(1, "attacker", (2, 0), (1, 0)),
        f"+10 card.fell team={BLUE} card={first}",
        round_of(2, "defender", (10, 10), (1, 0)),
        f"+20 card.fell team={BLUE} card={second}",
        ended(20, RED, BLUE, "defeated", 2),
        f"+20 sector.secured sector={FRONT} teams={RED}",
        f"+20 {CLAIMED}",
    ]


DEFENDER_AT_A_TIE = "rules.battle.tie='defender'"


@pytest.mark.rule("BAT-10", "BAT-5")
@pytest.mark.reading("rules.battle.tie=defender")
def test_the_same_two_win_if_they_fire_first() -> None:
    red = by_red(people=crew(leadership=3, cover=3))
    told = at_front(2, faction("blue", people=TWO_OF_ONE_DIE), red, sets=[DEFENDER_AT_A_TIE])
    assert told_of_battles(told) == [
        MET,
        BEGUN,
        round_of(1, "defender", (0, 0), (0, 2), overkill=1),
        f"+10 card.fell team={RED} card=a",
        ended(10, BLUE, RED, "defeated", 1),
        f"+10 sector.secured sector={FRONT} teams={BLUE}",
    ]


@pytest.mark.rule("BAT-12", "BAT-15")
def test_after_thirty_rounds_without_an_end_the_attacker_has_lost() -> None:
    told = at_front(2, faction("blue"), by_red(), sets=[DEFENDER_AT_A_TIE])
    rounds = [round_of(n, "defender", (10, 10) if n > 1 else (0, 0), (0, 0)) for n in range(1, 31)]
    assert told_of_battles(told) == [
        MET,
        BEGUN,
        *rounds,
        ended(300, BLUE, RED, "out_of_time", 30),
        f"+300 sector.secured sector={FRONT} teams={BLUE}",
    ]


@pytest.mark.rule("BAT-5")
def test_a_coin_falls_on_both_sides_at_equal_initiative() -> None:
    told = at_front(2, faction("blue"), by_red())
    assert {each["attacker_first"] for each in told.all("battle.round_fought")} == {True, False}


@pytest.mark.rule("BAT-1", "BAT-11")
def test_equipment_goes_on_firing_and_is_never_hit_but_holds_nothing_by_itself() -> None:
    gun = equipment("gun", shooting=3)
    told = at_front(
        2, faction("blue"), by_red(cards=["gun"], people=crew(stealth=3)), more=gun
    )  # fmt: skip
    assert told.one("battle.ended")["winner"] == RED
    assert told.one("battle.round_fought")["attacker_hits"] == 2
    beaten = at_front(
        2, faction("blue", cards=["gun"]), by_red(people=crew(shooting=3, stealth=3)), more=gun
    )
    assert beaten.one("battle.ended")["winner"] == RED
    assert beaten.one("card.fell")["card"] == "a"


@pytest.mark.rule("BAT-1")
def test_a_vehicle_has_a_health_of_its_own_and_stands_when_its_crew_is_down() -> None:
    told = at_front(
        3, faction("blue", cards=["car", "car"]), by_red(people=crew(leadership=3, stealth=3)),
        more=vehicle("car", 3),
    )  # fmt: skip
    assert [each["card"] for each in told.all("card.fell")].count("a") == 1
    assert {each["card"] for each in told.all("card.fell")} == {"a", "car", "car#2"}
    wasted = sum(each["overkill"] for each in told.all("battle.round_fought"))
    hits = sum(each["attacker_hits"] for each in told.all("battle.round_fought"))
    assert (hits, wasted) == (7, 0)


def lines_of_day(told: Told, day: int, team: str) -> list[str]:
    return [e["event"] for e in told.events if e["day"] == day and e.get("team") == team]


LONG = ("rules.battle.round_min=100", "rules.battle.character_health=40")


@pytest.mark.rule("BAT-15", "BAT-1", "BAT-13")
def test_a_battle_pauses_at_midnight_and_goes_on_at_dawn_as_it_was() -> None:
    told = at_front(
        2, faction("blue"), by_red(people=crew(leadership=3, stealth=3)), sets=LONG
    )  # fmt: skip
    world = told.sim.world
    blue, red = team_of(told, "blue"), team_of(told, "red")
    assert (blue.status, red.status) == ("in_battle", "in_battle")
    assert (blue.combat, red.combat) == ([40 - 14], [40])
    assert world.contests.battles[FRONT].rounds == 14
    states = (blue.efficiency, red.efficiency, blue.situation, red.situation)
    told.days(1)
    assert [each["t"] % 1440 for each in told.all("battle.round_fought", day=2)] == list(
        range(101, 1441, 100)
    )
    assert [each["t"] % 1440 for each in told.all("battle.round_fought", day=3)] == list(
        range(100, 1440, 100)
    )
    assert (blue.combat, red.combat) == ([40 - 28], [40])
    for team in (RED, BLUE):
        assert lines_of_day(told, 3, team) == [], "it does nothing at dawn"
    assert [team.trip.days for team in (red, blue)] == [2, 3]
    assert (blue.efficiency, red.efficiency) == (states[0] - 5, states[1] - 5), "a day away"
    assert (blue.situation, red.situation) == states[2:]
    told.days(1)
    end = told.one("battle.ended")
    assert (end["day"], end["reason"], end["rounds"]) == (4, "out_of_time", 30)
    assert (end["winner"], end["loser"]) == (BLUE, RED)
    assert lines_of_day(told, 4, BLUE) == []
    told.days(1)
    assert lines_of_day(told, 5, BLUE) == ["team.endured", "team.waited"]
    assert lines_of_day(told, 5, RED) == ["team.endured", "team.moved", "team.returned"]


@pytest.mark.rule("BAT-15")
@pytest.mark.parametrize("round_min", [1, 7, 10, 100, 480, 719, 720])
def test_no_round_is_half_fought_at_midnight(round_min: int) -> None:
    sets = (f"rules.battle.round_min={round_min}", "rules.battle.most_rounds=300")
    told = at_front(6, faction("blue"), by_red(), sets=sets)
    times = [each["t"] for each in told.all("battle.round_fought")]
    assert all((t - round_min) // 1440 == t // 1440 for t in times)
    gaps = {b - a for a, b in pairwise(times) if a // 1440 == b // 1440}
    assert gaps <= {round_min}


def hits_and_dies(damage: int) -> list[str]:
    """Fires first, brings so many hits with it, and falls to the first hit it takes."""
    return crew(shooting=3 * damage // 2, stealth=60)


TANK = vehicle("tank", 60, leadership=3)


@pytest.mark.rule("BAT-13", "BAT-12", "DAY-3")
def test_a_third_team_waits_its_turn_and_damage_stays_for_the_day_only() -> None:
    told = at_front(
        2, faction("blue", cards=["tank"]), by_red(people=hits_and_dies(30)),
        faction("green", [(2, "strike")], people=hits_and_dies(20)),
        faction("grey", [(3, "strike")], people=hits_and_dies(10)),
        more=TANK, sets=["rules.battle.most_rounds=1"],
    )  # fmt: skip
    order = told.sim.context.order
    early, late = sorted((RED, "green/ants"), key=lambda name: order[name])
    duels = told.all("battle.started")
    assert [(each["attacker"], each["defender"]) for each in duels] == [
        (early, BLUE),
        (late, BLUE),
    ]
    contests = told.all("sector.contested")
    assert [(each["team"], set(each["rivals"])) for each in contests] == [
        (early, {BLUE}),
        (late, {BLUE, early}),
    ]
    first, second = told.all("battle.ended")
    assert first["seq"] < duels[1]["seq"]
    assert (first["loser"], second["loser"]) == (early, late)
    blue = team_of(told, "blue")
    tank = blue.combat[1]
    wasted = sum(each["overkill"] for each in told.all("battle.round_fought"))
    assert tank == 60 - (30 + 20 - wasted - 1), "both did their damage; one hit was the leader's"
    assert tank < 60 - 30 + wasted
    assert blue.combat[0] == 0
    assert blue.fallen == {"a": None}
    told.days(1)
    assert told.all("battle.ended")[2]["loser"] == "grey/ants"
    assert blue.combat == [0, 60 - 10], "whole again but for the fallen"


@pytest.mark.rule("BAT-13")
def test_who_beats_the_installed_team_is_the_installed_one_then() -> None:
    told = at_front(
        2, faction("blue"), by_red(people=crew(shooting=3, stealth=3)),
        faction("green", [(2, "strike")], people=crew(shooting=3, stealth=3)),
    )  # fmt: skip
    first, second = told.all("battle.started")
    assert first["defender"] == BLUE
    assert second["defender"] == first["attacker"]
    assert {first["attacker"], second["attacker"]} == {RED, "green/ants"}
    secured = told.one("sector.secured")
    assert secured["teams"] == [told.all("battle.ended")[1]["winner"]]


@pytest.mark.rule("BAT-13")
def test_the_team_installed_first_fights_first_even_if_it_was_not_in_the_battle_before() -> None:
    peace = relation("grey", "blue", "peace") + relation("grey", "red", "peace")
    told = at_front(
        5, faction("grey"), faction("blue", [(2, "patrol")]), by_red(day=3),
        faction("green", [(4, "strike")]), more=peace,
        sets=["rules.battle.round_min=300", "rules.battle.most_rounds=5"],
    )  # fmt: skip
    started = told.all("battle.started")
    assert (started[0]["attacker"], started[0]["defender"]) == (RED, BLUE)
    assert (started[1]["attacker"], started[1]["defender"]) == ("green/ants", "grey/ants")


SHARP = crew(awareness=16)
"""Who finds much to gather."""


@pytest.mark.rule("BAT-1", "BAT-13")
def test_a_team_that_waits_in_the_queue_over_midnight_is_whole_when_its_turn_comes() -> None:
    elsewhere = "r1/s7"
    told = at_front(
        2, faction("grey", [(2, "strike", elsewhere)], people=hits_and_dies(30)),
        faction("green", [(1, "gather", elsewhere), (5, "strike")], people=SHARP,
                cards=["tank"]),
        faction("blue", [(3, "patrol")]), by_red(day=4), more=TANK,
        sets=["rules.battle.most_rounds=5", "rules.battle.round_min=600", *ALWAYS_READY,
              "rules.battle.others_needed=0", "rules.battle.recovery_at=1",
              "missions.gather.day_limit=2"],
    )  # fmt: skip
    green = team_of(told, "green")
    assert told.one("battle.ended")["loser"] == "grey/ants"
    assert 30 <= green.combat[-1] < 60
    told.days(3)
    assert told.one("team.arrived", team="green/ants", day=5)
    assert (green.status, told.sim.world.contests.battles[FRONT].attacker) == ("in_battle", RED)
    told.days(1)
    assert told.one("battle.started", attacker="green/ants")["day"] == 6
    assert green.combat == [1, 60], "blue does no harm"


def gathered_by_blue(told: Told) -> int:
    return sum(sum(each["taken"].values()) for each in told.all("team.gathered", team=BLUE))


@pytest.mark.rule("BAT-14", "RES-6", "MOVE-3")
def test_losers_leave_half_their_cargo_and_bring_the_rest_home() -> None:
    for seed in range(8):
        told = at_front(
            3,
            faction("blue", [(1, "gather")], people=SHARP),
            by_red(people=crew(shooting=3, stealth=60), day=3),
            seed=seed,
        )
        had = gathered_by_blue(told)
        lost = told.one("battle.ended")["lost"]
        assert had > 0
        assert lost.get("berry", 0) == had // 2
        assert team_of(told, "blue").cargo == [had - had // 2]
        told.days(1)
        back = told.one("team.returned", team=BLUE)
        assert (back["day"], back["delivered"]) == (4, {"berry": had - had // 2})
        assert told.sim.world.ledger.lost == [had // 2]


@pytest.mark.rule("BAT-14", "RES-6")
def test_the_share_that_losers_leave_is_the_scenarios() -> None:
    for share in (0.0, 0.25, 1.0):
        told = at_front(
            3, faction("blue", [(1, "gather")], people=SHARP),
            by_red(people=crew(shooting=3, stealth=60), day=3),
            sets=[f"rules.battle.cargo_lost={share}"],
        )  # fmt: skip
        lost = told.one("battle.ended")["lost"].get("berry", 0)
        assert [lost] == cargo_lost([gathered_by_blue(told)], share)


@pytest.mark.rule("BAT-14", "MOVE-3", "TEAM-1")
def test_losers_walk_home_from_the_next_day_and_the_fallen_count_for_speed() -> None:
    slow = [person("a", "leader", skill=0, speed=80, planetary=80),
            person("b", "member", skill=0, speed=20, planetary=80)]  # fmt: skip
    far = ["planet.sector_distance='20'", "rules.travel.home_dice=1"]
    told = at_front(
        30, faction("blue", people=slow), by_red(people=crew(shooting=9, stealth=30), day=10),
        sets=[*far, "rules.survival.drain=0", "rules.survival.rations_days=40",
              "rules.fatigue.fatigued_total='none'"], level="debug",
    )  # fmt: skip
    end = told.one("battle.ended")
    assert (end["loser"], end["covered"]) == (BLUE, 40.0)
    assert {each["card"] for each in told.all("card.fell", team=BLUE)} == {"a", "b"}
    back = [each for each in told.all("team.moved", team=BLUE) if each["heading"] == "home"]
    assert back[0]["day"] == end["day"] + 1
    pools = {
        each["pool"] for each in told.all("dice.rolled", rule="MOVE-1", of=back[0]["seq"])
    }  # fmt: skip
    assert pools == {"3d6"}, "a mean of 50 is 2d6, and one more on the way home"
    assert back[-1]["travelled"] == back[-1]["distance"] == 40.0


@pytest.mark.rule("BAT-15", "MOVE-2")
@pytest.mark.parametrize("how", ["war", "peace"])
def test_who_fights_does_no_more_that_day(how: str) -> None:
    told = at_front(
        2, faction("blue"), faction("red", [(2, "gather")],
                                 people=crew(shooting=3, awareness=16)),
        sets=["rules.travel.carry_surplus=true", f"rules.battle.relation='{how}'"],
    )  # fmt: skip
    gathered = told.all("team.gathered", team=RED, day=2)
    assert len(gathered) == (how == "peace")
    told.days(1)
    assert len(told.all("team.gathered", team=RED, day=3)) == 1


def back_home(seed: int, size: int, recovery: str = "") -> Told:
    """A team of so many has all been brought down, and is home on day 3."""
    told = at_front(
        3, faction("blue", people=crew(["leader"] + ["member"] * (size - 1)), vehicles=9),
        by_red(people=crew(stealth=60), cards=["cannon"]), more=equipment("cannon", shooting=300),
        sets=["rules.survival.rations_days=0", *([recovery] if recovery else [])], seed=seed,
    )  # fmt: skip
    assert len(told.all("card.fell", team=BLUE)) == size
    assert told.one("team.returned", team=BLUE)["day"] == 3
    return told


@pytest.mark.rule("BAT-14")
def test_one_in_six_of_the_fallen_is_back_at_once_and_then_each_week() -> None:
    tried = back = later_tried = later_back = 0
    for seed in range(60):
        told = back_home(seed, 26)
        now = len(told.all("card.recovered"))
        assert {each["day"] for each in told.all("card.recovered")} <= {3}
        told.days(14)
        days = [each["day"] for each in told.all("card.recovered")]
        assert set(days) <= {3, 10, 17}
        tried, back = tried + 26, back + now
        later_tried += 26 - now
        later_back += days.count(10)
        waiting = team_of(told, "blue").fallen
        assert len(waiting) == 26 - len(days)
    for tries, hits in ((tried, back), (later_tried, later_back)):
        assert abs(hits / tries - 1 / 6) < 4 * sqrt(5 / 36 / tries)


@pytest.mark.rule("BAT-14")
def test_a_team_that_comes_home_does_not_give_those_who_waited_a_second_try() -> None:
    waiting, tried, back = 25, 0, 0
    for seed in range(60):
        told = at_front(
            2, faction("blue", [(1, "gather")], people=crew(["leader"] + ["member"] * waiting),
                       vehicles=9),
            seed=seed, sets=["missions.gather.day_limit=1", "rules.survival.rations_days=0"],
        )  # fmt: skip
        blue = team_of(told, "blue")
        assert blue.status == "homeward"
        # As if all but the Leader had waited at home since a week before the day of return.
        blue.infirmary, blue.members = blue.members[1:], blue.members[:1]
        blue.fallen = {each.name: 3 - 7 for each in blue.infirmary}
        told.days(1)
        assert told.one("team.returned", team=BLUE)["day"] == 3
        tried, back = tried + waiting, back + len(told.all("card.recovered"))
    assert abs(back / tried - 1 / 6) < 4 * sqrt(5 / 36 / tried)


@pytest.mark.rule("BAT-14")
def test_recovery_is_tried_as_often_and_as_hard_as_the_scenario_says() -> None:
    sure = back_home(1, 4, "rules.battle.recovery_at=1")
    assert len(sure.all("card.recovered", day=3)) == 4
    assert [each.name for each in team_of(sure, "blue").members] == ["a", "b", "c", "d"]
    often = back_home(1, 26, "rules.battle.recovery_days=2").days(6)
    assert {each["day"] for each in often.all("card.recovered")} <= {3, 5, 7, 9}
    assert len({each["day"] for each in often.all("card.recovered")}) > 2


NEVER = "rules.battle.recovery_at=7"
"""A single die has no pair of sixes: nobody ever recovers."""


def thinned(seed: int, *sets: str) -> Told:
    """Five people, some of whom fall on day 2 and stay down; they have another order for day 5."""
    blue = faction(
        "blue", [(1, "patrol"), (5, "patrol")], vehicles=9,
        people=crew(("leader", "member", "member", "member", "member"), shooting=3),
    )  # fmt: skip
    return at_front(
        5, blue, by_red(people=crew(leadership=6, stealth=60)), seed=seed,
        sets=["missions.patrol.day_limit=2", NEVER, *ALWAYS_READY, *sets],
    )  # fmt: skip


@pytest.mark.rule("BAT-14", "TEAM-10", "FAT-8")
def test_a_team_leaves_without_its_fallen_while_it_keeps_a_leader_and_two_more() -> None:
    left, stayed = 0, 0
    for seed in range(14):
        told = thinned(seed)
        assert told.one("battle.ended")["winner"] == BLUE
        blue = team_of(told, "blue")
        fallen = {each["card"] for each in told.all("card.fell", team=BLUE)}
        assert {each.name for each in blue.infirmary} == fallen
        told.days(1)
        out = told.all("team.departed", team=BLUE)
        if "a" not in fallen:
            left += 1
            assert len(out) == 2
            assert len(blue.members) == 5 - len(fallen)
            continue
        stayed += 1
        assert len(out) == 1
        told.days(13)
        asked = told.all("member.recruited", team=BLUE)
        assert [each["role"] for each in asked] == ["leader"]
        assert len(told.all("team.departed", team=BLUE)) == 2
    assert left > 2
    assert stayed > 2


@pytest.mark.rule("BAT-14", "FAT-8")
def test_how_many_must_stand_beside_a_leader_is_the_scenarios() -> None:
    for needed in (2, 4):
        seeds = [thinned(seed, f"rules.battle.others_needed={needed}") for seed in range(6)]
        led = [told.days(2) for told in seeds if not told.all("card.fell", team=BLUE, card="a")]
        assert led
        for told in led:
            assert len(told.all("team.departed", team=BLUE)) == (2 if needed == 2 else 1)


@pytest.mark.rule("BAT-13", "BAT-18")
def test_nothing_is_left_of_a_battle_when_it_is_over() -> None:
    told = at_front(12, faction("blue"), by_red(people=crew(shooting=3, stealth=3)))
    contests = told.sim.world.contests
    assert contests.battles == {}
    context = told.sim.context
    assert sorted(name for _, name in context.roster.ranks.values()) == [
        "blue", BLUE, "red", RED,
    ]  # fmt: skip
