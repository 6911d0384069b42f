"""What a team is worth on its way: profile, fatigue, experience, what it can carry."""

from __future__ import annotations

import pytest
from stories import BERRY, HOME, Told, scenario, team, tell

BOAR = '\n[[ingredients]]\nid = "boar"\nkind = "meat"\nreserve = 400_000_000_000\n'


@pytest.mark.rule("TEAM-6")
@pytest.mark.parametrize(("efficiency_day", "pool"), [(40, "6d6"), (41, "4d6")])
def test_a_profile_counts_only_at_sixty_efficiency_and_more(efficiency_day: int, pool: str) -> None:
    told = tell(2, f"rules.fatigue.efficiency_day={efficiency_day}", level="debug")
    assert told.one("dice.rolled", rule="GATH-1")["pool"] == pool


@pytest.mark.rule("TEAM-6", "CHAR-3")
@pytest.mark.parametrize(
    ("roles", "worn", "pool"),
    [
        (("leader", "guard", "scout"), (), "6d6"),
        (("leader", "guard", "scout"), (0,), "4d6"),
        (("leader", "guard", "scout"), (1, 2), "4d6"),
        (("leader", "guard", "scout"), (1,), "6d6"),
        (("leader", "leader", "leader"), (), "4d6"),
    ],
)
def test_a_profile_counts_only_with_a_leader_and_another_member_who_are_not_exhausted(
    roles: tuple[str, ...], worn: tuple[int, ...], pool: str
) -> None:
    told = Told(
        scenario("rules.fatigue.ready_stamina=0", colonies=HOME + team(roles=roles)), level="debug"
    )
    for number in worn:
        told.team.members[number].stamina = 10  # the day of leaving takes the rest
    told.days(1)
    told.days(1)
    assert told.all("dice.rolled", rule="GATH-1")[-1]["pool"] == pool


@pytest.mark.rule("FAT-1", "FAT-2", "FAT-3")
def test_the_first_draining_test_of_a_day_takes_a_point_and_at_zero_it_is_harder() -> None:
    told = Told(
        scenario("missions.gather.day_limit=9", "rules.fatigue.resilience_per=80"), level="debug"
    )
    told.days(1)
    assert told.team.base == [1] * 9
    assert told.team.resilience == [0] + [1] * 8, "Speed was tested on the way"
    told.days(1)
    assert told.team.resilience == [0, 0, 1, 0, 1, 1, 1, 1, 1], "further units drain nothing"
    told.days(1)
    for day, added in ((2, 0), (3, 2)):
        rolls = told.all("dice.rolled", day=day)
        fatigue = {each["made_of"].get("fatigue", 0) for each in rolls
                   if each["rule"] in {"GATH-5", "GATH-6"}}  # fmt: skip
        assert fatigue == {added}
    assert [each["pool"] for each in told.all("dice.rolled", rule="GATH-1")] == ["6d6", "5d6"]


@pytest.mark.rule("FAT-2")
def test_only_the_first_test_of_an_attribute_drains_it_whatever_the_team_does_that_day() -> None:
    told = tell(2, 'missions.gather.on_site=["gather", "hunt", "explore"]', goods=BERRY + BOAR)
    assert len(told.all("team.gathered", day=2)) == 2
    assert [told.team.resilience[i] for i in (0, 1, 3)] == [7, 7, 7]


@pytest.mark.rule("FAT-3", "MOVE-1")
def test_fatigued_speed_is_a_die_short() -> None:
    far = ("planet.sector_distance='900'", "rules.fatigue.resilience_per=80")
    told = tell(2, *far, level="debug")
    pools = [each["pool"] for each in told.all("dice.rolled", rule="MOVE-1")]
    assert pools == ["4d6", "3d6"]


@pytest.mark.rule("TEAM-9")
def test_experience_adds_a_point_of_value_a_mission_up_to_ten() -> None:
    told = tell(
        80,
        "missions.gather.day_limit=1",
        "rules.survival.rations_days=0",
        "rules.survival.appetite=0",
        "rules.teams.experience_most=3",
    )
    learned = [each["experience"] for each in told.all("team.returned")]
    assert learned[:5] == [1, 2, 3, 3, 3]
    assert told.team.values == [83.0] * 9


@pytest.mark.rule("GATH-2", "TEAM-7", "TEAM-8")
def test_capacity_counts_the_living_and_their_strength_and_vehicles() -> None:
    told = Told(scenario(colonies=HOME + team(vehicles=2, physical=-4)))
    assert told.team.capacity == 100, "members of affinity -4 carry nothing, and never less"
    told = Told(scenario(colonies=HOME + team(vehicles=0, physical=2)))
    assert told.team.capacity == 3 * 23


@pytest.mark.rule("GATH-2", "TEAM-8")
@pytest.mark.parametrize(
    ("goods", "weight"), [('kind = "fruit"\nweight = 660', 4), ('kind = "cargo"', 50),
                          ('kind = "metal"\nunit_weight = 7', 7)],
)  # fmt: skip
def test_what_is_carried_weighs_as_its_kind_says(goods: str, weight: int) -> None:
    heap = f'\n[[ingredients]]\nid = "heap"\n{goods}\nreserve = 400_000_000_000\n'
    berry = '\n[[ingredients]]\nid = "berry"\nkind = "fruit"\nreserve = 0\n'
    told = tell(2, goods=heap + berry, colonies=HOME + team(vehicles=9))
    taken = told.one("team.gathered")["taken"]["heap"]
    assert taken == 3
    assert told.team.load == taken * weight + told.team.rations[1]


@pytest.mark.rule("CHAR-4")
def test_a_person_given_outright_is_as_given_and_the_rest_is_generated() -> None:
    told = Told(scenario(colonies=HOME + team(skill=33, speed=77, physical=3)))
    person = told.team.members[0]
    assert (person.skills["speed"], person.skills["science"], person.physical) == (77, 33, 3)
    crew = team().split("members")[0] + 'members = [{ name = "x", skills = { speed = 52 } }]\n'
    person = Told(scenario(colonies=HOME + crew)).team.members[0]
    assert person.skills["speed"] == 52
    assert len({round(value, 3) for value in person.skills.values()}) > 8
