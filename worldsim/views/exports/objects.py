"""What an object-centric log calls objects: which take part in an event, and what is known of each.

Only what some event names is an object, so each takes part in at least one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from worldsim.events import kinds
from worldsim.runs.maps import atlas_of_run
from worldsim.views.exports.log import Log, as_json, kind_of, own_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.events.kinds import AnyEvent
    from worldsim.runs import Run
    from worldsim.views.exports.log import Told

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
"""The first dawn; a minute of the campaign is a minute after it."""
FIRST = "1970-01-01T00:00:00Z"
"""The time at which the standard wants attributes that never change."""

TEAMS = frozenset(
    {"team", "unseen_by", "attacker", "defender", "winner", "loser", "rivals", "teams"}
)
PLACES = frozenset({"place", "sector", "target"})
AMOUNTS = frozenset({
    "stock", "store", "grown", "eaten", "removed", "added", "rations", "ate_rations", "ate_cargo",
    "foraged", "lost", "taken", "destroyed", "found", "delivered",
})  # fmt: skip
"""Fields of units by ingredient; other amounts are of something else."""
TYPES = ("campaign", "colony", "team", "region", "sector", "ingredient", "battle")
OBJECT_ATTRIBUTES: dict[str, dict[str, str]] = {
    "campaign": {"seed": "integer", "digest": "string"},
    "colony": {"faction": "string"},
    "team": {"profile": "string", "members": "string"},
    "region": {"landscape": "string", "climate": "string", "difficulty": "integer"},
    "sector": {"difficulty": "integer"},
    "ingredient": {"kind": "string", "rarity": "string"},
    "battle": {"ambush": "boolean", "assault": "boolean"},
}
"""Of each type of object its attributes and their types in OCEL."""


class Relation(NamedTuple):
    """An object, and the part it plays."""

    object: str
    qualifier: str


@dataclass(slots=True)
class Thing:
    """An object.

    Attributes:
        type: One of `TYPES`.
        attributes: By name, as `OBJECT_ATTRIBUTES` types them.
        relations: To other objects.
    """

    type: str
    attributes: dict[str, Any] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)


class Happening(NamedTuple):
    """An event.

    Attributes:
        id: ``event:`` and its ``seq``.
        type: Its kind.
        time: As ISO 8601.
        attributes: What it tells that is no object; units by ingredient as JSON.
        relations: Never none.
    """

    id: str
    type: str
    time: str
    attributes: dict[str, str | int | float | bool]
    relations: list[Relation]


class ObjectLog:
    """A run as events and objects. The objects are known when the events were read.

    Rolls of a log of level ``debug`` are part of their events, and left out.

    Args:
        run: As far as it came.
        on_events: Told now and then how many lines were read.

    Attributes:
        objects: By id, those named so far.
        log: With what was counted.
    """

    def __init__(self, run: Run, on_events: Told | None = None) -> None:
        self._run = run
        self.log = Log(run, on_events, rolls=False)
        self._atlas = atlas_of_run(run)
        self._regions = set(self._atlas.regions)
        self._ingredients = {each.id: each for each in run.scenario.ingredients}
        self._battles: dict[frozenset[str], str] = {}
        self._time = (-1, "")
        self.objects: dict[str, Thing] = {}

    def events(self) -> Iterator[Happening]:
        """The events, in their order.

        Raises:
            DamagedLogError: a line is none.
        """
        for event in self.log:
            if isinstance(event, kinds.DiceRolled):
                continue
            relations = list(self._relations(event))
            self._learn(event)
            attributes = dict(_attributes(event))
            yield Happening(f"event:{event.seq}", kind_of(event), self._at(event.t),
                            attributes, relations)  # fmt: skip

    def link(self) -> None:
        """Relate the objects to each other, once all events were read."""
        for name, thing in self.objects.items():
            thing.relations = [each for each in thing.relations if each.object in self.objects]
            if thing.type == "sector":
                region = self._atlas.region_of.get(name.partition(":")[2])
                if region is not None and f"region:{region}" in self.objects:
                    thing.relations.append(Relation(f"region:{region}", "lies in"))

    def _at(self, minute: int) -> str:
        if self._time[0] != minute:
            self._time = minute, time_of(minute)
        return self._time[1]

    def _relations(self, event: AnyEvent) -> Iterator[Relation]:
        """The objects of an event; the campaign where it names no other."""
        some = False
        for name, value in own_fields(event):
            for kind, named in self._named(name, value):
                some = True
                yield Relation(self._object(kind, named), name)
        battle = self._battle(event)
        if battle is not None:
            yield Relation(battle, "battle")
        if not some:
            yield Relation(self._object("campaign", self._run.manifest.campaign), "campaign")

    def _named(self, name: str, value: Any) -> Iterator[tuple[str, str]]:
        """The objects that a field names, with their types."""
        if name in TEAMS:
            values = value if isinstance(value, list) else [value]
            yield from (("team", each) for each in dict.fromkeys(values))
        elif name in PLACES:
            yield "region" if value in self._regions else "sector", value
        elif name in AMOUNTS:
            yield from (("ingredient", each) for each in value)
        elif name in {"region", "colony", "ingredient"}:
            yield name, value

    def _object(self, kind: str, name: str) -> str:
        """The id of an object, which from now on is one."""
        key = f"{kind}:{name}"
        if key not in self.objects:
            self.objects[key] = Thing(kind, self._known(kind, name))
        return key

    def _known(self, kind: str, name: str) -> dict[str, Any]:
        """What the scenario tells of an object."""
        if kind == "campaign":
            return {"seed": self._run.manifest.seed, "digest": self._run.manifest.digest}
        if kind == "ingredient" and name in self._ingredients:
            told = self._ingredients[name]
            return {"kind": told.kind, "rarity": told.rarity}
        if kind in {"region", "sector"} and name in self._atlas.graph:
            facts = self._atlas.graph.nodes[name]
            return {each: facts[each] for each in OBJECT_ATTRIBUTES[kind] if each in facts}
        return {}

    def _battle(self, event: AnyEvent) -> str | None:
        """The battle of an event: from its start to its end, between the same two in a sector."""
        match event:
            case kinds.BattleStarted():
                sides = frozenset({event.sector, event.attacker, event.defender})
                battle = self._object("battle", str(event.seq))
                told = {"ambush": event.ambush, "assault": event.assault}
                self.objects[battle].attributes |= told
                self.objects[battle].relations.append(
                    Relation(f"sector:{event.sector}", "fought in")
                )
                self._battles[sides] = battle
                return battle
            case kinds.BattleRoundFought():
                return self._battles.get(frozenset({event.sector, event.attacker, event.defender}))
            case kinds.BattleEnded():
                return self._battles.pop(frozenset({event.sector, event.winner, event.loser}), None)
        return None

    def _learn(self, event: AnyEvent) -> None:
        """What an event tells of the objects themselves."""
        match event:
            case kinds.TeamFormed():
                team = self.objects[f"team:{event.team}"]
                team.attributes |= {"profile": event.profile, "members": as_json(event.members)}
                team.relations.append(Relation(f"colony:{event.colony}", "comes from"))
            case kinds.ColonyFounded():
                colony = self.objects[f"colony:{event.colony}"]
                colony.attributes["faction"] = event.faction
                colony.relations.append(Relation(f"sector:{event.sector}", "stands in"))


def event_attributes(kind: str) -> dict[str, str]:
    """Of a kind of event its attributes and their types in OCEL."""
    from worldsim.events.schema import columns  # noqa: PLC0415 - only at the end

    typed = {"BIGINT": "integer", "DOUBLE": "float", "BOOLEAN": "boolean"}
    return {
        name: typed.get(column, "string")
        for name, column in columns([kind]).items()
        if name not in {"event", "seq", "t"} and not _is_relation(name)
    }


def time_of(minute: int) -> str:
    """A minute of the campaign as ISO 8601."""
    return (EPOCH + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _is_relation(name: str) -> bool:
    """Whether a field is told by its objects alone."""
    return name in TEAMS or name in PLACES or name in {"region", "colony", "ingredient"}


def _attributes(event: AnyEvent) -> Iterator[tuple[str, Any]]:
    yield "day", event.day
    yield "level", event.level
    cause = getattr(event, "cause", None)  # rolls have none
    if cause is not None:
        yield "cause", cause
    for name, value in own_fields(event):
        if value is not None and not _is_relation(name):
            yield name, as_json(value) if isinstance(value, dict | list) else value
