"""The map: its shapes, its files, its distances and the ways through it."""

from __future__ import annotations

import json
from collections import Counter
from math import sqrt
from typing import TYPE_CHECKING, Any

import icepool  # type: ignore[import-untyped]  # it ships annotations but no py.typed
import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldsim.chance import Chance
from worldsim.scenario.model import Planet
from worldsim.world.atlas import (
    Atlas,
    MapError,
    checked,
    generate,
    graphml,
    node_link,
    parse,
    rolled,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SHAPES = ("ring", "line", "star", "grid", "complete", "tree")


def planet(**given: Any) -> Planet:
    return Planet.model_validate(given)


def edges_between(regions: int, shape: str) -> int:
    """How many region-region edges a shape has."""
    if shape == "complete":
        return regions * (regions - 1) // 2
    if shape == "ring" and regions > 2:
        return regions
    return regions - 1


def lengths(graph: nx.Graph[str]) -> list[float]:
    return [facts["distance"] for *_, facts in graph.edges(data=True)]


def drawn(*edges: tuple[str, str, float]) -> Atlas:
    """A map with these region-region edges and one sector on each region."""
    graph: nx.Graph[str] = nx.Graph()
    for a, b, length in edges:
        graph.add_edge(a, b, distance=length)
    for region in sorted(graph):
        graph.nodes[region]["kind"] = "region"
        graph.add_node(f"{region}/s", kind="sector")
        graph.add_edge(region, f"{region}/s", distance=1)
    return Atlas(checked(graph))


# --- generated maps -------------------------------------------------------------------------------


@pytest.mark.rule("MAP-1")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("regions", [1, 2, 3, 4, 7, 12])
def test_every_shape_is_connected_with_its_number_of_edges(shape: str, regions: int) -> None:
    graph = generate(planet(shape=shape, regions=regions, sectors_per_region=3), Chance(4))
    atlas = Atlas(checked(graph))
    assert len(atlas.regions) == regions
    assert len(atlas.sectors) == 3 * regions
    assert nx.is_connected(graph)
    between = graph.subgraph(atlas.regions)
    assert nx.is_connected(between)
    if shape != "grid":
        assert between.number_of_edges() == edges_between(regions, shape)
    assert all(length > 0 for length in lengths(graph))


@pytest.mark.rule("MAP-1")
def test_a_grid_joins_each_region_to_those_beside_above_and_below() -> None:
    graph = generate(planet(shape="grid", regions=9, sectors_per_region=1), Chance(1))
    between = graph.subgraph(f"r{i}" for i in range(1, 10))
    square = nx.grid_2d_graph(3, 3)
    assert nx.utils.graphs_equal(
        nx.Graph(between.edges()),
        nx.Graph((f"r{3 * a + b + 1}", f"r{3 * c + d + 1}") for (a, b), (c, d) in square.edges()),
    )


@pytest.mark.rule("MAP-1")
def test_a_star_has_one_middle_and_a_ring_none() -> None:
    star = generate(planet(shape="star", regions=6, sectors_per_region=1), Chance(1))
    ring = generate(planet(shape="ring", regions=6, sectors_per_region=1), Chance(1))
    regions = [f"r{i}" for i in range(1, 7)]
    assert sorted(dict(star.subgraph(regions).degree()).values()) == [1, 1, 1, 1, 1, 5]
    assert set(dict(ring.subgraph(regions).degree()).values()) == {2}


@pytest.mark.rule("MAP-1")
@pytest.mark.parametrize("shape", SHAPES)
def test_each_sector_hangs_on_its_region_by_one_edge(shape: str) -> None:
    atlas = Atlas(generate(planet(shape=shape, regions=5, sectors_per_region=4), Chance(2)))
    for sector in atlas.sectors:
        assert list(atlas.graph[sector]) == [atlas.region_of[sector]]
        assert sector.startswith(f"{atlas.region_of[sector]}/")
        assert sector in atlas.sectors_of[atlas.region_of[sector]]


@pytest.mark.rule("MAP-1")
def test_the_same_seed_gives_the_same_map_and_another_one_another() -> None:
    given = planet(shape="tree", regions=8, sectors_per_region=3)
    assert node_link(generate(given, Chance(6))) == node_link(generate(given, Chance(6)))
    assert node_link(generate(given, Chance(6))) != node_link(generate(given, Chance(7)))


@pytest.mark.rule("MAP-1")
def test_one_more_region_leaves_the_land_of_the_others_alone() -> None:
    few = generate(planet(shape="line", regions=4, sectors_per_region=2), Chance(6))
    many = generate(planet(shape="line", regions=5, sectors_per_region=3), Chance(6))
    assert all(many.nodes[node] == facts for node, facts in few.nodes(data=True))
    assert all(many.edges[a, b] == facts for a, b, facts in few.edges(data=True))


@pytest.mark.rule("MAP-1", "SURV-1")
def test_land_is_drawn_from_the_table_and_rough_sectors_are_one_harder() -> None:
    table: dict[str, dict[str, Any]] = {
        "bog": {"difficulty": 5, "wildlife": 0.2},
        "dune": {"difficulty": 4},
    }
    graph = generate(
        planet(landscapes=table, climates=["arid"], regions=200, sectors_per_region=10), Chance(3)
    )
    facts = [graph.nodes[f"r{i}"] for i in range(1, 201)]
    assert {each["climate"] for each in facts} == {"arid"}
    kinds = Counter(each["landscape"] for each in facts)
    assert abs(kinds["bog"] - 100) < 4 * sqrt(200 / 4)
    assert all(each["difficulty"] == table[each["landscape"]]["difficulty"] for each in facts)
    assert all(each.get("wildlife") == (0.2 if each["landscape"] == "bog" else None)
               for each in facts)  # fmt: skip
    rough = Counter(
        given["difficulty"] - graph.nodes[given["region"]]["difficulty"]
        for _, given in graph.nodes(data=True)
        if given["kind"] == "sector"
    )
    assert set(rough) == {0, 1}
    assert abs(rough[1] - 500) < 4 * sqrt(2000 * 0.25 * 0.75)


# --- distances ------------------------------------------------------------------------------------


def agrees(found: Counter[float], die: icepool.Die[int]) -> bool:
    """Whether counts agree with an exact law to 4 standard errors in every cell and the mean."""
    whole = sum(found.values())
    if not set(found) <= {float(face) for face in die.outcomes()}:
        return False
    for face, ways in die.items():
        chance = ways / die.denominator()
        if abs(found[float(face)] - whole * chance) > 4 * sqrt(whole * chance * (1 - chance)) + 1:
            return False
    mean = sum(face * times for face, times in found.items()) / whole
    return bool(abs(mean - die.mean()) < 4 * sqrt(die.variance() / whole))


@pytest.mark.rule("MAP-2")
def test_between_two_sectors_of_a_region_it_is_four_dice() -> None:
    given = planet(shape="line", regions=2, sectors_per_region=2)
    near, across = Counter[float](), Counter[float]()
    for seed in range(1500):
        atlas = Atlas(generate(given, Chance(seed)))
        near[atlas.route("r1/s1", "r1/s2").distance] += 1
        across[atlas.route("r1/s2", "r2/s1").distance] += 1
    assert agrees(near, 4 @ icepool.d6)
    assert agrees(across, 5 @ icepool.d6)


@pytest.mark.rule("MAP-2")
def test_edges_are_two_dice_to_a_sector_and_one_between_regions() -> None:
    graph = generate(planet(shape="line", regions=600, sectors_per_region=2), Chance(9))
    found: dict[bool, Counter[float]] = {True: Counter(), False: Counter()}
    for a, b in graph.edges:
        found["/" in a or "/" in b][graph.edges[a, b]["distance"]] += 1
    assert agrees(found[True], 2 @ icepool.d6)
    assert agrees(found[False], icepool.d6)


@pytest.mark.rule("MAP-2")
@pytest.mark.reading("planet.distance=graph")
def test_the_dice_of_a_distance_are_the_scenarios() -> None:
    graph = generate(
        planet(regions=3, sectors_per_region=2, sector_distance="7", region_distance="d1+4"),
        Chance(1),
    )
    assert set(lengths(graph)) == {7, 5}
    assert planet().sector_distance == "2d6"
    assert planet().region_distance == "1d6"
    assert planet().mission_distance == "4d6"
    assert planet().distance == "graph"


@pytest.mark.rule("MAP-2")
@pytest.mark.parametrize(
    ("text", "draws", "total"),
    [("2d6", [0.0, 0.999], 7), ("d8+3", [0.5], 8), ("4", [], 4), ("1d4 + 2d6 + 1", [0.3] * 3, 7)],
)
def test_a_sum_of_dice_takes_one_draw_for_each(text: str, draws: list[float], total: int) -> None:
    stream = iter(draws)
    assert rolled(text, stream) == total
    assert next(stream, None) is None


# --- ways -----------------------------------------------------------------------------------------


@pytest.mark.rule("MOVE-5")
def test_the_way_is_the_shortest_by_distance_not_by_edges() -> None:
    atlas = drawn(("a", "d", 9), ("a", "b", 2), ("b", "c", 2), ("c", "d", 2))
    route = atlas.route("a/s", "d/s")
    assert route.regions == ("a", "b", "c", "d")
    assert route.edges == (1, 2, 2, 2, 1)
    assert route.distance == 8


@pytest.mark.rule("MOVE-5")
@pytest.mark.parametrize("turned", [False, True])
def test_of_equal_ways_the_first_by_name_is_taken_whatever_the_order_of_edges(
    turned: bool,  # noqa: FBT001
) -> None:
    edges = [("a", "c", 3.0), ("a", "b", 3.0), ("b", "z", 3.0), ("c", "z", 3.0), ("a", "z", 6.0)]
    atlas = drawn(*(reversed(edges) if turned else edges))
    assert atlas.route("a/s", "z/s").regions == ("a", "b", "z")
    assert atlas.route("z/s", "a/s").regions == ("z", "a")


@pytest.mark.rule("MOVE-5")
def test_within_a_region_the_way_leads_over_it() -> None:
    atlas = Atlas(generate(planet(regions=2, sectors_per_region=2), Chance(1)))
    route = atlas.route("r1/s1", "r1/s2")
    assert route.regions == ("r1",)
    assert len(route.edges) == 2
    assert route.stretches() == [route.distance]


@pytest.mark.rule("MOVE-5")
@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), shape=st.sampled_from(SHAPES), regions=st.integers(1, 9))
def test_ways_are_as_short_as_networkx_finds_them(seed: int, shape: str, regions: int) -> None:
    given = planet(shape=shape, regions=regions, sectors_per_region=2)
    atlas = Atlas(generate(given, Chance(seed)))
    start, end = "r1/s1", f"r{regions}/s2"
    route = atlas.route(start, end)
    best = nx.dijkstra_path_length(atlas.graph, start, end, weight="distance")
    assert route.distance == pytest.approx(best)
    assert atlas.route(end, start).distance == pytest.approx(best)


@pytest.mark.rule("MAP-2")
@pytest.mark.reading("planet.distance=per_mission")
def test_a_rolled_distance_stretches_every_part_of_the_way() -> None:
    route = drawn(("a", "b", 4)).route("a/s", "b/s")
    assert route.stretches() == [3, 6]
    assert route.stretches(18.0) == [9, 18]


@pytest.mark.rule("MOVE-5", "MAP-1")
def test_regions_without_a_way_between_them_are_out_of_reach() -> None:
    atlas = drawn(("a", "b", 1), ("c", "d", 1))
    assert atlas.reaches("a/s", "b/s")
    assert not atlas.reaches("a/s", "c/s")
    with pytest.raises(nx.NetworkXNoPath):
        atlas.route("a/s", "c/s")


@pytest.mark.rule("MOVE-5")
def test_an_edge_too_short_to_count_beside_the_rest_ends_no_walk_in_a_circle() -> None:
    try:
        atlas = drawn(("a", "b", 1e-20), ("b", "c", 1.0))
    except MapError:
        return  # refusing such a map is right as well
    left = {"c": 0.0, "b": 1.0, "a": 1.0}  # 1 + 1e-20 is 1 in floats
    walk = atlas._walk("a", "c", left)
    assert [at for at, _ in zip(walk, range(5), strict=False)] == ["a", "b", "c"]


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.rule("MAP-1")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("write", "name"), [(graphml, "m.graphml"), (node_link, "m.json")])
def test_a_map_comes_back_from_its_file_as_it_was(
    shape: str, write: Callable[[nx.Graph[str]], str], name: str
) -> None:
    graph = checked(generate(planet(shape=shape, regions=5, sectors_per_region=3), Chance(8)))
    back = parse(write(graph), name)
    assert all(back.nodes[node] == graph.nodes[node] for node in graph)
    assert list(back) == list(graph)
    assert nx.utils.edges_equal(back.edges(data=True), graph.edges(data=True))
    ways, again = Atlas(graph), Atlas(back)
    assert again.sectors == ways.sectors
    assert again.route("r1/s1", "r5/s3") == ways.route("r1/s1", "r5/s3")


def small_file(**changes: Any) -> str:
    """A node-link map of one region and one sector, changed here and there."""
    facts: dict[str, Any] = {
        "nodes": [{"id": "r1", "kind": "region"}, {"id": "r1/s1", "kind": "sector"}],
        "edges": [{"source": "r1", "target": "r1/s1", "distance": 3}],
    }
    return json.dumps(facts | changes)


@pytest.mark.rule("MAP-1")
def test_a_bare_map_gets_the_plainest_land() -> None:
    graph = parse(small_file(), "m.json")
    assert graph.nodes["r1"]["difficulty"] == graph.nodes["r1/s1"]["difficulty"] == 3
    assert graph.nodes["r1"]["landscape"] == "plains"
    assert graph.nodes["r1"]["climate"] == "temperate"
    assert graph.nodes["r1/s1"]["region"] == "r1"


@pytest.mark.rule("MAP-1", "MAP-2")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("not json", "cannot be read"),
        (small_file(nodes=[{"id": "r1"}, {"id": "r1/s1", "kind": "sector"}]), "has no kind"),
        (small_file(edges=[]), "0 edges"),
        (small_file(edges=[{"source": "r1", "target": "r1/s1"}]), "distance None"),
        (small_file(edges=[{"source": "r1", "target": "r1/s1", "distance": 0}]), "distance 0"),
        (small_file(edges=[{"source": "r1", "target": "r1/s1", "distance": "x"}]), "distance 'x'"),
        (small_file(nodes=[{"id": "r1", "kind": "region"}], edges=[]), "no sector"),
        (
            small_file(
                nodes=[{"id": "r1", "kind": "region"}, {"id": "s1", "kind": "sector"}],
                edges=[{"source": "r1", "target": "s1", "distance": 3}],
            ),
            "lies in",
        ),
    ],
)
def test_what_is_no_map_is_refused_with_the_place_and_what_would_be_right(
    text: str, says: str
) -> None:
    with pytest.raises(MapError, match=says) as caught:
        parse(text, "m.json")
    assert str(caught.value).startswith("planet.map: ")
    assert "; " in str(caught.value)


@pytest.mark.rule("MAP-1")
def test_a_sector_on_two_regions_is_refused() -> None:
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(["a", "b"], kind="region")
    graph.add_node("a/s", kind="sector")
    graph.add_edge("a", "a/s", distance=1)
    graph.add_edge("b", "a/s", distance=1)
    with pytest.raises(MapError, match="2 edges"):
        checked(graph)
