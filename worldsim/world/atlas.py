"""The map: regions and sectors as a networkx graph, and the ways through it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

from worldsim.errors import UnfitScenarioError
from worldsim.rules.travel import region_stretches, scaled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.chance import Chance
    from worldsim.scenario.model import Planet

    Graph: TypeAlias = "nx.Graph[str]"


SHORTEST, LONGEST = 1e-6, 1e9  # so that no edge is lost to rounding when lengths are added up


class MapError(UnfitScenarioError):
    """A map that cannot be travelled."""

    def __init__(self, given: str, right: str) -> None:
        super().__init__((("planet", "map"), given, right))
        self.args = (given, right)  # what pickle makes it from again


@dataclass(frozen=True, slots=True)
class Route:
    """A way from one sector to another.

    Attributes:
        edges: Length of each edge, from sector to sector.
        regions: The regions passed, in order.
    """

    edges: tuple[float, ...]
    regions: tuple[str, ...]

    @property
    def distance(self) -> float:
        """Length of the whole way."""
        return fsum(self.edges)

    def stretches(self, distance: float | None = None) -> list[float]:
        """Where the way through each region ends (MOVE-5), perhaps scaled to a ``distance``."""
        edges = self.edges if distance is None else scaled(self.edges, distance)
        return region_stretches(edges)


class Atlas:
    """A map and the shortest ways through it.

    Rule MAP-1 [us].

    Args:
        graph: Nodes have ``kind`` ("region" or "sector"), ``difficulty``, and regions
            ``landscape``, ``climate`` and ``wildlife``; sectors name their ``region``. Edges have a
            ``distance``.

    Attributes:
        regions: Ids, in the order of the graph.
        sectors: Ids, region by region.
        region_of: The region of each sector, and of each region itself.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        kinds = nx.get_node_attributes(graph, "kind")
        self.regions = [node for node in graph if kinds[node] == "region"]
        own = {region: [] for region in self.regions}  # type: dict[str, list[str]]
        for node in graph:
            if kinds[node] == "sector":
                own[graph.nodes[node]["region"]].append(node)
        self.sectors_of = own
        self.sectors = [sector for region in self.regions for sector in own[region]]
        self.region_of = {region: region for region in self.regions}
        self.region_of |= {s: region for region in self.regions for s in own[region]}
        self._between = graph.subgraph(self.regions)
        self._paths: dict[str, dict[str, tuple[str, ...]]] = {}

    def route(self, start: str, end: str) -> Route:
        """The shortest way between two sectors; of equal ones the first by name.

        Rule MOVE-5 [us].

        Raises:
            nx.NetworkXNoPath: no way leads there.
        """
        near, far = self.region_of[start], self.region_of[end]
        regions = self._region_path(near, far)
        nodes = (start, *regions, end)
        edges = tuple(float(self.graph.edges[a, b]["distance"]) for a, b in pairwise(nodes))
        return Route(edges, regions)

    def reaches(self, start: str, end: str) -> bool:
        """Whether any way leads from one sector to the other."""
        return bool(nx.has_path(self._between, self.region_of[start], self.region_of[end]))

    def _region_path(self, near: str, far: str) -> tuple[str, ...]:
        paths = self._paths.setdefault(near, {})
        if far not in paths:
            # Distances from the far end, so that the walk there can take the first name of equals.
            left = nx.single_source_dijkstra_path_length(self._between, far, weight="distance")
            if near not in left:
                raise nx.NetworkXNoPath(f"no way from {near} to {far}")
            paths[far] = tuple(self._walk(near, far, left))
        return paths[far]

    def _walk(self, near: str, far: str, left: dict[str, float]) -> Iterator[str]:
        at = near
        yield at
        while at != far:
            edges = self._between[at]
            best = min(edges[to]["distance"] + left[to] for to in edges)
            at = min(to for to in edges if edges[to]["distance"] + left[to] == best)
            yield at


def rolled(expression: str, stream: Iterator[float]) -> int:
    """The sum of an expression such as ``2d6+1``: one draw for each die."""
    total = 0
    for part in expression.replace(" ", "").split("+"):
        count, d, sides = part.partition("d")
        if d:
            total += sum(1 + int(next(stream) * int(sides)) for _ in range(int(count or 1)))
        else:
            total += int(count)
    return total


def generate(planet: Planet, chance: Chance) -> Graph:
    """A map of the shape asked for, its lengths rolled once.

    Rule MAP-1, MAP-2 [P].

    Args:
        planet: The scenario's ``[planet]``.
        chance: Draws landscape, climate and lengths, each keyed by the names it is for.
    """
    graph: Graph = nx.Graph()
    landscapes = list(planet.landscapes)
    for number in range(1, planet.regions + 1):
        region = f"r{number}"
        stream = chance.at("land", region, 0)
        landscape = landscapes[int(next(stream) * len(landscapes))]
        climate = planet.climates[int(next(stream) * len(planet.climates))]
        land = planet.landscapes[landscape]
        graph.add_node(
            region,
            kind="region",
            landscape=landscape,
            climate=climate,
            difficulty=land.difficulty,
        )
        if land.wildlife is not None:
            graph.nodes[region]["wildlife"] = land.wildlife
        _add_sectors(graph, region, planet, chance)
    for a, b in _shape(planet.shape, planet.regions, chance):
        near, far = f"r{a + 1}", f"r{b + 1}"
        length = rolled(planet.region_distance, chance.at("length", f"{near}-{far}", 0))
        graph.add_edge(near, far, distance=length)
    return graph


def _add_sectors(graph: Graph, region: str, planet: Planet, chance: Chance) -> None:
    for number in range(1, planet.sectors_per_region + 1):
        sector = f"{region}/s{number}"
        stream = chance.at("land", sector, 0)
        harder = int(next(stream) < planet.rough_sectors)
        difficulty = graph.nodes[region]["difficulty"] + harder
        graph.add_node(sector, kind="sector", region=region, difficulty=difficulty)
        length = rolled(planet.sector_distance, chance.at("length", f"{region}-{sector}", 0))
        graph.add_edge(region, sector, distance=length)


def _shape(shape: str, regions: int, chance: Chance) -> list[tuple[int, int]]:
    """Which regions are neighbours, by their numbers from 0: lower number first, ascending."""
    if shape == "star":
        return [(0, i) for i in range(1, regions)]
    if shape == "complete":
        return [(i, j) for i in range(regions) for j in range(i + 1, regions)]
    if shape == "grid":
        wide = max(1, round(regions**0.5))
        rows = [(i, i + 1) for i in range(regions - 1) if (i + 1) % wide]
        return sorted(rows + [(i, i + wide) for i in range(regions - wide)])
    if shape == "tree":  # each region hangs on an earlier one
        draws = [next(chance.at("tree", f"r{i + 1}", 0)) for i in range(1, regions)]
        return sorted((int(draw * i), i) for i, draw in enumerate(draws, 1))
    line = [(i, i + 1) for i in range(regions - 1)]
    closes = shape == "ring" and regions > 2  # noqa: PLR2004 - two are joined already
    return sorted([*line, (0, regions - 1)]) if closes else line


def parse(text: str, name: str) -> Graph:
    """A map from the text of a GraphML or node-link JSON file.

    Rule MAP-1 [us]; lengths are those of the file (MAP-2).

    Args:
        text: The file's content.
        name: The file's name: ``.graphml`` or ``.json`` says which it is.

    Raises:
        MapError: it is neither, or no map of regions and sectors.
    """
    try:
        if name.endswith(".graphml"):
            graph = nx.parse_graphml(text)
        else:
            graph = nx.node_link_graph(json.loads(text), edges="edges")
    except Exception as fault:
        # Readers of both formats fail in too many ways to list, and none is worldsim's fault.
        raise MapError(
            f"{name} cannot be read ({str(fault)[:80]})", "write GraphML or node-link JSON"
        ) from fault
    return checked(nx.Graph(graph))


def checked(graph: Graph) -> Graph:
    """The map, once each node and edge has what a map needs.

    Raises:
        MapError: the first thing that is missing.
    """
    for node, facts in graph.nodes(data=True):
        if facts.get("kind") not in {"region", "sector"}:
            raise MapError(f"node {node!r} has no kind", "kind is 'region' or 'sector'")
        facts.setdefault("difficulty", 3)
        if facts["kind"] == "region":
            facts.setdefault("landscape", "plains")
            facts.setdefault("climate", "temperate")
        else:
            _check_sector(graph, node, facts)
    for a, b, facts in graph.edges(data=True):
        length = facts.get("distance")
        if not isinstance(length, int | float) or not SHORTEST <= length <= LONGEST:
            right = f"a number from {SHORTEST:g} to {LONGEST:g}"
            raise MapError(f"edge {a} - {b} has distance {length!r}", right)
    if not any(facts["kind"] == "sector" for _, facts in graph.nodes(data=True)):
        raise MapError("the map has no sector", "at least one sector on a region")
    return graph


def _check_sector(graph: Graph, node: str, facts: dict[str, Any]) -> None:
    regions = [to for to in graph[node] if graph.nodes[to].get("kind") == "region"]
    if len(regions) != 1 or len(graph[node]) != 1:
        raise MapError(
            f"sector {node!r} has {len(graph[node])} edges", "one edge, to the region it lies in"
        )
    facts["region"] = regions[0]
    if not str(node).startswith(f"{regions[0]}/"):
        raise MapError(f"sector {node!r} lies in {regions[0]!r}", f"name it '{regions[0]}/…'")


def graphml(graph: Graph) -> str:
    """The map as GraphML."""
    return "\n".join(nx.generate_graphml(graph))


def node_link(graph: Graph) -> str:
    """The map as node-link JSON."""
    return json.dumps(nx.node_link_data(graph, edges="edges"), indent=1, sort_keys=True)
