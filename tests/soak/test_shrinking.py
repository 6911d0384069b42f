"""A fault put into the simulation is found by the soak, and the world that shows it made small."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest
import soak
from soaking.shrinking import shrink
from soaking.watching import Case, Failure, Seen, random_case, watch

from worldsim import build
from worldsim.world.ledger import Ledger
from worldsim.world.reserves import Reserves

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 20
take = Reserves.take


def leaving_one(self: Reserves, place: int, ingredient: int, wanted: int) -> int:
    """A fault: of two units or more that are taken, one is still there."""
    taken = take(self, place, ingredient, wanted)
    if taken > 1:
        self.left[place][ingredient] += 1
    return taken


@pytest.fixture
def _fault(monkeypatch: pytest.MonkeyPatch) -> None:
    if build() == "compiled":
        pytest.skip("compiled code cannot be replaced by a faulty one")
    monkeypatch.setattr(Reserves, "take", leaving_one)


def first_failing() -> tuple[int, Case, Failure]:
    for number in range(20):
        case = replace(random_case(SEED, number), midnights=(), on_disk=False)
        failure = watch(case).failure
        if failure is not None:
            return number, case, failure
    pytest.fail("no world showed it")


def tables(text: str, name: str) -> int:
    return len(tomllib.loads(text).get(name, []))


@pytest.mark.long
@pytest.mark.usefixtures("_fault")
def test_a_fault_is_caught_and_the_world_that_shows_it_becomes_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, case, failure = first_failing()
    found = shrink(case, failure, watch)
    small = found.case
    assert found.failure.kind == failure.kind
    assert "UnbalancedError" in failure.kind
    assert small.days <= failure.day
    assert len(small.text) < 1000 < len(case.text)
    assert tables(small.text, "ingredients") <= 2
    assert tables(small.text, "colonies") == 1
    assert watch(small).failure == found.failure, "it shows by itself"
    monkeypatch.undo()
    assert watch(small).failure is None, "without the fault it is a world like others"


@pytest.mark.usefixtures("_fault")
def test_the_checkers_catch_a_unit_too_many_when_the_code_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Ledger, "check", lambda *_, **__: None)
    *_, failure = first_failing()
    assert failure.check in {"world", "fold"}


@pytest.mark.long
@pytest.mark.usefixtures("_fault")
def test_the_command_prints_how_to_see_a_failure_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    number, _, failure = first_failing()
    monkeypatch.setattr(soak, "shrink", partial(shrink, seconds=0.5))
    again = ["--seed", str(SEED), "--world", str(number)]
    assert soak.main([*again, "--workers", "1"]) == 1
    told = capsys.readouterr().out
    assert f"python tools/soak.py {' '.join(again)}\n" in told
    assert failure.what in told
    assert "schema = 1" in told
    assert "1 failed" in told


def test_the_command_counts_what_the_worlds_went_through(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert soak.main(["--worlds", "2", "--days", "9", "--workers", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["worlds"]
    assert (told["worlds"], told["failed"]) == (2, [])
    assert told["resumed"] >= 4
    assert told["replayed"] == 2
    assert told["events"]["campaign.started"] == 2


def fails_if(kind: Callable[[str], str | None]) -> Callable[[Case], Seen]:
    def watched(case: Case) -> Seen:
        what = kind(case.text)
        return Seen(failure=None if what is None else Failure("run", what, case.days))

    return watched


def test_a_world_does_not_become_one_that_fails_in_another_way() -> None:
    text = 'kept = "x"\nlost = 9\n[[many]]\na = 1\n[[many]]\nb = 8\n[[many]]\nc = 1\n'

    def kind(text: str) -> str | None:
        data = tomllib.loads(text)
        if "kept" not in data:
            return "another fault"
        return "this fault" if any("b" in each for each in data.get("many", ())) else None

    watched = fails_if(kind)
    found = shrink(Case(text, 40, (3, 9)), Failure("run", "this fault", 40), watched, fits=bool)
    assert tomllib.loads(found.case.text) == {"kept": "x", "many": [{"b": 1}]}
    assert found.failure.what == "this fault"
    assert found.case.days == 1


def test_failures_that_differ_in_names_and_numbers_only_are_of_one_kind() -> None:
    one = Failure("log", "colony_0/team_1 is homeward\n{…}", 7)
    other = Failure("log", "colony_2/team_0_1 is homeward\n{…}", 31)
    assert one.kind == other.kind != Failure("log", "colony_2/team_0_1 is on_site", 7).kind
    assert one.kind != Failure("world", one.what, 7).kind
