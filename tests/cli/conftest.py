from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from worldsim.cli.main import cli

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(name="worldsim")
def _worldsim() -> Callable[..., Result]:
    """The command, called in this process; an error that is no exit code fails the test."""

    def call(*args: str, **settings: Any) -> Result:
        result = CliRunner().invoke(cli, args, **settings)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call
