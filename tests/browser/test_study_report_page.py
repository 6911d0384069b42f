"""The report of a study in a real browser."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.needs("playwright", "plotly")

NAME = "<img src=x onerror=alert()>"
STUDY = f"""schema = 1
[study]
name = "small"
question = "Does <script>alert(2)</script> matter?"
scenario = "lone_colony"
days = 8
replications = 3
seed = 3
metrics = ["taken", "day_0_left"]
[[factors]]
name = "{NAME}"
key = "rules.activities.day_limit"
values = [1, 6]
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a study whose factor has a hostile name."""
    from worldsim.study.study import Study  # noqa: PLC0415 - after the skip
    from worldsim.views.report.html import html_of  # noqa: PLC0415
    from worldsim.views.report.study import study_page  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("small")
    (folder / "small.toml").write_text(STUDY, encoding="utf-8")
    study = Study.load(folder / "small.toml").run(folder / "small")
    file = folder / "small.html"
    file.write_text(html_of(study_page(study)), encoding="utf-8")
    return file


@pytest.fixture
def opened(page: Any, report: Path) -> Any:
    page.goto(report.as_uri())
    return page


def drawn(page: Any, name: str) -> Any:
    """A picture that was scrolled to, when it is there."""
    section = page.locator(f"#{name}")
    section.scroll_into_view_if_needed()
    section.locator(".main-svg").first.wait_for()
    return section


def test_every_picture_of_a_study_is_drawn_with_its_units(opened: Any) -> None:
    for name in ("cells-taken", "differences-taken", "spread-taken"):
        figure = drawn(opened, name).locator(".figure")
        assert "units taken from the ground" in figure.text_content()
    assert "2: see" in opened.locator("#origin").text_content()
    drawn(opened, "settings")


def test_a_hostile_factor_is_text_on_axes_in_tables_and_in_words(opened: Any) -> None:
    axis = drawn(opened, "cells-taken").locator(".yaxislayer-above")
    assert f"0: {NAME}=1" in axis.text_content()
    assert NAME in opened.locator("#summary").text_content()
    assert "<script>alert(2)</script>" in opened.locator("#summary").text_content()
    rows = opened.locator("#cells-taken .rows")
    rows.locator("summary").click()
    rows.locator("th").first.wait_for()
    assert NAME in rows.locator("th").all_text_contents()
    assert opened.locator("img").count() == 0


def test_the_csv_of_a_picture_has_the_numbers_shown(opened: Any) -> None:
    section = drawn(opened, "spread-taken")
    with opened.expect_download() as told:
        section.locator(".csv").click()
    rows = list(csv.DictReader(io.StringIO(told.value.path().read_text(encoding="utf-8"))))
    assert len(rows) == 6
    assert {row["cell"] for row in rows} == {"0", "1"}
    assert all(float(row["value"]) >= 0 for row in rows)
    shown = opened.evaluate("document.querySelector('#spread-taken .figure').data[1].x")
    assert sorted(float(row["value"]) for row in rows) == sorted(shown)
    assert len({row["seed"] for row in rows}) == 3  # whole, though longer than 53 bits


def test_what_was_not_drawn_says_why(opened: Any) -> None:
    text = opened.locator("main").text_content()
    assert "day_0_left was reached in no campaign" in text


def test_a_point_at_a_cell_tells_of_it_as_text(opened: Any) -> None:
    section = drawn(opened, "cells-taken")
    mark = section.locator(".scatterlayer .point").first
    box = mark.bounding_box()
    opened.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    hover = section.locator(".hoverlayer .hovertext")
    hover.first.wait_for()
    assert NAME in hover.first.text_content()
    assert "3 campaigns" in hover.first.text_content()
