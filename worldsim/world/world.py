"""The world: everything that is true at one instant, and the few ways in which it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from worldsim.rules.teams import unit_weight
from worldsim.world.contests import Contests, Relations
from worldsim.world.ledger import UnfitStockError, column_sums
from worldsim.world.rulebook import Rulebook
from worldsim.world.teams import living

if TYPE_CHECKING:
    from worldsim.chance import Chance
    from worldsim.scenario.model import Scenario
    from worldsim.world.atlas import Atlas, Route
    from worldsim.world.colonies import Colony
    from worldsim.world.ledger import Ledger
    from worldsim.world.people import Character
    from worldsim.world.reserves import Reserves
    from worldsim.world.teams import Team
    from worldsim.world.weather import Climate, Sky


HOWS = ("gather", "hunt", "supply", "find")
"""How units are taken from the ground: on purpose, to eat (``supply``), or by chance."""
TAKING = ("day", "team", "mission", "how", "place", "ingredient", "units", "effort")
"""What a taking is, in this order: all numbers. Teams, missions, ways, places and ingredients are
told by their positions; -1 for the ingredient of the one row that a phase has for its effort.
"""
NO_INGREDIENT: Final = -1


class World:
    """All state of a run, and the map it stands on.

    Attributes:
        scenario: What it was made from, and ``rules`` its rules, quick to read.
        ingredients: Ids; their order is that of every list of units.
        edible: Positions of what can be eaten.
        atlas, reserves, ledger: The map, the stock, the books.
        places: Of the reserves, and ``index`` their positions by id.
        colonies, teams: In the order of the scenario; ``home`` the colony of each team by id.
        sky: Today's weather of each region.
        eased: What construction took from a sector's difficulty (ACT-4), and ``built`` the
            successes towards the next point.
        contests: Who controls what, and the battles that go on.
        relations: How factions stand to each other.
        day: Days that have ended.
        taken: Units gathered or hunted this year, by ingredient.
        takings: Since somebody cleared them, one after another, each as ``TAKING`` says.
    """

    def __init__(
        self, scenario: Scenario, atlas: Atlas, reserves: Reserves, ledger: Ledger,
        colonies: list[Colony], teams: list[Team], climates: dict[str, Climate],
    ) -> None:  # fmt: skip
        self.scenario = scenario
        self.rules = Rulebook(scenario.rules)
        self.atlas = atlas
        self.reserves = reserves
        self.ledger = ledger
        nodes = atlas.graph.nodes
        wildlife = self.rules.survival.wildlife_chance
        self._difficulties: dict[str, int] = {node: nodes[node]["difficulty"] for node in nodes}
        self._climate_of = {region: climates[nodes[region]["climate"]] for region in atlas.regions}
        self._wildlife = {
            region: float(nodes[region].get("wildlife", wildlife)) for region in atlas.regions
        }
        self.ingredients = [each.id for each in scenario.ingredients]
        kinds = set(self.rules.survival.edible)
        self.edible = [i for i, each in enumerate(scenario.ingredients) if each.kind in kinds]
        self.unit_weights = unit_weights(scenario)
        self.places = reserves.places
        self.index = {place.id: i for i, place in enumerate(self.places)}
        self.people(colonies, teams)
        self.sky: dict[str, Sky] = {}
        self.eased: dict[str, int] = {}
        self.built: dict[str, int] = {}
        self.contests = Contests()
        self.relations = Relations(scenario)
        self.day = 0
        self.takings: list[int] = []
        self.taken = [0] * len(self.ingredients)
        self._mission = {name: i for i, name in enumerate(scenario.missions)}
        self._how = {name: i for i, name in enumerate(HOWS)}
        self._routes: dict[tuple[str, str], Route] = {}

    def people(self, colonies: list[Colony], teams: list[Team]) -> None:
        """Let these colonies and teams be those of the world."""
        self.colonies = colonies
        self.teams = teams
        site = {colony.id: colony for colony in colonies}
        self.home = {team.id: site[team.colony] for team in teams}
        self._number = {team.id: i for i, team in enumerate(teams)}

    def route(self, start: str, end: str) -> Route:
        """The shortest way between two sectors; worked out once."""
        route = self._routes.get((start, end))
        if route is None:
            route = self._routes[start, end] = self.atlas.route(start, end)
        return route

    def place_difficulty(self, place: str) -> int:
        """Survival difficulty of a region or sector, without the weather (SURV-1)."""
        return self._difficulties[place] - self.eased.get(place, 0)

    def wildlife_chance(self, place: str) -> float:
        """Daily chance to meet wildlife in a place's region (SURV-6)."""
        return self._wildlife[self.atlas.region_of[place]]

    def turn_weather(self, day: int, chance: Chance) -> list[str]:
        """Draw today's weather of every region; the regions in which it differs."""
        changed: list[str] = []
        for region in self.atlas.regions:
            climate = self._climate_of[region]
            sky = climate.on(region, day, chance)
            if self.sky.get(region) != sky:
                self.sky[region] = sky
                changed.append(region)
        return changed

    def remember_week(self) -> None:
        """Keep who sits where: what next week calls the week before.

        Rule DAY-2 [B].
        """
        control = self.contests.control
        self.contests.last_week = {
            team.id: team.place
            for team in self.teams
            if team.status in {"on_site", "in_battle"}
            and team.place in control
            and control[team.place].faction == self.home[team.id].faction
        }

    def adjust(self, place: str, ingredient: str, units: int) -> int:
        """Let there be other units in the ground; how many more there are now.

        Rule RES-6 [us]: what is taken away counts as lost, what is added as regrown.

        Raises:
            UnfitStockError: there is no such place or ingredient, or units are below 0 or above
                what was there at the start.
        """
        self.check_stock(place, ingredient, units)
        p, i = self.index[place], self.ingredients.index(ingredient)
        row = self.reserves.left[p]
        by = units - row[i]
        if by:
            row[i] = units
            self.reserves.changed[p * self.reserves.width + i] = None
            account = self.ledger.regrown if by > 0 else self.ledger.lost
            account[i] += abs(by)
        return by

    def check_stock(self, place: str, ingredient: str, units: int) -> None:
        """Refuse units that cannot be in the ground.

        Raises:
            UnfitStockError: there is no such place or ingredient, or units are below 0 or above
                what was there at the start.
        """
        if place not in self.index or ingredient not in self.ingredients:
            raise UnfitStockError(place, ingredient, units, None)
        most = self.reserves.initial[self.index[place]][self.ingredients.index(ingredient)]
        if not 0 <= units <= most:
            raise UnfitStockError(place, ingredient, units, most)

    def controls(self, team: Team, sector: str) -> bool:
        """Whether a team's faction controls a sector (BAT-17)."""
        held = self.contests.control.get(sector)
        return held is not None and held.faction == self.home[team.id].faction

    def note_taking(
        self, day: int, team: Team, how: str, place: int, ingredient: int | None, units: int,
        effort: int,
    ) -> None:  # fmt: skip
        """Remember who took what.

        Args:
            day: Today.
            team: Who.
            how: One of ``HOWS``.
            place: Its position.
            ingredient: Its position; none in the one row a phase has for its effort.
            units: Taken.
            effort: Gathering Limit of the phase, in the row without ingredient; else 0.
        """
        what = NO_INGREDIENT if ingredient is None else ingredient
        mission = self._mission[team.away.mission]
        self.takings += [
            day, self._number[team.id], mission, self._how[how], place, what, units, effort
        ]  # fmt: skip

    def load(self, team: Team, ingredient: int, units: int) -> None:
        """Put units that were taken from the ground into a team's cargo."""
        team.cargo[ingredient] += units
        team.load += units * self.unit_weights[ingredient]

    def lose(self, team: Team, ingredient: int, units: int) -> None:
        """Units of a team's cargo are gone (RES-6: lost)."""
        team.cargo[ingredient] -= units
        team.load -= units * self.unit_weights[ingredient]
        self.ledger.lost[ingredient] += units

    def lose_all(self, team: Team) -> dict[int, int]:
        """All that a team carries is gone; the units by ingredient."""
        gone: dict[int, int] = {}
        for goods in (team.cargo, team.rations):
            for ingredient, units in enumerate(goods):
                if units:
                    goods[ingredient] = 0
                    self.ledger.lost[ingredient] += units
                    gone[ingredient] = gone.get(ingredient, 0) + units
        team.load = 0
        return gone

    def amounts(self, units: dict[int, int]) -> dict[str, int]:
        """Units by ingredient id, for events."""
        if not units:
            return {}
        names = self.ingredients
        return {names[i]: n for i, n in units.items()}

    def living(self, team: Team) -> list[Character]:
        """The members of a team who are not dead."""
        return living(team, self.rules.characters.health)

    def balance(self) -> None:
        """Check the books (RES-6).

        Raises:
            UnbalancedError: some ingredient does not add up.
        """
        width = len(self.ingredients)
        carried = column_sums([g for t in self.teams for g in (t.cargo, t.rations)], width)
        stored = column_sums([colony.store for colony in self.colonies], width)
        ground = column_sums(self.reserves.left, width)
        self.ledger.check(self.day, ground=ground, carried=carried, stored=stored)


def unit_weights(scenario: Scenario) -> list[int]:
    """Points a unit of each ingredient weighs.

    Rule TEAM-8 [P].
    """
    rules = scenario.rules.teams
    weights: list[int] = []
    for each in scenario.ingredients:
        if each.unit_weight is not None:
            weights.append(each.unit_weight)
        elif each.kind == "cargo":
            weights.append(rules.cargo_weight)
        else:
            weights.append(unit_weight(each.weight, rules.weight_step))
    return weights
