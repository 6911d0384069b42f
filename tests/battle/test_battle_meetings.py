"""Who meets whom in a sector, with what advantage, and whose it is then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from frontier import ALWAYS_READY, FRONT, at_front, crew, faction, relation, team_of

if TYPE_CHECKING:
    from frontier import Told

RED, BLUE, GREEN = "red/ants", "blue/ants", "green/ants"
STRONG = crew(shooting=6, stealth=60)
WEAK = crew()


def told_control(told: Told) -> list[tuple[int, str, str | None]]:
    """Day, new faction and old one of each change of who controls the front."""
    return [
        (each["day"], each["faction"], each["taken_from"])
        for each in told.all("sector.claimed", sector=FRONT)
    ]


@pytest.mark.rule("BAT-18")
@pytest.mark.reading("rules.battle.relation=war")
def test_at_war_whoever_meets_fights_and_at_peace_a_sector_is_shared() -> None:
    for how, fights in (("war", 1), ("peace", 0)):
        told = at_front(
            3, faction("blue"), faction("red", [(2, "patrol")]),
            sets=[f"rules.battle.relation='{how}'"],
        )  # fmt: skip
        assert len(told.all("battle.started")) == fights
        if not fights:
            assert {team_of(told, name).status for name in ("red", "blue")} == {"on_site"}
            assert {each["team"] for each in told.all("team.waited", day=3)} == {RED, BLUE}


@pytest.mark.rule("BAT-18")
def test_what_is_said_of_two_factions_counts_before_what_is_said_of_all() -> None:
    told = at_front(
        2, faction("blue"), faction("red", [(2, "patrol")]), faction("green", [(2, "patrol")]),
        more=relation("blue", "red", "peace") + relation("red", "green", "peace"),
    )  # fmt: skip
    fights = [(each["attacker"], each["defender"]) for each in told.all("battle.started")]
    assert fights == [(GREEN, BLUE)]
    assert team_of(told, "red").status == "on_site"


@pytest.mark.rule("BAT-18")
def test_teams_of_one_faction_never_fight_each_other() -> None:
    told = at_front(
        3, faction("blue", side="all"), faction("red", [(2, "strike")], side="all"),
        faction("green", [(9, "patrol")]),
    )  # fmt: skip
    assert not told.all("sector.contested")
    assert [each["faction"] for each in told.all("sector.claimed")] == ["all"]


HIDDEN, OPEN = crew(stealth=16), crew(awareness=16)


def avoided(arriving: list[str], there: list[str], *sets: str, seed: int = 1) -> Told:
    return at_front(
        3, faction("blue", people=there), faction("red", [(2, "patrol")], people=arriving),
        sets=["rules.battle.relation='avoid'", *sets], seed=seed,
    )  # fmt: skip


@pytest.mark.rule("BAT-18", "MOVE-3")
@pytest.mark.reading("rules.battle.relation=avoid")
def test_who_avoids_another_slips_away_unseen_and_is_home_the_next_day() -> None:
    told = avoided(HIDDEN, WEAK, "rules.battle.meeting_at=1")
    away = told.one("team.slipped_away")
    assert (away["team"], away["sector"], away["unseen_by"]) == (RED, FRONT, BLUE)
    back = told.one("team.turned_back", team=RED)
    assert (back["t"], back["reason"], back["cause"]) == (away["t"], "slipped_away", away["seq"])
    assert not told.all("sector.contested")
    assert told.one("team.returned", team=RED)["day"] == 3
    assert told_control(told) == [(2, "blue", None)]


@pytest.mark.rule("BAT-18")
def test_a_tie_is_seen_and_so_is_who_rolls_less() -> None:
    both = crew(stealth=16, awareness=16)
    for arriving, there in ((both, both), (WEAK, OPEN), (WEAK, WEAK)):
        told = avoided(arriving, there, "rules.battle.meeting_at=1")
        assert not told.all("team.slipped_away")
        assert told.one("sector.contested")["team"] == RED


@pytest.mark.rule("BAT-18", "DICE-5")
@pytest.mark.parametrize("tries", [100, pytest.param(800, marks=pytest.mark.long)])
def test_slipping_away_is_as_likely_as_two_pools_say(tries: int) -> None:
    # Four dice against a d4, at 4: P(more successes) from the two laws, by hand.
    law4 = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
    d4 = [3 / 4, 1 / 4]
    more = sum(p * q for i, p in enumerate(law4) for j, q in enumerate(d4) if i > j)
    gone = sum(
        bool(avoided(HIDDEN, WEAK, seed=seed).all("team.slipped_away")) for seed in range(tries)
    )
    assert abs(gone / tries - more) < 4 * (more * (1 - more) / tries) ** 0.5


def scouts(day: int) -> str:
    people = crew(("leader", "member"), shooting=6)
    return faction("red", [(day, "patrol")], people=people, profile="scouting")


@pytest.mark.rule("BAT-4")
def test_scouts_lie_in_ambush_where_nobody_was_in_control_as_they_were_sent() -> None:
    # Sent on the same day, blue is there first or second by the day's order; either may attack.
    ambushes = 0
    for seed in range(8):
        told = at_front(
            1, faction("blue", people=crew(stealth=30)), scouts(1), seed=seed,
        )  # fmt: skip
        begun = told.one("battle.started")
        assert begun["ambush"] == (begun["attacker"] == RED)
        first = told.all("battle.round_fought")[0]
        if begun["ambush"]:
            ambushes += 1
            assert (first["attacker_initiative"], first["attacker_first"]) == (32, True)
        else:
            assert first["defender_initiative"] == 2, "scouts always have two"
    assert 0 < ambushes < 8


@pytest.mark.rule("BAT-4")
def test_who_was_in_control_as_the_mission_was_assigned_decides_and_not_on_arrival() -> None:
    long_way = ["planet.sector_distance='20'"]
    slow = crew(("leader", "member"), shooting=6, speed=4)
    told = at_front(
        40, faction("blue", people=crew(stealth=6)),
        faction("red", [(2, "patrol")], people=slow, profile="scouting"),
        sets=[*long_way, "rules.survival.rations_days=40", "rules.survival.drain=0",
              "missions.patrol.day_limit=40"],
    )  # fmt: skip
    claimed, begun = told.all("sector.claimed")[0], told.all("battle.started")[0]
    assert told.one("team.departed", team=RED)["seq"] < claimed["seq"] < begun["seq"]
    assert (claimed["faction"], begun["attacker"], begun["ambush"]) == ("blue", RED, True)


@pytest.mark.rule("BAT-4")
def test_there_is_no_ambush_in_a_sector_that_was_controlled_nor_by_others_than_scouts() -> None:
    known = at_front(3, faction("blue"), scouts(3))
    assert not known.one("battle.started")["ambush"]
    first = known.all("battle.round_fought")[0]
    assert first["attacker_initiative"] == 2, "two and no thirty"
    for seed in range(6):
        plain = at_front(
            1, faction("blue"), faction("red", [(1, "patrol")], people=STRONG), seed=seed
        )
        assert not plain.one("battle.started")["ambush"]


@pytest.mark.rule("BAT-4", "ACT-4")
def test_a_team_that_ambushes_maps_the_sector() -> None:
    mapped: dict[bool, set[bool]] = {True: set(), False: set()}
    for seed in range(8):
        told = at_front(1, faction("blue", people=crew(stealth=30)), scouts(1), seed=seed)
        colony = next(each for each in told.sim.world.colonies if each.id == "red")
        mapped[told.one("battle.started")["ambush"]].add(FRONT in colony.mapped)
    assert mapped == {True: {True}, False: {False}}


def struck_on(day: int, *blue_orders: tuple[int, str], sets: tuple[str, ...] = ()) -> Told:
    """Blue stands at the front from day 1 on; red strikes on a later day."""
    return at_front(
        day, faction("blue", blue_orders or [(1, "patrol")], vehicles=9),
        faction("red", [(day, "strike")], people=STRONG), sets=["rules.survival.drain=0", *sets],
    )  # fmt: skip


@pytest.mark.rule("BAT-6", "DAY-2")
def test_a_strike_team_leads_an_assault_on_who_sat_there_at_the_end_of_last_week() -> None:
    for day, assault in ((6, False), (7, False), (8, True), (9, True), (14, True)):
        told = struck_on(day)
        assert told.one("battle.started")["assault"] == assault, f"day {day}"


@pytest.mark.rule("BAT-6")
def test_an_assault_brings_one_more_instance_of_orders_and_of_shooting() -> None:
    for day, hits in ((6, 4), (8, 6)):
        told = struck_on(day)
        assert told.all("battle.round_fought")[0]["attacker_hits"] == hits
    with_strike = struck_on(8, sets=("rules.battle.strike=5",))
    assert with_strike.all("battle.round_fought")[0]["attacker_hits"] == 11


@pytest.mark.rule("DAY-2", "BAT-6")
def test_the_length_of_a_week_is_the_scenarios() -> None:
    told = struck_on(5, sets=("rules.day.week_days=3",))
    assert told.one("battle.started")["assault"]


@pytest.mark.rule("BAT-6")
def test_a_patrol_leads_no_assault() -> None:
    told = at_front(
        9, faction("blue", vehicles=9), faction("red", [(9, "patrol")], people=STRONG),
        sets=["rules.survival.drain=0"],
    )  # fmt: skip
    assert not told.one("battle.started")["assault"]


@pytest.mark.rule("BAT-6")
def test_there_is_no_assault_on_a_team_that_came_this_week_though_its_faction_held() -> None:
    told = at_front(
        10, faction("blue", [(1, "hold"), (9, "patrol")], vehicles=9),
        faction("red", [(10, "strike")], people=STRONG), more=HOLD.format(days=2),
        sets=["rules.survival.drain=0", *ALWAYS_READY],
    )  # fmt: skip
    assert [each["day"] for each in told.all("team.arrived", team=BLUE)] == [1, 9]
    assert [each["day"] for each in told.all("sector.claimed")] == [2, 10]
    assert not told.one("battle.started")["assault"]


HOLD = '\n[missions.hold]\nkind = "patrol"\nday_limit = {days}\n'


@pytest.mark.rule("BAT-6")
def test_a_team_that_left_and_came_again_within_the_week_does_not_sit_there() -> None:
    # Blue sits there at the end of week 1, is home on day 9 and back on day 10.
    again = at_front(
        10, faction("blue", [(1, "hold"), (10, "patrol")], vehicles=9),
        faction("red", [(11, "strike")], people=STRONG),
        more=HOLD.format(days=7),
        sets=["rules.survival.drain=0", *ALWAYS_READY],
    )  # fmt: skip
    assert [each["day"] for each in again.all("team.arrived", team=BLUE)] == [1, 10]
    assert [each["day"] for each in again.all("team.turned_back", team=BLUE)] == [8]
    again.days(1)
    assert not again.one("battle.started")["assault"]


@pytest.mark.rule("BAT-6", "SURV-5")
def test_a_team_that_was_lost_and_came_again_within_the_week_does_not_sit_there() -> None:
    # As if blue had been lost on day 8 and found the same day.
    told = at_front(7, faction("blue", [(1, "patrol"), (9, "patrol")], vehicles=9),
                    faction("red", [(11, "strike")], people=STRONG),
                    sets=["rules.survival.drain=0", *ALWAYS_READY])  # fmt: skip
    blue = team_of(told, "blue")
    blue.away.doomed = True
    told.days(4)
    assert told.one("team.lost", team=BLUE)["day"] == 8
    assert [each["day"] for each in told.all("team.arrived", team=BLUE)] == [1, 10]
    assert not told.one("battle.started")["assault"]


@pytest.mark.rule("BAT-17")
def test_a_sector_is_taken_at_the_end_of_a_day_in_it_and_kept_until_another_takes_it() -> None:
    told = at_front(
        12, faction("blue"), faction("red", [(9, "patrol")]),
        sets=["missions.patrol.day_limit=2"],
    )  # fmt: skip
    assert told_control(told) == [(2, "blue", None), (10, "red", "blue")]
    held = told.sim.world.contests.control[FRONT]
    assert (held.faction, held.since) == ("red", 9)


@pytest.mark.rule("BAT-17")
def test_who_wins_takes_the_sector_on_the_spot_and_who_holds_it_keeps_it() -> None:
    won = at_front(3, faction("blue"), faction("red", [(3, "strike")], people=STRONG))
    taken = won.all("sector.claimed")[1]
    assert (taken["faction"], taken["taken_from"]) == ("red", "blue")
    assert taken["t"] == won.one("battle.ended")["t"]
    held = at_front(3, faction("blue", people=STRONG), faction("red", [(3, "strike")]))
    assert held.one("battle.ended")["winner"] == BLUE
    assert told_control(held) == [(2, "blue", None)]


@pytest.mark.rule("BAT-17", "BAT-18")
def test_a_guest_at_peace_does_not_take_the_sector_from_who_sits_in_it() -> None:
    told = at_front(
        5, faction("blue"), faction("red", [(2, "patrol")]), faction("green", [(9, "patrol")]),
        more=relation("blue", "red", "peace"),
    )  # fmt: skip
    assert told_control(told) == [(2, "blue", None)]


@pytest.mark.rule("ACT-2", "BAT-17")
def test_a_strike_ends_when_the_sector_is_taken() -> None:
    told = at_front(
        5, faction("red", [(1, "strike")], people=STRONG), faction("blue", [(9, "patrol")])
    )
    turned = told.one("team.turned_back", team=RED)
    assert (turned["day"], turned["reason"]) == (2, "target_reached")
    fought = at_front(5, faction("blue"), faction("red", [(2, "strike")], people=STRONG))
    turned = fought.one("team.turned_back", team=RED)
    assert (turned["day"], turned["reason"]) == (3, "target_reached")


@pytest.mark.rule("BAT-17", "SURV-2")
def test_on_patrol_in_a_sector_of_its_own_a_team_keeps_its_situation() -> None:
    shared = at_front(
        5, faction("blue"), faction("red", [(2, "patrol")]), faction("green", [(9, "patrol")]),
        more=relation("blue", "red", "peace"),
    )  # fmt: skip
    endured = {
        name: [each["situation"] for each in shared.all("team.endured", team=name)]
        for name in (RED, BLUE)
    }
    assert endured == {BLUE: [100] * 4, RED: [97, 94, 91]}
    own = at_front(4, faction("blue", [(1, "gather")], people=crew(awareness=16)),
                   faction("red", [(9, "patrol")]))  # fmt: skip
    assert own.sim.world.contests.control[FRONT].faction == "blue"
    assert [each["situation"] for each in own.all("team.endured", team=BLUE)] == [97, 94, 91]
