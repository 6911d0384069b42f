"""Where each rule is implemented and tested, read from the source without running it.

A function or class says ``Rule GATH-6 [P].`` in its docstring, a test carries
``@pytest.mark.rule("GATH-6")``. The files are parsed, not imported: it costs nothing to look, and a
compiled rule has no docstring of its own any more.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).resolve().parent.parent
ROOMS = ("rules", "world", "processes", "scenario")

_ID = r"[A-Z]+-[0-9]+"
_RULE_LINE = re.compile(
    rf"^[ ]*Rules?\s+(?P<ids>{_ID}(?:(?:,|,?\s+and|\s+to)\s+{_ID})*)(?P<rest>.*)$",
    re.MULTILINE,
)
_STEP = re.compile(r"(?P<to>to\s+)?(?P<name>[A-Z]+)-(?P<number>[0-9]+)")
_SOURCE = re.compile(r"\[(P|B|D|W|us)\]")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True, slots=True)
class Place:
    """A function or class that implements a rule, or a test that proves it.

    Attributes:
        module: Its module, dotted; for a test the path below the checkout.
        name: Its qualified name.
        file: Where it stands.
        line: The line of its ``def`` or ``class``, from 1.
        says: The first line of its docstring; of a test its name in words.
        sources: Where the rule comes from: P, B, D, W, us. Empty for a test.
    """

    module: str
    name: str
    file: Path
    line: int
    says: str
    sources: tuple[str, ...] = ()


Index = dict[str, list[Place]]
"""The places of each rule, by its id."""


def rules_in(docstring: str) -> list[tuple[str, tuple[str, ...]]]:
    """The rules a docstring names, each with its sources.

    A rule line is ``Rule DICE-1, DICE-3 [D].``; ``and`` may stand for a comma, and ``to`` for all
    numbers between.
    """
    return [
        (rule, tuple(_SOURCE.findall(found["rest"])))
        for found in _RULE_LINE.finditer(docstring)
        for rule in _listed(found["ids"])
    ]


def _listed(ids: str) -> list[str]:
    """The ids of ``DICE-1, DICE-3 to DICE-5``."""
    listed: list[str] = []
    last = 0
    for step in _STEP.finditer(ids):
        number = int(step["number"])
        first = last + 1 if step["to"] else number
        listed += [f"{step['name']}-{one}" for one in range(first, number + 1)]
        last = number
    return listed


def implemented(package: Path = PACKAGE) -> Index:
    """Every rule's functions and classes, in the shipped source of the rooms that hold rules."""
    index: Index = {}
    for room in ROOMS:
        for file in sorted((package / room).rglob("*.py")):
            module = ".".join(file.relative_to(package.parent).with_suffix("").parts)
            for name, node in _definitions(_parse(file, "Rule ")):
                docstring = ast.get_docstring(node) or ""
                says = docstring.partition("\n")[0]
                for rule, sources in rules_in(docstring):
                    place = Place(module, name, file, node.lineno, says, sources)
                    index.setdefault(rule, []).append(place)
    return index


def folder_of_tests(package: Path = PACKAGE) -> Path | None:
    """The tests of the checkout the package lies in; None when it is installed without one."""
    root = package.parent
    return root / "tests" if (root / "pyproject.toml").is_file() else None


def proved(tests: Path) -> Index:
    """Every rule's tests: functions marked by a decorator, by their class's or the module's."""
    index: Index = {}
    for file in sorted(tests.rglob("test_*.py")):
        tree = _parse(file, "mark.rule")
        module = file.relative_to(tests.parent).as_posix()
        marked = {"": _marks(_module_marks(tree))}
        for name, node in _definitions(tree):
            marks = marked[name.rpartition(".")[0]] | _marks(node.decorator_list)
            marked[name] = marks
            if isinstance(node, ast.ClassDef) or not node.name.startswith("test"):
                continue
            says = node.name.removeprefix("test_").replace("_", " ")
            for rule in sorted(marks):
                index.setdefault(rule, []).append(Place(module, name, file, node.lineno, says))
    return index


def source_of(place: Place) -> str:
    """The source text of a place, decorators and docstring included.

    Raises:
        LookupError: the file no longer holds it.
    """
    text = place.file.read_text(encoding="utf-8")
    for name, node in _definitions(ast.parse(text)):
        if name == place.name and node.lineno == place.line:
            first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
            return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    raise LookupError(f"{place.name} is not in {place.file} any more")


def _parse(file: Path, words: str) -> ast.Module:
    """The tree of a file; an empty one where these words, without which it has no rule, are not."""
    text = file.read_text(encoding="utf-8")
    return ast.parse(text if words in text else "", filename=str(file))


def _definitions(tree: ast.AST, within: str = "") -> Iterator[tuple[str, Definition]]:
    """Functions, classes and methods with their qualified names, outer before inner."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, _DEFINITIONS):
            name = f"{within}.{node.name}" if within else node.name
            yield name, node
            yield from _definitions(node, name)


def _module_marks(tree: ast.Module) -> list[ast.expr]:
    """What a module gives all its tests: the value of ``pytestmark``."""
    return [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and any(isinstance(name, ast.Name) and name.id == "pytestmark" for name in node.targets)
    ]


def _marks(expressions: list[ast.expr]) -> set[str]:
    """The ids in all ``pytest.mark.rule("ID")`` of some decorators, ``pytest.param`` included."""
    return {
        argument.value
        for expression in expressions
        for node in ast.walk(expression)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "rule"
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }
