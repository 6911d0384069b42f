"""Events read from the cache of a run are those of its log, whatever became of the cache."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from toy_campaign import ToySimulation, toy

from worldsim.cli.main import cli
from worldsim.errors import WorldsimError
from worldsim.runs import Run, cache, open_branch, open_campaign, resume, simulate
from worldsim.runs.disk import Disk, DiskError
from worldsim.runs.driver import drive
from worldsim.runs.duck import QueryError, connect, text
from worldsim.runs.manifest import Part
from worldsim.runs.pruning import compress_run, prune
from worldsim.scenario import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DAYS = {"contested_frontier": 60, "first_landing": 40}
ALL = "SELECT * FROM events"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of three parts; nobody has asked for its events."""
    out = tmp_path_factory.mktemp("runs") / "[it]'s *a*? day=7 {x} Ω"
    simulate(toy(), out=out, build=ToySimulation)
    return out


@pytest.fixture
def run(kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kept, tmp_path / kept.name))


@pytest.fixture(autouse=True)
def _one_file_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest runs are cached, each part in a file of its own."""
    monkeypatch.setattr(cache, "LEAST_BYTES", 0)
    monkeypatch.setattr(cache, "FILE_BYTES", 1)


def asked(run: Path, sql: str = ALL) -> list[tuple[Any, ...]]:
    return list(Run.open(run).query(sql).fetchall())


def uncached(run: Path, sql: str = ALL) -> list[tuple[Any, ...]]:
    """What a run answers that has no cache and makes none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "LEAST_BYTES", 2**60)
        return asked(run, sql)


def cached_files(run: Path) -> list[Path]:
    return sorted((run / "cache" / "events").iterdir())


def times(run: Path) -> dict[str, tuple[int, int]]:
    looks = {path.name: path.stat() for path in cached_files(run)}
    return {name: (look.st_ino, look.st_mtime_ns) for name, look in looks.items()}


@pytest.mark.parametrize("name", DAYS)
def test_the_cached_events_of_a_real_run_are_those_of_its_log(name: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    sets = ["record.segment_days=20", 'record.level="debug"']
    simulate(load(name, sets=sets), days=DAYS[name], out=run)
    log = Run.open(run)
    plain = uncached(run)
    assert log.query(ALL).fetchall() == plain
    assert len(cached_files(run)) == DAYS[name] // 20
    files = [text(str(path)) for path in cached_files(run)]
    with connect() as connection:
        source = f"read_parquet([{', '.join(files)}])"
        assert connection.sql(f"FROM {source}").fetchall() == plain  # it was read from there
    for kinds in ("team.gathered", ["battle.ended", "team.endured"], "dice.rolled"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cache, "LEAST_BYTES", 2**60)
            expected = Run.open(run).events(kinds)
            assert log.events(kinds).columns == expected.columns
            assert log.events(kinds).types == expected.types
            assert log.events(kinds).fetchall() == expected.fetchall()
    assert log.summary() == Run.open(run).summary()


def test_a_cache_is_made_once(run: Path) -> None:
    assert not (run / "cache").exists()
    first = asked(run)
    made = times(run)
    assert len(made) == 3
    assert asked(run) == first == uncached(run)
    assert Run.open(run).events().fetchall() == first
    assert times(run) == made


def test_who_asks_nothing_of_the_log_makes_no_cache(run: Path) -> None:
    asked(run, "SELECT count(*) FROM takings")
    assert not (run / "cache").exists()


def test_a_small_run_is_read_without_a_cache(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert asked(run)
    assert not (run / "cache").exists()


def test_a_cache_that_was_deleted_is_made_anew(run: Path) -> None:
    opened = Run.open(run)
    before = opened.query(ALL).fetchall()
    assert prune(run).bytes["cache"] > 0
    assert not (run / "cache").exists()
    assert opened.query(ALL).fetchall() == before  # by who had it open
    assert len(cached_files(run)) == 3
    shutil.rmtree(run / "cache")
    assert opened.events().fetchall() == before
    assert asked(run) == before


def _flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)


def _of_another_part(path: Path) -> None:
    other = next(each for each in cached_files(path.parents[2]) if each != path)
    path.write_bytes(other.read_bytes())


def _linked(path: Path) -> None:
    outside = path.parents[3] / "outside.parquet"
    path.rename(outside)
    path.symlink_to(outside)


def _renamed_to_fit(path: Path) -> None:
    """Parquet of something else, under a name that fits its content."""
    with connect() as connection:
        connection.execute(f"COPY (SELECT 1 AS seq) TO {text(str(path))} (FORMAT parquet)")
    data = path.read_bytes()
    own = cache._checksum(data).hexdigest()
    path.rename(path.with_name(f"{path.name.rpartition('-')[0]}-{own}.parquet"))


def _no_parquet_that_fits(path: Path) -> None:
    path.unlink()
    own = cache._checksum(b"PAR1PAR1").hexdigest()
    path.with_name(f"{path.name.rpartition('-')[0]}-{own}.parquet").write_bytes(b"PAR1PAR1")


def _a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "precious").write_text("precious")


DAMAGE: dict[str, Callable[[Path], object]] = {
    "emptied": lambda path: path.write_bytes(b""),
    "cut short": lambda path: os.truncate(path, path.stat().st_size - 9),
    "cut to its end": lambda path: path.write_bytes(path.read_bytes()[-60:]),
    "longer": lambda path: path.write_bytes(path.read_bytes() * 2),
    "one bit": _flipped,
    "huge without content": lambda path: os.truncate(path, 2**40),
    "of another part": _of_another_part,
    "of another run": _renamed_to_fit,
    "no parquet": _no_parquet_that_fits,
    "a link": _linked,
    "a pipe": _a_pipe,
    "a folder": _a_folder,
    "text": lambda path: path.write_bytes(b"event,seq\nx,1\n"),
}


@pytest.mark.long
@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("part", [2, pytest.param(0, marks=pytest.mark.long)])
def test_a_damaged_cache_never_gives_another_answer(damage: str, part: int, run: Path) -> None:
    expected = asked(run)
    DAMAGE[damage](cached_files(run)[part])
    before = {path.name: path.read_bytes() for path in run.parent.iterdir() if path.is_file()}
    assert asked(run) == expected
    assert asked(run, "SELECT count(*) FROM events") == [(len(expected),)]
    assert asked(run) == expected
    assert before == {
        path.name: path.read_bytes() for path in run.parent.iterdir() if path.is_file()
    }


@pytest.mark.long
@pytest.mark.parametrize("name", ["cache", "cache/events"])
@pytest.mark.parametrize("kind", ["link", "file", "pipe", "broken link"])
def test_what_stands_in_the_place_of_the_cache_is_left_alone(
    name: str, kind: str, run: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    place = run / name
    place.parent.mkdir(exist_ok=True)
    if kind == "link":
        place.symlink_to(outside)
    elif kind == "broken link":
        place.symlink_to(tmp_path / "nowhere")
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        place.write_text("precious")
    assert asked(run) == uncached(run)
    assert list(outside.iterdir()) == []
    assert not (tmp_path / "nowhere").exists()
    assert kind != "file" or place.read_text() == "precious"


@pytest.mark.skipif(os.geteuid() == 0, reason="who may do anything is refused nothing")
def test_a_run_that_may_not_be_written_is_read_without_a_cache_for_all(run: Path) -> None:
    run.chmod(0o555)
    try:
        assert asked(run) == uncached(run)
    finally:
        run.chmod(0o755)


@pytest.mark.parametrize("doing", ["make_folder", "open_append", "rename"])
def test_a_disk_that_refuses_leaves_the_answer_as_it_is(
    doing: str, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals: list[str] = []

    def refuse(*_: object) -> None:
        refusals.append(doing)
        raise DiskError("write", "cache", "no space left on device")

    monkeypatch.setattr(Disk, doing, refuse)
    assert asked(run) == uncached(run)
    assert refusals == [doing]  # once is enough to know
    assert not (run / "cache" / "events").exists() or cached_files(run) == []


def test_a_disk_that_is_almost_full_gets_no_cache(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Disk, "free_bytes", lambda *_: 0)
    assert asked(run) == uncached(run)
    assert cached_files(run) == []


def test_a_file_that_cannot_be_made_anew_leaves_the_events_in_their_order(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = asked(run)
    for number in (1, 0):
        cached_files(run)[number].unlink()
        monkeypatch.setattr(cache.EventCache, "_make", lambda *_: None)
        assert asked(run) == expected
        assert Run.open(run).events().fetchall() == expected
        monkeypatch.undo()
        monkeypatch.setattr(cache, "LEAST_BYTES", 0)
        monkeypatch.setattr(cache, "FILE_BYTES", 1)


def test_a_run_that_is_written_shows_its_new_events(tmp_path: Path) -> None:
    out = tmp_path / "a"
    with open_campaign(toy(), out=out, build=ToySimulation) as campaign:
        seen = 0
        for _ in range(9):
            campaign.step()
            campaign._store._flush()  # type: ignore[attr-defined]
            rows = asked(out)
            assert rows == uncached(out)
            assert len(rows) > seen
            seen = len(rows)
        sealed = times(out)
        assert len(sealed) == 2
        for _ in campaign:
            pass
    assert asked(out) == uncached(out)
    assert times(out).items() > sealed.items()


def test_the_last_file_of_a_run_that_is_written_waits_until_it_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "FILE_BYTES", 2**30)
    out = tmp_path / "a"
    with open_campaign(toy(), out=out, build=ToySimulation) as campaign:
        for _ in range(9):
            campaign.step()
            campaign._store._flush()  # type: ignore[attr-defined]
        assert asked(out) == uncached(out)
        assert not (out / "cache").exists()
        for _ in campaign:
            pass
    assert asked(out) == uncached(out)
    assert len(cached_files(out)) == 1


def test_a_run_that_goes_on_is_not_read_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "a"
    seen: list[int] = []
    simulate(
        load("lone_colony", sets=["record.segment_days=4"]), days=10, out=out, checkpoint_days=3,
        on_day=lambda day, _: seen.append(day), stop=lambda: len(seen) == 6,
    )  # fmt: skip
    first = asked(out)
    assert first == uncached(out)
    assert len(cached_files(out)) == 2  # the second holds two days of four
    resume(out)
    assert asked(out) == uncached(out)
    assert len(asked(out)) > len(first)
    prune(out)
    assert asked(out) == uncached(out)
    assert len(cached_files(out)) == 3


def test_a_branch_and_its_parent_have_caches_of_their_own(tmp_path: Path) -> None:
    scenario = load("lone_colony", sets=["record.segment_days=4"])
    parent = simulate(scenario, days=12, out=tmp_path / "parent", checkpoint_days=3)
    before = asked(tmp_path / "parent")
    other = load("lone_colony", sets=["record.segment_days=4", "rules.survival.drain=1"])
    out = tmp_path / "branch"
    drive(open_branch(parent, other, at=5, out=out, days=12, checkpoint_days=3))
    assert asked(out) == uncached(out) != before
    assert asked(tmp_path / "parent") == before


def test_compressed_segments_are_cached_too(run: Path) -> None:
    before = asked(run)
    assert compress_run(run) > 0
    assert asked(run) == before == uncached(run)


def test_a_segment_that_was_changed_is_not_cached(run: Path) -> None:
    first = run / "events" / "000001.jsonl"
    data = first.read_bytes()
    first.write_bytes(data.replace(b'"day":1,', b'"day":2,', 1))
    with pytest.raises(WorldsimError, match="is not what it was"):
        asked(run)
    assert cached_files(run) == []
    first.write_bytes(data)
    assert asked(run) == uncached(run)
    first.unlink()
    with pytest.raises(WorldsimError, match="is missing"):
        asked(run)


def test_a_query_opens_the_cache_and_no_other_file(run: Path, tmp_path: Path) -> None:
    asked(run)
    own = str(cached_files(run)[0]).replace("'", "''")
    secret = tmp_path / "secret.parquet"
    secret.write_bytes(cached_files(run)[0].read_bytes())
    before = times(run)
    for sql in (
        "SELECT * FROM read_parquet('{secret}')",
        "WITH x AS (COPY (SELECT 1) TO '{own}' (USE_TMP_FILE false)) FROM x",
        "COPY (SELECT 1) TO '{own}'",
    ):
        with pytest.raises(QueryError):
            asked(run, sql.format(own=own, secret=secret))
    assert times(run) == before


ASK = """
import sys
from pathlib import Path
from worldsim.runs import Run, cache
cache.LEAST_BYTES, cache.FILE_BYTES = 0, 1
for _ in range(int(sys.argv[2])):
    rows = Run.open(sys.argv[1]).query("SELECT * FROM events").fetchall()
    print(hash(str(rows)))
"""


@pytest.mark.long
def test_several_processes_may_make_and_read_a_cache_at_once(run: Path) -> None:
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    words = [sys.executable, "-c", ASK, str(run), "5"]
    asking = [
        subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)
        for _ in range(3)
    ]
    answers = {line for each in asking for line in each.communicate(timeout=60)[0].split()}
    assert [each.returncode for each in asking] == [0, 0, 0]
    assert len(answers) == 1
    assert asked(run) == uncached(run)
    assert all(cache.NAME.fullmatch(path.name) for path in cached_files(run))


def test_who_waits_is_told_how_far_it_is(run: Path) -> None:
    told: list[tuple[int, int]] = []
    Run.open(run, on_cached=lambda *so_far: told.append(so_far)).query(ALL)
    sizes = [path.stat().st_size for path in sorted((run / "events").iterdir())]
    total = sum(sizes)
    assert told == [(0, total), *((sum(sizes[: n + 1]), total) for n in range(3))]
    told.clear()
    Run.open(run, on_cached=lambda *so_far: told.append(so_far)).query(ALL)
    assert told == []


def test_the_command_says_once_why_it_takes_long(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worldsim.cli.caching.LEAST_BYTES", 1)
    expected = str(len(uncached(run)))
    for says in (True, False):
        result = CliRunner().invoke(cli, ["query", str(run), "SELECT count(*) FROM events"])
        assert result.exit_code == 0
        assert expected in result.stdout
        assert ("caching 0 MB of events, this once" in result.stderr) is says
        assert "caching" not in result.stdout


def _parts(sizes: Iterator[int]) -> list[Part]:
    return [Part(f"events/{n:06}.jsonl", size, "0" * 64) for n, size in enumerate(sizes, 1)]


def test_files_cover_the_same_segments_however_many_follow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "LEAST_BYTES", 30)
    monkeypatch.setattr(cache, "FILE_BYTES", 100)
    parts = _parts(iter([40, 70, 100, 5, 5, 250, 30, 60, 20]))
    whole = [cache.grouped(parts[:n], closed=False) for n in range(len(parts) + 1)]
    for before, after in pairwise(whole):
        assert after[: len(before)] == before
    assert [[part.bytes for part in group] for group in whole[-1]] == [
        [40, 70], [100], [5, 5, 250], [30, 60, 20],
    ]  # fmt: skip
    closed = cache.grouped(parts[:7], closed=True)
    assert closed == [*whole[7], [parts[6]]]
    assert cache.grouped(parts[3:5], closed=True) == []
