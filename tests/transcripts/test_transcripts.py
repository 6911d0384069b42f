"""What the shipped scenarios tell is kept; a change of it must be meant."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

TOOL = Path(__file__).parents[2] / "tools" / "transcripts.py"
NAMES = [
    "contested_frontier.json",
    "first_landing.json",
    "lone_colony.jsonl",
    "long_depletion.json",
]


@pytest.fixture(name="tool", scope="module")
def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("transcripts", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_scenario_still_tells_the_same_story(name: str, tool: Any) -> None:
    differences = tool.differences(name)
    assert not differences, "\n".join(
        [*differences, f"If this is meant: {tool.AGAIN}, and say in the commit why."]
    )


def test_there_is_a_transcript_of_each_shipped_scenario(tool: Any) -> None:
    shipped = {path.stem for path in (TOOL.parents[1] / "configs" / "scenarios").glob("*.toml")}
    assert sorted(tool.TRANSCRIPTS) == NAMES
    assert {name.partition(".")[0] for name in NAMES} == shipped


def test_a_changed_line_is_shown_as_a_difference(
    tool: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = tool.TRANSCRIPTS["lone_colony.jsonl"]()
    line = next(line for line in text.splitlines() if '"team.moved"' in line)
    (tmp_path / "lone_colony.jsonl").write_text(text.replace(line, line.replace("out", "in")))
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    shown = tool.differences("lone_colony.jsonl")
    assert "+" + line in shown
    assert json.loads(line)["event"] == "team.moved"


def test_a_missing_transcript_is_a_difference(
    tool: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    assert tool.differences("lone_colony.jsonl")
