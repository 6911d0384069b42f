"""The log alone tells what the world came to."""

from __future__ import annotations

import pytest
from replayed import HARSH, midnights, tally_of

from worldsim.scenario import load

RUNS = [("lone_colony", 60), ("first_landing", 120), ("long_depletion", 20), (str(HARSH), 90)]
RUNS += [("contested_frontier", 120)]
IDS = ["lone_colony", "first_landing", "long_depletion", "harsh", "contested_frontier"]


@pytest.mark.rule("RES-6", "BAT-17")
@pytest.mark.parametrize(("name", "days"), RUNS, ids=IDS)
def test_folding_the_log_gives_the_world_at_every_midnight(name: str, days: int) -> None:
    seen = 0
    for day, _, tally, simulation in midnights(load(name), days):
        assert tally == tally_of(simulation, tally.day), f"at the end of day {day}"
        assert tally.balance() == {}, f"at the end of day {day}"
        seen = day
    assert seen == days


def test_the_harsh_world_puts_every_account_to_the_test() -> None:
    *_, last = midnights(load(HARSH), 90)
    tally = last.tally
    assert tally.eaten
    assert tally.lost
    assert tally.regrown
    statuses = {team.status for team in tally.teams.values()}
    assert {"gone", "at_colony"} <= statuses
    text = b"".join(last.lines)
    for field in (
        b'"found":{"',
        b'"lost":{"',
        b'"destroyed":{"',
        b'"foraged":{"',
        b'"ate_cargo":{"',
    ):
        assert field in text, field
    for kind in (b"team.reformed", b"member.recruited", b"colony.starved", b"team.found"):
        assert kind in text, kind


def test_the_contested_world_tells_of_defeats_control_and_battles_at_midnight() -> None:
    statuses: set[str] = set()
    for _, _, tally, _ in midnights(load("contested_frontier"), 120):
        statuses |= {team.status for team in tally.teams.values()}
    assert "in_battle" in statuses
    assert len(tally.control) > 3
    assert tally.lost


def test_rolls_do_not_change_what_a_log_folds_to() -> None:
    *_, quiet = midnights(load(HARSH), 30)
    *_, chatty = midnights(load(HARSH), 30, level="debug")
    assert len(chatty.lines) > len(quiet.lines)
    assert chatty.tally == quiet.tally
