"""A run as an object-centric event log, OCEL 2.0: as JSON, and as a SQLite database.

The standard is that of https://www.ocel-standard.org/2.0. A campaign begins on 1 January 2000, 0:00
UTC, and each of its minutes is one.
"""

from __future__ import annotations

import json
import re
from contextlib import closing
from typing import TYPE_CHECKING, Any

from worldsim.views.exports.log import as_json
from worldsim.views.exports.objects import (
    FIRST,
    OBJECT_ATTRIBUTES,
    TYPES,
    ObjectLog,
    event_attributes,
)
from worldsim.views.exports.sqlite import batches, fresh

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from worldsim.runs import Run
    from worldsim.views.exports.log import Told
    from worldsim.views.exports.objects import Happening, Relation, Thing

SQL_TYPES = {"integer": "INTEGER", "float": "REAL", "boolean": "BOOLEAN", "string": "TEXT"}
BASE = """
CREATE TABLE event_map_type (ocel_type TEXT PRIMARY KEY, ocel_type_map TEXT);
CREATE TABLE object_map_type (ocel_type TEXT PRIMARY KEY, ocel_type_map TEXT);
CREATE TABLE event (ocel_id TEXT PRIMARY KEY,
    ocel_type TEXT REFERENCES event_map_type (ocel_type));
CREATE TABLE object (ocel_id TEXT PRIMARY KEY,
    ocel_type TEXT REFERENCES object_map_type (ocel_type));
CREATE TABLE event_object (ocel_event_id TEXT REFERENCES event (ocel_id),
    ocel_object_id TEXT REFERENCES object (ocel_id), ocel_qualifier TEXT,
    PRIMARY KEY (ocel_event_id, ocel_object_id, ocel_qualifier));
CREATE TABLE object_object (ocel_source_id TEXT REFERENCES object (ocel_id),
    ocel_target_id TEXT REFERENCES object (ocel_id), ocel_qualifier TEXT,
    PRIMARY KEY (ocel_source_id, ocel_target_id, ocel_qualifier));
"""


def write_ocel_json(run: Run, path: Path, on_events: Told | None = None) -> dict[str, int]:
    """Write the log as JSON, event by event.

    Returns:
        How many ``events``, ``objects``, ``event_object`` and ``object_object`` relations, and
        ``rolls_left_out``.
    """
    source = ObjectLog(run, on_events)
    counts = _counts()
    with path.open("w", encoding="utf-8") as file:
        file.write('{"events": [')
        file.writelines(_listed(_event_json(each, counts) for each in source.events()))
        source.link()
        file.write('],\n"objects": [')
        file.writelines(_listed(_object_json(*each, counts) for each in source.objects.items()))
        file.write('],\n"eventTypes": ')
        json.dump([_type(kind, event_attributes(kind)) for kind in _kinds(source)], file)
        file.write(',\n"objectTypes": ')
        json.dump([_type(kind, OBJECT_ATTRIBUTES[kind]) for kind in _types(source)], file)
        file.write("}\n")
    return counts | {"rolls_left_out": source.log.rolls}


def write_ocel_sqlite(run: Run, path: Path, on_events: Told | None = None) -> dict[str, int]:
    """Write the log as a database, some thousands of events at a time.

    Returns:
        As of `write_ocel_json`.

    Raises:
        sqlite3.Error: it could not be written.
    """
    source = ObjectLog(run, on_events)
    counts = _counts()
    with closing(fresh(path)) as connection:
        connection.executescript(BASE)
        shapes: dict[str, dict[str, str]] = {}
        for batch in batches(source.events()):
            _insert_events(connection, batch, shapes, counts)
        source.link()
        for kind in _types(source):
            things = {k: t for k, t in source.objects.items() if t.type == kind}
            _insert_objects(connection, kind, things, counts)
        links = [(key, *each) for key, thing in source.objects.items() for each in thing.relations]
        _relate(connection, "object_object", links, counts)
        connection.commit()
    return counts | {"rolls_left_out": source.log.rolls}


def _counts() -> dict[str, int]:
    return {"events": 0, "objects": 0, "event_object": 0, "object_object": 0}


def _kinds(source: ObjectLog) -> list[str]:
    """Kinds of events that occur, in the order in which they did first."""
    return [kind for kind in source.log.counts if kind != "dice.rolled"]


def _types(source: ObjectLog) -> list[str]:
    there = {thing.type for thing in source.objects.values()}
    return [each for each in TYPES if each in there]


def _type(name: str, attributes: Mapping[str, str]) -> dict[str, Any]:
    return {"name": name, "attributes": [{"name": n, "type": t} for n, t in attributes.items()]}


def _listed(documents: Iterable[dict[str, Any]]) -> Iterator[str]:
    """JSON documents as the elements of a list, each on a line of its own."""
    before = "\n"
    for each in documents:
        yield before + as_json(each)
        before = ",\n"


def _event_json(event: Happening, counts: dict[str, int]) -> dict[str, Any]:
    counts["events"] += 1
    counts["event_object"] += len(event.relations)
    return {
        "id": event.id,
        "type": event.type,
        "time": event.time,
        "attributes": [{"name": n, "value": v} for n, v in event.attributes.items()],
        "relationships": _relationships(event.relations),
    }


def _object_json(key: str, thing: Thing, counts: dict[str, int]) -> dict[str, Any]:
    counts["objects"] += 1
    counts["object_object"] += len(thing.relations)
    return {
        "id": key,
        "type": thing.type,
        "attributes": [{"name": n, "time": FIRST, "value": v} for n, v in thing.attributes.items()],
        "relationships": _relationships(thing.relations),
    }


def _relationships(relations: list[Relation]) -> list[dict[str, str]]:
    return [{"objectId": each.object, "qualifier": each.qualifier} for each in relations]


def table_name(kind: str) -> str:
    """What stands for a type in the names of tables."""
    return re.sub(r"[^A-Za-z0-9]", "_", kind)


def _insert_events(
    connection: sqlite3.Connection,
    batch: list[Happening],
    shapes: dict[str, dict[str, str]],
    counts: dict[str, int],
) -> None:
    by_type: dict[str, list[tuple[Any, ...]]] = {}
    for event in batch:
        if event.type not in shapes:
            shapes[event.type] = event_attributes(event.type)
            _make_type(connection, "event", event.type, shapes[event.type])
        row = (event.id, event.time, *map(event.attributes.get, shapes[event.type]))
        by_type.setdefault(event.type, []).append(row)
    plain = [(event.id, event.type) for event in batch]
    connection.executemany("INSERT INTO event VALUES (?, ?)", plain)
    for kind, rows in by_type.items():
        marks = ", ".join("?" * len(rows[0]))
        table = f"event_{table_name(kind)}"
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - ours
    relations = [(event.id, *each) for event in batch for each in event.relations]
    _relate(connection, "event_object", relations, counts)
    counts["events"] += len(batch)


def _make_type(
    connection: sqlite3.Connection, of: str, kind: str, attributes: Mapping[str, str]
) -> None:
    """Make the table of a type of events or objects, and tell of it."""
    mapped = table_name(kind)
    connection.execute(f"INSERT INTO {of}_map_type VALUES (?, ?)", (kind, mapped))  # noqa: S608
    columns = [f"ocel_id TEXT PRIMARY KEY REFERENCES {of} (ocel_id)", "ocel_time TIMESTAMP"]
    if of == "object":
        columns.append("ocel_changed_field TEXT")
    columns += [f'"{name}" {SQL_TYPES[type_]}' for name, type_ in attributes.items()]
    connection.execute(f"CREATE TABLE {of}_{mapped} ({', '.join(columns)})")


def _insert_objects(
    connection: sqlite3.Connection, kind: str, things: Mapping[str, Thing], counts: dict[str, int]
) -> None:
    shape = OBJECT_ATTRIBUTES[kind]
    _make_type(connection, "object", kind, shape)
    marks = ", ".join("?" * (3 + len(shape)))
    connection.executemany("INSERT INTO object VALUES (?, ?)", [(key, kind) for key in things])
    rows = [(key, FIRST, None, *map(thing.attributes.get, shape)) for key, thing in things.items()]
    connection.executemany(f"INSERT INTO object_{kind} VALUES ({marks})", rows)  # noqa: S608
    counts["objects"] += len(rows)


def _relate(
    connection: sqlite3.Connection,
    table: str,
    relations: list[tuple[str, str, str]],
    counts: dict[str, int],
) -> None:
    connection.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", relations)  # noqa: S608
    counts[table] += len(relations)
