from __future__ import annotations

import json
from typing import Any, get_args

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest
from msgspec import inspect

from worldsim.events import schema
from worldsim.events.journal import Journal
from worldsim.events.kinds import AnyEvent, DiceRolled, Event
from worldsim.events.schema import (
    UnknownKindError,
    columns,
    events_markdown,
    events_schema,
    kinds_by_name,
)

PLAIN: dict[type[inspect.Type], Any] = {
    inspect.IntType: 3,
    inspect.FloatType: 2.5,
    inspect.BoolType: True,
    inspect.StrType: "word",
}


def example(described: inspect.Type) -> Any:
    """Some value of a type."""
    match described:
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.ListType(item_type=item):
            return [example(item)]
        case inspect.DictType(value_type=value):
            return {"wood": example(value)}
        case inspect.UnionType(types=types):
            return example(types[0])
    return PLAIN[type(described)]


def written(name: str) -> dict[str, Any]:
    """A line of one kind, as the journal writes it."""
    kind = kinds_by_name()[name]
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    given = {f.name: example(f.type) for f in described.fields}
    lines: list[bytes] = []
    journal = Journal(lines.append, level="debug")
    if issubclass(kind, Event):
        for name_given in ("seq", "t", "day", "level", "cause"):
            del given[name_given]
        journal.record(kind, cause=None, **given)
    else:
        for name_given in ("of", "n", "t", "day", "level"):
            del given[name_given]
        journal.roll(0, 0, **given)
    journal.flush()
    line: dict[str, Any] = json.loads(lines[0])
    return line


ALL = list(kinds_by_name())


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    jsonschema.Draft202012Validator.check_schema(events_schema())
    return jsonschema.Draft202012Validator(events_schema())


@pytest.mark.parametrize("name", ALL)
def test_what_the_journal_writes_fulfils_the_schema(
    name: str, validator: jsonschema.Draft202012Validator
) -> None:
    line = written(name)
    validator.validate(line)
    assert line["event"] == name


@pytest.mark.parametrize("name", ALL)
def test_a_line_that_lacks_a_field_does_not_fulfil_the_schema(
    name: str, validator: jsonschema.Draft202012Validator
) -> None:
    line = written(name)
    del line["day"]
    assert not validator.is_valid(line)


def test_every_kind_has_a_name_of_subject_and_participle() -> None:
    assert len(ALL) == len(set(ALL)) == len(get_args(AnyEvent))
    assert all(len(name.split(".")) == 2 and name == name.lower() for name in ALL)


def test_every_kind_has_a_section_with_its_fields_in_the_reference() -> None:
    text = events_markdown()
    sections = dict(part.split("\n", 1) for part in text.split("\n## `")[1:])
    assert [title.rstrip("`") for title in sections] == ALL
    gathered = sections["team.gathered`"]
    assert "| `taken` | whole number by name |" in gathered
    assert "| `mishap` | `average` or `minor` or `none` |" in gathered
    assert "`seq`" not in gathered
    assert "GATH-1" in gathered
    assert "Level warning" in sections["team.lost`"]
    assert "| `difficulty` | whole number or null |" in sections["dice.rolled`"]


def test_columns_hold_every_field_of_every_kind() -> None:
    fields = {f for kind in get_args(AnyEvent) for f in kind.__struct_fields__}
    assert set(columns()) == fields | {"event"}
    assert list(columns())[:6] == ["event", "seq", "t", "day", "level", "cause"]


def test_columns_of_some_kinds_are_their_fields_with_types_of_a_database() -> None:
    found = columns(["team.moved", "team.formed", "colony.fed", "team.stranded"])
    own = {
        "colony": "VARCHAR", "team": "VARCHAR", "profile": "VARCHAR", "members": "VARCHAR[]",
        "people": "BIGINT", "eaten": "MAP(VARCHAR, BIGINT)", "place": "VARCHAR",
        "situation": "BIGINT", "held": "BOOLEAN", "heading": "VARCHAR", "progress": "DOUBLE",
        "travelled": "DOUBLE", "distance": "DOUBLE",
    }  # fmt: skip
    assert dict(list(found.items())[6:]) == own
    assert columns(["dice.rolled"])["faces"] == "BIGINT[]"


def test_the_order_of_columns_does_not_depend_on_the_order_asked_for() -> None:
    assert list(columns(["team.moved", "colony.fed"])) == list(
        columns(["colony.fed", "team.moved"])
    )


def test_an_unknown_kind_is_named() -> None:
    with pytest.raises(UnknownKindError, match=r"'team\.flew'"):
        columns(["team.moved", "team.flew"])


def test_a_field_with_two_types_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd(Event, frozen=True, tag="odd.one"):
        distance: str

    monkeypatch.setattr(schema, "kinds_by_name", lambda: {**kinds_by_name(), "odd.one": Odd})
    with pytest.raises(TypeError, match=r"odd\.one\.distance is VARCHAR, elsewhere DOUBLE"):
        columns()


def test_a_roll_decodes_as_itself() -> None:
    line = json.dumps(written("dice.rolled")).encode()
    assert isinstance(msgspec.json.decode(line, type=AnyEvent), DiceRolled)
