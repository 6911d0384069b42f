"""Faces found by counting, against those found by trying them all; and the rolls that keep them."""

from __future__ import annotations

import pickle
from itertools import count, product
from math import nextafter, prod
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.rules.dice import Dice, Pool, RecordedDice
from worldsim.rules.faces import (
    cut_points,
    faces_of_test,
    faces_of_total,
    parse_pool,
    success_counts,
    sum_counts,
    write_pool,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Faces = tuple[int, ...]

SMALL = [(0, 4), (0, 20), (1, 0), (2, 0), (3, 0), (1, 6), (2, 8), (3, 4), (3, 12), (2, 20)]
LARGEST_DRAW = 1 - 2**-53


def all_faces(pool: Pool) -> list[Faces]:
    sides = [6] * pool[0] + ([pool[1]] if pool[1] else [])
    return list(product(*(range(1, most + 1) for most in sides)))


def judged(pool: Pool, faces: Faces, difficulty: int) -> int:
    """Successes by the words of the rule, die by die."""
    if difficulty <= 6:
        return sum(face >= difficulty for face in faces)
    extra = faces[-1] if pool[1] else 0
    if extra >= difficulty:
        return 1 + faces[:-1].count(6) // 2
    return faces.count(6) // 2


def in_the_middle(vectors: list[Faces], ask: Callable[[float], Faces]) -> list[Faces]:
    """What the draws from the middle of each vector's share point at."""
    return [ask((index + 0.5) / len(vectors)) for index in range(len(vectors))]


@pytest.mark.rule("DICE-5")
@pytest.mark.rule("DICE-6")
@pytest.mark.parametrize("difficulty", [1, 2, 4, 6, 7, 8, 13, 21])
@pytest.mark.parametrize("pool", SMALL)
def test_draws_point_at_all_vectors_in_order_of_successes_then_faces(
    pool: Pool, difficulty: int
) -> None:
    expected = sorted(all_faces(pool), key=lambda faces: (judged(pool, faces, difficulty), *faces))
    found = in_the_middle(expected, lambda draw: faces_of_test(pool, difficulty, draw))
    assert found == expected


@pytest.mark.rule("DICE-8")
@pytest.mark.parametrize("pool", SMALL)
def test_draws_point_at_all_vectors_in_order_of_sum_then_faces(pool: Pool) -> None:
    expected = sorted(all_faces(pool), key=lambda faces: (sum(faces), *faces))
    assert in_the_middle(expected, lambda draw: faces_of_total(pool, draw)) == expected


def around(cuts: list[float]) -> list[float]:
    """Each cut with its two neighbours among the floats, and the ends of [0, 1)."""
    near = [edge for cut in cuts for edge in (nextafter(cut, 0), cut, nextafter(cut, 1))]
    return [0.0, *(draw for draw in near if 0 <= draw < 1), LARGEST_DRAW]


@pytest.mark.rule("DICE-5")
@pytest.mark.rule("DICE-6")
@pytest.mark.parametrize("pool", [(1, 0), (0, 4), (3, 0), (4, 8), (7, 20), (9, 6), (40, 0)])
def test_faces_have_the_successes_of_the_test_at_every_edge(pool: Pool) -> None:
    for difficulty in range(1, 10):
        for draw in around(cut_points(success_counts(pool, difficulty))):
            faces = faces_of_test(pool, difficulty, draw)
            successes = Dice(iter([draw])).test("DICE-5", pool, difficulty)
            assert judged(pool, faces, difficulty) == successes, (difficulty, draw)


@pytest.mark.rule("DICE-8")
@pytest.mark.parametrize("pool", [(1, 0), (0, 4), (3, 0), (4, 8), (7, 20), (30, 0)])
def test_faces_have_the_sum_of_the_total_at_every_edge(pool: Pool) -> None:
    for draw in around(cut_points(sum_counts(pool))):
        assert sum(faces_of_total(pool, draw)) == Dice(iter([draw])).total("DICE-8", pool), draw


pools = st.tuples(st.integers(0, 9), st.sampled_from([0, 4, 6, 8, 10, 12, 20])).filter(any)
draws = st.integers(0, 2**53 - 1).map(lambda word: word * 2.0**-53)


@given(pool=pools, difficulty=st.integers(-3, 25), draw=draws)
def test_any_draw_stands_for_dice_that_could_lie_there(
    pool: Pool, difficulty: int, draw: float
) -> None:
    dice = RecordedDice(iter([draw, draw]))
    successes = dice.test("DICE-5", pool, difficulty)
    total = dice.total("DICE-8", pool)
    sides = [6] * pool[0] + ([pool[1]] if pool[1] else [])
    for roll in dice.rolls:
        assert len(roll.faces) == len(sides)
        assert all(1 <= face <= most for face, most in zip(roll.faces, sides, strict=True))
    assert judged(pool, dice.rolls[0].faces, difficulty) == successes
    assert sum(dice.rolls[1].faces) == total


@given(pool=pools, difficulty=st.integers(-3, 25))
def test_counts_add_up_to_all_vectors(pool: Pool, difficulty: int) -> None:
    vectors = prod([6] * pool[0] + [max(1, pool[1])])
    assert sum(success_counts(pool, difficulty)) == vectors
    assert sum(sum_counts(pool)) == vectors


def test_cuts_are_the_exact_shares_rounded_once() -> None:
    assert cut_points([1, 1, 1]) == [1 / 3, 2 / 3]
    # Adding 1/10 up ten times in floats would drift; whole numbers do not.
    assert cut_points([1] * 10) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert cut_points([0, 0, 5]) == [0.0, 0.0]


@pytest.mark.parametrize("faces", [lambda: faces_of_test((0, 0), 4, 0.5),
                                   lambda: faces_of_total((-1, 4), 0.5)])  # fmt: skip
def test_there_are_no_faces_without_dice(faces: Callable[[], Faces]) -> None:
    with pytest.raises(ValueError, match="a pool is"):
        faces()


@pytest.mark.parametrize(
    ("text", "pool"),
    [
        ("3d6+d8", (3, 8)), ("d4", (0, 4)), ("2d6", (2, 0)), ("2d6+d4", (2, 4)),
        ("4d6+1d20", (4, 20)), (" 4d6 + 1d20\n", (4, 20)), ("3D6+D8", (3, 8)), ("1d6", (1, 0)),
        ("d6+d6", (1, 6)), ("d6", (0, 6)), ("1d20", (0, 20)), ("200d6", (200, 0)),
    ],
)  # fmt: skip
def test_a_pool_is_read_as_people_write_it(text: str, pool: Pool) -> None:
    assert parse_pool(text) == pool


@given(pool=pools)
def test_a_written_pool_reads_back_as_itself(pool: Pool) -> None:
    assert parse_pool(write_pool(pool)) == pool


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "'' is not a pool"), ("banana", "a pool looks like"), ("3d6+", "'' should be one of"),
        ("2d8", "'2d8' should be a number of d6"), ("d7", "'d7' should be one of d4, d6, d8"),
        ("0d6", "'0d6' should be a number of d6"), ("-1d6", "'-1d6' should be"),
        ("3d6+2d8", "'2d8' should be one of"), ("3d6+d8+d8", "more than one extra die"),
        ("9999d6", "at most 500"), ("3d6-d8", "'3d6-d8' should be"), ("3.5d6", "'3.5d6' should"),
        ("d8+3d6", "'d8' should be a number of d6"), ("٣d6", "should be a number of d6"),
    ],
)  # fmt: skip
def test_what_is_no_pool_is_refused_with_what_one_looks_like(text: str, fault: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 -- the message is looked at below
        parse_pool(text)
    assert fault in str(refused.value)
    assert repr(text) in str(refused.value) or not text


def test_no_die_at_all_cannot_be_written() -> None:
    with pytest.raises(ValueError, match=r"not \(0, 0\)"):
        write_pool((0, 0))


def test_a_roll_can_be_sent_to_another_process() -> None:
    dice = RecordedDice(iter([0.4]))
    dice.test("DICE-5", (2, 8), 4)
    assert pickle.loads(pickle.dumps(dice.rolls)) == dice.rolls  # noqa: S301 -- our own bytes


# --- recorded dice --------------------------------------------------------------------------------


def spread_draws() -> Iterator[float]:
    """An endless stream without a short cycle."""
    return ((0.37 + 0.618033988749895 * index) % 1 for index in count())


def play(dice: Dice) -> list[object]:
    """A game that asks for everything dice can do."""
    results: list[object] = []
    for difficulty in range(2, 10):
        for pool in [(2, 0), (4, 8), (0, 4), (20, 0)]:
            results.append(dice.test("DICE-5", pool, difficulty))
            results.append(dice.total("DICE-8", pool))
        results.append(dice.happens("X", 0.4))
        results.append(dice.pick("X", 9))
        results.append(dice.order("X", 4))
    return results


def test_recorded_dice_give_what_plain_dice_give() -> None:
    plain_stream, recorded_stream = spread_draws(), spread_draws()
    recorded = RecordedDice(recorded_stream)
    assert play(recorded) == play(Dice(plain_stream))
    assert next(recorded_stream) == next(plain_stream)
    assert len(recorded.rolls) == 8 * 11


@pytest.mark.rule("DICE-5")
def test_a_recorded_test_says_what_was_rolled_and_why() -> None:
    dice = RecordedDice(iter([0.0, 0.999]))
    dice.made_of = {"base": 4, "rain": 1}
    dice.test("GATH-4", (3, 8), 5)
    dice.test("GATH-4", (3, 8), 4)
    first, second = dice.rolls
    assert (first.rule, first.how, first.pool, first.difficulty) == ("GATH-4", "test", "3d6+d8", 5)
    assert (first.draw, first.faces, first.result) == (0.0, (1, 1, 1, 1), 0)
    assert first.made_of == {"base": 4, "rain": 1}
    assert (second.draw, second.faces[:3], second.result) == (0.999, (6, 6, 6), 4)
    assert second.made_of == {}
    assert dice.made_of is None


def test_what_a_difficulty_is_made_of_waits_for_the_next_test() -> None:
    dice = RecordedDice(iter([0.5] * 3))
    dice.made_of = {"base": 4}
    dice.happens("X", 0.5)
    dice.total("X", (2, 0))
    dice.test("X", (2, 0), 4)
    assert [roll.made_of for roll in dice.rolls] == [{}, {}, {"base": 4}]


def test_every_kind_of_roll_is_recorded_readably() -> None:
    dice = RecordedDice(iter([0.5, 0.2, 0.3, 0.9, 0.1, 0.4]))
    dice.total("A", (2, 0))
    dice.happens("B", 0.25)
    dice.pick("C", 10)
    dice.order("D", 3)
    seen = [(roll.rule, roll.how, roll.pool, roll.draw, roll.result) for roll in dice.rolls]
    assert seen == [
        ("A", "total", "2d6", 0.5, 7),
        ("B", "chance", "p=0.25", 0.2, 1),
        ("C", "pick", "1 of 10", 0.3, 3),
        ("D", "order", "all of 3", 0.9, 3),
    ]
    assert sum(dice.rolls[0].faces) == 7
    assert dice.rolls[3].faces == (1, 2, 0)


def test_only_recorded_dice_say_that_they_record() -> None:
    assert not Dice(spread_draws()).recording
    assert RecordedDice(spread_draws()).recording
