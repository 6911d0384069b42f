"""In notebooks runs, studies and scenarios show themselves, whatever they are called."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from forged_runs import HOSTILE, forged_run

import worldsim as ws
from worldsim.notebook import LONGEST_TEXT, Bar, panel
from worldsim.study.study import Study

if TYPE_CHECKING:
    from pathlib import Path

TAGS = {"div", "strong", "table", "tbody", "tr", "th", "td", "span"}


class Reader(HTMLParser):
    """Collects tags and text; fails on any that could do something."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert [name for name, _ in attrs] in ([], ["style"])
        assert all("url" not in (value or "") for _, value in attrs)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        assert data.isprintable()
        self.words.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


def words_in(shown: Any) -> str:
    return " ".join(Reader(shown._repr_html_()).words)


def test_a_run_shows_its_state_and_what_is_left(tmp_path: Path) -> None:
    run = ws.simulate(ws.load("lone_colony"), days=30, out=tmp_path / "lone")
    words = words_in(run)
    for each in ("Run lone", "lone_colony", "finished, day 30 of 30", "left in r1", str(tmp_path)):
        assert each in words
    for name, stock in run.summary().by_region.items():
        assert f"left in {name}" in words
        assert f"{stock.left:,} of {stock.initial:,} units" in words


def test_a_run_in_memory_and_one_of_no_days_show_themselves() -> None:
    assert "in memory" in words_in(ws.simulate(ws.load("lone_colony"), days=1))


def test_a_scenario_shows_what_it_is_about() -> None:
    words = words_in(ws.load("first_landing"))
    for each in ("Scenario first_landing", "6 regions (ring) of 5 sectors each", "12 teams"):
        assert each in words


def test_a_study_shows_how_far_it_is(tmp_path: Path) -> None:
    study = Study.load("one_success_cost", sets=["study.days=3", "study.replications=2"])
    assert "not run yet" in words_in(study)
    made = study.make(tmp_path / "study")
    words = words_in(made)
    cells = len(study.plan.cells)
    assert f"campaigns done  0 of {2 * cells}" in words


@pytest.mark.parametrize("damaged", ["manifest.json", "stocks/000001.parquet", "all"])
def test_a_damaged_run_shows_what_is_wrong_and_raises_nothing(tmp_path: Path, damaged: str) -> None:
    place = tmp_path / "lone"
    ws.simulate(ws.load("lone_colony"), days=3, out=place)
    run = ws.Run.open(place)
    if damaged == "all":
        place.rename(tmp_path / "gone")
    else:
        (place / damaged).write_bytes(b"\x00nonsense")
    words = words_in(run)
    assert "Run lone" in words
    assert "cannot be read" in words or "is damaged or no run" in words


def test_a_damaged_study_shows_what_is_wrong_and_raises_nothing(tmp_path: Path) -> None:
    study = Study.load("one_success_cost").make(tmp_path / "study")
    (tmp_path / "study" / "manifest.json").write_bytes(b"\x00nonsense")
    assert "cannot be read" in words_in(study)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_words_are_text_in_every_place_of_a_panel(name: str) -> None:
    html = panel(name, [(name, name), (name, [name]), (name, None), Bar(name, 0.5, name)])
    words = "".join(Reader(html).words)
    plain = "".join(each for each in " ".join(name.split()) if each.isprintable())
    assert words.count(plain) >= 4


def test_a_run_full_of_hostile_names_shows_them_as_text() -> None:
    run = forged_run()
    run._source.name = HOSTILE[0]  # type: ignore[misc]
    run.manifest.stopped, run.manifest.error = HOSTILE[1], HOSTILE[2]
    words = words_in(run)
    assert "<script>alert(1)</script>#0" in words
    assert "<img src=x onerror=alert(1)>#1" in words


def test_a_scenario_with_a_hostile_description_shows_it_as_text() -> None:
    scenario = ws.load("lone_colony")
    for name in HOSTILE:
        campaign = scenario.campaign.model_copy(update={"name": name, "description": name})
        planet = scenario.planet.model_copy(update={"map": name})
        shown = scenario.model_copy(update={"campaign": campaign, "planet": planet})
        assert "#" in words_in(shown)


def test_long_words_are_cut_and_strange_shares_do_not_break_a_bar() -> None:
    shares = (-1.0, 2.0, float("nan"), float("inf"))
    html = panel("x", [("long", "y" * 100_000), *(Bar("a", share, "") for share in shares)])
    assert len(html) < 6000 + LONGEST_TEXT
    Reader(html)
    assert "width:0.0%" in html
    assert "width:100.0%" in html
