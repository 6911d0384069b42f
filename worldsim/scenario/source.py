"""One file of a scenario, read with suspicion: guards first, then TOML, then odd values."""

from __future__ import annotations

import datetime as dt
import math
import os
import re
import stat
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from worldsim.scenario.faults import Fault, KeyPath, Place, key_text, plain, shown
from worldsim.scenario.guard import (
    CONTROL,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_WORD,
    Budget,
    complaint,
    enclosed_complaint,
)

if TYPE_CHECKING:
    from pathlib import Path

    from worldsim.scenario.positions import Positions

LARGEST = 2**63 - 1
MOST_ODD = 200  # odd values of one file that are told
KINDS = (
    (stat.S_ISDIR, "is a folder"),
    (stat.S_ISFIFO, "is a pipe"),
    (stat.S_ISSOCK, "is a socket"),
    (stat.S_ISCHR, "is a device"),
    (stat.S_ISBLK, "is a device"),
)
TOML_SPOT = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)
TOML_CURES = {
    "Cannot overwrite a value": "this key stands here a second time",
    "Cannot declare": "this table stands here a second time",
}


class Source:
    """A file or text of a scenario.

    Args:
        shown: Its name for people.
        folder: Where relative names in it start.
        text: Its text, which has parsed.
        order: Its number in the order of reading.
    """

    def __init__(self, shown: str, folder: Path, text: str, order: int) -> None:
        self.shown, self.folder, self.text, self.order = shown, folder, text, order
        self._positions: Positions | None = None

    def place(self, path: KeyPath, *, of_key: bool = False) -> Place:
        """Where a key or its value stands."""
        from worldsim.scenario.positions import Positions  # noqa: PLC0415 - only for faults

        if self._positions is None:
            self._positions = Positions(self.text)
        line, column = self._positions.find(path, of_key=of_key)
        return Place(self.shown, line, column, self.order)


class Parsed(NamedTuple):
    """What became of one source.

    Attributes:
        source: None when the text does not parse.
        data: The tables; what is nested too deeply is taken out.
        faults: What is wrong with it.
    """

    source: Source | None
    data: dict[str, Any]
    faults: list[Fault]


def read_file(path: Path, budget: Budget, order: int) -> Parsed:
    """Read and parse one file."""
    name = plain(str(path), 200)
    raw, problem = _bytes_of(path, budget)
    if raw is None:
        return _refused(name, order, problem, "a TOML file")
    budget.bytes_left -= len(raw)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        place = Place(name, line, order=order)
        return _refused_at(place, "is not UTF-8 text", "plain text saved as UTF-8")
    return parse(text, name, path.parent, budget, order)


def read_enclosed(path: Path, budget: Budget) -> tuple[str | None, str]:
    """A file that the scenario keeps as text, its lines ended by newlines, else what is wrong."""
    raw, problem = _bytes_of(path, budget)
    if raw is None:
        return None, problem
    budget.bytes_left -= len(raw)
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None, "is not UTF-8 text"
    refusal = enclosed_complaint(text, budget)
    return (text, "") if refusal is None else (None, refusal)


def parse(text: str, name: str, folder: Path, budget: Budget, order: int) -> Parsed:
    """Parse a text that has been read, after looking at what it would cost."""
    found = complaint(text, budget)
    if found is not None:
        place = Place(name, *_spot(text, found.offset), order)
        return _refused_at(place, found.message, None)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        place, problem = _syntax(str(error), name, order)
        return _refused_at(place, problem, None)
    source = Source(name, folder, text, order)
    faults = [
        Fault(
            source.place(odd.path, of_key=odd.of_key),
            key_text(odd.path),
            odd.problem,
            shown(odd.value),
            odd.cure,
        )
        for odd in odd_values(data)
    ]
    return Parsed(source, data, faults)


class Odd(NamedTuple):
    """A value that no scenario can use, whatever its key."""

    path: KeyPath
    value: Any
    problem: str
    cure: str
    of_key: bool = False


def odd_values(data: dict[str, Any]) -> list[Odd]:
    """Numbers that are not finite or too large, dates, control characters, deep tables.

    Tables and lists that are nested too deeply are emptied, so that nothing after this can be
    brought to recurse further than ``MAX_DEPTH``.
    """
    found: list[Odd] = []
    pending: list[tuple[KeyPath, Any]] = [((), data)]
    while pending:
        path, value = pending.pop()
        odd = _odd(path, value) if len(found) < MOST_ODD else None
        if odd is not None:
            found.append(odd)
        if len(path) > MAX_DEPTH and isinstance(value, dict | list):
            value.clear()
        elif isinstance(value, dict):
            pending.extend(((*path, name), inner) for name, inner in value.items())
        elif isinstance(value, list):
            pending.extend(((*path, number), inner) for number, inner in enumerate(value))
    return found


def _odd(path: KeyPath, value: Any) -> Odd | None:
    key = path[-1] if path else ""
    if isinstance(key, str) and (len(key) > MAX_WORD or CONTROL.search(key) or "\n" in key):
        cure = f"a key of at most {MAX_WORD} characters, none of them a control character"
        return Odd(path, value, "is not usable as a key", cure, of_key=True)
    if len(path) > MAX_DEPTH and isinstance(value, dict | list):
        return Odd(path, value, "is nested too deeply", f"at most {MAX_DEPTH} levels", of_key=True)
    reason: tuple[str, str] | None = None
    match value:
        case float() if not math.isfinite(value):
            reason = "is not a finite number", "a finite number"
        case int() if abs(value) > LARGEST:
            reason = "is too large a number", f"a number up to {LARGEST}"
        case dt.date() | dt.time():
            reason = "is a date or time", "a number, or text in quotation marks"
        case str() if CONTROL.search(value):
            reason = "holds a control character", "plain text"
    return None if reason is None else Odd(path, value, *reason)


def _bytes_of(path: Path, budget: Budget) -> tuple[bytes | None, str]:
    """The content of a regular file no larger than the budget, else what is wrong."""
    try:
        mode = path.stat().st_mode
        for is_kind, problem in KINDS:
            if is_kind(mode):
                return None, f"{problem}, not a file"
        with path.open("rb") as file:
            raw = file.read(max(budget.bytes_left, 0) + 1)
            size = os.fstat(file.fileno()).st_size
    except (OSError, ValueError) as error:
        return None, f"cannot be read: {plain(getattr(error, 'strerror', None) or str(error))}"
    if len(raw) > budget.bytes_left:
        limit = f"a scenario and its files may have {MAX_BYTES} together"
        return None, f"is too large: {max(size, len(raw))} bytes, and {limit}"
    return raw, ""


def _spot(text: str, offset: int | None) -> tuple[int | None, int | None]:
    if offset is None:
        return None, None
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _syntax(message: str, name: str, order: int) -> tuple[Place, str]:
    """Place and problem of a message of tomllib."""
    found = TOML_SPOT.fullmatch(message)
    if found is None:
        return Place(name, order=order), f"is not TOML: {plain(message, 200)}"
    says, line, column = found.groups()
    says = next((cure for start, cure in TOML_CURES.items() if says.startswith(start)), says)
    if line is None:
        return Place(name, order=order), f"is not TOML: {plain(says, 200)}, at the end of the file"
    return Place(name, int(line), int(column), order), f"is not TOML: {plain(says, 200)}"


def _refused(name: str, order: int, problem: str, cure: str | None) -> Parsed:
    return _refused_at(Place(name, order=order), problem, cure)


def _refused_at(place: Place, problem: str, cure: str | None) -> Parsed:
    return Parsed(None, {}, [Fault(place, "", problem, cure=cure)])
