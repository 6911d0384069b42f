"""``study run``: what is refused leaves nothing behind."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Command = Callable[..., Result]

STUDY = """
schema = 1
[study]
name = "refused"
scenario = "lone_colony"
days = 2
replications = 1
seed = 3
"""


@pytest.fixture(name="refused")
def _refused(
    worldsim: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Runs a study with some options, sees that it leaves nothing, and tells what is said."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "refused.toml").write_text(STUDY, encoding="utf-8")

    def run(*options: str) -> str:
        result = worldsim("study", "run", "refused.toml", *options)
        assert (result.exit_code, result.stdout) == (2, "")
        assert "Traceback" not in result.stderr
        assert [each.name for each in tmp_path.iterdir()] == ["refused.toml"]
        return result.stderr

    return run


def without(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a library missing."""
    for name in list(sys.modules):
        if name.partition(".")[0] == library:
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, library, None)


def test_without_dask_the_message_says_what_to_install(
    refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    without("distributed", monkeypatch)
    assert "pip install 'worldsim[cluster]'" in refused("--executor", "dask")


def test_without_fsspec_nothing_is_simulated_that_could_not_be_published(
    refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    without("fsspec", monkeypatch)
    assert "pip install 'worldsim[cluster]'" in refused("--publish", "memory://there")


@pytest.mark.needs("fsspec")
def test_an_address_of_no_known_kind_is_refused_before_anything_is_simulated(
    refused: Callable[..., str],
) -> None:
    assert "Protocol not known: nosuch" in refused("--publish", "nosuch://there")


def test_a_folder_that_is_taken_stays_as_it_is(refused: Callable[..., str]) -> None:
    assert "refused.toml exists already" in refused("--out", "refused.toml")
