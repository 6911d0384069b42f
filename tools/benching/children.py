"""Measuring in processes of their own, so that one measurement's memory is not another's.

A child is told a function of this package and its arguments, and prints what it returns as JSON.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benching.plan import TOOLS

if TYPE_CHECKING:
    from pathlib import Path

    from benching.plan import Figures

ENTRY = TOOLS / "bench.py"
CHILD = "--child"
LAST_WORDS = 5  # lines of a child's error that are shown


class ChildError(Exception):
    """A measuring process failed."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(name, said)
        self.name, self.said = name, said

    def __str__(self) -> str:
        last = "\n".join(self.said.strip().splitlines()[-LAST_WORDS:])
        return f"{self.name} failed in its own process:\n{last}"


def in_child(name: str, *, source: Path | None = None, **given: Any) -> Any:
    """What ``module.function`` of this package returns, called in a process of its own.

    Args:
        name: Such as ``unit.unit_us``.
        source: A folder that holds the ``worldsim`` to import; the installed one if None.
        given: Its arguments, as JSON can say them.

    Raises:
        ChildError: it failed.
    """
    done = subprocess.run(
        [sys.executable, str(ENTRY), CHILD, name, json.dumps(given)],
        check=False,
        capture_output=True,
        text=True,
        env=environment(source),
    )
    if done.returncode:
        raise ChildError(name, done.stderr)
    return json.loads(done.stdout)


def environment(source: Path | None) -> dict[str, str]:
    """The environment of a child that imports ``worldsim`` from there."""
    return dict(os.environ) if source is None else os.environ | {"PYTHONPATH": str(source)}


def be_child(name: str, given: str) -> None:
    """Call the function that the parent named, and print what it returns."""
    module, _, function = name.rpartition(".")
    print(json.dumps(getattr(import_module(f"benching.{module}"), function)(**json.loads(given))))


def medians(runs: list[Figures]) -> Figures:
    """The median of each figure over some runs."""
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def build_in_use() -> dict[str, str]:
    """Which worldsim is measured."""
    import worldsim  # noqa: PLC0415 - asked of a child

    return {"build": worldsim.build(), "version": worldsim.__version__}
