"""Every reading that a scenario can name has a test that says what it changes."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from worldsim.scenario.model import Colony, Mission, Planet
from worldsim.scenario.options import Rules
from worldsim.scenario.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parents[1]
ALSO_NAMED = {
    # Numbers for which the rulebook names a further reading.
    "rules.dice.pool_cap=5",
    "rules.teams.gatherer_weight=4",
    "rules.fatigue.max_away=1",
}


def choices(annotation: Any) -> list[Any]:
    """What a field can be told, if that is a short list."""
    if annotation is bool:
        return [True, False]
    return list(get_args(annotation)) if get_origin(annotation) is Literal else []


def written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def readings(model: type[Table], path: str) -> Iterator[str]:
    """``section.option=value`` for each choice of a table that is not its default."""
    yield from (each for each, default in all_choices(model, path) if not default)


def all_choices(model: type[Table], path: str) -> Iterator[tuple[str, bool]]:
    """``section.option=value`` for each choice of a table, and whether it is the default."""
    for name, field in model.model_fields.items():
        if name == "kind":
            continue  # what a mission is, not how a rule is read
        for value in choices(field.annotation):
            yield f"{path}.{name}={written(value)}", value == field.default


def tables() -> Iterator[tuple[type[Table], str]]:
    """The tables that hold readings, with the path of their keys."""
    yield from ((Planet, "planet"), (Colony, "colonies"), (Mission, "missions"))
    for name, field in Rules.model_fields.items():
        section = field.annotation
        assert isinstance(section, type)
        assert issubclass(section, Table)
        yield section, f"rules.{name}"


def all_readings() -> set[str]:
    """Every choice that is not the default, and the numbers the rulebook names."""
    return {each for table in tables() for each in readings(*table)} | ALSO_NAMED


@cache
def marked_readings() -> set[str]:
    """The arguments of every ``pytest.mark.reading`` below ``tests``."""
    marked: set[str] = set()
    for file in TESTS.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if "mark.reading(" not in text:
            continue  # parsing takes long
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.reading":
                marked |= {each.value for each in node.args if isinstance(each, ast.Constant)
                           and isinstance(each.value, str)}  # fmt: skip
    return marked


def test_every_reading_that_is_not_the_default_has_a_test() -> None:
    assert all_readings() - marked_readings() == set()


def test_a_mark_names_an_option_that_there_is_and_a_value_it_can_have() -> None:
    keys = {f"{path}.{name}" for model, path in tables() for name in model.model_fields}
    choices_of = {each for table in tables() for each, _ in all_choices(*table)}
    with_choices = {each.partition("=")[0] for each in choices_of}
    for mark in marked_readings():
        key, equals, value = mark.partition("=")
        assert key in keys, mark
        assert equals, mark
        assert value, mark
        assert key not in with_choices or mark in choices_of, mark


def test_the_search_for_readings_finds_choices_and_switches() -> None:
    found = all_readings()
    assert len(found) > 30
    assert {
        "rules.gathering.one_success_cost=0", "rules.survival.upkeep=true", "planet.shape=tree",
        "rules.gathering.hard_limit=false", "colonies.worn_teams=reform",
        "missions.eases_sector=true",
    } <= found  # fmt: skip
    assert "rules.gathering.one_success_cost=1" not in found
