"""Maps: legible, deterministic, harmless whatever places are called, and read by others."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from itertools import combinations
from math import dist
from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from forged_runs import HOSTILE

import worldsim as ws
from worldsim.chance import Chance
from worldsim.scenario.model import Planet, Scenario
from worldsim.views.exports.writing import TakenError
from worldsim.views.ground import (
    Ground,
    NotOnAnyDayError,
    UnwritableMapError,
    graphml_of,
    ground_of_run,
    ground_of_world,
)
from worldsim.views.maps import draw
from worldsim.world.atlas import Atlas, checked, generate
from worldsim.world.build import build
from worldsim.world.positions import APART, GROUP_RADIUS, positions

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.runs import Run

SHAPES = ("ring", "line", "star", "grid", "complete", "tree")
needs_matplotlib = pytest.mark.needs("matplotlib")


def atlas_of(shape: Any, regions: int, sectors: int = 5) -> Atlas:
    planet = Planet(shape=shape, regions=regions, sectors_per_region=sectors)
    return Atlas(checked(generate(planet, Chance(1))))


@pytest.fixture(scope="module", name="landing")
def _landing() -> Run:
    return ws.simulate(ws.load("first_landing"), days=40)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("regions", [1, 2, 6, 9, 40])
def test_regions_stand_apart_and_sectors_by_their_region(shape: str, regions: int) -> None:
    atlas = atlas_of(shape, regions)
    at = positions(atlas)
    assert set(at) == {*atlas.regions, *atlas.sectors}
    middles = [at[region] for region in atlas.regions]
    assert all(dist(a, b) >= APART - 1e-6 for a, b in combinations(middles, 2))
    for sector in atlas.sectors:
        assert dist(at[sector], at[atlas.region_of[sector]]) <= GROUP_RADIUS + 1e-9
    assert len(set(at.values())) == len(at)


def test_many_regions_and_many_sectors_are_laid_out_too() -> None:
    at = positions(atlas_of("tree", 400, 30))
    assert len(set(at.values())) == 400 * 31


def test_regions_that_nothing_joins_are_laid_out_too() -> None:
    graph: nx.Graph[str] = nx.Graph()
    for name in "abcdefghi":
        graph.add_node(name, kind="region", difficulty=3)
    graph.add_node("a/1", kind="sector", region="a", difficulty=3)
    graph.add_edge("a", "a/1", distance=1)
    at = positions(Atlas(graph))
    assert all(dist(at[a], at[b]) >= APART - 1e-6 for a, b in combinations("abcdefghi", 2))


def test_a_ring_is_drawn_as_a_ring_without_crossings() -> None:
    atlas = atlas_of("ring", 6)
    at = positions(atlas)
    ways = [dist(at[f"r{n + 1}"], at[f"r{(n + 1) % 6 + 1}"]) for n in range(6)]
    assert max(ways) < 1.2 * min(ways)


def test_the_same_map_is_laid_out_alike_each_time() -> None:
    for shape in SHAPES:
        assert positions(atlas_of(shape, 12)) == positions(atlas_of(shape, 12))


def test_a_run_is_drawn_as_it_was_at_a_midnight(landing: Run) -> None:
    first, last = ground_of_run(landing, 0), ground_of_run(landing)
    assert first.left == first.start
    assert last.day == 40
    rows = landing.query('SELECT place, "left", day FROM stocks WHERE day <= 20').fetchall()
    middle = ground_of_run(landing, 20)
    assert sum(middle.left.values()) < sum(middle.start.values())
    assert {place for place, _, _ in rows} == {place for place, n in middle.start.items() if n}
    summary = landing.summary()
    assert sum(last.left.values()) == sum(each.left for each in summary.by_region.values())
    assert last.colonies == {"haven": "r1/s1", "anchor": last.colonies["anchor"]}
    for day in (-1, 41):
        with pytest.raises(NotOnAnyDayError, match="give one from 0 to 40"):
            ground_of_run(landing, day)


@needs_matplotlib
@pytest.mark.parametrize("form", ["png", "svg"])
def test_a_picture_is_the_same_bytes_again(landing: Run, tmp_path: Path, form: str) -> None:
    drawn = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.{form}"
        counts = draw(ground_of_run(landing), path)
        drawn.append(path.read_bytes())
    assert counts == {"regions": 6, "sectors": 30, "ways": 36, "colonies": 2}
    assert drawn[0] == drawn[1]
    assert drawn[0].startswith(b"<?xml" if form == "svg" else b"\x89PNG")


def words_of(svg: Path) -> list[str]:
    """The texts of a picture; that it can be parsed says that no name became markup."""
    root = ET.fromstring(svg.read_bytes())  # noqa: S314 - our own file
    assert not [each for each in root.iter() if each.tag.endswith(("script", "foreignObject"))]
    texts = [each for each in root.iter() if each.tag == "{http://www.w3.org/2000/svg}text"]
    return ["".join(each.itertext()) for each in texts]


@needs_matplotlib
def test_a_picture_names_places_and_colonies_and_says_what_colours_mean(
    landing: Run, tmp_path: Path
) -> None:
    draw(ground_of_run(landing), tmp_path / "map.svg")
    words = words_of(tmp_path / "map.svg")
    for each in ("r1", "r6", "s5", "haven in s1", "anchor in s2", "sector", "colony",
                 "stock left, % of the start"):  # fmt: skip
        assert each in words
    assert f"{landing.name}: what is left in the ground on day 40" in words


@needs_matplotlib
def test_names_are_thinned_where_there_are_too_many(tmp_path: Path) -> None:
    atlas = atlas_of("grid", 70, 10)
    ground = Ground("many", None, atlas, {"r1": 5}, {"r1": 5}, {"c": "r70/s1"})
    draw(ground, tmp_path / "map.svg")
    words = words_of(tmp_path / "map.svg")
    assert "(names of 10 regions and 700 sectors left out)" in words
    assert "r70" in words
    assert "r69" not in words
    assert "c in s1" in words
    assert "s1" not in words


def test_graphml_is_read_by_networkx(landing: Run, tmp_path: Path) -> None:
    ground = ground_of_run(landing)
    counts = draw(ground, tmp_path / "map.graphml")
    graph = nx.read_graphml(tmp_path / "map.graphml")
    kinds = nx.get_node_attributes(graph, "kind").values()
    assert sum(kind == "region" for kind in kinds) == counts["regions"] == 6
    assert sum(kind == "sector" for kind in kinds) == counts["sectors"] == 30
    assert graph.number_of_edges() == counts["ways"]
    assert nx.get_node_attributes(graph, "units_left") == {
        place: ground.left.get(place, 0) for place in graph
    }
    assert graph.nodes["r1/s1"]["colony"] == "haven"


def test_graphml_of_a_run_is_the_map_of_a_scenario_again(landing: Run, tmp_path: Path) -> None:
    draw(ground_of_run(landing), tmp_path / "map.graphml")
    text = (tmp_path / "map.graphml").read_text(encoding="utf-8")
    plain = landing.scenario.model_dump(by_alias=True)
    plain["planet"] |= {"map": "map.graphml", "map_text": text}
    world = build(Scenario.model_validate(plain), Chance(landing.manifest.seed))
    before = ground_of_run(landing)
    assert world.atlas.regions == before.atlas.regions
    assert world.atlas.sectors == before.atlas.sectors
    for a, b, facts in before.atlas.graph.edges(data=True):
        assert world.atlas.graph.edges[a, b]["distance"] == facts["distance"]
    assert ground_of_world(world).start == before.start


def hostile_atlas(names: tuple[str, ...]) -> Atlas:
    graph: nx.Graph[str] = nx.Graph()
    for n, name in enumerate(names):
        graph.add_node(name, kind="region", difficulty=3, landscape=name, climate=name)
        graph.add_node(f"{name}/{name}", kind="sector", region=name, difficulty=3)
        graph.add_edge(name, f"{name}/{name}", distance=1)
        if n:
            graph.add_edge(names[n - 1], name, distance=1)
    return Atlas(graph)


@needs_matplotlib
@pytest.mark.filterwarnings("error")
def test_hostile_names_are_words_of_a_picture_and_no_more(tmp_path: Path) -> None:
    for n in range(0, len(HOSTILE), 50):
        names = HOSTILE[n : n + 50]
        atlas = hostile_atlas(names)
        units = dict.fromkeys(names, 5)
        colonies = {name: f"{name}/{name}" for name in names}
        ground = Ground(names[0], 3, atlas, units, units, colonies)
        draw(ground, tmp_path / f"{n}.svg")
        draw(ground, tmp_path / f"{n}.png")
        words = words_of(tmp_path / f"{n}.svg")
        assert len(words) >= 3 * len(names)
        assert all(word.isprintable() for word in words)


def holds(name: str) -> bool:
    """Whether XML can hold a name and give it back: of control characters tab and line feed."""
    return all(each in "\t\n" or each >= " " for each in name)


@pytest.mark.parametrize("name", HOSTILE)
def test_graphml_keeps_a_hostile_name_or_says_that_it_cannot(name: str) -> None:
    ground = Ground("x", 1, hostile_atlas((name, "other")), {}, {}, {name: f"{name}/{name}"})
    if holds(name):
        graph = nx.parse_graphml(graphml_of(ground))
        assert set(graph) == {name, f"{name}/{name}", "other", "other/other"}
        assert graph.nodes[f"{name}/{name}"]["colony"] == name
    else:
        with pytest.raises(UnwritableMapError, match="control characters"):
            graphml_of(ground)


def test_facts_that_graphml_cannot_hold_are_left_out() -> None:
    atlas = hostile_atlas(("a", "b"))
    atlas.graph.nodes["a"]["list"] = [1, 2]
    atlas.graph.nodes["a"]["nothing"] = None
    graph = nx.parse_graphml(graphml_of(Ground("x", None, atlas, {}, {}, {})))
    assert "list" not in graph.nodes["a"]
    assert graph.nodes["a"]["landscape"] == "a"
    assert atlas.graph.nodes["a"]["list"] == [1, 2]


def test_a_map_overwrites_nothing(landing: Run, tmp_path: Path) -> None:
    there = tmp_path / "map.graphml"
    there.write_text("mine")
    with pytest.raises(TakenError):
        draw(ground_of_run(landing), there)
    assert there.read_text() == "mine"
    assert json.dumps([each.name for each in tmp_path.iterdir()]) == '["map.graphml"]'
