"""Runs in memory whose log and tables are made up: each text of each kind of event is hostile."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

import msgspec
import numpy as np

import worldsim as ws
from worldsim.events.kinds import DiceRolled
from worldsim.events.schema import kinds_by_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.runs import Run

ATTACKS = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>',
    "</table></div><h1>", "<!-- -->", "javascript:alert(1)", "&lt;b&gt;", "=cmd|'/c calc'!A1",
    "+1+cmd()", "-2+3+cmd()", "@SUM(A1)", "\t=1+1", "\r=1+1", "'; DROP TABLE events; --",
    '"; DROP TABLE event; --', "a\x00b", "\x1b[31mred\x1b[0m", "\x9b2J", "\u202egnp.exe",
    "$x^2$", "%s %(x)s {0}", "../../etc/passwd", "con:nul", "null", "Ω≈ç√ 日本語 🙂",
)  # fmt: skip
AROUND = ("{}", " {} ", "x{}", "{}\n{}")
HOSTILE = tuple(
    f"{around.replace('{}', attack)}#{n}"
    for n, (around, attack) in enumerate(product(AROUND, ATTACKS))
)
"""A hundred, told apart by their numbers."""


def forged_run(names: Sequence[str] = HOSTILE) -> Run:
    """A run whose log has each kind of event once for each name, with it in every field of text."""
    run = ws.simulate(ws.load("lone_colony"), days=3)
    lines: list[bytes] = []
    seq = 0
    for name in names:
        for kind in kinds_by_name().values():
            lines.append(msgspec.json.encode(_forged(kind, name, seq)) + b"\n")
            seq += kind is not DiceRolled
    store = run._source._store  # type: ignore[attr-defined]
    store.segments[:] = [b"".join(lines)]
    for parts in store.tables.values():
        parts[:] = [_forged_part(parts[0], names)]
    return run


def _forged(kind: type[msgspec.Struct], name: str, seq: int) -> Any:
    plain = {"seq": seq, "t": seq, "day": 1, "level": "info", "cause": None, "of": seq, "n": 1}
    return kind(**{
        field.name: plain.get(field.name, _value(field.type, name))
        for field in msgspec.structs.fields(kind)
    })  # fmt: skip


def _value(told: Any, name: str) -> Any:
    """A value of a type, made of the name wherever it may be one."""
    if told in {int, float, bool}:
        return told(1)
    origin, args = get_origin(told), get_args(told)
    if origin is Literal:
        return args[0]
    if origin is list:
        return [_value(args[0], name)]
    if origin is dict:
        return {name: _value(args[1], name)}
    if args and (origin is Union or type(None) in args):
        return _value(next(each for each in args if each is not type(None)), name)
    return name


def _forged_part(part: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """A part of a table, in whose texts the names stand."""
    return {
        column: np.array(names, dtype=object)
        if values.dtype == object
        else np.resize(values, len(names))
        for column, values in part.items()
    }
