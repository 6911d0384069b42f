"""A place for trials, and the run that nothing happened to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from small_runs import Reference, Shortcuts
from trials import Bench

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def shortcuts() -> Shortcuts:
    return Shortcuts()


@pytest.fixture(scope="module")
def quick(shortcuts: Shortcuts) -> Iterator[None]:
    """For modules whose runs all take the shortcuts."""
    with shortcuts.taken():
        yield


@pytest.fixture(scope="session")
def reference(shortcuts: Shortcuts, tmp_path_factory: pytest.TempPathFactory) -> Reference:
    with shortcuts.taken():
        return Reference.made(tmp_path_factory.mktemp("reference"))


@pytest.fixture
def bench(shortcuts: Shortcuts, reference: Reference, tmp_path: Path) -> Iterator[Bench]:
    with shortcuts.taken():
        yield Bench(tmp_path, reference)
