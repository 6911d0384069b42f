"""Studies in this process: rows, folders, going on, stopping rules."""

from __future__ import annotations

import json
import shutil
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import duckdb
import pytest
from small_studies import COST, loaded

import worldsim as ws
from worldsim.runs.folder import InUseError
from worldsim.runs.places import FolderTakenError
from worldsim.study import runner, storage
from worldsim.study.inputs import MissingExtraError
from worldsim.study.manifest import DamagedStudyError
from worldsim.study.places import NotAStudyError
from worldsim.study.publishing import PublishingError
from worldsim.study.storage import StudyFolder
from worldsim.study.study import NotFurtherError, OtherStudyError, Study

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from worldsim.study.runner import Progress
    from worldsim.study.work import Outcome


@pytest.fixture(scope="module", name="whole")
def _whole(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A finished study of two cells and three replications."""
    folder = tmp_path_factory.mktemp("whole")
    return loaded(folder, COST).run(folder / "study")


@pytest.fixture(name="copy")
def _copy(whole: Study, tmp_path: Path) -> Path:
    """The folder of that study, to be damaged."""
    assert whole.path is not None
    return shutil.copytree(whole.path, tmp_path / "copy")


def stopping_after(runs: int) -> Callable[[], bool]:
    """A wish to stop after so many campaigns in this process."""
    left = iter([False] * runs)
    return lambda: next(left, True)


def rows(study: Study) -> list[tuple[Any, ...]]:
    return study.table().fetchall()


def part_bytes(study: Study) -> list[bytes]:
    assert study.path is not None
    return [path.read_bytes() for path in sorted((study.path / "parts").iterdir())]


def test_a_row_is_the_campaign_of_that_scenario_and_seed(whole: Study) -> None:
    scenario = ws.load("lone_colony", sets=["rules.gathering.one_success_cost=2"])
    (seed, taken, digest) = (
        whole.table().filter("cell = 1 and replication = 2").project("seed, taken, digest")
    ).fetchall()[0]
    run = ws.simulate(scenario, seed=seed, days=8)
    assert run.query("select sum(units) from takings").fetchall() == [(taken,)]
    assert run.manifest.digest == digest


def test_the_table_is_tidy_and_sorted(whole: Study) -> None:
    table = whole.table()
    assert table.columns == [
        "cell", "replication", "seed", "cost", "taken", "left_share", "day_50_left", "effort",
        "digest", "status", "error",
    ]  # fmt: skip
    found = rows(whole)
    assert [row[:2] for row in found] == [(cell, r) for cell in (0, 1) for r in range(3)]
    assert [row[2] for row in found[:3]] == [row[2] for row in found[3:]]
    assert {row[-2] for row in found} == {"finished"}


def test_parts_hold_the_table(whole: Study) -> None:
    assert whole.path is not None
    parts = duckdb.read_parquet(f"{whole.path}/parts/*.parquet")
    assert sorted(parts.fetchall()) == rows(whole)
    assert [part.rows for part in whole.manifest.parts] == [6]


def test_a_study_that_is_stopped_and_resumed_is_the_same(
    whole: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = loaded(tmp_path, COST).run(tmp_path / "study", stop=stopping_after(2))
    assert (study.manifest.status, len(study.rows)) == ("interrupted", 2)
    simulated: list[tuple[int, int]] = []
    add = StudyFolder.add

    def noted(self: StudyFolder, outcome: Outcome) -> None:
        simulated.append((outcome.cell, outcome.replication))
        add(self, outcome)

    monkeypatch.setattr(StudyFolder, "add", noted)
    study = study.resume()
    assert len(simulated) == 4
    assert study.manifest.status == "finished"
    assert rows(study) == rows(whole)
    assert part_bytes(study) == part_bytes(whole)


def test_resuming_a_finished_study_simulates_nothing(copy: Path) -> None:
    before = (copy / "status.jsonl").read_bytes()
    study = Study.open(copy).resume()
    assert '"seed"' not in (copy / "status.jsonl").read_bytes()[len(before) :].decode()
    assert study.manifest.status == "finished"


def test_extending_adds_to_what_is_there(copy: Path, tmp_path: Path) -> None:
    longer = loaded(tmp_path, COST, replications=5).run(tmp_path / "longer")
    lines = (copy / "status.jsonl").read_bytes()
    extended = Study.open(copy).extend(5)
    assert rows(extended) == rows(longer)
    assert (copy / "status.jsonl").read_bytes().startswith(lines)
    assert [part.rows for part in extended.manifest.parts] == [6, 4]
    with pytest.raises(NotFurtherError):
        extended.extend(5)


def test_parts_are_stretches_of_the_plan_whoever_ended_first(
    whole: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "PART_ROWS", 4)
    study = loaded(tmp_path, COST).run(tmp_path / "study", stop=stopping_after(5))
    assert [part.rows for part in study.manifest.parts] == [4]
    study = study.resume()
    assert [part.rows for part in study.manifest.parts] == [4, 2]
    assert sorted(rows(study)) == rows(whole)


def test_a_damaged_part_is_made_anew(copy: Path) -> None:
    (part,) = (copy / "parts").iterdir()
    data = part.read_bytes()
    part.write_bytes(data[:-1] + b"?")
    (copy / "parts" / "000009.parquet").write_bytes(b"of a crash")
    Study.open(copy).resume()
    assert [path.read_bytes() for path in (copy / "parts").iterdir()] == [data]


def test_a_torn_line_costs_its_own_campaign_only(copy: Path, whole: Study) -> None:
    status = copy / "status.jsonl"
    lines = [line for line in status.read_bytes().splitlines(keepends=True) if b'"cell"' in line]
    status.write_bytes(b"".join(lines[:3]) + lines[3][:40])
    assert len(Study.open(copy).rows) == 3
    study = Study.open(copy).resume()
    assert rows(study) == rows(whole)
    told = [json.loads(line) for line in status.read_bytes().splitlines()]
    assert sum("cell" in line for line in told) == 6


def test_a_line_that_is_none_among_others_is_damage(copy: Path) -> None:
    status = copy / "status.jsonl"
    lines = status.read_bytes().splitlines(keepends=True)
    status.write_bytes(b"".join([lines[0], b'{"cell":0}\n', *lines[1:]]))
    with pytest.raises(DamagedStudyError, match="number 2"):
        Study.open(copy).resume()


def test_a_study_whose_files_were_changed_is_not_gone_on_with(copy: Path) -> None:
    scenario = copy / "scenarios" / "base.toml"
    scenario.write_text(scenario.read_text().replace("reserve = 600", "reserve = 601"))
    with pytest.raises(OtherStudyError, match="was changed"):
        Study.open(copy).extend(4)


def test_a_study_of_another_version_is_not_gone_on_with(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from worldsim.study import study as studies  # noqa: PLC0415 - patched below

    monkeypatch.setattr(studies, "versions", lambda: storage.versions() | {"worldsim": "9.9"})
    with pytest.raises(OtherStudyError, match=r"by worldsim .* and this is 9\.9"):
        Study.open(copy).extend(4)


def test_a_changed_manifest_is_refused(copy: Path) -> None:
    manifest = copy / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"finished"', '"running"'))
    with pytest.raises(DamagedStudyError, match="checksum"):
        Study.open(copy)


def test_two_cannot_fill_one_study_at_a_time(copy: Path) -> None:
    with StudyFolder(copy), pytest.raises(InUseError):
        Study.open(copy).extend(4)


def test_a_study_is_running_only_while_somebody_fills_it(copy: Path) -> None:
    assert Study.open(copy).state == "finished"
    with StudyFolder(copy) as folder:
        folder.begin(4)
        assert Study.open(copy).state == "running"
    assert Study.open(copy).manifest.status == "running", "as after kill -9"
    assert Study.open(copy).state == "interrupted"


def test_links_in_a_study_are_refused(copy: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.jsonl"
    (copy / "status.jsonl").rename(elsewhere)
    (copy / "status.jsonl").symlink_to(elsewhere)
    with pytest.raises(DamagedStudyError, match="is a link"):
        Study.open(copy).extend(4)


def test_a_study_is_not_made_where_something_is(copy: Path, whole: Study) -> None:
    with pytest.raises(FolderTakenError):
        whole.make(copy)
    with pytest.raises(NotAStudyError):
        Study.open(copy / "parts")


def test_the_stopping_rule_replicates_until_the_interval_is_narrow(tmp_path: Path) -> None:
    rule = COST + '[stop]\nmetric = "taken"\nhalf_width = 12\nceiling = 40\n'
    study = loaded(tmp_path, 'metrics = ["taken"]\n' + rule).run(tmp_path / "study")
    totals = study.manifest.totals
    assert totals[0] == 3
    assert 3 < totals[-1] <= 40
    assert all(later <= 2 * earlier for earlier, later in pairwise(totals))
    assert runner.wanted_total(study.plan, study.rows, totals[-1]) is None
    before = {run: row for run, row in study.rows.items() if run[1] < totals[-2]}
    assert runner.wanted_total(study.plan, before, totals[-2]) == totals[-1]


def test_the_stopping_rule_ends_at_its_ceiling(tmp_path: Path) -> None:
    rule = '[stop]\nmetric = "taken"\nhalf_width = 0.01\nceiling = 7\n'
    study = loaded(tmp_path, 'metrics = ["taken"]\n' + rule).run(tmp_path / "study")
    assert study.manifest.totals == [3, 6, 7]
    assert len(study.rows) == 7


def test_kept_campaigns_can_be_opened_and_have_the_same_figures(
    whole: Study, tmp_path: Path
) -> None:
    study = loaded(tmp_path, 'keep = "everything"\n' + COST, replications=1)
    study = study.run(tmp_path / "study")
    assert [row[:-1] for row in rows(study)] == [r[:-1] for r in rows(whole) if r[1] == 0]
    for outcome, run in study.runs():
        assert run.manifest.seed == outcome.seed
        assert run.events("campaign.started").fetchall()
    assert len(list(study.runs())) == 2


def test_progress_tells_how_far_it_is_and_how_sure(tmp_path: Path) -> None:
    told: list[Progress] = []
    loaded(tmp_path, COST).run(tmp_path / "study", on_progress=told.append)
    assert (told[0].done, told[0].total, told[0].interval) == (0, 6, None)
    last = told[-1]
    assert (last.done, last.failed, last.total, last.metric) == (6, 0, 6, "taken")
    assert last.left_s == 0
    assert last.interval is not None
    assert last.interval.n == 3


@pytest.mark.needs("fsspec")
def test_sealed_parts_can_be_published_and_only_new_ones_are_copied_again(
    copy: Path, tmp_path: Path
) -> None:
    there = tmp_path / "shelf" / "study"
    study = Study.open(copy)
    assert study.publish(there.as_uri()) == 4  # part, scenario, study file, manifest
    for name in ("manifest.json", "study.toml", "scenarios/base.toml", "parts/000001.parquet"):
        assert (there / name).read_bytes() == (copy / name).read_bytes()
    study.extend(4)
    assert study.publish(there.as_uri()) == 4  # the first part stays
    assert [path.name for path in sorted((there / "parts").iterdir())] == [
        "000001.parquet", "000002.parquet",
    ]  # fmt: skip


@pytest.mark.needs("fsspec")
def test_an_address_that_cannot_be_is_an_error(copy: Path) -> None:
    with pytest.raises(PublishingError, match="nowhere"):
        Study.open(copy).publish("nowhere://x/y")


@pytest.mark.parametrize("library", ["distributed", "fsspec"])
def test_without_the_extra_for_clusters_the_message_says_what_to_install(
    library: str, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    study = Study.open(copy)
    with pytest.raises(MissingExtraError, match=r"pip install 'worldsim\[cluster\]'"):
        study.publish("memory://x") if library == "fsspec" else study.extend(4, executor="dask")
    assert len(Study.open(copy).rows) == 6
