"""A run is whole, or `verify` says where it is not: file and line."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import duckdb
import msgspec
import pytest
from click.testing import CliRunner
from replayed import HARSH
from whole_runs import (
    DAYS,
    MADE,
    brief,
    failed,
    finished,
    forge,
    forge_file,
    interrupted,
    killed,
)

from worldsim.cli.main import cli
from worldsim.runs import FaultError, Run, open_campaign, resume, simulate, verify
from worldsim.runs.manifest import MANIFEST
from worldsim.scenario import load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("quick")

LOG = "events/000001.jsonl"
LAST = "checkpoints/000012.msgpack"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return finished(tmp_path_factory.mktemp("whole") / "run", "debug")


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    """A finished run with its rolls, which may be changed."""
    shutil.copytree(whole, tmp_path / "run")
    return tmp_path / "run"


def found(run: Path) -> FaultError:
    with pytest.raises(FaultError) as caught:
        verify(run)
    return caught.value


@pytest.mark.parametrize("sort", MADE)
def test_a_run_of_every_sort_is_whole(sort: str, tmp_path: Path) -> None:
    run = MADE[sort](tmp_path / sort)
    verified = verify(run)
    lines = list(Run.open(run).lines())
    assert verified.lines == len(lines)
    assert verified.days == msgspec.json.decode(lines[-1])["day"]
    assert verified.files == len(list(run.rglob("*.*"))) - 1 - (sort == "killed")  # run.log, live
    assert verified.folded
    assert len(verified.notes) == (sort in {"killed", "failed"})


def test_a_run_that_failed_within_a_day_is_whole_to_its_tables_and_resuming_ends_it(
    tmp_path: Path,
) -> None:
    run = failed(tmp_path / "run")
    assert Run.open(run).manifest.day == DAYS - 2
    (note,) = verify(run).notes
    assert note == f"it failed within day {DAYS - 1}, of which the log tells and the tables do not"
    resume(run)
    assert verify(run).notes == []
    whole = finished(tmp_path / "whole")
    assert list(Run.open(run).lines()) == list(Run.open(whole).lines())


def test_the_torn_end_of_a_killed_run_is_no_fault_and_resuming_mends_it(tmp_path: Path) -> None:
    run = killed(tmp_path / "run")
    (note,) = verify(run).notes
    assert "000003.jsonl ends within a line" in note
    resume(run)
    assert verify(run).notes == []
    assert verify(run).days == DAYS


def test_a_run_is_whole_at_every_midnight_while_it_is_written(tmp_path: Path) -> None:
    with open_campaign(brief(), out=tmp_path / "run", checkpoint_days=2) as campaign:
        for day in campaign:
            verified = verify(tmp_path / "run")
            assert verified.days <= day
            assert verified.notes == []


def test_a_run_that_was_killed_at_any_midnight_is_whole(tmp_path: Path) -> None:
    with open_campaign(brief(), out=tmp_path / "run", checkpoint_days=3) as campaign:
        for day in campaign:
            if day == DAYS:
                break
            copy = tmp_path / f"after {day}"
            shutil.copytree(tmp_path / "run", copy, ignore=shutil.ignore_patterns(".lock"))
            assert verify(copy).notes == []


def test_a_log_of_warnings_is_checked_as_far_as_it_tells(tmp_path: Path) -> None:
    verified = verify(finished(tmp_path / "run", "warning"))
    assert not verified.folded
    assert verified.days == 0  # nothing bad happened


def test_parts_in_which_nothing_was_logged_hide_no_later_ones(tmp_path: Path) -> None:
    sets = ['record.level="warning"', "record.segment_days=1", "campaign.days=25"]
    run = simulate(load(HARSH, sets=sets), out=tmp_path / "run")
    told = sorted(int(path.stem) for path in (tmp_path / "run" / "events").iterdir())
    assert told != list(range(1, len(told) + 1))  # not every day has something bad
    verified = verify(tmp_path / "run")
    assert len(list(run.lines())) == run.manifest.events.total == verified.lines > len(told)


def test_files_that_nobody_told_of_are_notes(run: Path) -> None:
    strangers = [
        "checkpoints/000003.msgpack",
        "events/000009.jsonl",
        "manifest.json.tmp",
        "mine.txt",
    ]
    for name in strangers:
        (run / name).write_bytes(b"?")
    (run / "cache").mkdir()
    (run / "cache" / "000001.parquet").write_bytes(b"?")
    notes = verify(run).notes
    assert sorted(note.split()[0] for note in notes) == sorted(strangers)


def test_verify_changes_nothing(run: Path) -> None:
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    verify(run)
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def with_line(
    number: int, change: Callable[[dict[str, Any]], object]
) -> Callable[[list[bytes]], None]:
    """A change of one line of a log, by its number from 1."""

    def changed(lines: list[bytes]) -> None:
        event = msgspec.json.decode(lines[number - 1])
        change(event)
        lines[number - 1] = msgspec.json.encode(event)

    return changed


def first(lines: list[bytes], kind: str, field: str = "") -> int:
    """The number of the first line of a kind in which a field holds something."""
    events = enumerate(map(msgspec.json.decode, lines), 1)
    return next(n for n, each in events if each["event"] == kind and (not field or each[field]))


LINES: dict[str, tuple[int, Callable[[list[bytes]], object]]] = {
    "a line less": (5, lambda lines: lines.pop(4)),
    "a line twice": (6, lambda lines: lines.insert(5, lines[4])),
    "two lines exchanged": (5, lambda lines: lines.insert(4, lines.pop(5))),
    "no number": (5, with_line(5, lambda event: event.pop("seq"))),
    "a number as text": (5, with_line(5, lambda event: event.update(seq="4"))),
    "an unknown field": (5, with_line(5, lambda event: event.update(more=1))),
    "an unknown kind": (5, with_line(5, lambda event: event.update(event="team.cheated"))),
    "another spelling": (5, lambda lines: lines.insert(4, lines.pop(4).replace(b",", b", ", 1))),
    "a field twice": (5, lambda lines: lines.insert(4, lines.pop(4).replace(b",", b',"t":0,', 1))),
    "an empty line": (5, lambda lines: lines.insert(4, b"")),
    "a cause to come": (5, with_line(5, lambda event: event.update(cause=4))),
    "a negative cause": (5, with_line(5, lambda event: event.update(cause=-1))),
    "another level": (5, with_line(5, lambda event: event.update(level="warning"))),
    "a day that is not that minute's": (5, with_line(5, lambda event: event.update(day=1, t=1440))),
    "a minute in the founding": (5, with_line(5, lambda event: event.update(t=1))),
    "another campaign": (1, with_line(1, lambda event: event.update(seed=6))),
    "another scenario": (1, with_line(1, lambda event: event.update(digest="0" * 64))),
    "no start": (1, lambda lines: lines.insert(0, lines[0].replace(b"0", b"1"))),
}  # fmt: skip


@pytest.mark.parametrize("case", LINES)
def test_the_first_wrong_line_is_named(case: str, run: Path) -> None:
    number, change = LINES[case]
    lines = (run / LOG).read_bytes().splitlines()
    change(lines)
    change_found(run, number, lines)


def forge_lines(run: Path, log: str, lines: list[bytes]) -> None:
    forge_file(run, log, b"".join(line + b"\n" for line in lines))


def change_found(run: Path, number: int, lines: list[bytes]) -> None:
    forge_lines(run, LOG, lines)
    fault = found(run)
    assert (fault.file, fault.line) == (LOG, number), fault


def test_time_that_goes_back_is_found(run: Path) -> None:
    lines = (run / LOG).read_bytes().splitlines()
    second = next(n for n, line in enumerate(lines, 1) if b'"day":2,' in line)
    with_line(second + 1, lambda event: event.update(t=10, day=1))(lines)
    change_found(run, second + 1, lines)


def test_a_day_in_the_file_of_others_is_found(run: Path) -> None:
    lines = (run / LOG).read_bytes().splitlines()
    last = len(lines)
    with_line(last, lambda event: event.update(t=4 * 1440, day=5))(lines)
    change_found(run, last, lines)


@pytest.mark.parametrize("field", ["of", "n"])
def test_a_roll_that_belongs_to_nothing_before_it_is_found(field: str, run: Path) -> None:
    lines = (run / LOG).read_bytes().splitlines()
    number = first(lines, "dice.rolled")
    with_line(number, lambda event: event.update({field: event[field] + 1}))(lines)
    change_found(run, number, lines)


def test_more_taken_than_was_there_is_found(run: Path) -> None:
    lines = (run / LOG).read_bytes().splitlines()
    number = first(lines, "team.gathered", "taken")
    with_line(number, lambda event: event.update(taken={"wood": 10**6}))(lines)
    change_found(run, number, lines)


def test_a_log_without_its_end_is_found_though_its_checksum_fits(run: Path) -> None:
    data = (run / LOG).read_bytes()
    forge_file(run, LOG, data[:-1])
    assert found(run).file == LOG


def test_a_log_other_than_the_one_a_checkpoint_was_made_at_is_found(run: Path) -> None:
    log = "events/000003.jsonl"
    lines = (run / log).read_bytes().splitlines()
    number = first(lines, "dice.rolled")
    with_line(number, lambda event: event.update(result=(event["result"] + 1) % 10))(lines)
    forge_lines(run, log, lines)
    fault = found(run)
    assert fault.file == log
    assert "bytes are not those of day" in fault.problem


STATES: dict[str, Callable[[dict[str, Any]], object]] = {
    "units in r1": lambda state: state["left"][0].__setitem__(0, state["left"][0][0] + 1),
    "store": lambda state: state["colonies"][0]["store"].__setitem__(0, 99),
    "cargo": lambda state: state["teams"][0]["cargo"].__setitem__(0, 99),
    "rations": lambda state: state["teams"][1]["rations"].__setitem__(1, 99),
    "place": lambda state: state["teams"][0].update(place="r2/s3"),
    "status": lambda state: state["teams"][0].update(status="lost"),
    "members": lambda state: state["teams"][0]["members"].pop(),
    "control": lambda state: state["contests"]["control"].update(
        {"r1/s1": {"faction": "x", "since": 1}}
    ),
    "eaten": lambda state: state["eaten"].__setitem__(0, 1),
    "regrown": lambda state: state["regrown"].__setitem__(0, 1),
    "number of the next event": lambda state: state.update(seq=state["seq"] + 1),
    "day": lambda state: state.update(day=3),
    "places": lambda state: state["left"].pop(),
    "teams": lambda state: state["teams"].pop(),
}


@pytest.mark.parametrize("case", STATES)
def test_a_checkpoint_that_is_not_what_the_log_comes_to_is_found(case: str, run: Path) -> None:
    plain = msgspec.msgpack.decode((run / LAST).read_bytes())
    state = msgspec.msgpack.decode(plain["state"])
    STATES[case](state)
    forge_file(run, LAST, msgspec.msgpack.encode(plain | {"state": msgspec.msgpack.encode(state)}))
    fault = found(run)
    assert fault.file == LAST
    assert case in fault.problem


def test_a_checkpoint_that_counts_other_lines_is_found(run: Path) -> None:
    plain = msgspec.msgpack.decode((run / LAST).read_bytes())
    plain["events"]["info"] += 1
    forge_file(run, LAST, msgspec.msgpack.encode(plain))
    assert found(run).file == LAST


def test_a_manifest_that_counts_other_lines_is_found(run: Path) -> None:
    forge(run, lambda plain: plain["events"].update(warning=1))
    assert found(run).file == MANIFEST


def test_a_manifest_that_is_written_in_another_way_is_found(run: Path) -> None:
    data = (run / MANIFEST).read_bytes()
    (run / MANIFEST).write_bytes(data.replace(b"  ", b" \n", 1))
    assert Run.open(run).manifest.day == DAYS  # which says the same
    assert found(run).file == MANIFEST


@pytest.mark.parametrize(("given", "other"), [("seed = 5", "seed = 6"), ("_days = 4", "_days = 5")])
def test_a_scenario_that_is_not_that_of_the_manifest_is_found(
    given: str, other: str, run: Path
) -> None:
    text = (run / "scenario.toml").read_text().replace(given, other)
    forge_file(run, "scenario.toml", text.encode())
    assert found(run).file == "scenario.toml"


def test_a_scenario_with_another_digest_is_noted(run: Path) -> None:
    text = (run / "scenario.toml").read_text().replace("reserve = 300", "reserve = 301")
    forge_file(run, "scenario.toml", text.encode())
    assert "another digest" in verify(run).notes[0]


ROWS = {
    "another stock": ("stocks", 'REPLACE ("left" + 1 AS "left")', ""),
    "a stock of another region": ("stocks", "REPLACE ('r9' AS region)", ""),
    "a cell less": ("stocks", "", "WHERE NOT (place = 'r1' AND ingredient = 'wood')"),
    "another taking": ("takings", "REPLACE (units + 1 AS units)", ""),
    "somebody else's taking": ("takings", "REPLACE ('red/three' AS team)", ""),
    "a taking less": ("takings", "", "LIMIT 1"),
    "another status": ("teams", "REPLACE ('lost' AS status)", ""),
    "another place": ("teams", "REPLACE ('r2' AS place)", ""),
    "another load": ("teams", "REPLACE (cargo + 1 AS cargo)", ""),
    "a team less": ("teams", "", "WHERE team <> 'red/one'"),
    "a day of another part": ("teams", "REPLACE (day + 4 AS day)", ""),
    "a column less": ("stocks", "EXCLUDE (pool)", ""),
    "a column of another type": ("stocks", "REPLACE (CAST(day AS VARCHAR) AS day)", ""),
    "no rows": ("stocks", "", "LIMIT 0"),
}


def forge_rows(run: Path, path: str, sql: str) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({sql}) TO '{run / 'forged'}' (FORMAT parquet)")
    forge_file(run, path, (run / "forged").read_bytes())
    (run / "forged").unlink()


@pytest.mark.parametrize("case", ROWS)
def test_a_table_that_is_not_what_the_log_comes_to_is_found(case: str, run: Path) -> None:
    table, columns, rows = ROWS[case]
    path = f"{table}/{1 if 'cell' in case else 3:06}.parquet"
    sql = f"SELECT * {columns} FROM read_parquet('{run / path}') {rows}"  # noqa: S608 - our own
    forge_rows(run, path, sql)
    fault = found(run)
    assert fault.file == f"{table}/000003.parquet", fault  # the last, where the table is to blame


def test_the_rows_of_a_stopped_run_are_compared_too(tmp_path: Path) -> None:
    run = interrupted(tmp_path / "run")
    path = "takings/000002.parquet"
    sql = f"SELECT * REPLACE (units + 1 AS units) FROM read_parquet('{run / path}')"  # noqa: S608
    forge_rows(run, path, sql)
    assert found(run).file == path


def test_the_command_says_in_one_line_what_it_checked(run: Path) -> None:
    result = CliRunner().invoke(cli, ["verify", str(run)])
    assert result.exit_code == 0
    (line,) = result.stdout.splitlines()
    assert "is whole" in line
    assert f"{DAYS} days" in line
    assert not result.stderr
    quiet = CliRunner().invoke(cli, ["verify", str(run), "--quiet"])
    assert (quiet.exit_code, quiet.output) == (0, "")
    told = json.loads(CliRunner().invoke(cli, ["verify", str(run), "--json"]).stdout)
    assert told["whole"] is True
    assert told["lines"] == Run.open(run).manifest.events.total


def test_the_command_names_file_and_line_and_gives_3(run: Path) -> None:
    lines = (run / LOG).read_bytes().splitlines()
    lines.pop(4)
    forge_lines(run, LOG, lines)
    result = CliRunner().invoke(cli, ["verify", str(run)])
    assert (result.exit_code, result.stdout) == (3, "")
    assert f"{run}/{LOG}, line 5: event 5 is where 4 should be" in result.stderr
    result = CliRunner().invoke(cli, ["verify", str(run), "--json"])
    told = json.loads(result.stdout)
    assert result.exit_code == 3
    assert (told["whole"], told["file"], told["line"]) == (False, LOG, 5)


def test_who_watches_is_told_how_many_lines_are_read(run: Path) -> None:
    told: list[tuple[int, int]] = []
    verified = verify(run, on_lines=lambda number, of: told.append((number, of)))
    assert told[-1] == (verified.lines, verified.lines)
