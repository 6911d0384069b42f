"""Dice pools: values become dice, dice become successes or a sum.

A test takes one draw against the exact law of its successes instead of one draw a die: the chances
are the same, and the faces that go with a draw are made only for those who look (RecordedDice).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from worldsim.rules.faces import (
    Pool,
    Roll,
    cut_points,
    faces_of_test,
    faces_of_total,
    success_counts,
    sum_counts,
    write_pool,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "Dice",
    "Pool",
    "RecordedDice",
    "Roll",
    "clamp_difficulty",
    "pool_of",
    "score_law",
    "success_law",
    "with_bonus",
]

EXTRA_DICE_FROM = ((100, 6), (120, 8), (140, 10), (160, 12), (180, 20))

# Module state that is none: both dicts hold a pure function's results, which depend on the key
# alone, so it makes no difference who filled them or when they were emptied.
_test_cuts: Final[dict[int, list[float]]] = {}
_total_cuts: Final[dict[int, list[float]]] = {}
CUTS_KEPT: Final = 4096


def pool_of(
    value: float,
    *,
    extra_die: bool,
    points_per_die: int = 20,
    most: int = 4,
    extra_dice: Sequence[tuple[int, int]] = EXTRA_DICE_FROM,
    weak_die: int = 4,
) -> Pool:
    """The dice a value is worth.

    Rule DICE-1, DICE-2, DICE-3 [D].

    Args:
        value: A skill or attribute, any real number.
        extra_die: Whether this kind of holder gets an extra die. The weak die of values below the
            first d6 goes to every holder.
        points_per_die: Points of value for one d6.
        most: Most d6 a value gives.
        extra_dice: (value, sides) of the extra die, ascending; the highest one reached counts.
        weak_die: Sides of the one die of a value below ``points_per_die``.
    """
    if value < points_per_die:
        return 0, weak_die
    sides = 0
    if extra_die:
        for at, die in extra_dice:
            if value >= at:
                sides = die
    return min(most, int(value // points_per_die)), sides


def with_bonus(pool: Pool, dice: int, cap: int | None = None) -> Pool:
    """The pool with d6 added or taken away after conversion.

    Rule DICE-4 [P]; with negative ``dice`` the lost die of FAT-3.

    Args:
        pool: The dice before.
        dice: How many d6 to add; negative takes d6 away, never the extra die.
        cap: Most d6 the pool may have in the end, None for any number.

    Returns:
        A pool of at least one die.
    """
    if not dice and cap is None:
        return pool
    count = pool[0] + dice
    if cap is not None and count > cap:
        count = cap
    least = 0 if pool[1] else 1
    return max(count, least), pool[1]


def clamp_difficulty(difficulty: int, minimum: int = 2) -> int:
    """The difficulty after all modifiers: never below ``minimum``.

    Rule DICE-7 [D]; the minimum of 1, where no face misses, is a reading [us].
    """
    return difficulty if difficulty > minimum else minimum  # noqa: FURB136 - hot: max is a call


def success_law(pool: Pool, difficulty: int) -> tuple[Fraction, ...]:
    """The exact chances of 0, 1, 2, … successes, up to the most the pool can have.

    Rule DICE-5, DICE-6 [D].

    Raises:
        ValueError: ``pool`` is no pool.
    """
    counts = success_counts(pool, difficulty)
    total = sum(counts)
    return tuple(Fraction(count, total) for count in counts)


def score_law(pool: Pool) -> dict[int, Fraction]:
    """The exact chance of each total score, from the lowest to the highest.

    Rule DICE-8 [D].

    Raises:
        ValueError: ``pool`` is no pool.
    """
    counts = sum_counts(pool)
    total = sum(counts)
    return {
        score: Fraction(count, total) for score, count in enumerate(counts, _number_of_dice(pool))
    }


def _number_of_dice(pool: Pool) -> int:
    return pool[0] + 1 if pool[1] else pool[0]


def successes_at(draw: float, pool: Pool, difficulty: int) -> int:
    """Successes of ``pool`` against ``difficulty`` that a draw stands for.

    Rule DICE-5, DICE-6 [D].

    Args:
        draw: In [0, 1).
        pool: The dice.
        difficulty: After DICE-7, which is the caller's.

    Raises:
        ValueError: ``pool`` is no pool.
    """
    return _cuts_below(draw, _cuts_of_test(_key_of_test(pool, difficulty), pool, difficulty))


def _key_of_test(pool: Pool, difficulty: int) -> int:
    """One whole number is found faster than some in a tuple; no die has a million sides."""
    return (pool[0] << 40) + (pool[1] << 20) + difficulty


def _cuts_of_test(key: int, pool: Pool, difficulty: int) -> list[float]:
    """The cumulative law of a test, worked out when it is first asked for."""
    cuts = _test_cuts.get(key)
    if cuts is None:
        if len(_test_cuts) >= CUTS_KEPT:
            _test_cuts.clear()
        cuts = _test_cuts[key] = cut_points(success_counts(pool, difficulty))
    return cuts


def _cuts_below(draw: float, cuts: list[float]) -> int:
    """As ``bisect_right``, which costs compiled code more to call than the few cuts of a law."""
    below = 0
    for cut in cuts:
        if draw < cut:
            break
        below += 1
    return below


def total_at(draw: float, pool: Pool) -> int:
    """The sum of all dice of ``pool`` that a draw stands for.

    Rule DICE-8 [D].

    Raises:
        ValueError: ``pool`` is no pool.
    """
    key = (pool[0] << 20) + pool[1]
    cuts = _total_cuts.get(key)
    if cuts is None:
        if len(_total_cuts) >= CUTS_KEPT:
            _total_cuts.clear()
        cuts = _total_cuts[key] = cut_points(sum_counts(pool))
    return _number_of_dice(pool) + _cuts_below(draw, cuts)


def pick_at(draw: float, rule: str, count: int) -> int:
    """The number from 0 to ``count - 1`` that a draw stands for.

    Raises:
        ValueError: ``count`` is below 1: there is nothing to pick from.
    """
    if count < 1:
        raise ValueError(f"{rule} picks one of {count}; there must be at least 1")
    return int(draw * count)


def order_at(draws: list[float]) -> list[int]:
    """The positions of some draws, the lowest draw's first."""
    return sorted(range(len(draws)), key=draws.__getitem__)


class Dice:
    """One stream of chance, as dice.

    Each method takes the id of the rule that asks, for those who record the rolls.

    Attributes:
        recording: Whether the rolls are kept: only then is it worth setting ``made_of``.
        made_of: What the next test's difficulty is made of, such as ``{"base": 4, "rain": 1}``.

    Args:
        stream: Floats in [0, 1), without end; asked for when they are needed.
        ready: Floats that come before those of the stream.
    """

    __slots__ = ("_at", "_cuts", "_key", "_later", "_ready", "_stream", "made_of", "recording")

    def __init__(self, stream: Iterable[float], ready: tuple[float, ...] = ()) -> None:
        self._stream = stream
        self._later: Iterator[float] | None = None
        self._ready = ready
        self._at = 0
        self._key = -1  # of the latest test's law
        self._cuts: list[float] = []
        self.made_of: dict[str, int] | None = None
        self.recording = False

    def draw(self) -> float:
        """The next float in [0, 1)."""
        at = self._at
        if at < len(self._ready):
            self._at = at + 1
            return self._ready[at]
        if self._later is None:
            self._later = iter(self._stream)
        return next(self._later)

    def test(self, rule: str, pool: Pool, difficulty: int) -> int:  # noqa: ARG002 -- for RecordedDice
        """Successes of ``pool`` against ``difficulty``; one draw.

        Rule DICE-5, DICE-6 [D].

        Args:
            rule: The id of the rule that asks.
            pool: The dice.
            difficulty: After DICE-7, which is the caller's.

        Raises:
            ValueError: ``pool`` is no pool.
        """
        key = _key_of_test(pool, difficulty)
        if key != self._key:  # each unit of a kind is tried by the same law
            self._cuts = _cuts_of_test(key, pool, difficulty)
            self._key = key
        return _cuts_below(self.draw(), self._cuts)

    def total(self, rule: str, pool: Pool) -> int:  # noqa: ARG002 -- for RecordedDice
        """The sum of all dice of ``pool``; one draw.

        Rule DICE-8 [D].

        Raises:
            ValueError: ``pool`` is no pool.
        """
        return total_at(self.draw(), pool)

    def happens(self, rule: str, probability: float) -> bool:  # noqa: ARG002 -- for RecordedDice
        """Whether something of this probability happens: at 0 never, at 1 always; one draw."""
        return self.draw() < probability

    def pick(self, rule: str, count: int) -> int:
        """One of the numbers 0 to ``count - 1``, each as likely as the others; one draw.

        Raises:
            ValueError: ``count`` is below 1: there is nothing to pick from.
        """
        return pick_at(self.draw(), rule, count)

    def order(self, rule: str, count: int) -> list[int]:  # noqa: ARG002 -- for RecordedDice
        """The numbers 0 to ``count - 1`` in an order of chance; ``count`` draws."""
        return order_at([self.draw() for _ in range(count)])


class RecordedDice(Dice):
    """Dice that keep every roll; the results are those of plain Dice on the same stream.

    Attributes:
        rolls: The rolls so far, oldest first. The caller may empty the list.
    """

    __slots__ = ("rolls",)

    def __init__(self, stream: Iterable[float], ready: tuple[float, ...] = ()) -> None:
        super().__init__(stream, ready)
        self.recording = True
        self.rolls: list[Roll] = []

    def test(self, rule: str, pool: Pool, difficulty: int) -> int:
        """As ``Dice.test``; ``made_of`` goes into the roll and is None afterwards."""
        draw = self.draw()
        result = successes_at(draw, pool, difficulty)
        faces = faces_of_test(pool, difficulty, draw)
        made_of = self.made_of or {}
        self.made_of = None
        self.rolls.append(
            Roll(rule, "test", write_pool(pool), difficulty, made_of, draw, faces, result)
        )
        return result

    def total(self, rule: str, pool: Pool) -> int:
        """As ``Dice.total``."""
        draw = self.draw()
        result = total_at(draw, pool)
        faces = faces_of_total(pool, draw)
        self.rolls.append(Roll(rule, "total", write_pool(pool), None, {}, draw, faces, result))
        return result

    def happens(self, rule: str, probability: float) -> bool:
        """As ``Dice.happens``."""
        draw = self.draw()
        result = draw < probability
        self.rolls.append(Roll(rule, "chance", f"p={probability}", None, {}, draw, (), int(result)))
        return result

    def pick(self, rule: str, count: int) -> int:
        """As ``Dice.pick``."""
        draw = self.draw()
        result = pick_at(draw, rule, count)
        self.rolls.append(Roll(rule, "pick", f"1 of {count}", None, {}, draw, (), result))
        return result

    def order(self, rule: str, count: int) -> list[int]:
        """As ``Dice.order``; one roll for all of it, and none for an empty order."""
        draws = [self.draw() for _ in range(count)]
        result = order_at(draws)
        if draws:
            among = f"all of {count}"
            self.rolls.append(Roll(rule, "order", among, None, {}, draws[0], tuple(result), count))
        return result
