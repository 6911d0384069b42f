"""The live page in a real browser: what people do there, and that links bring it back."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from worldsim.cli.main import cli

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.needs("plotly"),
    pytest.mark.needs("dash"),
    pytest.mark.needs("dash_ag_grid"),
    pytest.mark.needs("playwright"),
]
WAIT_MS = 60_000


def simulate(*args: str) -> None:
    done = CliRunner().invoke(cli, ["run", *args, "--quiet"])
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="module", name="place")
def _place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three runs, one of them damaged."""
    folder = tmp_path_factory.mktemp("served")
    for seed in ("7", "8"):
        simulate("first_landing", "--seed", seed, "--days", "60", "--out", str(folder / f"s{seed}"))
    simulate("lone_colony", "--days", "5", "--out", str(folder / "broken"))
    (folder / "broken" / "manifest.json").write_text("{}")
    return folder


@contextlib.contextmanager
def served(place: Path) -> Iterator[str]:
    """The address at which the page of a folder is served meanwhile."""
    from worldsim.views.live.serving import Server  # noqa: PLC0415 - an extra

    server = Server(place)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server.address.rstrip("/")
    finally:
        server.stop()
        thread.join(10)


@pytest.fixture(scope="module", name="address")
def _address(place: Path) -> Iterator[str]:
    with served(place) as address:
        yield address


@pytest.fixture(name="page")
def _patient_page(page: Any) -> Any:
    page.set_default_timeout(WAIT_MS)
    return page


def rows_in(page: Any) -> Any:
    return page.locator("#log .ag-center-cols-container .ag-row")


def count_of(page: Any) -> int:
    """How many events the log says there are, once it says so."""
    said = page.locator("#count").filter(has_text=re.compile("event"))
    said.wait_for()
    number = re.match(r"[\d,]+", said.inner_text())
    return 0 if number is None else int(number[0].replace(",", ""))


def wait_for_count(page: Any, wanted: Any) -> int:
    for _ in range(200):
        found = count_of(page)
        if wanted(found):
            return found
        page.wait_for_timeout(100)
    pytest.fail(f"the log still says {count_of(page):,} events")


def test_a_run_is_picked_from_the_list_which_tells_of_a_damaged_one(
    page: Any, address: str
) -> None:
    page.goto(address)
    page.locator(".badge.damaged").wait_for()
    assert page.locator(".badge.finished").count() == 2
    page.get_by_role("link", name="s7", exact=True).click()
    page.get_by_text("60 days").first.wait_for()
    page.locator("#summary p").first.wait_for()
    assert "units" in page.locator("#summary").inner_text()
    page.goto(f"{address}/run?run=broken")
    page.get_by_text("This cannot be shown").wait_for()
    assert "damaged" in page.locator("main").inner_text()


def test_moving_the_slider_changes_the_map(page: Any, address: str) -> None:
    page.goto(f"{address}/run?run=s7&picture=stock-map")
    graph = page.locator(".js-plotly-plot")
    graph.locator(".point").first.wait_for()
    slider, said = page.locator(".days input[type=range]"), page.locator(".days output")
    assert said.inner_text() == "day 60"
    fills = "points => points.map(each => each.style.fill).join()"
    before = graph.locator(".point").evaluate_all(fills)
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_timeout(500)
    assert said.inner_text() == "day 0"
    assert graph.locator(".point").evaluate_all(fills) != before


def test_filters_are_kept_in_the_address_and_a_link_brings_them_back(
    page: Any, address: str
) -> None:
    page.goto(f"{address}/log?run=s7")
    rows_in(page).first.wait_for()
    whole = count_of(page)
    page.locator("#f-text").fill("haven")
    some = wait_for_count(page, lambda n: 0 < n < whole)
    page.locator("#f-last").fill("20")
    fewer = wait_for_count(page, lambda n: 0 < n < some)
    page.locator("#f-where").fill("event LIKE 'team.%'")
    page.locator("#f-where").press("Enter")
    fewest = wait_for_count(page, lambda n: 0 < n < fewer)
    page.wait_for_timeout(300)
    assert "last=20" in page.url
    assert "text=haven" in page.url
    page.reload()
    rows_in(page).first.wait_for()
    assert count_of(page) == fewest
    assert page.locator("#f-last").input_value() == "20"
    assert "team." in rows_in(page).first.inner_text()
    page.locator("#f-clear").click()
    wait_for_count(page, lambda n: n == whole)


def test_a_wrong_condition_is_said_and_takes_nothing_else_away(page: Any, address: str) -> None:
    page.goto(f"{address}/log?run=s7")
    whole = count_of(page)
    page.locator("#f-where").fill("nonsense = 3")
    page.locator("#f-where").press("Enter")
    page.locator("#log-problem").get_by_text("nonsense").first.wait_for()
    page.locator("#f-where").fill("")
    page.locator("#f-where").press("Enter")
    wait_for_count(page, lambda n: n == whole)
    assert page.locator("#log-problem").inner_text() == ""


def test_the_log_scrolls_to_its_last_event(page: Any, address: str) -> None:
    page.goto(f"{address}/log?run=s7")
    rows_in(page).first.wait_for()
    whole = count_of(page)
    page.locator("#log .ag-body-viewport").evaluate("each => { each.scrollTop = 1e9; }")
    page.locator(f"#log .ag-row[row-index='{whole - 1}'] [col-id=what]").filter(
        has_text=re.compile(r"\w")
    ).wait_for()


def test_a_click_on_an_event_shows_its_causes_and_leads_to_the_replay_of_its_day(
    page: Any, address: str
) -> None:
    page.goto(f"{address}/log?run=s7&kinds=team.gathered")
    rows_in(page).first.wait_for()
    rows_in(page).nth(2).locator("[col-id=what]").click()
    chain = page.locator("#event ol.chain > li")
    chain.nth(2).wait_for()
    assert "campaign.started" in chain.first.inner_text()
    assert "team.gathered" in chain.last.inner_text()
    assert "GATH-" in page.locator("#event ul.rolls").last.inner_text()
    page.wait_for_timeout(300)
    assert "seq=" in page.url
    page.get_by_role("link", name=re.compile("Replay day")).click()
    page.locator("#day .ag-row").first.wait_for()
    assert re.search(r"events? and [1-9][\d,]* rolls?", page.locator("#replay").inner_text())
    assert "/replay?" in page.url


def test_a_team_is_opened_with_its_life_and_its_events(page: Any, address: str) -> None:
    page.goto(f"{address}/team?run=s7")
    page.get_by_role("link", name="haven/pathfinders").click()
    page.locator("#life .js-plotly-plot").wait_for()
    rows_in(page).first.wait_for()
    page.locator("#log [col-id=who]").get_by_text("haven/pathfinders").first.wait_for()
    assert "team=haven" in page.url


def test_two_runs_are_compared_side_by_side(page: Any, address: str) -> None:
    page.goto(f"{address}/compare?a=s7&b=s8")
    page.locator("#side-a .js-plotly-plot").wait_for()
    page.locator("#side-b .js-plotly-plot").wait_for()
    page.get_by_text(re.compile("The first difference is on day")).wait_for()
    page.get_by_role("link", name="Battles").click()
    page.wait_for_url(re.compile("picture=battles"))
    assert "a=s7" in page.url
    assert "b=s8" in page.url


def test_figures_can_be_taken_away_as_numbers_as_drawings_and_as_python(
    page: Any, address: str
) -> None:
    page.goto(f"{address}/run?run=s7&picture=stock-by-region")
    page.locator("#picture .js-plotly-plot").wait_for()
    with page.expect_download() as csv:
        page.locator("#picture").get_by_text("CSV", exact=True).click()
    assert csv.value.path().read_text().startswith("region,day,left_units")
    with page.expect_download() as svg:
        page.locator("#picture").get_by_text("SVG", exact=True).click()
    assert "<svg" in svg.value.path().read_text()
    page.locator("#picture summary").get_by_text("Python").click()
    assert "run_picture" in page.locator("#picture .python pre").inner_text()


def test_the_dark_look_is_kept_and_figures_follow(page: Any, address: str) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(f"{address}/run?run=s7&picture=stock-by-region")
    page.locator("#picture .main-svg").first.wait_for()
    page.locator("#dark").click()
    page.locator("#picture .main-svg[style*='rgb(22, 24, 29)']").first.wait_for()
    page.reload()
    page.locator("#picture .main-svg[style*='rgb(22, 24, 29)']").first.wait_for()
    assert page.locator("html").get_attribute("data-theme") == "dark"


def test_a_run_that_is_being_simulated_is_followed_until_it_ends(page: Any, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    command = [sys.executable, "-m", "worldsim", "run", "long_depletion", "--days", "6000",
               "--out", str(folder / "growing"), "--quiet"]  # fmt: skip
    with served(folder) as address, subprocess.Popen(command) as campaign:
        try:
            page.goto(address)
            page.locator(".badge.running").wait_for()
            page.get_by_role("link", name="growing").click()
            page.locator("#state .badge.running").wait_for()
            page.goto(f"{address}/log?run=growing&newest=1")
            first = count_of(page)
            more = wait_for_count(page, lambda n: n > first)
            assert more > first
        finally:
            campaign.terminate()
        campaign.wait(60)
        deadline = time.monotonic() + 60
        while page.locator("#state .badge.running").count():
            assert time.monotonic() < deadline, "it still says that somebody writes"
            page.wait_for_timeout(200)
        page.close()  # before the server it asks is gone


STUDY = """\
schema = 1

[study]
name = "many"
scenario = "lone_colony"
days = 60
replications = 5000
seed = 1
metrics = ["taken"]
"""


def test_a_study_that_is_simulated_is_followed_and_known_as_interrupted_when_it_is_killed(
    page: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "studies"
    folder.mkdir()
    (tmp_path / "many.toml").write_text(STUDY)
    command = [sys.executable, "-m", "worldsim", "study", "run", str(tmp_path / "many.toml"),
               "--out", str(folder / "many"), "--quiet"]  # fmt: skip
    with served(folder) as address, subprocess.Popen(command, start_new_session=True) as study:
        try:
            until(page, (folder / "many" / "status.jsonl").exists)
            page.goto(address)
            page.locator(".badge.running").wait_for()
            page.get_by_role("link", name="many").click()
            page.locator("#study-state .badge.running").wait_for()
            first = campaigns_done(page)
            until(page, lambda: campaigns_done(page) > first)
        finally:
            os.killpg(study.pid, signal.SIGKILL)
        study.wait(60)
        page.locator("#study-state .badge.interrupted").wait_for()
        assert "worldsim study resume" in page.locator("#study-state").inner_text()
        page.goto(address)
        page.locator(".badge.interrupted").wait_for()
        page.close()  # as above


def campaigns_done(page: Any) -> int:
    """How many campaigns the page of a study says are done."""
    said = page.locator("#study-state").inner_text()
    found = re.search(r"([\d,]+) of [\d,]+ campaigns", said)
    assert found is not None, said
    return int(found[1].replace(",", ""))


def until(page: Any, holds: Callable[[], bool]) -> None:
    """Wait for what must come to hold."""
    deadline = time.monotonic() + WAIT_MS / 1000
    while not holds():
        assert time.monotonic() < deadline, "it does not come to hold"
        page.wait_for_timeout(100)


def test_all_can_be_reached_with_the_keyboard(page: Any, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="s7", exact=True).wait_for()
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the page"
    page.get_by_role("link", name="s7", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("run=s7"))
    page.goto(f"{address}/log?run=s7")
    rows_in(page).first.locator("[col-id=seq]").filter(has_text="0").click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    page.locator("#event").get_by_text("Event 1", exact=True).wait_for()
