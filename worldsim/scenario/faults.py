"""What is wrong with a scenario, and where: one `Fault` a key, all of them in one error."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from worldsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sized

KeyPath = tuple[str | int, ...]
"""Where a value stands in the data: names of tables, numbers of list items from 0."""

SHOWN_CHARACTERS = 60
ITEMS_SHOWN = 4
FAULTS_PRINTED = 50
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
INDENT = "    "


class Place(NamedTuple):
    """A spot a person can go to.

    Attributes:
        file: The file as it was named, or the option (``--set 2: planet.regions=x``).
        line: From 1; None when the whole file or an option is meant.
        column: In characters, from 1.
        order: Sorts places of different files: the order in which the sources were read.
    """

    file: str
    line: int | None = None
    column: int | None = None
    order: int = 0

    def __str__(self) -> str:
        spot = [str(number) for number in (self.line, self.column) if number is not None]
        return ":".join([self.file, *spot])


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong.

    Attributes:
        place: Where to look.
        key: The key path as text, such as ``colonies[0].teams[2].profile``; empty for a whole file.
        problem: What is wrong, such as ``is not a known key``.
        given: What stood there, shortened and safe to print; None where nothing was given.
        cure: What would be right.
        near: A name that may have been meant.
    """

    place: Place
    key: str
    problem: str
    given: str | None = None
    cure: str | None = None
    near: str | None = None

    def __str__(self) -> str:
        head = f"{self.place}: {self.key} {self.problem}" if self.key else self._whole_file()
        hints = []
        if self.given is not None:
            hints.append(f"given {self.given}")
        if self.cure is not None:
            hints.append(f"right would be {self.cure}")
        if self.near is not None:
            hints.append(f'did you mean "{self.near}"?')
        return f"{head}\n{INDENT}{'; '.join(hints)}" if hints else head

    def _whole_file(self) -> str:
        return f"{self.place}: {self.problem}"


class ScenarioError(InputError):
    """A scenario that cannot be used, with every fault that was found.

    Args:
        faults: In the order in which they are printed.
        unsaid: How many more were found but not kept.
    """

    def __init__(self, faults: tuple[Fault, ...], unsaid: int = 0) -> None:
        super().__init__(faults, unsaid)
        self.faults, self.unsaid = faults, unsaid

    def __str__(self) -> str:
        shown = [str(fault) for fault in self.faults[:FAULTS_PRINTED]]
        more = len(self.faults) - len(shown) + self.unsaid
        if more:
            shown.append(f"... and {more} more")
        return "\n".join(shown)

    def as_json(self) -> dict[str, Any]:
        """The faults as plain data, for ``--json``."""
        faults = []
        for fault in self.faults:
            fields = asdict(fault)
            place = fields.pop("place")
            faults.append(
                {"file": place.file, "line": place.line, "column": place.column, **fields}
            )
        return {"error": "scenario", "faults": faults, "more": self.unsaid}


def in_order(faults: list[Fault]) -> tuple[Fault, ...]:
    """Sort faults by source, line and column, and drop those that say the same twice."""

    def spot(fault: Fault) -> tuple[int, int, int]:
        return fault.place.order, fault.place.line or 0, fault.place.column or 0

    return tuple(dict.fromkeys(sorted(faults, key=spot)))


def plain(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """Text that cannot break a line or drive a terminal, cut at ``limit`` characters."""
    cut = text[:limit]
    safe = "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in cut
    )
    return safe if len(text) <= limit else f"{safe}..."


def shown(value: Any) -> str:
    """A value as a person would have typed it into TOML, shortened and safe to print."""
    match value:
        case bool():
            text = "true" if value else "false"
        case str():
            text = f'"{plain(value)}"'
        case list() | tuple():
            inner = ", ".join(
                "{...}" if isinstance(item, dict | list) else shown(item)
                for item in value[:ITEMS_SHOWN]
            )
            text = plain(f"[{inner}{_rest(value)}]")
        case dict():
            names = ", ".join(plain(str(name), 20) for name in list(value)[:ITEMS_SHOWN])
            text = f"a table with {names}{_rest(value)}" if value else "{}"
        case _:  # numbers, dates and times
            text = plain(str(value))
    return text


def _rest(items: Sized) -> str:
    return ", ..." if len(items) > ITEMS_SHOWN else ""


def key_text(path: KeyPath) -> str:
    """A key path as text: ``colonies[0].teams[2].profile``."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
            continue
        name = part if BARE_KEY.fullmatch(part) else f'"{plain(part)}"'
        text += f".{name}" if text else name
    return plain(text, 300)
