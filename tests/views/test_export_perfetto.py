"""Traces hold what the run holds, as the library of the format itself reads them."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from forged_runs import HOSTILE, forged_run

import worldsim as ws
from worldsim.study.inputs import MissingExtraError
from worldsim.views.exports import export
from worldsim.views.exports.perfetto_trace import EVERYDAY, SECOND_NS, minute_ns

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.runs import Run

needs_perfetto = pytest.mark.needs("perfetto")
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


@pytest.fixture(scope="module", name="frontier")
def _frontier() -> Run:
    return ws.simulate(ws.load("contested_frontier"), days=60)


def trace_of(run: Run, folder: Path) -> Any:
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace  # noqa: PLC0415 - an extra

    trace = Trace()
    trace.ParseFromString(export(run, "perfetto", folder / "run.pftrace").path.read_bytes())
    return trace


def events_of(trace: Any, kind: int) -> list[Any]:
    return [each for each in trace.packet if each.track_event.type == kind]


def tracks_of(trace: Any) -> dict[int, Any]:
    tracks = [each.track_descriptor for each in trace.packet if each.HasField("track_descriptor")]
    assert len({each.uuid for each in tracks}) == len(tracks)
    return {each.uuid: each for each in tracks}


@needs_perfetto
def test_each_event_that_is_not_everyday_has_one_mark(frontier: Run, tmp_path: Path) -> None:
    marks = Counter(
        each.track_event.name for each in events_of(trace_of(frontier, tmp_path), INSTANT)
    )
    kinds = Counter(json.loads(line)["event"] for line in frontier.lines())
    assert marks == {kind: count for kind, count in kinds.items() if kind not in EVERYDAY}


@needs_perfetto
def test_each_team_has_a_track_under_its_colony(frontier: Run, tmp_path: Path) -> None:
    tracks = tracks_of(trace_of(frontier, tmp_path))
    teams = {team for (team,) in frontier.query("SELECT DISTINCT team FROM teams").fetchall()}
    found = {
        f"{tracks[each.parent_uuid].name.removeprefix('colony ')}/{each.name}"
        for each in tracks.values()
        if each.parent_uuid and tracks[each.parent_uuid].name.startswith("colony ")
    }
    assert found == teams


@needs_perfetto
def test_spells_follow_each_other_without_a_gap(frontier: Run, tmp_path: Path) -> None:
    trace = trace_of(frontier, tmp_path)
    open_since: dict[int, int] = {}
    ended: dict[int, int] = {}
    names: Counter[str] = Counter()
    spells = [p for p in trace.packet if p.track_event.type in {BEGIN, END}]
    for packet in spells:
        track = packet.track_event.track_uuid
        if packet.track_event.type == BEGIN:
            assert track not in open_since
            assert packet.timestamp == ended.get(track, packet.timestamp)
            open_since[track] = packet.timestamp
            names[packet.track_event.name] += 1
        else:
            assert packet.timestamp >= open_since.pop(track)
            ended[track] = packet.timestamp
    assert open_since == {}
    kinds = Counter(json.loads(line)["event"] for line in frontier.lines())
    assert names["out"] == kinds["team.departed"] > 0
    assert names["on site"] >= kinds["team.arrived"] - kinds["sector.contested"] > 0
    assert names["lost"] == kinds["team.lost"]
    assert names["in battle"] > 0
    assert names["resting"] > 0


@needs_perfetto
def test_the_lines_of_stock_end_with_what_is_left(frontier: Run, tmp_path: Path) -> None:
    trace = trace_of(frontier, tmp_path)
    tracks = tracks_of(trace)
    last: dict[tuple[str, str], int] = {}
    for packet in events_of(trace, COUNTER):
        track = tracks[packet.track_event.track_uuid]
        assert track.counter.unit_name == "units"
        last[tracks[track.parent_uuid].name, track.name] = packet.track_event.counter_value
    summary = frontier.summary()
    for by, stocks in (("ingredient", summary.by_ingredient), ("region", summary.by_region)):
        for name, stock in stocks.items():
            assert last[f"in the ground, by {by}", name] == stock.left


@needs_perfetto
def test_a_mark_tells_all_that_the_event_tells(frontier: Run, tmp_path: Path) -> None:
    gathered = [
        each for each in events_of(trace_of(frontier, tmp_path), INSTANT)
        if each.track_event.name == "team.gathered"
    ]  # fmt: skip
    lines = [json.loads(line) for line in frontier.lines()]
    told = [line for line in lines if line["event"] == "team.gathered"]
    for packet, line in zip(gathered, told, strict=True):
        notes = {each.name: each for each in packet.track_event.debug_annotations}
        assert packet.timestamp == line["t"] * 60 * SECOND_NS
        assert notes["seq"].int_value == line["seq"]
        assert notes["place"].string_value == line["place"]
        taken = {each.name: each.int_value for each in notes["taken"].dict_entries}
        assert taken == line["taken"]


@needs_perfetto
def test_hostile_names_are_text_without_control_characters(tmp_path: Path) -> None:
    trace = trace_of(forged_run(), tmp_path)
    names = [each.name for each in tracks_of(trace).values()]
    names += [each.track_event.name for each in trace.packet if each.HasField("track_event")]
    assert all(name.isprintable() for name in names)
    members = {
        note.string_value
        for each in events_of(trace, INSTANT)
        for note in each.track_event.debug_annotations
        if note.name == "member"
    }
    assert members == set(HOSTILE)


@needs_perfetto
def test_a_trace_of_a_log_of_warnings_has_losses_and_stocks(tmp_path: Path) -> None:
    scenario = ws.load("contested_frontier", sets=["record.level=warning"])
    run = ws.simulate(scenario, days=60)
    trace = trace_of(run, tmp_path)
    assert len(events_of(trace, INSTANT)) == sum(1 for _ in run.lines()) > 0
    assert len(events_of(trace, COUNTER)) > 0


def test_a_campaign_too_long_for_the_clock_is_told_in_seconds(frontier: Run) -> None:
    assert minute_ns(frontier) == 60 * SECOND_NS
    frontier.manifest.days, days = 1_000_000, frontier.manifest.days
    try:
        assert minute_ns(frontier) == SECOND_NS
        assert 1_000_000 * 1440 * minute_ns(frontier) < 2**63
    finally:
        frontier.manifest.days = days


def test_without_the_library_the_message_says_what_to_install(
    frontier: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "perfetto", None)
    monkeypatch.setitem(sys.modules, "perfetto.trace_builder", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'worldsim\[export\]'"):
        export(frontier, "perfetto", tmp_path / "run.pftrace")
    assert list(tmp_path.iterdir()) == []
