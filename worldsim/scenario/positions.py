"""Line and column of every key and value of a TOML text, found only when a fault asks for them."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

if TYPE_CHECKING:
    from worldsim.scenario.faults import KeyPath

CONTAINERS = {"array", "inline_table"}
TABLES = {"table", "table_array_element"}
KEY_AND_VALUE = 2
KEYS = {"bare_key", "quoted_key", "dotted_key"}


class _Mark:
    """Where one key stands, where its value stands, and what is inside, opened when asked.

    Most marks hold nothing, so what is inside is made only when there is something.
    """

    __slots__ = ("_children", "_unopened", "items", "key", "value")

    def __init__(self, key: Node | None, value: Node | None) -> None:
        self.key, self.value = key, value
        self.items = 0
        self._children: dict[str | int, _Mark] | None = None
        self._unopened: list[Node] | None = None

    def child(self, name: str | int, key: Node) -> _Mark:
        """The mark of a key or item inside, made at need."""
        if self._children is None:
            self._children = {}
        found = self._children.get(name)
        if found is None:
            found = self._children[name] = _Mark(key, key)
        return found

    def open_later(self, node: Node) -> None:
        """Note a table or array whose inside belongs to this mark."""
        if self._unopened is None:
            self._unopened = []
        self._unopened.append(node)

    def inside(self) -> dict[str | int, _Mark]:
        """The marks of the keys or items in this value."""
        for node in self._unopened or ():
            if node.type == "array":
                _open_array(self, node)
            else:
                _open_table(self, node)
        self._unopened = None
        return self._children or {}

    def innermost(self) -> _Mark:
        """A header that goes through an array of tables means the array's last item so far."""
        return self._children[self.items - 1] if self._children and self.items else self


class Positions:
    """Finds key paths in one TOML text, which must parse.

    Args:
        text: The text as it was parsed.
    """

    def __init__(self, text: str) -> None:
        self._bytes = text.encode()
        self._lines: list[bytes] | None = None
        self._root = _Mark(None, None)
        document = Parser(Language(tree_sitter_toml.language())).parse(self._bytes).root_node
        for node in document.named_children:
            if node.type == "pair":
                _add_pair(self._root, node)
            elif node.type in TABLES:
                self._add_table(node)

    def find(self, path: KeyPath, *, of_key: bool = False) -> tuple[int, int]:
        """Line and column, both from 1, of a value or of its key.

        A path that is not there gives the place of the innermost table around it.
        """
        mark, missing = self._root, False
        for part in path:
            following = mark.inside().get(part)
            if following is None:
                missing = True
                break
            mark = following
        node = mark.key if of_key or missing else mark.value
        return (1, 1) if node is None else self._spot(node)

    def _add_table(self, node: Node) -> None:
        header = next((child for child in node.named_children if child.type in KEYS), None)
        if header is None:
            return
        *outer, last = _names(header)
        mark = self._root
        for name, key in outer:
            mark = mark.child(name, key).innermost()
        mark = mark.child(*last)
        if node.type == "table_array_element":
            mark.items += 1
            mark = mark.child(mark.items - 1, node)
        mark.open_later(node)

    def _spot(self, node: Node) -> tuple[int, int]:
        if self._lines is None:
            self._lines = self._bytes.split(b"\n")
        row, column = node.start_point
        before = self._lines[row][:column].decode(errors="replace")
        return row + 1, len(before) + 1


def _open_array(mark: _Mark, node: Node) -> None:
    items = (child for child in node.named_children if child.type != "comment")
    for number, item in enumerate(items):
        inner = mark.child(number, item)
        if item.type in CONTAINERS:
            inner.open_later(item)


def _open_table(mark: _Mark, node: Node) -> None:
    for pair in node.named_children:
        if pair.type == "pair":
            _add_pair(mark, pair)


def _add_pair(mark: _Mark, pair: Node) -> None:
    parts = pair.named_children
    if len(parts) != KEY_AND_VALUE:  # the grammar stumbled over what tomllib takes
        return
    key, value = parts
    for name, node in _names(key):
        mark = mark.child(name, node)
    mark.value = value
    if value.type in CONTAINERS:
        mark.open_later(value)


def _names(key: Node) -> list[tuple[str, Node]]:
    """The parts of a key, each with its node. A dotted key leans to the left: ``(a.b).c``."""
    if key.type == "bare_key":
        return [((key.text or b"").decode(), key)]
    parts: list[Node] = []
    while key.type == "dotted_key":
        key, part = key.named_children[0], key.named_children[-1]
        parts.append(part)
    parts.append(key)
    return [(_name(part), part) for part in reversed(parts)]


def _name(part: Node) -> str:
    text = (part.text or b"").decode()
    return next(iter(tomllib.loads(f"{text} = 0"))) if part.type == "quoted_key" else text
