"""``worldsim study``: what it prints, and how it ends."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from small_studies import COST, loaded, written
from studies import results_of

from worldsim.cli.main import cli
from worldsim.study.study import Study
from worldsim.study.work import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

    from click.testing import Result

    from worldsim.study.executors import Stop
    from worldsim.study.work import Job


def study(*args: str) -> Result:
    result = CliRunner().invoke(cli, ["study", *args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(name="at_work")
def _at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a study file, as the current one."""
    written(tmp_path, 'question = "What does it cost?"\n' + COST)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Told:
    """An executor that simulates nothing: it fails every campaign of one seed."""

    def __init__(self, failing: int | None = None) -> None:
        self._failing = failing

    def outcomes(self, jobs: Iterator[Job], stop: Stop) -> Generator[Outcome]:
        for job in jobs:
            failed = job.replication == self._failing
            yield Outcome(
                job.cell, job.replication, job.seed, "failed" if failed else "finished",
                {} if failed else {m.name: 7.0 + job.seed % 9 + job.cell for m in job.metrics},
                "0" * 64, "it \x1b[31mbroke" if failed else None, 0.1,
            )  # fmt: skip
            if stop():
                return


class Nothing(Told):
    """One in whose campaigns nothing happens."""

    def outcomes(self, jobs: Iterator[Job], stop: Stop) -> Generator[Outcome]:
        for outcome in super().outcomes(jobs, stop):
            yield replace(outcome, values=dict.fromkeys(outcome.values, 0.0))


@pytest.fixture(name="made")
def _made(at_work: Path) -> Callable[..., Study]:
    """Makes the study under studies/, of which campaigns may fail."""

    def make(failing: int | None = None) -> Study:
        return Study.load(at_work / "least.toml").run(executor=Told(failing))

    return make


def test_a_study_is_run_and_shown_and_not_run_twice(at_work: Path) -> None:
    least = ("least.toml", "--workers", "1", "--set", "study.days=3")
    done = study("run", *least)
    assert done.exit_code == 0, done.stderr
    assert "least: finished, 6 of 6 campaigns of 3 days, none failed; 2 cells" in done.stdout
    assert "What does it cost?" in done.stdout
    assert "worldsim study compare least" in done.stdout
    again = study("run", *least, "--quiet")
    assert (again.exit_code, again.stdout) == (0, "")
    assert "simulated before: studies/least" in again.stderr
    here = Study.load("least.toml", sets=["study.days=3"]).run(at_work / "here")
    assert results_of(here) == results_of(Study.open("least"))


def test_a_study_is_extended_without_the_file_it_was_made_of(
    made: Callable[..., Study], at_work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made()
    (at_work / "least.toml").unlink()
    monkeypatch.setattr("worldsim.study.study.Local", lambda _: Told())
    more = study("extend", "least", "--replications", "4", "--json")
    assert more.exit_code == 0, more.stderr
    told = json.loads(more.stdout)
    assert (told["campaigns"], told["replications"], told["status"]) == (8, 4, "finished")


def test_figures_come_as_a_table_csv_and_json(made: Callable[..., Study]) -> None:
    made()
    text = study("show", "least", "--metric", "taken").stdout
    assert "95 % bootstrap" in text
    assert "holds the truth less often" in text
    lines = study("show", "studies/least", "--metric", "taken", "--csv").stdout.splitlines()
    assert lines[0].startswith("metric,cell,cost,n,without,mean,t_low,t_high")
    assert len(lines) == 3
    told = json.loads(study("show", "least", "--json").stdout)
    assert {(each["metric"], each["cell"]) for each in told["figures"]} == {
        (metric, cell)
        for metric in ("taken", "left_share", "day_50_left", "effort")
        for cell in (0, 1)
    }


def test_a_mean_of_nothing_is_a_mean_where_cells_are_too_many_to_resample(
    at_work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Study.load(at_work / "least.toml").run(executor=Nothing())
    monkeypatch.setattr("worldsim.cli.studyshow.MOST_CELLS", 1)
    told = json.loads(study("show", "least", "--json").stdout)
    assert {(each["mean"], each["bootstrap_low"]) for each in told["figures"]} == {(0, None)}


def test_cells_are_compared(made: Callable[..., Study]) -> None:
    made()
    text = study("compare", "least", "--metric", "taken", "--base", "cost=2").stdout
    assert "taken: each cell less cell 1 (cost=2)" in text
    (change,) = json.loads(study("compare", "least", "--metric", "taken", "--json").stdout)[
        "changes"
    ]
    assert (change["difference"], change["zero_share"]) == (1, 0)
    lines = study("compare", "least", "--csv").stdout.splitlines()
    assert lines[0].startswith("metric,cell,label,n,without,difference,low,high")


def test_factors_called_as_a_column_keep_their_values(at_work: Path) -> None:
    more = "".join(
        COST.replace('"cost"', f'"{name}"').replace("[0, 2]", f"[{value}]")
        for value, name in enumerate(("mean", "factor mean", "t_low"))
    )
    loaded(at_work, more).run(executor=Told())
    lines = study("show", "least", "--metric", "taken", "--csv").stdout.splitlines()
    (row,) = csv.DictReader(lines)
    named = ("factor factor mean", "factor mean", "factor t_low")
    assert [row.pop(name) for name in named] == ["0", "1", "2"]
    (told,) = json.loads(study("show", "least", "--metric", "taken", "--json").stdout)["figures"]
    assert [told.pop(name) for name in named] == [0, 1, 2]
    assert told["t_low"] < told["mean"] < told["t_high"]
    assert [float(row[name]) for name in ("t_low", "mean")] == [told["t_low"], told["mean"]]
    assert list(row) == list(told)


def test_a_study_with_failed_campaigns_ends_with_1_and_says_how_to_see_one(
    made: Callable[..., Study],
) -> None:
    made(failing=2)
    done = study("resume", "least")
    assert done.exit_code == 1
    assert "2 campaigns failed" in done.stderr
    assert "\x1b[31m" not in done.stdout
    assert "worldsim run studies/least/scenarios/base.toml --seed" in done.stdout
    assert "--set rules.gathering.one_success_cost=0" in done.stdout


def test_a_study_that_was_begun_before_is_to_be_resumed(at_work: Path) -> None:
    Study.load(at_work / "least.toml").run(executor=Told(), stop=lambda: True)
    done = study("run", "least.toml")
    assert done.exit_code == 2
    assert "worldsim study resume least" in done.stderr


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("run", "no_such"), "neither a file nor a shipped study"),
        (("run", "bad.toml"), "bad.toml:6:16: study.replications"),
        (("run", "least.toml", "--scheduler", "tcp://x:1"), "it goes with --executor dask"),
        (("run", "least.toml", "--out", "."), "exists already"),
        (("show", "leest"), "did you mean least?"),
        (("show", "least", "--metric", "takn"), 'did you mean "taken"?'),
        (("compare", "least", "--base", "cost=9"), "'cost=9' is no cell"),
        (("compare", "least", "--half-width", "0"), "--half-width"),
        (("extend", "least", "--replications", "3"), "so 3 adds none"),
    ],
)
def test_wrong_input_ends_with_2_and_says_what_would_be_right(
    made: Callable[..., Study], at_work: Path, args: tuple[str, ...], says: str
) -> None:
    made()
    bad = (at_work / "least.toml").read_text().replace("replications = 3", 'replications = "3"')
    (at_work / "bad.toml").write_text(bad)
    done = study(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert says in done.stderr


@pytest.mark.needs("SALib")
def test_a_design_for_sensitivity_shows_which_factor_matters(at_work: Path) -> None:
    more = (
        '[[factors]]\nkey = "ingredients.ferrite.regrowth"\nrange = [0.0, 0.1]\n'
        '[[factors]]\nkey = "ingredients.tuber.regrowth"\nrange = [0.0, 0.1]\n'
        '[design]\nkind = "morris"\npoints = 3\n'
    )
    loaded(at_work, more, replications=1).run(executor=Told())
    assert "mean size" in study("show", "least", "--metric", "taken").stdout
    told = json.loads(study("show", "least", "--json").stdout)
    assert len(told["sensitivity"]["taken"]["morris"]) == 2
