"""A run as a trace for Perfetto's viewer: teams as tracks, what they do as slices, stocks as lines.

A minute of the campaign is a minute of the trace; in campaigns of more than 100 000 days, for which
the clock of a trace is too short, it is a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from worldsim.events import kinds
from worldsim.study.inputs import optional
from worldsim.views.cells import plain
from worldsim.views.exports.log import Log, kind_of, own_fields
from worldsim.views.pictures.lives import LEADS_TO, STATES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worldsim.events.kinds import AnyEvent
    from worldsim.runs import Run
    from worldsim.views.exports.log import Told

SECOND_NS = 1_000_000_000
LONGEST_DAYS = 100_000
DAY_MIN = 1440
MOST_REGIONS = 60
"""Regions up to which each has a line of its own."""
SEQUENCE = 1
EVERYDAY = frozenset({
    "campaign.started", "reserve.founded", "reserve.regrown", "weather.changed", "colony.fed",
    "team.moved", "team.endured", "team.searched", "team.waited", "team.rested",
    "team.contributed", "dice.rolled",
})  # fmt: skip
"""Kinds without a mark of their own: day after day the same, or told by slices and lines."""
SUBJECTS = ("team", "attacker", "winner")
CALLED = {state: name for state, name, _ in STATES}
CHANGES = """SELECT day, {by}, CAST(sum(change) AS BIGINT) FROM (
    SELECT day, {by}, "left" - coalesce(lag("left") OVER
        (PARTITION BY place, ingredient ORDER BY day), 0) AS change FROM stocks)
    GROUP BY ALL ORDER BY day, {by}"""


def write_perfetto(run: Run, path: Path, on_events: Told | None = None) -> dict[str, int]:
    """Write the trace, packet by packet.

    Returns:
        How many ``tracks``, ``slices`` (spells of a team in a state), ``instants`` (events that
        have a mark), ``counters`` (values of the lines of stock), and ``events_without_mark``.

    Raises:
        MissingExtraError: the library is not installed.
    """
    with optional("perfetto", "export", "exports to Perfetto"):
        from perfetto.trace_builder import (  # noqa: PLC0415 - an extra
            proto_builder,
        )
    with path.open("wb") as file:
        trace = _Trace(proto_builder.StreamingTraceProtoBuilder(file), minute_ns(run))
        log = Log(run, on_events, rolls=False)
        _Story(trace, run.manifest.campaign).tell(log)
        _draw_stocks(trace, run, "ingredient")
        if len(run.query("SELECT DISTINCT region FROM stocks").fetchall()) <= MOST_REGIONS:
            _draw_stocks(trace, run, "region")
    return trace.counts | {"events_without_mark": log.counts.total() - trace.counts["instants"]}


def minute_ns(run: Run) -> int:
    """Nanoseconds of the trace that a minute of the campaign takes."""
    return SECOND_NS if run.manifest.days > LONGEST_DAYS else 60 * SECOND_NS


class _Trace:
    """Packets on their way into a file.

    Args:
        builder: What encodes and writes them.
        minute_ns: How long a minute is.

    Attributes:
        counts: Of what was written.
    """

    def __init__(self, builder: Any, minute_ns: int) -> None:
        self._builder, self._minute_ns = builder, minute_ns
        self.counts = {"tracks": 0, "slices": 0, "instants": 0, "counters": 0}

    def track(self, name: str, parent: int | None = None, unit: str | None = None) -> int:
        """A new track; with a unit, one of numbers."""
        packet = self._packet()
        self.counts["tracks"] += 1
        track = packet.track_descriptor
        track.uuid = self.counts["tracks"]
        track.name = plain(name)
        if parent is not None:
            track.parent_uuid = parent
        if unit is not None:
            track.counter.unit_name = unit
        self._builder.write_packet(packet)
        return self.counts["tracks"]

    def begin(self, track: int, minute: int, name: str) -> None:
        """A slice begins."""
        self.counts["slices"] += 1
        self._write(track, minute, "TYPE_SLICE_BEGIN", name)

    def end(self, track: int, minute: int) -> None:
        """The slice that began last on this track ends."""
        self._write(track, minute, "TYPE_SLICE_END")

    def mark(self, track: int, event: AnyEvent) -> None:
        """An event, with all it tells."""
        self.counts["instants"] += 1
        packet = self._event(track, event.t, "TYPE_INSTANT", kind_of(event))
        if not isinstance(event, kinds.DiceRolled):
            _note(packet.track_event.debug_annotations, "seq", event.seq)
        _note(packet.track_event.debug_annotations, "day", event.day)
        for name, value in own_fields(event):
            if value is not None:
                _note(packet.track_event.debug_annotations, name, value)
        self._builder.write_packet(packet)

    def count(self, track: int, minute: int, value: int) -> None:
        """A number from now on."""
        self.counts["counters"] += 1
        packet = self._event(track, minute, "TYPE_COUNTER")
        packet.track_event.counter_value = value
        self._builder.write_packet(packet)

    def _write(self, track: int, minute: int, kind: str, name: str | None = None) -> None:
        self._builder.write_packet(self._event(track, minute, kind, name))

    def _event(self, track: int, minute: int, kind: str, name: str | None = None) -> Any:
        packet = self._packet()
        packet.timestamp = minute * self._minute_ns
        packet.track_event.type = packet.track_event.Type.Value(kind)
        packet.track_event.track_uuid = track
        if name is not None:
            packet.track_event.name = name
        return packet

    def _packet(self) -> Any:
        packet = self._builder.create_packet()
        packet.trusted_packet_sequence_id = SEQUENCE
        return packet


def _note(notes: Any, name: str, value: Any) -> None:
    """A field of an event, amounts and lists with all that is in them."""
    note = notes.add()
    note.name = plain(name)
    match value:
        case bool():
            note.bool_value = value
        case int():
            note.int_value = value
        case float():
            note.double_value = value
        case dict():
            for key, units in value.items():
                _note(note.dict_entries, key, units)
        case list():
            for each in value:
                _note(note.array_values, "", each)
        case _:
            note.string_value = str(value)


@dataclass(slots=True)
class _Life:
    """A team's track, and what it is doing.

    Attributes:
        track: The track's number.
        state: A key of `CALLED`; None before its first.
        rested: The latest day of rest.
    """

    track: int
    state: str | None = None
    rested: int = 0


class _Story:
    """Turns a log into slices and marks.

    Args:
        trace: Where they go.
        campaign: Its name.
    """

    def __init__(self, trace: _Trace, campaign: str) -> None:
        self._trace = trace
        self._planet = trace.track(f"planet of {campaign}")
        self._colonies: dict[str, int] = {}
        self._lives: dict[str, _Life] = {}

    def tell(self, log: Log) -> None:
        """All of it. Slices that last end with the last event."""
        last = 0
        for event in log:
            last = event.t
            self._end_rest(event)
            if kind_of(event) not in EVERYDAY:
                self._trace.mark(self._track(event), event)
            for team, state in _changes(event):
                self._turn(self._life(team), state, event)
        for life in self._lives.values():
            if life.state is not None:
                self._trace.end(life.track, last)

    def _turn(self, life: _Life, state: str, event: AnyEvent) -> None:
        if state == "resting":
            life.rested = event.day
        if state == life.state:
            return
        if life.state is not None:
            self._trace.end(life.track, event.t)
        self._trace.begin(life.track, event.t, CALLED[state])
        life.state = state

    def _end_rest(self, event: AnyEvent) -> None:
        """Rest lasts for its day: a team that has rested enough is at home."""
        life = self._lives.get(getattr(event, "team", ""))
        if life is None or life.state != "resting" or event.day <= life.rested + 1:
            return
        until = min(life.rested * DAY_MIN, event.t)
        self._trace.end(life.track, until)
        self._trace.begin(life.track, until, CALLED["at_colony"])
        life.state = "at_colony"

    def _track(self, event: AnyEvent) -> int:
        """Where an event is marked: with its team, else with its colony, else with the planet."""
        for name in SUBJECTS:
            team = getattr(event, name, None)
            if team is not None:
                return self._life(team).track
        if isinstance(event, kinds.SectorSecured) and event.teams:
            return self._life(event.teams[0]).track
        colony = getattr(event, "colony", None)
        return self._planet if colony is None else self._colony(colony)

    def _life(self, team: str) -> _Life:
        if team not in self._lives:
            home, _, name = team.rpartition("/")
            self._lives[team] = _Life(self._trace.track(name, self._colony(home)))
        return self._lives[team]

    def _colony(self, name: str) -> int:
        if name not in self._colonies:
            self._colonies[name] = self._trace.track(f"colony {name}")
        return self._colonies[name]


def _changes(event: AnyEvent) -> Iterator[tuple[str, str]]:
    """Teams whose state an event changes, with the state it leaves them in."""
    state = LEADS_TO.get(kind_of(event))
    if state is None:
        return
    match event:
        case kinds.SectorContested():
            yield from ((team, state) for team in (event.team, *event.rivals))
        case kinds.BattleEnded():
            yield event.loser, state
        case kinds.SectorSecured():
            yield from ((team, state) for team in event.teams)
        case _:
            yield getattr(event, "team"), state  # noqa: B009 - all kinds left are of one team


def _draw_stocks(trace: _Trace, run: Run, by: str) -> None:
    """Units in the ground, as lines, by ingredient or by region; as of each day's midnight."""
    parent = trace.track(f"in the ground, by {by}")
    tracks: dict[str, int] = {}
    units: dict[str, int] = {}
    rows = run.rows(run.query(CHANGES.format(by=by)))
    for day, changes in groupby(rows, key=lambda row: row[0]):
        for _, name, change in changes:
            if name not in tracks:
                tracks[name] = trace.track(name, parent, unit="units")
            units[name] = units.get(name, 0) + change
            trace.count(tracks[name], day * DAY_MIN, units[name])
