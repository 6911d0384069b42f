"""Teams as state: what follows from their people, their profile and their fatigue."""

from __future__ import annotations

from typing import Any

import pytest

from worldsim.rules.teams import (
    ATTRIBUTES,
    DEFENSE,
    DETECTION,
    GATHERING,
    SPEED,
    SURVIVAL,
    USES,
)
from worldsim.scenario.options import Rules
from worldsim.world.people import Character
from worldsim.world.rulebook import Rulebook
from worldsim.world.teams import (
    Team,
    attribute_values,
    bonus_pool,
    character_pool,
    drain,
    fatigued,
    fit,
    free_capacity,
    living,
    pools,
    refresh,
    see_who_is_fit,
    settle_base,
    team_pool,
)

RULES = Rulebook(Rules())
FLAT = dict.fromkeys(RULES.characters.skills, 40.0)


def person(role: str = "member", **given: Any) -> Character:
    """Somebody with 40 in every skill, except where it is given."""
    skills = FLAT | given.pop("skills", {})
    return Character(
        name=given.get("name", role),
        role=role,
        physical=given.get("physical", 0),
        skills=skills,
        health=given.get("health", 80),
        stamina=given.get("stamina", 100),
    )


def team(*members: Character, rules: Rulebook = RULES, **given: Any) -> Team:
    made = Team(
        id="c/t", colony="c", profile=given.pop("profile", "gathering"), mission="gather",
        vehicles=given.pop("vehicles", 0), members=list(members), place="r1/s1", cargo=[0],
        rations=[0], **given,
    )  # fmt: skip
    refresh(made, rules)
    settle_base(made, rules)
    return made


def crew(**given: Any) -> Team:
    """A Leader and two members, all alike."""
    return team(person("leader"), person("member", name="a"), person("guard", name="b"), **given)


def rules_with(**tables: Any) -> Rulebook:
    return Rulebook(Rules.model_validate(tables))


# --- values ---------------------------------------------------------------------------------------


@pytest.mark.rule("TEAM-1", "TEAM-4")
def test_each_attribute_is_the_mean_of_its_skills_over_the_members() -> None:
    one = {
        "speed": 30, "manual": 20, "stealth": 50, "awareness": 41, "shooting": 60, "cover": 20,
        "engineering": 70, "science": 10, "planetary": 55,
    }  # fmt: skip
    mine = team(person(skills=one), person(name="x"))
    assert dict(zip(ATTRIBUTES, mine.values, strict=True)) == {
        "speed": 35, "gathering": (25 + 40) / 2, "stealth": 45, "detection": 40.5,
        "communications": 40.5, "defense": 40, "construction": 55, "research": 25,
        "survival": 47.5,
    }  # fmt: skip


@pytest.mark.rule("TEAM-1", "CHAR-5")
def test_only_the_conscious_count_in_values() -> None:
    strong: dict[str, Any] = {"skills": dict.fromkeys(FLAT, 80.0)}
    assert team(person(), person(health=0, **strong)).values[SPEED] == 40
    assert team(person(), person(health=-80, **strong)).values[SPEED] == 40
    assert team(person(), person(health=1, **strong)).values[SPEED] == 60


@pytest.mark.rule("TEAM-1")
def test_a_team_of_nobody_conscious_is_worth_nothing() -> None:
    assert team(person(health=0)).values == [0.0] * len(ATTRIBUTES)


@pytest.mark.rule("TEAM-2")
@pytest.mark.reading("rules.teams.speed_from=min")
def test_by_a_reading_the_slowest_sets_the_speed_and_nothing_else() -> None:
    people = [person(skills={"speed": 20}), person(skills={"speed": 60})]
    mean = team(*people)
    slow = team(*people, rules=rules_with(teams={"speed_from": "min"}))
    assert (mean.values[SPEED], slow.values[SPEED]) == (40, 20)
    assert mean.values[GATHERING] == slow.values[GATHERING]


@pytest.mark.rule("TEAM-3")
@pytest.mark.reading("rules.teams.gatherer_weight=3")
@pytest.mark.reading("rules.teams.gatherer_weight=4")
@pytest.mark.parametrize(("weight", "value"), [(3, (3 * 80 + 40) / 4), (4, (4 * 80 + 40) / 5)])
def test_a_gatherer_counts_three_times_in_gathering_alone(weight: int, value: float) -> None:
    rules = rules_with(teams={"gatherer_weight": weight})
    able = person("gatherer", skills={"manual": 90, "speed": 70})
    mine = team(able, person("leader"), rules=rules)
    assert mine.values[GATHERING] == value
    assert mine.values[SPEED] == 55


@pytest.mark.rule("TEAM-5")
def test_guards_of_an_escort_defend_better_and_others_do_not() -> None:
    people = (person("leader"), person("guard"))
    escort = team(*people, profile="escort")
    assert attribute_values(escort, RULES, 1.3)[DEFENSE] == pytest.approx(40 * 2.3 / 2)
    assert attribute_values(escort, RULES, 1.3)[SPEED] == 40
    assert escort.values[DEFENSE] == 40, "the base of Resilience is fixed before bonuses"


@pytest.mark.rule("TEAM-9")
def test_each_point_of_experience_adds_one_to_every_attribute() -> None:
    green, old = crew(), crew(experience=7)
    assert [b - a for a, b in zip(green.values, old.values, strict=True)] == [7] * len(ATTRIBUTES)


# --- pools ----------------------------------------------------------------------------------------


@pytest.mark.rule("TEAM-5", "DICE-4")
def test_profile_dice_come_on_top_of_the_value() -> None:
    mine = crew(profile="secret")
    now = dict(zip(USES, pools(mine, RULES), strict=True))
    assert now["stealth"] == now["detection_wildlife"] == now["detection_other"] == (5, 0)
    assert now["detection_gathering"] == now["speed"] == now["defense"] == (2, 0)


@pytest.mark.rule("TEAM-5")
@pytest.mark.reading("rules.teams.bonus=dice")
@pytest.mark.reading("rules.teams.bonus=percent")
def test_by_a_reading_a_die_is_a_fifth_of_the_value() -> None:
    percent = rules_with(teams={"bonus": "percent"})
    assert bonus_pool(45, (2, 0), 2, RULES) == (4, 0)
    assert bonus_pool(45, (2, 0), 2, percent) == team_pool(45 * 1.4, RULES) == (3, 0)
    assert bonus_pool(45, (2, 0), 0, percent) == (2, 0)


@pytest.mark.rule("TEAM-6")
@pytest.mark.parametrize(("efficiency", "counts"), [(60, True), (59, False)])
def test_a_profile_is_asked_for_afresh_as_efficiency_falls(
    efficiency: int, counts: bool  # noqa: FBT001
) -> None:  # fmt: skip
    mine = crew(profile="scouting")
    mine.efficiency = efficiency
    assert pools(mine, RULES)[USES.index("speed")] == ((3, 0) if counts else (2, 0))


@pytest.mark.rule("TEAM-6", "CHAR-3")
@pytest.mark.parametrize("harm", [{"stamina": 0}, {"health": 0}])
def test_an_exhausted_or_unconscious_leader_leads_nobody(harm: dict[str, int]) -> None:
    mine = crew(profile="scouting")
    assert pools(mine, RULES) is mine.profiled
    for name, value in harm.items():
        setattr(mine.members[0], name, value)
    see_who_is_fit(mine)
    assert pools(mine, RULES) is mine.plain


@pytest.mark.rule("TEAM-6", "CHAR-3")
def test_a_profile_needs_one_fit_member_beside_the_leader_of_any_class() -> None:
    mine = crew(profile="scouting")
    mine.members[1].stamina = 0
    see_who_is_fit(mine)
    assert pools(mine, RULES) is mine.profiled
    mine.members[2].stamina = 0
    see_who_is_fit(mine)
    assert pools(mine, RULES) is mine.plain
    assert [each.role for each in fit(mine)] == ["leader"]


@pytest.mark.rule("TEAM-6", "TEAM-5")
def test_an_escorts_guards_are_no_better_while_the_profile_does_not_count() -> None:
    people = (person("leader"), person("guard"), person("guard", name="g"))
    escort, other = team(*people, profile="escort"), team(*people, profile="gathering")
    for each in people:
        each.skills |= {"shooting": 55.0, "cover": 55.0}
    for mine in (escort, other):
        refresh(mine, RULES)
        mine.efficiency = 59
    use = USES.index("defense")
    assert pools(other, RULES)[use] == (2, 0)
    assert pools(escort, RULES)[use] == pools(other, RULES)[use]
    escort.efficiency = 60
    assert pools(escort, RULES)[use] == (5, 0)  # 55 x (1 + 1.3 + 1.3) / 3 = 66, and two dice


@pytest.mark.rule("DICE-2", "DICE-3")
@pytest.mark.reading("rules.dice.extra_die_for=characters_and_teams")
def test_an_extra_die_is_for_characters_and_by_a_reading_for_teams() -> None:
    both = rules_with(dice={"extra_die_for": "characters_and_teams"})
    assert (team_pool(120, RULES), team_pool(120, both)) == ((4, 0), (4, 8))
    assert character_pool(120, RULES) == character_pool(120, both) == (4, 8)
    assert team_pool(19.9, RULES) == character_pool(19.9, RULES) == (0, 4)


@pytest.mark.rule("DICE-4")
@pytest.mark.reading("rules.dice.pool_cap=4")
def test_a_cap_on_pools_binds_values_and_bonuses() -> None:
    capped = rules_with(dice={"pool_cap": 3})
    assert team_pool(95, capped) == (3, 0)
    assert bonus_pool(45, (2, 0), 2, capped) == (3, 0)


# --- transport ------------------------------------------------------------------------------------


@pytest.mark.rule("TEAM-7")
def test_the_living_carry_also_in_a_coma_and_the_dead_do_not() -> None:
    mine = team(person(physical=2), person(physical=-4, health=-10), person(health=-80), vehicles=1)
    assert mine.capacity == 23 + 0 + 50
    assert mine.mouths == len(living(mine, RULES.characters.health)) == 2


@pytest.mark.rule("TEAM-7", "GATH-2")
def test_free_capacity_is_what_the_load_leaves_and_never_below_nothing() -> None:
    mine = crew()
    assert free_capacity(mine) == 45
    mine.load = 44
    assert free_capacity(mine) == 1
    mine.load = 60
    assert free_capacity(mine) == 0


# --- Resilience -----------------------------------------------------------------------------------


@pytest.mark.rule("FAT-1")
def test_a_base_is_a_tenth_of_the_value_before_bonuses() -> None:
    mine = crew(profile="gathering")
    assert mine.base == mine.resilience == [4] * len(ATTRIBUTES)


@pytest.mark.rule("FAT-1")
def test_the_base_is_fixed_on_leaving_and_follows_the_value_only_then() -> None:
    mine = crew()
    mine.resilience[SPEED] = 1
    mine.experience = 10
    refresh(mine, RULES)
    assert mine.base[SPEED] == 4
    settle_base(mine, RULES)
    assert (mine.base[SPEED], mine.resilience[SPEED]) == (5, 2)
    assert mine.resilience[GATHERING] == 5


@pytest.mark.rule("FAT-1")
def test_a_base_that_shrinks_takes_its_points_away_but_not_below_nothing() -> None:
    mine = crew()
    mine.resilience = [1] * len(ATTRIBUTES)
    mine.members[0].health = mine.members[1].health = mine.members[2].health = 0
    refresh(mine, RULES)
    settle_base(mine, RULES)
    assert mine.base == mine.resilience == [0] * len(ATTRIBUTES)


@pytest.mark.rule("FAT-2")
def test_only_the_first_test_of_an_attribute_in_a_day_drains() -> None:
    mine = crew()
    assert [drain(mine, GATHERING, RULES) for _ in range(3)] == [False] * 3
    assert mine.resilience[GATHERING] == 3
    assert mine.resilience[DETECTION] == 4
    drain(mine, DETECTION, RULES)
    assert mine.resilience[DETECTION] == 3
    mine.tested = 0  # another day
    drain(mine, GATHERING, RULES)
    assert mine.resilience[GATHERING] == 2


@pytest.mark.rule("FAT-2", "FAT-3")
def test_attributes_without_a_dash_neither_drain_nor_tire() -> None:
    mine = crew()
    mine.resilience[SURVIVAL] = 0
    assert not drain(mine, SURVIVAL, RULES)
    assert mine.resilience[SURVIVAL] == 0
    drain(mine, DEFENSE, RULES)
    assert mine.resilience[DEFENSE] == 4


@pytest.mark.rule("FAT-2")
def test_the_dashes_of_an_attribute_are_the_scenarios() -> None:
    rules = rules_with(fatigue={"drain": {"survival": 3, "speed": 0}})
    mine = crew(rules=rules)
    drain(mine, SURVIVAL, rules)
    drain(mine, SPEED, rules)
    drain(mine, GATHERING, rules)
    spent = (mine.resilience[each] for each in (SURVIVAL, SPEED, GATHERING))
    assert tuple(spent) == (1, 4, 3)


@pytest.mark.rule("FAT-3")
def test_the_test_that_takes_the_last_point_is_not_yet_fatigued_the_next_day_is() -> None:
    mine = crew()
    mine.resilience[SPEED] = 1
    assert not fatigued(mine, SPEED, RULES)
    assert not drain(mine, SPEED, RULES)
    mine.tested = 0
    assert fatigued(mine, SPEED, RULES)
    assert mine.resilience[SPEED] == 0
    assert drain(mine, SPEED, RULES)


def test_a_team_at_home_is_on_no_trip() -> None:
    mine = crew()
    with pytest.raises(LookupError, match="c/t is at_colony"):
        _ = mine.away
    assert (mine.days_away, mine.target) == (0, None)
