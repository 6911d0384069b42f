"""The options of the rulebook, as the scenario's own tables describe them."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, get_args, get_origin

from pydantic import BaseModel

from worldsim.scenario.faults import shown
from worldsim.scenario.model import Scenario
from worldsim.scenario.study_model import StudyFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic.fields import FieldInfo

VARIANT = "effect"  # the key that says which of several tables it is
ANY_NAME = "NAME"  # stands for a key the user chooses
LIMITS = {
    "minimum": "from {}",
    "exclusiveMinimum": "above {}",
    "maximum": "to {}",
    "exclusiveMaximum": "below {}",
}
KINDS = {
    "object": "table",
    "integer": "whole number",
    "boolean": "true | false",
    "string": "text",
}


@dataclass(frozen=True, slots=True)
class Option:
    """A key of a scenario that changes a rule.

    Attributes:
        key: Its path, such as ``rules.gathering.one_success_cost``.
        default: As one would write it.
        values: What it may be.
        says: What it changes.
    """

    key: str
    default: str
    values: str
    says: str

    def as_json(self) -> dict[str, str]:
        """The option as plain data."""
        return asdict(self)


def options_of(rule: str) -> list[Option]:
    """The options of one rule: those marked with it, and those whose description names it."""
    return [
        _option(key, field, schema)
        for key, field, schema in _keys(Scenario, "")
        if rule in _rules_of(field)
    ]


def options_by_rule() -> dict[str, int]:
    """How many options each rule has."""
    counts: dict[str, int] = {}
    for _, field, _ in _keys(Scenario, ""):
        for rule in _rules_of(field):
            counts[rule] = counts.get(rule, 0) + 1
    return counts


def _keys(table: type[BaseModel], path: str) -> Iterator[tuple[str, FieldInfo, dict[str, Any]]]:
    """Each key below a table, with its field and its part of the JSON schema."""
    schema = table.model_json_schema()["properties"]
    for name, field in table.model_fields.items():
        key = field.alias or name
        yield path + key, field, schema[key]
        for within, inner in _tables(field.annotation, path + key):
            yield from _keys(inner, f"{within}.")


def _tables(annotation: Any, path: str) -> Iterator[tuple[str, type[BaseModel]]]:
    """The tables inside a field's type: alone, in arrays, or under names."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield path + _variant(annotation), annotation
        return
    inner = f"{path}.{ANY_NAME}" if get_origin(annotation) is dict else path
    for part in get_args(annotation):
        yield from _tables(part, inner)


def _variant(table: type[BaseModel]) -> str:
    """What tells apart the tables that may stand in one place: ``(health)``."""
    field = table.model_fields.get(VARIANT)
    return "" if field is None else f"({'|'.join(get_args(field.annotation))})"


def _rules_of(field: FieldInfo) -> set[str]:
    extra = field.json_schema_extra
    marked = {str(extra["rule"])} if isinstance(extra, dict) and "rule" in extra else set()
    return marked | set(re.findall(r"\b[A-Z]+-[0-9]+\b", field.description or ""))


def _option(key: str, field: FieldInfo, schema: dict[str, Any]) -> Option:
    if field.is_required():
        default = "(required)"
    else:
        value = _plain(field.get_default(call_default_factory=True))
        default = "absent" if value is None else shown(value)
    return Option(key, default, _values(schema), field.description or _about(field))


def _about(field: FieldInfo) -> str:
    """What the table in a field says of itself, without its own heading."""
    for _, table in _tables(field.annotation, ""):
        first = (table.__doc__ or "").partition("\n")[0]
        return re.sub(r"^``[^`]*``:\s*", "", first).rstrip(".")
    return ""


def _plain(value: Any) -> Any:
    """Tables and tuples as one would write them."""
    match value:
        case BaseModel():
            return value.model_dump(exclude_defaults=True)
        case dict():
            return {name: _plain(item) for name, item in value.items()}
        case tuple():
            return [_plain(item) for item in value]
        case _:
            return value


def _values(schema: dict[str, Any]) -> str:
    """What a JSON schema allows, in few words."""
    if "enum" in schema or "const" in schema:
        return " | ".join(str(value) for value in schema.get("enum", [schema.get("const")]))
    parts = [part for part in schema.get("anyOf", []) if part.get("type") != "null"]
    if parts:
        return " or ".join(dict.fromkeys(filter(None, map(_values, parts))))
    limits = [text.format(schema[name]) for name, text in LIMITS.items() if name in schema]
    kind = schema.get("type", "object")
    return " ".join([KINDS.get(kind, kind), *limits])


def scenario_markdown() -> str:
    """Every key of a scenario as a Markdown table; ``NAME`` is a key of one's own."""
    return _markdown(Scenario)


def study_markdown() -> str:
    """Every key of a study file, likewise."""
    return _markdown(StudyFile)


def _markdown(file: type[BaseModel]) -> str:
    lines = ["| key | default | values | meaning |", "| --- | --- | --- | --- |"]
    for key, field, schema in _keys(file, ""):
        option = _option(key, field, schema)
        cells = (f"`{option.key}`", f"`{option.default}`", option.values, option.says)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)
