"""``events`` and ``query``: reading a run."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from worldsim.cli.eventlines import event_line
from worldsim.cli.filters import Filters
from worldsim.runs import Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Command = Callable[..., Result]

RUN = "new_world-1"

pytestmark = pytest.mark.usefixtures("at_work")


def lines_of(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def log() -> list[dict[str, Any]]:
    files = sorted(Path("runs", RUN, "events").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def test_without_filters_every_event_is_printed_as_it_is_stored(worldsim: Command) -> None:
    assert lines_of(worldsim("events", RUN, "--json")) == log()


def test_rolls_are_printed_as_they_are_stored_and_found_by_their_event(
    worldsim: Command, tmp_path: Path
) -> None:
    out = str(tmp_path / "debug")
    args = ["--days", "4", "--log-level", "debug", "--out", out, "--quiet"]
    assert worldsim("run", "world.toml", *args).exit_code == 0
    stored = Path(out, "events", "000001.jsonl").read_text().splitlines()
    assert worldsim("events", out, "--json").stdout.splitlines() == stored
    rolls = [event for event in map(json.loads, stored) if event["event"] == "dice.rolled"]
    first = rolls[0]["of"]
    found = lines_of(worldsim("events", out, "--json", "--where", f"of = {first}"))
    assert found == [roll for roll in rolls if roll["of"] == first]
    table = worldsim("events", out, "--event", "dice.rolled", "--limit", "1").stdout
    assert f"{first}.0" in table.splitlines()[1]


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        (["--event", "team.gathered"], lambda e: e["event"] == "team.gathered"),
        (["--event", "weather.*"], lambda e: e["event"] == "weather.changed"),
        (
            ["--event", "team.moved", "--event", "team.arrived"],
            lambda e: e["event"] in ("team.moved", "team.arrived"),
        ),
        (["--team", "pickers"], lambda e: e.get("team") == "haven/pickers"),
        (["--team", "haven/trackers"], lambda e: e.get("team") == "haven/trackers"),
        (["--from", "3", "--to", "5"], lambda e: 3 <= e["day"] <= 5),
        (["--level", "warning"], lambda e: e["level"] == "warning"),
        (["--where", "situation < 60"], lambda e: e.get("situation", 100) < 60),
        (["--where", "day = 1 or day = 2"], lambda e: e["day"] in (1, 2)),
        (
            ["--team", "pickers", "--where", "day = 1 or day = 2"],
            lambda e: e.get("team") == "haven/pickers" and e["day"] in (1, 2),
        ),
        (["--team", "o'neill"], lambda _: False),
    ],
)
def test_each_filter_keeps_exactly_what_it_says(
    args: list[str], wanted: Callable[[dict[str, Any]], bool], worldsim: Command
) -> None:
    expected = [event for event in log() if wanted(event)]
    assert lines_of(worldsim("events", RUN, "--json", *args)) == expected


def test_a_sector_is_found_wherever_an_event_names_it(worldsim: Command) -> None:
    [target] = {e["target"] for e in log() if e["event"] == "team.departed" and e["day"] == 1}
    found = lines_of(worldsim("events", RUN, "--json", "--sector", target))
    kinds = {event["event"] for event in found}
    assert {"reserve.founded", "team.departed", "team.arrived", "team.gathered"} <= kinds
    assert all(
        target in (e.get("place"), e.get("sector"), e.get("target"), e.get("region")) for e in found
    )


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(kinds=("team.moved", "team.lost"), first=2, last=30),
        Filters(team="pickers", level="info"),
        Filters(team="haven/trackers", level="warning"),
        Filters(sector="r1"),
        Filters(sector="r1/s1", first=1),
    ],
)
def test_following_and_looking_back_choose_the_same_events(filters: Filters) -> None:
    run = Run.open(Path("runs", RUN))
    rows = run.query(f"FROM events SELECT seq WHERE {filters.sql()}").fetchall()
    assert [seq for (seq,) in rows] == [e["seq"] for e in log() if filters.wants(e)]


def test_following_a_finished_run_prints_it_and_ends(worldsim: Command) -> None:
    args = ["events", RUN, "--json", "--team", "pickers"]
    assert lines_of(worldsim(*args, "--follow")) == lines_of(worldsim(*args))


def test_the_table_has_one_line_an_event_and_the_limit_holds(worldsim: Command) -> None:
    out = worldsim("events", RUN, "--event", "team.departed", "--limit", "2").stdout.splitlines()
    assert len(out) == 3
    assert out[0].split() == ["seq", "day", "time", "event", "who", "what"]
    assert "team.departed     haven/" in out[1]
    assert "mission " in out[1]


def test_csv_has_the_columns_of_the_kinds_asked_for(worldsim: Command) -> None:
    out = worldsim("events", RUN, "--event", "team.arrived", "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(out)))
    assert set(rows[0]) == {"event", "seq", "t", "day", "level", "cause", "team", "sector"}
    assert len(rows) == sum(event["event"] == "team.arrived" for event in log())


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--event", "team.gatherd"], "Did you mean team.gathered?"),
        (["--where", "x >"], "the query cannot be run"),
        (["--where", "true) union (select 1"], "the query cannot be run"),
        (["--follow", "--where", "true"], "--follow goes with neither"),
        (["--from", "-1"], "x>=0"),
    ],
)
def test_a_wrong_filter_is_refused_with_a_cure(
    args: list[str], said: str, worldsim: Command
) -> None:
    result = worldsim("events", RUN, *args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_an_event_line_is_safe_and_leaves_out_what_says_nothing() -> None:
    event = {
        "event": "team.formed", "seq": 4, "t": 1440 + 61, "day": 2, "level": "warning",
        "cause": 1, "team": "a/b", "members": ["\x1b[31mEve\x1b[0m\n", "Bo"], "taken": {},
        "held": False,
    }  # fmt: skip
    line = event_line(event, None, paint=False)
    assert (
        line == "      4     2 01:01 team.formed       a/b                members Eve,Bo  held no"
    )
    assert len(event_line(event, 40, paint=False)) == 40
    assert event_line(event, None, paint=True).startswith("\x1b[33m")


def test_a_query_prints_table_csv_and_json(worldsim: Command) -> None:
    sql = "select team, sum(units) as units from takings group by 1 order by 1"
    table = worldsim("query", RUN, sql).stdout.splitlines()
    rows = json.loads(worldsim("query", RUN, sql, "--json").stdout)
    assert [row["team"] for row in rows] == ["haven/pickers", "haven/trackers"]
    assert [line.split() for line in table[1:]] == [
        [row["team"], str(row["units"])] for row in rows
    ]
    out = worldsim("query", RUN, sql, "--format", "csv").stdout
    assert [int(row["units"]) for row in csv.DictReader(io.StringIO(out))] == [
        row["units"] for row in rows
    ]


@pytest.mark.parametrize(
    "sql", ["from stocs", "drop table stocks", "select", "select 1; select 2", "from 'world.toml'"]
)
def test_a_query_that_does_more_than_read_the_run_is_refused(sql: str, worldsim: Command) -> None:
    result = worldsim("query", RUN, sql)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: the query cannot be run")


def test_data_that_does_not_fit_a_query_is_an_error_without_traceback(worldsim: Command) -> None:
    result = worldsim("query", RUN, "select cast(place as bigint) from stocks")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: the query cannot be run")
