"""``--set a.b.c=value``: one value of a scenario, changed from the command."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldsim.scenario.faults import Fault, KeyPath, Place, key_text, plain, shown
from worldsim.scenario.guard import Budget, complaint
from worldsim.scenario.near import nearest
from worldsim.scenario.origins import Layer, Origin
from worldsim.scenario.source import odd_values

if TYPE_CHECKING:
    from collections.abc import Sequence

ORDER = 1_000_000  # options come after all files
FORM = "KEY=VALUE, such as planet.regions=6"
INDEX = re.compile(r"\[(\d{1,6})\]")
NUMBER = re.compile(r"\d{1,6}")
IDS_LISTED = 12


class Override:
    """One ``--set``: an option that gives a value.

    Args:
        text: As typed.
        number: Its place among the options, from 1.
    """

    def __init__(self, text: str, number: int) -> None:
        self.text, self.number = text, number
        self.folder = Path()
        self.parts: KeyPath = ()
        self.value: Any = None
        self.faults: list[Fault] = []

    def place(self, path: KeyPath = (), *, of_key: bool = False) -> Place:  # noqa: ARG002
        """The option itself, whatever the path: it has no lines."""
        name = f"--set {self.number}: {plain(self.text, 80)}"
        return Place(name, order=ORDER + self.number)

    def blame(
        self,
        key: str,
        problem: str,
        given: str | None = None,
        cure: str | None = None,
        near: str | None = None,
    ) -> None:
        """Note a fault of this option."""
        self.faults.append(Fault(self.place(), key, problem, given, cure, near))


def read_overrides(texts: Sequence[str], budget: Budget) -> list[Override]:
    """Read options with the same suspicion as files. Those with faults have no parts."""
    overrides = [Override(text, number) for number, text in enumerate(texts, start=1)]
    for override in overrides:
        _read(override, budget)
    return overrides


def apply(override: Override, layer: Layer) -> None:
    """Write the value into the layer, or note on the override why that cannot be."""
    if not override.parts:
        return
    holder: Any = layer.data
    origin = layer.origin
    path: KeyPath = ()
    for part in override.parts[:-1]:
        step = _step(override, holder, part, path)
        if step is None:
            return
        if isinstance(holder, dict) and step not in holder:
            holder[step] = {}
            origin.children[step] = Origin(override, (*path, step))
        holder, origin, path = holder[step], origin.child(step), (*path, step)
    last = _step(override, holder, override.parts[-1], path)
    if last is not None:
        holder[last] = override.value
        origin.children[last] = Origin(override, (*path, last))


def _read(override: Override, budget: Budget) -> None:
    budget.bytes_left -= len(override.text)
    refusal = complaint(override.text, budget)
    if budget.bytes_left < 0 or refusal is not None:
        override.blame("", refusal.message if refusal else "is too long")
        return
    cut = _equals_sign(override.text)
    parts = None if cut is None else key_parts(override.text[:cut].strip())
    if cut is None or parts is None:
        override.blame("", "is not an override", shown(override.text), FORM)
        return
    if parts[0] == "extends":
        override.blame("extends", "cannot be set", cure="extends in a file of your own")
        return
    if not _read_value(override, override.text[cut + 1 :].strip(), parts):
        return
    odd = odd_values({"value": override.value})
    for each in odd:
        override.blame(key_text(parts), each.problem, shown(each.value), each.cure)
    override.parts = () if odd else parts


def _read_value(override: Override, text: str, parts: KeyPath) -> bool:
    """Take the value as TOML, else as bare text; text that began as TOML must end as it."""
    try:
        parsed = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        parsed = {}
    if set(parsed) == {"value"}:
        override.value = parsed["value"]
        return True
    if not text or text[0] in "\"'[{" or "\n" in text:
        cure = 'a TOML value, such as 6, "text", [1, 2] or {a = 1}'
        override.blame(key_text(parts), "has a value that is not TOML", shown(text), cure)
        return False
    override.value = text
    return True


def _equals_sign(text: str) -> int | None:
    """Where the first equals sign outside quotation marks stands."""
    quote = ""
    for at, mark in enumerate(text):
        if quote:
            quote = "" if mark == quote else quote
        elif mark in "\"'":
            quote = mark
        elif mark == "=":
            return at
    return None


def key_parts(text: str) -> KeyPath | None:
    """The parts of a dotted key; ``a[0].b`` is read as ``a.0.b``."""
    dotted = INDEX.sub(r".\1", text)
    try:
        table: Any = tomllib.loads(f"{dotted} = 0")
    except (ValueError, RecursionError):
        return None
    parts: list[str] = []
    while isinstance(table, dict) and len(table) == 1:
        ((name, table),) = table.items()
        parts.append(name)
    return tuple(parts) if parts and table == 0 else None


def item_at(holder: list[Any], part: str | int) -> int | None:
    """The index of the item of a list that a step of a key means: by its id, or by its number."""
    ids = _ids(holder)
    if part in ids:
        return ids.index(part)
    if isinstance(part, str) and NUMBER.fullmatch(part) and int(part) < len(holder):
        return int(part)
    return None


def _ids(holder: list[Any]) -> list[Any]:
    return [item.get("id") if isinstance(item, dict) else None for item in holder]


def _step(override: Override, holder: Any, part: str | int, path: KeyPath) -> str | int | None:
    """The key or index a part means in a table or list; None, with a fault, if there is none."""
    if isinstance(holder, dict):
        return part
    here = key_text(path)
    if not isinstance(holder, list):
        override.blame(here, "has nothing inside that could be set", shown(holder), "a table")
        return None
    at = item_at(holder, part)
    if at is not None:
        return at
    known = [str(each) for each in _ids(holder) if each is not None]
    cure = f"a number below {len(holder)}" if holder else "an item that is there: the list is empty"
    if known:
        cure += f", or an id: {', '.join(plain(each) for each in known[:IDS_LISTED])}"
    override.blame(here, "has no such item", shown(part), cure, nearest(part, known))
    return None
