from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from worldsim.cli.main import cli

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(name="worldsim")
def _worldsim() -> Callable[..., Result]:
    """The command, called in this process; an error that is no exit code fails the test."""

    def call(*args: str, **settings: Any) -> Result:
        result = CliRunner().invoke(cli, args, **settings)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.fixture(scope="session", name="workplace")
def _workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the starter scenario and one finished run of it, made by the command."""
    folder = tmp_path_factory.mktemp("workplace")
    with contextlib.chdir(folder):
        for args in (["new", "world.toml"], ["run", "world.toml", "--days", "60", "--quiet"]):
            result = CliRunner().invoke(cli, args)
            assert (result.exit_code, result.stdout) == (0, ""), result.stderr
    return folder


@pytest.fixture(name="at_work")
def _at_work(workplace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same folder, as the current one. Tests may read its run, and add runs of their own."""
    monkeypatch.chdir(workplace)
    return workplace
