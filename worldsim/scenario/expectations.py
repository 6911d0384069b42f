"""What would be right at a key, in plain words, read from the JSON Schema of the model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from worldsim.scenario.faults import KeyPath, plain, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import BaseModel

Node = dict[str, Any]

CHOICES_LISTED = 20
PATTERNS = {
    r"^[a-z][a-z0-9_]{0,39}$": (
        "1 to 40 small letters, digits and underscores, beginning with a letter"
    ),
    r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]+$": "text on one line, without control characters",
    r"^[a-z][a-z0-9_]{0,39}/[a-z0-9][a-z0-9_]{0,39}$": 'a sector as "region/sector", like "r1/s2"',
}
SIMPLE = {"boolean": "true or false", "object": "a table"}


class Expectations:
    """The shape a model asks of plain data.

    Args:
        model: The outermost model.
    """

    def __init__(self, model: type[BaseModel]) -> None:
        self._schema = model.model_json_schema(by_alias=True)

    def at(self, path: KeyPath, data: Any) -> list[Node]:
        """The shapes allowed at a path, with unions told apart by the data where they can be."""
        nodes = self._resolved(self._schema, data)
        for part in path:
            data = _inside(data, part)
            inner = [found for node in nodes if (found := _child(node, part)) is not None]
            nodes = [each for node in inner for each in self._resolved(node, data)]
        return nodes

    def keys(self, path: KeyPath, data: Any) -> list[str]:
        """The names of the keys that the table at a path may have, as far as they are fixed."""
        names: dict[str, None] = {}
        for node in self.at(path, data):
            names.update(dict.fromkeys(node.get("properties", ())))
            names.update(dict.fromkeys(self._key_node(node).get("enum", ())))
        return list(names)

    def key_words(self, path: KeyPath, data: Any) -> str:
        """What a key of the table at a path may be called."""
        return words(self._key_node(node) for node in self.at(path, data))

    def _key_node(self, node: Node) -> Node:
        names: Node = node.get("propertyNames", {})
        if "$ref" in names:
            names = self._referred(names)
        pattern = next(iter(node.get("patternProperties", ())), None)
        return names or ({"type": "string", "pattern": pattern} if pattern else {})

    def _referred(self, node: Node) -> Node:
        name = str(node["$ref"]).rpartition("/")[2]
        found: Node = self._schema["$defs"][name]
        return found

    def _resolved(self, node: Node, data: Any) -> list[Node]:
        if "$ref" in node:
            return self._resolved(self._referred(node), data)
        tag = node.get("discriminator")
        if tag is not None and isinstance(data, dict):
            given = data.get(tag["propertyName"])
            chosen = tag["mapping"].get(given) if isinstance(given, str) else None
            if chosen is not None:
                return self._resolved({"$ref": chosen}, data)
        branches = node.get("anyOf") or node.get("oneOf")
        if branches is None:
            return [node]
        return [each for branch in branches for each in self._resolved(branch, data)]


def choices(nodes: Iterable[Node]) -> list[Any]:
    """The values that may be chosen from, where there is a choice."""
    found: list[Any] = []
    for node in nodes:
        found.extend(node.get("enum", ()))
        if "const" in node:
            found.append(node["const"])
    return found


def words(nodes: Iterable[Node]) -> str:
    """Plain words for what may stand in a place: ``a whole number from 1 to 2000``."""
    known = list(nodes)
    listed = dict.fromkeys(shown(each) for each in choices(known))
    others = [node for node in known if not choices([node]) and node.get("type") != "null"]
    said = list(dict.fromkeys(_words(node) for node in others))
    if listed:
        names = ", ".join(list(listed)[:CHOICES_LISTED])
        said.append(names if len(listed) == 1 else f"one of: {names}")
    return " or ".join(said)


def _words(node: Node) -> str:
    kind = node.get("type")
    if kind in ("integer", "number"):
        return f"{'a whole number' if kind == 'integer' else 'a number'}{_range(node)}"
    if kind == "string":
        return _text(node)
    if kind == "array":
        return _list(node)
    return SIMPLE.get(str(kind), "another value")


def _range(node: Node) -> str:
    low, high = node.get("minimum"), node.get("maximum")
    above, below = node.get("exclusiveMinimum"), node.get("exclusiveMaximum")
    if node["type"] == "integer":
        low, above = (above + 1, None) if above is not None else (low, None)
        high, below = (below - 1, None) if below is not None else (high, None)
    if low is not None and high is not None:
        return f" from {_number(low)} to {_number(high)}"
    bounds = (("at least", low), ("at most", high), ("above", above), ("below", below))
    said = [f"{word} {_number(bound)}" for word, bound in bounds if bound is not None]
    return " " + " and ".join(said) if said else ""


def _number(bound: Any) -> str:
    return str(int(bound)) if isinstance(bound, float) and bound.is_integer() else str(bound)


def _text(node: Node) -> str:
    pattern = node.get("pattern")
    if pattern is not None:
        return PATTERNS.get(pattern, f"text of the form {plain(pattern)}")
    low, high = node.get("minLength"), node.get("maxLength")
    if low and high:
        return f"text of {low} to {high} characters"
    return f"text of at most {high} characters" if high else "text"


def _list(node: Node) -> str:
    low, high = node.get("minItems"), node.get("maxItems")
    if low is not None and low == high:
        return f"a list of {low}"
    return f"a list of at least {low}" if low else "a list"


def _child(node: Node, part: str | int) -> Node | None:
    found: Any = None
    if isinstance(part, int):
        prefix = node.get("prefixItems", ())
        found = prefix[part] if part < len(prefix) else node.get("items")
    elif part in node.get("properties", {}):
        found = node["properties"][part]
    else:
        patterns = node.get("patternProperties", {})
        fitting = (inner for pattern, inner in patterns.items() if re.search(pattern, part))
        found = next(fitting, None) or node.get("additionalProperties")
    return found if isinstance(found, dict) else None


def _inside(data: Any, part: str | int) -> Any:
    if isinstance(data, dict):
        return data.get(part)
    if isinstance(data, list | tuple) and isinstance(part, int) and part < len(data):
        return data[part]
    return None
