"""A world that fails is made small: what can be left out, while it fails in the same way, is.

All chance is keyed by names, so what is left out moves nobody else's dice, and most of a failing
world falls away.
"""

from __future__ import annotations

import time
import tomllib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import tomli_w
from pydantic import ValidationError

from worldsim.scenario.checks import cross_checks
from worldsim.scenario.model import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from soaking.watching import Case, Failure, Seen

Path: TypeAlias = tuple[str | int, ...]

SECONDS = 60.0
FIXED = {"schema", "seed", "name", "id"}
"""Keys whose numbers and texts say nothing of size."""


@dataclass(slots=True)
class Shrunk:
    """A case that fails, and how; smaller from step to step.

    Attributes:
        tried: How many smaller ones were lived through.
    """

    case: Case
    failure: Failure
    tried: int = 0


def is_scenario(data: dict[str, Any]) -> bool:
    """Whether the data have the form of a scenario, and their parts fit together."""
    try:
        return not cross_checks(Scenario.model_validate(data))
    except ValidationError:
        return False


def shrink(
    case: Case,
    failure: Failure,
    watch: Callable[[Case], Seen],
    *,
    seconds: float = SECONDS,
    fits: Callable[[dict[str, Any]], bool] = is_scenario,
) -> Shrunk:
    """Make a failing case small, in about so many seconds at most.

    Args:
        case: It fails.
        failure: How; the small one fails in the same kind of way.
        watch: Tells how a case fails.
        seconds: After these the smallest so far is taken.
        fits: Whether something is a scenario at all: much cheaper to ask than what is wrong.
    """
    found = Shrunk(case, failure)
    until = time.monotonic() + seconds
    before = None
    while before != found.case:
        before = found.case
        for smaller in _steps(found):
            if time.monotonic() > until:
                return found
            if fits(tomllib.loads(smaller.text)):
                _try(smaller, found, watch)
    return found


def _try(smaller: Case, found: Shrunk, watch: Callable[[Case], Seen]) -> None:
    found.tried += 1
    failure = watch(smaller).failure
    if failure is not None and failure.kind == found.failure.kind:
        found.case, found.failure = smaller, failure


def _steps(found: Shrunk) -> Iterator[Case]:
    """Smaller cases than the one found so far, which changes meanwhile."""
    if found.case.on_disk:
        yield replace(found.case, on_disk=False)
    if found.case.midnights:
        yield replace(found.case, midnights=())
    if found.failure.day < found.case.days:
        yield found.case.shorter(max(1, found.failure.day))
    yield from _fewer_days(found)
    for path in list(_paths(_data(found))):
        yield from _changed(found, path, _without)
    for path in list(_numbers(_data(found))):
        for smaller in (_one, _half):
            yield from _changed(found, path, smaller)


def _fewer_days(found: Shrunk) -> Iterator[Case]:
    for part in (2, 4):
        days = found.case.days - found.case.days // part
        if days < found.case.days:
            yield found.case.shorter(days)
    for midnight in found.case.midnights:
        if len(found.case.midnights) > 1:
            yield replace(found.case, midnights=(midnight,))
        if midnight > 1:
            yield replace(found.case, midnights=(midnight // 2,))


def _data(found: Shrunk) -> dict[str, Any]:
    return tomllib.loads(found.case.text)


def _paths(data: Any, above: Path = ()) -> Iterator[Path]:
    """What could be left out: whole tables first, then what is in them, lists from their end."""
    keys: list[Any] = list(data) if isinstance(data, dict) else list(range(len(data)))[::-1]
    yield from ((*above, key) for key in keys)
    for key in keys:
        if isinstance(data[key], dict | list):
            yield from _paths(data[key], (*above, key))


def _numbers(data: Any, above: Path = ()) -> Iterator[Path]:
    items: Any = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        if isinstance(value, dict | list):
            yield from _numbers(value, (*above, key))
        elif isinstance(value, int) and value > 1 and key not in FIXED:
            yield (*above, key)


def _changed(found: Shrunk, path: Path, change: Callable[[Any, str | int], bool]) -> Iterator[Case]:
    """The case found with something changed in its scenario, if it is still there."""
    data = _data(found)
    holder: Any = data
    for key in path[:-1]:
        holder = _inside(holder, key)
    if _inside(holder, path[-1]) is not None and change(holder, path[-1]):
        yield replace(found.case, text=tomli_w.dumps(data))


def _inside(holder: Any, key: str | int) -> Any:
    if isinstance(holder, dict):
        return holder.get(str(key))
    if isinstance(holder, list) and isinstance(key, int) and key < len(holder):
        return holder[key]
    return None


def _without(holder: Any, key: str | int) -> bool:
    del holder[key]
    return True


def _one(holder: Any, key: str | int) -> bool:
    changes = bool(holder[key] > 1)
    holder[key] = 1
    return changes


def _half(holder: Any, key: str | int) -> bool:
    changes = bool(holder[key] > 2)
    holder[key] //= 2
    return changes
