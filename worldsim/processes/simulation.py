"""A run in memory: it founds the world, starts the processes and takes them from day to day."""

from __future__ import annotations

from typing import TYPE_CHECKING

import simpy

from worldsim.chance import Chance
from worldsim.errors import UnfitScenarioError
from worldsim.events.journal import MINUTES_A_DAY, Journal
from worldsim.events.kinds import (
    CampaignStarted,
    CampaignStopped,
    ColonyFounded,
    InterventionEnded,
    InterventionMade,
    ReserveAdjusted,
    ReserveFounded,
    TeamFormed,
)
from worldsim.processes.away_team import away_team
from worldsim.processes.calendar import calendar
from worldsim.processes.colony import colony_process
from worldsim.processes.contest import start_battle
from worldsim.processes.context import Context
from worldsim.processes.office import Office
from worldsim.processes.policies import find_policy
from worldsim.processes.roster import COLONIES, TEAMS
from worldsim.processes.stall import Watch
from worldsim.scenario import digest
from worldsim.world.build import build
from worldsim.world.state import packed, restore, revise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from worldsim.events.kinds import DiceRolled, Event, Level
    from worldsim.processes.policies import Choose
    from worldsim.scenario.interventions import Turn
    from worldsim.scenario.model import Scenario
    from worldsim.world.colonies import Colony
    from worldsim.world.teams import Team
    from worldsim.world.world import World


class Simulation:
    """A campaign, one day at a time.

    Args:
        scenario: What to simulate.
        seed: Of all chance.
        write: Takes the lines of the event log, a day's at once.
        level: Lowest level of events written; the scenario's if None.
        on_event: Called with every event, written or not.
        state: What `state` said at some midnight of a simulation of this scenario and seed: it
            goes on from there, as if it had never stopped. Nothing is founded.
        before: The scenario that left the state, if it is another one, of the same map and
            people: what follows from the rules is worked out anew.

    Attributes:
        world: Its state.
        journal: Its log.
        day: Days that have ended.

    Raises:
        InputError: the scenario cannot be built: its map, a colony's site, a policy's name.
        UnfitStateError: the state does not belong to this scenario.
    """

    def __init__(
        self,
        scenario: Scenario,
        *,
        seed: int,
        write: Callable[[bytes], None],
        level: Level | None = None,
        on_event: Callable[[Event | DiceRolled], None] | None = None,
        state: bytes | None = None,
        before: Scenario | None = None,
    ) -> None:
        chance = Chance(seed)
        self.scenario, self.seed = scenario, seed
        policies, self.world = _made_of(scenario, chance)
        seq = 0
        if state is not None:
            founded = self.world.teams
            seq = restore(self.world, state, joined=before is not None)
            if before is not None:
                revise(self.world, before, founded)
        self._env = simpy.Environment(self.world.day * MINUTES_A_DAY)
        self.journal = Journal(
            write,
            level=level or scenario.record.level,
            on_event=on_event,
            seq=seq,
            t=self.world.day * MINUTES_A_DAY,
        )
        self.context = Context(self._env, self.world, chance, self.journal)
        offices = [
            Office(self.context, colony, given, choose)
            for colony, given, choose in zip(
                self.world.colonies, scenario.colonies, policies, strict=True
            )
        ]
        self._watch = Watch(self._env, self.context)
        if state is None:
            self._found()
        self._start(offices)

    @property
    def day(self) -> int:
        """Days that have ended."""
        return self.world.day

    def advance(self) -> None:
        """Simulate one more day, to its midnight.

        Raises:
            UnbalancedError: the books do not balance (RES-6).
            BrokenPolicyError: a policy failed.
            StalledError: nothing can happen any more, or time stands still.
        """
        day = self.world.day + 1
        try:
            self._watch.live_until(day * MINUTES_A_DAY)
            self.world.day = day
            condition = self.stopped()
            if condition is not None:
                self.journal.record(CampaignStopped, cause=None, condition=condition)
        finally:
            self.journal.flush()  # a run that fails keeps its last lines
        self.world.balance()

    def state(self) -> bytes:
        """All that changes, as data (MessagePack): what a checkpoint holds."""
        return packed(self.world, self.journal.seq)

    def turn(self, turn: Turn) -> None:
        """Record what is different from this midnight on, as events of the coming day.

        What is taken out of the ground is booked as lost, what is added as regrown (RES-6).

        Raises:
            UnfitStockError: stock of a place or ingredient that is not there, or out of range.
        """
        world, record = self.world, self.journal.record
        cause: int | None = None
        for name in turn.ended:
            record(InterventionEnded, cause=None, intervention=name)
        for name in turn.made:
            cause = record(InterventionMade, cause=None, intervention=name)
        self._found_colonies([each for each in world.colonies if each.cause is None], cause)
        self._form_teams([each for each in world.teams if each.cause is None])
        for place, amounts in turn.stocks.items():
            by = {name: world.adjust(place, name, units) for name, units in amounts.items()}
            record(
                ReserveAdjusted, cause=cause, place=place,
                removed={name: -units for name, units in by.items() if units < 0},
                added={name: units for name, units in by.items() if units > 0},
            )  # fmt: skip

    def stopped(self) -> str | None:
        """The condition of ``[campaign.stop]`` that holds at this midnight, if one does."""
        stop = self.scenario.campaign.stop
        if stop is None:
            return None
        world = self.world
        for name, share in stop.left.items():
            i = world.ingredients.index(name)
            left, first = (
                sum(row[i] for row in rows)
                for rows in (world.reserves.left, world.reserves.initial)
            )
            if left <= share * first:
                return f"left.{name} = {share:g}"
        for name, units in stop.stored.items():
            i = world.ingredients.index(name)
            if sum(colony.store[i] for colony in world.colonies) >= units:
                return f"stored.{name} = {units}"
        return None

    def _found(self) -> None:
        """The events of day 0: what there is before anybody acts."""
        world, record = self.world, self.journal.record
        self.journal.day = 0
        start = record(
            CampaignStarted, cause=None, campaign=self.scenario.campaign.name, seed=self.seed,
            digest=digest(self.scenario),
        )  # fmt: skip
        for place, row in zip(world.places, world.reserves.initial, strict=True):
            stock = world.amounts({i: units for i, units in enumerate(row) if units})
            record(
                ReserveFounded, cause=start, place=place.id, region=place.region, pool=place.pool,
                stock=stock,
            )  # fmt: skip
        self._found_colonies(world.colonies, start)
        self._form_teams(world.teams)
        self.journal.turn_to(0)
        self.journal.flush()

    def _found_colonies(self, colonies: Sequence[Colony], cause: int | None) -> None:
        world = self.world
        for colony in colonies:
            store = world.amounts({i: units for i, units in enumerate(colony.store) if units})
            colony.cause = self.journal.record(
                ColonyFounded, cause=cause, colony=colony.id, faction=colony.faction,
                sector=colony.sector, store=store,
            )  # fmt: skip

    def _form_teams(self, teams: Sequence[Team]) -> None:
        for team in teams:
            team.cause = self.journal.record(
                TeamFormed, cause=self.world.home[team.id].cause, team=team.id, colony=team.colony,
                profile=team.profile, members=[each.name for each in team.members],
            )  # fmt: skip

    def _start(self, offices: list[Office]) -> None:
        """Start the processes: the calendar last, so that everybody waits when it first turns."""
        env, context = self._env, self.context
        for office in offices:
            context.roster.enlist(env.process(colony_process(office)), COLONIES, office.colony.id)
        for battle in self.world.contests.battles.values():
            start_battle(context, battle, paused=True)
        for team in self.world.teams:
            context.roster.enlist(env.process(away_team(context, team)), TEAMS, team.id)
        env.process(calendar(context))


def _made_of(scenario: Scenario, chance: Chance) -> tuple[list[Choose], World]:
    """The policies of the colonies, and the world.

    Raises:
        UnfitScenarioError: with all that is wrong with either.
    """
    faults: list[UnfitScenarioError] = []
    policies: list[Choose] = []
    for number, colony in enumerate(scenario.colonies):
        try:
            policies.append(find_policy(colony.policy, number))
        except UnfitScenarioError as fault:
            faults.append(fault)
    try:
        world = build(scenario, chance)
    except UnfitScenarioError as fault:
        faults.append(fault)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise UnfitScenarioError(*(finding for fault in faults for finding in fault.findings))
    return policies, world
