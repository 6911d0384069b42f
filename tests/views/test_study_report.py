"""The report of a study: sentences that claim no more than the intervals, and all that made it."""

from __future__ import annotations

import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from made_studies import HOSTILE, MORRIS, Made, costs, hostile_factors, wavy

from worldsim.study.analysis import changes, figures
from worldsim.study.checking import read_plan
from worldsim.study.depletion.ensembles import of_study
from worldsim.study.depletion.report import examine
from worldsim.study.places import run_name
from worldsim.study.study import Study
from worldsim.views.pictures.study import study_picture
from worldsim.views.pictures.study_rows import between, column
from worldsim.views.pictures.study_stock import stock_by_ingredient, stock_over_time, stocks_of
from worldsim.views.report.html import html_of
from worldsim.views.report.study import study_page
from worldsim.views.report.study_words import found, state

pytestmark = pytest.mark.needs("plotly")

POND = """schema = 1
[campaign]
name = "pond"
days = 60
[planet]
regions = 1
sectors_per_region = 2
sector_distance = "1d6"
[[ingredients]]
id = "ore"
kind = "metal"
reserve = 60
[[colonies]]
id = "c"
sector = "r1/s1"
[[colonies.teams]]
id = "t"
count = 3
crew = { size = 5, rarity = "epic" }
[rules.travel]
tables = []
"""
KEPT = """schema = 1
[study]
name = "kept"
scenario = "pond.toml"
days = 60
replications = 3
seed = 5
keep = "tables"
metrics = ["taken"]
[[factors]]
name = "cost"
key = "rules.gathering.one_success_cost"
values = [0, 2]
"""


def made(folder: Path, values: Any = wavy, more: str | None = None, **given: Any) -> Study:
    return Made(folder, values, costs(0, 1, 2) if more is None else more, **given).study()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study that kept the tables of its campaigns, in whose ground one ingredient lies."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "pond.toml").write_text(POND)
    (folder / "kept.toml").write_text(KEPT)
    return Study.load(folder / "kept.toml").run(folder / "kept")


def told(study: Study, metric: str = "taken") -> str:
    return " ".join(found(study, metric))


class Reader(HTMLParser):
    """The elements, attributes and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_greatest_cell_is_named_with_its_interval_and_those_that_surely_have_less(
    tmp_path: Path,
) -> None:
    study = made(tmp_path)
    says = told(study)
    best = figures(study.plan, study.rows, "taken")[2]
    assert f"greatest in cell 2 (cost=2): {between(best.mean)}" in says
    assert "Less than that, each by an interval of 95 %, have 2 of 2 other cells: 0, 1." in says
    assert "it leads by rather less" in says


def test_two_cells_that_differ_are_said_to_differ_and_by_how_much(tmp_path: Path) -> None:
    study = made(tmp_path, more=costs(0, 1))
    difference = changes(study.plan, study.rows, "taken", study.plan.cells[0])[0].difference
    assert f"Cell 1 leads by {between(difference)}: the two differ, at 95 %." in told(study)


def test_two_cells_whose_interval_holds_zero_are_not_told_apart(tmp_path: Path) -> None:
    def close(cell: int, replication: int, _: str) -> float:
        return 100 + (replication * 7 + cell * 5) % 11

    says = told(made(tmp_path, close, costs(0, 1)))
    assert "at 95 % the two cannot be told apart" in says
    assert "the two differ" not in says


def test_an_interval_with_a_note_makes_nothing_sure(tmp_path: Path) -> None:
    def rare(cell: int, replication: int, _: str) -> float:
        return 100.0 + 50 * (cell == 1 and replication > 2) + replication

    says = told(made(tmp_path, rare, costs(0, 1)))
    assert "the two differ, at 95 %" not in says
    assert "cannot be relied on: only 9 of 12 pairs differ" in says


def test_cells_that_are_all_the_same_are_said_to_be(tmp_path: Path) -> None:
    says = told(made(tmp_path, lambda *_: 7.0))
    assert says == "taken has the same mean in all cells: 7."


def test_one_campaign_a_cell_makes_no_figure_sure(tmp_path: Path) -> None:
    assert "no figure is sure" in told(made(tmp_path, replications=1))


def test_one_cell_has_its_mean_and_no_comparison(tmp_path: Path) -> None:
    says = told(made(tmp_path, more=""))
    assert re.fullmatch(
        r"taken is [\d.,]+ \([\d.,]+ to [\d.,]+\) on the average of 12 campaigns; "
        r"the interval is 95 %.",
        says,
    )


def test_one_campaign_says_nothing_about_others(tmp_path: Path) -> None:
    assert "the only campaign, which says nothing" in told(made(tmp_path, more="", replications=1))


def test_a_metric_without_any_value_is_said_to_have_none(tmp_path: Path) -> None:
    study = made(tmp_path, lambda *_: None, metrics=["day_0_left"])
    assert told(study, "day_0_left") == "No campaign has a value of day_0_left."


def test_factors_that_overlap_are_not_ranked(tmp_path: Path) -> None:
    study = made(tmp_path, lambda c, *_: float(c * 37 % 11), MORRIS, replications=1)
    says = told(study)
    assert says.startswith("Of 2 factors ")
    assert "Their intervals overlap, so their order is not sure." in says


def test_an_unfinished_study_warns_at_the_top_of_its_page(tmp_path: Path) -> None:
    def values(cell: int, replication: int, metric: str) -> float | str:
        if replication > 9:
            raise LookupError
        return "boom" if replication == 9 and cell == 0 else wavy(cell, replication, metric)

    study = made(tmp_path, values, status="interrupted")
    page = study_page(study)
    assert page.warnings == (" ".join(state(study)),)
    assert "29 of 36 campaigns of 100 days in 3 cells are done" in page.warnings[0]
    assert "1 campaign failed" in page.warnings[0]
    assert "6 campaigns are missing" in page.warnings[0]
    assert [each.name for each in page.sections][:2] == ["progress", "failures"]
    assert "are missing" in html_of(page)


def test_an_empty_study_says_that_it_found_nothing(tmp_path: Path) -> None:
    def none(*_: object) -> float:
        raise LookupError

    page = study_page(made(tmp_path, none, status="interrupted"))
    assert page.warnings == ("Nothing of this study was simulated yet, so it has found nothing.",)
    assert [each.name for each in page.sections] == ["progress", "settings"]
    assert not any("greatest" in each for each in page.summary)


def test_a_study_in_which_all_failed_says_so(tmp_path: Path) -> None:
    page = study_page(made(tmp_path, lambda *_: "boom"))
    assert "36 campaigns failed" in page.warnings[0]
    assert "No campaign has a value of taken." in page.summary
    assert page.sections[1].picture is not None
    assert column(page.sections[1].picture.table, "error") == ["boom"] * 36


def test_a_whole_study_warns_of_nothing_and_tells_what_was_asked(tmp_path: Path) -> None:
    page = study_page(made(tmp_path, question="How much?"))
    assert page.warnings == ()
    assert page.summary[0] == "Asked: How much?"
    origin = dict(page.origin)
    assert origin["scenario digests"] == "d" * 64
    assert "the same in all cells" in origin["seed of the study"]
    assert "worldsim 0" in origin["made with"]


def test_the_page_holds_files_that_make_the_same_study_again(tmp_path: Path) -> None:
    study = made(tmp_path)
    page = study_page(study)
    again = tmp_path / "again"
    again.mkdir()
    for name, text in page.files:
        tomllib.loads(text)
        (again / name).write_text(text, encoding="utf-8")
    assert Study.load(again / "study.toml").plan.digest == study.manifest.digest
    assert "worldsim study run study.toml --out made_up-again" in page.reproduce


def test_no_path_of_this_machine_is_in_the_page(tmp_path: Path) -> None:
    page = html_of(study_page(made(tmp_path)))
    assert str(tmp_path) not in page
    assert str(tmp_path.parent) not in page


def test_hostile_names_are_only_text_in_the_page(tmp_path: Path) -> None:
    def values(cell: int, replication: int, metric: str) -> float | str:
        return HOSTILE[replication] if replication > 5 else wavy(cell, replication, metric)

    study = made(tmp_path, values, hostile_factors(), question=HOSTILE[0])
    plain = made(_folder(tmp_path, "plain"), lambda *_: "boom", hostile_factors(["a"]))
    page, usual = Reader(html_of(study_page(study))), Reader(html_of(study_page(plain)))
    assert set(page.tags) <= set(usual.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    links = [value for name, value in page.attributes if name in {"href", "src", "action"}]
    assert all(str(each).startswith("#") for each in links)
    assert page.tags.count("script") == 3 + 2 * study_page(study).pictures
    assert HOSTILE[0] in " ".join(page.texts)


SHIPPED = sorted(each.stem for each in (Path(__file__).parents[2] / "configs/studies").iterdir())


@pytest.mark.needs("SALib")
@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_study_has_a_report_with_its_question_and_answer(
    name: str, tmp_path: Path
) -> None:
    plan = read_plan(name, sets=["study.replications=3"])[1]
    study = Made(tmp_path, wavy, replications=3).filled(plan)
    page = study_page(study)
    assert page.warnings == ()
    assert page.summary[0].endswith(plan.study.study.question)
    assert page.summary[1].endswith(plan.study.study.answer)
    assert page.pictures >= 3
    assert all(each.picture for each in page.sections)
    assert len(page.summary) == 3 + len(plan.metrics)


def _folder(tmp_path: Path, name: str) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    return folder


def test_the_stock_of_kept_campaigns_is_that_of_the_depletion_lab(kept: Study) -> None:
    stocks = stocks_of(kept)
    whole, parts = (
        draw(kept, stocks).table.rows for draw in (stock_over_time, stock_by_ingredient)
    )
    for ensemble in of_study(kept):
        report = examine(ensemble)
        rows = [row for row in whole if row[0] == ensemble.name]
        assert [row[2] for row in rows] == report.total.day.tolist()
        assert [row[5] for row in rows] == report.total.middle.tolist()
        assert [row[7] for row in rows] == report.total.share_low.tolist()
        own = [row for row in parts if row[0] == ensemble.name]
        assert {row[1] for row in own} == {"ore"}
        assert [row[9] for row in own] == report.bands[0].share_high.tolist()


def test_times_of_kept_campaigns_are_those_of_the_depletion_lab(kept: Study) -> None:
    picture = study_picture(kept, "times-of-stock")
    assert 0.75 in column(picture.table, "share_left")
    for ensemble in of_study(kept):
        for time in examine(ensemble).times:  # of the only ingredient, so of all
            own = [r for r in picture.table.rows if r[:2] == (ensemble.name, time.share_left)]
            if own:
                assert time.curve is not None
                assert [row[2] for row in own] == time.curve.day.tolist()
                assert [row[3] for row in own] == time.curve.share.tolist()
                assert sum(float(str(row[7])) for row in own) == time.reached


def test_the_report_of_a_study_that_kept_tables_draws_its_stock(kept: Study) -> None:
    names = [each.name for each in study_page(kept).sections if each.picture is not None]
    assert {"stock-over-time", "stock-by-ingredient"} <= set(names)


def test_a_damaged_campaign_costs_its_pictures_and_not_the_report(
    kept: Study, tmp_path: Path
) -> None:
    import shutil  # noqa: PLC0415 - only here

    copy = tmp_path / "copy"
    assert kept.path is not None
    shutil.copytree(kept.path, copy)
    damaged = copy / run_name(0, 0)
    next(damaged.glob("stocks/*.parquet")).write_bytes(b"PAR1 no more")
    page = study_page(Study.open(copy))
    said = {each.title: each.nothing for each in page.sections}
    assert "is damaged" in said["Pictures of the stock"]
    assert str(tmp_path) not in said["Pictures of the stock"]
    assert any(each.name == "cells-taken" and each.picture for each in page.sections)
