"""Situation, hunger, wildlife, wounds, being lost: what the wild does to a team."""

from __future__ import annotations

from typing import TypedDict

import pytest
from stories import BERRY, GROUND, HOME, ORE, Told, scenario, team, tell

from worldsim.world.rulebook import Rulebook

FAR = "planet.sector_distance='900'"
STAY = ("missions.camp.day_limit=90", "rules.activities.retreat_floor=0",
        "rules.activities.retreat_margin=-100")  # fmt: skip
"""In camp until something happens: no turning back."""
CAMP = HOME + team(mission="camp")
DEAF = HOME + team(mission="camp", awareness=0, planetary=0)
"""Skill 0 is one d4: it never reaches 9."""
HARD = ("planet.landscapes.meadow.difficulty=9",)
HARD_SITE = (*STAY, *HARD)
UNFED = "colonies[0].stores.berry=0"
NO_FOOD = (UNFED, "ingredients[0].reserve=0")
HURTLESS = ("rules.survival.vanishes_to=0", "rules.survival.hurt_to=0")
BEAST = '\n[[wildlife]]\nid = "bear"\nstealth = {stealth}\nstrength = {strength}\n'


@pytest.mark.rule("SURV-1", "SURV-2")
@pytest.mark.parametrize(("skill", "successes", "situation"),
                         [(80, 4, 97), (60, 3, 94), (40, 2, 91), (20, 1, 88)])  # fmt: skip
def test_each_success_of_survival_softens_the_drain_by_three(
    skill: int, successes: int, situation: int
) -> None:
    told = tell(2, *STAY, colonies=HOME + team(mission="camp", planetary=skill))
    endured = told.one("team.endured")
    assert (endured["successes"], endured["situation"]) == (successes, situation)
    assert endured["difficulty"] == 1


@pytest.mark.rule("SURV-2")
def test_successes_never_lift_situation() -> None:
    told = tell(2, *STAY, "rules.survival.relief=9", colonies=CAMP)
    assert told.one("team.endured")["situation"] == 100


@pytest.mark.rule("SURV-1")
def test_difficulty_is_that_of_the_sector_there_and_of_the_region_on_the_way() -> None:
    rough = ("planet.rough_sectors=1.0", "missions.camp.day_limit=1")
    told = tell(3, *rough, colonies=CAMP)
    assert [(each["place"], each["difficulty"]) for each in told.all("team.endured")] == [
        ("r1/s2", 2), ("r1/s2", 1),
    ]  # fmt: skip
    told = tell(2, "planet.rough_sectors=1.0", FAR, *STAY, colonies=CAMP)
    assert told.one("team.endured")["difficulty"] == 1


@pytest.mark.rule("SURV-1")
def test_a_team_lost_in_a_rough_sector_meets_the_difficulty_of_that_sector() -> None:
    told = tell(
        3, "planet.rough_sectors=1.0", "planet.landscapes.meadow.difficulty=7", *STAY,
        "rules.survival.drain=100", colonies=DEAF,
    )  # fmt: skip
    assert told.one("team.lost")["day"] == 2
    assert told.one("team.searched")["difficulty"] == 8


@pytest.mark.rule("SURV-1")
@pytest.mark.parametrize(("weather", "expected"), [(3, 4), (9, 9), (-9, 2)])
def test_weather_adds_to_the_difficulty_within_its_range(weather: int, expected: int) -> None:
    told = tell(
        2, f"rules.survival.climates.still.calm.difficulty={weather}", "rules.survival.easiest=2",
        *STAY, colonies=CAMP,
    )  # fmt: skip
    assert told.one("team.endured")["difficulty"] == expected
    assert told.one("weather.changed")["difficulty"] == weather


@pytest.mark.rule("SURV-1")
def test_weather_is_drawn_for_each_day_by_its_weights() -> None:
    told = tell(400, "rules.survival.climates.still.storm={weight = 3, difficulty = 5}", seed=3)
    sky = "calm"
    stormy = 0
    changes = {each["day"]: each["weather"] for each in told.all("weather.changed")}
    for day in range(1, 401):
        sky = changes.get(day, sky)
        stormy += sky == "storm"
    assert abs(stormy - 300) <= 4 * (400 * 0.75 * 0.25) ** 0.5


@pytest.mark.rule("SURV-2")
def test_a_team_is_lost_the_moment_its_situation_is_spent() -> None:
    told = tell(3, *HARD_SITE, "rules.survival.drain=100", *HURTLESS, colonies=DEAF)
    assert told.lines("successes", "situation", "reason", "lost_days") == [
        "1 team.departed", "1 team.moved", "1 team.arrived",
        "2 sector.claimed",
        "2 team.endured successes=0 situation=0", "2 team.lost reason=situation",
        "3 team.searched successes=0 lost_days=1",
    ]  # fmt: skip


@pytest.mark.rule("SURV-2")
def test_a_stranded_team_that_misses_its_test_goes_on_today_and_is_lost_tomorrow() -> None:
    told = tell(3, *HARD_SITE, "rules.survival.drain=81", *HURTLESS, colonies=DEAF)
    assert told.lines("situation", "held", "reason", "lost_days") == [
        "1 team.departed", "1 team.moved", "1 team.arrived",
        "2 sector.claimed",
        "2 team.endured situation=19", "2 team.stranded situation=19 held=False",
        "2 team.waited",
        "3 team.lost reason=stranded", "3 team.searched lost_days=1",
    ]  # fmt: skip


@pytest.mark.rule("SURV-2")
@pytest.mark.parametrize(("drain", "stranded"), [(80, 0), (81, 1)])
def test_below_twenty_a_team_is_stranded_and_a_held_test_changes_nothing(
    drain: int, stranded: int
) -> None:
    # At difficulty 1 the d4 of a Situation below 20 always holds.
    told = tell(2, *STAY, f"rules.survival.drain={drain + 3}", colonies=DEAF)
    assert told.one("team.endured")["situation"] == 100 - drain
    assert [each["held"] for each in told.all("team.stranded")] == [True] * stranded
    assert told.team.status == "on_site"


@pytest.mark.rule("SURV-2", "MOVE-3")
def test_a_doomed_team_that_reaches_home_the_same_day_is_safe() -> None:
    told = tell(4, *HARD, "rules.survival.drain=41", "missions.camp.day_limit=1",
                "rules.activities.retreat_margin=-100", colonies=DEAF)  # fmt: skip
    assert [each["situation"] for each in told.all("team.endured")] == [59, 18]
    assert told.one("team.stranded")["held"] is False
    assert told.one("team.returned")["day"] == 3
    assert not told.all("team.lost")


LOST_TEAM = (*STAY, "rules.survival.drain=100", "rules.survival.rations_days=60",
             "rules.survival.relief=0", *HURTLESS)  # fmt: skip


@pytest.mark.rule("SURV-5", "MOVE-3", "SURV-2")
def test_a_lost_team_that_is_heard_goes_home_over_the_way_it_had_covered() -> None:
    told = tell(4, *LOST_TEAM, colonies=CAMP)
    assert told.lines("reason", "successes", "covered", "situation", "distance") == [
        "1 team.departed distance=4.0", "1 team.moved distance=4.0", "1 team.arrived",
        "2 sector.claimed",
        "2 team.endured successes=4 situation=0", "2 team.lost reason=situation",
        "3 team.searched successes=4", "3 team.found covered=4.0",
        "4 team.endured successes=0 situation=0", "4 team.moved distance=4.0",
        "4 team.returned",
    ]  # fmt: skip
    assert told.team.experience == 0


@pytest.mark.rule("SURV-5", "MOVE-3")
def test_a_team_found_half_way_has_only_the_way_it_had_covered_before_it() -> None:
    told = tell(4, FAR, *LOST_TEAM, colonies=CAMP)
    out = told.one("team.moved", heading="out")
    assert told.one("team.lost")["day"] == 2
    assert told.one("team.found")["covered"] == out["travelled"] < out["distance"]
    assert told.one("team.moved", heading="home")["distance"] == out["travelled"]


@pytest.mark.rule("SURV-5")
def test_a_found_team_is_neither_drained_nor_tested_on_its_way_home() -> None:
    told = tell(
        6, FAR, *LOST_TEAM[:-2], *HURTLESS, "rules.survival.drain=60", "rules.travel.home_dice=0",
        more='\n[[event_tables.terrain]]\nid = "uphill"\nweight = 1\n'
             'effects = [{ effect = "progress", amount = -20 }]\n',
        colonies=HOME + team(mission="camp"),
    )  # fmt: skip
    assert told.one("team.found")["day"] == 4
    later = [each for each in told.all("team.endured") if each["day"] > 4]
    assert {each["situation"] for each in later} <= {0}
    assert not told.all("team.stranded")
    assert len(told.all("team.lost")) == 1


@pytest.mark.rule("SURV-5", "RES-6")
def test_a_team_that_is_never_found_is_gone_after_ten_days_with_all_it_carried() -> None:
    # One d4 finds one unit of each kind at difficulty 1, and is never heard at difficulty 9.
    sets = ("missions.gather.day_limit=90", "rules.activities.retreat_floor=0",
            "rules.activities.retreat_margin=-100", "rules.survival.drain=50", *HURTLESS, *HARD,
            "rules.survival.rations_days=40", "rules.fatigue.fatigued_difficulty=0",
            "rules.teams.profiles.gathering.dice.detection_gathering=0")  # fmt: skip
    crew = HOME + team(awareness=0, planetary=0, vehicles=9)
    told = tell(16, *sets, goods=BERRY + ORE, colonies=crew)
    assert told.one("team.lost")["day"] == 3
    searched = told.all("team.searched")
    assert [each["lost_days"] for each in searched] == list(range(1, 11))
    gone = told.one("team.perished")
    assert (gone["day"], gone["reason"]) == (13, "never_found")
    taken = told.one("team.gathered")["taken"]
    eaten = 3 * (13 - 1)
    assert taken == {"berry": 1, "ore": 1}
    assert gone["lost"] == {"ore": 1, "berry": 120 + 1 - eaten}
    assert told.sim.world.ledger.lost == [gone["lost"]["berry"], gone["lost"]["ore"]]
    assert told.team.status == "gone"
    assert not [each for each in told.events if each["day"] > 13]


@pytest.mark.rule("SURV-5")
def test_each_lost_member_rolls_alone_for_vanishing_and_for_harm() -> None:
    lost = (*HARD_SITE, "rules.survival.drain=100", "rules.survival.appetite=0")
    told = tell(
        3, *lost, "rules.survival.vanishes_to=0", "rules.survival.hurt_to=20", colonies=DEAF
    )
    hurt = told.all("member.hurt", harm="lost")
    assert [(each["member"], each["damage"], each["health"]) for each in hurt] == [
        ("a", 20, 60), ("b", 20, 60), ("c", 20, 60),
    ]  # fmt: skip
    told = tell(
        3, *lost, "rules.survival.vanishes_to=20", "rules.survival.hurt_to=20", colonies=DEAF
    )
    died = told.all("member.died", harm="vanished")
    assert [each["member"] for each in died] == ["a", "b", "c"]
    assert told.one("team.perished")["reason"] == "dead"


@pytest.mark.rule("SURV-5")
def test_one_in_twenty_vanishes_and_four_in_twenty_are_hurt() -> None:
    crew = HOME + team(mission="camp", awareness=0, planetary=0, roles=["leader"] + ["member"] * 19)
    lost = ("rules.survival.drain=100", "rules.survival.appetite=0")
    of = scenario(*HARD_SITE, *lost, colonies=crew)
    vanished = hurt = 0
    for seed in range(40):
        told = Told(of, seed=seed).days(3)
        vanished += len(told.all("member.died", harm="vanished"))
        hurt += len(told.all("member.hurt", harm="lost"))
    for count, share in ((vanished, 0.05), (hurt, 0.2)):
        assert abs(count - 800 * share) <= 4 * (800 * share * (1 - share)) ** 0.5


class Wild(TypedDict):
    """A world in which wildlife comes by."""

    more: str
    ground: str


def wild(stealth: int = 0, strength: int = 1, chance: str = "1.0") -> Wild:
    return {
        "more": BEAST.format(stealth=stealth, strength=strength),
        "ground": GROUND.replace("wildlife = 0", f"wildlife = {chance}"),
    }


@pytest.mark.rule("SURV-6", "CHAR-5")
def test_wildlife_is_noticed_and_defended_against_and_wounds_by_what_is_missing() -> None:
    told = tell(1, colonies=CAMP, level="debug", **wild(strength=6))
    met = told.one("wildlife.met")
    assert (met["animal"], met["noticed"], met["defended"], met["wounds"]) == ("bear", 4, 4, 2)
    assert [each["damage"] for each in told.all("member.hurt", harm="wildlife")] == [10, 10]
    assert {each["cause"] for each in told.all("member.hurt")} == {met["seq"]}
    assert [each["rule"] for each in told.all("dice.rolled", rule="SURV-6", how="test")]
    harmless = tell(1, colonies=CAMP, **wild(strength=4)).one("wildlife.met")
    assert harmless["wounds"] == 0


@pytest.mark.rule("SURV-6")
def test_an_ambushed_team_defends_at_one_more() -> None:
    # Awareness 0 is a d4, Fatigued from the start, which never sees 5 + 2.
    blind = HOME + team(mission="camp", awareness=0)
    told = tell(1, colonies=blind, level="debug", **wild(stealth=880))
    assert told.one("wildlife.met")["noticed"] == 0
    tests = told.all("dice.rolled", rule="SURV-6", how="test")
    assert [each["difficulty"] for each in tests] == [7, 2]
    told = tell(1, colonies=CAMP, level="debug", **wild(stealth=0))
    tests = told.all("dice.rolled", rule="SURV-6", how="test")
    assert [each["difficulty"] for each in tests] == [1, 1]


@pytest.mark.rule("SURV-6", "TEAM-5", "FAT-2")
@pytest.mark.parametrize(
    ("profile", "detection", "defense"),
    [("hunting", "6d6", "6d6"), ("tactical", "6d6", "6d6"), ("scouting", "5d6", "4d6"),
     ("secret", "7d6", "4d6"), ("gathering", "4d6", "4d6"), ("escort", "4d6", "6d6")],
)  # fmt: skip
def test_wildlife_meets_the_detection_and_defense_of_the_profile(
    profile: str, detection: str, defense: str
) -> None:
    colonies = HOME + team(mission="camp", profile=profile)
    told = tell(1, colonies=colonies, level="debug", **wild())
    tests = told.all("dice.rolled", rule="SURV-6", how="test")
    assert [each["pool"] for each in tests] == [detection, defense]
    assert told.team.resilience[3] == 7, "Detection drains"
    assert told.team.resilience[5] == 8, "Defense does not"


@pytest.mark.rule("SURV-6")
def test_wildlife_comes_as_often_as_the_region_says() -> None:
    crowd = HOME + "".join(team(f"t{i}", mission="camp") for i in range(40))
    sets = (FAR, *STAY, "rules.survival.drain=0", "rules.survival.appetite=0")
    told = tell(20, *sets, colonies=crowd, **wild(strength=0, chance="0.25"))
    met = len(told.all("wildlife.met"))
    assert abs(met - 200) <= 4 * (800 * 0.25 * 0.75) ** 0.5


@pytest.mark.rule("CHAR-5", "TEAM-1")
def test_a_member_in_coma_leaves_the_team_values_and_death_comes_at_minus_the_maximum() -> None:
    crew = team(mission="camp").replace("80", "20", 1)
    told = Told(scenario(*STAY, "rules.survival.drain=0", colonies=HOME + crew))
    told.days(1)
    from worldsim.processes.harm import hurt  # noqa: PLC0415

    weak = told.team.members[0]
    assert told.team.values[0] == pytest.approx(60)
    hurt(told.sim.context, told.team, weak, 79, "event", 0)
    assert told.team.values[0] == pytest.approx(60)
    hurt(told.sim.context, told.team, weak, 1, "event", 0)
    assert told.team.values[0] == pytest.approx(80)
    assert (told.team.mouths, len(told.all("member.collapsed"))) == (3, 1)
    hurt(told.sim.context, told.team, weak, 79, "event", 0)
    assert (told.team.mouths, len(told.all("member.died"))) == (3, 0)
    hurt(told.sim.context, told.team, weak, 1, "event", 0)
    assert (told.team.mouths, len(told.all("member.died"))) == (2, 1)


@pytest.mark.rule("TEAM-1", "CHAR-5", "SURV-6")
def test_a_team_of_which_nobody_is_conscious_is_lost_and_of_which_nobody_lives_is_gone() -> None:
    helpless = HOME + team(mission="camp", shooting=0, cover=0)
    deadly = ("rules.characters.wound=80",)
    told = tell(1, *deadly, colonies=helpless, **wild(strength=100))
    assert told.one("team.lost")["reason"] == "unconscious"
    assert len(told.all("member.collapsed")) == 3
    assert not told.all("team.moved"), "nobody is left to move"
    told = tell(1, "rules.characters.wound=160", colonies=helpless, **wild(strength=100))
    assert len(told.all("member.died")) == 3
    assert told.one("team.perished")["reason"] == "dead"
    assert told.team.status == "gone"


@pytest.mark.rule("SURV-5", "TEAM-1", "CHAR-5")
def test_a_found_team_brings_its_unconscious_home_and_there_they_wake() -> None:
    hungry = (*STAY, *HURTLESS, "rules.survival.hunger_damage=80", "rules.survival.grace_days=0")
    told = tell(2, *hungry, *NO_FOOD, colonies=CAMP)
    assert told.one("team.lost", reason="unconscious")["day"] == 2
    told.sim.context.rules = Rulebook(scenario(*STAY, *NO_FOOD, "rules.survival.appetite=0").rules)
    told.days(8)
    assert told.one("team.found")["day"] == 3
    home = told.one("team.returned")["day"]
    assert [(each["day"], each["health"]) for each in told.all("member.recovered", member="a")] == [
        (home + 1, 10),
    ]  # fmt: skip
