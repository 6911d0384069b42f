"""Every number of the rules is read: change it, and something else happens."""

from __future__ import annotations

import copy
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from pydantic import ValidationError
from worlds import differs, world

from worldsim.scenario.model import Scenario
from worldsim.scenario.options import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

Path: TypeAlias = tuple[str | int, ...]

WORLDS = ("harsh", "calm", "rivals")
"""In the last one teams of several factions meet: there alone are battles."""
ABSENT: dict[Path, tuple[int, ...]] = {
    ("fatigue", "max_away"): (1, 2),
    ("dice", "pool_cap"): (1, 3),
}
"""Numbers that are absent by default."""


def numbers(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of all numbers below a value."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from numbers(each, (*path, key))
    elif isinstance(value, list):
        for i, each in enumerate(value):
            yield from numbers(each, (*path, i))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path


@cache
def plain(name: str) -> dict[str, Any]:
    """A world as it would stand in a file."""
    data: dict[str, Any] = world(name).model_dump(mode="json", by_alias=True, exclude_none=True)
    return data


def at(rules: Any, path: Path) -> Any:
    for key in path:
        rules = rules[key]
    return rules


def candidates(value: float) -> list[float]:
    """Other values, most telling first; those out of limits are refused by the model."""
    if isinstance(value, int):
        return [0, value + 3, 100, 1, value + 1, value - 1, value * 10, 6, 20]
    return [0.0, value * 3, value + 30.0, 1.0, value / 2, value + 0.2]


def changed(name: str, path: Path, value: float) -> Scenario | None:
    """The world with one number changed, or None if that is out of its limits."""
    data = copy.deepcopy(plain(name))
    holder = at(data["rules"], path[:-1])
    if isinstance(holder, dict) and path[-1] not in holder:
        holder[path[-1]] = value
    elif holder[path[-1]] == value:
        return None
    else:
        holder[path[-1]] = value
    try:
        return Scenario.model_validate(data)
    except ValidationError:
        return None


def is_read(path: Path) -> bool:
    """Whether some other value of a number changes one of the worlds."""
    tries = {
        name: ABSENT.get(path) or candidates(at(plain(name)["rules"], path)) for name in WORLDS
    }
    order = WORLDS[::-1] if path[0] == "battle" else WORLDS
    for values in zip(*(tries[name] for name in order), strict=True):
        for name, value in zip(order, values, strict=True):
            other = changed(name, path, value)
            if other is not None and differs(name, other):
                return True
    return False


def keys_of(section: str) -> list[Path]:
    rules = plain("calm")["rules"]
    absent = [path for path in ABSENT if path[0] == section]
    return [(section, *path) for path in numbers(rules[section])] + absent


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("section", list(Rules.model_fields))
def test_every_number_of_a_section_changes_what_happens(section: str, every: int) -> None:
    some = keys_of(section)[::every]
    unread = [".".join(map(str, path)) for path in some if not is_read(path)]
    assert unread == []


def test_the_search_for_numbers_finds_those_in_tables_and_arrays_too() -> None:
    found = {path for section in Rules.model_fields for path in keys_of(section)}
    assert len(found) > 180
    assert {
        ("gathering", "presence", "rare"), ("reserves", "bands", 1, 0), ("dice", "pool_cap"),
        ("teams", "profiles", "scouting", "dice", "speed"), ("dice", "extra_dice", 4, 1),
        ("survival", "climates", "arid", "heat", "difficulty"),
    } <= found  # fmt: skip


def test_a_world_does_not_differ_from_itself() -> None:
    for name in WORLDS:
        assert not differs(name, world(name))
