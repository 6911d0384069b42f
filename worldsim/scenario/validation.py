"""Layered data against the model: every fault, one a key, in words a person can act on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from worldsim.scenario.expectations import Expectations, choices, words
from worldsim.scenario.faults import (
    Fault,
    KeyPath,
    ScenarioError,
    in_order,
    key_text,
    plain,
    shown,
)
from worldsim.scenario.near import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from worldsim.scenario.layers import Layered

    Finding = tuple[KeyPath, Any, str]  # where, what is given there, what would be right
    Checks = Callable[[Any], Iterable[Finding]]

Model = TypeVar("Model", bound=BaseModel)

ERRORS_READ = 2000
FAULTS_KEPT = 200
KEYS_LISTED = 20
MISSING = "missing"
UNKNOWN = "extra_forbidden"
OF_KEY = "[key]"
PROBLEMS = (
    ("literal_error", "is none of the choices"),
    ("enum", "is none of the choices"),
    ("union_tag_invalid", "is none of the choices"),
    ("string_pattern_mismatch", "has the wrong form"),
    ("too_short", "is too short"),
    ("too_long", "is too long"),
    ("string_too_short", "is too short"),
    ("string_too_long", "is too long"),
    ("greater_than", "is too small"),
    ("less_than", "is too large"),
    ("finite_number", "is not a finite number"),
)


class Wrong(NamedTuple):
    """An error of pydantic, put where it stands in the data.

    Attributes:
        path: The key path in the data, without the branches of unions.
        kind: pydantic's type of error.
        of_key: Whether the key itself is wrong.
        message: What a validator of the model says; None where pydantic itself refuses.
    """

    path: KeyPath
    kind: str
    of_key: bool
    message: str | None


def validated(model: type[Model], layered: Layered, checks: Checks) -> Model:
    """The data as the model, when neither the model nor the checks find fault.

    Args:
        model: The outermost model.
        layered: Data with the places of its keys, and the faults of reading it.
        checks: Looks at a valid scenario for what the model cannot see, such as names of things
            that are not there.

    Raises:
        ScenarioError: with all faults.
    """
    faults = list(layered.faults)
    unsaid = 0
    try:
        scenario = model.model_validate(layered.data)
    except ValidationError as error:
        wrongs = _wrongs(error, layered)
        unsaid = max(0, len(wrongs) - FAULTS_KEPT, error.error_count() - ERRORS_READ)
        wrongs = wrongs[:FAULTS_KEPT]
        expected = Expectations(model)
        faults += [_fault(wrong, layered, expected) for wrong in wrongs]
        if not unsaid and not layered.partial:
            faults += _further(model, layered, expected, wrongs, checks)
    else:
        if not layered.partial:
            faults += [found_fault(each, layered) for each in checks(scenario)]
        if not faults:
            return scenario
    raise ScenarioError(in_order(_one_a_place(faults)), unsaid)


def found_fault(finding: Finding, layered: Layered) -> Fault:
    """What a check finds in a valid scenario, as a fault with its place."""
    path, given, cure = finding
    at, value = _follow(path, layered.data)
    there = at == path and type(value) is type(given) and value == given
    of_key = not there and bool(path) and given == path[-1]
    described = isinstance(given, str) and not there and not of_key  # such as "7 weights"
    return Fault(
        layered.origins.place(path, of_key=of_key),
        key_text(path),
        "does not fit",
        plain(given) if described else shown(given),
        cure,
    )


def _one_a_place(faults: list[Fault]) -> list[Fault]:
    """One fault for each key: reading says best what is wrong, the model what would be right."""
    kept: dict[tuple[Any, str], Fault] = {}
    for fault in faults:
        first = kept.setdefault((fault.place, fault.key), fault)
        if first is not fault and fault.cure is not None and not fault.problem.endswith("key"):
            kept[fault.place, fault.key] = replace(first, cure=fault.cure)
    return list(kept.values())


def _wrongs(error: ValidationError, layered: Layered) -> list[Wrong]:
    """The errors of pydantic, one a key, without those that only follow from deeper ones."""
    by_path: dict[KeyPath, Wrong] = {}
    for details in error.errors(include_url=False)[:ERRORS_READ]:
        wrong = _wrong(details, layered.data)
        if wrong.kind == MISSING and layered.partial:
            continue
        if wrong.path not in by_path or wrong.message is not None:
            by_path[wrong.path] = wrong
    above = {path[:length] for path in by_path for length in range(len(path))}
    return [wrong for path, wrong in by_path.items() if wrong.message or path not in above]


def _wrong(details: Any, data: Any) -> Wrong:
    kind, context = details["type"], details.get("ctx", {})
    *location, last = details["loc"] or ("",)
    path, holder = _follow(location, data)
    if last == OF_KEY:
        return Wrong(path, kind, True, None)
    if kind == MISSING and isinstance(holder, list):
        return Wrong(path, "too_short", False, None)
    if kind in (MISSING, UNKNOWN):
        return Wrong((*path, last), kind, kind == UNKNOWN, None)
    path, _ = _follow(details["loc"], data)
    if kind.startswith("union_tag"):
        tag = str(context["discriminator"]).strip("'")
        found = kind == "union_tag_invalid"
        return Wrong((*path, tag), kind if found else MISSING, False, None)
    own = kind in ("value_error", "assertion_error")
    return Wrong(path, kind, False, str(context.get("error", "")) if own else None)


def _follow(location: Iterable[str | int], data: Any) -> tuple[KeyPath, Any]:
    """Go along a location of pydantic, passing over the names of union branches."""
    path: KeyPath = ()
    for part in location:
        if isinstance(part, int):
            inside = isinstance(data, list) and part < len(data)
        else:
            inside = isinstance(data, dict) and part in data
        if inside:
            data, path = data[part], (*path, part)
    return path, data


def _fault(wrong: Wrong, layered: Layered, expected: Expectations) -> Fault:
    path, data = wrong.path, layered.data
    place = layered.origins.place(path, of_key=wrong.of_key)
    key = key_text(path)
    if wrong.kind == MISSING:
        table = layered.origins.place(path[:-1], of_key=True)
        return Fault(table, key, "is missing", cure=words(expected.at(path, data)) or None)
    given = shown(_follow(path, data)[1])
    if wrong.kind == UNKNOWN or wrong.of_key:
        known = expected.keys(path[:-1], data)
        names = ", ".join(known[:KEYS_LISTED]) + (", ..." if len(known) > KEYS_LISTED else "")
        right = f"one of: {names}" if known else expected.key_words(path[:-1], data)
        problem = "is not a known key" if known else "is not usable as a key"
        return Fault(place, key, problem, given, right or None, nearest(path[-1], known))
    if wrong.message is not None:
        return Fault(place, key or "scenario", "is wrong", given, plain(wrong.message, 400))
    nodes = expected.at(path, data)
    problem = next((says for kind, says in PROBLEMS if wrong.kind.startswith(kind)), "")
    near = nearest(_follow(path, data)[1], choices(nodes))
    cure = words(nodes) or None
    return Fault(place, key, problem or "has the wrong type", given, cure, near)


def _further(
    model: type[Model],
    layered: Layered,
    expected: Expectations,
    wrongs: list[Wrong],
    checks: Checks,
) -> list[Fault]:
    """What the checks find beside the faults, once these are mended as they were likely meant.

    Findings about the mended keys themselves are left out. When the data cannot be mended, the
    checks have to wait until the faults are gone.
    """
    for wrong in wrongs:
        _mend(wrong, layered.data, expected)
    try:
        scenario = model.model_validate(layered.data)
    except ValidationError:
        return []
    mended = [wrong.path for wrong in wrongs]
    return [
        found_fault(each, layered)
        for each in checks(scenario)
        if not any(_related(each[0], path) for path in mended)
    ]


def _mend(wrong: Wrong, data: Any, expected: Expectations) -> None:
    """Put the likely meaning in place of a fault: a near name, else the default."""
    path = wrong.path
    while path and isinstance(path[-1], int):
        path = path[:-1]
    holder_path, holder = _follow(path[:-1], data)
    if not path or holder_path != path[:-1] or not isinstance(holder, dict):
        return
    name = path[-1]
    value = holder.get(name)
    near = nearest(value, choices(expected.at(path, data)))
    if near is not None:
        holder[name] = near
        return
    holder.pop(name, None)
    meant = nearest(name, expected.keys(path[:-1], data)) if wrong.of_key else None
    if meant is not None:
        holder.setdefault(meant, value)


def _related(one: KeyPath, other: KeyPath) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
