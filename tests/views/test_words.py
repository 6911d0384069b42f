"""Events and rolls in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args

import pytest
from msgspec import inspect

from worldsim.events.kinds import AnyEvent, DiceRolled, Event
from worldsim.events.schema import kinds_by_name
from worldsim.views.words import roll_line, roll_lines, sentence, tell
from worldsim.views.words.sentences import PHRASES, SENTENCES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KINDS = [kind for kind in get_args(AnyEvent) if kind is not DiceRolled]
TIMES = "\N{MULTIPLICATION SIGN}"
STAMP = {"seq", "t", "day", "level", "cause"}


def name_of(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)


def fields_of(kind: type[Event]) -> dict[str, inspect.Type]:
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    return {field.name: field.type for field in described.fields}


FULL: dict[type[inspect.Type], Any] = {
    inspect.DictType: {"opal": 3, "slate": 1},
    inspect.ListType: ["Ann", "Bo"],
    inspect.BoolType: True,
    inspect.FloatType: 2.5,
    inspect.IntType: 7,
    inspect.StrType: "Eve",
}
EMPTY: dict[type[inspect.Type], Any] = {
    inspect.DictType: {},
    inspect.ListType: [],
    inspect.BoolType: False,
    inspect.FloatType: 0.0,
    inspect.IntType: 0,
    inspect.StrType: "Eve",
}


def full(field: inspect.Type) -> Any:
    """Something to say."""
    if isinstance(field, inspect.UnionType):
        return full(next(one for one in field.types if not isinstance(one, inspect.NoneType)))
    return field.values[-1] if isinstance(field, inspect.LiteralType) else FULL[type(field)]


def empty(field: inspect.Type) -> Any:
    """Nothing to say."""
    if isinstance(field, inspect.UnionType):
        return None
    return field.values[0] if isinstance(field, inspect.LiteralType) else EMPTY[type(field)]


def made(kind: type[Event], fill: Callable[[inspect.Type], Any]) -> dict[str, Any]:
    return {"event": name_of(kind)} | {name: fill(field) for name, field in fields_of(kind).items()}


def placeholders(template: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", template))


def test_every_kind_of_event_has_a_sentence_and_no_other_has() -> None:
    assert set(SENTENCES) == set(kinds_by_name()) - {"dice.rolled"}


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_a_sentence_tells_every_field_of_its_kind_and_no_other(kind: type[Event]) -> None:
    assert placeholders(SENTENCES[name_of(kind)]) == set(fields_of(kind)) - STAMP


@pytest.mark.parametrize("fill", [full, empty])
@pytest.mark.parametrize("kind", KINDS, ids=name_of)
def test_a_sentence_is_whole_whatever_the_event_says(
    kind: type[Event], fill: Callable[[inspect.Type], Any]
) -> None:
    said = sentence(made(kind, fill))
    assert said.endswith(".")
    assert not re.search(r"[\[\]{}|_]|  |None|True|False|\.\.| [.,;:]", said)


def words_of_a_few() -> Iterator[tuple[str, set[Any]]]:
    for kind in KINDS:
        for name, field in fields_of(kind).items():
            if isinstance(field, inspect.LiteralType) and name not in STAMP:
                yield f"{name_of(kind)}.{name}", set(field.values)


def test_every_value_that_is_a_word_of_a_few_has_its_phrase() -> None:
    assert {name: set(phrases) for name, phrases in PHRASES.items()} == dict(words_of_a_few())


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            {"event": "team.returned", "team": "c/a", "colony": "c", "delivered": {"opal": 1200},
             "rations": {}, "days_away": 1, "experience": 0},
            "c/a is home at c after 1 day and brings 1,200 opal; its experience is 0 now.",
        ),
        (
            {"event": "team.affected", "team": "c/a", "place": "r1", "event_table": "terrain",
             "entry": "ford", "progress": -1.5, "efficiency": 0, "situation": 5, "stamina": -1,
             "resilience": {"speed": -2}, "found": {}, "lost": {"opal": 1, "slate": 2}},
            (
                "c/a at r1 meets ford (table terrain): -1.5 points of way; Situation +5 points; "
                "Stamina -1 point; Resilience speed -2; loses 1 opal and 2 slate."
            ),
        ),
        (
            {"event": "sector.claimed", "sector": "r1/s1", "faction": "f", "team": "c/a",
             "taken_from": None},
            "c/a takes r1/s1 for f.",
        ),
        (
            {"event": "card.fell", "team": "c/a\x1b[2J", "card": "[odd]\n{name}"},
            "[odd] {name} of c/a falls in battle.",
        ),
        (
            {"event": "team.stranded", "team": "c/a", "place": "r1", "situation": 9,
             "held": False},
            "c/a is stranded at r1, with Situation 9 of 100: it will be lost from tomorrow on.",
        ),
    ],
)  # fmt: skip
def test_an_event_is_told_in_one_plain_sentence(event: dict[str, Any], said: str) -> None:
    assert sentence(event) == said


def roll(rule: str, how: str, pool: str, result: int, **more: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"difficulty": None, "made_of": {}, "faces": []}
    return {"rule": rule, "how": how, "pool": pool, "result": result} | plain | more


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            roll("GATH-6", "test", "3d6+d8", 3, difficulty=4, faces=[2, 5, 6, 7],
                 made_of={"terrain": 2, "weather": 1, "fatigue": 1, "ark": 0}),
            "GATH-6: 3d6+d8 against 4 (2 terrain, 1 weather, 1 fatigue): 2 5 6 7, 3 successes",
        ),
        (
            roll("SURV-2", "test", "d4", 0, difficulty=3, faces=[1],
                 made_of={"difficulty": 3, "fatigue": 0}),
            "SURV-2: d4 against 3: 1, no success",
        ),
        (
            roll("GATH-5", "test", "1d6", 1, difficulty=2, faces=[6],
                 made_of={"step": 2, "abundance": -2}),
            "GATH-5: 1d6 against 2 (2 step, -2 abundance, +2 to stay in bounds): 6, 1 success",
        ),
        (
            roll("BAT-8", "test", "21d6", 7, difficulty=4, faces=[6] * 7 + [2] * 14),
            f"BAT-8: 21d6 against 4: 7{TIMES}6, 14{TIMES}2, 7 successes",
        ),
        (roll("MOVE-1", "total", "2d6", 7, faces=[3, 4]), "MOVE-1: 2d6: 3 4, 7 in all"),
        (roll("GATH-3", "chance", "p=0.30769", 0),
         "GATH-3: chance of 30.8 %: it does not happen"),
        (roll("GATH-3", "chance", "p=1.0", 1), "GATH-3: chance of 100 %: it happens"),
        (roll("MOVE-4", "pick", "1 of 5", 0), "MOVE-4: drawn from 1 to 5: 1"),
        (roll("GATH-4", "order", "all of 3", 3, faces=[2, 0, 1]),
         "GATH-4: order of 3 drawn: 3 1 2"),
    ],
)  # fmt: skip
def test_a_roll_is_told_by_rule_pool_difficulty_faces_and_result(
    given: dict[str, Any], said: str
) -> None:
    assert roll_line(given) == said


def test_what_is_drawn_one_after_another_is_one_line() -> None:
    picks = [roll("BAT-9", "pick", "1 of 4", result) for result in (2, 0, 3)]
    lines = roll_lines([*picks, roll("BAT-9", "pick", "1 of 3", 0), picks[0]])
    assert lines == [
        "BAT-9: drawn 3 times from 1 to 4: 3 1 4",
        "BAT-9: drawn from 1 to 3: 1",
        "BAT-9: drawn from 1 to 4: 3",
    ]


def test_one_function_tells_events_rolls_and_what_no_words_are_known_for() -> None:
    fallen = {"event": "card.fell", "team": "c/a", "card": "scout"}
    others = {"of": None, "colony": None, "rounds": None}  # columns of a table of events
    assert tell(fallen | others) == sentence(fallen)
    thrown = roll("MOVE-1", "total", "2d6", 7, faces=[3, 4], of=12)
    assert tell(thrown) == roll_line(thrown)
    later = {"event": "moon.fell", "seq": 4, "place": "r1\x1b[2J", "faction": None}
    assert tell(later) == "event moon.fell, seq 4, place r1"
    assert tell({"event": "card.fell", "team": "c/a"}) == "event card.fell, team c/a"
