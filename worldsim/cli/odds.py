"""``worldsim odds``: the exact law of a pool of dice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import Whole
from worldsim.cli.options import json_option
from worldsim.cli.output import heading, note, print_json, print_table, say

if TYPE_CHECKING:
    from fractions import Fraction

    from worldsim.rules.faces import Pool

    Law = dict[int, Fraction]

HIGHEST_DIFFICULTY = 99
LEAST_DIFFICULTY = 2  # of rule DICE-7, unless a scenario says otherwise
LONGEST_FRACTION = 24  # characters; longer ones are left to --json


class PoolType(click.ParamType[Any]):
    """Dice as text, such as ``3d6+d8``."""

    name = "pool"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Pool:
        """Read the dice, or fail as wrong usage."""
        from worldsim.rules.faces import parse_pool  # noqa: PLC0415 -- not for --help

        try:
            return parse_pool(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class OddsCommand(ExampleCommand):
    """A command that takes no negative number for an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, or fail as wrong usage."""
        negative = next((word for word in args if re.match("-[0-9]", word)), None)
        if negative is not None:
            raise click.UsageError(
                f"{negative!r} is negative: a pool has at least one die, such as 3d6+d8, "
                f"and a difficulty is 1 to {HIGHEST_DIFFICULTY}",
                ctx,
            )
        return super().parse_args(ctx, args)


@click.command(
    cls=OddsCommand,
    examples=[
        ("worldsim odds 3d6+d8 4", "successes of 3d6 and a d8 against 4+"),
        ("worldsim odds 2d6 8", "above 6, pairs of sixes count"),
        ("worldsim odds 4d6", "the total of 4d6"),
    ],
)
@click.argument("pool", type=PoolType())
@click.argument("difficulty", type=Whole(1, HIGHEST_DIFFICULTY), required=False)
@json_option
def command(pool: Pool, difficulty: int | None, *, as_json: bool) -> None:
    """The exact chances of POOL: of its successes against DIFFICULTY, or else of its total."""
    from worldsim.rules.dice import score_law, success_law  # noqa: PLC0415 -- not for --help
    from worldsim.rules.faces import write_pool  # noqa: PLC0415

    dice = write_pool(pool)
    if difficulty is None:
        counted, law = "total", score_law(pool)
    else:
        counted, law = "successes", dict(enumerate(success_law(pool, difficulty)))
    if as_json:
        print_json(_as_json(dice, difficulty, counted, law))
    else:
        _print_law(dice, difficulty, counted, law)
    if difficulty is not None and difficulty < LEAST_DIFFICULTY:
        note(
            f"In a run no test is easier than {LEAST_DIFFICULTY}+ (DICE-7), unless its scenario "
            f"sets rules.dice.min_difficulty = {difficulty}."
        )


def _mean(law: Law) -> Fraction:
    from fractions import Fraction  # noqa: PLC0415 -- not for --help

    return sum((value * chance for value, chance in law.items()), Fraction())


def _at_least(law: Law) -> Law:
    """The chance of each value or a higher one."""
    from fractions import Fraction  # noqa: PLC0415 -- not for --help

    left = Fraction(1)
    above: Law = {}
    for value, chance in law.items():
        above[value] = left
        left -= chance
    return above


def _print_law(dice: str, difficulty: int | None, counted: str, law: Law) -> None:
    title = f"{dice}, the total" if difficulty is None else f"{dice} against {difficulty}+"
    above = _at_least(law)
    say(heading(title))
    print_table(
        (counted, "exactly", "", "at least", ""),
        [
            (value, _decimal(chance), _short(chance), _decimal(above[value]), _short(above[value]))
            for value, chance in law.items()
        ],
    )
    mean = _mean(law)
    exact = "" if mean.denominator == 1 or not _short(mean) else f"  ({mean})"
    say(f"mean {float(mean):.6g}{exact}")


def _decimal(chance: Fraction) -> str:
    return f"{float(chance):.6f}"


def _short(number: Fraction) -> str:
    text = str(number)
    return text if len(text) <= LONGEST_FRACTION else ""


def _as_json(dice: str, difficulty: int | None, counted: str, law: Law) -> dict[str, Any]:
    above = _at_least(law)
    mean = _mean(law)
    return {
        "pool": dice,
        "difficulty": difficulty,
        "mean": float(mean),
        "mean_fraction": str(mean),
        "law": [
            {
                counted: value,
                "probability": float(chance),
                "fraction": str(chance),
                "at_least": float(above[value]),
                "at_least_fraction": str(above[value]),
            }
            for value, chance in law.items()
        ],
    }
