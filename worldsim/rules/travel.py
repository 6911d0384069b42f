"""Moving: how far a day takes a team, and where it is on its way."""

from __future__ import annotations

from math import ceil, fsum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def progress(total: int, activities: int) -> float:
    """Distance covered in a day.

    Rule MOVE-1 [P]: fractions are kept.

    Args:
        total: Total score of Speed.
        activities: Activities of the day, Moving included.
    """
    return total / activities


def arrival_minute(remaining: float, made: float, march_min: int) -> int:
    """Minute of the day at which a team that gets there today arrives.

    Rule MOVE-2, DAY-1 [us]: a day's move is made at an even pace; the last minute of a day is the
    latest, so that arrivals belong to the day of the move.

    Args:
        remaining: Distance left at dawn, at most ``made``.
        made: Distance the day's move would cover.
        march_min: Minutes the whole move takes.
    """
    if made <= 0:
        return 1
    return max(1, min(1439, ceil(march_min * remaining / made)))


def leg_at(travelled: float, ends: Sequence[float]) -> int:
    """The stretch of the way on which a team stands.

    Rule MOVE-5 [us].

    Args:
        travelled: Distance from the start.
        ends: Where each stretch ends, ascending; a stretch is all of the way in one region.
    """
    for leg, end in enumerate(ends):
        if travelled < end:
            return leg
    return len(ends) - 1


def region_stretches(edges: Sequence[float]) -> list[float]:
    """Where the way through each region ends.

    Rule MOVE-5 [us]: half of an edge between regions belongs to the region left, half to the one
    entered.

    Args:
        edges: Lengths from sector to sector: sector-region, then region-region edges, then
            region-sector; at least the two sector edges.
    """
    ends: list[float] = []
    at = edges[0]
    for length in edges[1:-1]:
        ends.append(at + length / 2)
        at += length
    ends.append(at + edges[-1])
    return ends


def scaled(edges: Sequence[float], distance: float) -> list[float]:
    """The edges of a way stretched so that together they are ``distance`` long.

    Rule MAP-2 [P]: the reading in which the distance is rolled for each mission.
    """
    whole = fsum(edges)
    return [length * distance / whole for length in edges]
