"""Folding by itself: small logs written by hand, and real ones damaged on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from replayed import HARSH, midnights

from worldsim.events import kinds
from worldsim.events.folding import BrokenLogError, Tally, TeamTally, fold
from worldsim.scenario import load

if TYPE_CHECKING:
    from collections.abc import Callable


class Log:
    """Writes a log by hand: numbers, dates and levels are filled in."""

    def __init__(self) -> None:
        self.events: list[kinds.AnyEvent] = []
        self.add(kinds.ReserveFounded, place="r1", region="r1", pool="transition", stock={"nut": 9})
        self.add(kinds.ReserveFounded, place="r1/s1", region="r1", pool="sector", stock={"nut": 20})
        self.add(kinds.ReserveFounded, place="r1/s2", region="r1", pool="sector", stock={"ore": 5})
        self.add(
            kinds.ColonyFounded, colony="red", faction="red", sector="r1/s1", store={"nut": 10}
        )
        self.add(kinds.TeamFormed, team="red/a", colony="red", profile="ark", members=["ann", "bo"])

    def add(self, kind: Callable[..., kinds.AnyEvent], **fields: Any) -> None:
        seq = len(self.events)
        self.events.append(kind(seq, 0, 1, "info", None, **fields))

    def depart(self, **rations: int) -> None:
        self.add(
            kinds.TeamDeparted, team="red/a", mission="gather", target="r1/s2", policy="nearest",
            distance=4.0, rations=rations,
        )  # fmt: skip

    def endure(self, place: str, **meals: dict[str, int]) -> None:
        eaten: dict[str, dict[str, int]] = {
            "ate_rations": {},
            "ate_cargo": {},
            "foraged": {},
        } | meals
        self.add(
            kinds.TeamEndured, team="red/a", place=place, weather="clear", difficulty=3,
            successes=1, situation=90, efficiency=95, hungry_days=0, **eaten,
        )  # fmt: skip

    def gather(self, place: str, taken: dict[str, int], destroyed: dict[str, int]) -> None:
        self.add(
            kinds.TeamGathered, team="red/a", place=place, pool="sector", activity="gather",
            gathering_limit=9, kinds_present=3, units_found=3, units_tried=3, taken=taken,
            destroyed=destroyed, mishap="none",
        )  # fmt: skip

    def give_back(self, delivered: dict[str, int], rations: dict[str, int]) -> None:
        self.add(
            kinds.TeamReturned, team="red/a", colony="red", delivered=delivered, rations=rations,
            days_away=4, experience=1,
        )  # fmt: skip


@pytest.fixture(name="log")
def _log() -> Log:
    return Log()


@pytest.fixture(scope="module", name="lines")
def _lines() -> list[bytes]:
    *_, last = midnights(load(HARSH), 40)
    return last.lines


def test_a_team_that_leaves_stands_in_its_region_with_rations_out_of_the_store(log: Log) -> None:
    log.depart(nut=4)
    tally = fold(log.events)
    assert tally.teams["red/a"] == TeamTally(
        "red", "r1", ["ann", "bo"], status="outbound", rations={"nut": 4}
    )
    assert tally.stores == {"red": {"nut": 6}}


def test_units_taken_are_carried_and_destroyed_ones_are_lost(log: Log) -> None:
    log.depart()
    log.gather("r1/s2", {"ore": 3}, {"ore": 2})
    tally = fold(log.events)
    assert tally.stocks["r1/s2"] == {}
    assert tally.teams["red/a"].cargo == {"ore": 3}
    assert tally.lost == {"ore": 2}


def test_a_team_on_its_way_home_forages_in_the_region_and_not_where_it_turned(log: Log) -> None:
    log.depart()
    log.add(kinds.TeamArrived, team="red/a", sector="r1/s1")
    log.endure("r1/s1", foraged={"nut": 1})
    log.add(kinds.TeamTurnedBack, team="red/a", place="r1/s1", reason="idle", covered=4.0)
    log.endure("r1/s1", foraged={"nut": 2})
    tally = fold(log.events)
    assert tally.stocks["r1/s1"] == {"nut": 19}
    assert tally.stocks["r1"] == {"nut": 7}
    assert tally.eaten == {"nut": 3}


def test_what_is_brought_home_is_stored_and_the_team_stands_in_the_colony(log: Log) -> None:
    log.depart(nut=4)
    log.gather("r1/s2", {"ore": 3}, {})
    log.endure("r1/s2", ate_rations={"nut": 3})
    log.give_back({"ore": 3}, {"nut": 1})
    tally = fold(log.events)
    assert tally.stores == {"red": {"nut": 7, "ore": 3}}
    assert tally.teams["red/a"] == TeamTally("red", "r1/s1", ["ann", "bo"])
    assert tally.balance() == {}


@pytest.mark.rule("RES-6")
def test_units_that_appear_or_vanish_on_the_way_home_unbalance_the_books(log: Log) -> None:
    log.depart(nut=4)
    log.gather("r1/s2", {"ore": 3}, {})
    log.give_back({"ore": 5}, {"nut": 3})
    assert fold(log.events).balance() == {"ore": 2, "nut": -1}


@pytest.mark.rule("RES-6")
def test_a_lost_pack_that_is_not_named_as_lost_unbalances_the_books(log: Log) -> None:
    log.depart(nut=4)
    log.add(kinds.TeamPerished, team="red/a", place="r1", reason="never_found", lost={"nut": 3})
    tally = fold(log.events)
    assert tally.balance() == {"nut": -1}
    assert tally.teams["red/a"].status == "gone"


def test_the_dead_are_no_longer_among_the_members_and_recruits_are(log: Log) -> None:
    log.add(kinds.MemberDied, team="red/a", member="ann", harm="hunger")
    log.add(kinds.MemberRecruited, team="red/a", member="cy", role="leader")
    assert fold(log.events).teams["red/a"].members == ["bo", "cy"]


def test_nobody_dies_twice(log: Log) -> None:
    log.add(kinds.MemberDied, team="red/a", member="ann", harm="hunger")
    log.add(kinds.MemberDied, team="red/a", member="ann", harm="hunger")
    with pytest.raises(BrokenLogError, match=r"event 6: ann is not among the living of red/a"):
        fold(log.events)


def test_taking_more_than_there_is_names_the_event_and_the_units(log: Log) -> None:
    log.depart()
    log.gather("r1/s2", {"ore": 6}, {})
    with pytest.raises(BrokenLogError, match=r"event 6: 6 units of ore leave where 5 are"):
        fold(log.events)


def test_a_team_nobody_formed_is_refused(log: Log) -> None:
    log.add(kinds.TeamReformed, team="red/z", members=[])
    with pytest.raises(BrokenLogError, match="nobody founded 'red/z'"):
        fold(log.events)


def test_a_missing_line_is_noticed(lines: list[bytes]) -> None:
    with pytest.raises(BrokenLogError, match="event 200 should come here"):
        fold(lines[:200] + lines[201:])


def test_a_log_of_warnings_only_is_refused(lines: list[bytes]) -> None:
    with pytest.raises(BrokenLogError, match="whole log of level info"):
        fold(line for line in lines if b'"level":"warning"' in line)


def test_a_line_that_is_no_event_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"team\.danced"):
        fold([b'{"event":"team.danced","seq":0}\n'])


def test_bytes_text_and_decoded_events_fold_alike(lines: list[bytes]) -> None:
    events = [msgspec.json.decode(line, type=kinds.AnyEvent) for line in lines]
    whole = fold(lines)
    assert fold(line.decode() for line in lines) == whole
    assert fold(events) == whole


@pytest.mark.parametrize("cut", [0, 1, 57, 300])
def test_folding_in_two_parts_gives_the_same(lines: list[bytes], cut: int) -> None:
    first = fold(lines[:cut], onto=Tally())
    assert fold(lines[cut:], onto=first) == fold(lines)
