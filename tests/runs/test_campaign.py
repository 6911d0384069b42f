from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from toy_campaign import ToySimulation, files, sha256, toy

from worldsim.errors import BrokenInvariantError, InputError, WorldsimError
from worldsim.runs import AlreadyFinished, Campaign, Run, new_folder, open_campaign, simulate
from worldsim.runs.disk import Disk
from worldsim.runs.listing import list_runs
from worldsim.runs.places import NoSpaceError
from worldsim.runs.sources import is_written
from worldsim.scenario import digest, load, resolved_toml

if TYPE_CHECKING:
    from worldsim.events.kinds import DiceRolled, Event

TABLES = ("stocks", "takings", "teams")
WHOLE_RUN = sorted(
    ["manifest.json", "scenario.toml", "run.log"]
    + [f"checkpoints/0000{day}.msgpack" for day in ("00", "10")]
    + [f"events/00000{n}.jsonl" for n in (1, 2, 3)]
    + [f"{table}/00000{n}.parquet" for table in TABLES for n in (1, 2, 3)]
)


def run_toy(out: Path | None, *sets: str, days: int | None = None) -> Run:
    return simulate(toy(*sets), days=days, out=out, build=ToySimulation)


def events_of(run: Run) -> list[bytes]:
    return list(run.lines())


def test_a_run_directory_holds_what_the_design_says(tmp_path: Path) -> None:
    run_toy(tmp_path / "a")
    assert files(tmp_path / "a") == WHOLE_RUN
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_the_manifest_says_how_far_the_run_came_and_what_its_parts_are(tmp_path: Path) -> None:
    manifest = run_toy(tmp_path / "a").manifest
    assert (manifest.status, manifest.day, manifest.days, manifest.seed) == ("finished", 10, 10, 3)
    assert manifest.digest == digest(toy())
    assert (manifest.events.debug, manifest.events.warning) == (0, 2)
    lines = events_of(Run.open(tmp_path / "a"))
    assert manifest.events.info == len(lines) - 2
    told = [*manifest.parts, *manifest.checkpoints]
    sealed = {part.path: (part.bytes, part.sha256) for part in told}
    on_disk = {
        name: ((tmp_path / "a" / name).stat().st_size, sha256(tmp_path / "a" / name))
        for name in WHOLE_RUN
        if name not in {"manifest.json", "run.log"}
    }
    assert sealed == on_disk


def test_the_stored_scenario_runs_again_by_itself_to_the_same_events(tmp_path: Path) -> None:
    first = simulate(toy(), seed=11, days=5, out=tmp_path / "a", build=ToySimulation)
    again = simulate(
        load(tmp_path / "a" / "scenario.toml"), out=tmp_path / "b", build=ToySimulation
    )
    assert again.manifest.days == 5
    assert again.manifest.seed == 11
    assert events_of(again) == events_of(first)
    assert resolved_toml(first.scenario) == resolved_toml(again.scenario)


def test_two_runs_of_one_scenario_and_seed_are_the_same_files(tmp_path: Path) -> None:
    run_toy(tmp_path / "a")
    run_toy(tmp_path / "b")
    for name in WHOLE_RUN:
        if name.startswith("events") or name == "scenario.toml":
            assert sha256(tmp_path / "a" / name) == sha256(tmp_path / "b" / name)
    for table in TABLES:
        a, b = (Run.open(tmp_path / name).query(f"FROM {table}").fetchall() for name in "ab")
        assert a == b


def test_the_events_do_not_depend_on_where_they_are_cut(tmp_path: Path) -> None:
    short = run_toy(tmp_path / "a", "record.segment_days=1")
    long = run_toy(tmp_path / "b", "record.segment_days=90")
    assert len(files(tmp_path / "a" / "events")) == 10
    assert len(files(tmp_path / "b" / "events")) == 1
    assert events_of(short) == events_of(long)
    assert short.stocks().fetchall() == long.stocks().fetchall()


@pytest.mark.parametrize(
    ("level", "kinds"),
    [
        ("warning", {"warning"}),
        ("info", {"info", "warning"}),
        ("debug", {"debug", "info", "warning"}),
    ],
)
def test_a_level_given_beside_the_scenario_is_the_level_of_the_log(
    level: str, kinds: set[str], tmp_path: Path
) -> None:
    run = simulate(toy(), level=level, out=tmp_path / "a", build=ToySimulation)  # type: ignore[arg-type]
    assert {row[0] for row in run.events().project("level").fetchall()} == kinds
    counts = run.manifest.events
    assert {k for k in ("debug", "info", "warning") if getattr(counts, k)} == kinds


def test_a_run_in_memory_has_the_tables_and_lines_of_one_on_disk(tmp_path: Path) -> None:
    on_disk, in_memory = run_toy(tmp_path / "a"), run_toy(None)
    assert events_of(in_memory) == events_of(on_disk)
    for sql in ("FROM events", *(f"FROM {table}" for table in TABLES)):
        a, b = on_disk.query(sql), in_memory.query(sql)
        assert (a.columns, a.types) == (b.columns, b.types)
        assert a.fetchall() == b.fetchall()
        assert a.fetchall()
    kinds = ["team.perished", "team.returned"]
    assert in_memory.events(kinds).fetchall() == on_disk.events(kinds).fetchall()
    one, other = on_disk.summary(), in_memory.summary()
    assert (one.by_region, one.delivered, one.first_depletions) == (
        other.by_region, other.delivered, other.first_depletions,
    )  # fmt: skip
    assert in_memory.path is None


def test_a_run_in_memory_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_toy(None).query("FROM events ORDER BY seq DESC").fetchall()
    assert files(tmp_path) == []


def test_a_campaign_is_stepped_day_by_day_with_its_world_in_view(tmp_path: Path) -> None:
    heard: list[Event | DiceRolled] = []
    with open_campaign(
        toy(), out=tmp_path / "a", build=ToySimulation, on_event=heard.append
    ) as campaign:
        stock = [sum(map(sum, campaign.world.reserves.left))]
        for day in campaign:
            stock.append(sum(map(sum, campaign.world.reserves.left)))
            assert campaign.day == day
    assert stock == [69, 67, 65, 63, 61, 59, 57, 56, 55, 54, 53]
    assert len(heard) == len(events_of(campaign.run))
    with pytest.raises(WorldsimError, match="has ended"):
        campaign.step()


def test_a_campaign_left_in_the_middle_is_interrupted_and_can_be_read(tmp_path: Path) -> None:
    with open_campaign(toy(), out=tmp_path / "a", build=ToySimulation) as campaign:
        for day in campaign:
            if day == 6:
                break
    run = Run.open(tmp_path / "a")
    assert (run.manifest.status, run.manifest.day) == ("interrupted", 6)
    whole = run_toy(tmp_path / "b")
    assert events_of(run) == [line for line in events_of(whole) if day_of(line) <= 6]
    assert run.query("SELECT max(day) FROM takings").fetchall() == [(6,)]
    assert not is_written(tmp_path / "a")


def day_of(line: bytes) -> int:
    return int(line.split(b'"day":')[1].split(b",")[0])


def test_asked_to_stop_a_run_ends_at_the_next_midnight(tmp_path: Path) -> None:
    days: list[int] = []
    run = simulate(
        toy(), out=tmp_path / "a", build=ToySimulation, stop=lambda: len(days) == 5,
        on_day=lambda day, _world: days.append(day),
    )  # fmt: skip
    assert days == [1, 2, 3, 4, 5]
    assert (run.manifest.status, run.manifest.day) == ("interrupted", 5)


class FailsOnDay5(ToySimulation):
    error: BaseException = BrokenInvariantError("12 wood are missing")

    def advance(self) -> None:
        super().advance()
        if self.day == 5:
            raise self.error


def test_a_simulation_that_fails_leaves_its_last_words_in_the_log(tmp_path: Path) -> None:
    with pytest.raises(BrokenInvariantError, match="12 wood"):
        simulate(toy(), out=tmp_path / "a", build=FailsOnDay5)
    run = Run.open(tmp_path / "a")
    assert (run.manifest.status, run.manifest.day) == ("failed", 4)
    assert run.manifest.error == "BrokenInvariantError: 12 wood are missing"
    assert max(map(day_of, events_of(run))) == 5
    assert "12 wood" in (tmp_path / "a" / "run.log").read_text()


def test_an_interrupt_within_a_day_keeps_whole_days_only(tmp_path: Path) -> None:
    class Interrupted(FailsOnDay5):
        error = KeyboardInterrupt()

    with pytest.raises(KeyboardInterrupt):
        simulate(toy(), out=tmp_path / "a", build=Interrupted)
    run = Run.open(tmp_path / "a")
    assert (run.manifest.status, run.manifest.day) == ("interrupted", 4)
    assert max(map(day_of, events_of(run))) == 4


def test_a_world_that_cannot_be_built_leaves_nothing_behind(tmp_path: Path) -> None:
    class Unbuildable(ToySimulation):
        def __init__(self, *_given: object, **_named: object) -> None:
            raise InputError("no such sector")

    with pytest.raises(InputError, match="no such sector"):
        simulate(toy(), out=tmp_path / "a", build=Unbuildable)
    assert list(tmp_path.iterdir()) == []


def test_out_onto_something_that_exists_is_refused_and_nothing_touched(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "diary.txt").write_text("mine")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for name in ("a", "a/diary.txt", "dangling"):
        with pytest.raises(InputError, match="exists already") as caught:
            run_toy(tmp_path / name)
        assert caught.value.exit_code == 2
    assert files(tmp_path) == ["a/diary.txt"]


@pytest.mark.parametrize(("seed", "days"), [(-1, 5), (2**63, 5), (1, 0), (1, 1_000_001)])
def test_days_and_seeds_out_of_range_are_input_errors(seed: int, days: int, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must be a whole number from"):
        simulate(toy(), seed=seed, days=days, out=tmp_path / "a", build=ToySimulation)
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_will_not_fit_the_disk_is_refused_with_both_numbers(tmp_path: Path) -> None:
    class Tiny(Disk):
        def free_bytes(self, path: Path) -> int:
            assert path == tmp_path / "a"
            return 1_000_000

    with pytest.raises(NoSpaceError, match=r"up to 1\.1 MB, but 1\.0 MB are free") as caught:
        simulate(toy(), out=tmp_path / "a", disk=Tiny(), build=ToySimulation)
    assert caught.value.exit_code == 1
    assert list(tmp_path.iterdir()) == []


def name_for(runs: Path, days: int, *sets: str) -> Path | AlreadyFinished:
    return new_folder(runs, campaign="toy", seed=3, days=days, digest=digest(toy(*sets)))


def test_a_second_run_is_finished_already_or_takes_the_next_free_suffix(tmp_path: Path) -> None:
    first = name_for(tmp_path, 10)
    assert first == tmp_path / "toy-3"
    run_toy(tmp_path / "toy-3")
    assert name_for(tmp_path, 10) == AlreadyFinished(tmp_path / "toy-3", 10)
    assert name_for(tmp_path, 9) == tmp_path / "toy-3-2"
    assert name_for(tmp_path, 11) == tmp_path / "toy-3-2"
    assert name_for(tmp_path, 10, "planet.regions=3") == tmp_path / "toy-3-2"
    run_toy(tmp_path / "toy-3-2", days=11)
    assert name_for(tmp_path, 11) == AlreadyFinished(tmp_path / "toy-3-2", 11)
    assert name_for(tmp_path, 12) == tmp_path / "toy-3-3"


def test_an_unfinished_run_is_no_reason_not_to_run(tmp_path: Path) -> None:
    simulate(toy(), out=tmp_path / "toy-3", build=ToySimulation, stop=lambda: True)
    assert name_for(tmp_path, 1) == tmp_path / "toy-3-2"


def test_a_damaged_run_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "toy-3").mkdir()
    (tmp_path / "toy-3-2").write_text("a file")
    assert name_for(tmp_path, 1) == tmp_path / "toy-3-3"


def test_a_run_being_written_is_locked_and_listed_as_running(tmp_path: Path) -> None:
    with open_campaign(toy(), out=tmp_path / "a", build=ToySimulation) as campaign:
        campaign.step()
        assert is_written(tmp_path / "a")
        assert [info.state for info in list_runs(tmp_path)] == ["running"]
    assert not (tmp_path / "a" / ".lock").exists()
    assert [info.state for info in list_runs(tmp_path)] == ["interrupted"]


def test_a_run_whose_process_died_is_listed_as_interrupted(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; sys.path.insert(0, sys.argv[2]);"
        "from toy_campaign import *; from worldsim.runs import open_campaign;"
        "c = open_campaign(toy(), out=Path(sys.argv[1]), build=ToySimulation);"
        "c.step(); c._store._flush(); os._exit(9)"
    )
    here = str(Path(__file__).parent)
    dead = subprocess.run([sys.executable, "-c", code, tmp_path / "a", here], check=False)
    assert dead.returncode == 9
    (info,) = list_runs(tmp_path)
    assert (info.state, info.day) == ("interrupted", 0)
    assert events_of(Run.open(tmp_path / "a"))


def test_the_world_is_not_changed_by_how_often_it_is_recorded(tmp_path: Path) -> None:
    often = run_toy(tmp_path / "a", "record.teams_every_days=1", "record.segment_days=2")
    seldom = run_toy(tmp_path / "b")
    assert often.manifest.digest == seldom.manifest.digest
    assert events_of(often) == events_of(seldom)


def test_a_campaign_of_one_day_has_one_part(tmp_path: Path) -> None:
    run_toy(tmp_path / "a", days=1)
    assert files(tmp_path / "a" / "events") == ["000001.jsonl"]


def test_the_last_day_that_ends_a_part_leaves_no_empty_one(tmp_path: Path) -> None:
    run_toy(tmp_path / "a", days=8)
    assert files(tmp_path / "a" / "events") == ["000001.jsonl", "000002.jsonl"]


def test_the_teams_are_recorded_at_the_cadence_and_on_the_last_day() -> None:
    run = run_toy(None)
    days = run.query("SELECT DISTINCT day FROM teams ORDER BY day").fetchall()
    assert [day for (day,) in days] == [0, 3, 6, 9, 10]


def test_campaign_is_a_plain_iterator_without_a_with(tmp_path: Path) -> None:
    campaign: Campaign = open_campaign(toy(), out=tmp_path / "a", build=ToySimulation)
    assert list(campaign) == list(range(1, 11))
    assert campaign.run.manifest.status == "finished"
