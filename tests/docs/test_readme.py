"""What the README shows is run as it stands there."""

from __future__ import annotations

import re
import runpy
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
OF_LIBRARY = {
    "matplotlib": re.compile("--plot|^worldsim map"),
    "plotly": re.compile("^worldsim report"),
}
"""Commands that need an optional library, by what stands in them."""


TUTORIAL = README.read_text(encoding="utf-8").partition("## From a scenario to an answer")[2]
SHOWN = re.findall(r"```text\n(.*?)```", TUTORIAL.partition("\n## ")[0], re.DOTALL)


def works(command: str) -> str:
    done = CliRunner().invoke(cli, shlex.split(command)[1:])
    differ = command.startswith("worldsim diff")  # which says so by its exit code
    assert done.exit_code == (1 if differ else 0), f"{command}\n{done.output}"
    assert done.output, command
    return done.output


def test_each_command_works_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for language, block in BLOCKS:
        if language == "toml" and (name := re.match(r"# (\w+\.toml)\n", block)):
            Path(name[1]).write_text(block, encoding="utf-8")
    works("worldsim run first_landing")
    plain = [each for each in COMMANDS if not any(of.search(each) for of in OF_LIBRARY.values())]
    assert len(plain) > 10
    told = "".join(map(works, plain))
    for line in "".join(SHOWN).splitlines():
        for piece in line.split("…"):
            assert piece.strip() in told or line.startswith("worldsim "), line


@pytest.mark.parametrize(
    "library", [pytest.param(name, marks=pytest.mark.needs(name)) for name in OF_LIBRARY]
)
def test_each_command_that_needs_an_optional_library_works_with_it(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    works("worldsim run first_landing")
    commands = [each for each in COMMANDS if OF_LIBRARY[library].search(each)]
    assert commands
    for command in commands:
        works(command)


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


@pytest.mark.needs("plotly")
def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(README.parent / "configs" / "notebooks" / "closed_season.py"))
