"""What the tests of battles share: cards in a line, and every course a duel can take."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, repeat
from math import prod
from typing import TYPE_CHECKING

from worldsim.rules.battle import Duel, fight
from worldsim.rules.cards import Card, Side, Terms, by_trait
from worldsim.rules.dice import RecordedDice, Roll, success_law
from worldsim.rules.faces import parse_pool

if TYPE_CHECKING:
    from collections.abc import Iterator


def terms(**changed: object) -> Terms:
    """Default terms but for what is said."""
    made = Terms()
    for name, value in changed.items():
        setattr(made, name, value)
    return made


def character(health: int = 6, name: str = "", **power: int) -> Card:
    return Card("character", by_trait(power), health, name)


def person(power: dict[str, int], health: int = 6, name: str = "") -> Card:
    """As ``character``, with Powers that are not known when the test is written."""
    return Card("character", by_trait(power), health, name)


def vehicle(health: int = 12, name: str = "", **power: int) -> Card:
    return Card("vehicle", by_trait(power), health, name)


def equipment(name: str = "", **power: int) -> Card:
    return Card("equipment", by_trait(power), None, name)


def starship(name: str = "", **power: int) -> Card:
    return Card("starship", by_trait(power), None, name)


def law_of(roll: Roll) -> tuple[Fraction, ...]:
    """Chances of the results a roll could have had, 0 first."""
    if roll.how == "pick":
        count = int(roll.pool.removeprefix("1 of "))
        return (Fraction(1, count),) * count
    assert roll.how == "test"
    assert roll.difficulty is not None
    return success_law(parse_pool(roll.pool), roll.difficulty)


def draw_for(law: tuple[Fraction, ...], result: int) -> float:
    """A draw that has this result: the middle of its part of the ruler."""
    return float(sum(law[:result]) + law[result] / 2)


def every_course(
    rules: Terms, attacker: Side, defender: Side, *health: list[int]
) -> Iterator[tuple[Fraction, Duel]]:
    """Every course that ``fight`` can take, with its chance.

    The duel itself is run again and again, each time steered to the next results of its rolls, as
    an odometer goes from one number to the next. Nothing of the exact odds is used.
    """
    draws: list[float] = []
    while True:
        dice = RecordedDice(chain(draws, repeat(0.0)))
        duel = fight(dice, rules, attacker, defender, *health)
        draws += [0.0] * (len(dice.rolls) - len(draws))
        laws = [law_of(roll) for roll in dice.rolls]
        results = [roll.result for roll in dice.rolls]
        yield prod((law[n] for law, n in zip(laws, results, strict=True)), start=Fraction(1)), duel
        while results and results[-1] == len(laws[len(results) - 1]) - 1:
            results.pop()
        if not results:
            return
        last = len(results) - 1
        draws[last:] = [draw_for(laws[last], results[last] + 1)]
