"""Other values of the rules' options, found by asking the model what it accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from worldsim.scenario.options import Rules

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

SHARE_CHANGED = 0.12  # so that most of a scenario stays as people know it
LARGEST = 200  # numbers of rules stay small, so that a run does


def random_rules(draw: random.Random) -> dict[str, dict[str, Any]]:
    """Other values for some of the rules' options, each one that its section accepts."""
    return dict(_changes(draw))


def _changes(draw: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, field in Rules.model_fields.items():
        section: Any = field.annotation
        changed = {
            option: draw.choice(values)
            for option, info in section.model_fields.items()
            if draw.random() < SHARE_CHANGED and (values := other_values(section, option, info))
        }
        if changed:
            yield name, changed


def other_values(section: type[BaseModel], option: str, info: FieldInfo) -> list[Any]:
    """What an option may be beside its default."""
    default = info.get_default(call_default_factory=True, validated_data={})
    return [
        value
        for value in _candidates(info.annotation, default)
        if value != default and _accepts(section, option, value)
    ]


def _candidates(annotation: Any, default: Any) -> list[Any]:
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    match default:
        case bool():
            return [True, False]
        case int() | float():
            return _near(default)
        case dict():
            return [{key: value} for key, old in default.items() for value in _others(old, default)]
        case tuple():
            return [[each for each in default if each != left_out] for left_out in default]
        case _:
            return [1, 2, 5, []]


def _others(old: Any, table: dict[Any, Any]) -> list[Any]:
    """What an entry of a table may be: a number near it, or what another entry is."""
    if isinstance(old, int | float):
        return _near(old)
    others: list[Any] = []
    for each in table.values():
        plain = to_jsonable_python(each, by_alias=True, exclude_none=True)
        if each != old and plain not in others:
            others.append(plain)
    return others


def _near(number: float) -> list[int | float]:
    half = number // 2 if isinstance(number, int) else number / 2
    near = [0, half, number - 1, number + 1, number * 2]
    return [type(number)(each) for each in near if each <= max(LARGEST, number)]


def _accepts(section: type[BaseModel], option: str, value: Any) -> bool:
    try:
        section.model_validate({option: value})
    except ValidationError:
        return False
    return True
