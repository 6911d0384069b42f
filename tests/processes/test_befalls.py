"""Event tables: what befalls a team on the way, and the mishaps of gathering."""

from __future__ import annotations

import pytest
from stories import BERRY, HOME, ORE, Told, scenario, table, team, tell

from worldsim.world.rulebook import Rulebook

FAR = "planet.sector_distance='900'"
CAMP = HOME + team(mission="camp")


@pytest.mark.rule("MOVE-4")
def test_progress_lengthens_or_shortens_the_days_move_and_never_reverses_it() -> None:
    plain = tell(1, FAR).one("team.moved")["progress"]
    for amount, expected in ((7, plain + 7), (-1, plain - 1), (-500, 0)):
        told = tell(1, FAR, more=table("terrain", f'effect = "progress", amount = {amount}'))
        assert told.one("team.moved")["progress"] == expected
        assert told.one("team.affected")["progress"] == amount
        assert told.one("team.affected")["cause"] == told.one("team.moved")["seq"]


@pytest.mark.rule("MOVE-4")
def test_efficiency_situation_and_stamina_change_within_their_ranges() -> None:
    storm = table(
        "weather",
        'effect = "efficiency", amount = -30',
        'effect = "situation", amount = -15',
        'effect = "stamina", amount = -20',
    )
    told = tell(1, FAR, more=storm)
    affected = told.one("team.affected")
    assert (affected["efficiency"], affected["situation"], affected["stamina"]) == (-30, -15, -20)
    assert told.team.efficiency == 100 - 30 - 5
    assert told.team.situation == 85
    assert [each.stamina for each in told.team.members] == [70] * 3
    told = tell(1, FAR, more=table("weather", 'effect = "efficiency", amount = 50',
                                   'effect = "situation", amount = 50'))  # fmt: skip
    assert (told.team.efficiency, told.team.situation) == (95, 100)
    assert told.one("team.affected")["efficiency"] == 0
    told = tell(1, FAR, more=table("weather", 'effect = "stamina", amount = -500'))
    assert [each.stamina for each in told.team.members] == [0] * 3


@pytest.mark.rule("MOVE-4", "FAT-4")
def test_resilience_may_be_lifted_above_its_base_and_never_falls_below_zero() -> None:
    lift = 'effect = "resilience", attribute = "survival", amount = 3'
    told = tell(1, FAR, more=table("find", lift))
    assert told.team.resilience[8] == told.team.base[8] + 3
    drop = 'effect = "resilience", attribute = "stealth", amount = -50'
    told = tell(1, FAR, more=table("find", drop))
    assert told.team.resilience[2] == 0
    assert told.one("team.affected")["resilience"] == {"stealth": -8}


@pytest.mark.rule("MOVE-4", "CHAR-5")
def test_health_is_lost_or_gained_by_as_many_members_as_the_entry_says() -> None:
    told = tell(1, FAR, more=table("terrain", 'effect = "health", amount = -15, members = 2'))
    hurt = told.all("member.hurt")
    assert [each["damage"] for each in hurt] == [15, 15]
    assert len({each["member"] for each in hurt}) == 2
    assert {each["cause"] for each in hurt} == {told.one("team.affected")["seq"]}
    assert sorted(each.health for each in told.team.members) == [65, 65, 80]
    told = Told(scenario(FAR, more=table("terrain", 'effect = "health", amount = 25, members = 9')))
    for each in told.team.members:
        each.health = 50
    told.sim.context.rules = Rulebook(scenario("rules.characters.health_rest=0").rules)
    told.days(1)
    assert [each.health for each in told.team.members] == [75] * 3


@pytest.mark.rule("MOVE-4", "TEAM-1")
def test_an_event_that_leaves_nobody_conscious_loses_the_team_and_ends_its_day() -> None:
    crash = table("terrain", 'effect = "health", amount = -90, members = 3')
    told = tell(1, FAR, "missions.gather.outbound=['gather']", more=crash)
    assert told.one("team.lost")["reason"] == "unconscious"
    assert not told.all("team.gathered")


@pytest.mark.rule("MOVE-4", "RES-6")
def test_a_share_of_each_cargo_rounded_up_is_lost_and_booked() -> None:
    told = tell(3, "missions.gather.day_limit=1", goods=BERRY + ORE,
                more=table("terrain", 'effect = "lose_cargo", share = 0.4'),
                colonies=HOME + team(vehicles=9))  # fmt: skip
    on_way_home = told.all("team.affected")[-1]
    assert told.one("team.gathered")["taken"] == {"berry": 3, "ore": 3}
    assert on_way_home["lost"] == {"berry": 2, "ore": 2}
    assert told.one("team.returned")["delivered"] == {"berry": 1, "ore": 1}
    assert told.sim.world.ledger.lost == [2, 2]


@pytest.mark.rule("MOVE-4", "RES-3", "RES-6")
def test_a_find_is_taken_from_the_region_as_far_as_it_fits() -> None:
    told = tell(1, FAR, more=table("find", 'effect = "find", units = 5'))
    assert told.one("team.affected")["found"] == {"berry": 5}
    ground = told.sim.world.reserves
    assert ground.initial[0][0] - ground.left[0][0] == 5
    assert told.team.cargo == [5]
    weak = HOME + team(vehicles=0, physical=-3)
    heap = table("find", 'effect = "find", units = 50')
    sets = ("rules.survival.rations_days=0", "ingredients[0].unit_weight=2")
    told = tell(1, FAR, *sets, colonies=weak, more=heap)
    assert told.one("team.affected")["found"] == {"berry": 4}, "9 points carry four units of 2"


@pytest.mark.rule("MOVE-4")
def test_each_moving_day_draws_once_from_each_enabled_table() -> None:
    three = "".join(
        table(name, f'effect = "situation", amount = -{i}')
        for i, name in enumerate(("terrain", "weather", "find", "other"), 1)
    )
    sets = ("missions.gather.day_limit=2",)
    told = tell(5, *sets, more=three)
    assert [(each["day"], each["event_table"]) for each in told.all("team.affected")] == [
        (day, name) for day in (1, 4) for name in ("terrain", "weather", "find")
    ]
    told = tell(5, *sets, 'rules.travel.tables=["other", "find"]', more=three)
    assert [each["event_table"] for each in told.all("team.affected", day=1)] == ["other", "find"]
    assert not tell(5, *sets, "rules.travel.tables=[]", more=three).all("team.affected")


@pytest.mark.rule("MOVE-4")
def test_entries_are_drawn_by_their_weights() -> None:
    two = """
[[event_tables.terrain]]
id = "often"
weight = 3
effects = [{ effect = "situation", amount = -0.0 }]
[[event_tables.terrain]]
id = "seldom"
weight = 1
effects = [{ effect = "efficiency", amount = -1 }]
"""
    crowd = HOME + "".join(team(f"t{i}", mission="camp") for i in range(40))
    told = tell(10, FAR, "rules.survival.drain=0", "rules.survival.appetite=0",
                "rules.activities.retreat_margin=-100", more=two, colonies=crowd)  # fmt: skip
    drawn = [each["entry"] for each in told.all("team.affected")]
    assert len(drawn) == 400
    assert abs(drawn.count("seldom") - 100) <= 4 * (400 * 0.25 * 0.75) ** 0.5


CLUMSY = (
    # Difficulty 6, which a d4 never reaches.
    "ingredients[0].fragility=1000",
    "rules.gathering.scale_step=200", "planet.sector_distance='1'",
)  # fmt: skip


@pytest.mark.rule("GATH-9", "GATH-6")
@pytest.mark.parametrize(("blank", "mishap"), [(0, True), (1_000_000_000, False)])
def test_a_missed_unit_may_end_the_phase_with_an_average_mishap(
    blank: int, *, mishap: bool
) -> None:
    crew = HOME + team(manual=0, speed=0, profile="scouting")
    hurt = table("average_mishap", 'effect = "health", amount = -10, members = 1')
    told = tell(4, *CLUMSY, f"rules.gathering.nothing_in_bag={blank}", more=hurt, colonies=crew)
    gathered = told.all("team.gathered")[0]
    assert gathered["taken"] == {}
    assert gathered["mishap"] == ("average" if mishap else "none")
    assert bool(told.all("team.affected", event_table="average_mishap")) == mishap
    if mishap:
        affected = told.all("team.affected", event_table="average_mishap")[0]
        assert affected["cause"] == gathered["seq"]
        assert told.all("member.hurt", harm="event")


@pytest.mark.rule("GATH-9", "GATH-6")
def test_a_unit_taken_with_one_success_may_end_the_phase_with_a_minor_mishap() -> None:
    crew = HOME + team(manual=20, speed=20, profile="scouting")
    slip = table("minor_mishap", 'effect = "efficiency", amount = -7')
    told = tell(6, "rules.gathering.nothing_in_bag=0", "planet.sector_distance='1'", more=slip,
                colonies=crew)  # fmt: skip
    gathered = told.all("team.gathered")[0]
    assert gathered["taken"]
    assert gathered["mishap"] == "minor"
    affected = told.all("team.affected", event_table="minor_mishap")[0]
    assert (affected["entry"], affected["efficiency"], affected["place"]) == ("it", -7, "r1/s2")


@pytest.mark.rule("GATH-9")
def test_units_taken_without_trouble_put_nothing_into_the_bag() -> None:
    told = tell(3, "rules.gathering.nothing_in_bag=0", more=table(
        "minor_mishap", 'effect = "efficiency", amount = -7'))  # fmt: skip
    assert [each["mishap"] for each in told.all("team.gathered")] == ["none", "none"]
