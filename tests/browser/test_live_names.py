"""Hostile names in every field of a run: on the live page they are text, and nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from test_live import WAIT_MS, rows_in, served
from test_report_names import COUNT, hostile_run

from worldsim.cli.main import cli
from worldsim.runs import Run
from worldsim.views.pictures import RUN_PICTURES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


pytestmark = [
    pytest.mark.needs("plotly"),
    pytest.mark.needs("dash"),
    pytest.mark.needs("dash_ag_grid"),
    pytest.mark.needs("playwright"),
]
MADE_BY_NAMES = (
    "iframe, base, math, main script, main link, main meta, main img, [onload], [onerror]"
)


@pytest.fixture(scope="module", name="hostile")
def _hostile() -> Run:
    run: Run = hostile_run()
    return run


@pytest.fixture(scope="module", name="address")
def _address(tmp_path_factory: pytest.TempPathFactory, hostile: Run) -> Iterator[str]:
    """A page on which whatever run is opened turns out to be the hostile one."""
    from worldsim.views.live import opened  # noqa: PLC0415 - an extra

    folder: Path = tmp_path_factory.mktemp("names")
    for name in ("one", "<img src=x onerror=owned()>", "=cmd|'calc'!A1"):
        to = ["--out", str(folder / name), "--days", "2", "--quiet"]
        assert CliRunner().invoke(cli, ["run", "lone_colony", *to]).exit_code == 0

    class Turned:
        """Opens one run, whatever the path; each time anew, since a `Run` is for one thread."""

        @staticmethod
        def open(path: Path, **_: Any) -> Run:
            del path
            return Run(hostile._source)

    with pytest.MonkeyPatch.context() as patched, served(folder) as address:
        patched.setattr(opened, "Run", Turned)
        yield address


@pytest.fixture(name="page")
def _watched_page(page: Any) -> Iterator[Any]:
    """A page that must be as harmless at the end as it was made."""
    page.set_default_timeout(WAIT_MS)
    page.add_init_script("window.owned = () => { console.error('owned'); };")
    yield page
    assert page.locator(MADE_BY_NAMES).count() == 0


def test_a_hundred_names_in_the_log_are_text(page: Any, address: str) -> None:
    assert COUNT >= 100
    page.goto(f"{address}/log?run=one&kinds=team.departed,colony.founded,team.formed")
    rows_in(page).first.locator("[col-id=what]").filter(has_text="#").wait_for()
    seen: set[str] = set()
    for _ in range(80):
        seen |= set(re.findall(r"#(\d+)", page.locator("#log").inner_text()))
        page.locator("#log .ag-body-viewport").evaluate("each => { each.scrollTop += 300; }")
        page.wait_for_timeout(120)
        if len(seen) >= 100:
            break
    assert len(seen) >= 100
    page.locator("#f-team").click()
    page.get_by_text("<script>owned()</script>").first.wait_for()


@pytest.mark.parametrize("picture", [each.name for each in RUN_PICTURES])
def test_names_in_pictures_are_text(page: Any, address: str, picture: str) -> None:
    page.goto(f"{address}/run?run=one&picture={picture}")
    page.locator("#picture :is(.js-plotly-plot .main-svg, .nothing)").first.wait_for()
    page.locator("#summary p").first.wait_for()
    assert page.locator("#picture svg a").count() == 0


def test_names_of_events_causes_teams_and_comparisons_are_text(page: Any, address: str) -> None:
    page.goto(f"{address}/log?run=one&seq=400")
    page.locator("#event h2").wait_for()
    page.goto(f"{address}/team?run=one")
    page.locator("main table a").first.click()
    page.locator("#life .js-plotly-plot").wait_for()
    page.goto(f"{address}/compare?a=one&b=one")
    page.locator("#side-b .js-plotly-plot").wait_for()
    page.goto(address)
    page.get_by_role("link", name="<img src=x onerror=owned()>").click()
    page.locator("h1").get_by_text("<img src=x").wait_for()
    page.goto(
        f"{address}/team?run=one&team=%3Cscript%3Eowned()%3C/script%3E&text=%3Cimg%20src%3Dx%3E"
    )
    page.locator("main h2").get_by_text("<script>owned()</script>").wait_for()


def test_formulas_in_csv_are_behind_an_apostrophe(page: Any, address: str) -> None:
    answer = page.request.get(f"{address}/csv/events?run=one")
    assert answer.ok
    cells = re.findall(r'(?:^|,)"?([=+@-][^",\n]*)', answer.text(), re.MULTILINE)
    assert [cell for cell in cells if not re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", cell)] == []
    assert "'=cmd" in answer.text()
