"""What changes on a date: it holds from its dawn on, and a run with it is a run like any other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from worldsim.errors import InputError
from worldsim.events.folding import fold
from worldsim.runs import Run, open_branch, open_campaign, resume, simulate
from worldsim.runs.driver import drive
from worldsim.runs.places import AlreadyFinished, new_folder
from worldsim.runs.replaying import replayed
from worldsim.scenario import ScenarioError, load, load_text
from worldsim.scenario.shipped import find

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.scenario import Scenario

DAYS = 60
CHANGES = """
[[interventions]]
name = "closed season"
day = 10
until = 20
set = { "planet.closed" = ["r1/s2"], "colonies.0.policy" = "round_robin" }
[[interventions]]
name = "newcomers"
day = 15
teams = { haven = [ { id = "late", crew = { size = 4 } } ] }
stocks = { r1 = { tuber = 3 } }
[[interventions.colonies]]
id = "second"
sector = "r2/s1"
stores = { tuber = 90 }
teams = [ { id = "pioneers", crew = { size = 4 } } ]
"""


def lone(*more: str) -> Scenario:
    """The lone colony with something added."""
    return load_text("\n".join((find("lone_colony").read_text(encoding="utf-8"), *more)))


def events(run: Run, *kinds: str) -> list[dict[str, Any]]:
    return [event for line in run.lines() if (event := json.loads(line))["event"] in kinds]


@pytest.fixture(scope="module", name="changed")
def _changed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return simulate(lone(CHANGES), out=tmp_path_factory.mktemp("changed") / "a")


def test_what_begins_and_what_ends_is_in_the_log(changed: Run) -> None:
    told = [
        (event["event"], event["day"], event["intervention"])
        for event in events(changed, "intervention.made", "intervention.ended")
    ]
    assert told == [
        ("intervention.made", 10, "closed season"),
        ("intervention.made", 15, "newcomers"),
        ("intervention.ended", 21, "closed season"),
    ]


def test_nobody_is_sent_to_a_closed_sector_while_it_is_closed(changed: Run) -> None:
    days = {event["day"] for event in events(changed, "team.departed")
            if event["target"] == "r1/s2"}  # fmt: skip
    assert days, "it is worked at other times"
    assert not days & set(range(10, 21))
    departed = events(changed, "team.departed")
    assert {event["policy"] for event in departed if 10 <= event["day"] <= 20} == {
        "round_robin", "nearest",
    }, "the new colony has a policy of its own"  # fmt: skip
    assert {event["policy"] for event in departed if event["day"] > 20} == {"nearest"}


def test_a_key_may_name_an_item_of_a_list_by_its_id_as_an_override_does() -> None:
    by_number, by_id = (
        simulate(lone(CHANGES.replace("colonies.0.policy", f"colonies.{name}.policy")), days=25)
        for name in ("0", "haven")
    )
    assert [*by_id.lines()][1:] == [*by_number.lines()][1:], "but for the digest"


def test_days_before_an_intervention_are_as_without_it(changed: Run) -> None:
    plain = simulate(lone())
    for day in range(1, 10):
        assert list(changed.day_lines(day, day)) == list(plain.day_lines(day, day))
    assert list(changed.day_lines(10, DAYS)) != list(plain.day_lines(10, DAYS))
    assert changed.manifest.digest != plain.manifest.digest


def test_those_who_come_later_live_like_the_others_and_the_books_balance(changed: Run) -> None:
    formed = {event["team"]: event for event in events(changed, "team.formed")}
    assert formed["haven/late"]["day"] == formed["second/pioneers"]["day"] == 15
    out = {event["team"] for event in events(changed, "team.departed")}
    assert {"haven/late", "second/pioneers"} <= out
    tally = fold(changed.lines())
    assert tally.balance() == {}
    assert tally.stores.keys() == {"haven", "second"}
    teams = changed.query("SELECT DISTINCT team FROM teams WHERE day > 15").fetchall()
    assert ("second/pioneers",) in teams


@pytest.mark.parametrize(
    "stopped", [9, 15, 21, *(pytest.param(d, marks=pytest.mark.long) for d in (8, 10, 14, 20, 40))]
)
def test_a_run_with_interventions_resumes_to_the_same(
    stopped: int, changed: Run, tmp_path: Path
) -> None:
    campaign = open_campaign(lone(CHANGES), out=tmp_path / "b")
    for day in campaign:
        if day == stopped:
            campaign.stop()
    run = resume(tmp_path / "b")
    assert list(run.lines()) == list(changed.lines())
    for table in ("stocks", "takings", "teams"):
        sql = f"FROM {table}"
        assert run.query(sql).fetchall() == changed.query(sql).fetchall()


def test_days_around_interventions_replay_as_they_were(changed: Run) -> None:
    wanted = [9, 10, 14, 15, 16, 20, 21, 50]
    again = [line for line in replayed(changed, wanted) if b'"level":"debug"' not in line]
    assert again == [line for day in wanted for line in changed.day_lines(day, day)]


@pytest.mark.parametrize(
    "at", [9, 14, *(pytest.param(day, marks=pytest.mark.long) for day in (5, 12, 20, 30))]
)
def test_a_branch_that_changes_nothing_has_the_same_interventions(
    at: int, changed: Run, tmp_path: Path
) -> None:
    fork = drive(open_branch(changed, changed.scenario, at=at, out=tmp_path / "b"))
    assert list(fork.lines()) == list(changed.lines())


def test_a_longer_run_meets_interventions_after_its_old_end(tmp_path: Path) -> None:
    simulate(lone(CHANGES), days=12, out=tmp_path / "b")
    run = resume(tmp_path / "b", days=30)
    assert list(run.lines()) == list(simulate(lone(CHANGES), days=30).lines())


def test_a_quota_closes_an_ingredient_until_the_year_is_over() -> None:
    quota = 12
    run = simulate(load("lone_colony", sets=[f"quotas.ferrite={quota}"]), days=500)
    free = simulate(load("lone_colony"), days=365)
    sql = (
        "SELECT (day - 1) // 365, sum(units), max(units) FROM takings WHERE ingredient = 'ferrite'"
        " AND how IN ('gather', 'hunt') GROUP BY 1 ORDER BY 1"
    )
    [(_, unbounded, _)] = free.query(sql).fetchall()
    (_, first, most), (_, second, _) = run.query(sql).fetchall()
    assert quota <= first < quota + most, "the phase that reaches it is the last"
    assert unbounded > first
    assert second > 0


@pytest.mark.parametrize("condition", ["left.tuber=0.97", "stored.ferrite=5"])
def test_a_campaign_ends_at_the_first_midnight_at_which_a_condition_holds(
    condition: str, tmp_path: Path
) -> None:
    stopping = load("lone_colony", sets=[f"campaign.stop.{condition}"])
    run = simulate(stopping, out=tmp_path / "a")
    day = run.manifest.day
    assert run.manifest.status == "finished"
    assert 0 < day < DAYS
    *_, last = run.lines()
    event = json.loads(last)
    assert (event["event"], event["day"]) == ("campaign.stopped", day)
    assert run.manifest.stopped == event["condition"]
    free = simulate(load("lone_colony"), days=day)
    assert list(free.day_lines(1, day)) == list(run.day_lines(1, day))[:-1]
    with pytest.raises(InputError, match="nothing follows"):
        resume(tmp_path / "a", days=90)
    place = new_folder(tmp_path, campaign="a", seed=1, days=DAYS, digest=run.manifest.digest)
    assert place == tmp_path / "a-1"


def test_a_run_that_was_stopped_by_a_condition_is_not_run_again(tmp_path: Path) -> None:
    stopping = load("lone_colony", sets=["campaign.stop.stored.ferrite=5"])
    run = simulate(stopping, out=tmp_path / "lone-1")
    place = new_folder(tmp_path, campaign="lone", seed=1, days=DAYS, digest=run.manifest.digest)
    assert place == AlreadyFinished(tmp_path / "lone-1", run.manifest.day)


def test_a_run_that_died_before_it_could_say_that_it_is_over_ends_all_the_same(
    tmp_path: Path,
) -> None:
    stopping = load("lone_colony", sets=["campaign.stop.stored.ferrite=5"])
    whole = simulate(stopping, out=tmp_path / "a")
    campaign = open_campaign(stopping, out=tmp_path / "b", checkpoint_days=1)
    for day in campaign:
        if day == whole.manifest.day - 1:
            break
    campaign.simulation.advance()
    campaign._keep_day()
    campaign.day = whole.manifest.day
    campaign._checkpoint()  # and here its process dies
    campaign._store._let_go()  # type: ignore[attr-defined]
    run = resume(tmp_path / "b")
    assert list(run.lines()) == list(whole.lines())
    assert run.manifest.stopped == whole.manifest.stopped


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('day = 5\nset = { "planet.regions" = 3 }', "interventions[0].set"),
        ('day = 5\nset = { "rules.reserves.rich_at" = 3.0 }', "rules.reserves"),
        ('day = 5\nset = { "rules.gathering.one_success_cost" = 9 }', "one_success_cost"),
        ('day = 5\nset = { "rules.gathering.one_sucess_cost" = 0 }', "one_sucess_cost"),
        ('day = 5\nset = { "colonies.7.policy" = "nearest" }', "7"),
        ('day = 5\nuntil = 4\nset = { "planet.closed" = [] }', "a day from 5 on"),
        ("day = 5\nstocks = { r1 = { gold = 3 } }", "the id of an ingredient"),
        ("day = 5\nteams = { nowhere = [] }", "the id of a colony"),
        ("day = 5", "with something that changes"),
        ('day = 0\nset = { "planet.closed" = [] }', "interventions[0].day"),
        ('day = 5\nteams = { haven = [ { id = "hunters", crew = { } } ] }', "a name of its own"),
        ('day = 5\nset = { "quotas.gold" = 3 }', "the id of an ingredient"),
    ],
)
def test_an_intervention_that_cannot_be_is_a_fault_of_the_scenario(text: str, says: str) -> None:
    with pytest.raises(ScenarioError) as wrong:
        lone("[[interventions]]", text)
    assert says in str(wrong.value)
    assert "interventions[0]" in str(wrong.value)
    assert wrong.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("stocks = { r1 = { tuber = 100_000 } }", "must be from 0 to"),
        ("stocks = { r9 = { tuber = 1 } }", "no place 'r9'"),
        ('[[interventions.colonies]]\nid = "far"\nsector = "r9/s9"', "r9/s9"),
    ],
)
def test_what_cannot_be_made_of_this_world_is_refused_before_the_first_day(
    text: str, says: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=says):
        simulate(lone("[[interventions]]\nday = 30", text), out=tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_a_run_in_memory_knows_its_own_scenario_after_interventions(changed: Run) -> None:
    run = simulate(lone(CHANGES))
    assert run.scenario == changed.scenario
    assert len(run.scenario.interventions) == 2
    again = [line for line in replayed(run, [12, 30]) if b'"level":"debug"' not in line]
    assert again == [*changed.day_lines(12, 12), *changed.day_lines(30, 30)]


@pytest.mark.parametrize("key", ["quotas.gold=3", "campaign.stop.left.gold=0.5"])
def test_quotas_and_conditions_name_ingredients_that_are_there(key: str) -> None:
    with pytest.raises(ScenarioError, match="the id of an ingredient"):
        load("lone_colony", sets=[key])
