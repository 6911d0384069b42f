"""``map``: a scenario or a run, drawn or as a graph, from the command line."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import networkx as nx
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Command = Callable[..., Result]

RUN = "new_world-1"
EVIL = "<script>\x1b[31m$x$"

pytestmark = pytest.mark.usefixtures("at_work")
needs_matplotlib = pytest.mark.needs("matplotlib")


@needs_matplotlib
@pytest.mark.parametrize("source", ["lone_colony", "world.toml", RUN, f"runs/{RUN}"])
@pytest.mark.parametrize("form", ["png", "svg"])
def test_scenarios_and_runs_are_drawn(
    worldsim: Command, tmp_path: Path, source: str, form: str
) -> None:
    out = tmp_path / f"map.{form}"
    result = worldsim("map", source, "--out", str(out))
    assert result.exit_code == 0, result.stderr
    assert "sectors" in result.stdout
    assert out.read_bytes().startswith(b"<?xml" if form == "svg" else b"\x89PNG")


@needs_matplotlib
def test_a_map_is_called_after_what_it_shows(
    worldsim: Command, workplace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert worldsim("map", "lone_colony").exit_code == 0
    assert worldsim("map", str(workplace / "runs" / RUN)).exit_code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "lone_colony-map.png", f"{RUN}-map.png",
    ]  # fmt: skip
    for more in ([], ["--out", "lone_colony-map.png"]):
        again = worldsim("map", "lone_colony", *more)
        assert (again.exit_code, "exists already" in again.stderr) == (2, True)


def test_a_graph_can_be_the_map_of_a_scenario(worldsim: Command, tmp_path: Path) -> None:
    result = worldsim("map", "first_landing", "--out", str(tmp_path / "planet.graphml"), "--json")
    counts = json.loads(result.stdout)["counts"]
    graph = nx.read_graphml(tmp_path / "planet.graphml")
    assert len(graph) == counts["regions"] + counts["sectors"]
    assert graph.number_of_edges() == counts["ways"]
    scenario = tmp_path / "again.toml"
    scenario.write_text(
        'schema = 1\n[campaign]\nname = "again"\n[planet]\nmap = "planet.graphml"\n'
        '[[ingredients]]\nid = "berry"\nkind = "fruit"\nreserve = 10\n'
        '[[colonies]]\nid = "c"\nsector = "r1/s1"\n'
    )
    told = worldsim("check", str(scenario), "--json")
    assert told.exit_code == 0, told.stdout
    facts = json.loads(told.stdout)
    assert (facts["regions"], facts["sectors"]) == (counts["regions"], counts["sectors"])


def test_days_differ(worldsim: Command, tmp_path: Path) -> None:
    left = []
    for day in (0, 60):
        out = tmp_path / f"{day}.graphml"
        told = worldsim("map", RUN, "--day", str(day), "--out", str(out), "--json")
        assert json.loads(told.stdout)["day"] == day
        left.append(sum(nx.get_node_attributes(nx.read_graphml(out), "units_left").values()))
    assert left[1] < left[0]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nowhere"], "'nowhere' is neither a run nor a scenario"),
        (["nowhere.toml"], "is neither a run nor a scenario"),
        ([RUN, "--day", "61"], "has no day 61; give one from 0 to 60"),
        ([RUN, "--day", "-1"], "-1 is not in the range"),
        (["lone_colony", "--day", "3"], "a scenario has no days; only runs have"),
        ([RUN, "--out", "map.pdf"], "must end in .png or .svg or .graphml"),
        ([RUN, "--out", "world.graphml/x.graphml"], "there is no folder"),
        ([], "Missing argument"),
    ],
)
def test_wrong_input_is_one_message_and_exit_code_2(
    worldsim: Command, args: list[str], says: str
) -> None:
    before = sorted(Path().rglob("*"))
    result = worldsim("map", *args)
    assert result.exit_code == 2
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert sorted(Path().rglob("*")) == before


def test_a_scenario_with_faults_tells_them(worldsim: Command, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('schema = 1\n[campaign]\nname = "x"\ndayz = 3\n')
    result = worldsim("map", str(wrong), "--out", str(tmp_path / "x.graphml"))
    assert result.exit_code == 2
    assert "dayz" in result.stderr
    assert not (tmp_path / "x.graphml").exists()


def test_without_matplotlib_the_message_says_what_to_install(
    worldsim: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = worldsim("map", RUN, "--out", str(tmp_path / "x.png"))
    assert result.exit_code == 2
    assert "pip install 'worldsim[plot]'" in result.stderr
    assert list(tmp_path.iterdir()) == []
    assert worldsim("map", RUN, "--out", str(tmp_path / "x.graphml")).exit_code == 0


@needs_matplotlib
def test_a_hostile_name_is_a_word(worldsim: Command, workplace: Path, tmp_path: Path) -> None:
    evil = workplace / "runs" / EVIL
    shutil.copytree(workplace / "runs" / RUN, evil)
    try:
        result = worldsim("map", EVIL, "--out", str(tmp_path / "map.svg"))
        assert result.exit_code == 0, result.stderr
        drawn = (tmp_path / "map.svg").read_text(encoding="utf-8")
        assert "&lt;script&gt;" in drawn
        assert "<script" not in drawn
        assert "\x1b" not in drawn + result.stdout + result.stderr
    finally:
        shutil.rmtree(evil)
