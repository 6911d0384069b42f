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
from worldsim.events.schema import columns
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
        (["--where", "x >"], "'x >' is no condition"),
        (["--where", "true) union (select 1"], "the query cannot be run"),
        (["--follow", "--where", "true"], "--follow goes with neither"),
        (["--where", "(day = 1"], "'(day = 1' is no condition"),
        (["--from", "-1"], "x>=0"),
        (["--from", "9", "--to", "8"], "--from 9 is after --to 8"),
        (["--from", "9", "--to", "8", "--follow"], "--from 9 is after --to 8"),
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
    assert event_line(event, None, paint=True).startswith("\x1b[33m")


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_an_event_line_on_a_narrow_page_is_wrapped_and_loses_nothing(columns: int) -> None:
    event = {
        "event": "team.departed", "seq": 4, "t": 1440, "day": 2, "level": "info", "cause": 1,
        "team": "a/b", "plan": "gather all there is", "members": [f"member_{n}" for n in range(9)],
    }  # fmt: skip
    whole = event_line(event, None, paint=False)
    lines = event_line(event, columns, paint=False).splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= columns
    assert lines[0].startswith("      4     2 00:00 team.departed     a/b")
    assert "".join("".join(lines).split()) == "".join(whole.split())


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--event", "campaign.started", "--from", "2"], "no event matches\n"),
        (["--team", "pikers"], "no team 'pikers' in it, did you mean pickers?"),
        (["--team", "haven/trakers"], "did you mean haven/trackers?"),
        (["--sector", "r1/s11"], "no sector or region 'r1/s11' in it, did you mean r1/s1?"),
        (["--from", "61"], "the run has come to day 60"),
        (["--follow", "--team", "pikers"], "did you mean pickers?"),
    ],
)
@pytest.mark.parametrize("form", ["table", "jsonl"])
def test_where_no_event_matches_a_note_says_why(
    args: list[str], said: str, form: str, worldsim: Command
) -> None:
    result = worldsim("events", RUN, "--format", form, *args)
    assert result.exit_code == 0
    assert result.stderr.startswith("no event matches")
    assert said in result.stderr
    assert len(result.stdout.splitlines()) <= ("--follow" in args)


def test_known_names_without_an_event_are_not_called_unknown(worldsim: Command) -> None:
    args = ["--team", "pickers", "--sector", "r1/s1", "--where", "false"]
    assert worldsim("events", RUN, *args).stderr == "no event matches\n"


def test_a_limit_of_zero_prints_all(worldsim: Command) -> None:
    assert lines_of(worldsim("events", RUN, "--json", "--limit", "0")) == log()
    rows = json.loads(worldsim("query", RUN, "from events select seq", "--json").stdout)
    assert [row["seq"] for row in rows] == [event["seq"] for event in log()]


def test_a_table_of_a_query_shows_200_rows_and_says_how_to_get_the_rest(worldsim: Command) -> None:
    sql = "select range as n from range(5000)"
    result = worldsim("query", RUN, sql)
    assert result.stdout.split() == ["n", *map(str, range(200))]
    assert result.stderr == "… more rows than these 200: --limit 0, or --format csv|json\n"
    few = worldsim("query", RUN, sql, "--limit", "3")
    assert (few.stdout.split(), few.stderr[:8]) == (["n", "0", "1", "2"], "… more r")
    whole = worldsim("query", RUN, sql, "--limit", "0")
    assert (whole.stdout.split(), whole.stderr) == (["n", *map(str, range(5000))], "")
    exact = worldsim("query", RUN, sql, "--limit", "5000")
    assert (len(exact.stdout.split()), exact.stderr) == (5001, "")


@pytest.mark.parametrize("form", ["csv", "json"])
def test_for_programs_a_query_prints_all_rows_unless_told(form: str, worldsim: Command) -> None:
    sql = "select range as n from range(700)"
    whole = worldsim("query", RUN, sql, "--format", form).stdout
    few = worldsim("query", RUN, sql, "--format", form, "--limit", "2").stdout
    if form == "json":
        assert json.loads(whole) == [{"n": n} for n in range(700)]
        assert json.loads(few) == [{"n": 0}, {"n": 1}]
        assert json.loads(worldsim("query", RUN, f"{sql} limit 0", "--json").stdout) == []
    else:
        assert whole.split() == ["n", *map(str, range(700))]
        assert few.split() == ["n", "0", "1"]


def test_a_wide_table_is_shown_without_its_empty_columns(worldsim: Command) -> None:
    result = worldsim("query", RUN, "from events where event = 'team.arrived'")
    shown = {"event", "seq", "t", "day", "level", "cause", "team", "sector"}
    assert set(result.stdout.splitlines()[0].split()) == shown
    assert "columns without any value here left out" in result.stderr
    narrow = worldsim("query", RUN, "select day, region from events where event = 'team.arrived'")
    assert narrow.stdout.splitlines()[0].split() == ["day", "region"]


def test_a_whole_log_as_a_table_is_printed_with_every_column(worldsim: Command) -> None:
    out = worldsim("query", RUN, "from events, range(9)", "--limit", "0").stdout.splitlines()
    assert len(out) == 1 + 9 * len(log())
    assert len(out[0].split()) == len(columns()) + 1


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


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("from stocs", 'no table "stocs"; did you mean "stocks"?'),
        ("from pg_tables2", "There are events, stocks, takings, teams"),
        ("from 'world.toml'", 'no table "world.toml". There are events'),
        ("update stocks set units = 1", "run: One SELECT"),
        ("selct 1", "run: One SELECT"),
        ("select 1; select 2", "run: One SELECT"),
        ("", "run: One SELECT"),
        ("select count(* from events", 'syntax error at or near "from"'),
        ("select nothing from stocks", '"nothing" not found'),
    ],
)
def test_what_is_said_of_a_wrong_query_is_about_the_query(
    sql: str, said: str, worldsim: Command
) -> None:
    error = worldsim("query", RUN, sql).stderr
    assert said in error
    assert "pg_am" not in error
    assert 'near ")"' not in error
    assert "LINE" not in error or f"LINE 1: {sql}\n" in error


def test_data_that_does_not_fit_a_query_is_an_error_without_traceback(worldsim: Command) -> None:
    result = worldsim("query", RUN, "select cast(place as bigint) from stocks")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: the query cannot be run")
