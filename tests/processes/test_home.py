"""At the colony: rest, recovery, food, recruits, worn teams, and what the colony learns."""

from __future__ import annotations

import pytest
from stories import HOME, ORE, Told, scenario, team, tell

SHORT = "missions.gather.day_limit=1"


def hurt_at_home(told: Told, member: int, health: int) -> None:
    """Leave a member with so much Health."""
    from worldsim.processes.harm import hurt  # noqa: PLC0415

    person = told.team.members[member]
    hurt(told.sim.context, told.team, person, person.health - health, "event", 0)


@pytest.mark.rule("FAT-4", "FAT-5", "FAT-6", "FAT-7", "DAY-1")
def test_a_day_of_rest_gives_back_to_everything_that_was_drained() -> None:
    # Six days away: Speed 2, Gathering 4, Detection 4 of 8; Stamina 60, Efficiency 30 of 100.
    told = tell(13, "missions.gather.day_limit=4")
    assert told.one("team.returned", day=6)
    rests = told.all("team.rested")
    assert [(each["day"], each["stamina_least"], each["efficiency"]) for each in rests] == [
        (7, 65, 90), (8, 90, 100), (9, 100, 100), (10, 100, 100),
    ]  # fmt: skip
    assert [each["resilience_short"] for each in rests] == [7, 4, 2, 0]
    assert told.all("team.departed")[1]["day"] == 11


@pytest.mark.rule("FAT-4")
def test_the_first_full_day_at_home_restores_speed_though_it_was_tested_the_day_before() -> None:
    told = tell(4, SHORT)
    assert told.one("team.returned")["day"] == 3
    # Away since day 1: Speed drained twice, Gathering and Detection once; all three recover.
    assert told.one("team.rested")["resilience_short"] == 4 - 3


@pytest.mark.rule("FAT-4")
def test_resilience_above_its_base_stays_and_rest_adds_none() -> None:
    told = Told(scenario(SHORT)).days(3)
    told.team.resilience[8] = told.team.base[8] + 3
    told.days(2)
    assert told.team.resilience[8] == told.team.base[8] + 3


@pytest.mark.rule("FAT-7")
@pytest.mark.parametrize(
    ("damage", "rests"),
    [
        (lambda _: None, 0),
        (lambda t: t.resilience.__setitem__(2, t.base[2] - 2), 2),
        (lambda t: setattr(t, "efficiency", 79), 1),
        (lambda t: setattr(t, "efficiency", 80), 0),
        (lambda t: setattr(t.members[2], "stamina", 59), 1),
        (lambda t: setattr(t.members[2], "stamina", 60), 0),
        (lambda t: setattr(t.members[2], "health", -15), 2),
        (lambda t: setattr(t.members[2], "health", 1), 0),
    ],
)
def test_a_team_leaves_when_every_threshold_of_the_rest_policy_is_met(
    damage: object, rests: int
) -> None:
    told = Told(scenario())
    assert callable(damage)
    damage(told.team)
    told.days(4)
    assert len(told.all("team.rested")) == rests
    assert told.all("team.departed")[0]["day"] == rests + 1


@pytest.mark.rule("CHAR-5")
def test_at_home_health_comes_back_by_ten_a_day_up_to_the_maximum() -> None:
    told = Told(scenario())
    hurt_at_home(told, 1, -25)
    told.team.members[2].health = 75
    told.days(3)
    assert [each.health for each in told.team.members] == [80, 5, 80]
    assert told.one("member.recovered")["health"] == 5
    assert told.team.values[0] == 80
    told.days(1)
    assert told.one("team.departed")["day"] == 4


@pytest.mark.rule("DAY-1")
@pytest.mark.reading("colonies.at_home=contribute")
def test_a_colony_may_have_its_teams_contribute_half_their_mean_skill_instead() -> None:
    colonies = HOME.replace('targets = ["r1/s2"]', 'targets = ["r1/s2"]\nat_home = "contribute"\n'
                            'policy = "scripted"') + team()  # fmt: skip
    told = Told(scenario(colonies=colonies))
    for each in told.team.members:
        each.stamina = 70
    told.team.efficiency = 85
    told.days(3)
    assert [each["points"] for each in told.all("team.contributed")] == [40, 40, 40]
    assert told.colony.contribution == 120
    assert [each.stamina for each in told.team.members] == [70] * 3
    assert told.team.efficiency == 85
    assert not told.all("team.rested")


@pytest.mark.rule("CHAR-5", "DAY-1")
def test_wounds_heal_at_the_colony_while_its_team_contributes_too() -> None:
    colonies = HOME.replace('targets = ["r1/s2"]', 'targets = ["r1/s2"]\nat_home = "contribute"\n'
                            'policy = "scripted"') + team()  # fmt: skip
    told = Told(scenario(colonies=colonies))
    told.team.members[1].health = 40
    told.days(2)
    assert len(told.all("team.contributed")) == 2
    assert told.team.members[1].health == 60


@pytest.mark.rule("SURV-4")
@pytest.mark.reading("rules.survival.upkeep=true")
def test_a_colony_eats_nothing_unless_upkeep_asks_for_it() -> None:
    idle = HOME.replace("targets =", 'policy = "scripted"\ntargets =') + team()
    told = tell(3, colonies=idle)
    assert told.colony.store == [1000]
    told = tell(3, "rules.survival.upkeep=true", colonies=idle)
    assert told.colony.store == [991]
    assert [each["eaten"] for each in told.all("colony.fed")] == [{"berry": 3}] * 3
    assert told.sim.world.ledger.eaten == [9]


@pytest.mark.rule("SURV-4")
def test_only_the_people_at_home_eat_there() -> None:
    told = tell(4, "rules.survival.upkeep=true", "missions.gather.day_limit=9")
    assert [each["day"] for each in told.all("colony.fed")] == [1]


@pytest.mark.rule("SURV-4", "FAT-4", "FAT-5", "CHAR-5")
def test_an_empty_store_stops_recovery() -> None:
    told = Told(scenario("rules.survival.upkeep=true", "colonies[0].stores.berry=4"))
    for each in told.team.members:
        each.stamina = 10
        each.health = 50
    told.team.resilience[2] = 0
    told.team.efficiency = 10
    told.days(3)
    assert [each["day"] for each in told.all("colony.fed")] == [1]
    starved = told.all("colony.starved")
    assert [(each["day"], each["eaten"]) for each in starved] == [(2, {"berry": 1}), (3, {})]
    assert [each.stamina for each in told.team.members] == [35] * 3
    assert [each.health for each in told.team.members] == [60] * 3
    assert told.team.resilience[2] == 1


@pytest.mark.rule("FAT-8")
@pytest.mark.reading("colonies.worn_teams=reform")
def test_a_worn_team_is_dissolved_and_stands_again_after_three_days_with_its_people() -> None:
    colonies = HOME.replace("targets =", 'worn_teams = "reform"\ntargets =') + team()
    told = tell(8, SHORT, colonies=colonies)
    assert told.lines("experience_lost", "experience", "members", "efficiency", without=(
        "weather.changed", "team.endured", "team.moved", "team.arrived", "team.gathered",
        "team.turned_back")) == [
        "1 team.departed", "2 sector.claimed", "3 team.returned experience=1",
        "4 team.disbanded experience_lost=1",
        "7 team.reformed members=['a', 'b', 'c']", "7 team.departed",
    ]  # fmt: skip
    assert told.team.base == [8] * 9
    assert told.team.experience == 0
    # Stamina and Health stay with the people, who go on recovering.
    assert [each.stamina for each in told.team.members] == [100 - 20] * 3


@pytest.mark.rule("FAT-8")
@pytest.mark.reading("rules.fatigue.max_away=1")
def test_a_colony_may_keep_teams_at_home_while_others_are_away() -> None:
    colonies = HOME + team("ants") + team("bees") + team("wasps")
    told = tell(30, "rules.fatigue.max_away=1", SHORT, colonies=colonies)
    away = 0
    for each in told.all("team.departed", "team.returned"):
        away += 1 if each["event"] == "team.departed" else -1
        assert away in {0, 1}
    left = [each["team"] for each in told.all("team.departed")]
    assert set(left) == {"home/ants", "home/bees", "home/wasps"}
    free = tell(1, SHORT, colonies=colonies)
    assert len(free.all("team.departed")) == 3


@pytest.mark.rule("TEAM-10", "FAT-8")
@pytest.mark.parametrize(
    ("roles", "arrive"),
    [
        (("leader", "member"), ["member"]),
        (("leader",), ["member", "member"]),
        (("member", "guard", "scout"), ["leader"]),
        (("member",), ["leader", "member"]),
    ],
)
def test_a_team_short_of_a_leader_or_of_three_waits_fourteen_days_for_recruits(
    roles: tuple[str, ...], arrive: list[str]
) -> None:
    told = tell(15, colonies=HOME + team(roles=roles))
    recruits = told.all("member.recruited")
    assert [(each["day"], each["role"]) for each in recruits] == [(15, role) for role in arrive]
    assert [each["day"] for each in told.all("team.departed")] == [15]
    assert len(told.all("team.rested")) == 14
    assert len(told.team.members) == len(roles) + len(arrive) == told.team.mouths


@pytest.mark.rule("TEAM-10")
def test_recruits_come_as_late_as_the_rules_say_and_only_once() -> None:
    told = tell(9, "rules.fatigue.recruit_days=2", colonies=HOME + team(roles=("leader",)))
    assert [each["day"] for each in told.all("member.recruited")] == [3, 3]


@pytest.mark.rule("ACT-4")
def test_six_successes_map_a_sector_and_end_its_exploration() -> None:
    explorers = HOME + team(mission="explore", profile="gathering", awareness=60)
    told = tell(4, colonies=explorers)
    days = told.all("team.explored")
    assert [(each["day"], each["successes"], each["total"]) for each in days] == [
        (2, 3, 3), (3, 3, 6),
    ]  # fmt: skip
    assert told.one("sector.mapped")["sector"] == "r1/s2"
    assert told.one("team.turned_back", reason="target_reached")["day"] == 3
    assert told.colony.mapped == ["r1/s2"]


@pytest.mark.rule("ACT-4")
def test_successes_of_exploring_add_up_over_trips() -> None:
    explorers = HOME + team(mission="explore", profile="gathering", awareness=20)
    told = tell(30, "rules.fatigue.fatigued_difficulty=0", colonies=explorers)
    assert [each["total"] for each in told.all("team.explored")][:6] == [1, 2, 3, 4, 5, 6]
    assert len(told.all("team.departed")) > 1
    assert len(told.all("sector.mapped")) == 1


@pytest.mark.rule("ACT-4")
def test_the_richest_known_sector_is_chosen_among_the_mapped_ones_only() -> None:
    colonies = HOME.replace('targets = ["r1/s2"]', 'policy = "richest_known"') + team()
    told = Told(scenario("planet.sectors_per_region=4", 'rules.reserves.spread="given"',
                         SHORT, colonies=colonies))  # fmt: skip
    stock = told.sim.world.reserves.left
    names = [place.id for place in told.sim.world.places]
    assert names == ["r1", "r1/s1", "r1/s2", "r1/s3", "r1/s4"]
    told.sim.world.ledger.initial[0] += 7_000_000
    stock[3][0] += 2_000_000
    stock[4][0] += 5_000_000
    told.colony.mapped += ["r1/s2", "r1/s3"]
    told.days(1)
    assert told.one("team.departed")["target"] == "r1/s3", "s4 has most, but nobody knows"


@pytest.mark.rule("ACT-4")
@pytest.mark.reading("missions.eases_sector=true")
def test_construction_adds_to_the_colony_or_eases_the_sector_for_good() -> None:
    builders = HOME + team(mission="construct", profile="gathering", engineering=80)
    rough = "planet.landscapes.meadow.difficulty=5"
    told = tell(4, rough, colonies=builders)
    assert told.colony.construction == 4 * 3
    assert not told.all("sector.eased")
    told = tell(5, rough, "missions.construct.eases_sector=true", colonies=builders)
    assert told.colony.construction == 0
    # Four successes a day: 4, 8 = 6 + 2, 2 + 4 = 6.
    assert [(each["day"], each["difficulty"]) for each in told.all("sector.eased")] == [
        (3, 4), (4, 3),
    ]  # fmt: skip
    assert [each["difficulty"] for each in told.all("team.endured")] == [5, 5, 4, 5]


@pytest.mark.rule("DAY-2")
def test_a_colony_remembers_where_teams_sat_at_the_end_of_last_week() -> None:
    colonies = HOME + team(mission="patrol")
    stay = ("missions.patrol.day_limit=9", "rules.activities.retreat_margin=-100")
    told = Told(scenario(*stay, colonies=colonies)).days(7)
    contests = told.sim.world.contests
    assert contests.last_week == {}
    told.days(1)
    assert contests.last_week == {"home/ants": "r1/s2"}, "seen at the first dawn of the next week"
    while told.team.status == "on_site":
        told.days(1)
    assert contests.last_week == {}, "who has left does not sit there any more"


@pytest.mark.rule("RES-5", "RES-6")
def test_what_grows_back_is_announced_and_enters_the_books() -> None:
    few = '\n[[ingredients]]\nid = "berry"\nkind = "fruit"\nreserve = 40\nregrowth = 0.5\n'
    told = tell(9, goods=few, more="")
    grown = told.all("reserve.regrown")
    assert grown
    assert {each["place"] for each in grown} == {"r1/s2"}
    assert sum(each["grown"]["berry"] for each in grown) == told.sim.world.ledger.regrown[0]
    assert told.sim.world.reserves.left[2][0] <= 10


@pytest.mark.rule("RES-3", "GATH-3")
def test_the_last_unit_of_a_place_is_announced() -> None:
    few = '\n[[ingredients]]\nid = "ore"\nkind = "metal"\nreserve = 8\n'
    berry = '\n[[ingredients]]\nid = "berry"\nkind = "fruit"\n'
    told = tell(60, goods=few + berry)
    depleted = told.one("reserve.depleted")
    assert (depleted["place"], depleted["ingredient"]) == ("r1/s2", "ore")
    assert sum(each["taken"].get("ore", 0) for each in told.all("team.gathered")) == 2
    assert told.sim.world.reserves.left[2] == [0, 0]


def test_explorers_do_not_make_the_colony_think_that_a_sector_is_spent() -> None:
    colonies = HOME.replace('targets = ["r1/s2"]', 'targets = ["r1/s2", "r1/s3"]') + team(
        mission="explore", profile="scouting"
    )
    told = tell(12, "planet.sectors_per_region=3", "rules.activities.explore_successes=900",
                colonies=colonies)  # fmt: skip
    assert {each["target"] for each in told.all("team.departed")} == {"r1/s2"}


def test_goods_that_nobody_eats_are_not_packed_as_rations() -> None:
    berry = '\n[[ingredients]]\nid = "berry"\nkind = "fruit"\n'
    told = tell(1, "colonies[0].stores.ore=99", "colonies[0].stores.berry=2", goods=ORE + berry)
    assert told.one("team.departed")["rations"] == {"berry": 2}
