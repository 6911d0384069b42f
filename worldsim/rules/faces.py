"""Pools of dice written down, and the faces of their dice: how many there are, and which.

A law of chance is a count of face vectors, and the vector that belongs to a draw is found by
counting too, never by enumeration: a pool of 7d6 and a d20 has more than five million of them.
The counts are exact whole numbers. Nothing here is called on the hot path, so this module stays
uncompiled, and its ``Roll`` can be pickled.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from dataclasses import dataclass
from itertools import accumulate
from math import comb
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Pool = tuple[int, int]
"""How many d6, and how many sides the extra die has (0: there is none)."""

D6 = 6
EXTRA_DICE = (4, 6, 8, 10, 12, 20)
MOST_D6_WRITTEN = 500  # what a person may ask for; laws grow with the square of it

_D6_TERM = re.compile(r"([1-9][0-9]{0,99})d6")
_EXTRA_TERM = re.compile(r"1?d([0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class Roll:
    """One call of a Dice method, kept for the debug log.

    Attributes:
        rule: The id of the rule that asked.
        how: Which kind of call it was.
        pool: The dice, such as ``3d6+d8``. For ``chance`` the probability, such as ``p=0.25``;
            for ``pick`` and ``order`` what there was to choose from, such as ``1 of 7`` and
            ``all of 7``.
        difficulty: Of a test, else None.
        made_of: What the difficulty is made of, if the caller said so.
        draw: The draw it was decided by; for ``order`` the first one.
        faces: The faces of a test or a total, the extra die last; the order of ``order``.
        result: Successes, sum, 1 or 0, number picked, or how many were put in order.
    """

    rule: str
    how: Literal["test", "total", "chance", "pick", "order"]
    pool: str
    difficulty: int | None
    made_of: dict[str, int]
    draw: float
    faces: tuple[int, ...]
    result: int


def parse_pool(text: str) -> Pool:
    """Read a pool such as ``3d6+d8``, ``2d6``, ``d4`` or ``4d6 + 1d20``.

    A lone ``d6`` is an extra die without any d6 beside it, as ``write_pool`` writes it; its law is
    that of ``1d6``.

    Raises:
        ValueError: The text is no pool; the message says what one looks like.
    """
    terms = "".join(text.split()).lower().split("+")
    count = 0
    if terms == ["1d6"] or len(terms) > 1 or not _EXTRA_TERM.fullmatch(terms[0]):
        count = _read_d6(terms[0], text)
        terms = terms[1:]
    if len(terms) > 1:
        raise ValueError(f"{text!r} has more than one extra die; a pool looks like 3d6+d8")
    return count, _read_extra(terms[0], text) if terms else 0


def _read_d6(term: str, text: str) -> int:
    """The number of d6 in ``term``, where ``d6`` is one."""
    found = _D6_TERM.fullmatch("1d6" if term == "d6" else term)
    if found is None:
        raise ValueError(
            f"{text!r} is not a pool of dice: {term!r} should be a number of d6; "
            "a pool looks like 2d6, 3d6+d8 or d4"
        )
    count = int(found[1])
    if count > MOST_D6_WRITTEN:
        raise ValueError(f"{text!r} has {count} d6; at most {MOST_D6_WRITTEN} are accepted")
    return count


def _read_extra(term: str, text: str) -> int:
    """The sides of the one extra die in ``term``."""
    found = _EXTRA_TERM.fullmatch(term)
    if found is None or int(found[1]) not in EXTRA_DICE:
        dice = ", ".join(f"d{sides}" for sides in EXTRA_DICE)
        raise ValueError(f"{text!r} is not a pool of dice: {term!r} should be one of {dice}")
    return int(found[1])


def write_pool(pool: Pool) -> str:
    """The pool as text: ``3d6+d8``, ``2d6``, ``d4``. ``parse_pool`` reads it back."""
    check_pool(pool)
    count, extra = pool
    parts = [f"{count}d6"] if count else []
    if extra:
        parts.append(f"d{extra}")
    return "+".join(parts)


def check_pool(pool: Pool) -> None:
    """Refuse what is no pool of dice.

    Raises:
        ValueError: A number is negative, or there is no die at all.
    """
    count, extra = pool
    if count < 0 or extra < 0 or count + extra == 0:
        raise ValueError(f"a pool is (number of d6, sides of the extra die or 0), not {pool!r}")


def successes_of(d6_hits: int, extra_face: int, difficulty: int) -> int:
    """Successes of dice that lie on the table.

    Rule DICE-5, DICE-6 [D].

    Args:
        d6_hits: How many d6 reach the difficulty; above 6, how many show a six.
        extra_face: What the extra die shows, 0 if there is none.
        difficulty: The face to reach, from 1.
    """
    if difficulty <= D6:
        return d6_hits + (extra_face >= difficulty)
    if extra_face >= difficulty:
        return d6_hits // 2 + 1
    return (d6_hits + (extra_face == D6)) // 2


def success_counts(pool: Pool, difficulty: int) -> list[int]:
    """How many face vectors give 0, 1, 2, … successes, up to the most there can be.

    Rule DICE-5, DICE-6 [D]. Below difficulty 1 is as 1: every die succeeds.

    Raises:
        ValueError: ``pool`` is no pool.
    """
    check_pool(pool)
    count, extra = pool
    difficulty = max(1, difficulty)
    counts = [
        _completions(count, extra, difficulty, 0, successes) for successes in range(count + 2)
    ]
    while not counts[-1]:
        counts.pop()
    return counts


def _completions(left: int, extra: int, difficulty: int, hits: int, successes: int) -> int:
    """How many ways ``left`` more d6 and the extra die end at exactly ``successes``.

    Args:
        left: The d6 still to be laid down.
        extra: Sides of the extra die, or 0.
        difficulty: From 1.
        hits: The d6 already down that hit (see ``successes_of``).
        successes: The total wanted.
    """
    hitting = _hitting_faces(difficulty)
    # No other number of hits can end at this number of successes, whatever the extra die shows.
    lowest, highest = successes - 1, successes
    if difficulty > D6:
        lowest, highest = 2 * successes - 2, 2 * successes + 1
    ways = 0
    for more in range(max(0, lowest - hits), min(left, highest - hits) + 1):
        ends = _extra_faces(extra, difficulty, hits + more, successes)
        if ends:
            ways += comb(left, more) * hitting**more * (D6 - hitting) ** (left - more) * len(ends)
    return ways


def _hitting_faces(difficulty: int) -> int:
    """How many faces of a d6 hit: those that reach the difficulty, or the six alone above 6."""
    return D6 + 1 - difficulty if difficulty <= D6 else 1


def _extra_faces(extra: int, difficulty: int, hits: int, successes: int) -> list[int]:
    """The faces of the extra die that end at ``successes``; [0] stands for no such die."""
    faces = range(1, extra + 1) if extra else range(1)
    return [face for face in faces if successes_of(hits, face, difficulty) == successes]


def sum_counts(pool: Pool) -> list[int]:
    """How many face vectors give each sum, from one pip a die to the greatest sum.

    Rule DICE-8 [D]. The first entry belongs to the sum ``number of dice``.

    Raises:
        ValueError: ``pool`` is no pool.
    """
    check_pool(pool)
    return deque(_sum_tables(*pool), maxlen=1).pop()


def _sum_tables(count: int, extra: int) -> Iterator[list[int]]:
    """The counts of sums of the extra die with 0, 1, …, ``count`` d6."""
    return accumulate(range(count), lambda table, _: _with_d6(table), initial=[1] * max(1, extra))


def _with_d6(counts: list[int]) -> list[int]:
    """The counts of sums with one d6 more: each a window of six over the counts before."""
    below = list(accumulate(counts, initial=0))
    size = len(counts)
    return [below[min(index, size)] - below[max(0, index - D6)] for index in range(1, size + D6)]


def cut_points(counts: list[int]) -> list[float]:
    """Where, between 0 and 1, each outcome but the last ends: the cumulative law.

    Outcome i is that of the draws from ``cut_points[i - 1]`` up to and without ``cut_points[i]``.
    Each is the exact fraction rounded once (Python divides whole numbers correctly rounded).
    """
    total = sum(counts)
    return [below / total for below in accumulate(counts[:-1])]


def faces_of_test(pool: Pool, difficulty: int, draw: float) -> tuple[int, ...]:
    """The faces a draw stands for when ``pool`` is tested; the extra die comes last.

    All vectors are put in order by their successes, then face by face, and the draw points at one
    of them as at a place on a ruler. They have as many successes as ``Dice.test`` tells for the
    same draw, at the rounded edges too.

    Rule DICE-5, DICE-6 [D].

    Args:
        pool: The dice.
        difficulty: As it was given to the test.
        draw: In [0, 1).

    Raises:
        ValueError: ``pool`` is no pool.
    """
    counts = success_counts(pool, difficulty)
    difficulty = max(1, difficulty)
    successes, rank = _point_at(counts, draw)
    left, extra = pool
    misses = D6 - _hitting_faces(difficulty)
    hits = 0
    faces: list[int] = []
    while left:
        left -= 1
        missing = _completions(left, extra, difficulty, hits, successes)
        if rank < misses * missing:
            face, rank = divmod(rank, missing)
        else:
            hits += 1
            hitting = _completions(left, extra, difficulty, hits, successes)
            face, rank = divmod(rank - misses * missing, hitting)
            face += misses
        faces.append(face + 1)
    if extra:
        faces.append(_extra_faces(extra, difficulty, hits, successes)[rank])
    return tuple(faces)


def faces_of_total(pool: Pool, draw: float) -> tuple[int, ...]:
    """The faces a draw stands for when ``pool`` is summed; the extra die comes last.

    As ``faces_of_test``, with the vectors in order by their sum.

    Rule DICE-8 [D].

    Args:
        pool: The dice.
        draw: In [0, 1).

    Raises:
        ValueError: ``pool`` is no pool.
    """
    check_pool(pool)
    *tables, counts = _sum_tables(*pool)
    above, rank = _point_at(counts, draw)  # above: pips over one a die
    faces: list[int] = []
    for table in reversed(tables):
        for face in range(1, D6 + 1):
            ways = table[above] if 0 <= above < len(table) else 0
            if rank < ways:
                faces.append(face)
                break
            rank -= ways
            above -= 1
    if pool[1]:
        faces.append(above + 1)
    return tuple(faces)


def _point_at(counts: list[int], draw: float) -> tuple[int, int]:
    """The outcome a draw falls into, and the rank within it of the vector it points at."""
    outcome = bisect_right(cut_points(counts), draw)
    numerator, denominator = draw.as_integer_ratio()
    rank = numerator * sum(counts) // denominator - sum(counts[:outcome])
    # A cut is a rounded fraction, so a draw at the edge may point one vector beyond its outcome.
    return outcome, min(max(rank, 0), counts[outcome] - 1)
