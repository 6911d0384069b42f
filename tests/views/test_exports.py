"""Exports hold what the run holds, whatever its names are, and appear whole or not at all."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from forged_runs import HOSTILE, forged_run

import worldsim as ws
from worldsim.errors import InputError
from worldsim.runs.disk import DiskError
from worldsim.runs.tables import TABLES
from worldsim.views.exports import FORMS, default_path, export
from worldsim.views.exports.objects import time_of
from worldsim.views.exports.writing import NoPlaceError, TakenError, new_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worldsim.runs import Run
    from worldsim.views.exports import Form

FREE: tuple[Form, ...] = tuple(form for form in FORMS if form != "perfetto")
"""Formats that need no library."""
AS_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
OCEL_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str, "integer": int, "float": (float, int), "boolean": bool,
}  # fmt: skip


@pytest.fixture(scope="module", name="frontier")
def _frontier(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A month with battles, rolls included, in a folder."""
    scenario = ws.load("contested_frontier", sets=["record.level=debug"])
    place = tmp_path_factory.mktemp("runs") / "frontier"
    return ws.simulate(scenario, days=30, out=place)


@pytest.fixture(scope="module", name="forged")
def _forged() -> Run:
    return forged_run()


def kinds_in(run: Run) -> Counter[str]:
    return Counter(json.loads(line)["event"] for line in run.lines())


def without_rolls(run: Run) -> int:
    return sum(count for kind, count in kinds_in(run).items() if kind != "dice.rolled")


def rows_in(run: Run, table: str) -> int:
    return len(run.query(f"FROM {table}").fetchall())


@pytest.mark.parametrize("form", ["sqlite", "parquet", "csv"])
def test_tables_have_as_many_rows_as_the_run(frontier: Run, tmp_path: Path, form: Form) -> None:
    done = export(frontier, form, tmp_path / "out")
    assert done.counts["events"] == kinds_in(frontier).total() > without_rolls(frontier)
    for table in TABLES:
        assert done.counts[table] == rows_in(frontier, table) > 0
    assert done.bytes > 0


def test_a_database_tells_of_each_kind_as_often_as_the_log(frontier: Run, tmp_path: Path) -> None:
    path = export(frontier, "sqlite", tmp_path / "run.sqlite").path
    with closing(sqlite3.connect(path)) as found:
        assert found.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        told = dict(found.execute("SELECT event, count(*) FROM events GROUP BY 1").fetchall())
        assert told == kinds_in(frontier)
        taken = found.execute("SELECT sum(units) FROM takings").fetchall()
        assert taken == frontier.query("SELECT CAST(sum(units) AS BIGINT) FROM takings").fetchall()
        one = "SELECT fields FROM events WHERE event = 'team.gathered' AND fields LIKE '%taken%'"
        assert isinstance(json.loads(found.execute(one).fetchone()[0])["taken"], dict)
        facts = dict(found.execute("SELECT key, value FROM manifest").fetchall())
        assert facts["digest"] == frontier.manifest.digest


def test_each_event_of_a_database_can_be_put_together_again(frontier: Run, tmp_path: Path) -> None:
    path = export(frontier, "sqlite", tmp_path / "run.sqlite").path
    with closing(sqlite3.connect(path)) as found:
        found.row_factory = sqlite3.Row
        rows = [dict(row) for row in found.execute("SELECT * FROM events ORDER BY rowid")]
    for row, line in zip(rows, frontier.lines(), strict=True):
        more = json.loads(row.pop("fields") or "{}")
        again = {name: value for name, value in (row | more).items() if value is not None}
        assert again == {k: v for k, v in json.loads(line).items() if v is not None}


def test_parquet_and_csv_hold_the_same_numbers_as_the_run(frontier: Run, tmp_path: Path) -> None:
    folder = export(frontier, "csv", tmp_path / "csv").path
    with (folder / "stocks.csv").open(encoding="utf-8", newline="") as file:
        left = [int(row["left"]) for row in csv.DictReader(file)]
    assert left == [row[0] for row in frontier.query('SELECT "left" FROM stocks').fetchall()]
    parquet = export(frontier, "parquet", tmp_path / "parquet").path
    assert sorted(file.name for file in parquet.iterdir()) == [
        "events.parquet", "stocks.parquet", "takings.parquet", "teams.parquet",
    ]  # fmt: skip
    duckdb = pytest.importorskip("duckdb")
    events = duckdb.read_parquet(str(parquet / "events.parquet"))
    again = events.project("seq, event, taken").fetchall()
    assert again == frontier.query("SELECT seq, event, taken FROM events").fetchall()


def ocel_of(run: Run, folder: Path) -> dict[str, Any]:
    path = export(run, "ocel", folder / "log.json").path
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def check_ocel(log: dict[str, Any]) -> None:
    """What the JSON Schema of OCEL 2.0 asks for, and what it cannot: that all names are known."""
    assert set(log) == {"eventTypes", "objectTypes", "events", "objects"}
    shapes: dict[str, dict[str, dict[str, str]]] = {}
    for types in ("eventTypes", "objectTypes"):
        shapes[types] = {
            each["name"]: {one["name"]: one["type"] for one in each["attributes"]}
            for each in log[types]
        }
        assert len(shapes[types]) == len(log[types])
    ids = [each["id"] for each in log["objects"]]
    assert len(set(ids)) == len(ids)
    assert len({each["id"] for each in log["events"]}) == len(log["events"])
    for kind, types in (("events", "eventTypes"), ("objects", "objectTypes")):
        for each in log[kind]:
            shape = shapes[types][each["type"]]
            for attribute in each["attributes"]:
                assert isinstance(attribute["value"], OCEL_TYPES[shape[attribute["name"]]])
                if kind == "objects":
                    assert AS_TIME.fullmatch(attribute["time"])
            told = [(one["objectId"], one["qualifier"]) for one in each["relationships"]]
            assert len(set(told)) == len(told)
            assert {one for one, _ in told} <= set(ids)


@pytest.mark.parametrize("which", ["frontier", "forged"])
def test_an_object_centric_log_is_as_the_standard_says(
    which: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    run: Run = request.getfixturevalue(which)
    log = ocel_of(run, tmp_path)
    check_ocel(log)
    assert Counter(each["type"] for each in log["events"]) == {
        kind: count for kind, count in kinds_in(run).items() if kind != "dice.rolled"
    }
    assert all(each["relationships"] for each in log["events"])
    assert all(AS_TIME.fullmatch(each["time"]) for each in log["events"])


def test_an_object_centric_log_knows_the_teams_and_battles_of_the_run(
    frontier: Run, tmp_path: Path
) -> None:
    log = ocel_of(frontier, tmp_path)
    by_type = Counter(each["type"] for each in log["objects"])
    kinds = kinds_in(frontier)
    assert by_type["team"] == kinds["team.formed"] > 0
    assert by_type["colony"] == kinds["colony.founded"]
    assert by_type["battle"] == kinds["battle.started"] > 0
    assert by_type["region"] + by_type["sector"] == kinds["reserve.founded"]
    fought = [each for each in log["events"] if each["type"] == "battle.round_fought"]
    assert fought
    for each in fought:
        assert [one["qualifier"] for one in each["relationships"]].count("battle") == 1
    teams = [each for each in log["objects"] if each["type"] == "team"]
    assert all(one["qualifier"] == "comes from" for each in teams for one in each["relationships"])
    assert all(len(each["relationships"]) == 1 for each in teams)


def test_both_forms_of_an_object_centric_log_say_the_same(frontier: Run, tmp_path: Path) -> None:
    plain, base = ocel_of(frontier, tmp_path), tmp_path / "log.sqlite"
    counts = export(frontier, "ocel-sqlite", base).counts
    with closing(sqlite3.connect(base)) as found:
        found.execute("PRAGMA foreign_keys = ON")
        assert found.execute("PRAGMA foreign_key_check").fetchall() == []
        told = set(found.execute("SELECT * FROM event_object").fetchall())
        times = dict(found.execute("SELECT ocel_id, ocel_time FROM event_team_gathered").fetchall())
        (objects,) = found.execute("SELECT count(*) FROM object").fetchone()
        taken = found.execute("SELECT ocel_id, taken FROM event_team_gathered").fetchall()
    relations = [
        (each["id"], one["objectId"], one["qualifier"])
        for each in plain["events"]
        for one in each["relationships"]
    ]
    assert told == set(relations)
    assert counts["event_object"] == len(relations)
    assert counts["objects"] == objects == len(plain["objects"])
    assert counts["events"] == len(plain["events"]) == without_rolls(frontier)
    assert counts["rolls_left_out"] == kinds_in(frontier)["dice.rolled"]
    gathered = [each for each in plain["events"] if each["type"] == "team.gathered"]
    assert times == {each["id"]: each["time"] for each in gathered}
    assert taken == [
        (each["id"], next(a["value"] for a in each["attributes"] if a["name"] == "taken"))
        for each in gathered
    ]


def test_a_minute_of_the_campaign_is_a_minute_of_the_year_2000() -> None:
    assert time_of(0) == "2000-01-01T00:00:00Z"
    assert time_of(1440 + 61) == "2000-01-02T01:01:00Z"


def texts_in(value: Any) -> Iterator[str]:
    """All texts within plain data."""
    match value:
        case str():
            yield value
        case dict():
            for each in (*value, *value.values()):
                yield from texts_in(each)
        case list() | tuple():
            for each in value:
                yield from texts_in(each)


def test_hostile_names_come_through_an_object_centric_log_unchanged(
    forged: Run, tmp_path: Path
) -> None:
    log = ocel_of(forged, tmp_path)
    ids = {each["id"].partition(":")[2] for each in log["objects"] if each["type"] == "team"}
    assert ids == set(HOSTILE)
    base = export(forged, "ocel-sqlite", tmp_path / "log.sqlite").path
    with closing(sqlite3.connect(base)) as found:
        kept = {name.partition(":")[2] for (name,) in found.execute(
            "SELECT ocel_id FROM object WHERE ocel_type = 'ingredient'")}  # fmt: skip
        (events,) = found.execute("SELECT count(*) FROM event").fetchone()
    assert kept == set(HOSTILE)
    assert events == without_rolls(forged)


def test_hostile_names_come_through_a_database_unchanged(forged: Run, tmp_path: Path) -> None:
    path = export(forged, "sqlite", tmp_path / "run.sqlite").path
    with closing(sqlite3.connect(path)) as found:
        found.row_factory = sqlite3.Row
        rows = [dict(row) for row in found.execute("SELECT * FROM events ORDER BY rowid")]
        for table, shape in TABLES.items():
            for column, kind in shape.items():
                if kind == "VARCHAR":
                    told = found.execute(
                        f'SELECT "{column}" FROM {table} ORDER BY rowid'  # noqa: S608
                    ).fetchall()
                    assert [row[0] for row in told] == list(HOSTILE)
    for row, line in zip(rows, forged.lines(), strict=True):
        more = json.loads(row.pop("fields") or "{}")
        again = {name: value for name, value in (row | more).items() if value is not None}
        assert again == {k: v for k, v in json.loads(line).items() if v is not None}


def test_no_cell_of_csv_is_a_formula_or_drives_a_terminal(forged: Run, tmp_path: Path) -> None:
    folder = export(forged, "csv", tmp_path / "csv").path
    cells = 0
    for file in sorted(folder.iterdir()):
        with file.open(encoding="utf-8", newline="") as opened:
            for row in csv.reader(opened):
                for cell in row:
                    cells += 1
                    assert cell.isprintable()
                    assert not cell.startswith(("=", "@"))
                    assert not cell.startswith(("+", "-")) or float(cell) < 0
    assert cells > 100 * 100


def test_hostile_names_come_through_parquet_unchanged(forged: Run, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    folder = export(forged, "parquet", tmp_path / "parquet").path
    told = duckdb.read_parquet(str(folder / "teams.parquet")).project("team").fetchall()
    assert [team for (team,) in told] == list(HOSTILE)
    named = duckdb.read_parquet(str(folder / "events.parquet")).project("member").fetchall()
    assert {name for (name,) in named} - {None} == set(HOSTILE)


@pytest.mark.parametrize("form", FREE)
def test_what_is_there_is_not_overwritten(frontier: Run, tmp_path: Path, form: Form) -> None:
    there = tmp_path / "there"
    there.write_text("mine")
    with pytest.raises(TakenError, match=r"exists already: nothing was written; give another"):
        export(frontier, form, there)
    assert there.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [there]


@pytest.mark.parametrize("form", FREE)
def test_an_export_that_is_broken_off_leaves_nothing(
    frontier: Run, tmp_path: Path, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(type(frontier), "chunks", interrupted)
    monkeypatch.setattr(type(frontier), "takings", interrupted)
    with pytest.raises(KeyboardInterrupt):
        export(frontier, form, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


FULL = (
    OSError(28, "No space left on device"),
    sqlite3.OperationalError("database or disk is full"),
)


@pytest.mark.parametrize("fault", FULL)
def test_a_full_disk_is_one_message_and_leaves_nothing(tmp_path: Path, fault: Exception) -> None:
    def written() -> None:
        with new_file(tmp_path / "out") as made:
            made.write_text("half")
            raise fault

    with pytest.raises(DiskError, match=r"could not write .*(space left|is full)"):
        written()
    assert list(tmp_path.iterdir()) == []


def test_an_export_goes_neither_into_the_run_nor_where_no_folder_is(
    frontier: Run, tmp_path: Path
) -> None:
    assert frontier.path is not None
    before = sorted(frontier.path.rglob("*"))
    for place in (frontier.path / "x.sqlite", frontier.path / "events" / "x.sqlite"):
        with pytest.raises(NoPlaceError, match="inside the run"):
            export(frontier, "sqlite", place)
    with pytest.raises(NoPlaceError, match="there is no folder"):
        export(frontier, "sqlite", tmp_path / "no" / "such" / "x.sqlite")
    with pytest.raises(InputError):
        export(frontier, "sqlite", tmp_path / ("x" * 300))
    assert sorted(frontier.path.rglob("*")) == before


def test_a_run_is_as_it_was_after_all_exports(frontier: Run, tmp_path: Path) -> None:
    assert frontier.path is not None
    run = ws.Run.open(frontier.path)
    before = {file: file.read_bytes() for file in frontier.path.rglob("*") if file.is_file()}
    for form in FREE:
        export(run, form, tmp_path / form)
    after = {file: file.read_bytes() for file in frontier.path.rglob("*") if file.is_file()}
    assert after == before


def test_a_log_that_is_damaged_is_refused(tmp_path: Path) -> None:
    run = forged_run(HOSTILE[:1])
    run._source._store.segments.append(b'{"event":"nonsense"}\n')  # type: ignore[attr-defined]
    for form in ("ocel", "sqlite", "csv"):
        with pytest.raises(ws.WorldsimError, match="is damaged"):
            export(run, form, tmp_path / form)
    assert list(tmp_path.iterdir()) == []


def test_each_format_has_a_name_of_its_own_after_the_run(frontier: Run) -> None:
    names = {str(default_path(frontier, form)) for form in FORMS}
    assert len(names) == len(FORMS)
    assert all(name.startswith("frontier") for name in names)
