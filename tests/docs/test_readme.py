"""What the README shows is run as it stands there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from worldsim.cli.main import cli

README = Path(__file__).parents[2] / "README.md"
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
PYTHON = [block for language, block in BLOCKS if language == "python"]
COMMANDS = [
    line
    for language, block in BLOCKS
    if language == "sh"
    for line in block.splitlines()
    if line.startswith("worldsim ")
]


def test_each_command_works_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    assert runner.invoke(cli, ["run", "first_landing", "--quiet"]).exit_code == 0
    assert len(COMMANDS) > 10
    for command in COMMANDS:
        done = runner.invoke(cli, shlex.split(command)[1:])
        differ = command.startswith("worldsim diff")  # which says so by its exit code
        assert done.exit_code == (1 if differ else 0), f"{command}\n{done.output}"
        assert done.output, command


@pytest.mark.parametrize("number", range(len(PYTHON)))
def test_each_piece_of_python_runs(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(PYTHON[number], f"README python {number + 1}", "exec"), {})  # noqa: S102


def test_the_output_shown_is_what_first_landing_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(cli, ["run", "first_landing"]).output
    shown = next(block for _, block in BLOCKS if block.startswith("$ worldsim run first_landing"))
    for line in shown.splitlines()[1:]:
        if line.strip() not in {"", "…"}:
            assert line in told
