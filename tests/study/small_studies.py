"""Studies of short campaigns, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.study.study import Study

if TYPE_CHECKING:
    from pathlib import Path

LEAST = """schema = 1
[study]
name = "least"
scenario = "lone_colony"
days = {days}
replications = {replications}
seed = 3
"""
COST = """
[[factors]]
name = "cost"
key = "rules.gathering.one_success_cost"
values = [0, 2]
"""


def written(folder: Path, more: str = "", *, days: int = 8, replications: int = 3) -> Path:
    """A study file: the least there must be, and what is given."""
    file = folder / "least.toml"
    file.write_text(LEAST.format(days=days, replications=replications) + more)
    return file


def loaded(folder: Path, more: str = "", **settings: Any) -> Study:
    """The study of such a file."""
    return Study.load(written(folder, more, **settings))
