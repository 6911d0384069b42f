"""Each named reading changes the outcome it should, in the way it should."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from stories import BERRY, GROUND, HOME, ORE, Told, scenario, team, tell

from worldsim.scenario import load_text

if TYPE_CHECKING:
    from pathlib import Path

FAR = "planet.sector_distance='900'"
NINE_POINTS = HOME + team(vehicles=0, physical=-3)
"""Three people who carry three points each."""
NO_RATIONS = "rules.survival.rations_days=0"
SURE_LIMIT = ("rules.dice.points_per_die=4", "rules.dice.most_dice=20")
"""Twenty dice and more: a Limit of at least twenty."""


def pools(told: Told, rule: str) -> list[str]:
    return [each["pool"] for each in told.all("dice.rolled", rule=rule)]


@pytest.mark.rule("DICE-2")
@pytest.mark.reading("rules.dice.extra_die_for=characters_and_teams")
def test_teams_may_have_an_extra_die_as_people_do() -> None:
    colonies = HOME + team(skill=120)
    plain = tell(1, FAR, colonies=colonies, level="debug")
    read = tell(
        1, FAR, 'rules.dice.extra_die_for="characters_and_teams"', colonies=colonies, level="debug"
    )
    assert (pools(plain, "MOVE-1"), pools(read, "MOVE-1")) == (["4d6"], ["4d6+d8"])


@pytest.mark.rule("DICE-7")
@pytest.mark.reading("rules.dice.min_difficulty=1")
def test_at_a_least_difficulty_of_one_no_face_misses() -> None:
    for least, difficulties in ((1, {1}), (2, {2})):
        told = tell(2, f"rules.dice.min_difficulty={least}", level="debug")
        rolls = [each for each in told.all("dice.rolled", how="test") if each["rule"] == "GATH-6"]
        assert {each["difficulty"] for each in rolls} == difficulties
        assert all(each["result"] == 6 for each in rolls) == (least == 1)


@pytest.mark.rule("DICE-3")
@pytest.mark.reading(
    "rules.dice.weak_die=6",
    "rules.dice.weak_die=8",
    "rules.dice.weak_die=10",
    "rules.dice.weak_die=12",
    "rules.dice.weak_die=20",
)
@pytest.mark.parametrize(
    "sides", [4, 20, *(pytest.param(sides, marks=pytest.mark.long) for sides in (6, 8, 10, 12))]
)
def test_the_weak_die_has_the_sides_it_is_given(sides: int) -> None:
    of = scenario(FAR, f"rules.dice.weak_die={sides}", colonies=HOME + team(skill=19))
    told = [Told(of, seed=seed).days(1) for seed in range(160)]
    totals = {each.one("team.moved")["progress"] for each in told}
    assert totals == set(range(1, sides + 1))


@pytest.mark.rule("DICE-4")
@pytest.mark.reading("rules.dice.pool_cap=5")
def test_a_cap_holds_back_bonus_dice() -> None:
    assert pools(tell(2, level="debug"), "GATH-1") == ["6d6"]
    assert pools(tell(2, "rules.dice.pool_cap=5", level="debug"), "GATH-1") == ["5d6"]


@pytest.mark.rule("FAT-3")
@pytest.mark.reading("rules.fatigue.fatigued_for=roll")
def test_fatigue_may_weigh_on_the_one_roll_that_found_it() -> None:
    worn = "rules.fatigue.resilience_per=100"
    for reading, detection, gathering in (("phase", [2, 2], 2), ("roll", [2, 0], 0)):
        told = tell(
            2, worn, f'rules.fatigue.fatigued_for="{reading}"', goods=BERRY + ORE, level="debug",
            colonies=HOME + team(vehicles=9),
        )  # fmt: skip
        rolls = told.all("dice.rolled", how="test")
        found = [each["made_of"].get("fatigue", 0) for each in rolls if each["rule"] == "GATH-5"]
        tried = {each["made_of"].get("fatigue", 0) for each in rolls if each["rule"] == "GATH-6"}
        assert found == detection
        assert tried == {gathering}


@pytest.mark.rule("FAT-3")
@pytest.mark.reading("rules.fatigue.fatigued_total=none")
def test_fatigue_may_leave_total_scores_alone() -> None:
    worn = "rules.fatigue.resilience_per=100"
    for reading, speed, limit in (("minus_one_die", "3d6", "5d6"), ("none", "4d6", "6d6")):
        told = tell(2, worn, f'rules.fatigue.fatigued_total="{reading}"', level="debug")
        assert pools(told, "MOVE-1") == [speed]
        assert pools(told, "GATH-1") == [limit]


@pytest.mark.rule("TEAM-2")
@pytest.mark.reading("rules.teams.speed_from=min")
def test_a_team_may_be_as_slow_as_its_slowest() -> None:
    colonies = HOME + team().replace("speed = 80", "speed = 20", 1)
    assert tell(1, FAR, colonies=colonies).team.values[0] == 60
    slow = tell(1, FAR, 'rules.teams.speed_from="min"', colonies=colonies, level="debug")
    assert slow.team.values[0] == 20
    assert pools(slow, "MOVE-1") == ["1d6"]


@pytest.mark.rule("TEAM-5")
@pytest.mark.reading("rules.teams.bonus=percent")
def test_a_profile_may_add_a_fifth_of_the_value_for_each_die() -> None:
    colonies = HOME + team(skill=45)
    dice = tell(3, 'planet.sector_distance="1"', colonies=colonies, level="debug")
    share = tell(
        3, 'planet.sector_distance="1"', 'rules.teams.bonus="percent"', colonies=colonies,
        level="debug",
    )  # fmt: skip
    # 45 is 2d6, and with 40 % more 63: 3d6.
    assert set(pools(dice, "GATH-1")) == {"4d6"}
    assert set(pools(share, "GATH-1")) == {"3d6"}


@pytest.mark.rule("TEAM-3")
@pytest.mark.reading("rules.teams.gatherer_weight=4")
def test_a_gatherer_may_weigh_four_times() -> None:
    colonies = HOME + team(roles=("gatherer", "leader", "member")).replace(
        "manual = 80", "manual = 20", 1
    )
    for weight in (3, 4):
        told = tell(1, FAR, f"rules.teams.gatherer_weight={weight}", colonies=colonies)
        assert told.team.values[1] == pytest.approx((weight * 50 + 2 * 80) / (weight + 2))


def stock(of: Told) -> dict[str, int]:
    world = of.sim.world
    return {
        place.id: row[0] for place, row in zip(world.places, world.reserves.initial, strict=True)
    }


@pytest.mark.rule("RES-1", "RES-2")
@pytest.mark.reading("rules.reserves.spread=given")
def test_regions_may_have_their_shares_given() -> None:
    few = BERRY.replace("400_000_000_000", "80")
    two = ("planet.regions=2", "planet.region_weights=[3.0, 1.0]")
    equal = stock(Told(scenario(*two, goods=few)))
    given = stock(Told(scenario(*two, 'rules.reserves.spread="given"', goods=few)))
    assert equal == {"r1": 20, "r2": 20, "r1/s1": 10, "r1/s2": 10, "r2/s1": 10, "r2/s2": 10}
    assert given == {"r1": 30, "r2": 10, "r1/s1": 15, "r1/s2": 15, "r2/s1": 5, "r2/s2": 5}


@pytest.mark.rule("RES-1")
@pytest.mark.reading("rules.reserves.spread=dirichlet")
def test_shares_may_be_drawn_more_unevenly_the_lower_the_concentration() -> None:
    sets = ("planet.regions=9", 'rules.reserves.spread="dirichlet"')
    unevenness: list[float] = []
    for concentration in (0.3, 3.0, 300.0):
        told = Told(scenario(*sets, f"rules.reserves.dirichlet={concentration}", goods=BERRY + ORE))
        berry = [row[0] for row in told.sim.world.reserves.initial]
        ore = [row[1] for row in told.sim.world.reserves.initial]
        assert sum(berry) == sum(ore) == 400_000_000_000
        assert berry != ore, "each ingredient has weights of its own"
        regions = berry[:9]
        unevenness.append(max(regions) / (sum(regions) / 9))
    assert unevenness[0] > unevenness[1] > unevenness[2] > 1
    assert unevenness[2] < 1.3


@pytest.mark.rule("MOVE-2")
@pytest.mark.reading("rules.travel.carry_surplus=true")
def test_the_surplus_of_a_move_may_start_the_objective_the_same_day() -> None:
    lost = tell(2)
    kept = tell(2, "rules.travel.carry_surplus=true")
    assert [each["day"] for each in lost.all("team.gathered")] == [2]
    assert [(each["day"], each["pool"]) for each in kept.all("team.gathered")] == [
        (1, "sector"), (2, "sector"),
    ]  # fmt: skip
    arrived, gathered = kept.one("team.arrived"), kept.all("team.gathered")[0]
    assert arrived["seq"] < gathered["seq"]


@pytest.mark.rule("MOVE-2", "ACT-2")
@pytest.mark.reading("rules.travel.carry_surplus=true")
def test_gathering_on_the_way_and_on_site_on_one_day_have_dice_of_their_own() -> None:
    told = tell(
        1, "rules.travel.carry_surplus=true", 'missions.gather.outbound=["gather"]', level="debug"
    )
    draws = [each["draw"] for each in told.all("dice.rolled", rule="GATH-1")]
    assert len(draws) == 2
    assert draws[0] != draws[1]


@pytest.mark.rule("GATH-2", "GATH-1")
@pytest.mark.reading("rules.gathering.limit_by=number", "rules.gathering.limit_by=weight")
def test_capacity_may_cut_the_number_or_the_weight_alone() -> None:
    heavy = "ingredients[0].unit_weight=2"
    many = ("rules.gathering.class_size.common=30", NO_RATIONS, *SURE_LIMIT)
    outcome = {}
    for reading in ("both", "number", "weight"):
        told = tell(2, heavy, *many, f'rules.gathering.limit_by="{reading}"', colonies=NINE_POINTS)
        gathered = told.one("team.gathered")
        outcome[reading] = (gathered["gathering_limit"] == 9, gathered["taken"]["berry"])
    assert outcome == {"both": (True, 4), "number": (True, 9), "weight": (False, 4)}


def first_taken(*sets: str, goods: str = BERRY + ORE) -> set[str]:
    """What a team takes, over some seeds, that can take one kind of two: the one tried first."""
    kinds: set[str] = set()
    for seed in range(12):
        told = tell(
            2, *sets, *SURE_LIMIT, NO_RATIONS, "rules.gathering.class_size.common=9",
            "rules.gathering.class_size.rare=9", goods=goods, colonies=NINE_POINTS, seed=seed,
        )  # fmt: skip
        taken = told.one("team.gathered")["taken"]
        assert sum(taken.values()) == 9
        kinds |= set(taken)
    return kinds


@pytest.mark.rule("GATH-4")
@pytest.mark.reading("rules.gathering.order=priority")
def test_ingredients_may_be_tried_in_the_order_that_a_mission_names() -> None:
    read = 'rules.gathering.order="priority"'
    assert first_taken() == {"berry", "ore"}
    assert first_taken(read, 'missions.gather.priority=["ore"]') == {"ore"}
    assert first_taken(read, 'missions.gather.priority=["berry", "ore"]') == {"berry"}
    assert first_taken(read, 'missions.gather.priority=["ore", "berry"]') == {"ore"}
    assert first_taken('missions.gather.priority=["ore"]') == {"berry", "ore"}


@pytest.mark.rule("GATH-4")
@pytest.mark.reading("rules.gathering.order=common_first")
def test_common_ingredients_may_be_tried_first() -> None:
    rare = ORE + 'rarity = "rare"\n'
    assert first_taken(goods=BERRY + rare) == {"berry", "ore"}
    assert first_taken('rules.gathering.order="common_first"', goods=BERRY + rare) == {"berry"}


def one_die_hauls(*sets: str) -> list[dict[str, Any]]:
    """Gathering phases whose every attempt has exactly one success."""
    colonies = HOME + team(profile="scouting", manual=20, speed=20, vehicles=9)
    return [
        tell(4, "planet.sector_distance='1'", "rules.gathering.class_size.common=7", *sets,
             colonies=colonies, seed=seed).all("team.gathered")[0]
        for seed in range(20)
    ]  # fmt: skip


@pytest.mark.rule("GATH-6")
@pytest.mark.reading("rules.gathering.one_success_cost=0", "rules.gathering.one_success_cost=2")
def test_one_success_may_cost_the_limit_nothing_or_two() -> None:
    free = "rules.gathering.hard_limit=false"
    for cost in (0, 1, 2):
        for haul in one_die_hauls(f"rules.gathering.one_success_cost={cost}", free):
            limit = haul["gathering_limit"]
            assert 1 <= limit <= 6
            assert sum(haul["taken"].values()) == {0: 7, 1: limit, 2: (limit + 1) // 2}[cost]


@pytest.mark.rule("GATH-8")
@pytest.mark.reading("rules.gathering.hard_limit=false")
def test_the_limit_may_be_no_maximum_of_units() -> None:
    many = ("rules.gathering.class_size.common=60",)
    colonies = HOME + team(vehicles=9)
    capped = tell(2, *many, colonies=colonies).one("team.gathered")
    assert capped["taken"]["berry"] == capped["gathering_limit"] < 60
    free = tell(2, *many, "rules.gathering.hard_limit=false", colonies=colonies)
    assert free.one("team.gathered")["taken"]["berry"] == 60, "three successes spare the Limit"


@pytest.mark.rule("GATH-7", "RES-6")
@pytest.mark.reading("rules.gathering.failed_unit=destroyed")
def test_a_missed_unit_may_be_destroyed() -> None:
    # A d4 never reaches 6.
    clumsy = HOME + team(profile="scouting", manual=0, speed=0)
    for reading in ("stays", "destroyed"):
        told = tell(
            3, "ingredients[0].fragility=1000", "planet.sector_distance='1'",
            f'rules.gathering.failed_unit="{reading}"', colonies=clumsy,
        )  # fmt: skip
        gathered = told.all("team.gathered")[0]
        assert gathered["taken"] == {}
        assert gathered["units_tried"] > 0
        gone = gathered["units_tried"] if reading == "destroyed" else 0
        assert sum(gathered["destroyed"].values()) == gone == told.sim.world.ledger.lost[0]
        ground = told.sim.world.reserves
        assert ground.initial[2][0] - ground.left[2][0] == gone


@pytest.mark.rule("MAP-2")
@pytest.mark.reading("planet.distance=per_mission")
def test_the_way_may_be_rolled_anew_for_each_mission() -> None:
    short = ("missions.gather.day_limit=1", "planet.sector_distance='2d6'")
    graph = tell(200, *short)
    ways = {each["distance"] for each in graph.all("team.departed")}
    assert len(ways) == 1
    rolled = tell(200, *short, 'planet.distance="per_mission"')
    ways = {each["distance"] for each in rolled.all("team.departed")}
    assert len(ways) > 5
    assert min(ways) >= 4
    assert max(ways) <= 24


@pytest.mark.rule("MAP-1", "MAP-2", "MOVE-5")
def test_lengths_may_come_from_a_map_file(tmp_path: Path) -> None:
    graph: nx.Graph[str] = nx.Graph()
    graph.add_node("r1", kind="region", climate="still", difficulty=1, wildlife=0.0)
    for sector, length in (("r1/s1", 7.5), ("r1/s2", 90.0)):
        graph.add_node(sector, kind="sector", difficulty=1)
        graph.add_edge("r1", sector, distance=length)
    (tmp_path / "map.json").write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
    text = GROUND.replace("[planet]", '[planet]\nmap = "map.json"') + BERRY + HOME + team()
    told = Told(load_text(text, folder=tmp_path)).days(1)
    assert told.one("team.departed")["distance"] == 97.5


def regions_of(shape: str, regions: int) -> nx.Graph[str]:
    told = Told(scenario(f'planet.shape="{shape}"', f"planet.regions={regions}"))
    atlas = told.sim.world.atlas
    return nx.Graph(atlas.graph.subgraph(atlas.regions))


@pytest.mark.rule("MAP-1")
def test_regions_lie_in_a_ring_by_default() -> None:
    ring = regions_of("ring", 7)
    assert nx.is_connected(ring)
    assert set(dict(ring.degree).values()) == {2}


@pytest.mark.rule("MAP-1")
@pytest.mark.reading("planet.shape=line")
def test_regions_may_lie_in_a_line() -> None:
    line = regions_of("line", 7)
    assert nx.is_connected(line)
    assert sorted(dict(line.degree).values()) == [1, 1, 2, 2, 2, 2, 2]
    assert all(line.has_edge(f"r{a}", f"r{b}") for a, b in pairwise(range(1, 8)))


@pytest.mark.rule("MAP-1")
@pytest.mark.reading("planet.shape=star")
def test_regions_may_lie_around_the_first() -> None:
    star = regions_of("star", 7)
    assert sorted(star["r1"]) == [f"r{n}" for n in range(2, 8)]
    assert star.number_of_edges() == 6


@pytest.mark.rule("MAP-1")
@pytest.mark.reading("planet.shape=complete")
def test_every_region_may_be_next_to_every_other() -> None:
    assert regions_of("complete", 7).number_of_edges() == 21


@pytest.mark.rule("MAP-1")
@pytest.mark.reading("planet.shape=grid")
@pytest.mark.parametrize("regions", [1, 2, 3, 7, 9, 12])
def test_regions_may_lie_in_rows_and_columns(regions: int) -> None:
    grid = regions_of("grid", regions)
    assert nx.is_connected(grid)
    assert max(dict(grid.degree).values()) <= 4
    if regions == 9:
        assert nx.is_isomorphic(grid, nx.grid_2d_graph(3, 3))


@pytest.mark.rule("MAP-1")
@pytest.mark.reading("planet.shape=tree")
def test_regions_may_hang_in_a_tree() -> None:
    trees = [regions_of("tree", regions) for regions in (2, 9, 30)]
    assert all(nx.is_tree(tree) for tree in trees)
    assert max(dict(trees[2].degree).values()) > 2, "more than a line"
    assert min(nx.diameter(trees[2]), 29) < 29


@pytest.mark.rule("FAT-2")
@pytest.mark.parametrize(
    ("attribute", "position"),
    [("survival", 8), ("defense", 5), ("communications", 4), ("detection", 3), ("speed", 0)],
)
def test_any_attribute_that_is_tested_away_may_be_given_dashes(
    attribute: str, position: int
) -> None:
    beast = '\n[[wildlife]]\nid = "bear"\nstrength = 0\n'
    ground = GROUND.replace("wildlife = 0", "wildlife = 1.0")
    sets = ["missions.camp.day_limit=9", f"rules.fatigue.drain.{attribute}=3"]
    if attribute == "communications":
        sets += ["rules.survival.drain=100", "rules.survival.relief=0"]
    told = tell(3, *sets, ground=ground, more=beast, colonies=HOME + team(mission="camp"))
    assert told.team.base[position] - told.team.resilience[position] >= 3
