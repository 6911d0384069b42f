"""The report of a run in a real browser: it moves, it saves, it is dark, it asks nobody."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

import pytest

import worldsim as ws

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.needs("plotly"), pytest.mark.needs("playwright")]

FILLS = """() => {
    const places = document.querySelectorAll('#stock-map .trace.scatter')[1];
    return [...places.querySelectorAll('path.point')].map((point) => point.style.fill);
}"""


@pytest.fixture(scope="module", name="run")
def _run() -> ws.Run:
    return ws.simulate(ws.load("contested_frontier"), days=60)


@pytest.fixture(scope="module", name="path")
def _path(run: ws.Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report, in a file."""
    from worldsim.views.report.html import html_of  # noqa: PLC0415 - an extra
    from worldsim.views.report.run import run_page  # noqa: PLC0415 - an extra

    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html_of(run_page(run)), encoding="utf-8")
    return path


@pytest.fixture(name="opened")
def _opened(page: Any, path: Path) -> Any:
    """The report, its map drawn."""
    page.goto(path.as_uri())
    page.wait_for_selector("#stock-map .main-svg")
    return page


def set_slider(page: Any, position: int) -> None:
    page.locator("#stock-map input").evaluate(
        "(slider, at) => { slider.value = at; slider.dispatchEvent(new Event('input')); }", position
    )


def test_every_section_draws_its_figure_when_it_is_reached(opened: Any) -> None:
    sections = opened.locator("section[data-figure]").all()
    assert len(sections) == 8
    for section in sections:
        section.scroll_into_view_if_needed()
        section.locator(".main-svg").first.wait_for()


def test_figures_far_below_are_not_drawn_before_they_are_reached(opened: Any) -> None:
    assert opened.locator("#what-mattered .main-svg").count() == 0


def test_the_slider_moves_the_map_to_another_day(opened: Any) -> None:
    assert opened.locator("#stock-map output").inner_text() == "day 60"
    last = opened.evaluate(FILLS)
    set_slider(opened, 0)
    assert opened.locator("#stock-map output").inner_text() == "day 0"
    first = opened.evaluate(FILLS)
    assert len(first) == len(last) > 50
    assert len(set(first)) == 1  # everything is there at the start
    assert sum(a != b for a, b in zip(first, last, strict=True)) > 10


def test_the_slider_is_reached_and_moved_with_the_keyboard(opened: Any) -> None:
    opened.keyboard.press("Tab")
    assert opened.evaluate("document.activeElement.className") == "skip"
    opened.locator("#stock-map .play").focus()
    opened.keyboard.press("Tab")
    assert opened.evaluate("document.activeElement.type") == "range"
    opened.keyboard.press("Home")
    opened.keyboard.press("ArrowRight")
    assert opened.locator("#stock-map output").inner_text() == "day 1"
    outline = opened.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_play_runs_from_the_start_to_the_end_and_stops(opened: Any) -> None:
    button = opened.locator("#stock-map .play")
    set_slider(opened, 52)
    button.click()
    assert button.inner_text() == "Pause"
    day = opened.locator("#stock-map output")
    day.filter(has_text="day 60").wait_for()
    button.filter(has_text="Play").wait_for()
    button.click()
    day.filter(has_text=re.compile("^day [1-9]$")).wait_for()
    button.click()
    assert button.inner_text() == "Play"


def test_an_ingredient_can_be_chosen_and_its_numbers_are_its_own(opened: Any, run: ws.Run) -> None:
    names = opened.locator("#stock-map option").all_text_contents()
    kinds = run.summary().by_ingredient
    assert names == ["all together", *sorted(kinds)]
    opened.locator("#stock-map select").select_option("ferrite")
    stock = kinds["ferrite"]
    says = opened.locator("#stock-map .says").inner_text()
    assert says.startswith(f"Of {stock.initial:,} units {stock.left:,} are left on day 60")
    assert "ingredient='ferrite'" in opened.locator("#stock-map .python").text_content()
    with opened.expect_download() as found:
        opened.locator("#stock-map .csv").click()
    assert found.value.suggested_filename == "stock-map-ferrite.csv"
    rows = rows_of(found.value)
    assert sum(int(row["left_units"]) for row in rows if row["day"] == "0") == stock.initial


def rows_of(download: Any) -> list[dict[str, str]]:
    text = download.path().read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_holds_all_numbers_of_a_figure(opened: Any, run: ws.Run) -> None:
    with opened.expect_download() as found:
        opened.locator("#who-took .csv").click()
    assert found.value.suggested_filename == "who-took.csv"
    sql = "SELECT sum(units) FROM takings WHERE ingredient IS NOT NULL"
    [(units,)] = run.query(sql).fetchall()
    assert sum(int(row["units"]) for row in rows_of(found.value)) == units


def as_csv(cell: object) -> str:
    """As JavaScript writes it: 100.0 is 100."""
    if cell is None:
        return ""
    return str(int(cell) if isinstance(cell, float) and cell.is_integer() else cell)


def test_tables_kept_in_steps_and_lists_come_out_as_they_went_in(opened: Any, run: ws.Run) -> None:
    from worldsim.views.pictures import run_pictures  # noqa: PLC0415 - an extra

    for picture in run_pictures(run):
        with opened.expect_download() as found:
            opened.locator(f"#{picture.name} .csv").click()
        rows = [list(row.values()) for row in rows_of(found.value)]
        assert rows == [[as_csv(cell) for cell in row] for row in picture.table.rows]


def test_a_figure_is_saved_as_svg(opened: Any) -> None:
    with opened.expect_download() as found:
        opened.locator("#lives .svg").click()
    assert found.value.suggested_filename == "lives.svg"
    text = found.value.path().read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert "ember/raiders_1" in text
    assert "homeward" in text


def test_the_python_of_a_figure_is_shown(opened: Any) -> None:
    opened.locator("#battles summary", has_text="Python").click()
    shown = opened.locator("#battles .python")
    assert shown.is_visible()
    assert "run_picture(run, 'battles')" in shown.inner_text()


def test_a_table_is_shown_on_demand(opened: Any) -> None:
    assert opened.locator("#battles td").count() == 0
    opened.locator("#battles summary", has_text="Table").click()
    opened.locator("#battles td").first.wait_for()
    heads = opened.locator("#battles th").all_text_contents()
    assert heads[:4] == ["day", "sector", "attacker", "defender"]


def test_dark_is_chosen_by_the_system_or_by_hand(opened: Any) -> None:
    def grounds() -> tuple[str, str]:
        return (
            opened.evaluate("getComputedStyle(document.body).backgroundColor"),
            opened.evaluate("document.querySelector('#stock-map .bglayer').parentElement"
                            ".closest('.svg-container').querySelector('.main-svg').style.background"),
        )  # fmt: skip

    assert grounds() == ("rgb(255, 255, 255)", "rgb(255, 255, 255)")
    opened.locator("#theme").click()
    assert grounds() == ("rgb(22, 24, 29)", "rgb(22, 24, 29)")
    opened.locator("#theme").click()
    assert grounds()[0] == "rgb(255, 255, 255)"
    opened.emulate_media(color_scheme="dark")
    opened.reload()
    opened.wait_for_selector("#stock-map .main-svg")
    assert grounds() == ("rgb(22, 24, 29)", "rgb(22, 24, 29)")


def test_all_figures_are_drawn_for_print(opened: Any) -> None:
    opened.emulate_media(media="print")
    opened.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert opened.locator("section[data-figure] .main-svg").count() >= 8
    assert not opened.locator("#theme").is_visible()


def test_the_scenario_is_saved_from_the_page_and_gives_the_same_run(
    opened: Any, run: ws.Run, tmp_path: Path
) -> None:
    with opened.expect_download() as found:
        opened.locator("#origin button").click()
    path = tmp_path / found.value.suggested_filename
    found.value.save_as(path)
    again = ws.simulate(ws.load(path))
    assert again.manifest.digest == run.manifest.digest
    assert b"".join(again.lines()) == b"".join(run.lines())
