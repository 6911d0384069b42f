"""The records of a state have the fields and types of the living world's classes."""

from __future__ import annotations

import dataclasses
from typing import Any, get_type_hints

import msgspec
import pytest

from worldsim import build
from worldsim.world import layout
from worldsim.world.colonies import Colony
from worldsim.world.layout import (
    CharacterRecord,
    ColonyRecord,
    TeamRecord,
    TripRecord,
    colony_of,
    team_of,
)
from worldsim.world.people import Character
from worldsim.world.teams import Team, Trip

PAIRS = [
    (Character, CharacterRecord),
    (Trip, TripRecord),
    (Team, TeamRecord),
    (Colony, ColonyRecord),
]


@pytest.mark.parametrize(("living", "record"), PAIRS)
def test_a_record_has_the_fields_of_its_class_in_their_order(living: Any, record: Any) -> None:
    names = [field.name for field in dataclasses.fields(living)]
    assert list(record.__struct_fields__) == names


@pytest.mark.skipif(build() == "compiled", reason="compiled classes do not tell their types")
@pytest.mark.parametrize(("living", "record"), PAIRS)
def test_a_record_has_the_types_of_its_class(living: Any, record: Any) -> None:
    told = get_type_hints(record, vars(layout))
    nested: dict[Any, Any] = {
        CharacterRecord: Character,
        TripRecord: Trip,
    }
    mine = {name: _replaced(kind, nested) for name, kind in told.items()}
    theirs = get_type_hints(living)
    assert {name: str(kind) for name, kind in mine.items()} == {
        name: str(theirs[name]) for name in mine
    }


def _replaced(kind: Any, nested: dict[Any, Any]) -> Any:
    """The type with records in it replaced by what they are of."""
    if kind in nested:
        return nested[kind]
    if getattr(kind, "__args__", None) and str(kind).startswith("list"):
        return list[_replaced(kind.__args__[0], nested)]  # type: ignore[misc]
    if kind == (TripRecord | None):
        return Trip | None
    return kind


def test_a_team_and_a_colony_come_back_as_they_were() -> None:
    people = [Character("ada", "leader", 2, {"planetary": 30.5}, 80)]
    trip = Trip("gather", "r1/s1", 6.5, ["r1"], [6.5], arrived=(720, 0.25))
    team = Team("c/t", "c", "gathering", "gather", 1, people, "r1", [3], [0], trip=trip,
                fallen={"ada": None}, plain=[(3, 8)])  # fmt: skip
    written = msgspec.msgpack.encode(team)
    assert team_of(msgspec.msgpack.decode(written, type=TeamRecord)) == team
    colony = Colony("c", "red", "r1/s1", [5], memory={"turn": 3})
    written = msgspec.msgpack.encode(colony)
    assert colony_of(msgspec.msgpack.decode(written, type=ColonyRecord)) == colony
