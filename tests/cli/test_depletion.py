"""``depletion``: the lab from the command line, for people, programs and pictures."""

from __future__ import annotations

import csv
import io
import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import worldsim as ws
from worldsim.cli.lab.tables import TABLES
from worldsim.study.study import Study

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Command = Callable[..., Result]

RUN = "new_world-1"
OTHER = "new_world-8"
EVIL = "=HYPERLINK(1)\x1b[31m$x$"

MATPLOTLIB = pytest.mark.needs("matplotlib")

pytestmark = pytest.mark.usefixtures("at_work", "_other_seed")


@pytest.fixture(scope="module", name="_other_seed")
def _other(workplace: Path) -> None:
    """A run of another seed beside the one that all tests share."""
    run = ws.Run.open(workplace / "runs" / RUN)
    place = workplace / "runs" / OTHER
    if not place.exists():
        ws.simulate(run.scenario, seed=8, days=60, out=place)


def rows_of(result: Result) -> list[dict[str, str]]:
    assert result.exit_code == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout)))


def document(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def test_a_run_is_told_for_people_section_by_section(worldsim: Command) -> None:
    result = worldsim("depletion", RUN)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"{RUN}: seed 1, to day 60; all ingredients, all regions\n")
    for part in (
        "In the ground: ", "Days until so much was left", "Where it went, in units: ",
        "Who took it", "Catch per unit of effort", "What the catches alone would have told",
        "Why such estimates miss here", "Forecasts from day 30", "What grows back", "Next",
    ):  # fmt: skip
        assert f"\n{part}" in result.stdout, part
    assert "\x1b" not in result.stdout


def test_several_seeds_are_an_ensemble_and_say_how_many(worldsim: Command) -> None:
    out = worldsim("depletion", RUN, OTHER).stdout
    assert out.startswith("new_world: 2 runs, seeds 1, 8, to day 60;")
    assert "median of the 2 runs at day 60" in out
    assert "units of 2 runs together" in out


@pytest.mark.long
def test_what_is_recommended_next_works(worldsim: Command) -> None:
    out = worldsim("depletion", RUN).stdout
    recommended = [line.strip() for line in out.splitlines() if line.startswith("  worldsim ")]
    assert len(recommended) == 3
    for line in recommended:
        assert worldsim(*shlex.split(line)[1:]).exit_code == 0


def test_the_sum_printed_for_people_is_that_of_the_accounts(worldsim: Command) -> None:
    [told] = document(worldsim("depletion", RUN, "--json"))
    sums = {
        name: sum(row[name] for row in told["accounts"])
        for name in ("initial", "regrown", "left", "taken")
    }
    assert sums["initial"] + sums["regrown"] == sums["left"] + sums["taken"]
    line = f"{sums['initial']:,} at the start + {sums['regrown']:,} grown back = "
    assert line + f"{sums['left']:,} left + {sums['taken']:,} taken" in (
        worldsim("depletion", RUN, "--table", "accounts").stdout
    )
    for by in ("faction", "colony", "team", "mission", "how", "pool"):
        assert sum(row["units"] for row in told["takers"] if row["by"] == by) == sums["taken"]


@pytest.mark.long
@pytest.mark.parametrize("table", TABLES)
def test_each_table_is_the_same_in_json_and_in_csv(worldsim: Command, table: str) -> None:
    [told] = document(worldsim("depletion", RUN, OTHER, "--json", "--table", table))
    rows = rows_of(worldsim("depletion", RUN, OTHER, "--csv", "--table", table))
    assert len(rows) == len(told[table]) > 0
    assert list(rows[0]) == list(TABLES[table][0])
    for row, plain in zip(rows, told[table], strict=True):
        for name, value in plain.items():
            expected = "" if value is None else value
            got: object = row[name]
            assert got == str(expected) or float(row[name]) == pytest.approx(expected)


@pytest.mark.parametrize("table", TABLES)
def test_each_table_is_printed_alone_for_people(worldsim: Command, table: str) -> None:
    result = worldsim("depletion", RUN, "--table", table)
    assert result.exit_code == 0
    assert len([line for line in result.stdout.splitlines() if not line]) == 1  # one section


def test_the_stock_as_csv_ends_with_what_is_left_in_the_run(worldsim: Command) -> None:
    rows = rows_of(worldsim("depletion", RUN, "--csv", "--by", "region"))
    run = ws.Run.open(f"runs/{RUN}")
    for name, stock in run.summary().by_region.items():
        curve = [float(row["units"]) for row in rows if row["name"] == name]
        assert (curve[0], curve[-1], len(curve)) == (stock.initial, stock.left, 61)


def test_scenarios_that_differ_are_told_one_after_another(worldsim: Command, at_work: Path) -> None:
    run = ws.Run.open(f"runs/{RUN}")
    small = run.scenario.model_copy(
        update={"campaign": run.scenario.campaign.model_copy(update={"name": "small"}),
                "colonies": run.scenario.colonies[:1]},
    )  # fmt: skip
    ws.simulate(small, days=20, out=at_work / "runs" / "small-1")
    rows = rows_of(worldsim("depletion", RUN, "small-1", "--csv", "--table", "accounts"))
    assert {row["runs_of"] for row in rows} == {RUN, "small-1"}
    heads = [line for line in worldsim("depletion", RUN, "small-1").stdout.splitlines()
             if ": seed 1, to day " in line]  # fmt: skip
    assert len(heads) == 2


def test_hostile_names_neither_drive_a_terminal_nor_a_spreadsheet(
    worldsim: Command, at_work: Path
) -> None:
    evil = at_work / "runs" / EVIL
    shutil.copytree(at_work / "runs" / OTHER, evil)
    try:
        out = worldsim("depletion", EVIL).stdout
        assert out.startswith("=HYPERLINK(1)$x$: seed 8")
        assert "\x1b" not in out
        result = worldsim("depletion", EVIL, "--csv", "--table", "times")
        assert "\x1b" not in result.stdout
    finally:
        shutil.rmtree(evil)


@MATPLOTLIB
def test_hostile_names_are_drawn_as_plain_text(worldsim: Command, at_work: Path) -> None:
    evil = at_work / "runs" / EVIL
    shutil.copytree(at_work / "runs" / OTHER, evil)
    try:
        for form in ("svg", "png"):
            assert worldsim("depletion", EVIL, "--plot", f"evil.{form}").exit_code == 0
    finally:
        shutil.rmtree(evil)
    drawn = Path("evil.svg").read_text(encoding="utf-8")
    assert "=HYPERLINK(1)" in drawn
    assert "$x$" in drawn
    assert "\x1b" not in drawn


def test_a_name_that_would_be_a_formula_is_quoted_in_csv(worldsim: Command, at_work: Path) -> None:
    one, other = ws.Run.open(f"runs/{RUN}"), at_work / "runs" / "-1+2"
    changed = one.scenario.rules.gathering.model_copy(update={"one_success_cost": 0})
    rules = one.scenario.rules.model_copy(update={"gathering": changed})
    ws.simulate(one.scenario.model_copy(update={"rules": rules}), days=20, out=other)
    rows = rows_of(worldsim("depletion", RUN, str(other), "--csv", "--table", "halving"))
    assert {row["runs_of"] for row in rows} == {RUN, "'-1+2"}


@pytest.mark.long
@MATPLOTLIB
@pytest.mark.parametrize("form", ["svg", "png"])
def test_a_picture_is_drawn_and_is_the_same_bytes_again(
    worldsim: Command, tmp_path: Path, form: str
) -> None:
    drawn = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.{form}"
        result = worldsim("depletion", RUN, OTHER, "--by", "pool", "--plot", str(path))
        assert result.exit_code == 0
        assert "drawn: " in result.stderr
        drawn.append(path.read_bytes())
    assert drawn[0] == drawn[1]
    assert drawn[0].startswith(b"<?xml" if form == "svg" else b"\x89PNG")


@MATPLOTLIB
def test_a_picture_says_what_its_axes_are_and_of_how_many_runs(
    worldsim: Command, tmp_path: Path
) -> None:
    path = tmp_path / "stock.svg"
    worldsim("depletion", RUN, OTHER, "--by", "pool", "--plot", str(path))
    text = path.read_text(encoding="utf-8")
    axes = "stock left, % of the start", "day (lines: medians of 2 runs; bands: 90% of them)"
    for words in (*axes, "sector", "transition", "new_world"):
        assert words in text, words


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nowhere"], "'nowhere' is neither a run nor a study"),
        ([RUN, RUN], "are the same scenario with the same seed"),
        ([RUN, "--ingredient", "ferite"], "ingredient 'ferite'; did you mean \"ferrite\"?"),
        ([RUN, "--region", "r99"], "region 'r99'; there are r1, r2"),
        ([RUN, "--from-days", "61"], "from: 61; 4 to 60 are wanted"),
        ([RUN, "--from-days", "0"], "0 is not in the range"),
        ([RUN, "--json", "--csv"], "--json and --csv exclude each other"),
        ([RUN, "--plot", "stock.pdf"], "must end in .svg or .png"),
        ([RUN, "--plot", "no/such/stock.png"], "there is no folder 'no/such'"),
        ([RUN, "--plot", "taken.svg"], "taken.svg exists already: nothing was written; give"),
        ([RUN, "--cell", "0"], "only studies have cells"),
        ([RUN, "--table", "stocks"], "'stocks' is not one of"),
        ([], "Missing argument"),
    ],
)
def test_wrong_input_is_one_message_and_exit_code_2(
    worldsim: Command, args: list[str], says: str
) -> None:
    Path("taken.svg").write_text("mine", encoding="utf-8")
    result = worldsim("depletion", *args)
    assert result.exit_code == 2
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert Path("taken.svg").read_text(encoding="utf-8") == "mine"


def test_without_matplotlib_the_message_says_what_to_install(
    worldsim: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = worldsim("depletion", RUN, "--plot", "stock.svg")
    assert result.exit_code == 2
    assert "pip install 'worldsim[plot]'" in result.stderr
    assert not Path("stock.svg").exists()


def test_help_loads_neither_statistics_nor_pictures() -> None:
    code = (
        "import sys; from worldsim.cli import depletion;"
        " print([m for m in ('scipy', 'numpy', 'duckdb', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


STUDY = """
schema = 1
[study]
name = "costs"
scenario = "world.toml"
days = 20
replications = 2
seed = 5
keep = "{keep}"
[[factors]]
key = "rules.gathering.one_success_cost"
values = [0, 2]
"""


def test_the_cells_of_a_study_are_told_one_after_another_or_one_of_them(
    worldsim: Command, at_work: Path
) -> None:
    Path("costs.toml").write_text(STUDY.format(keep="tables"), encoding="utf-8")
    Study.load("costs.toml").run(at_work / "studies" / "costs")
    cells = [f"rules.gathering.one_success_cost={cost}" for cost in (0, 2)]
    rows = rows_of(worldsim("depletion", "costs", "--csv", "--table", "stock"))
    assert list(dict.fromkeys(row["runs_of"] for row in rows)) == cells
    assert {row["runs"] for row in rows} == {"2"}
    for given in ("1", cells[1]):
        [told] = document(worldsim("depletion", "costs", "--json", "--cell", given))
        assert told["name"] == cells[1]
        assert len(told["seeds"]) == 2
    wrong = worldsim("depletion", "costs", "--cell", "7")
    assert (wrong.exit_code, "'7' is no cell" in wrong.stderr) == (2, True)


def test_a_study_that_keeps_metrics_only_says_what_to_change(
    worldsim: Command, at_work: Path
) -> None:
    Path("bare.toml").write_text(STUDY.format(keep="metrics"), encoding="utf-8")
    Study.load("bare.toml").run(at_work / "studies" / "bare")
    result = worldsim("depletion", "bare")
    assert result.exit_code == 2
    assert 'bare keeps no tables of its campaigns; put keep = "tables"' in result.stderr
