"""``report``: one file, where it was asked for."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Command = Callable[..., Result]

RUN = "new_world-1"

pytestmark = [pytest.mark.usefixtures("at_work"), pytest.mark.needs("plotly")]


def test_a_report_is_written_into_this_folder_and_says_so(worldsim: Command) -> None:
    result = worldsim("report", RUN)
    path = Path(f"{RUN}.html")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"written: {path}, ")
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    before = path.stat().st_mtime_ns
    for more in ([], ["--out", str(path)]):
        again = worldsim("report", RUN, *more)
        assert (again.exit_code, "exists already" in again.stderr) == (2, True)
    assert path.stat().st_mtime_ns == before
    assert not list(Path().glob(".worldsim-*"))


def test_json_tells_path_size_and_pictures(worldsim: Command, tmp_path: Path) -> None:
    path = tmp_path / "there.html"
    told = json.loads(worldsim("report", RUN, "--out", str(path), "--json").stdout)
    assert told["path"] == str(path)
    assert told["bytes"] == path.stat().st_size > 4_000_000
    assert 5 <= told["pictures"] <= 8
    assert told["warnings"] == []


def test_the_same_run_gives_the_same_bytes(worldsim: Command, tmp_path: Path) -> None:
    made = [tmp_path / "one.html", tmp_path / "two.html"]
    for path in made:
        assert worldsim("report", RUN, "--out", str(path)).exit_code == 0
    assert made[0].read_bytes() == made[1].read_bytes()


def test_a_damaged_run_has_a_report_that_says_so(worldsim: Command, at_work: Path) -> None:
    broken = at_work / "runs" / "broken"
    shutil.copytree(at_work / "runs" / RUN, broken)
    try:
        for path in (broken / "takings").iterdir():
            path.write_bytes(b"nothing")
        result = worldsim("report", "broken", "--out", "broken.html", "--json")
        assert result.exit_code == 0
        assert "takings" in json.loads(result.stdout)["warnings"][0]
        assert "runs/broken/takings" in result.stderr
        assert "worldsim verify broken" in result.stderr
    finally:
        shutil.rmtree(broken)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nowhere"], "'nowhere' is neither a run nor a study"),
        ([RUN, "--out", "report.pdf"], "must end in .html"),
        ([RUN, "--out", "no/such/report.html"], "there is no folder 'no/such'"),
        ([], "Missing argument"),
    ],
)
def test_wrong_input_is_one_message_and_exit_code_2(
    worldsim: Command, args: list[str], says: str
) -> None:
    result = worldsim("report", *args)
    assert result.exit_code == 2
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_a_folder_in_the_way_is_not_replaced(worldsim: Command, tmp_path: Path) -> None:
    (tmp_path / "taken.html").mkdir()
    result = worldsim("report", RUN, "--out", str(tmp_path / "taken.html"))
    assert result.exit_code == 2
    assert (tmp_path / "taken.html").is_dir()


def test_without_plotly_the_message_says_what_to_install(
    worldsim: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] == "plotly":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "plotly", None)
    result = worldsim("report", RUN, "--out", "none.html")
    assert result.exit_code == 2
    assert "pip install 'worldsim[view]'" in result.stderr
    assert not Path("none.html").exists()


def test_help_loads_neither_databases_nor_pictures() -> None:
    code = (
        "import sys; from worldsim.cli import report;"
        " print([m for m in ('plotly', 'numpy', 'duckdb', 'networkx') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
