"""The exact odds, as printed."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Command = Callable[..., Result]


def test_a_test_shows_each_number_of_successes_exactly(worldsim: Command) -> None:
    result = worldsim("odds", "3d6+d8", "4")
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["3d6+d8", "against", "4+"]
    assert lines[2] == ["0", "0.046875", "3/64", "1.000000", "1"]
    assert lines[3] == ["1", "0.218750", "7/32", "0.953125", "61/64"]
    assert lines[6] == ["4", "0.078125", "5/64", "0.078125", "5/64"]
    assert lines[7] == ["mean", "2.125", "(17/8)"]


def test_without_difficulty_the_law_is_that_of_the_total(worldsim: Command) -> None:
    document = json.loads(worldsim("odds", "2d6", "--json").stdout)
    chances = {row["total"]: Fraction(row["fraction"]) for row in document["law"]}
    assert chances == {n: Fraction(6 - abs(n - 7), 36) for n in range(2, 13)}
    assert document["mean_fraction"] == "7"
    assert document["law"][5]["at_least_fraction"] == "7/12"
    assert document["law"][5]["at_least"] == pytest.approx(7 / 12)


def test_json_holds_the_law_of_a_test_as_decimals_and_fractions(worldsim: Command) -> None:
    document = json.loads(worldsim("odds", "d4", "3", "--json").stdout)
    assert document == {
        "pool": "d4",
        "difficulty": 3,
        "mean": 0.5,
        "mean_fraction": "1/2",
        "law": [
            {
                "successes": n,
                "probability": 0.5,
                "fraction": "1/2",
                "at_least": [1.0, 0.5][n],
                "at_least_fraction": ["1", "1/2"][n],
            }
            for n in (0, 1)
        ],
    }


def test_fractions_too_long_to_read_are_left_out_of_the_table(worldsim: Command) -> None:
    result = worldsim("odds", "60d6", "4")
    assert max(len(line) for line in result.stdout.splitlines()) < 100


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["3x6"], "a pool looks like"),
        (["3d6+d7", "4"], "d7"),
        (["3d6", "0"], "1<=x<=99"),
        (["3d6", "four"], "not a valid whole number"),
        ([], "Missing argument"),
        (["100000d6", "4"], "at most 500"),
        (["-1d6"], "'-1d6' is negative"),
        (["3d6", "-3"], "'-3' is negative"),
        (["3d6", "--jsn"], "--json"),
    ],
)
def test_a_pool_or_difficulty_that_is_none_is_refused_with_a_cure(
    args: list[str], said: str, worldsim: Command
) -> None:
    result = worldsim("odds", *args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_a_difficulty_below_the_least_of_a_run_is_answered_with_a_note(worldsim: Command) -> None:
    result = worldsim("odds", "3d6+d8", "1")
    assert result.exit_code == 0
    assert "DICE-7" in result.stderr
    assert result.stdout.splitlines()[-1] == "mean 4"
    assert worldsim("odds", "3d6+d8", "2").stderr == ""
