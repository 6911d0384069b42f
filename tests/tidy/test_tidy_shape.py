"""The shape of the code: sizes, state, and what lies where."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from worldsim.scenario import load, load_text
from worldsim.scenario.side import load_side
from worldsim.scenario.study_loading import load_study_file

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "worldsim"
MODULES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES = {"function": 60, "module": 400}

MAY_BE_LONG: dict[str, str] = {}
"""Modules that may be longer, each with its reason."""

CACHE = "a cache of what follows from its arguments alone, bounded by what there is to ask"
MAY_CHANGE: dict[str, str] = {
    "rules/dice.py:_test_cuts": CACHE,
    "rules/dice.py:_total_cuts": CACHE,
    "events/schema.py:kinds_by_name": CACHE,
    "cli/events.py:_fields": CACHE,
    "scenario/slots.py:_record": CACHE,
    "study/work.py:_scenario": CACHE,
}
"""Mutable names of modules, each with the reason why it does not make a run depend on another."""

AT_THE_TOP = {
    "pyproject.toml", "worldsim", "configs", "tests", "tools", "README.md", "LICENSE",
    "CHANGELOG.md", "CITATION.cff",
}  # fmt: skip

SMALL = """
schema = 1
campaign = { name = "small" }
[[colonies]]
id = "one"
[[colonies.teams]]
id = "team"
crew = {}
"""
ORE = """
[[ingredients]]
id = "ore_of_the_test"
kind = "metal"
reserve = 5
"""

MUTATORS = {
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "move_to_end", "pop",
    "popitem", "popleft", "remove", "reverse", "setdefault", "sort", "update",
}  # fmt: skip


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_function_is_longer_than_a_screen(path: Path) -> None:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            lines = node.end_lineno - node.lineno + 1
            assert lines <= MOST_LINES["function"], f"{node.name} has {lines} lines"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_is_too_long(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if name_of(path) in MAY_BE_LONG:
        assert lines > MOST_LINES["module"], "it is short now: take it off the list"
    else:
        assert lines <= MOST_LINES["module"], f"{lines} lines"


def module_names(tree: ast.Module) -> set[str]:
    """Names that a module binds outside its functions and classes."""
    names: set[str] = set()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


def changed_names(tree: ast.Module) -> Iterator[str]:
    """Names that some statement of a module changes in place, rebinds as global or caches in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            yield from node.names
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(
            node.ctx, ast.Store | ast.Del
        ):
            yield from names_in([node.value])
        elif isinstance(node, ast.AugAssign):
            yield from names_in([node.target])
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in MUTATORS
        ):
            yield from names_in([node.func.value])


def names_in(nodes: list[ast.expr]) -> Iterator[str]:
    """The name at the root of ``a``, ``a[0]``, ``a.b`` and ``a[0].b[1]``."""
    for node in nodes:
        root = node
        while isinstance(root, ast.Subscript | ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name):
            yield root.id


def locals_of(tree: ast.Module) -> set[str]:
    """Names that functions bind for themselves, and so do not mean the module's."""
    return {
        node.id
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    } | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def state_of(tree: ast.Module) -> set[str]:
    state = module_names(tree) & set(changed_names(tree))
    if state:
        state -= locals_of(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            kept = [d for d in node.decorator_list if "cache" in ast.unparse(d).split("(")[0]]
            state |= (
                {node.name} if kept and "cached_property" not in ast.unparse(kept[0]) else set()
            )
    state |= {
        name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names
    }
    return state


def test_no_module_keeps_state_but_caches_on_the_list() -> None:
    found = {f"{name_of(path)}:{name}" for path in MODULES for name in state_of(tree_of(path))}
    assert found == set(MAY_CHANGE)


@pytest.mark.parametrize(
    "source",
    [
        "kept = {}\ndef f(x):\n    kept[x] = 1",
        "kept = []\ndef f(x):\n    kept.append(x)",
        "kept = 0\ndef f():\n    global kept\n    kept += 1",
        "from functools import lru_cache\n@lru_cache(9)\ndef kept(x):\n    return x",
        "kept: dict[str, list[int]] = {}\ndef f(x):\n    kept[x].clear()",
    ],
)
def test_the_search_for_state_finds_it(source: str) -> None:
    assert state_of(ast.parse(source)) == {"kept"}


def test_the_search_for_state_passes_over_tables_that_nobody_changes() -> None:
    source = "table = {1: 2}\ndef f(x):\n    own = []\n    own.append(table[x])\n    return own"
    assert state_of(ast.parse(source)) == set()


def test_every_shipped_file_is_loaded() -> None:
    files = sorted((ROOT / "configs").rglob("*.toml"))
    assert files
    for path in files:
        kind = path.parent.name
        if kind == "scenarios":
            assert load(path).campaign.name == path.stem
        elif kind == "catalogues":
            scenario = load_text(f'catalogue = "{path.name}"\n{SMALL}{ORE}')
            assert scenario.ingredients[-1].id == "ore_of_the_test"
        elif kind == "sides":
            assert load_side(path).name == path.stem
        elif kind == "studies":
            assert load_study_file(path).file.study.name == path.stem
        else:
            pytest.fail(f"no test loads {path}")


def tracked() -> list[str]:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        [git, "ls-files", "-z"],
        cwd=ROOT, capture_output=True, check=True,
    )  # fmt: skip
    return [name for name in listed.stdout.decode().split("\0") if (ROOT / name).is_file()]


def test_the_top_of_the_repository_holds_what_belongs_there() -> None:
    top = {name.partition("/")[0] for name in tracked()}
    assert {name for name in top if not name.startswith(".")} <= AT_THE_TOP


THIS_FILE = "tests/tidy/test_tidy_shape.py"  # it has to name what it looks for
FOLDERS = "home|Users|root|work|opt|mnt|private|tmp"
ELSEWHERE = re.compile(rf"""(?<![\w.$}}])/(?:{FOLDERS})/\w|\b[A-Z]:\\\\?\w|file:///""")
HOSTS = re.compile(r"pypi\.org|pythonhosted|artifactory|/simple/")


def test_no_file_names_a_folder_of_some_machine_or_the_host_of_a_registry() -> None:
    found = [
        f"{name}:{number}: {line.strip()[:80]}"
        for name in tracked()
        if name != THIS_FILE
        for number, line in enumerate(_lines(ROOT / name), 1)
        if ELSEWHERE.search(line) or HOSTS.search(line)
    ]
    assert found == []


def _lines(path: Path) -> list[str]:
    return path.read_bytes().decode("utf-8", "replace").splitlines()


@pytest.mark.parametrize(
    "text", ["/" + "home/any/run", "cd /" + "mnt/disk", "C:" + r"\Users\any", "py" + "pi.org/x"]
)
def test_the_search_for_machines_finds_them(text: str) -> None:
    assert ELSEWHERE.search(text) or HOSTS.search(text)


@pytest.mark.parametrize("text", ["tests/tmp/x", "r2/s1", "/usr/bin/env python", "$HOME/work/x"])
def test_the_search_for_machines_passes_over_other_paths(text: str) -> None:
    assert not ELSEWHERE.search(text)
    assert not HOSTS.search(text)
