"""Who may import whom: the table of rooms, read with ast over the whole package."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).parents[2] / "worldsim"
TOP = "worldsim"

STUDIED = {"errors", "notebook", "scenario", "world", "events", "processes", "runs"}
ROOMS: dict[str, set[str]] = {
    "errors": set(),
    "notebook": set(),  # how a run, study or scenario shows itself in a notebook
    "chance": {"errors"},
    "duel": {"errors", "chance", "rules"},  # the exact odds of a fight: arrays, so not in rules
    "rules": {"errors"},
    "scenario": {
        "errors",
        "notebook",
        "rules",
    },  # of rules, the vocabulary
    "world": {"errors", "chance", "scenario", "rules"},
    "events": {"errors"},
    "processes": {"errors", "chance", "scenario", "rules", "world", "events"},
    "runs": {"errors", "notebook", "scenario", "world", "events", "processes"},
    "study": STUDIED,
    "views": {"errors", "duel", "scenario", "world", "events", "runs", "study"},
    "cli": STUDIED | {"chance", "duel", "rules", "study", "views"},
    TOP: {
        "errors",
        "duel",
        "scenario",
        "runs",
        "study",
    },  # names for users, imported when first used
    "__main__": {"cli"},
}
"""Of each room the others it may import."""

OWNERS: dict[str, set[str]] = {
    "numpy": {"chance", "duel", "runs", "study", "views"},
    "pydantic": {"scenario"},
    "pydantic_core": {"scenario"},
    "tree_sitter": {"scenario"},
    "tree_sitter_toml": {"scenario"},
    "tomli_w": {"scenario"},
    "networkx": {"world"},
    "structlog": {"events"},
    "msgspec": {"events", "world", "runs"},
    "simpy": {"processes"},
    "duckdb": {"runs"},
    "filelock": {"runs"},
    "dask": {"study"},
    "distributed": {"study"},
    "fsspec": {"study"},
    "scipy": {"study"},
    "SALib": {"study"},
    "matplotlib": {"views"},
    "plotly": {"views"},
    "dash": {"views"},
    "dash_ag_grid": {"views"},
    "flask": {"views"},
    "werkzeug": {"views"},
    "perfetto": {"views"},
    "click": {"cli"},
    "rich": {"cli"},
}
"""Of each third-party library the rooms that may import it."""


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return TOP if parts == ("__init__",) else parts[0]


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file names in an import, wherever in it, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name}:{node.lineno} is relative"
            assert node.module
            if node.module == TOP:
                yield from ((node.lineno, f"{TOP}.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, node.module


def target_room(module: str) -> str:
    """The room an import of worldsim leads to; the package itself for names it offers."""
    name = module.split(".")[1] if "." in module else TOP
    return name if name in ROOMS else TOP


def standard_or_own(top: str) -> bool:
    return top in sys.stdlib_module_names or top == TOP


MODULES = [pytest.param(path, id=str(path.relative_to(PACKAGE))) for path in modules()]


@pytest.mark.parametrize("path", MODULES)
def test_a_module_imports_only_rooms_the_table_allows(path: Path) -> None:
    room = room_of(path)
    assert room in ROOMS, f"{path.name} is in no room of the table"
    for line, module in imported(path):
        if module.split(".")[0] != TOP or module == f"{TOP}.__version__":
            continue
        to = target_room(module)
        allowed = ROOMS[room] | {room} | ({TOP} if room == "cli" else set())
        assert to in allowed, f"{path.name}:{line}: {room} may not import {module}"


@pytest.mark.parametrize("path", MODULES)
def test_a_module_imports_only_libraries_its_room_owns(path: Path) -> None:
    room = room_of(path)
    for line, module in imported(path):
        top = module.split(".")[0]
        if standard_or_own(top):
            continue
        assert top in OWNERS, f"{path.name}:{line}: nobody owns {top}"
        assert room in OWNERS[top], f"{path.name}:{line}: {room} may not import {top}"


def test_the_reader_of_imports_sees_those_in_functions_and_under_type_checking(
    tmp_path: Path,
) -> None:
    file = tmp_path / "sample.py"
    file.write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from worldsim.world.world import World\n"
        "def late():\n    import simpy.core\n    from worldsim import cli, load\n"
    )
    assert sorted(imported(file)) == [
        (1, "typing"),
        (3, "worldsim.world.world"),
        (5, "simpy.core"),
        (6, "worldsim.cli"),
        (6, "worldsim.load"),
    ]
    assert [target_room(m) for _, m in sorted(imported(file))[3:]] == ["cli", TOP]
