"""Rolls as lines for people."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from worldsim.views.cells import plain
from worldsim.views.words.telling import amount, signed, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Roll = Mapping[str, Any]

MOST_FACES = 20  # more are counted instead of listed


def roll_lines(rolls: Iterable[Roll]) -> list[str]:
    """One line a roll; things picked one after another from as many are one line together.

    Args:
        rolls: The rolls of one event, as decoded from the log, in their order.
    """
    lines: list[str] = []
    for (how, _, _), group in groupby(rolls, key=_likeness):
        alike = list(group)
        lines += [_picks(alike)] if how == "pick" else map(roll_line, alike)
    return lines


def roll_line(roll: Roll) -> str:
    """One roll: its rule, what was rolled against what, the faces, what came of it."""
    how, rule, pool = roll["how"], plain(roll["rule"]), plain(roll["pool"])
    match how:
        case "test":
            result = roll["result"]
            successes = amount(result, "success", "successes") if result else "no success"
            return f"{rule}: {pool} against {_difficulty(roll)}: {_faces(roll)}, {successes}"
        case "total":
            return f"{rule}: {pool}: {_faces(roll)}, {written(roll['result'])} in all"
        case "chance":
            says = "it happens" if roll["result"] else "it does not happen"
            return f"{rule}: {_percent(pool)}: {says}"
        case "order":
            order = " ".join(str(face + 1) for face in roll["faces"])
            return f"{rule}: order of {_last_word(pool)} drawn: {order}"
        case "pick":
            return _picks([roll])
        case _:
            return f"{rule}: {plain(how)} {pool}: {written(roll['result'])}"


def _likeness(roll: Roll) -> tuple[str, str, str]:
    return roll["how"], roll["rule"], roll["pool"]


def _picks(alike: Sequence[Roll]) -> str:
    first = alike[0]
    picked = " ".join(str(roll["result"] + 1) for roll in alike)
    among = f"from 1 to {_last_word(plain(first['pool']))}"
    times = f" {len(alike)} times" if len(alike) > 1 else ""
    return f"{plain(first['rule'])}: drawn{times} {among}: {picked}"


def _difficulty(roll: Roll) -> str:
    """``4 (2 step, 1 abundance, 1 fatigue)``; parts that add nothing are left out."""
    difficulty = roll["difficulty"]
    parts = {name: points for name, points in roll["made_of"].items() if points}
    total = sum(parts.values())
    if not parts or (len(parts) == 1 and total == difficulty):
        return str(difficulty)
    said = [f"{_units(points)} {plain(name)}" for name, points in parts.items()]
    if total != difficulty:
        said.append(f"{signed(difficulty - total)} to stay in bounds")
    return f"{difficulty} ({', '.join(said)})"


def _units(points: int) -> str:
    return signed(points) if points < 0 else written(points)


def _faces(roll: Roll) -> str:
    faces: list[int] = roll["faces"]
    if len(faces) <= MOST_FACES:
        return " ".join(map(str, faces))
    counts = sorted(Counter(faces).items(), reverse=True)
    return ", ".join(f"{times}\N{MULTIPLICATION SIGN}{face}" for face, times in counts)


def _percent(pool: str) -> str:
    """``p=0.0813`` as ``chance of 8.13 %``."""
    try:
        return f"chance of {float(pool.removeprefix('p=')) * 100:.3g} %"
    except ValueError:
        return pool


def _last_word(pool: str) -> str:
    """The number of ``1 of 6`` and ``all of 6``."""
    return pool.rpartition(" ")[2]
