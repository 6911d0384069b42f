"""A branch shares its parent's history to the byte, and differs by what was changed alone."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from worldsim.errors import InputError, WorldsimError
from worldsim.runs import Run, open_branch, open_campaign, resume, simulate
from worldsim.runs.driver import drive
from worldsim.runs.places import free_folder, new_folder
from worldsim.runs.replaying import replayed
from worldsim.scenario import load

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.scenario import Scenario

DAYS, AT = 60, 25


def lone() -> Scenario:
    """Three teams for sixty days, in three parts."""
    return load(
        "lone_colony",
        sets=["campaign.seed=4", "record.segment_days=20", "colonies.0.policy=round_robin"],
    )


def changed(parent: Run, *sets: str) -> Scenario:
    assert parent.path is not None
    return load(parent.path / "scenario.toml", sets=sets)


@pytest.fixture(scope="module")
def parent(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return simulate(lone(), out=tmp_path_factory.mktemp("parent") / "lone-4")


def branch(parent: Run, out: Path, *sets: str, at: int = AT, **given: Any) -> Run:
    return drive(open_branch(parent, changed(parent, *sets), at=at, out=out, **given))


def days(run: Run, first: int, last: int) -> list[bytes]:
    return list(run.day_lines(first, last))


def test_the_history_is_the_parents_and_what_follows_is_not(parent: Run, tmp_path: Path) -> None:
    fork = branch(parent, tmp_path / "b", "rules.travel.march_min=300")
    assert days(fork, 0, AT) == days(parent, 0, AT)
    assert days(fork, AT + 1, DAYS) != days(parent, AT + 1, DAYS)
    told = fork.manifest.parent
    assert told is not None
    assert (told.run, told.day, told.digest) == (parent.name, AT, parent.manifest.digest)
    assert fork.manifest.digest != parent.manifest.digest
    assert fork.scenario.rules.travel.march_min == 300


def test_a_branch_that_changes_nothing_is_the_same_run(parent: Run, tmp_path: Path) -> None:
    fork = branch(parent, tmp_path / "b")
    assert list(fork.lines()) == list(parent.lines())
    for table in ("stocks", "takings", "teams"):
        assert fork.query(f"FROM {table}").fetchall() == parent.query(f"FROM {table}").fetchall()


def test_what_the_change_does_not_touch_keeps_its_dice(parent: Run, tmp_path: Path) -> None:
    """The weather does not know how long people march."""
    fork = branch(parent, tmp_path / "b", "rules.travel.march_min=300")
    a, b = (
        [
            e | {"seq": 0}
            for line in run.lines()
            if (e := json.loads(line))["event"] == "weather.changed"
        ]
        for run in (parent, fork)
    )
    assert a == b
    assert any(event["day"] > AT for event in a)


def test_stock_that_is_set_is_an_event_and_the_books_balance(parent: Run, tmp_path: Path) -> None:
    place = "r1"
    [(left,)] = parent.query(
        f"SELECT arg_max(\"left\", day) FROM stocks WHERE place = '{place}'"  # noqa: S608
        f" AND ingredient = 'ferrite' AND day <= {AT}"
    ).fetchall()
    assert left > 5
    fork = branch(parent, tmp_path / "b", stocks={place: {"ferrite": left - 5}})
    [line] = [line for line in fork.lines() if b'"reserve.adjusted"' in line]
    event = json.loads(line)
    assert (event["day"], event["place"]) == (AT + 1, place)
    assert (event["removed"], event["added"]) == ({"ferrite": 5}, {})
    # Every midnight of the branch was balanced, or it would have stopped.
    assert fork.manifest.status == "finished"


@pytest.mark.parametrize(
    "stopped",
    [*(pytest.param(d, marks=pytest.mark.long) for d in (10, AT - 1, 50)), AT, AT + 1],
)
def test_a_branch_resumes_to_the_same_whenever_it_stopped(
    stopped: int, parent: Run, tmp_path: Path
) -> None:
    sets, stocks = ("colonies.0.policy=nearest",), {"r1": {"ferrite": 3}}
    whole = branch(parent, tmp_path / "a", *sets, stocks=stocks)
    fork = open_branch(parent, changed(parent, *sets), at=AT, out=tmp_path / "b", stocks=stocks)
    for day in fork:
        if day == stopped:
            fork.stop()
    resumed = resume(tmp_path / "b")
    assert list(resumed.lines()) == list(whole.lines())
    assert resumed.query("FROM takings").fetchall() == whole.query("FROM takings").fetchall()


def test_days_before_and_after_the_fork_replay_as_they_were(parent: Run, tmp_path: Path) -> None:
    fork = branch(
        parent, tmp_path / "b", "rules.gathering.limit_by=number", stocks={"r1": {"ferrite": 3}}
    )
    wanted = [AT - 1, AT, AT + 1, AT + 2, DAYS]
    again = [line for line in replayed(fork, wanted) if b'"level":"debug"' not in line]
    assert again == [line for day in wanted for line in days(fork, day, day)]


def test_a_branch_can_be_branched_and_its_whole_history_is_kept(
    parent: Run, tmp_path: Path
) -> None:
    first = branch(parent, tmp_path / "b", "colonies.0.policy=nearest")
    second = branch(first, tmp_path / "c", "rules.gathering.one_success_cost=0", at=40)
    assert days(second, 0, 40) == days(first, 0, 40)
    assert [chapter.until for chapter in second.manifest.history] == [AT, 40]
    shutil.rmtree(tmp_path / "b")  # it needs its parent no more
    again = [line for line in replayed(second, [10, 30, 50]) if b'"level":"debug"' not in line]
    assert again == [line for day in (10, 30, 50) for line in days(second, day, day)]


def test_a_branch_of_a_branch_at_the_same_midnight_inherits_its_stock(
    parent: Run, tmp_path: Path
) -> None:
    first = branch(parent, tmp_path / "b", stocks={"r1": {"ferrite": 3}})
    second = branch(first, tmp_path / "c")
    assert list(second.lines()) == list(first.lines())


def test_a_changed_policy_begins_with_an_empty_memory(parent: Run, tmp_path: Path) -> None:
    fork = branch(parent, tmp_path / "b", "colonies.0.policy=random", at=30)
    assert fork.manifest.status == "finished"
    policies = {json.loads(line)["policy"] for line in fork.lines() if b'"team.departed"' in line}
    assert policies == {"round_robin", "random"}


def test_a_branch_of_a_run_in_memory(tmp_path: Path) -> None:
    parent = simulate(lone(), days=30)
    fork = drive(open_branch(parent, parent.scenario, at=10, out=tmp_path / "b"))
    assert list(fork.lines()) == list(parent.lines())


@pytest.mark.parametrize(
    ("sets", "says"),
    [
        (("planet.regions=3",), "places"),
        (("campaign.seed=5",), "the seed"),
        (("ingredients.0.reserve=601",), "the initial stock"),
        (("colonies.0.stores.tuber=3001",), "stores at the start|ingredients"),
        (("colonies.0.id=blue",), "colonies"),
        (("colonies.0.teams.0.id=others",), "teams"),
        (("ingredients.2.id=iron",), "ingredients"),
        (("record.segment_days=10",), "what is recorded"),
    ],
)
def test_a_change_of_the_world_itself_is_refused_with_its_name(
    sets: tuple[str, ...], says: str, parent: Run, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=f"cannot change ({says})"):
        branch(parent, tmp_path / "b", *sets)
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize(
    ("stocks", "says"),
    [
        ({"r1": {"ferrite": 10**9}}, "must be from 0 to"),
        ({"r9": {"ferrite": 1}}, "no place 'r9'"),
        ({"r1": {"gold": 1}}, "with an ingredient 'gold'"),
    ],
)
def test_stock_that_cannot_be_is_refused_before_anything_is_written(
    stocks: dict[str, dict[str, int]], says: str, parent: Run, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=says):
        branch(parent, tmp_path / "b", stocks=stocks)
    assert not (tmp_path / "b").exists()


@pytest.mark.parametrize("at", [-1, DAYS, DAYS + 1])
def test_a_midnight_the_run_did_not_have_or_is_its_last_is_refused(
    at: int, parent: Run, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="give a day from 0 to 59"):
        branch(parent, tmp_path / "b", at=at)


def test_a_run_of_another_version_is_not_branched(parent: Run, tmp_path: Path) -> None:
    assert parent.path is not None
    shutil.copytree(parent.path, tmp_path / "old")
    old = Run.open(tmp_path / "old")
    old.manifest.versions = type(old.manifest.versions)("0.0.1", "3.11", "2", "4")
    with pytest.raises(WorldsimError, match=r"begun by worldsim 0\.0\.1"):
        open_branch(old, old.scenario, at=3, out=tmp_path / "b")


def test_a_branch_is_never_taken_for_a_plain_run_of_its_scenario(
    parent: Run, tmp_path: Path
) -> None:
    fork = branch(parent, tmp_path / "lone-4", "rules.gathering.one_success_cost=0")
    place = new_folder(tmp_path, campaign="lone", seed=4, days=DAYS, digest=fork.manifest.digest)
    assert place == tmp_path / "lone-4-2"
    assert free_folder(tmp_path, "lone-4") == tmp_path / "lone-4-2"


def test_an_open_campaign_can_be_the_parent_of_a_branch_up_to_what_it_kept(
    tmp_path: Path,
) -> None:
    campaign = open_campaign(lone(), out=tmp_path / "a", checkpoint_days=5)
    for day in campaign:
        if day == 12:
            break
    parent = Run.open(tmp_path / "a")
    with pytest.raises(InputError, match="from 0 to 10"):
        branch(parent, tmp_path / "b", at=11)
    fork = branch(parent, tmp_path / "b", at=10)
    campaign.stop()
    assert days(fork, 0, 10) == days(Run.open(tmp_path / "a"), 0, 10)
