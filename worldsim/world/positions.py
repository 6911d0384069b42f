"""Where to draw the places of a map: it has lengths, but no coordinates."""

from __future__ import annotations

from itertools import combinations
from math import atan2, ceil, cos, hypot, pi, sin, sqrt
from typing import TYPE_CHECKING, TypeAlias

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldsim.world.atlas import Atlas

    Graph: TypeAlias = "nx.Graph[str]"

Point: TypeAlias = tuple[float, float]

GROUP_RADIUS = 1.0
"""The sectors of a region lie no farther than this from it."""
APART = 2.6
"""Regions are at least this far from each other, so that their groups do not meet."""
RING = 12  # sectors that stand in a ring; more fill a disc
CORE = 0.3  # of the disc's radius, left free
MOST_EXACT = 80  # regions laid out by their distances; more by springs, which is quicker
FEW = 6  # regions for which it does not matter what a layout begins with
ASIDE = 0.02
MOST_LAID_OUT = 300  # regions; more stand in rows, as layouts take minutes
WIDEST = 2.5  # times the side of a square in which the regions would fit
SLIM = 0.2  # of the width: a lower layout is a line
LOPSIDED = 0.1  # how much longer than wide a layout has to be to be turned
GOLDEN = pi * (3 - sqrt(5))


def positions(atlas: Atlas) -> dict[str, Point]:
    """A point for each region and sector, the same for the same map.

    How regions are joined is shown, lengths are not: regions stand `APART` at least, and the
    sectors of each within `GROUP_RADIUS` of it. y grows upwards.
    """
    found: dict[str, Point] = {}
    for region, (x, y) in _regions(atlas).items():
        found[region] = (x, y)
        own = atlas.sectors_of[region]
        for number, sector in enumerate(own):
            away, angle = _within(number, len(own))
            found[sector] = (x + away * cos(angle), y + away * sin(angle))
    return found


def _within(number: int, count: int) -> Point:
    """Distance and angle of a sector from its region: a ring from the top on, or a sunflower."""
    if count <= RING:
        return GROUP_RADIUS * 0.8, pi / 2 - 2 * pi * number / count
    core = CORE * CORE  # even areas, but for a hole in the middle, where the region is
    return GROUP_RADIUS * sqrt(core + (1 - core) * (number + 0.5) / count), number * GOLDEN


def _regions(atlas: Atlas) -> dict[str, Point]:
    """Where the regions stand, in their order."""
    graph: Graph = nx.Graph()
    graph.add_nodes_from(atlas.regions)  # in this order: that of a subgraph is none
    graph.add_edges_from(sorted(atlas.graph.subgraph(atlas.regions).edges))
    if len(graph) > MOST_LAID_OUT:
        return _in_rows({name: (float(n), -float(n)) for n, name in enumerate(graph)})
    placed = _turned(_laid_out(graph))
    nearest = min((_distance(a, b) for a, b in combinations(placed.values(), 2)), default=1.0)
    if nearest > 0:
        spread = {
            name: (x * APART / nearest, y * APART / nearest) for name, (x, y) in placed.items()
        }
        if max(_width(spread), _height(spread)) <= WIDEST * APART * (sqrt(len(spread)) + 1):
            return spread
    return _folded(placed) if _height(placed) < SLIM * _width(placed) else _in_rows(placed)


def _laid_out(graph: Graph) -> dict[str, Point]:
    if len(graph) <= MOST_EXACT:
        hops = {a: dict(row) for a, row in nx.all_pairs_shortest_path_length(graph)}
        far = 1 + max(max(row.values()) for row in hops.values())
        every = {a: {b: row.get(b, far) for b in graph} for a, row in hops.items()}
        found = nx.kamada_kawai_layout(graph, dist=every, pos=_start(graph))
    else:
        found = nx.spring_layout(graph, seed=1, pos=nx.circular_layout(graph))
    return {name: (float(found[name][0]), float(found[name][1])) for name in graph}


def _start(graph: Graph) -> dict[str, Point]:
    """What the exact layout begins with; from a circle it takes long to open a line."""
    circle = nx.circular_layout(graph)
    if not nx.is_connected(graph) or len(graph) <= FEW:
        return {name: (float(circle[name][0]), float(circle[name][1])) for name in graph}
    by_joins = nx.spectral_layout(graph)
    # Regions that are joined to the same ones would coincide.
    return {
        name: (float(x + ASIDE * circle[name][0]), float(y + ASIDE * circle[name][1]))
        for name, (x, y) in by_joins.items()
    }


def _turned(placed: Mapping[str, Point]) -> dict[str, Point]:
    """The layout about its middle, its longest side along x; as it is where it has none."""
    count = len(placed)
    middle_x = sum(x for x, _ in placed.values()) / count
    middle_y = sum(y for _, y in placed.values()) / count
    moved = {name: (x - middle_x, y - middle_y) for name, (x, y) in placed.items()}
    xx = sum(x * x for x, _ in moved.values())
    yy = sum(y * y for _, y in moved.values())
    xy = sum(x * y for x, y in moved.values())
    if hypot(2 * xy, xx - yy) <= LOPSIDED * (xx + yy):
        return moved
    angle = -atan2(2 * xy, xx - yy) / 2
    turn, lift = cos(angle), sin(angle)
    return {name: (x * turn - y * lift, x * lift + y * turn) for name, (x, y) in moved.items()}


def _in_rows(placed: Mapping[str, Point]) -> dict[str, Point]:
    """The regions in rows, near where they were: for maps too dense for their layout."""
    per_row = ceil(sqrt(len(placed)))
    downwards = sorted(placed, key=lambda name: -placed[name][1])
    rows = [downwards[n : n + per_row] for n in range(0, len(downwards), per_row)]
    found = {
        name: (APART * column, -APART * row)
        for row, names in enumerate(rows)
        for column, name in enumerate(sorted(names, key=lambda name: placed[name][0]))
    }
    return {name: found[name] for name in placed}


def _folded(placed: Mapping[str, Point]) -> dict[str, Point]:
    """A long line of regions in rows, every other one from right to left."""
    per_row = ceil(sqrt(len(placed)))
    found = {}
    for number, name in enumerate(sorted(placed, key=lambda name: placed[name][0])):
        row, column = divmod(number, per_row)
        found[name] = (APART * (per_row - 1 - column if row % 2 else column), -APART * row)
    return {name: found[name] for name in placed}


def _distance(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _width(placed: Mapping[str, Point]) -> float:
    across = [x for x, _ in placed.values()]
    return max(across) - min(across)


def _height(placed: Mapping[str, Point]) -> float:
    upwards = [y for _, y in placed.values()]
    return max(upwards) - min(upwards)
