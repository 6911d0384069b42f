"""The log of the live page: what filters find, page by page, is what the log holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

import worldsim as ws
from worldsim.cli.main import cli
from worldsim.views.words import sentence

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [
    pytest.mark.needs("plotly"),
    pytest.mark.needs("dash"),
    pytest.mark.needs("dash_ag_grid"),
]
DAYS = 40
Event = dict[str, Any]


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, and an empty folder beside it."""
    folder = tmp_path_factory.mktemp("live_log")
    ws.simulate(ws.load("first_landing"), seed=7, days=DAYS, out=folder / "one")
    (folder / "empty").mkdir()
    return folder


@pytest.fixture(scope="module", name="opened")
def _opened(folder: Path) -> Any:
    from worldsim.views.live.catalogue import Catalogue  # noqa: PLC0415 - an extra

    return Catalogue(folder).run("one")


@pytest.fixture(scope="module", name="events")
def _events(folder: Path) -> list[Event]:
    return [json.loads(line) for line in ws.Run.open(folder / "one").lines()]


def found(opened: Any, start: int = 0, end: int = 100, **wanted: Any) -> Any:
    from worldsim.views.live.address import Wanted  # noqa: PLC0415 - an extra
    from worldsim.views.live.grid import page  # noqa: PLC0415 - an extra

    return page(opened, Wanted.of(wanted), start, end)


def texts(event: Event) -> str:
    names = ("team", "place", "sector", "target", "region", "colony", "member", "ingredient")
    return " ".join(str(event[name]) for name in names if event.get(name)).lower()


@pytest.mark.parametrize(
    ("wanted", "wants"),
    [
        ({}, lambda event: True),  # noqa: ARG005 - all are wanted
        ({"kinds": "team.gathered,team.lost"},
         lambda event: event["event"] in {"team.gathered", "team.lost"}),
        ({"team": "pathfinders"},
         lambda event: str(event.get("team")).endswith("/pathfinders")),
        ({"sector": "r1"},
         lambda event: "r1" in [event.get(f) for f in ("place", "sector", "target", "region")]),
        ({"first": "10", "last": "12"}, lambda event: 10 <= event["day"] <= 12),
        ({"level": "warning"}, lambda event: event["level"] == "warning"),
        ({"text": "PATHFIND"}, lambda event: "pathfind" in texts(event)),
        ({"text": "r1/s1"}, lambda event: "r1/s1" in texts(event)),
        ({"text": "%"}, lambda event: "%" in texts(event)),
        ({"text": "_landing"}, lambda event: event.get("campaign") == "first_landing"),
        ({"where": "situation < 90 -- low"}, lambda event: event.get("situation", 100) < 90),
        ({"team": "x' OR '1'='1"}, lambda event: False),  # noqa: ARG005 - a name, not SQL
        ({"text": "'; DROP TABLE events; --"}, lambda event: False),  # noqa: ARG005 - likewise
    ],
)  # fmt: skip
def test_filters_find_what_the_log_holds(
    opened: Any, events: list[Event], wanted: Any, wants: Callable[[Event], bool]
) -> None:
    expected = [event["seq"] for event in events if wants(event)]
    answer = found(opened, **wanted)
    assert answer.total == len(expected)
    assert [row["seq"] for row in answer.rows] == expected[:100]


def test_pages_follow_each_other_without_gap_or_repetition(
    opened: Any, events: list[Event]
) -> None:
    seqs: list[int] = []
    while len(seqs) < len(events):
        page = found(opened, len(seqs), len(seqs) + 173)
        assert page.total == len(events)
        seqs += [row["seq"] for row in page.rows]
    assert seqs == [event["seq"] for event in events]
    assert found(opened, len(events), len(events) + 100).rows == []


def test_newest_first_is_the_log_turned_around(opened: Any, events: list[Event]) -> None:
    rows = found(opened, newest="1").rows
    assert [row["seq"] for row in rows] == [event["seq"] for event in events][::-1][:100]


def test_a_row_says_what_happened_in_a_sentence(opened: Any, events: list[Event]) -> None:
    for row in found(opened, kinds="team.departed").rows:
        event = events[row["seq"]]
        assert row["what"] == sentence(event)
        assert row["who"] == event["team"]


@pytest.mark.parametrize(("start", "end"), [(-5, 10), (0, 10**9), (10**18, 10**19), (50, 20)])
def test_a_page_of_any_size_that_is_asked_for_is_bounded(opened: Any, start: int, end: int) -> None:
    from worldsim.views.live.grid import MOST_ROWS  # noqa: PLC0415 - an extra

    assert len(found(opened, start, end).rows) <= MOST_ROWS


@pytest.mark.parametrize("address", ["first=x", "first=-3", "last=1e9", "level=loud", "kinds=,,"])
def test_an_address_that_makes_no_sense_wants_everything(
    opened: Any, events: list[Event], address: str
) -> None:
    name, _, value = address.partition("=")
    wanted: Any = {name: value}
    assert found(opened, **wanted).total == len(events)


def test_a_kind_that_does_not_exist_is_said(opened: Any) -> None:
    from worldsim.views.live.grid import NoKindError  # noqa: PLC0415 - an extra

    with pytest.raises(NoKindError, match=r"no event is called 'team\.flew'"):
        found(opened, kinds="team.flew")


def test_rolls_of_a_log_that_keeps_them_are_rows_of_their_own(tmp_path: Path) -> None:
    from worldsim.views.live.catalogue import Catalogue  # noqa: PLC0415 - an extra

    ws.simulate(ws.load("lone_colony"), days=5, out=tmp_path / "all", level="debug")
    rows = found(Catalogue(tmp_path).run("all"), kinds="dice.rolled").rows
    assert rows
    assert all(str(row["seq"]).startswith(f"{row['of']}.") for row in rows)


def test_the_list_tells_runs_studies_and_damaged_ones_apart(folder: Path, tmp_path: Path) -> None:
    from worldsim.views.live.catalogue import Catalogue  # noqa: PLC0415 - an extra

    assert [(each.kind, each.name, each.state) for each in Catalogue(folder).listed()] == [
        ("run", "one", "finished")
    ]
    assert Catalogue(tmp_path / "nowhere").listed() == []
    assert Catalogue(folder / "one").only() == ("run", "one")
    (tmp_path / "broken" / "events").mkdir(parents=True)
    (tmp_path / ".hidden" / "events").mkdir(parents=True)
    (tmp_path / "link").symlink_to(folder / "one")
    assert [(each.name, each.state) for each in Catalogue(tmp_path).listed()] == [
        ("broken", "damaged")
    ]


def test_a_run_that_grew_is_opened_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from worldsim.views.live import catalogue  # noqa: PLC0415 - an extra

    ws.simulate(ws.load("lone_colony"), days=5, out=tmp_path / "grown")
    shown = catalogue.Catalogue(tmp_path)
    before = shown.run("grown")
    assert shown.run("grown") is before
    done = CliRunner().invoke(cli, ["extend", str(tmp_path / "grown"), "--days", "9", "--quiet"])
    assert done.exit_code == 0, done.output
    monkeypatch.setattr(catalogue, "FRESH_S", 0.0)
    before.took_s = 0.0
    assert shown.run("grown").manifest.day == 9
