"""How soon pages answer, in a real browser: the report of a run, and the live page on it.

    python tools/pages.py                  of ten years of a hundred teams, which is simulated first
    python tools/pages.py runs/big         of a run that is there, such as one of 5 million events

Times are the medians of some turns in Chromium, which must be installed. Of the live page they are
those with the cache of events made. Nothing is judged by its exit code: machines are noisy.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from statistics import median
from threading import Thread
from typing import TYPE_CHECKING, Any

import worldsim as ws
from worldsim.views.live.serving import Server
from worldsim.views.report.html import html_of
from worldsim.views.report.run import run_page

if TYPE_CHECKING:
    from collections.abc import Callable

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PAINTED = "performance.getEntriesByName('first-contentful-paint').map((e) => e.startTime)[0] / 1000"
ASKED = """performance.getEntriesByType('resource').filter((e) => e.name.includes('dash-update'))
    .map((e) => e.duration / 1000)"""
WAIT_MS = 60_000
SETTLE_MS = 3000  # after typing: the page waits a little before it asks
FILTERS = 3  # a turn


def main() -> int:
    """Measure and print, beside what issue 7 asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("run", nargs="?", type=Path, help="a run's folder")
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args()
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra

    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        place = given.run or Path(scratch) / "ten_years"
        if given.run is None:
            ws.simulate(ws.load("long_depletion"), days=3650, out=place)
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        run = ws.Run.open(place)
        print(f"{run.name}: {run.manifest.events.total:,} lines of log", flush=True)
        report = Path(scratch) / "report.html"
        report.write_text(html_of(run_page(run)), encoding="utf-8")
        told("report", report.stat().st_size / 1e6, "MB, at most 12")
        told("report answers", turns(browser, given.turns, report_answers(report)), "s, at most 3")
        measure_live(browser, place, given.turns)
        browser.close()
    return 0


def told(what: str, value: float, bar: str) -> None:
    """Print one figure beside its bar."""
    print(f"  {what:<24} {value:6.2f} {bar}", flush=True)


def turns(browser: Any, count: int, act: Callable[[Any], float]) -> float:
    """The median of what an act says of fresh pages."""
    found = []
    for _ in range(count):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        found.append(act(context.new_page()))
        context.close()
    return median(found)


def report_answers(path: Path) -> Callable[[Any], float]:
    """Seconds from the address to the first day shown by the slider of the map."""

    def act(page: Any) -> float:
        begun = time.monotonic()
        page.goto(path.as_uri())
        page.locator("#stock-map .main-svg").first.wait_for(timeout=WAIT_MS)
        page.locator("#stock-map input").focus()
        page.keyboard.press("Home")
        page.locator("#stock-map output").filter(has_text="day 0").wait_for()
        return time.monotonic() - begun

    return act


def measure_live(browser: Any, place: Path, count: int) -> None:
    """The log page on a run: first paint, first rows, filters by text."""
    server = Server(place)
    thread = Thread(target=server.serve, daemon=True)
    thread.start()
    address = f"{server.address}log?run={place.name}"

    def rows(page: Any) -> float:
        begun = time.monotonic()
        page.goto(address)
        page.locator(".ag-row").first.wait_for(timeout=10 * WAIT_MS)
        return time.monotonic() - begun

    def paint(page: Any) -> float:
        rows(page)
        return float(page.evaluate(PAINTED))

    names = (f"r{1 + n % 6}/s{1 + n // 6}" for n in range(count * FILTERS))

    def filtered(page: Any) -> float:
        rows(page)
        page.wait_for_timeout(SETTLE_MS)
        slowest = []
        for name in islice(names, FILTERS):  # another each time: the page remembers answers
            page.evaluate("performance.clearResourceTimings()")
            page.get_by_label("Text").fill(name)
            page.wait_for_timeout(SETTLE_MS)
            slowest.append(float(max(page.evaluate(ASKED))))
        return median(slowest)

    turns(browser, 1, rows)  # makes the cache
    told("live page, first paint", turns(browser, count, paint), "s, at most 2")
    told("live page, first rows", turns(browser, count, rows), "s")
    told("live page, a filter", turns(browser, count, filtered), "s, at most 0.7")
    server.stop()
    thread.join()


if __name__ == "__main__":
    sys.exit(main())
