"""Which source each key of the layered data came from, and the layering itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.scenario.faults import KeyPath, Place


class Giver(Protocol):
    """Something that gave values: a file, a text, an option of the command."""

    folder: Path

    def place(self, path: KeyPath, *, of_key: bool = False) -> Place:
        """Where the giver says what stands at a path of its own."""


class Origin:
    """Who gave one table or value, and under which path of its own.

    What is inside came from the same giver, except for the children noted here.
    """

    __slots__ = ("children", "giver", "path")

    def __init__(self, giver: Giver, path: KeyPath = ()) -> None:
        self.giver, self.path = giver, path
        self.children: dict[str | int, Origin] = {}

    def child(self, name: str | int) -> Origin:
        """The origin of a key or item inside, noted from now on."""
        if name not in self.children:
            self.children[name] = Origin(self.giver, (*self.path, name))
        return self.children[name]

    def at(self, path: KeyPath) -> Origin:
        """The origin of a path inside, without noting anything."""
        origin = self
        for number, part in enumerate(path):
            inner = origin.children.get(part)
            if inner is None:
                return Origin(origin.giver, (*origin.path, *path[number:]))
            origin = inner
        return origin


class Origins:
    """Places of the keys of a scenario, worked out when asked for.

    Args:
        root: The origin of the outermost table.
    """

    def __init__(self, root: Origin) -> None:
        self.root = root

    def place(self, path: KeyPath, *, of_key: bool = False) -> Place:
        """Where a value (or its key) was given: ``file:line:column`` or the option."""
        origin = self.root.at(path)
        return origin.giver.place(origin.path, of_key=of_key)

    def folder(self, path: KeyPath) -> Path:
        """The folder in which a file named at a path is looked for."""
        return self.root.at(path).giver.folder


class Layer:
    """Tables and where they came from, which change together.

    Args:
        data: The outermost table. It is taken over, not copied.
        origin: Its origin.
    """

    __slots__ = ("data", "origin")

    def __init__(self, data: dict[str, Any], origin: Origin) -> None:
        self.data, self.origin = data, origin

    def cover(self, upper: Layer) -> None:
        """Lay another layer on this one: tables merge, everything else is replaced."""
        _cover(self.data, self.origin, upper.data, upper.origin)

    def underlay(self, lower: Layer) -> None:
        """Lay this one on another; outermost arrays of tables are joined, the lower one first."""
        for name, items in lower.data.items():
            own = self.data.get(name)
            if _is_tables(items) and _is_tables(own):
                joined = Origin(self.origin.child(name).giver, self.origin.child(name).path)
                parts = ((lower.origin.child(name), items), (self.origin.child(name), own))
                givers = [each.child(nth) for each, part in parts for nth in range(len(part))]
                joined.children = dict(enumerate(givers))
                self.data[name] = [*items, *own]
                self.origin.children[name] = joined
        upper = Layer(self.data, self.origin)
        self.data, self.origin = lower.data, lower.origin
        self.cover(upper)


def _is_tables(value: Any) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _cover(
    lower: dict[str, Any], lower_origin: Origin, upper: dict[str, Any], upper_origin: Origin
) -> None:
    for name in lower:
        lower_origin.child(name)
    for name, value in upper.items():
        below = lower.get(name)
        if isinstance(value, dict) and isinstance(below, dict):
            _cover(below, lower_origin.child(name), value, upper_origin.child(name))
        else:
            lower[name] = value
            lower_origin.children[name] = upper_origin.child(name)
    lower_origin.giver, lower_origin.path = upper_origin.giver, upper_origin.path
