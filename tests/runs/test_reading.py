from __future__ import annotations

import json
import re
import shutil
import threading
from typing import TYPE_CHECKING

import msgspec
import pytest
from toy_campaign import ToySimulation, toy

from worldsim.errors import InputError, WorldsimError
from worldsim.events.kinds import AnyEvent
from worldsim.events.schema import UnknownKindError, columns
from worldsim.runs import Run, list_runs, open_campaign, simulate
from worldsim.runs.duck import QueryError
from worldsim.scenario import load

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    # A name that is full of what SQL, globs and Hive partitions treat as special.
    out = tmp_path_factory.mktemp("runs") / "[it]'s *a*? day=7 {x} Ω"
    return simulate(toy(), out=out, build=ToySimulation)


def decoded(run: Run) -> list[dict[str, object]]:
    return [json.loads(line) for line in run.lines()]


def test_every_line_is_a_typed_event(run: Run) -> None:
    for line in run.lines():
        msgspec.json.decode(line, type=AnyEvent)


def test_events_come_in_their_order_with_every_column(run: Run) -> None:
    relation = run.events()
    assert relation.columns == list(columns())
    assert [row[1] for row in relation.fetchall()] == [line["seq"] for line in decoded(run)]


def test_events_of_a_kind_have_the_columns_of_the_kind(run: Run) -> None:
    relation = run.events("team.returned")
    assert relation.columns == list(columns(["team.returned"]))
    expected = [line for line in decoded(run) if line["event"] == "team.returned"]
    assert [
        dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()
    ] == expected


def test_an_unknown_kind_of_event_is_an_input_error(run: Run) -> None:
    with pytest.raises(UnknownKindError, match=r"no event kind 'team\.flew'"):
        run.events("team.flew")


def test_amounts_are_read_by_ingredient(run: Run) -> None:
    sql = "SELECT sum(delivered['wood']) FROM events WHERE event = 'team.returned'"
    assert run.query(sql).fetchall() == [(run.summary().delivered["wood"],)]


def test_stocks_follow_from_what_was_taken(run: Run) -> None:
    """Day 0 less the takings so far is each later row."""
    wrong = run.query("""
        SELECT s.day, s.place, s.ingredient, any_value(s."left") AS found,
            any_value(first."left") - coalesce(sum(t.units), 0) AS expected
        FROM stocks s
        JOIN stocks first
            ON first.day = 0 AND first.place = s.place AND first.ingredient = s.ingredient
        LEFT JOIN takings t
            ON t.place = s.place AND t.ingredient = s.ingredient AND t.day <= s.day
        GROUP BY s.day, s.place, s.ingredient
        HAVING found <> expected""").fetchall()
    assert wrong == []
    assert run.query("SELECT count(*) FROM stocks WHERE day > 0").fetchall()[0][0] > 10


def test_each_gathering_phase_has_one_row_of_effort(run: Run) -> None:
    by_kind = run.query(
        "SELECT ingredient IS NULL, count(*), sum(effort), sum(units) FROM takings"
        " GROUP BY 1 ORDER BY 1"
    ).fetchall()
    assert by_kind == [(False, 16, 0, 16), (True, 16, 112, 0)]


def test_the_summary_adds_up(run: Run) -> None:
    summary = run.summary()
    assert (summary.day, summary.status, summary.trips) == (10, "finished", 16)
    assert sum(summary.delivered.values()) == 16
    for stocks in (summary.by_region, summary.by_ingredient):
        assert sum(stock.initial for stock in stocks.values()) == 69
        assert sum(stock.left for stock in stocks.values()) == 69 - 16
        assert [sum(at) for at in zip(*(s.curve for s in stocks.values()), strict=True)] == [
            69, 67, 65, 63, 61, 59, 57, 56, 55, 54, 53,
        ]  # fmt: skip
    assert summary.curve_days == list(range(11))
    assert (summary.teams_lost, summary.teams_perished) == (1, ["red/two"])
    depleted = [line for line in decoded(run) if line["event"] == "reserve.depleted"]
    first = {line["ingredient"]: line for line in reversed(depleted)}
    assert {(d.ingredient, d.place, d.day) for d in summary.first_depletions} == {
        (line["ingredient"], line["place"], line["day"]) for line in first.values()
    }


def test_a_long_curve_is_read_at_about_forty_days(tmp_path: Path) -> None:
    long = simulate(toy("campaign.days=50"), out=tmp_path / "a", build=ToySimulation)
    summary = long.summary()
    assert len(summary.curve_days) == 41
    assert (summary.curve_days[0], summary.curve_days[-1]) == (0, 50)
    for day, *stock in zip(
        summary.curve_days, *(s.curve for s in summary.by_region.values()), strict=True
    ):
        assert sum(stock) == 69 - min(6, day) - day


@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1) TO '{out}'",
        "COPY events TO '{own}' (USE_TMP_FILE false)",
        "WITH x AS (COPY (SELECT 1) TO '{own}' (USE_TMP_FILE false)) FROM x",
        "WITH x AS (COPY (SELECT 1) TO '{out}' (USE_TMP_FILE false)) FROM x",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '{own}' (USE_TMP_FILE false)",
        "SELECT 1) TO '{own}' (USE_TMP_FILE false) --",
        "SELECT 1; COPY (SELECT 1) TO '{own}' (USE_TMP_FILE false)",
        "FROM query('COPY (SELECT 1) TO ''{own}'' (USE_TMP_FILE false)')",
        "EXPORT DATABASE '{out}'",
        "ATTACH '{out}'",
        "SELECT * FROM read_text('{secret}')",
        "SELECT * FROM read_csv('{secret}')",
        "SELECT * FROM '{secret}'",
        "SELECT * FROM glob('{folder}/*')",
        "SELECT * FROM read_json('{own}/../../../secret.txt')",
        "SET enable_external_access = true",
        "PRAGMA enable_profiling",
        "INSTALL httpfs",
        "LOAD httpfs",
        "DROP VIEW events",
        "CREATE TABLE t (x INT)",
        "DELETE FROM events",
        "SELECT * FROM",
        "SELECT * FROM nowhere",
        "",
        ";",
    ],
)
def test_a_query_only_reads_and_only_this_run(sql: str, run: Run, tmp_path: Path) -> None:
    assert run.path is not None
    secret = tmp_path / "secret.txt"
    secret.write_text("hello")
    own = str(run.path / "events" / "000001.jsonl")
    before = (run.path / "events" / "000001.jsonl").read_bytes()
    out = tmp_path / "out.csv"
    names = {"out": out, "own": own, "secret": secret, "folder": tmp_path}
    quoted = {name: str(path).replace("'", "''") for name, path in names.items()}
    with pytest.raises(QueryError) as caught:
        run.query(sql.format(**quoted)).fetchall()
    assert caught.value.exit_code == 2
    assert [p.name for p in tmp_path.iterdir()] == ["secret.txt"]
    assert (run.path / "events" / "000001.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM events;",
        "FROM stocks -- a remark",
        "WITH x AS (SELECT day FROM takings) SELECT max(day) FROM x",
        "DESCRIBE events",
        "SUMMARIZE takings",
        "SHOW TABLES",
        "PIVOT events ON event USING count(*) GROUP BY day",
        "VALUES (1)",
        "(SELECT 1) UNION ALL (SELECT 2)",
    ],
)
def test_all_sorts_of_reading_statements_are_allowed(sql: str, run: Run) -> None:
    assert run.query(sql).fetchall()


def test_an_error_in_the_data_of_a_query_is_an_input_error(run: Run) -> None:
    with pytest.raises(QueryError, match="Could not convert"):
        list(run.rows(run.query("SELECT CAST(team AS INT) FROM takings")))


def test_rows_are_the_rows_of_a_relation(run: Run) -> None:
    relation = run.query("SELECT day FROM takings ORDER BY day LIMIT 3")
    assert list(run.rows(relation)) == [(1,), (1,), (1,)]


def test_a_torn_last_line_is_left_out(run: Run, tmp_path: Path) -> None:
    with open_campaign(toy(), out=tmp_path / "a", build=ToySimulation) as campaign:
        for _ in range(6):
            campaign.step()
        campaign._store._flush()  # type: ignore[attr-defined]
        shutil.copytree(tmp_path / "a", tmp_path / "killed")
    last = tmp_path / "killed" / "events" / "000002.jsonl"
    last.write_bytes(last.read_bytes()[:-20])
    torn = Run.open(tmp_path / "killed")
    whole = [line for line in run.lines() if json.loads(line)["day"] <= 6][:-1]
    assert list(torn.lines()) == whole
    assert torn.events().fetchall() == run.events().fetchall()[: len(whole)]
    assert torn.query("SELECT max(seq) FROM events").fetchall() == [(len(whole) - 1,)]


def test_a_run_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    with open_campaign(toy(), out=tmp_path / "a", build=ToySimulation) as campaign:
        for _ in range(6):
            campaign.step()
        campaign._store._flush()  # type: ignore[attr-defined]
        reader = Run.open(tmp_path / "a")
        assert reader.manifest.status == "running"
        assert reader.query("SELECT max(day) FROM events").fetchall() == [(6,)]
        assert reader.query("SELECT max(day) FROM stocks").fetchall() == [(4,)]
        assert [row[1] for row in reader.events().fetchall()] == [
            line["seq"] for line in decoded(reader)
        ]


def test_a_run_of_which_no_part_is_sealed_has_empty_tables(tmp_path: Path) -> None:
    with open_campaign(toy(), out=tmp_path / "a", build=ToySimulation):
        reader = Run.open(tmp_path / "a")
        assert reader.stocks().fetchall() == []
        assert reader.query("SELECT max(day) FROM events").fetchall() == [(0,)]
        assert reader.stocks().types == ["BIGINT", *["VARCHAR"] * 4, "BIGINT"]
        assert reader.summary().by_region == {}


def test_a_follower_sees_every_line_and_ends_with_the_run(tmp_path: Path) -> None:
    seen: list[bytes] = []
    with open_campaign(toy(), out=tmp_path / "a", build=ToySimulation) as campaign:
        follower = threading.Thread(
            target=lambda: seen.extend(Run.open(tmp_path / "a").lines(follow=True))
        )
        follower.start()
        for _ in campaign:
            campaign._store.midnight()
    follower.join(timeout=10)
    assert not follower.is_alive()
    assert seen == list(Run.open(tmp_path / "a").lines())


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace('"seed": 3', '"seed": 4'),
        lambda text: text.replace('"seed": 3', '"seed": 3, "extra": 1'),
        lambda text: text.replace('"day": 10', '"day": 9'),
        lambda text: text[:100],
        lambda _text: "",
        lambda _text: "[1, 2]",
        lambda _text: "\0\0",
    ],
)
def test_a_damaged_manifest_is_refused_and_listed_as_damaged(
    damage: object, tmp_path: Path
) -> None:
    assert callable(damage)
    simulate(toy(), out=tmp_path / "a", build=ToySimulation)
    manifest = tmp_path / "a" / "manifest.json"
    changed = damage(manifest.read_text())
    assert changed != manifest.read_text()
    manifest.write_text(changed)
    with pytest.raises(WorldsimError, match=r"manifest\.json"):
        Run.open(tmp_path / "a")
    (info,) = list_runs(tmp_path)
    assert (info.state, info.day, info.seed) == ("damaged", None, None)
    assert info.problem


def test_a_run_of_a_later_format_asks_for_an_update(tmp_path: Path) -> None:
    simulate(toy(), out=tmp_path / "a", build=ToySimulation)
    manifest = tmp_path / "a" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(WorldsimError, match="has format 2, this worldsim reads up to 1"):
        Run.open(tmp_path / "a")


def test_what_is_no_run_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "first-7").mkdir()
    (tmp_path / "first-7" / "manifest.json").write_text("{}")
    for name in ("nowhere", "x" * 300, "first-7/manifest.json", ""):
        with pytest.raises(InputError, match=re.escape(f"{tmp_path / name} is no run")):
            Run.open(tmp_path / name)
    with pytest.raises(InputError, match=r"did you mean .*first-7"):
        Run.open(tmp_path / "frst-7")
    assert not isinstance(WorldsimError("x"), InputError)


def test_runs_are_listed_by_name_with_their_size(tmp_path: Path) -> None:
    for name in ("b", "a"):
        simulate(toy(), out=tmp_path / name, build=ToySimulation)
    (tmp_path / ".c.tmp-1").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    infos = list_runs(tmp_path)
    assert [info.name for info in infos] == ["a", "b"]
    first = infos[0]
    assert (first.state, first.campaign, first.seed, first.day, first.days) == (
        "finished", "toy", 3, 10, 10,
    )  # fmt: skip
    total = sum(p.stat().st_size for p in (tmp_path / "a").rglob("*") if p.is_file())
    assert first.size_bytes == total
    assert list_runs(tmp_path / "nowhere") == []


def test_a_summary_of_a_run_that_went_on_meanwhile_is_of_the_days_of_its_manifest(
    tmp_path: Path,
) -> None:
    scenario = load("lone_colony", sets=["record.segment_days=5"])
    with open_campaign(scenario, days=30, out=tmp_path / "run") as campaign:
        for _ in range(6):
            campaign.step()
        run = Run.open(tmp_path / "run")
        assert run.manifest.day == 5
        for _ in range(20):
            campaign.step()
        early = run.summary()
    whole = Run.open(tmp_path / "run").summary()
    assert (early.day, early.curve_days[-1]) == (5, 5)
    for region, stock in early.by_region.items():
        assert stock.initial == whole.by_region[region].initial
        assert stock.left >= whole.by_region[region].left
