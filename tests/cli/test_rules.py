"""From a rule to its options, code and tests, as printed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from worldsim.rules import index
from worldsim.rules.rulebook import RULES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from click.testing import Result

    Command = Callable[..., Result]


@pytest.fixture(autouse=True, scope="module")
def _read_once() -> Iterator[None]:
    """What the code and the tests say of rules is read as ever, but not for each command anew."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("implemented", "proved"):
            patch.setattr(index, name, cache(getattr(index, name)))
        yield


def test_the_list_has_every_rule_once(worldsim: Command) -> None:
    rows = json.loads(worldsim("rules", "--json").stdout)
    assert [row["rule"] for row in rows] == list(RULES)
    table = worldsim("rules").stdout.splitlines()
    assert [line.split()[0] for line in table[1:]] == list(RULES)


def test_a_rule_shows_option_default_source_code_and_tests(worldsim: Command) -> None:
    out = worldsim("rules", "dice-7").stdout
    assert "rules.dice.min_difficulty = 2    (1 | 2)" in out
    assert "[D] dice pools, [us] our choice" in out
    assert "def clamp_difficulty(difficulty: int, minimum: int = 2) -> int:" in out
    assert "worldsim/rules/dice.py:" in out
    assert "tests/rules/test_dice.py:" in out


def test_the_places_in_json_lead_to_the_lines_they_name(worldsim: Command) -> None:
    document = json.loads(worldsim("rules", "GATH-6", "--json").stdout)
    root = Path(__file__).parents[2]
    assert document["code"]
    for place in document["code"]:
        file, line = place["file"].split(":")
        text = (root / file).read_text().splitlines()[int(line) - 1]
        assert place["name"].rpartition(".")[2] in text
        assert text.strip() in place["text"]
    [cost] = [each for each in document["options"] if each["key"].endswith("one_success_cost")]
    assert cost == {
        "key": "rules.gathering.one_success_cost",
        "default": "1",
        "values": "0 | 1 | 2",
        "says": "Limit lost with one success",
    }


def test_several_rules_are_printed_in_the_order_asked_for(worldsim: Command) -> None:
    out = worldsim("rules", "gath-6", "BAT-1").stdout
    for rule in ("GATH-6", "BAT-1"):
        assert f"{rule}  {RULES[rule]}\n" in out
    assert out.index("GATH-6  ") < out.index("BAT-1  ")
    documents = json.loads(worldsim("rules", "GATH-6", "BAT-1", "GATH-6", "--json").stdout)
    assert [document["rule"] for document in documents] == ["GATH-6", "BAT-1"]


def test_one_wrong_rule_among_several_is_refused_before_any_is_printed(worldsim: Command) -> None:
    result = worldsim("rules", "GATH-6", "BAT-111")
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize(("given", "said"), [("GATH-66", "GATH-6"), ("zzz", "worldsim rules")])
def test_an_unknown_rule_is_refused_with_a_near_one(
    given: str, said: str, worldsim: Command
) -> None:
    result = worldsim("rules", given)
    assert result.exit_code == 2
    assert said in result.stderr


def test_options_outside_rules_that_name_a_rule_belong_to_it(worldsim: Command) -> None:
    document = json.loads(worldsim("rules", "RES-1", "--json").stdout)
    keys = {option["key"] for option in document["options"]}
    assert {"rules.reserves.spread", "ingredients.reserve"} <= keys
