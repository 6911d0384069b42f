from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, get_args

import msgspec
import pytest
import structlog

from worldsim.events.journal import Journal
from worldsim.events.kinds import (
    AnyEvent,
    DiceRolled,
    Event,
    Level,
    TeamLost,
    TeamMoved,
    TeamWaited,
)
from worldsim.events.lines import NotANumberError


@dataclass
class Desk:
    """A journal with all that it wrote."""

    level: Level = "info"
    minute: int = 0
    lines: list[bytes] = field(default_factory=list)
    journals: list[Journal] = field(default_factory=list)
    seen: list[Event | DiceRolled] = field(default_factory=list)

    def write(self, lines: bytes) -> None:
        self.lines += lines.splitlines(keepends=True)

    def journal(self, *, listening: bool = True) -> Journal:
        on_event = self.seen.append if listening else None
        made = Journal(self.write, level=self.level, on_event=on_event, t=self.minute)
        self.journals.append(made)
        return made

    @property
    def written(self) -> list[bytes]:
        for each in self.journals:
            each.flush()
        return self.lines


WAITED: dict[str, Any] = {"team": "red/one", "place": "r1/s1"}
MOVED: dict[str, Any] = {
    "team": "red/one",
    "place": "r1/s1",
    "heading": "out",
    "progress": 1.5,
    "travelled": 3.0,
    "distance": 14.0,
}
LOST = {"team": "red/one", "place": "r1/s1", "reason": "situation"}
ROLL: dict[str, Any] = {
    "rule": "DICE-5",
    "how": "test",
    "pool": "2d6",
    "difficulty": 4,
    "made_of": {"step": 4},
    "draw": 0.25,
    "faces": [3, 5],
    "result": 1,
}


def tell(journal: Journal) -> list[int]:
    first = journal.record(TeamWaited, cause=None, **WAITED)
    journal.roll(first, 0, **ROLL)
    return [first, journal.record(TeamLost, cause=first, **LOST)]


def test_an_event_is_one_line_that_reads_back_as_the_same_event() -> None:
    desk = Desk(minute=4330)
    desk.journal().record(TeamMoved, cause=9, **MOVED)
    line = desk.written[0]
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    assert msgspec.json.decode(line, type=AnyEvent) == desk.seen[0]


def test_a_line_carries_number_minute_day_level_and_cause() -> None:
    desk = Desk(minute=4330)
    journal = desk.journal()
    journal.record(TeamWaited, cause=None, **WAITED)
    journal.record(TeamWaited, cause=0, **WAITED)
    assert json.loads(desk.written[1]) == {
        "event": "team.waited",
        "seq": 1,
        "t": 4330,
        "day": 4,
        "level": "info",
        "cause": 0,
        **WAITED,
    }
    assert b'"t":4330,' in desk.written[1]


def test_founding_events_belong_to_day_0_and_the_first_dawn_to_day_1() -> None:
    desk = Desk()
    journal = desk.journal()
    journal.day = 0
    journal.record(TeamWaited, cause=None, **WAITED)
    journal.turn_to(0)
    journal.record(TeamWaited, cause=None, **WAITED)
    journal.turn_to(1439)
    journal.record(TeamWaited, cause=None, **WAITED)
    journal.turn_to(1440)
    journal.record(TeamWaited, cause=None, **WAITED)
    assert [json.loads(line)["day"] for line in desk.written] == [0, 1, 1, 2]


def test_an_event_made_by_hand_is_written_as_a_recorded_one() -> None:
    recorded, noted = Desk(minute=4330), Desk(minute=4330)
    recorded.journal().record(TeamMoved, cause=9, **MOVED)
    journal = noted.journal()
    event = TeamMoved(journal.seq, journal.t, journal.day, "info", 9, **MOVED)
    assert (journal.note(event), journal.seq) == (0, 1)
    assert (noted.written, noted.seen) == (recorded.written, recorded.seen)
    quiet = Desk(level="warning")
    hushed = quiet.journal()
    hushed.note(TeamMoved(hushed.seq, hushed.t, hushed.day, "info", None, **MOVED))
    assert (len(quiet.seen), quiet.written, hushed.seq) == (1, [], 1)


@pytest.mark.parametrize(
    ("level", "kinds"),
    [
        ("debug", ["team.waited", "dice.rolled", "team.lost"]),
        ("info", ["team.waited", "team.lost"]),
        ("warning", ["team.lost"]),
    ],
)
def test_a_level_writes_its_own_and_graver_events(level: Level, kinds: list[str]) -> None:
    desk = Desk(level=level)
    tell(desk.journal())
    assert [json.loads(line)["event"] for line in desk.written] == kinds


def test_the_level_written_changes_no_number_and_no_line_of_info() -> None:
    levels: tuple[Level, ...] = get_args(Level)
    desks = {level: Desk(level=level) for level in levels}
    numbers = [tell(desk.journal()) for desk in desks.values()]
    assert numbers == [[0, 1]] * 3
    rolls_left_out = [line for line in desks["debug"].written if b"dice.rolled" not in line]
    assert rolls_left_out == desks["info"].written
    assert desks["warning"].written == desks["info"].written[1:]


def test_a_listener_hears_what_is_not_written() -> None:
    desk = Desk(level="warning")
    tell(desk.journal())
    assert [type(event) for event in desk.seen] == [TeamWaited, TeamLost]


def test_an_event_that_nobody_wants_is_not_even_built() -> None:
    desk = Desk(level="warning")
    journal = desk.journal(listening=False)
    assert journal.record(TeamWaited, cause=None, no_such_field=object()) == 0
    assert journal.seq == 1
    assert desk.written == []


def test_rolls_are_silent_unless_debugging() -> None:
    desk = Desk()
    journal = desk.journal()
    journal.roll(0, 0, no_such_field=object())
    assert not journal.debugging
    assert (desk.written, desk.seen, journal.seq) == ([], [], 0)


def test_a_roll_points_at_its_event_and_takes_no_number() -> None:
    desk = Desk(level="debug", minute=1500)
    journal = desk.journal()
    seq = journal.record(TeamWaited, cause=None, **WAITED)
    journal.roll(seq, 3, **ROLL)
    assert journal.seq == 1
    roll = msgspec.json.decode(desk.written[1], type=AnyEvent)
    assert roll == DiceRolled(0, 3, 1500, 2, "debug", **ROLL)


def test_a_journal_goes_on_counting_where_a_checkpoint_stopped() -> None:
    journal = Journal(Desk().write, seq=41)
    assert journal.record(TeamWaited, cause=40, **WAITED) == 41
    assert journal.seq == 42


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), float("-inf")])
def test_a_float_that_is_not_finite_is_refused_with_its_name(wrong: float) -> None:
    desk = Desk(level="debug")
    journal = desk.journal()
    with pytest.raises(NotANumberError, match=r"'team\.moved' has travelled = "):
        journal.record(TeamMoved, cause=None, **{**MOVED, "travelled": wrong})
    with pytest.raises(NotANumberError, match=r"'dice\.rolled' has draw = "):
        journal.roll(0, 0, **{**ROLL, "draw": wrong})
    assert desk.written == []


def test_what_is_no_plain_data_is_refused_and_never_written_as_its_repr() -> None:
    desk = Desk()
    journal = desk.journal()
    journal.record(TeamWaited, cause=None, team=object(), place="r1/s1")
    with pytest.raises(TypeError):
        journal.flush()
    assert desk.written == []


def test_a_journal_leaves_structlog_as_the_program_around_it_configured_it() -> None:
    before = structlog.get_config()
    desk = Desk()
    tell(desk.journal())
    assert not structlog.is_configured()
    assert structlog.get_config() == before


def test_names_with_newlines_and_other_scripts_stay_on_one_line() -> None:
    desk = Desk()
    desk.journal().record(TeamWaited, cause=None, team='a\n"b"\u2028', place="Großer Wald/1")
    assert desk.written[0].count(b"\n") == 1
    assert json.loads(desk.written[0])["team"] == 'a\n"b"\u2028'
