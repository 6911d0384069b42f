"""``export``: a run in other formats, from the command line."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import worldsim as ws
from worldsim.cli import export
from worldsim.views.exports import FORMS, default_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Command = Callable[..., Result]

RUN = "new_world-1"
EVIL = "=HYPERLINK(1)\x1b[31m<b>"
FREE = [form for form in FORMS if form != "perfetto"]

pytestmark = pytest.mark.usefixtures("at_work")


def test_the_command_offers_the_formats_there_are() -> None:
    assert export.FORMS == FORMS
    assert set(export.NEXT) == set(FORMS)


@pytest.mark.parametrize("form", FREE)
def test_a_run_is_written_beside_us_under_its_own_name(
    worldsim: Command, workplace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run = workplace / "runs" / RUN
    result = worldsim("export", str(run), "--to", form)
    assert result.exit_code == 0, result.stderr
    [made] = tmp_path.iterdir()
    assert made.name == str(default_path(ws.Run.open(run), form))  # type: ignore[arg-type]
    assert result.stdout.startswith(f"{made.name}: ")
    assert "events" in result.stdout
    assert "Next: " in result.stderr


@pytest.mark.needs("perfetto")
def test_a_trace_is_written(worldsim: Command, tmp_path: Path) -> None:
    out = tmp_path / "run.pftrace"
    result = worldsim("export", RUN, "--to", "perfetto", "--out", str(out))
    assert (result.exit_code, out.stat().st_size > 0) == (0, True)
    assert "a minute of the campaign is a minute there" in result.stderr


def test_json_tells_path_bytes_and_counts(worldsim: Command, tmp_path: Path) -> None:
    out = tmp_path / "run.db"
    result = worldsim("export", RUN, "--to", "sqlite", "--out", str(out), "--json")
    told = json.loads(result.stdout)
    assert (told["path"], told["format"]) == (str(out), "sqlite")
    assert told["bytes"] == out.stat().st_size
    with closing(sqlite3.connect(out)) as found:
        assert found.execute("SELECT count(*) FROM events").fetchone() == (
            told["counts"]["events"],
        )
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([RUN], "Missing option '--to'"),
        ([RUN, "--to", "xes"], "'xes' is not one of"),
        (["nowhere", "--to", "csv"], "'nowhere' is no run"),
        (["new_world-2", "--to", "csv"], "did you mean new_world-"),
        ([RUN, "--to", "csv", "--out", "world.toml"], "world.toml exists already: nothing was"),
        ([RUN, "--to", "csv", "--out", "no/such"], "there is no folder 'no'"),
        ([RUN, "--to", "csv", "--out", f"runs/{RUN}/csv"], "inside the run"),
        ([RUN, "--to", "sqlite", "--out", "x" * 300], "File name too long"),
    ],
)
def test_wrong_input_is_one_message_and_exit_code_2(
    worldsim: Command, args: list[str], says: str
) -> None:
    before = sorted(Path().rglob("*"))
    result = worldsim("export", *args)
    assert result.exit_code == 2
    assert says in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert sorted(Path().rglob("*")) == before


def test_without_perfetto_the_message_says_what_to_install(
    worldsim: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "perfetto", None)
    monkeypatch.setitem(sys.modules, "perfetto.trace_builder", None)
    result = worldsim("export", RUN, "--to", "perfetto", "--out", str(tmp_path / "x"))
    assert result.exit_code == 2
    assert "pip install 'worldsim[export]'" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_leaves_nothing_and_is_exit_code_130(
    worldsim: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(ws.Run, "chunks", interrupted)
    result = worldsim("export", RUN, "--to", "ocel", "--out", str(tmp_path / "log.json"))
    assert result.exit_code == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", FREE)
def test_a_damaged_run_is_refused_and_nothing_is_written(
    worldsim: Command, workplace: Path, tmp_path: Path, form: str
) -> None:
    damaged = tmp_path / "runs" / "damaged"
    shutil.copytree(workplace / "runs" / RUN, damaged)
    log = damaged / "events" / "000001.jsonl"
    log.write_bytes(log.read_bytes()[:-100] + b"x" * 100)
    result = worldsim("export", str(damaged), "--to", form, "--out", str(tmp_path / "out"))
    assert result.exit_code == 1
    assert "Traceback" not in result.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["runs"]


def test_a_run_that_was_killed_is_written_as_far_as_it_came(
    worldsim: Command, tmp_path: Path
) -> None:
    run = tmp_path / "killed"
    code = (
        "import os, worldsim as ws\n"
        "s = ws.load('lone_colony', sets=['record.segment_days=10'])\n"
        f"ws.simulate(s, out={str(run)!r},"
        " on_event=lambda event: os._exit(9) if event.day == 35 else None)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    lines = sum(1 for _ in ws.Run.open(run).lines())
    result = worldsim("export", str(run), "--to", "sqlite", "--out", str(tmp_path / "x"), "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["counts"]["events"] == lines > 0


def test_a_hostile_name_drives_no_terminal(worldsim: Command, workplace: Path) -> None:
    evil = workplace / "runs" / EVIL
    shutil.copytree(workplace / "runs" / RUN, evil)
    try:
        result = worldsim("export", EVIL, "--to", "ocel")
        assert result.exit_code == 0
        assert "\x1b" not in result.stdout + result.stderr
        assert Path(f"{EVIL}.ocel.json").is_file()
    finally:
        shutil.rmtree(evil)
        Path(f"{EVIL}.ocel.json").unlink(missing_ok=True)


def test_help_loads_no_library() -> None:
    code = (
        "import sys; from worldsim.cli import export, map;"
        " print([m for m in ('networkx', 'numpy', 'duckdb', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
