"""Dice pools against the rulebook's examples and against icepool, an independent dice engine."""

from __future__ import annotations

from fractions import Fraction
from itertools import count, product
from typing import TYPE_CHECKING

import icepool  # type: ignore[import-untyped]  # it ships annotations but no py.typed
import pytest

from worldsim.rules.dice import (
    Dice,
    Pool,
    RecordedDice,
    clamp_difficulty,
    pool_of,
    score_law,
    success_law,
    with_bonus,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXTRAS = (0, 4, 6, 8, 10, 12, 20)
POOLS = [pool for pool in product(range(7), EXTRAS) if pool != (0, 0)]
NEVER, CERTAIN = Fraction(0), Fraction(1)


def evenly(draws: int) -> Iterator[float]:
    """One draw from the middle of each of ``draws`` equal parts of [0, 1)."""
    return ((index + 0.5) / draws for index in range(draws))


def counted_stream(taken: list[float]) -> Iterator[float]:
    """An endless stream that notes in ``taken`` what was drawn from it."""
    for index in count():
        draw = (0.37 + 0.618033988749895 * index) % 1
        taken.append(draw)
        yield draw


def law_of(die: icepool.Die[int]) -> dict[int, Fraction]:
    return {int(face): Fraction(ways, die.denominator()) for face, ways in die.items()}


def without_zeros(law: tuple[Fraction, ...]) -> dict[int, Fraction]:
    return {successes: chance for successes, chance in enumerate(law) if chance}


# --- from a value to dice -------------------------------------------------------------------------


@pytest.mark.rule("DICE-1")
@pytest.mark.parametrize(
    ("value", "d6"),
    [(20, 1), (39.999, 1), (40, 2), (59, 2), (60, 3), (79.5, 3), (80, 4), (99, 4), (4000, 4)],
)
def test_every_full_twenty_points_are_a_d6_up_to_four(value: float, d6: int) -> None:
    assert pool_of(value, extra_die=False) == (d6, 0)
    assert pool_of(value, extra_die=True)[0] == d6


@pytest.mark.rule("DICE-1")
def test_a_value_just_below_a_step_does_not_round_up_to_it() -> None:
    assert pool_of(0.1 * 3 * 200 - 1e-9, extra_die=True) == (2, 0)
    assert pool_of(59.99999999999999, extra_die=True) == (2, 0)


@pytest.mark.rule("DICE-2")
@pytest.mark.parametrize(
    ("value", "extra"),
    [
        (80, 0), (99.9, 0), (100, 6), (119, 6), (120, 8), (139.5, 8), (140, 10), (159, 10),
        (160, 12), (179.9, 12), (180, 20), (200, 20), (1e9, 20),
    ],
)  # fmt: skip
def test_the_extra_die_is_that_of_the_highest_threshold_reached(value: float, extra: int) -> None:
    assert pool_of(value, extra_die=True) == (4, extra)


@pytest.mark.rule("DICE-2")
@pytest.mark.reading("rules.dice.extra_die_for=characters_and_teams")
@pytest.mark.reading("rules.dice.extra_die_for=characters")
def test_a_holder_without_right_to_an_extra_die_stays_at_four_d6() -> None:
    assert pool_of(120, extra_die=True) == (4, 8)
    assert pool_of(120, extra_die=False) == (4, 0)


@pytest.mark.rule("DICE-3")
@pytest.mark.parametrize("extra_die", [True, False])
@pytest.mark.parametrize("value", [19.999, 11, 0, -0.0, -35.5])
def test_under_twenty_any_holder_has_one_d4_alone(value: float, extra_die: bool) -> None:  # noqa: FBT001
    assert pool_of(value, extra_die=extra_die) == (0, 4)


@pytest.mark.rule("DICE-4")
def test_bonus_dice_are_d6_beside_the_extra_die_and_may_pass_four() -> None:
    assert with_bonus((4, 8), 2) == (6, 8)
    assert with_bonus((0, 4), 1) == (1, 4)
    assert with_bonus((3, 0), 0) == (3, 0)


@pytest.mark.rule("DICE-4")
@pytest.mark.reading("rules.dice.pool_cap=3")
@pytest.mark.reading("rules.dice.pool_cap=none")
def test_a_cap_limits_the_d6_and_spares_the_extra_die() -> None:
    assert with_bonus((2, 0), 3, cap=None) == (5, 0)
    assert with_bonus((2, 0), 3, cap=3) == (3, 0)
    assert with_bonus((2, 0), 1, cap=3) == (3, 0)
    assert with_bonus((1, 0), 1, cap=3) == (2, 0)
    assert with_bonus((4, 20), 0, cap=3) == (3, 20)


@pytest.mark.rule("DICE-4")
def test_taking_d6_away_leaves_at_least_one_die() -> None:
    assert with_bonus((3, 0), -1) == (2, 0)
    assert with_bonus((1, 0), -1) == (1, 0)
    assert with_bonus((1, 4), -1) == (0, 4)
    assert with_bonus((0, 4), -1) == (0, 4)
    assert with_bonus((4, 8), -9) == (0, 8)
    assert with_bonus((2, 0), 0, cap=0) == (1, 0)


@pytest.mark.rule("DICE-7")
@pytest.mark.parametrize(("given", "met"), [(-3, 2), (1, 2), (2, 2), (3, 3), (9, 9)])
def test_difficulty_never_goes_below_two(given: int, met: int) -> None:
    assert clamp_difficulty(given) == met


@pytest.mark.rule("DICE-7")
def test_a_one_misses_at_the_lowest_difficulty() -> None:
    assert success_law((1, 0), clamp_difficulty(-5)) == (Fraction(1, 6), Fraction(5, 6))


@pytest.mark.rule("DICE-7")
@pytest.mark.reading("rules.dice.min_difficulty=1")
@pytest.mark.reading("rules.dice.min_difficulty=2")
def test_with_a_minimum_of_one_every_die_may_succeed() -> None:
    assert success_law((2, 8), clamp_difficulty(-1, minimum=1)) == (NEVER, NEVER, NEVER, CERTAIN)
    assert success_law((2, 8), clamp_difficulty(-1, minimum=2))[0] == Fraction(1, 288)
    assert clamp_difficulty(4, minimum=1) == 4


# --- laws -----------------------------------------------------------------------------------------


def faces_law(d6: int, extra: int, difficulty: int) -> dict[int, Fraction]:
    """The law of successes by icepool, each die judged by its own face."""
    plain = icepool.d6.map(lambda face: int(face >= difficulty))
    die = d6 @ plain
    if extra:
        die += icepool.d(extra).map(lambda face: int(face >= difficulty))
    return law_of(die)


def pairs_law(d6: int, extra: int, difficulty: int) -> dict[int, Fraction]:
    """The law of successes above 6 by icepool: all rolls laid out, sixes taken off in pairs."""

    def judge(rolled: tuple[int, ...], extra_face: int) -> int:
        successes = 0
        sixes = [face for face in rolled if face == 6]
        if extra_face >= difficulty:
            successes += 1
        elif extra_face == 6:
            sixes.append(extra_face)
        while len(sixes) >= 2:
            sixes.pop()
            sixes.pop()
            successes += 1
        return successes

    rolls = icepool.d6.pool(d6).expand() if d6 else icepool.Die([()])
    extra_die = icepool.d(extra) if extra else icepool.Die([0])
    return law_of(icepool.map(judge, rolls, extra_die, star=False))


@pytest.mark.rule("DICE-5")
@pytest.mark.parametrize("difficulty", range(2, 7))
def test_laws_of_successes_equal_icepool_exactly(difficulty: int) -> None:
    for d6, extra in POOLS:
        law = without_zeros(success_law((d6, extra), difficulty))
        assert law == faces_law(d6, extra, difficulty), (d6, extra)


@pytest.mark.rule("DICE-6")
@pytest.mark.parametrize("difficulty", range(7, 10))
def test_laws_above_six_equal_icepool_exactly(difficulty: int) -> None:
    for d6, extra in POOLS:
        law = without_zeros(success_law((d6, extra), difficulty))
        assert law == pairs_law(d6, extra, difficulty), (d6, extra)


@pytest.mark.rule("DICE-5")
def test_a_law_counts_every_success_and_ends_at_the_most_there_can_be() -> None:
    assert success_law((2, 0), 4) == (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    assert success_law((1, 4), 4) == (Fraction(3, 8), Fraction(1, 2), Fraction(1, 8))
    assert success_law((1, 4), 5) == (Fraction(2, 3), Fraction(1, 3))


@pytest.mark.rule("DICE-6")
def test_above_six_one_die_succeeds_only_by_its_own_face() -> None:
    assert success_law((1, 0), 7) == (CERTAIN,)
    assert success_law((0, 4), 7) == (CERTAIN,)
    assert success_law((0, 6), 7) == (CERTAIN,)
    assert success_law((0, 8), 7) == (Fraction(3, 4), Fraction(1, 4))
    assert success_law((0, 8), 9) == (CERTAIN,)


@pytest.mark.rule("DICE-6")
def test_above_six_an_extra_six_pairs_and_an_extra_success_does_not() -> None:
    assert success_law((2, 0), 8) == (Fraction(35, 36), Fraction(1, 36))
    # One d6 and a d8 against 7: a 7 or an 8 succeeds by itself; a six pairs with the d6's six.
    assert success_law((1, 8), 7) == (Fraction(35, 48), Fraction(13, 48))
    assert success_law((1, 8), 9) == (Fraction(47, 48), Fraction(1, 48))
    assert success_law((3, 0), 7)[1] == Fraction(3 * 5 + 1, 216)


@pytest.mark.rule("DICE-8")
def test_laws_of_total_scores_equal_icepool_exactly() -> None:
    for d6, extra in POOLS:
        die = d6 @ icepool.d6
        if extra:
            die += icepool.d(extra)
        law = score_law((d6, extra))
        assert law == law_of(die), (d6, extra)
        assert list(law) == sorted(law)


@pytest.mark.rule("DICE-8")
def test_a_total_score_adds_the_extra_die() -> None:
    assert min(score_law((4, 8))) == 5
    assert max(score_law((4, 8))) == 32
    assert sum(score * chance for score, chance in score_law((4, 8)).items()) == Fraction(37, 2)


@pytest.mark.rule("DICE-5")
def test_laws_of_the_large_pools_of_battles_are_exact_too() -> None:
    law = success_law((200, 0), 4)
    assert len(law) == 201
    assert sum(law) == 1
    assert law[0] == Fraction(1, 2**200)
    assert law[100] == law_of(200 @ icepool.d(2) - 200)[100]
    assert sum(score_law((200, 20)).values()) == 1


@pytest.mark.parametrize("pool", [(0, 0), (-1, 0), (2, -4), (-2, 8)])
def test_what_is_no_pool_is_refused(pool: Pool) -> None:
    for refuse in (
        lambda: success_law(pool, 4),
        lambda: score_law(pool),
        lambda: Dice(evenly(1)).test("DICE-5", pool, 4),
        lambda: Dice(evenly(1)).total("DICE-8", pool),
    ):
        with pytest.raises(ValueError, match="a pool is"):
            refuse()


# --- dice on a stream -----------------------------------------------------------------------------


@pytest.mark.rule("DICE-5")
@pytest.mark.rule("DICE-6")
@pytest.mark.parametrize("pool", [(0, 4), (1, 0), (2, 0), (3, 8), (4, 0), (1, 20), (3, 6)])
@pytest.mark.parametrize("difficulty", [-2, 1, 2, 4, 6, 7, 9, 30])
def test_evenly_spread_draws_meet_the_law_exactly(pool: Pool, difficulty: int) -> None:
    vectors = 6 ** pool[0] * max(1, pool[1])
    dice = Dice(evenly(vectors))
    results = [dice.test("DICE-5", pool, difficulty) for _ in range(vectors)]
    found = {
        successes: Fraction(results.count(successes), vectors) for successes in sorted(set(results))
    }
    assert found == without_zeros(success_law(pool, difficulty))


@pytest.mark.rule("DICE-8")
@pytest.mark.parametrize("pool", [(0, 4), (1, 0), (2, 0), (3, 8), (1, 20)])
def test_evenly_spread_totals_meet_the_law_exactly(pool: Pool) -> None:
    vectors = 6 ** pool[0] * max(1, pool[1])
    dice = Dice(evenly(vectors))
    results = [dice.total("DICE-8", pool) for _ in range(vectors)]
    found = {score: Fraction(results.count(score), vectors) for score in sorted(set(results))}
    assert found == score_law(pool)


@pytest.mark.rule("DICE-5")
def test_a_large_pool_meets_its_law_as_a_small_one_does() -> None:
    draws = 20_000
    dice = Dice(evenly(draws))
    results = [dice.test("DICE-5", (60, 0), 4) for _ in range(draws)]
    below = Fraction(0)
    for successes, chance in enumerate(success_law((60, 0), 4)):
        below += chance
        found = Fraction(sum(result <= successes for result in results), draws)
        assert abs(found - below) <= Fraction(1, draws)


@pytest.mark.parametrize("kind", [Dice, RecordedDice])
def test_each_roll_takes_one_draw_and_an_order_one_for_each(kind: type[Dice]) -> None:
    taken: list[float] = []
    dice = kind(counted_stream(taken))
    rolls: list[tuple[Callable[[], object], int]] = [
        (lambda: dice.test("X", (7, 20), 4), 1),
        (lambda: dice.test("X", (1, 0), 9), 1),
        (lambda: dice.total("X", (7, 20)), 1),
        (lambda: dice.happens("X", 0.0), 1),
        (lambda: dice.pick("X", 1), 1),
        (lambda: dice.order("X", 5), 5),
        (lambda: dice.order("X", 0), 0),
    ]
    for roll, draws in rolls:
        before = len(taken)
        roll()
        assert len(taken) - before == draws


def test_something_happens_as_often_as_its_probability_says() -> None:
    for probability, times in [(0.0, 0), (0.25, 250), (1.0, 1000)]:
        dice = Dice(evenly(1000))
        assert sum(dice.happens("X", probability) for _ in range(1000)) == times
    assert not Dice(iter([0.0])).happens("X", 0.0)
    assert Dice(iter([1 - 2**-53])).happens("X", 1.0)


def test_a_pick_is_uniform_and_stays_in_range() -> None:
    dice = Dice(evenly(700))
    picked = [dice.pick("X", 7) for _ in range(700)]
    assert [picked.count(number) for number in range(7)] == [100] * 7
    for choices in (1, 3, 7, 10**6 + 3):
        assert Dice(iter([1 - 2**-53])).pick("X", choices) == choices - 1


@pytest.mark.parametrize("kind", [Dice, RecordedDice])
def test_picking_from_nothing_is_refused_with_the_rule_that_asked(kind: type[Dice]) -> None:
    with pytest.raises(ValueError, match="GATH-3 picks one of 0"):
        kind(evenly(1)).pick("GATH-3", 0)


def test_an_order_sorts_by_draw_and_breaks_ties_by_index() -> None:
    assert Dice(iter([0.5, 0.1, 0.5, 0.0])).order("X", 4) == [3, 1, 0, 2]
