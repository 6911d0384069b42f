"""Wrong command lines and expected errors: one message, the right exit code, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from worldsim import __version__, build
from worldsim.cli.main import COMMANDS
from worldsim.errors import BrokenInvariantError, InputError, WorldsimError

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Command = Callable[..., Result]

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "worldsim"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["rnu"], "Did you mean 'run'"),
        (["rn", "x"], "run"),
        (["odds", "2d6", "--jsn"], "--json"),
        (["run"], "Missing argument 'SCENARIO'"),
        (["schema", "event"], "events"),
    ],
)
def test_a_mistyped_command_line_exits_2_with_a_near_name(
    args: list[str], said: str, worldsim: Command
) -> None:
    result = worldsim(*args)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert said in result.stderr
    assert "--help" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself_examples_first(name: str, worldsim: Command) -> None:
    out = worldsim(name, "--help").stdout
    assert out.index("Examples:") < out.index("Options:")
    assert f"  worldsim {name}" in out


def test_the_help_lists_every_command_with_a_sentence(worldsim: Command) -> None:
    out = worldsim("--help").stdout
    listed = out[out.index("Commands:") :].splitlines()[1:]
    assert [line.split()[0] for line in listed if line.strip()] == list(COMMANDS)
    assert all(len(line.split()) > 3 for line in listed if line.strip())


def test_help_and_version_load_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from worldsim.cli.main import cli\n"
        "try: cli(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy','duckdb','pydantic','networkx','simpy','structlog','msgspec','rich',"
        "'tree_sitter','scipy'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_version_is_that_of_the_package(worldsim: Command) -> None:
    assert worldsim("--version").stdout == f"worldsim {__version__} ({build()})\n"


def test_a_reader_who_has_seen_enough_ends_the_command_quietly() -> None:
    with subprocess.Popen(
        [*COMMAND, "odds", "400d6"],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.readline()
        command.stdout.close()
        said = command.stderr.read()
        code = command.wait(20)
    assert (said, code) == ("", 0)


def test_without_arguments_the_help_is_shown(worldsim: Command) -> None:
    result = worldsim()
    assert result.exit_code == 2
    assert "Commands:" in result.stderr


class BrokenError(BrokenInvariantError):
    """Stands for one of the simulation."""


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (WorldsimError("no luck"), 1, "error: no luck\n"),
        (InputError("not so"), 2, "error: not so\n"),
        (BrokenError("books differ"), 3, "error: books differ\n"),
        (InputError("two\n    l\x1b[2Jines"), 2, "error: two\nlines\n"),
        (KeyboardInterrupt(), 130, "error: interrupted\n"),
        (PermissionError(13, "Permission denied", "a\x1bb"), 1, "error: ab: Permission denied\n"),
    ],
)
def test_each_expected_error_has_its_exit_code_and_one_line(
    error: BaseException,
    code: int,
    said: str,
    worldsim: Command,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("worldsim.scenario.load_with_origins", refuse, raising=False)
    result = worldsim("run", "anything")
    assert result.exit_code == code
    assert result.stderr.lstrip("\n") == said


def test_an_old_encoding_does_not_end_the_command() -> None:
    done = subprocess.run(
        [*COMMAND, "odds", "2d6…"],
        env={**ENVIRONMENT, "PYTHONIOENCODING": "latin-1:strict"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "2d6?" in done.stderr


def test_no_colour_reaches_a_pipe_or_a_file(worldsim: Command) -> None:
    result = worldsim("rules", "DICE-7")
    assert "\x1b" not in result.stdout + worldsim("rnu").stderr
