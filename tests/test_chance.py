"""Keyed streams: what they depend on, that they are uniform, and what is promised for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from hashlib import blake2b
from itertools import combinations, islice
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldsim import chance as module
from worldsim.chance import DEFAULT_WIDTH, FIRST_FETCH, NEXT_FETCH, WIDTH, WORDS_A_BLOCK, Chance

PURPOSES = [*WIDTH, "person", "spread"]  # with and without streams that are kept ready
FIRST = 0.1671614730811295

seeds = st.integers(0, 2**63 - 1)
purposes = st.sampled_from(PURPOSES)
entities = st.text(max_size=12)
days = st.integers(0, 4000)


def too_uneven(counts: list[int]) -> bool:
    """Whether a chi-square of equal cells lies more than 4 standard errors above its mean."""
    mean, free = sum(counts) / len(counts), len(counts) - 1
    statistic: float = sum((each - mean) ** 2 / mean for each in counts)
    return statistic > free + 4 * sqrt(2 * free)


def some(chance: Chance, purpose: str, entity: str, day: int, nth: int = 0) -> list[float]:
    """Enough of a stream to have gone on in a further page."""
    return list(islice(chance.at(purpose, entity, day, nth), 150))


@given(seed=seeds, purpose=purposes, entity=entities, day=days, nth=st.integers(0, 3))
def test_the_same_words_give_the_same_floats_whatever_was_asked_before(
    seed: int, purpose: str, entity: str, day: int, nth: int
) -> None:
    asked = Chance(seed)
    some(asked, purpose, entity, day + 1)
    some(asked, "gather", "someone else", day)
    assert some(asked, purpose, entity, day, nth) == some(Chance(seed), purpose, entity, day, nth)
    assert all(0 <= each < 1 for each in some(asked, purpose, entity, day, nth))


@given(seed=seeds, purpose=purposes, entity=entities, day=days)
def test_any_other_word_gives_other_floats(seed: int, purpose: str, entity: str, day: int) -> None:
    chance = Chance(seed)
    mine = set(some(chance, purpose, entity, day))
    others = [
        some(chance, "gather" if purpose != "gather" else "travel", entity, day),
        some(chance, purpose, entity + "x", day),
        some(chance, purpose, entity, day + 1),
        some(chance, purpose, entity, day, 1),
        some(chance, purpose, entity, day, 2),
        some(Chance(seed + 1), purpose, entity, day),
    ]
    for other in others:
        assert not mine & set(other)


def test_words_that_join_to_the_same_text_are_kept_apart() -> None:
    chance = Chance(1)
    assert some(chance, "gather", "x", 1) != some(chance, "gathe", "rx", 1)
    assert some(Chance(1), "1gather", "x", 1) != some(Chance(11), "gather", "x", 1)


@pytest.mark.parametrize("purpose", PURPOSES)
def test_pages_of_many_days_and_occasions_never_meet(purpose: str) -> None:
    chance = Chance(5)
    streams = [
        some(chance, purpose, "t", day, nth) for day in (0, 1, 2, 7, 63, 64) for nth in range(3)
    ]
    floats = [each for stream in streams for each in stream]
    assert len(set(floats)) == len(floats)


def test_a_stream_read_long_is_the_one_read_short() -> None:
    long = some(Chance(5), "order", "t", 9)
    assert list(islice(Chance(5).at("order", "t", 9), 3)) == long[:3]
    assert len(set(long)) == 150 > WIDTH["order"]


@settings(max_examples=50)
@given(seed=seeds, purpose=st.sampled_from(sorted(WIDTH)), entity=entities, day=days)
def test_the_first_float_alone_is_that_of_the_stream(
    seed: int, purpose: str, entity: str, day: int
) -> None:
    chance = Chance(seed)
    assert chance.first(purpose, entity, day) == next(Chance(seed).at(purpose, entity, day))
    assert chance.first(purpose, entity, day) == next(chance.at(purpose, entity, day))


def test_first_floats_of_many_are_those_of_each_whoever_comes_and_goes() -> None:
    chance = Chance(5)
    crowds = [["a", "b"], ["a", "b"], ["a", "new", "b"], ["a", "b"], ["b"], []]
    for day, crowd in enumerate(crowds * 30):
        alone = [next(Chance(5).at("order", each, day)) for each in crowd]
        assert chance.firsts("order", crowd, day) == alone
    assert chance.firsts("order", ["a", "b"], 3) == [chance.first("order", e, 3) for e in "ab"]


def test_two_streams_read_in_turn_do_not_disturb_each_other() -> None:
    chance = Chance(8)
    one, two = chance.at("order", "a", 1), chance.at("order", "b", 1)
    mixed = [(next(one), next(two)) for _ in range(60)]
    assert [a for a, _ in mixed] == list(islice(Chance(8).at("order", "a", 1), 60))
    assert [b for _, b in mixed] == list(islice(Chance(8).at("order", "b", 1), 60))


def test_a_cache_with_room_for_two_gives_the_same_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [("travel", f"t{i % 7}", day) for day in range(1, 40) for i in range(7)]
    roomy = [some(Chance(3), *words)[:5] for words in asked]
    monkeypatch.setattr(module, "MOST_KEPT", 2)
    tight = Chance(3)
    assert [some(tight, *words)[:5] for words in asked] == roomy
    assert [tight.first(*words) for words in asked] == [each[0] for each in roomy]
    assert sum(len(shelf.kept) for shelf in tight._shelves.values()) <= 2


@pytest.mark.parametrize("width", [*WIDTH.values(), DEFAULT_WIDTH])
def test_widths_fill_whole_blocks_and_fetches(width: int) -> None:
    assert width % WORDS_A_BLOCK == 0
    assert FIRST_FETCH % width == NEXT_FETCH % width == 0


@pytest.mark.parametrize("purpose", ["gather", "person"])
def test_floats_are_uniform_over_days_and_entities(purpose: str) -> None:
    chance = Chance(17)
    drawn = [
        value
        for entity in range(40)
        for day in range(25)
        for value in islice(chance.at(purpose, f"t{entity}", day), 20)
    ]
    cells = np.bincount((np.array(drawn) * 100).astype(int), minlength=100)
    assert not too_uneven(cells.tolist())


def test_neighbouring_streams_are_uncorrelated() -> None:
    chance = Chance(17)
    firsts = {
        name: [chance.first("order", name, day) for day in range(4000)] for name in ("a", "b", "c")
    }
    for one, two in combinations(firsts.values(), 2):
        assert abs(np.corrcoef(one, two)[0, 1]) < 4 / 4000**0.5
    following = firsts["a"]
    assert abs(np.corrcoef(following[:-1], following[1:])[0, 1]) < 4 / 4000**0.5


def test_seeds_give_a_uniform_first_float() -> None:
    cells = Counter(int(Chance(seed).first("order", "t", 1) * 20) for seed in range(4000))
    assert not too_uneven([cells[i] for i in range(20)])


def test_a_seed_means_the_same_for_ever() -> None:
    assert Chance(1).first("order", "alpha/one", 1) == FIRST
    assert next(Chance(1).at("order", "alpha/one", 1)) == FIRST


@pytest.mark.parametrize(("purpose", "day"), [("order", 1), ("gather", 9), ("survival", 700)])
def test_floats_are_53_bits_of_the_words_of_a_counted_philox(purpose: str, day: int) -> None:
    key = blake2b(f"42\x1f{purpose}\x1fa/b".encode(), digest_size=16).digest()
    philox = np.random.Philox(
        key=np.frombuffer(key, dtype="<u8"), counter=(day * WIDTH[purpose] // 4, 0, 0, 0)
    )
    words = [int(word) for word in philox.random_raw(WIDTH[purpose])]
    expected = [(word >> 11) * 2.0**-53 for word in words]
    assert list(islice(Chance(42).at(purpose, "a/b", day), WIDTH[purpose])) == expected


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_streams_do_not_depend_on_the_hash_seed_of_a_process(hash_seed: str) -> None:
    code = "from worldsim.chance import Chance; print(Chance(1).first('order', 'alpha/one', 1))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )  # fmt: skip
    assert float(done.stdout) == FIRST


def test_a_negative_or_huge_seed_is_a_seed_like_any_other() -> None:
    firsts = {Chance(seed).first("order", "t", 1) for seed in (-1, 0, 1, 2**63, 2**200)}
    assert len(firsts) == 5
