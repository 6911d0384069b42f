"""What no single key can tell: that the parts of a scenario fit together."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from worldsim.scenario.near import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from worldsim.scenario.model import Colony, Scenario

KeyPath: TypeAlias = tuple[str | int, ...]
Finding: TypeAlias = tuple[KeyPath, Any, str]
"""Where, what is given there, what would be right."""

MOST_TEAMS = 20_000
MOST_PEOPLE = 100_000
MOST_CELLS = 5_000_000


def cross_checks(scenario: Scenario) -> list[Finding]:
    """Everything that is wrong between the tables of a scenario whose keys are right by themselves.

    Returns:
        One finding for each fault: key path, what is given, what would be right.
    """
    return [
        *_twice(scenario),
        *_counts(scenario),
        *_stores_and_missions(scenario),
        *_people(scenario),
        *_tables(scenario),
        *_orders_of_numbers(scenario),
        *_weights(scenario),
        *_sites(scenario),
        *_cards(scenario),
        *_relations(scenario),
        *_quotas_and_stop(scenario),
        *_dated(scenario),
    ]


def _quotas_and_stop(scenario: Scenario) -> Iterator[Finding]:
    ingredients = [each.id for each in scenario.ingredients]
    what = "the id of an ingredient"
    for name in scenario.quotas:
        yield from _known(("quotas", name), name, ingredients, what)
    stop = scenario.campaign.stop
    if stop is not None:
        for key in ("left", "stored"):
            for name in getattr(stop, key):
                yield from _known(("campaign", "stop", key, name), name, ingredients, what)


def _dated(scenario: Scenario) -> Iterator[Finding]:
    if scenario.interventions:
        from worldsim.scenario.interventions import intervention_checks  # noqa: PLC0415 - seldom

        yield from intervention_checks(scenario, cross_checks)


def _doubles(path: KeyPath, ids: Iterable[str], key: str = "id") -> Iterator[Finding]:
    seen: dict[str, int] = {}
    for i, each in enumerate(ids):
        if each in seen:
            yield (*path, i, key), each, f"a name of its own: number {seen[each] + 1} has it"
        seen.setdefault(each, i)


def _twice(scenario: Scenario) -> Iterator[Finding]:
    yield from _doubles(("ingredients",), (each.id for each in scenario.ingredients))
    yield from _doubles(("wildlife",), (each.id for each in scenario.wildlife))
    yield from _doubles(("colonies",), (each.id for each in scenario.colonies))
    yield from _doubles(("cards",), (each.id for each in scenario.cards))
    for name, table in scenario.event_tables.items():
        yield from _doubles(("event_tables", name), (each.id for each in table))
    for c, colony in enumerate(scenario.colonies):
        names = Counter(name for team in colony.teams for name in team.names())
        yield from _doubles(("colonies", c, "teams"), (each.id for each in colony.teams))
        for t, team in enumerate(colony.teams):
            path: KeyPath = ("colonies", c, "teams", t)
            if team.count > 1 and any(names[name] > 1 for name in team.names()):
                yield (*path, "id"), team.id, "names id_1, id_2, … that no other team has"
            yield from _doubles((*path, "members"), (each.name for each in team.members), "name")


def _counts(scenario: Scenario) -> Iterator[Finding]:
    teams = sum(team.count for colony in scenario.colonies for team in colony.teams)
    if teams > MOST_TEAMS:
        yield ("colonies",), f"{teams} teams", f"at most {MOST_TEAMS} in all"
    people = sum(
        team.count * (len(team.members) + (team.crew.size if team.crew else 0))
        for colony in scenario.colonies
        for team in colony.teams
    )
    if people > MOST_PEOPLE:
        yield ("colonies",), f"{people} people", f"at most {MOST_PEOPLE} in all"
    if scenario.planet.map is None:
        places = scenario.planet.regions * (1 + scenario.planet.sectors_per_region)
        cells = places * len(scenario.ingredients)
        if cells > MOST_CELLS:
            given = f"{places} places of {len(scenario.ingredients)} ingredients"
            yield ("planet", "regions"), given, f"at most {MOST_CELLS} in all"


def _known(path: KeyPath, given: str, names: Iterable[str], what: str) -> Iterator[Finding]:
    listed = list(names)
    if given not in listed:
        near = nearest(given, listed)
        yield path, given, f'{what}; did you mean "{near}"?' if near else what


def _stores_and_missions(scenario: Scenario) -> Iterator[Finding]:
    ingredients = [each.id for each in scenario.ingredients]
    missions = list(scenario.missions)
    for c, colony in enumerate(scenario.colonies):
        for name in colony.stores:
            path: KeyPath = ("colonies", c, "stores", name)
            yield from _known(path, name, ingredients, "the id of an ingredient")
        for t, team in enumerate(colony.teams):
            path = ("colonies", c, "teams", t, "mission")
            yield from _known(path, team.mission, missions, "the name of a table of [missions]")
        yield from _script(c, colony, missions)
    for name, mission in scenario.missions.items():
        for i, each in enumerate(mission.priority):
            path = ("missions", name, "priority", i)
            yield from _known(path, each, ingredients, "the id of an ingredient")


def _script(c: int, colony: Colony, missions: list[str]) -> Iterator[Finding]:
    teams = [name for team in colony.teams for name in team.names()]
    for i, line in enumerate(colony.script):
        path: KeyPath = ("colonies", c, "script", i)
        yield from _known((*path, "team"), line.team, teams, "the id of a team of this colony")
        if line.target == colony.sector:
            yield (*path, "target"), line.target, "another sector than the colony's own"
        elif colony.targets is not None:
            what = "one of the colony's targets"
            yield from _known((*path, "target"), line.target, colony.targets, what)
        if line.mission is not None:
            what = "the name of a table of [missions]"
            yield from _known((*path, "mission"), line.mission, missions, what)


def _people(scenario: Scenario) -> Iterator[Finding]:
    skills = list(scenario.rules.characters.skills)
    for attribute, names in scenario.rules.teams.attributes.items():
        for i, name in enumerate(names):
            path: KeyPath = ("rules", "teams", "attributes", attribute, i)
            yield from _known(path, name, skills, "a skill of [rules.characters.skills]")
    for c, colony in enumerate(scenario.colonies):
        for t, team in enumerate(colony.teams):
            path = ("colonies", c, "teams", t)
            if not team.members and team.crew is None:
                yield path, "nobody", "[[colonies.teams.members]], or crew = {size = 5}"
            for m, member in enumerate(team.members):
                for table in ("skills", "training", "investment"):
                    for name in getattr(member, table):
                        key = (*path, "members", m, table, name)
                        yield from _known(key, name, skills, "a skill of [rules.characters.skills]")


def _tables(scenario: Scenario) -> Iterator[Finding]:
    for i, name in enumerate(scenario.rules.travel.tables or ()):
        path: KeyPath = ("rules", "travel", "tables", i)
        yield from _known(path, name, scenario.event_tables, "the name of an event table")
    climates = scenario.rules.survival.climates
    for i, name in enumerate(scenario.planet.climates):
        what = "a climate of [rules.survival.climates]"
        yield from _known(("planet", "climates", i), name, climates, what)
    for name, weathers in climates.items():
        if sum(each.weight for each in weathers.values()) <= 0:
            path = ("rules", "survival", "climates", name)
            yield path, "no weather", "at least one weather of a weight above 0"


def _orders_of_numbers(scenario: Scenario) -> Iterator[Finding]:
    rules = scenario.rules
    survival = rules.survival
    if survival.easiest > survival.hardest:
        path: KeyPath = ("rules", "survival", "easiest")
        yield path, survival.easiest, f"at most hardest = {survival.hardest}"
    if survival.vanishes_to > survival.hurt_to:
        path = ("rules", "survival", "vanishes_to")
        yield path, survival.vanishes_to, f"at most hurt_to = {survival.hurt_to}"
    if survival.hurt_to > survival.lost_die:
        path = ("rules", "survival", "hurt_to")
        yield path, survival.hurt_to, f"at most lost_die = {survival.lost_die}"
    if rules.reserves.poor_at > rules.reserves.rich_at:
        path = ("rules", "reserves", "poor_at")
        yield path, rules.reserves.poor_at, f"at most rich_at = {rules.reserves.rich_at}"
    for name, (low, high) in rules.characters.levels.items():
        if not 0 <= low <= high:
            path = ("rules", "characters", "levels", name)
            yield path, [low, high], "[lowest, highest], from 0 on"
    if any(a[0] <= b[0] for a, b in pairwise(rules.reserves.bands)):
        yield ("rules", "reserves", "bands"), "not descending", "the highest share first"
    if any(a[0] >= b[0] for a, b in pairwise(rules.dice.extra_dice)):
        yield ("rules", "dice", "extra_dice"), "not ascending", "the lowest value first"


def _weights(scenario: Scenario) -> Iterator[Finding]:
    planet = scenario.planet
    weights = planet.region_weights
    path: KeyPath = ("planet", "region_weights")
    if weights and planet.map is None and len(weights) != planet.regions:
        yield path, f"{len(weights)} weights", f"one for each of the {planet.regions} regions"
    if weights and sum(weights) <= 0:
        yield path, "no weight above 0", "at least one weight above 0"


def _sites(scenario: Scenario) -> Iterator[Finding]:
    taken: dict[str, int] = {}
    for c, colony in enumerate(scenario.colonies):
        if colony.sector in taken:
            other = scenario.colonies[taken[colony.sector]].id
            path: KeyPath = ("colonies", c, "sector")
            yield path, colony.sector, f"a sector of its own: {other!r} stands there"
        if colony.sector is not None:
            taken.setdefault(colony.sector, c)
        for i, target in enumerate(colony.targets or ()):
            if target == colony.sector:
                yield ("colonies", c, "targets", i), target, "a sector other than the colony's own"
    if scenario.planet.map is not None:
        return  # only the map knows its sectors: building the world checks them
    for path, sector in named_sectors(scenario):
        region, _, name = sector.partition("/")
        if not (_numbered(region, "r", scenario.planet.regions)
                and _numbered(name, "s", scenario.planet.sectors_per_region)):  # fmt: skip
            last = f"r{scenario.planet.regions}/s{scenario.planet.sectors_per_region}"
            yield path, sector, f"a sector of the generated map: r1/s1 to {last}"


def named_sectors(scenario: Scenario) -> Iterator[tuple[KeyPath, str]]:
    """Every sector that a colony, a target or a script names, with its key path."""
    for c, colony in enumerate(scenario.colonies):
        if colony.sector is not None:
            yield ("colonies", c, "sector"), colony.sector
        for i, target in enumerate(colony.targets or ()):
            yield ("colonies", c, "targets", i), target
        for i, line in enumerate(colony.script):
            yield ("colonies", c, "script", i, "target"), line.target


def _numbered(name: str, letter: str, most: int) -> bool:
    digits = name[1:]
    return (
        name[:1] == letter
        and digits.isascii()
        and digits.isdigit()
        and digits[0] != "0"
        and 1 <= int(digits) <= most
    )


def _cards(scenario: Scenario) -> Iterator[Finding]:
    known = [each.id for each in scenario.cards]
    for c, colony in enumerate(scenario.colonies):
        for t, team in enumerate(colony.teams):
            for i, name in enumerate(team.cards):
                path: KeyPath = ("colonies", c, "teams", t, "cards", i)
                yield from _known(path, name, known, "the id of a table of [[cards]]")
    for i, card in enumerate(scenario.cards):
        if card.health is not None and card.kind != "vehicle":
            path = ("cards", i, "health")
            yield path, card.health, f"nothing: {card.kind} cannot be hit"


def _relations(scenario: Scenario) -> Iterator[Finding]:
    factions = {colony.faction or colony.id for colony in scenario.colonies}
    said: dict[frozenset[str], tuple[int, str]] = {}
    for i, each in enumerate(scenario.relations):
        path: KeyPath = ("relations", i, "between")
        for name in each.between:
            yield from _known(path, name, sorted(factions), "two factions of [[colonies]]")
        pair = frozenset(each.between)
        if len(pair) == 1:
            yield path, list(each.between), "two different factions"
        earlier = said.setdefault(pair, (i, each.relation))
        if earlier[0] != i:
            right = f"nothing more: number {earlier[0] + 1} says {earlier[1]} of these two"
            yield ("relations", i, "relation"), each.relation, right
