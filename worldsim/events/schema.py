"""What the kinds of events look like from outside: JSON Schema, a reference to read, columns.

All of it is derived from ``worldsim.events.kinds``, so it can't fall behind.
"""

from __future__ import annotations

from functools import cache
from inspect import getdoc
from typing import TYPE_CHECKING, Any, get_args

import msgspec
from msgspec import inspect

from worldsim.errors import InputError
from worldsim.events.kinds import AnyEvent, DiceRolled, Event

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind = type[Event] | type[DiceRolled]


class UnknownKindError(InputError, LookupError):
    """A name that is no kind of event."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"there is no event kind {self.name!r}; 'worldsim schema events' lists all"


@cache
def kinds_by_name() -> dict[str, Kind]:
    """Every kind of line a log may hold, by its ``event``, in the order of ``kinds.py``."""
    return {str(kind.__struct_config__.tag): kind for kind in get_args(AnyEvent)}


def events_schema() -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) that every line of a log fulfils."""
    schema = msgspec.json.schema(AnyEvent)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "One line of a worldsim event log",
    } | schema


def columns(names: Iterable[str] | None = None) -> dict[str, str]:
    """The columns of a table of events, with DuckDB's types.

    Args:
        names: Kinds to be held; all if ``None``.

    Returns:
        Type by column. Those that kinds have in common come first, then every other field in the
        order of ``kinds.py``. Amounts are ``MAP(VARCHAR, BIGINT)``: ``taken['wood']`` reads one.

    Raises:
        UnknownKindError: a name that is no kind.
        TypeError: two kinds give one field different types. No table could hold both.
    """
    known = kinds_by_name()
    wanted = set(known if names is None else names)
    for name in sorted(wanted):
        if name not in known:
            raise UnknownKindError(name)
    found = {"event": "VARCHAR"} | {f.name: _column(f.type) for f in _fields(Event)}
    for name, kind in known.items():
        if name not in wanted:
            continue
        for field in _fields(kind):
            column = _column(field.type)
            if found.setdefault(field.name, column) != column:
                message = f"{name}.{field.name} is {column}, elsewhere {found[field.name]}"
                raise TypeError(message)
    return found


def events_markdown() -> str:
    """The reference of all events, as Markdown."""
    common = "\n".join(
        f"- `{f.name}` ({_in_words(f.type)}): {_COMMON.get(f.name, '')}" for f in _fields(Event)
    )
    parts = [_HEAD + common + "\n"]
    parts += [_section(name, kind) for name, kind in kinds_by_name().items()]
    return "\n".join(parts)


_HEAD = """# Events

One JSON object a line. `event` names the kind. Every event of level info and above has:

"""
_COMMON = {
    "seq": "its number in the run, counted whether it is written or not",
    "t": "minutes since the first dawn",
    "day": "from 1; 0 is the founding",
    "level": "`info`: decisions and outcomes; `warning`: losses",
    "cause": "the `seq` of the event that led to it",
}


def _section(name: str, kind: Kind) -> str:
    own = [f for f in _fields(kind) if kind is DiceRolled or f.name not in _COMMON]
    lines = [f"## `{name}`", "", f"Level {kind.LEVEL}. {getdoc(kind)}", ""]
    lines += ["| field | type |", "| --- | --- |"]
    lines += [f"| `{f.name}` | {_in_words(f.type)} |" for f in own]
    return "\n".join(lines) + "\n"


def _fields(kind: Kind) -> tuple[inspect.Field, ...]:
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)  # noqa: S101  # kinds are structs
    return described.fields


_PLAIN: dict[type[inspect.Type], tuple[str, str]] = {
    inspect.IntType: ("BIGINT", "whole number"),
    inspect.FloatType: ("DOUBLE", "number"),
    inspect.StrType: ("VARCHAR", "text"),
    inspect.BoolType: ("BOOLEAN", "true or false"),
}


def _column(described: inspect.Type) -> str:
    if isinstance(described, inspect.UnionType):
        (present,) = (t for t in described.types if not isinstance(t, inspect.NoneType))
        return _column(present)
    if isinstance(described, inspect.LiteralType):
        return "VARCHAR"
    if isinstance(described, inspect.ListType):
        return f"{_column(described.item_type)}[]"
    if isinstance(described, inspect.DictType):
        return f"MAP({_column(described.key_type)}, {_column(described.value_type)})"
    return _PLAIN[type(described)][0]


def _in_words(described: inspect.Type) -> str:
    if isinstance(described, inspect.UnionType):
        (present,) = (t for t in described.types if not isinstance(t, inspect.NoneType))
        return f"{_in_words(present)} or null"
    if isinstance(described, inspect.LiteralType):
        return " or ".join(f"`{value}`" for value in described.values)
    if isinstance(described, inspect.ListType):
        return f"list of {_in_words(described.item_type)}"
    if isinstance(described, inspect.DictType):
        return f"{_in_words(described.value_type)} by name"
    return _PLAIN[type(described)][1]


class Stamp(msgspec.Struct, frozen=True):
    """What a line of any kind carries, for those who need no more of it."""

    event: str
    day: int
    level: str


_stamp = msgspec.json.Decoder(Stamp)


def stamp_of(line: bytes) -> Stamp:
    """Kind, day and level of a line.

    Raises:
        msgspec.DecodeError: it is no event.
    """
    return _stamp.decode(line)
