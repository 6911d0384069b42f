"""What every process works with: the world, the rules as numbers, chance, and the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.events.kinds import MemberRecovered, ReserveDepleted
from worldsim.processes.befalls import EventTable, cumulative
from worldsim.processes.roster import Roster
from worldsim.rules.characters import conscious, healed
from worldsim.rules.dice import Dice, RecordedDice
from worldsim.rules.gathering import MOST_SUCCESSES, Terms, limit_cost, step
from worldsim.scenario.battle_options import battle_terms
from worldsim.scenario.slots import slotted
from worldsim.world.teams import refresh

if TYPE_CHECKING:
    import simpy

    from worldsim.chance import Chance
    from worldsim.events.journal import Journal
    from worldsim.scenario.model import Mission, Scenario
    from worldsim.world.people import Character
    from worldsim.world.teams import Status, Team
    from worldsim.world.world import World

WILDLIFE_KINDS = frozenset({"meat", "fish"})
PLANT_KINDS = frozenset({"fruit", "vegetable", "wood", "herb"})
TRAVEL_TABLES = ("terrain", "weather", "find")
RARITIES = ("common", "uncommon", "rare", "epic", "legendary")


class Context:
    """One run's world and everything that acts on it.

    Attributes:
        env: SimPy's clock, in minutes.
        rules, planet, missions: Of the scenario, quick to read.
        day: Today, from 1; before a dawn, yesterday.
        order: A number for each colony and team, drawn for today (DAY-3).
        roster: The processes, in the order in which they are woken.
        team, cards: Teams and scenario's cards by id.
        battle_terms: ``[rules.battle]`` as the battle rules take it.
        dawn: The event all processes wait for; the calendar replaces it every day.
        terms: Numbers of a gathering phase, one set for each mission (its priorities differ).
        on_site, on_the_way: Activities of each mission; the latter by status, beside Moving.
        gathers: Whether each mission gathers on site.
        lightest: Points the lightest unit weighs that each mission is after on site.
        quotas: Units of an ingredient after which nobody gathers it until the year is over.
        wanted: Ingredients each activity is after, for each place.
        collecting: What each profile changes when collecting each ingredient, while it counts.
        plain: The same without a profile: nothing.
    """

    def __init__(
        self, env: simpy.Environment, world: World, chance: Chance, journal: Journal
    ) -> None:
        self.env = env
        self.world = world
        self.scenario: Scenario = world.scenario
        self.rules = world.rules
        self.planet = slotted(self.scenario.planet)
        self.missions = {name: slotted(each) for name, each in self.scenario.missions.items()}
        self.chance = chance
        self.journal = journal
        self.day = world.day
        self.order: dict[str, float] = {}
        self.roster = Roster()
        self.team = {team.id: team for team in world.teams}
        self.cards = {card.id: card for card in self.scenario.cards}
        self.battle_terms = battle_terms(self.rules.battle)
        self.dawn = env.event()
        self.tables = {
            name: EventTable(name, entries) for name, entries in self.scenario.event_tables.items()
        }
        names = self.rules.travel.tables
        travel = [self.tables.get(name) for name in (TRAVEL_TABLES if names is None else names)]
        self.travel_tables = [table for table in travel if table and table.entries]
        self.animals = tuple(map(slotted, self.scenario.wildlife))
        self.animal_cuts = cumulative([each.weight for each in self.animals] or [1.0])
        self.terms = {
            name: gathering_terms(world, mission) for name, mission in self.missions.items()
        }
        hunted = {
            i for i, each in enumerate(self.scenario.ingredients) if each.kind in WILDLIFE_KINDS
        }
        grounds = world.reserves.grounds
        self.wanted = {
            "gather": [ground.kinds for ground in grounds],
            "hunt": [[kind for kind in ground.kinds if kind in hunted] for ground in grounds],
        }
        position = {name: i for i, name in enumerate(world.ingredients)}
        self.quotas = {position[name]: units for name, units in self.scenario.quotas.items()}
        self.on_site = {name: on_site(each) for name, each in self.missions.items()}
        self.gathers = {
            name: not {"gather", "hunt"}.isdisjoint(each) for name, each in self.on_site.items()
        }
        self.on_the_way: dict[tuple[str, Status], tuple[str, ...]] = {}
        for name, mission in self.missions.items():
            self.on_the_way[name, "outbound"] = mission.outbound
            self.on_the_way[name, "homeward"] = mission.homeward
        self.lightest = {
            name: self._lightest(activities, hunted) for name, activities in self.on_site.items()
        }
        self.tires_totals = self.rules.fatigue.fatigued_total == "minus_one_die"
        living = WILDLIFE_KINDS | PLANT_KINDS
        self.plain = [0] * len(world.ingredients)
        self.collecting = {
            name: [
                profile.collecting if each.kind in living else 0
                for each in self.scenario.ingredients
            ]
            for name, profile in self.rules.teams.profiles.items()
        }

    def take(self, place: int, ingredient: int, wanted: int) -> int:
        """Take units from the ground; the last unit of its kind there is an event of its own."""
        reserves = self.world.reserves
        taken = reserves.take(place, ingredient, wanted)
        if taken and not reserves.left[place][ingredient]:
            self.journal.record(
                ReserveDepleted, cause=None, place=self.world.places[place].id,
                ingredient=self.world.ingredients[ingredient],
            )  # fmt: skip
        return taken

    def heal(self, team: Team, member: Character, points: int, cause: int | None) -> None:
        """Give a member Health; waking from a coma changes what the team is worth (CHAR-5)."""
        was = member.health
        member.health = healed(was, points, self.rules.characters.health)
        if conscious(member.health) and not conscious(was):
            self.journal.record(
                MemberRecovered, cause=cause, team=team.id, member=member.name,
                health=member.health,
            )  # fmt: skip
            refresh(team, self.rules)

    def _lightest(self, activities: tuple[str, ...], hunted: set[int]) -> int:
        """Points the lightest ingredient weighs that these activities are after; 0 if none is."""
        weights = self.world.unit_weights
        if "gather" in activities:
            return min(weights)
        return min((weights[i] for i in hunted), default=0) if "hunt" in activities else 0

    def mission(self, name: str) -> Mission:
        """A mission of the scenario by name."""
        return self.missions[name]

    def dice(self, purpose: str, entity: str, nth: int = 0) -> Dice:
        """Dice for one purpose of one entity today; recorded where debugging."""
        ready, later = self.chance.parts(purpose, entity, self.day, nth)
        return RecordedDice(later, ready) if self.journal.debugging else Dice(later, ready)

    def explain(self, seq: int, *used: Dice) -> int:
        """Write the rolls made for event ``seq``, if they were recorded; returns ``seq``."""
        if self.journal.debugging:
            rolls = [roll for dice in used if isinstance(dice, RecordedDice) for roll in dice.rolls]
            for n, roll in enumerate(rolls):
                self.journal.roll(
                    seq,
                    n,
                    rule=roll.rule,
                    how=roll.how,
                    pool=roll.pool,
                    difficulty=roll.difficulty,
                    made_of=roll.made_of,
                    draw=roll.draw,
                    faces=list(roll.faces),
                    result=roll.result,
                )
            for dice in used:
                if isinstance(dice, RecordedDice):
                    dice.rolls.clear()
        return seq


def on_site(mission: Mission) -> tuple[str, ...]:
    """What is done at the destination: what the mission lists, else its own kind.

    Rule ACT-2 [P].
    """
    if mission.on_site is not None:
        return mission.on_site
    return () if mission.kind in {"patrol", "strike"} else (mission.kind,)


def gathering_terms(world: World, mission: Mission) -> Terms:
    """The numbers of a gathering phase for one kind of mission.

    Rule GATH-3, GATH-4 [P].
    """
    scenario = world.scenario
    gathering, reserves = scenario.rules.gathering, scenario.rules.reserves
    terms = Terms()
    for each in scenario.ingredients:
        terms.presence.append(gathering.presence.get(each.rarity, 0.0))
        terms.class_size.append(gathering.class_size.get(each.rarity, 1))
        terms.stealth.append(step(each.stealth, gathering.scale_base, gathering.scale_step))
        terms.fragility.append(step(each.fragility, gathering.scale_base, gathering.scale_step))
        if gathering.order == "common_first":
            terms.rank.append(RARITIES.index(each.rarity))
        elif gathering.order == "priority":
            known = each.id in mission.priority
            last = len(mission.priority)
            terms.rank.append(mission.priority.index(each.id) if known else last)
    terms.weight = world.unit_weights
    terms.bands = list(reserves.bands)
    terms.poor = reserves.poor_modifier
    terms.worst = reserves.worst_modifier
    terms.present_die = gathering.present_die
    terms.find_all_at = gathering.find_all_at
    terms.costs = [
        limit_cost(
            successes,
            gathering.miss_cost,
            gathering.one_success_cost,
            gathering.two_success_cost,
            gathering.spare_at,
        )
        for successes in range(MOST_SUCCESSES)
    ]
    terms.nothing = gathering.nothing_in_bag
    terms.min_difficulty = scenario.rules.dice.min_difficulty
    terms.hard_limit = gathering.hard_limit
    terms.destroys = gathering.failed_unit == "destroyed"
    terms.weighs = gathering.limit_by != "number"
    return terms
