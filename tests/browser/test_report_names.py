"""Hostile names in every field of a run: in its report they are text, and nothing else."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest
from pydantic import BaseModel

import worldsim as ws
from worldsim.runs.sources import MemorySource
from worldsim.scenario.model import Scenario
from worldsim.views.pictures.look import words

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.needs("plotly"), pytest.mark.needs("playwright")]

ATTACKS = (
    "<script>owned()</script>",
    "<img src=x onerror=owned()>",
    "<svg onload=owned()>",
    "</script><script>owned()</script>",
    "</style><script>owned()</script>",
    "<!--<script>owned()//",
    "--><script>owned()</script>",
    "<a href='javascript:owned()'>click</a>",
    "<iframe srcdoc='<script>parent.owned()</script>'>",
    "<b onmouseover=owned()>bold</b>",
    "<math><mi xlink:href='data:x,<script>owned()</script>'>",
    "<base href='https://elsewhere.invalid/'>",
    "<link rel=stylesheet href=https://elsewhere.invalid/x>",
    "<meta http-equiv=refresh content='0;url=https://elsewhere.invalid'>",
    "javascript:owned()",
    "${owned()}",
    "`${owned()}`",
    "%{customdata}%{text}{{owned()}}",
    "&lt;script&gt;owned()&lt;/script&gt;",
    "=cmd|'/c calc'!A1",
    "+1+cmd()",
    "@SUM(1+1)*cmd()",
)
AROUND = ("{}", "'\"{}", "\u202e{}\u202c", "\x1b[31m{}\x07\r\n", "$x${}$y$")
HOSTILE = tuple(
    f"{around.format(attack)}#{n}" for n, (around, attack) in enumerate(product(AROUND, ATTACKS))
)
"""110 of them, each with its own number, so that none is taken for another."""
COUNT = len(HOSTILE)
REGIONS = 10
PLAIN = re.compile(r"\b(?:kind|colony|team|side|who|region|sector|change|plain)_(\d+)\b")


def plain_map() -> str:
    """A ring of regions with as many sectors as there are hostile names."""
    regions = [f"region_{n}" for n in range(REGIONS)]
    nodes: list[dict[str, Any]] = [{"id": name, "kind": "region"} for name in regions]
    edges = [
        {"source": a, "target": b, "distance": 2}
        for a, b in zip(regions, regions[1:] + regions[:1], strict=True)
    ]
    for n in range(COUNT):
        region = regions[n % REGIONS]
        nodes.append({"id": f"{region}/sector_{n}", "kind": "sector", "region": region})
        edges.append({"source": region, "target": f"{region}/sector_{n}", "distance": 1})
    return json.dumps({"nodes": nodes, "edges": edges})


def plain_scenario() -> Scenario:
    """A scenario in which each name of each kind has a number."""
    return Scenario.model_validate(
        {
            "schema": 1,
            "campaign": {"name": "plain_0", "days": 8, "description": "plain_1 plain_2 plain_3"},
            "planet": {"map": "map.json", "map_text": plain_map()},
            "ingredients": [
                {"id": f"kind_{n}", "kind": "mineral", "reserve": 120} for n in range(COUNT)
            ],
            "colonies": [
                {
                    "id": f"colony_{n}",
                    "faction": f"side_{n}",
                    "sector": f"region_{n % REGIONS}/sector_{n % REGIONS}",
                    "teams": [
                        {"id": f"team_{n}", "members": [{"name": f"who_{n}"}], "crew": {"size": 4}}
                    ],
                }
                for n in range(COUNT)
            ],
            "interventions": [
                {"name": f"change_{n}", "day": 3, "stocks": {"region_0": {f"kind_{n}": 1}}}
                for n in range(COUNT)
            ],
        }
    )


def turned(value: Any) -> Any:
    """A value in which each plain name is the hostile one of its number."""
    if isinstance(value, str) and value.startswith('{"nodes"'):  # the map, which stays JSON
        return json.dumps(turned(json.loads(value)))
    if isinstance(value, str):
        return PLAIN.sub(lambda found: HOSTILE[int(found[1])], value)
    if isinstance(value, dict):
        return {turned(name): turned(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(turned(each) for each in value)
    if isinstance(value, BaseModel):
        fields = {name: turned(getattr(value, name)) for name in type(value).model_fields}
        return value.model_copy(update=fields)
    return value


def hostile_run() -> ws.Run:
    """A run as somebody may have made it up: no scenario that worldsim accepts has such names."""
    source = ws.simulate(plain_scenario())._source
    assert isinstance(source, MemorySource)
    store = source._store
    for n, segment in enumerate(store.segments):
        lines = [msgspec.json.encode(turned(json.loads(line))) for line in segment.splitlines()]
        store.segments[n] = b"\n".join(lines) + b"\n"
    for parts in store.tables.values():
        for part in parts:
            for name, column in part.items():
                if column.dtype == object:
                    part[name] = np.array([turned(each) for each in column], dtype=object)
    store.manifest.campaign = turned(store.manifest.campaign)
    return ws.Run(MemorySource(turned(plain_scenario()), store))


@pytest.fixture(scope="module", name="report")
def _report(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ws.Run]:
    """The report of such a run."""
    from worldsim.views.report.html import html_of  # noqa: PLC0415 - an extra
    from worldsim.views.report.run import run_page  # noqa: PLC0415 - an extra

    run = hostile_run()
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    path.write_text(html_of(run_page(run)), encoding="utf-8")
    return path, run


def test_there_are_a_hundred_hostile_names_that_differ() -> None:
    assert len(set(HOSTILE)) == len(HOSTILE) >= 100


def labels(page: Any, section: str, what: str) -> set[str]:
    """Texts of a figure."""
    page.locator(f"#{section}").scroll_into_view_if_needed()
    page.locator(f"#{section} .main-svg").first.wait_for()
    return set(page.locator(f"#{section} {what}").all_text_contents())


def test_no_hostile_name_is_run_or_becomes_an_element(
    page: Any, report: tuple[Path, ws.Run]
) -> None:
    page.add_init_script("window.owned = () => { window.wasOwned = true; };")
    page.goto(report[0].as_uri())
    for section in page.locator("section[data-figure]").all():
        section.scroll_into_view_if_needed()
        section.locator(".main-svg").first.wait_for()
        section.locator("details.rows > summary").click()
        section.locator("details.rows td").first.wait_for()
    page.locator("#stock-map select").select_option(index=3)
    page.locator("#who-took .bars .point path").first.hover(force=True)
    page.wait_for_selector("#who-took .hoverlayer text")
    assert page.evaluate("window.wasOwned") is None
    assert page.locator("script:not([type='application/json'])").count() == 2
    for made in ("iframe", "object", "base", "link", "math", "svg script", "svg a", "main b"):
        assert page.locator(made).count() == 0, made
    for attribute in ("onerror", "onload", "onmouseover", "srcdoc"):
        assert page.locator(f"[{attribute}]").count() == 0, attribute
    for link in page.locator("a").all():
        assert (link.get_attribute("href") or "").startswith("#")


def test_every_team_and_every_ingredient_shows_as_it_is_called(
    page: Any, report: tuple[Path, ws.Run]
) -> None:
    path, run = report
    page.goto(path.as_uri())
    teams = {words(team) for (team,) in run.query("SELECT DISTINCT team FROM teams").fetchall()}
    assert len(teams) == len(HOSTILE)
    assert labels(page, "lives", ".ytick text") == teams
    kinds = labels(page, "first-depletions", ".ytick text")
    assert kinds == {words(name) for name in HOSTILE}
    regions = labels(page, "stock-by-region", ".legendtext")
    assert regions == {words(name) for name in HOSTILE[:REGIONS]}
    assert words(HOSTILE[1])[:12] in page.locator("#summary").inner_text()
    assert page.locator(".about").inner_text().startswith("Campaign <script>owned()</script>#0")


def test_every_intervention_is_in_the_csv_and_none_is_a_formula(
    page: Any, report: tuple[Path, ws.Run]
) -> None:
    page.goto(report[0].as_uri())
    with page.expect_download() as found:
        page.locator("#what-mattered .csv").click()
    text = found.value.path().read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    told = {row["what"] for row in rows if row["event"] == "intervention"}
    shown = {words(name, 1000) for name in HOSTILE}
    assert {each.removeprefix("'") if each[1:2] in "=+@-" else each for each in told} == shown
    assert not [cell for row in rows for cell in row.values() if cell[:1] in {"=", "+", "@", "-"}]
