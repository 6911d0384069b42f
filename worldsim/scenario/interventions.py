"""Interventions: what changes on a date. The scenario as it holds on any day."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from worldsim.scenario.model import Scenario
from worldsim.scenario.overrides import item_at, key_parts
from worldsim.scenario.writing import plain_data

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from worldsim.scenario.checks import Finding, KeyPath
    from worldsim.scenario.model import Intervention

CHANGEABLE = re.compile(
    r"rules\.(?!reserves\b|characters\b)[a-z_]+\..+|missions\..+|event_tables\..+|wildlife\..+"
    r"|relations|quotas|quotas\..+|planet\.closed"
    r"|colonies\.\w+\.(policy|targets|at_home|worn_teams|script)(\..+)?"
    r"|colonies\.\w+\.teams\.\w+\.(mission|profile)"
    r"|ingredients\.\w+\.(regrowth|stealth|fragility|rarity)"
)
"""What can change while a world lives: not its map, its people or what was in the ground."""
RIGHT = (
    "a key of rules (but rules.reserves and rules.characters), missions, relations, quotas, "
    "planet.closed, event_tables, wildlife, a colony's policy, targets, script or habits, a team's "
    "mission or profile, or an ingredient's regrowth, stealth, fragility or rarity"
)


class Turn(NamedTuple):
    """A midnight from which on the scenario is another one.

    Attributes:
        midnight: The day that has ended; 0 is before the first.
        before, after: As it holds until then, and from then on.
        made: Names of the interventions that begin.
        ended: Names of those that end.
        stocks: Units set in the ground, by place and ingredient.
    """

    midnight: int
    before: Scenario
    after: Scenario
    made: list[str]
    ended: list[str]
    stocks: dict[str, dict[str, int]]


def turns_of(scenario: Scenario) -> list[Turn]:
    """Every midnight at which an intervention begins or ends, in order."""
    days = {each.day - 1 for each in scenario.interventions}
    days |= {each.until for each in scenario.interventions if each.until is not None}
    turns: list[Turn] = []
    before = in_force(scenario, 0)
    for midnight in sorted(days):
        after = in_force(scenario, midnight + 1)
        begun = [each for each in scenario.interventions if each.day - 1 == midnight]
        ended = [each.name for each in scenario.interventions if each.until == midnight]
        stocks: dict[str, dict[str, int]] = {}
        for each in begun:
            for place, amounts in each.stocks.items():
                stocks.setdefault(place, {}).update(amounts)
        turns.append(Turn(midnight, before, after, [each.name for each in begun], ended, stocks))
        before = after
    return turns


def in_force(scenario: Scenario, day: int) -> Scenario:
    """The scenario as it holds on a day; 0 is the founding.

    Raises:
        ValidationError: an intervention gives a value that its key cannot have.
    """
    begun = [each for each in scenario.interventions if each.day <= day]
    if not begun:
        return scenario
    data = plain_data(scenario)
    for each in begun:
        if each.until is None or day <= each.until:
            for key, value in each.changes.items():
                put(data, key, value)
        for name, teams in each.teams.items():
            colony = next(one for one in data["colonies"] if one["id"] == name)
            colony["teams"] += map(plain_data, teams)
        data["colonies"] += map(plain_data, each.colonies)
    return Scenario.model_validate(data)


def put(data: dict[str, Any], key: str, value: Any) -> None:
    """Write a value at a dotted key; items of lists are named by their id or number.

    Raises:
        KeyError: there is no table or item on the way.
    """
    *way, last = key_parts(key) or (key,)
    holder: Any = data
    for step in way:
        holder = (
            holder.setdefault(step, {})
            if isinstance(holder, dict)
            else holder[_index(holder, step)]
        )
    holder[last if isinstance(holder, dict) else _index(holder, last)] = value


def _index(holder: Any, step: str | int) -> int:
    at = item_at(holder, step) if isinstance(holder, list) else None
    if at is None:
        raise KeyError(step)
    return at


def intervention_checks(
    scenario: Scenario, further: Callable[[Scenario], list[Finding]]
) -> Iterator[Finding]:
    """What is wrong with the interventions of a scenario that is right by itself.

    Args:
        scenario: Which.
        further: Finds what is wrong between the tables of a scenario.
    """
    found = [*_own_faults(scenario)]
    yield from found
    if found:
        return
    for i, each in enumerate(scenario.interventions):
        alone = scenario.model_copy(update={"interventions": (each,)})
        path: KeyPath = ("interventions", i)
        try:
            changed = in_force(alone, each.day)
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_context=False)[0]
            where = ".".join(map(str, wrong["loc"]))
            yield path, where, wrong["msg"]
        except KeyError as missing:
            yield path, missing.args[0], "a key of the scenario"
        else:
            bare = changed.model_copy(update={"interventions": ()})
            for inner, given, right in further(bare):
                where = ".".join(map(str, inner))
                yield path, f"{where} = {given}", right


def _own_faults(scenario: Scenario) -> Iterator[Finding]:
    for i, each in enumerate(scenario.interventions):
        path: KeyPath = ("interventions", i)
        if each.until is not None and each.until < each.day:
            yield (*path, "until"), each.until, f"a day from {each.day} on"
        if not (each.changes or each.stocks or each.teams or each.colonies):
            yield path, each.name, "with something that changes: set, stocks, teams or colonies"
        for key in each.changes:
            if not CHANGEABLE.fullmatch(key):
                yield (*path, "set", key), key, RIGHT
        yield from _unknown_names(scenario, path, each)


def _unknown_names(scenario: Scenario, path: KeyPath, made: Intervention) -> Iterator[Finding]:
    ingredients = [each.id for each in scenario.ingredients]
    for place, amounts in made.stocks.items():
        for name in amounts:
            if name not in ingredients:
                yield (*path, "stocks", place, name), name, "the id of an ingredient"
    colonies = [each.id for each in scenario.colonies]
    for name in made.teams:
        if name not in colonies:
            yield (*path, "teams", name), name, "the id of a colony"
