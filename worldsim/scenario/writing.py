"""A scenario as text and as a name: resolved TOML, digest, JSON Schema."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import tomli_w

if TYPE_CHECKING:
    from pydantic import BaseModel

FREE_OF_DIGEST = (("campaign", "days"), ("campaign", "seed"), ("record",))
DIALECT = "https://json-schema.org/draft/2020-12/schema"
LAYER_KEYS: dict[str, Any] = {
    "extends": {
        "type": "string",
        "description": "another file of the kind, on which this one is laid; relative to this file",
    },
    "catalogue": {
        "description": "TOML files whose tables are laid under this one's",
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
    },
}


def resolved_toml(scenario: BaseModel) -> str:
    """The scenario with every default and override written out: it loads to an equal scenario."""
    return tomli_w.dumps(plain_data(scenario))


def digest(scenario: BaseModel) -> str:
    """SHA-256, in hex, of all that decides what happens: not of days, seed and what is recorded."""
    data = plain_data(scenario, exclude_none=False)
    for *tables, last in FREE_OF_DIGEST:
        holder = data
        for name in tables:
            holder = holder.get(name, {})
        holder.pop(last, None)
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """A JSON Schema for editors, of one file of a scenario, or of a study.

    A file may leave to the files it extends what a whole scenario must have, so nothing is
    required of the outermost tables.
    """
    schema = _without_null(model.model_json_schema(by_alias=True))
    schema.pop("required", None)
    for field in schema["properties"].values():
        name = str(field.get("$ref", "")).rpartition("/")[2]
        schema.get("$defs", {}).get(name, {}).pop("required", None)
    schema["properties"] = {**LAYER_KEYS, **schema["properties"]}
    return {"$schema": DIALECT, **schema}


def _without_null(node: Any) -> Any:
    """A part of a schema in which nothing may be null: TOML has none, a key is absent instead.

    So an editor names the key that is wrong, not the table in which it may be absent.
    """
    if isinstance(node, list):
        return [_without_null(each) for each in node]
    if not isinstance(node, dict):
        return node
    found = {name: _without_null(each) for name, each in node.items()}
    if found.get("default", ...) is None:
        del found["default"]
    kinds = [each for each in found.pop("anyOf", ()) if each != {"type": "null"}]
    if len(kinds) == 1:
        return kinds[0] | found
    return found | ({"anyOf": kinds} if kinds else {})


def plain_data(scenario: BaseModel, *, exclude_none: bool = True) -> dict[str, Any]:
    """The tables as TOML or JSON would hold them."""
    return scenario.model_dump(mode="json", by_alias=True, exclude_none=exclude_none)
