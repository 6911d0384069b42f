"""From a scenario to the world of its first morning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.errors import UnfitScenarioError
from worldsim.world.atlas import Atlas, MapError, checked, generate, parse
from worldsim.world.colonies import Colony
from worldsim.world.ledger import Ledger, column_sums
from worldsim.world.people import crew_members, people_of
from worldsim.world.reserves import lay_out
from worldsim.world.rulebook import Rulebook
from worldsim.world.teams import Team, refresh, settle_base
from worldsim.world.weather import Climate
from worldsim.world.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.chance import Chance
    from worldsim.scenario import model


class UnreachableError(UnfitScenarioError):
    """A colony stands, or is to work, where no way leads."""


def build(scenario: model.Scenario, chance: Chance) -> World:
    """The world as it is before the first dawn.

    Rule MAP-1 [us].

    Raises:
        MapError: the map file is no map.
        UnreachableError: a colony's sector or target is not on the map, or no way leads there.
    """
    atlas = lay_atlas(scenario, chance)
    _check_climates(scenario, atlas)
    sites = _sites(scenario, atlas, chance)
    reserves = lay_out(scenario, atlas, chance)
    colonies = [_colony(each, site, scenario) for each, site in zip(
        scenario.colonies, sites, strict=True)]  # fmt: skip
    teams = [
        team
        for each, colony in zip(scenario.colonies, colonies, strict=True)
        for team in _teams(each, colony, scenario, chance)
    ]
    width = len(scenario.ingredients)
    ground = column_sums(reserves.initial, width)
    stored = column_sums([colony.store for colony in colonies], width)
    initial = [a + b for a, b in zip(ground, stored, strict=True)]
    ledger = Ledger([each.id for each in scenario.ingredients], initial)
    climates = {name: Climate(each) for name, each in scenario.rules.survival.climates.items()}
    return World(scenario, atlas, reserves, ledger, colonies, teams, climates)


def lay_atlas(scenario: model.Scenario, chance: Chance) -> Atlas:
    """The map: of the scenario's file, or made.

    Rule MAP-1 [us].

    Raises:
        MapError: the map file is no map.
    """
    planet = scenario.planet
    if planet.map is not None and planet.map_text is not None:
        return Atlas(parse(planet.map_text, planet.map))
    return Atlas(checked(generate(planet, chance)))


def _check_climates(scenario: model.Scenario, atlas: Atlas) -> None:
    """Refuse a map file that names a climate nobody has described."""
    known = scenario.rules.survival.climates
    for region in atlas.regions:
        climate = atlas.graph.nodes[region]["climate"]
        if climate not in known:
            right = f"one of {', '.join(known)}, or add it to rules.survival.climates"
            raise MapError(f"region {region!r} has climate {climate!r}", right)


def _sites(scenario: model.Scenario, atlas: Atlas, chance: Chance) -> list[str]:
    """Where each colony stands: as given, else drawn among the sectors nobody has."""
    given = {colony.sector for colony in scenario.colonies}
    sites: list[str] = []
    faults: list[tuple[tuple[str | int, ...], str, str]] = []
    for number, colony in enumerate(scenario.colonies):
        site = colony.sector
        if site is None:
            own = {*(colony.targets or ()), *(line.target for line in colony.script)}
            taken = given | own | set(sites)
            free = [sector for sector in atlas.sectors if sector not in taken]
            if not free:
                path = ("colonies", number, "sector")
                raise UnreachableError((path, "no sector is free", "add some"))
            site = free[int(next(chance.at("site", colony.id, 0)) * len(free))]
        faults += _unreached(number, colony, site, atlas)
        sites.append(site)
    if faults:
        raise UnreachableError(*faults)
    return sites


def _unreached(
    number: int, colony: model.Colony, site: str, atlas: Atlas
) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Sectors that are not on the map, and targets to which no way leads."""
    known = set(atlas.sectors)
    wanted: list[tuple[tuple[str | int, ...], str]] = [(("sector",), site)]
    wanted += [(("targets", i), sector) for i, sector in enumerate(colony.targets or ())]
    wanted += [(("script", i, "target"), line.target) for i, line in enumerate(colony.script)]
    for key, sector in wanted:
        path = ("colonies", number, *key)
        if sector not in known:
            near = ", ".join(atlas.sectors[:5])
            yield path, f"sector {sector!r} is not on the map", f"it has {near}, …"
        elif site in known and not atlas.reaches(site, sector):
            cure = "join their regions by an edge"
            yield path, f"no way leads from {site!r} to {sector!r}", cure


def _colony(given: model.Colony, site: str, scenario: model.Scenario) -> Colony:
    store = [given.stores.get(each.id, 0) for each in scenario.ingredients]
    return Colony(given.id, given.faction or given.id, site, store)


def _teams(
    given: model.Colony, colony: Colony, scenario: model.Scenario, chance: Chance
) -> Iterator[Team]:
    width = len(scenario.ingredients)
    rules = Rulebook(scenario.rules)
    for each in given.teams:
        members = list(each.members)
        if each.crew is not None:
            members += crew_members(each.crew, [member.name for member in members])
        for name in each.names():
            key = f"{given.id}/{name}"
            team = Team(
                id=key,
                colony=given.id,
                profile=each.profile,
                mission=each.mission,
                vehicles=each.vehicles,
                cards=list(each.cards),
                members=people_of(key, members, rules.characters, chance),
                place=colony.sector,
                cargo=[0] * width,
                rations=[0] * width,
            )
            refresh(team, rules)
            settle_base(team, rules)
            yield team
