"""Positions found by the grammar agree with what the parser reads, whatever the writing."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from worldsim.scenario.guard import Budget, complaint
from worldsim.scenario.positions import Positions

KEYS = st.text(min_size=1, max_size=4)
VALUES = st.integers(-9, 99) | st.booleans() | st.text(max_size=6)
TREES = st.dictionaries(
    KEYS,
    st.recursive(
        VALUES,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
        max_leaves=12,
    ),
    max_size=5,
)


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Any:
    """Every path that leads to something other than a table or list."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from leaves(inner, (*path, number))
    else:
        yield path, value


@settings(max_examples=80)
@given(TREES)
def test_the_text_at_the_place_of_a_value_is_the_value(tree: dict[str, Any]) -> None:
    text = tomli_w.dumps(tree)
    lines = text.split("\n")
    positions = Positions(text)
    for path, value in leaves(tree):
        line, column = positions.find(path)
        rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
        written = tomli_w.dumps({"k": value}).removeprefix("k = ").rstrip("\n")
        assert rest.startswith(written), (path, text)


@settings(max_examples=80)
@given(TREES)
def test_the_guard_lets_every_ordinary_text_pass(tree: dict[str, Any]) -> None:
    assert complaint(tomli_w.dumps(tree), Budget()) is None


WRITINGS = """\
plain = 1
"quo.ted" = 2
'lit' = 3
dotted . keys."in line" = 4
arr = [ # comment
  1, {x = 5},
  # another
  [6, 7],
]
[ table . inner ]
key = 8
[[list]]
a = 9
[list.sub]
b = 10
[[list.deep]]
c = 11
[[list.deep]]
c = 12
[[list]]
a = 13
[[list.deep]]
c = 14
[other]
inline = {a.b = 15, c = {d = 16}}
text = \"\"\"
[not]
a = 'table' \"\"\"\"
last = 17
"""


def test_every_way_of_writing_a_key_is_placed() -> None:
    positions = Positions(WRITINGS)
    lines = WRITINGS.split("\n")
    numbers = [(path, value) for path, value in leaves(tomllib.loads(WRITINGS))]
    assert sum(isinstance(value, int) for _, value in numbers) == 18
    for path, value in numbers:
        line, column = positions.find(path)
        if isinstance(value, int):
            assert lines[line - 1][column - 1 :].startswith(str(value)), path


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("dotted", "keys", "in line"), (4, 15)),
        (("list", 0, "a"), (13, 1)),
        (("list", 1), (20, 1)),
        (("list", 1, "absent"), (20, 1)),
        (("table", "inner", "absent", "more"), (10, 11)),
        (("absent",), (1, 1)),
        ((), (1, 1)),
        (("arr", 1, "x"), (6, 7)),
    ],
)
def test_keys_and_absent_keys_have_places(
    path: tuple[str | int, ...], place: tuple[int, int]
) -> None:
    assert Positions(WRITINGS).find(path, of_key=True) == place


@pytest.mark.parametrize(
    "text",
    [
        "a = '''" + "[" * 100 + "'''",
        'a = """' + "[" * 100 + '\\""" still """\nb = 1',
        'a = "' + "." * 100 + '\\"' + "[" * 100 + '"',
        "a = '" + "." * 100 + "\\'",
        "# " + "[" * 100 + "." * 100 + "x" * 1000,
        'a = """' + "[" * 40 + '"""""\nb = 1',
        'a = "' + "x" * 10_000 + '"',
        "a = [" + "[1.5], " * 100 + "]",
        "a" + ".a" * 16 + " = 1",
        "a = " + "[" * 32 + "]" * 32,
        "a = 1" + " " * 10_000,
    ],
)
def test_the_guard_counts_only_what_a_parser_would_build(text: str) -> None:
    assert complaint(text, Budget()) is None
    tomllib.loads(text)
