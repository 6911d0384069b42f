"""Every kind of event happens in a run, and says what its kind promises."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from worldsim.events.kinds import AnyEvent, DiceRolled, Event
from worldsim.runs import open_branch, simulate
from worldsim.runs.driver import drive
from worldsim.scenario import load, load_text
from worldsim.scenario.shipped import find

HARSH = Path(__file__).parents[1] / "replay" / "harsh.toml"
KINDS: tuple[type[Event | DiceRolled], ...] = get_args(AnyEvent)


def told(source: str | Path, days: int | None = None) -> list[Event | DiceRolled]:
    events: list[Event | DiceRolled] = []
    simulate(load(source), days=days, level="debug", on_event=events.append)
    return events


DATED = """
[campaign.stop]
stored = { ferrite = 1 }
[[interventions]]
name = "closed for a day"
day = 2
until = 2
set = { "planet.closed" = ["r1/s2"] }
"""


def dated() -> list[Event | DiceRolled]:
    """A run in which something changes for a day, and that ends by a condition."""
    events: list[Event | DiceRolled] = []
    text = find("lone_colony").read_text(encoding="utf-8") + DATED
    eager = load_text(text)
    simulate(eager, on_event=events.append)
    return events


def branched() -> list[Event | DiceRolled]:
    """A run that goes on with other stock than its parent."""
    events: list[Event | DiceRolled] = []
    parent = simulate(load("lone_colony"), days=2)
    stocks = {"r1": {"ferrite": 1}}
    drive(open_branch(parent, parent.scenario, at=1, stocks=stocks, on_event=events.append))
    return events


HARSH_EVENTS, FRONTIER_EVENTS = "harsh", "contested_frontier"


@pytest.fixture(scope="module", name="all_events")
def _all_events() -> dict[str, list[Event | DiceRolled]]:
    return {
        HARSH_EVENTS: told(HARSH),
        FRONTIER_EVENTS: told("contested_frontier", 120),
        "branched": branched(),
        "dated": dated(),
    }


@pytest.fixture(params=[HARSH_EVENTS, FRONTIER_EVENTS], name="events")
def _events(
    request: pytest.FixtureRequest, all_events: dict[str, list[Event | DiceRolled]]
) -> list[Event | DiceRolled]:
    return all_events[request.param]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.__struct_config__.tag))
def test_a_kind_of_event_happens(
    kind: type[Event | DiceRolled], all_events: dict[str, list[Event | DiceRolled]]
) -> None:
    seen = [event for events in all_events.values() for event in events if type(event) is kind]
    assert seen, "let it happen in one of these, or take the kind away"
    assert {event.level for event in seen} == {kind.LEVEL}


def test_a_cause_comes_before_what_it_causes(events: list[Event | DiceRolled]) -> None:
    for event in events:
        if isinstance(event, DiceRolled):
            continue
        assert event.cause is None or 0 <= event.cause < event.seq


def test_a_roll_follows_the_event_it_belongs_to_and_is_counted(
    events: list[Event | DiceRolled],
) -> None:
    latest = -1
    for event in events:
        if isinstance(event, DiceRolled):
            assert 0 <= event.of <= latest
        else:
            latest = event.seq


def test_the_rolls_of_an_event_are_numbered_without_gap_or_repeat(
    events: list[Event | DiceRolled],
) -> None:
    numbers: dict[int, list[int]] = {}
    for event in events:
        if isinstance(event, DiceRolled):
            numbers.setdefault(event.of, []).append(event.n)
    assert numbers
    wrong = {of: each for of, each in numbers.items() if each != list(range(len(each)))}
    assert not wrong
