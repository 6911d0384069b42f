"""The report as a file: one, whole, harmless, and honest about what is missing."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from base64 import b64encode
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

import worldsim as ws

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.views.report.page import Page

pytestmark = pytest.mark.needs("plotly")


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of sixty days, in three segments."""
    scenario = ws.load("lone_colony")
    record = scenario.record.model_copy(update={"segment_days": 20})
    path = tmp_path_factory.mktemp("runs") / "lone"
    ws.simulate(scenario.model_copy(update={"record": record}), days=60, out=path)
    return path


def page_of(folder: Path) -> Page:
    from worldsim.views.report.run import run_page  # noqa: PLC0415 - an extra's room

    return run_page(ws.Run.open(folder))


def html_of(page: Page) -> str:
    from worldsim.views.report.html import html_of as written  # noqa: PLC0415 - an extra's room

    return written(page)


class Reader(HTMLParser):
    """Collects elements with their attributes, and the texts of scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.in_script = tag == "script" and dict(attrs).get("type") is None
        if self.in_script:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        del tag
        self.in_script = False

    def handle_data(self, data: str) -> None:
        if self.in_script:
            self.scripts[-1] += data


@pytest.fixture(scope="module", name="html")
def _html(folder: Path) -> str:
    return html_of(page_of(folder))


@pytest.fixture(scope="module", name="read")
def _read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    return reader


def test_the_policy_allows_the_two_scripts_that_are_there_and_nothing_from_elsewhere(
    read: Reader,
) -> None:
    [policy] = [a["content"] for tag, a in read.elements
                if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy"]  # fmt: skip
    assert policy is not None
    sums = [b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in read.scripts]
    assert len(sums) == 2
    rules = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert set(rules["script-src"].split()) == {f"'sha256-{each}'" for each in sums}
    assert "http" not in policy
    assert "unsafe-eval" not in policy


def test_nothing_in_the_page_names_a_file_of_elsewhere(read: Reader) -> None:
    for tag, attributes in read.elements:
        assert tag not in {"link", "img", "iframe", "object", "base"}
        assert "src" not in attributes
        assert (attributes.get("href") or "#").startswith("#")
        assert not [name for name in attributes if name.startswith("on")]


def test_no_folder_of_this_machine_is_in_the_page(html: str, folder: Path) -> None:
    assert str(folder.parent) not in html
    assert "runs" not in page_of(folder).title


def test_data_in_the_page_is_json_and_the_ids_are_unique(html: str, read: Reader) -> None:
    found = re.findall(r'<script type="application/json" id="([^"]+)">(.*?)</script>', html)
    assert len(found) > 20
    for _, text in found:
        json.loads(text)
    ids = [a["id"] for _, a in read.elements if "id" in a]
    assert len(set(ids)) == len(ids)


def test_the_contents_lead_to_every_section(read: Reader) -> None:
    ids = {a["id"] for tag, a in read.elements if tag == "section"}
    links = {str(a["href"]).removeprefix("#") for tag, a in read.elements if tag == "a"}
    assert ids == links
    assert {"summary", "stock-map", "lives", "battles", "who-took", "origin"} <= ids


def test_the_summary_says_in_words_what_the_figures_say(folder: Path) -> None:
    page = page_of(folder)
    summary = ws.Run.open(folder).summary()
    text = " ".join(page.summary)
    assert f"In {summary.trips} trips teams brought home" in text
    assert f"{sum(summary.delivered.values()):,} units" in text
    whole = sum(stock.initial for stock in summary.by_region.values())
    left = sum(stock.left for stock in summary.by_region.values())
    assert f"Of {whole:,} units in the ground {left:,} are left" in text
    assert "No team was lost; none perished." in text


def test_the_end_says_seed_digest_versions_and_how_to_get_the_same(folder: Path) -> None:
    page, manifest = page_of(folder), ws.Run.open(folder).manifest
    origin = dict(page.origin)
    assert origin["scenario digest"] == manifest.digest
    assert origin["seed"] == str(manifest.seed)
    assert manifest.versions.numpy in origin["made with"]
    run = f"worldsim run scenario.toml --seed {manifest.seed} --days 60 --out lone"
    assert run in page.reproduce
    assert page.files[0][0] == "scenario.toml"


def test_a_finished_run_has_no_warning(folder: Path) -> None:
    assert page_of(folder).warnings == ()


def test_an_interrupted_run_is_told_as_far_as_it_came(tmp_path: Path) -> None:
    campaign = ws.open_campaign(ws.load("lone_colony"), days=60, out=tmp_path / "cut")
    with campaign:
        for day in campaign:
            if day == 25:
                campaign.stop()
    page = page_of(tmp_path / "cut")
    assert page.warnings == (
        "This run was interrupted: what follows tells of its first 25 days of 60.",
    )
    assert page.about.endswith("25 of 60 days")
    [curves] = [each.picture for each in page.sections if each.name == "stock-by-region"]
    assert curves is not None
    assert max(row[1] for row in curves.table.rows) == 25  # type: ignore[type-var]


def test_a_run_that_has_only_begun_has_a_report(tmp_path: Path) -> None:
    campaign = ws.open_campaign(ws.load("lone_colony"), days=60, out=tmp_path / "new")
    with campaign:
        campaign.stop()
    page = page_of(tmp_path / "new")
    assert "first 0 days of 60" in page.warnings[0]
    assert len(html_of(page)) > 1_000_000


@pytest.mark.parametrize(
    ("part", "lost", "kept"),
    [
        ("events/000002.jsonl", {"lives", "battles", "what-mattered"}, "stock-map"),
        ("stocks/000001.parquet", {"stock-map", "first-depletions", "lives"}, "battles"),
        ("scenario.toml", {"stock-map"}, "stock-by-region"),
    ],
)
def test_what_is_damaged_is_said_at_the_top_and_the_rest_is_shown(
    folder: Path, tmp_path: Path, part: str, lost: set[str], kept: str
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    with (broken / part).open("r+b") as file:
        file.seek(40)
        file.write(b"\x00damage\x00")
    page = page_of(broken)
    assert page.warnings
    assert part in page.warnings[0]
    assert str(tmp_path) not in page.warnings[0]
    sections = {each.name: each for each in page.sections}
    for name in lost:
        assert sections[name].picture is None
        assert "cannot be drawn" in sections[name].nothing
    assert "cannot be drawn" not in sections[kept].nothing
    assert page.warnings[0] in html_of(page).replace("&#x27;", "'").replace("&quot;", '"')


def test_names_and_descriptions_are_text(folder: Path, tmp_path: Path) -> None:
    evil = tmp_path / "<script>alert(1)<&'\"\x1b[31m"
    try:
        shutil.copytree(folder, evil.with_name(evil.name.replace("/", "")))
    except OSError:
        pytest.skip("the file system refuses such a name")
    html = html_of(page_of(evil))
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;&amp;" in html
    assert "\x1b" not in html.partition("<nav")[0]


def test_tables_are_packed_so_that_they_come_out_again() -> None:
    from worldsim.views.pictures.picture import Table  # noqa: PLC0415 - beside the others
    from worldsim.views.report.packing import packed, table_data  # noqa: PLC0415 - as above

    rows = [("a", 100, 1.5, None, True), ("b", 101, 2.0, 3, False), ("a", 99, 0.1, 4, True)]
    data = table_data(Table(("t", "n", "f", "m", "b"), rows))
    assert data["data"][0] == {"texts": ["a", "b"], "at": [0, 1, 0]}
    assert data["data"][1] == {"steps": [100, 1, -2]}
    assert data["data"][2] == {"cells": [1.5, 2.0, 0.1]}
    assert data["data"][4] == {"cells": [True, False, True]}
    assert "<" not in packed({"x": "</script><!--"})
    assert json.loads(packed({"x": "</script>\u2028"})) == {"x": "</script>\u2028"}


def test_numbers_keep_the_digits_that_tell_them_apart() -> None:
    from worldsim.views.pictures.picture import Table  # noqa: PLC0415 - beside the others
    from worldsim.views.report.packing import table_data  # noqa: PLC0415 - as above

    def packed_as(*values: float) -> object:
        (column,) = table_data(Table(("n",), [(each,) for each in values]))["data"]
        return column

    assert packed_as(1.2e-7, -1 / 3, 1234567.891234) == {
        "cells": [1.2e-7, -0.333333333, 1234567.89]
    }
    assert packed_as(123456789012.25) == {"cells": [123456789012.0]}
    assert packed_as(0.1 + 0.2, float("nan"), float("inf")) == {"cells": [0.3, None, None]}
    assert packed_as(2**53, 2**53 + 1) == {"cells": [2**53, str(2**53 + 1)]}
    assert packed_as(-(2**63), 1) == {"cells": [str(-(2**63)), 1]}
    assert packed_as(2**53, 2**53 - 5) == {"steps": [2**53, -5]}
    assert packed_as(1 - 2**53, *[2**53 - 3] * 9) == {"cells": [1 - 2**53, *[2**53 - 3] * 9]}
