"""What lies where on a map at one midnight, and the map as a graph that other programs read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldsim.errors import InputError
from worldsim.events import kinds
from worldsim.events.decoding import events_in
from worldsim.runs.maps import atlas_of_run
from worldsim.world.atlas import MapError, graphml, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldsim.runs import Run
    from worldsim.world.atlas import Atlas, Graph
    from worldsim.world.world import World

FOUNDED = b'{"event":"colony.founded"'
LEFT = """SELECT place, CAST(sum(first) AS BIGINT), CAST(sum(last) AS BIGINT) FROM (
    SELECT place, coalesce(any_value("left") FILTER (day = 0), 0) AS first,
        coalesce(arg_max("left", day) FILTER (day <= {day}), 0) AS last
    FROM stocks GROUP BY place, ingredient) GROUP BY place"""


class NotOnAnyDayError(InputError):
    """A day that a run does not have."""

    def __init__(self, run: str, day: int, last: int) -> None:
        super().__init__(run, day, last)
        self.run, self.day, self.last = run, day, last

    def __str__(self) -> str:
        return f"{self.run} has no day {self.day}; give one from 0 to {self.last}"


class UnwritableMapError(InputError):
    """A map with names that GraphML cannot hold, such as ones with control characters."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return (
            f"the map of {self.name} has names that GraphML cannot hold (control characters); "
            "rename those places, or give --out a name that ends in .png or .svg"
        )


@dataclass(frozen=True, slots=True)
class Ground:
    """A map, and what lies where at one midnight.

    Attributes:
        name: Of the run or scenario.
        day: 0 before the first dawn; None of a scenario, which nobody has simulated.
        atlas: The map.
        start, left: Units of all ingredients by place; what is not named has none.
        colonies: The sector of each.
    """

    name: str
    day: int | None
    atlas: Atlas
    start: Mapping[str, int]
    left: Mapping[str, int]
    colonies: Mapping[str, str]

    def share(self, place: str) -> float | None:
        """What is left of a place's start, in percent; None where nothing ever lay."""
        whole = max(self.start.get(place, 0), self.left.get(place, 0))
        return 100 * self.left.get(place, 0) / whole if whole else None


def ground_of_world(world: World) -> Ground:
    """The first morning of a world."""
    units = {
        place.id: sum(row) for place, row in zip(world.places, world.reserves.initial, strict=True)
    }
    colonies = {colony.id: colony.sector for colony in world.colonies}
    return Ground(world.scenario.campaign.name, None, world.atlas, units, units, colonies)


def ground_of_run(run: Run, day: int | None = None) -> Ground:
    """The midnight of a day of a run; the last one if None.

    Raises:
        NotOnAnyDayError: it has no such day.
        WorldsimError: it is damaged.
    """
    last = run.manifest.day
    at = last if day is None else day
    if not 0 <= at <= last:
        raise NotOnAnyDayError(run.name, at, last)
    atlas = atlas_of_run(run)
    rows = run.query(LEFT.format(day=at)).fetchall()
    return Ground(
        name=run.name,
        day=at,
        atlas=atlas,
        start={place: first for place, first, _ in rows},
        left={place: now for place, _, now in rows},
        colonies=_colonies(run, at),
    )


def _colonies(run: Run, day: int) -> dict[str, str]:
    """Where colonies stand; a log of warnings tells only of those that the scenario places."""
    made = {each.day for each in run.scenario.interventions if each.colonies and each.day <= day}
    founded = {
        event.colony: event.sector
        for on in sorted({0} | made)
        for line in run.day_lines(on, on)
        if line.startswith(FOUNDED)
        for event in events_in(line)
        if isinstance(event, kinds.ColonyFounded)
    }
    given = {each.id: each.sector for each in run.scenario.colonies if each.sector is not None}
    return founded or given


def graphml_of(ground: Ground) -> str:
    """The map as GraphML: it can be the ``map`` of a scenario.

    Places have ``units_start``, and ``units_left`` where the map is that of a run; sectors with a
    colony its name as ``colony``.

    Raises:
        UnwritableMapError: it cannot hold a name.
    """
    graph = _plain(ground.atlas.graph)
    homes = {sector: name for name, sector in ground.colonies.items()}
    for name, facts in graph.nodes(data=True):
        facts["units_start"] = ground.start.get(name, 0)
        if ground.day is not None:
            facts["units_left"] = ground.left.get(name, 0)
        if name in homes:
            facts["colony"] = homes[name]
    try:
        text = graphml(graph)
        again = parse(text, "map.graphml")
    except (MapError, ValueError) as error:
        raise UnwritableMapError(ground.name) from error
    if list(again) != list(graph) or _texts(again) != _texts(graph):
        raise UnwritableMapError(ground.name)
    return text


def _texts(graph: Graph) -> list[tuple[str, str, str]]:
    """All facts of places that are texts."""
    return [
        (node, name, fact)
        for node, facts in graph.nodes(data=True)
        for name, fact in sorted(facts.items())
        if isinstance(fact, str)
    ]


def _plain(graph: Graph) -> Graph:
    """A copy with those facts that are texts and numbers: others no GraphML holds."""
    copy: Graph = graph.copy()
    for _, facts in copy.nodes(data=True):
        _keep_plain(facts)
    for _, _, facts in copy.edges(data=True):
        _keep_plain(facts)
    copy.graph.clear()
    return copy


def _keep_plain(facts: dict[str, Any]) -> None:
    for name in [name for name, fact in facts.items() if not isinstance(fact, str | int | float)]:
        del facts[name]
