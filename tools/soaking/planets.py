"""Random planets: every generated shape, and maps as a file would give them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import networkx as nx

from worldsim.scenario.model import Planet

if TYPE_CHECKING:
    import random

SHAPES = get_args(Planet.model_fields["shape"].annotation)
CLIMATES = ("temperate", "arid", "frozen", "tropical")
SHARE_OF_FILES = 0.25
SHARE_OF_ISLANDS = 0.2


class Land(NamedTuple):
    """A planet's table, and the sectors that people can live in or walk to."""

    planet: dict[str, Any]
    sectors: list[str]


def random_land(draw: random.Random) -> Land:
    """A planet of at most four regions of at most four sectors."""
    if draw.random() < SHARE_OF_FILES:
        return _from_file(draw)
    regions, sectors = draw.randint(1, 4), draw.randint(1, 4)
    planet = _table(draw) | {
        "shape": draw.choice(SHAPES),
        "regions": regions,
        "sectors_per_region": sectors,
        "sector_distance": draw.choice(("1", "d6", "2d6")),
        "region_distance": draw.choice(("1", "d4+2")),
        "landscapes": {
            name: {"difficulty": draw.randint(1, 6), "wildlife": draw.choice((0.0, 0.1, 0.6))}
            for name in ("moor", "dune")[: draw.randint(1, 2)]
        },
        "climates": draw.sample(CLIMATES, draw.randint(1, 4)),
        "rough_sectors": draw.choice((0.0, 0.25, 1.0)),
    }
    if draw.random() < 0.3:
        planet["region_weights"] = [draw.choice((0.0, 1.0, 2.5)) for _ in range(regions - 1)] + [
            1.0
        ]
    return Land(planet, [f"r{r + 1}/s{s + 1}" for r in range(regions) for s in range(sectors)])


def _table(draw: random.Random) -> dict[str, Any]:
    return {
        "distance": draw.choice(("graph", "graph", "per_mission")),
        "mission_distance": draw.choice(("4d6", "d6", "3")),
    }


def _from_file(draw: random.Random) -> Land:
    """A map that no shape gives: uneven regions, lengths of any kind, maybe an island."""
    graph: nx.Graph[str] = nx.Graph()
    regions = [f"land_{n}" for n in range(draw.randint(1, 4))]
    for region in regions:
        _add_region(draw, graph, region)
    for n, region in enumerate(regions[1:], 1):
        for other in sorted({draw.choice(regions[:n]), draw.choice(regions[:n])}):
            graph.add_edge(region, other, distance=draw.choice((0.5, 1, 2.25, 7)))
    sectors = sorted(node for node, kind in graph.nodes(data="kind") if str(kind) == "sector")
    if draw.random() < SHARE_OF_ISLANDS:
        _add_region(draw, graph, "island")
    if draw.random() < 0.5:
        name, text = "soak.json", json.dumps(nx.node_link_data(graph, edges="edges"))
    else:
        name, text = "soak.graphml", "\n".join(nx.generate_graphml(graph))
    return Land(_table(draw) | {"map": name, "map_text": text}, sectors)


def _add_region(draw: random.Random, graph: nx.Graph[str], region: str) -> None:
    facts: dict[str, Any] = {"difficulty": draw.randint(1, 6), "climate": draw.choice(CLIMATES)}
    if draw.random() < 0.5:
        facts["wildlife"] = draw.choice((0.0, 0.1, 0.6))
    graph.add_node(region, kind="region", **facts)
    for n in range(draw.randint(1, 4)):
        sector = f"{region}/s{n}"
        graph.add_node(sector, kind="sector", difficulty=draw.randint(1, 6))
        graph.add_edge(region, sector, distance=draw.choice((0.5, 1, 3.75, 6)))
