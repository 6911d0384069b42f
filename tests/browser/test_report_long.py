"""The report of ten years and a hundred teams: how large it is; tools/pages.py measures times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import worldsim as ws

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.long,
    pytest.mark.needs("plotly"),
    pytest.mark.needs("playwright"),
]

MOST_BYTES = 12 * 10**6


@pytest.fixture(scope="module", name="path")
def _path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from worldsim.views.report.html import html_of  # noqa: PLC0415 - an extra
    from worldsim.views.report.run import run_page  # noqa: PLC0415 - an extra

    folder = tmp_path_factory.mktemp("long")
    run = ws.simulate(ws.load("long_depletion"), days=3650, out=folder / "ten_years")
    assert len(run.query("SELECT DISTINCT team FROM teams").fetchall()) == 100
    path = folder / "report.html"
    path.write_text(html_of(run_page(run)), encoding="utf-8")
    return path


def test_ten_years_of_a_hundred_teams_fit_into_twelve_megabytes(path: Path) -> None:
    assert path.stat().st_size <= MOST_BYTES


def test_its_map_answers_to_the_keyboard(page: Any, path: Path) -> None:
    page.goto(path.as_uri())
    page.locator("#stock-map .main-svg").first.wait_for()
    page.locator("#stock-map input").focus()
    page.keyboard.press("Home")
    page.locator("#stock-map output").filter(has_text="day 0").wait_for()
