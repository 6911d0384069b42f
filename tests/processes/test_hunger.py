"""What a team away eats: rations, cargo, what a Supply Run finds, and then nothing."""

from __future__ import annotations

import pytest
from stories import HOME, Told, scenario, team, tell

FAR = "planet.sector_distance='900'"
STAY = ("missions.camp.day_limit=90", "rules.activities.retreat_floor=0",
        "rules.activities.retreat_margin=-100")  # fmt: skip
"""In camp until something happens: no turning back."""
CAMP = HOME + team(mission="camp")
DEAF = HOME + team(mission="camp", awareness=0, planetary=0)
"""Skill 0 is one d4, and finds little."""
UNFED = "colonies[0].stores.berry=0"
NO_FOOD = (UNFED, "ingredients[0].reserve=0")
HURTLESS = ("rules.survival.vanishes_to=0", "rules.survival.hurt_to=0")


@pytest.mark.rule("SURV-3", "TEAM-8")
def test_rations_are_eaten_before_the_cargo_and_cargo_before_a_supply_run() -> None:
    told = tell(6, "missions.gather.day_limit=90", "rules.survival.rations_days=1",
                "missions.gather.on_site=['gather', 'research']",
                "colonies[0].stores.berry=1000")  # fmt: skip
    assert told.one("team.departed")["rations"] == {"berry": 3}
    meals = told.all("team.endured")
    assert [each["ate_rations"] for each in meals] == [{"berry": 3}, {}, {}, {}, {}]
    assert [each["hungry_days"] for each in meals] == [0] * 5
    for before, meal in zip(told.all("team.gathered"), meals[1:], strict=False):
        assert sum(meal["ate_cargo"].values()) == min(3, sum(before["taken"].values()))
        assert sum(meal["ate_cargo"].values()) + sum(meal["foraged"].values()) == 3


@pytest.mark.rule("SURV-3", "RES-3")
def test_a_supply_run_finds_a_unit_a_success_until_the_need_is_met_where_the_team_is() -> None:
    # Five fit people, two of whom run: one success each, of three that five mouths still need.
    crew = team(mission="camp", roles=["leader"] + ["member"] * 4, planetary=20)
    told = tell(3, *STAY, UNFED, "planet.rough_sectors=0", colonies=HOME + crew, level="debug")
    first, second = told.all("team.endured")
    for meal in (first, second):
        rolls = told.all("dice.rolled", of=meal["seq"], rule="SURV-3", how="test")
        assert [each["pool"] for each in rolls] == ["1d6", "1d6"]
        assert meal["foraged"] == {"berry": 2}
    assert (first["hungry_days"], second["hungry_days"]) == (1, 2)
    ground = told.sim.world.reserves
    short = [a - b for a, b in zip([x[0] for x in ground.initial], [x[0] for x in ground.left],
                                   strict=True)]  # fmt: skip
    assert short == [0, 0, 4], "on site the sector's reserve feeds the team"


@pytest.mark.rule("SURV-3")
def test_a_supply_run_stops_when_the_need_is_met_and_the_best_foragers_go() -> None:
    told = tell(2, *STAY, UNFED, colonies=CAMP, level="debug")
    assert told.one("team.endured")["foraged"] == {"berry": 3}, "four successes feed three mouths"
    crew = team(mission="camp", planetary=20).replace("planetary = 20", "planetary = 60", 1)
    told = tell(2, *STAY, UNFED, colonies=HOME + crew, level="debug")
    [roll] = told.all("dice.rolled", rule="SURV-3", how="test")
    assert roll["pool"] == "3d6"


@pytest.mark.rule("RES-3", "SURV-3")
def test_on_the_way_a_supply_run_draws_on_the_region_where_the_day_began() -> None:
    told = tell(2, UNFED, FAR, *STAY, colonies=CAMP)
    ground = told.sim.world.reserves
    assert ground.initial[0][0] - ground.left[0][0] == 3
    assert ground.left[1:] == ground.initial[1:]
    told = tell(3, UNFED, "missions.camp.day_limit=1", colonies=CAMP)
    home = told.all("team.endured")[-1]
    assert (home["day"], home["place"]) == (3, "r1/s2")
    assert ground.initial[0][0] - told.sim.world.reserves.left[0][0] == 3, "homeward is on the way"


@pytest.mark.rule("SURV-3")
def test_a_supply_run_takes_the_extra_die_of_a_person_and_no_profile_dice() -> None:
    crew = team(mission="camp", profile="scouting", planetary=120)
    told = tell(2, *STAY, UNFED, colonies=HOME + crew, level="debug")
    assert told.one("dice.rolled", rule="SURV-3", how="test")["pool"] == "4d6+d8"
    assert told.one("dice.rolled", rule="SURV-2")["pool"] == "4d6"


@pytest.mark.rule("SURV-3", "CHAR-5", "TEAM-1")
def test_hunger_is_borne_three_days_then_costs_ten_health_a_day() -> None:
    told = tell(14, *STAY, *NO_FOOD, "rules.survival.drain=0", *HURTLESS, colonies=DEAF)
    days = sorted({each["day"] for each in told.all("member.hurt", harm="hunger")})
    assert days[0] == 5, "days 2, 3 and 4 are the days of grace"
    assert [each["health"] for each in told.all("member.hurt", member="a")][:8] == [
        70, 60, 50, 40, 30, 20, 10, 0,
    ]  # fmt: skip
    assert [each["day"] for each in told.all("member.collapsed")] == [12, 12, 12]
    assert (told.one("team.lost")["day"], told.one("team.lost")["reason"]) == (12, "unconscious")
    hungry = [each["hungry_days"] for each in told.all("team.endured") if each["day"] <= 12]
    assert hungry == list(range(1, 12))


@pytest.mark.rule("SURV-3")
@pytest.mark.parametrize("goods", ["rations", "cargo"])
def test_a_full_meal_ends_the_count_of_hungry_days(goods: str) -> None:
    told = Told(scenario(*STAY, *NO_FOOD, "rules.survival.drain=0", colonies=DEAF)).days(4)
    getattr(told.team, goods)[0] = 3
    told.team.load += 3
    told.sim.world.ledger.initial[0] += 3
    told.days(3)
    assert [each["hungry_days"] for each in told.all("team.endured")] == [1, 2, 3, 0, 1, 2]
    assert not told.all("member.hurt")


@pytest.mark.rule("SURV-3")
def test_rations_are_cut_to_what_the_team_can_carry_and_the_store_holds() -> None:
    assert tell(1, "colonies[0].stores.berry=5").one("team.departed")["rations"] == {"berry": 5}
    weak = HOME + team(vehicles=0, physical=-3)
    assert tell(1, colonies=weak).one("team.departed")["rations"] == {"berry": 9}
