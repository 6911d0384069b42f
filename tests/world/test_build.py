"""From a scenario to the world of its first morning, and the few ways in which it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from worldsim.chance import Chance
from worldsim.world.atlas import generate, graphml, node_link
from worldsim.world.build import UnreachableError, build
from worldsim.world.contests import Control
from worldsim.world.ledger import UnbalancedError
from worldsim.world.state import packed
from worldsim.world.world import unit_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldsim.scenario.model import Scenario
    from worldsim.world.world import World

    MakeScenario = Callable[..., Scenario]

PEOPLE = [{"name": "ada", "class": "leader"}, {"name": "bo"}, {"name": "cy"}]
TEAM: dict[str, Any] = {"id": "t", "members": PEOPLE}
ISLANDS = """{"nodes": [{"id": "a", "kind": "region"}, {"id": "a/s", "kind": "sector"},
 {"id": "b", "kind": "region"}, {"id": "b/s", "kind": "sector"}],
 "edges": [{"source": "a", "target": "a/s", "distance": 2},
 {"source": "b", "target": "b/s", "distance": 2}]}"""


def peopled(make_scenario: MakeScenario, **tables: Any) -> World:
    """A world of one colony and one team, with berries and ore."""
    ingredients = [
        {"id": "berry", "kind": "fruit", "reserve": 3000, "weight": 250},
        {"id": "ore", "kind": "metal", "reserve": 40, "unit_weight": 9},
    ]
    colonies = [{"id": "c", "sector": "r1/s1", "stores": {"berry": 12}, "teams": [TEAM]}]
    given = {"ingredients": ingredients, "colonies": colonies} | tables
    return build(make_scenario(**given), Chance(1))


@pytest.mark.rule("RES-6")
def test_a_world_begins_in_balance_with_ground_and_stores(make_scenario: MakeScenario) -> None:
    world = peopled(make_scenario)
    assert world.ledger.initial == [3012, 40]
    assert world.colonies[0].store == [12, 0]
    world.balance()


@pytest.mark.rule("RES-6")
def test_every_way_a_unit_can_go_keeps_the_balance(make_scenario: MakeScenario) -> None:
    world = peopled(make_scenario)
    team, place = world.teams[0], world.index["r1/s1"]
    units = world.reserves.take(place, 0, 5)
    with pytest.raises(UnbalancedError, match="berry"):
        world.balance()
    world.load(team, 0, units)
    world.balance()
    assert team.load == 5 * 2
    world.lose(team, 0, 2)
    world.balance()
    assert (team.cargo[0], team.load, world.ledger.lost[0]) == (3, 6, 2)
    team.rations[0], world.colonies[0].store[0] = 4, 8
    world.balance()
    assert world.lose_all(team) == {0: 7}
    world.balance()
    assert (team.cargo[0], team.rations[0], team.load, world.ledger.lost[0]) == (0, 0, 0, 9)


@pytest.mark.rule("TEAM-8")
def test_units_weigh_by_weight_by_kind_or_as_given(make_scenario: MakeScenario) -> None:
    scenario = make_scenario(
        ingredients=[
            {"id": "a", "kind": "fruit", "weight": 219},
            {"id": "b", "kind": "metal", "weight": 220},
            {"id": "c", "kind": "cargo", "weight": 220},
            {"id": "d", "kind": "cargo", "unit_weight": 7},
            {"id": "e", "kind": "fruit", "weight": 900, "unit_weight": 0},
        ]
    )
    assert unit_weights(scenario) == [1, 2, 50, 7, 0]


@pytest.mark.rule("SURV-3")
def test_only_edible_kinds_are_food(make_scenario: MakeScenario) -> None:
    kinds = ["meat", "wood", "fish", "herb", "fruit", "metal", "vegetable", "cargo"]
    world = peopled(
        make_scenario,
        ingredients=[{"id": f"i_{kind}", "kind": kind} for kind in kinds],
        colonies=[{"id": "c", "sector": "r1/s1"}],
    )
    assert [kinds[i] for i in world.edible] == ["meat", "fish", "fruit", "vegetable"]


@pytest.mark.rule("SURV-1", "ACT-4")
def test_construction_eases_a_sector_for_good_and_wildlife_is_the_regions(
    make_scenario: MakeScenario,
) -> None:
    wild = {"plains": {"difficulty": 3, "wildlife": 0.25}}
    world = peopled(make_scenario, planet={"landscapes": wild, "rough_sectors": 1.0})
    assert (world.place_difficulty("r1"), world.place_difficulty("r1/s1")) == (3, 4)
    world.eased["r1/s1"] = 2
    assert world.place_difficulty("r1/s1") == 2
    assert world.wildlife_chance("r1/s1") == world.wildlife_chance("r1") == 0.25


@pytest.mark.rule("SURV-6")
def test_land_without_a_chance_of_its_own_has_the_usual_one(make_scenario: MakeScenario) -> None:
    land: dict[str, Any] = {"landscapes": {"plains": {"difficulty": 3}}}
    assert peopled(make_scenario, planet=land).wildlife_chance("r2/s1") == 0.05


@pytest.mark.rule("DAY-2")
def test_the_week_before_is_who_sat_on_site_when_it_ended(make_scenario: MakeScenario) -> None:
    teams = [TEAM | {"id": name} for name in ("x", "y", "z")]
    world = peopled(make_scenario, colonies=[{"id": "c", "sector": "r1/s1", "teams": teams}])
    for team, status, place in zip(
        world.teams, ("on_site", "outbound", "on_site"), ("r2/s1", "r2", "r3/s2"), strict=True
    ):
        team.status, team.place = status, place  # type: ignore[assignment]
    contests = world.contests
    contests.control = {"r2/s1": Control("c", 1), "r3/s2": Control("others", 1)}
    world.remember_week()
    assert contests.last_week == {"c/x": "r2/s1"}, "only who is there, and in control"
    world.teams[0].place = "r1/s2"
    assert contests.last_week["c/x"] == "r2/s1"


@pytest.mark.rule("MAP-1", "FAT-1")
def test_teams_begin_at_their_colony_rested_and_empty(make_scenario: MakeScenario) -> None:
    world = peopled(make_scenario)
    team = world.teams[0]
    assert (team.id, team.place, team.status) == ("c/t", "r1/s1", "at_colony")
    assert (team.efficiency, team.situation, team.load, team.cargo) == (100, 100, 0, [0, 0])
    assert team.resilience == team.base == [int(value // 10) for value in team.values]
    assert world.home["c/t"] is world.colonies[0]


@pytest.mark.rule("MAP-1")
@pytest.mark.parametrize(("write", "name"), [(graphml, "m.graphml"), (node_link, "m.json")])
def test_a_world_from_a_written_map_is_the_world_it_was_written_from(
    make_scenario: MakeScenario, write: Callable[..., str], name: str
) -> None:
    drawn = peopled(make_scenario)
    text = write(generate(drawn.scenario.planet, Chance(1)))
    read = peopled(make_scenario, planet={"map": name, "map_text": text})
    assert read.atlas.sectors == drawn.atlas.sectors
    assert read.reserves.initial == drawn.reserves.initial
    assert read.route("r1/s1", "r4/s3") == drawn.route("r1/s1", "r4/s3")


@pytest.mark.rule("MAP-1")
@pytest.mark.parametrize(
    ("colony", "says"),
    [
        ({"sector": "q/s"}, r"colonies\[0\]\.sector: .*'q/s' is not on the map"),
        ({"sector": "a/s", "targets": ["a/s", "b/s"]}, r"targets\[1\]: no way leads"),
        ({"sector": "a/s", "targets": ["z/s"]}, r"targets\[0\]: .* not on the map"),
        (
            {"sector": "a/s", "script": [{"day": 1, "team": "t", "target": "b/s"}]},
            r"script\[0\]\.target: no way leads",
        ),
    ],
)
def test_a_colony_that_cannot_reach_its_targets_is_refused(
    make_scenario: MakeScenario, colony: dict[str, Any], says: str
) -> None:
    scenario = make_scenario(
        planet={"map": "m.json", "map_text": ISLANDS}, colonies=[{"id": "c"} | colony]
    )
    with pytest.raises(UnreachableError, match=says):
        build(scenario, Chance(1))


@pytest.mark.rule("MAP-1")
def test_colonies_without_a_sector_get_free_ones_of_their_own(make_scenario: MakeScenario) -> None:
    colonies = [{"id": "a"}, {"id": "b"}, {"id": "d", "sector": "r1/s1"}]
    scenario = make_scenario(planet={"regions": 1, "sectors_per_region": 3}, colonies=colonies)
    for seed in range(20):
        sites = [colony.sector for colony in build(scenario, Chance(seed)).colonies]
        assert sorted(sites) == ["r1/s1", "r1/s2", "r1/s3"]
        assert sites[2] == "r1/s1"
    crowded = make_scenario(planet={"regions": 1, "sectors_per_region": 2}, colonies=colonies)
    with pytest.raises(UnreachableError, match="no sector is free"):
        build(crowded, Chance(1))


def test_the_same_seed_builds_the_same_world_to_the_byte(make_scenario: MakeScenario) -> None:
    spread = {"reserves": {"spread": "dirichlet"}}
    assert packed(peopled(make_scenario, rules=spread), 0) == packed(
        peopled(make_scenario, rules=spread), 0
    )
    scenario = peopled(make_scenario, rules=spread).scenario
    assert packed(build(scenario, Chance(1)), 0) != packed(build(scenario, Chance(2)), 0)


def test_one_more_team_or_ingredient_leaves_the_others_as_they_were(
    make_scenario: MakeScenario,
) -> None:
    few = peopled(make_scenario)
    more = [TEAM, TEAM | {"id": "u"}]
    many = peopled(
        make_scenario,
        ingredients=[
            {"id": "berry", "kind": "fruit", "reserve": 3000},
            {"id": "ore", "kind": "metal", "reserve": 40},
            {"id": "zinc", "kind": "metal", "reserve": 70},
        ],
        colonies=[{"id": "c", "sector": "r1/s1", "teams": more}],
    )
    assert many.teams[0].members == few.teams[0].members
    assert [row[:2] for row in many.reserves.initial] == few.reserves.initial
