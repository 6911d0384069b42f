"""An away team: one SimPy process that lives a day at a time, by the team's explicit state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from worldsim.events.kinds import (
    TeamArrived,
    TeamMoved,
    TeamReturned,
    TeamTurnedBack,
    TeamWaited,
)
from worldsim.processes.befalls import befall, travel_entries
from worldsim.processes.cards import bring_home_fallen
from worldsim.processes.contest import meet
from worldsim.processes.gathering import carry_out
from worldsim.processes.harm import become_lost, tire
from worldsim.processes.survival import endure, meet_wildlife, search
from worldsim.rules.activities import mission_end, turns_back
from worldsim.rules.dice import Pool, with_bonus
from worldsim.rules.teams import SPEED, experience_after
from worldsim.rules.travel import arrival_minute, leg_at, progress
from worldsim.world.teams import USE_SPEED, drain, free_capacity, pools, refresh

if TYPE_CHECKING:
    from collections.abc import Generator

    import simpy

    from worldsim.processes.context import Context
    from worldsim.scenario.model import Mission
    from worldsim.world.teams import Team

Reason = Literal["target_reached", "day_limit", "full", "idle", "situation"]


def away_team(ctx: Context, team: Team) -> Generator[simpy.Event, Any, None]:
    """Live from dawn to dawn until the team is gone.

    Whatever the team is doing is in its state, so the process can be started anew at any midnight.
    """
    while team.status != "gone":
        yield ctx.dawn
        team.tested = team.weary = 0
        if team.status in {"at_colony", "disbanded", "in_battle"}:
            continue  # its colony, or its battle, acts for it
        team.away.days += 1
        if team.status == "lost":
            _be_lost(ctx, team)
        elif _survives(ctx, team):
            if team.status == "on_site":
                _work_on_site(ctx, team)
            else:
                move = Move(ctx, team)
                if move.minute is not None:
                    yield ctx.env.timeout(move.minute)
                move.finish()
            _consider_turning_back(ctx, team)


def _survives(ctx: Context, team: Team) -> bool:
    """The survival phase and wildlife; whether there is a progression phase.

    Rule DAY-1 [P]: the colony fed the team on the day it leaves.
    """
    trip = team.away
    if trip.doomed:
        become_lost(ctx, team, "stranded", team.cause or 0)
        _be_lost(ctx, team)
        return False
    if trip.days > 1:
        endure(ctx, team)
        if team.status in {"lost", "gone"}:
            tire(ctx, team, 1)
            return False
    if not meet_wildlife(ctx, team):
        tire(ctx, team, 1)
        return False
    team.weary = 0  # a phase ends: being Fatigued in it too
    return True


def _be_lost(ctx: Context, team: Team) -> None:
    """A day of being lost (SURV-5); wildlife does not ask who is (SURV-6)."""
    search(ctx, team)
    if team.status != "gone":
        meet_wildlife(ctx, team)
    tire(ctx, team, 1)


class Move:
    """A day's move of a team that is outbound or homeward, and what it does beside it.

    Made at dawn: the total is rolled and the travel tables are drawn. ``finish`` makes it happen,
    at dawn too, or at the ``minute`` of arrival if the team gets there today.

    Args:
        ctx: The run.
        team: Outbound or homeward.
    """

    __slots__ = ("arrives", "beside", "ctx", "dice", "entries", "made", "minute", "outward", "team")

    def __init__(self, ctx: Context, team: Team) -> None:
        trip = team.away
        self.ctx, self.team = ctx, team
        self.outward = team.status == "outbound"
        self.dice = ctx.dice("travel", team.id)
        total = self.dice.total("MOVE-1", speed_pool(ctx, team, home=not self.outward))
        self.entries = travel_entries(ctx, self.dice)
        self.beside = ctx.on_the_way[trip.mission, team.status]
        made = progress(total, 1 + len(self.beside))
        for table, entry in self.entries:
            made += table.progress[entry.id]
        self.made = max(0.0, made)
        remaining = trip.distance - trip.position if self.outward else trip.position
        self.arrives = self.made >= remaining
        self.minute = (
            arrival_minute(remaining, self.made, ctx.rules.travel.march_min)
            if self.arrives
            else None
        )

    def finish(self) -> None:
        """Be where the move ends, meet what befalls, and do the day's other activities.

        Rule MOVE-1, MOVE-2, MOVE-3 [P].
        """
        ctx, team, trip = self.ctx, self.team, self.team.away
        if self.arrives:
            trip.position = trip.distance if self.outward else 0.0
        else:
            trip.position += self.made if self.outward else -self.made
        region = trip.regions[leg_at(trip.position, trip.ends)]
        team.place = region
        seq = self._record(region)
        if (not self.entries or self._befall(region, seq)) and self.beside:
            carry_out(ctx, team, self.beside, region, moving=True)
        tire(ctx, team, 1 + len(self.beside))
        if self.arrives and team.status in {"outbound", "homeward"}:
            if self.outward:
                _arrive(ctx, team, seq)
            else:
                come_home(ctx, team, seq)

    def _record(self, region: str) -> int:
        journal, team, trip = self.ctx.journal, self.team, self.team.away
        if journal.silent:
            return journal.skip()
        seq = journal.note(
            TeamMoved(
                journal.seq, journal.t, journal.day, "info", team.cause,
                team=team.id,
                place=region,
                heading="out" if self.outward else "home",
                progress=self.made,
                travelled=trip.position if self.outward else trip.covered - trip.position,
                distance=trip.distance if self.outward else trip.covered,
            )
        )  # fmt: skip
        return self.ctx.explain(seq, self.dice)

    def _befall(self, region: str, cause: int) -> bool:
        """Let the day's travel events happen; whether the team goes on."""
        return all(
            befall(self.ctx, self.team, table.name, entry, self.dice, region, cause)
            for table, entry in self.entries
        )


def speed_pool(ctx: Context, team: Team, *, home: bool) -> Pool:
    """The pool of a day's move: one die more on the way back, one fewer when Fatigued.

    Rule MOVE-3 [P], FAT-3 [us].
    """
    rules = ctx.rules
    dice = rules.travel.home_dice if home else 0
    if drain(team, SPEED, rules) and ctx.tires_totals:
        dice -= rules.fatigue.fatigued_dice
    return with_bonus(pools(team, rules)[USE_SPEED], dice, rules.dice.pool_cap)


def _arrive(ctx: Context, team: Team, cause: int) -> None:
    """The team stands in its target; the objective starts tomorrow, or today by a reading."""
    trip = team.away
    team.status = "on_site"
    team.place = trip.target
    trip.arrived = (int(ctx.env.now), ctx.order[team.id])
    team.cause = ctx.journal.record(TeamArrived, cause=cause, team=team.id, sector=trip.target)
    if not ctx.world.relations.peaceful:
        meet(ctx, team, team.cause)
    if ctx.rules.travel.carry_surplus and team.status == "on_site":
        _work_on_site(ctx, team, same_day=True)


def _work_on_site(ctx: Context, team: Team, *, same_day: bool = False) -> None:
    """A day at the destination, and perhaps the end of the mission.

    Rule ACT-2, ACT-3 [P].
    """
    trip = team.away
    mission = ctx.mission(trip.mission)
    activities = ctx.on_site[trip.mission]
    gained = 0
    if activities:
        # On the day of arrival, what was done on the way has drawn from the day's streams already.
        before = len(ctx.on_the_way[trip.mission, "outbound"]) if same_day else 0
        gained = carry_out(ctx, team, activities, trip.target, moving=False, before=before)
    else:
        ctx.journal.record(TeamWaited, cause=team.cause, team=team.id, place=trip.target)
    if not same_day:
        tire(ctx, team, max(1, len(activities)))
    trip.site_days += 1
    trip.idle_days = 0 if gained or not activities else trip.idle_days + 1
    if team.status == "on_site":
        reason = _end_of(ctx, team, mission)
        if reason is not None:
            trip.ended = True
            turn_back(ctx, team, reason)


def _end_of(ctx: Context, team: Team, mission: Mission) -> Reason | None:
    trip, rules = team.away, ctx.rules.activities
    colony = ctx.world.home[team.id]
    if mission.kind == "explore" and trip.target in colony.mapped:
        return "target_reached"
    if mission.kind == "strike" and ctx.world.controls(team, trip.target):
        return "target_reached"
    return mission_end(
        units=trip.units,
        successes=trip.successes,
        days=trip.site_days,
        idle=trip.idle_days,
        room=free_capacity(team) >= ctx.lightest[trip.mission],
        target_units=mission.target_units,
        target_successes=mission.target_successes,
        day_limit=mission.day_limit or rules.day_limit,
        idle_days=rules.idle_days,
    )


def _consider_turning_back(ctx: Context, team: Team) -> None:
    """At the end of the day, give up while home can still be reached.

    Rule ACT-3 [us].
    """
    if team.status not in {"outbound", "on_site"} or team.away.doomed:
        return
    rules = ctx.rules.activities
    home = expected_days_home(ctx, team)
    if turns_back(
        team.situation,
        home,
        floor=rules.retreat_floor,
        margin=rules.retreat_margin,
        per_day=rules.retreat_per_day,
    ):
        turn_back(ctx, team, "situation")


def expected_days_home(ctx: Context, team: Team) -> float:
    """Distance to the colony over the mean progress of a day on the way back."""
    trip = team.away
    d6, sides = with_bonus(
        pools(team, ctx.rules)[USE_SPEED], ctx.rules.travel.home_dice, ctx.rules.dice.pool_cap
    )
    mean = 3.5 * d6 + ((sides + 1) / 2 if sides else 0.0)
    return trip.position * (1 + len(ctx.on_the_way[trip.mission, "homeward"])) / mean


def turn_back(ctx: Context, team: Team, reason: Reason) -> None:
    """The way home begins tomorrow, and is as long as the way covered.

    Rule MOVE-3 [P].
    """
    trip = team.away
    team.status = "homeward"
    trip.covered = trip.position
    ctx.world.contests.last_week.pop(team.id, None)
    team.cause = ctx.journal.record(
        TeamTurnedBack, cause=team.cause, team=team.id, place=team.place, reason=reason,
        covered=trip.covered,
    )  # fmt: skip


def come_home(ctx: Context, team: Team, cause: int) -> None:
    """Unload into the store and be at home: resting begins tomorrow.

    Rule MOVE-3 [P], TEAM-9 [D].
    """
    world, trip = ctx.world, team.away
    colony = world.home[team.id]
    delivered = _unload(team.cargo, colony.store)
    rations = _unload(team.rations, colony.store)
    if trip.site_days and ctx.gathers[trip.mission]:
        colony.yields[trip.target] = trip.units
    learned = team.experience
    if trip.ended:
        learned = experience_after(learned, ctx.rules.teams.experience_most)
    team.status, team.place, team.trip = "at_colony", colony.sector, None
    team.load, team.situation, team.since = 0, ctx.rules.survival.situation, ctx.day
    team.tested = team.weary = 0
    if learned != team.experience or team.mouths != len(team.members):
        team.experience = learned
        team.members = world.living(team)
        refresh(team, ctx.rules)
    if team.fallen or team.infirmary:
        bring_home_fallen(ctx, team)
    team.cause = ctx.journal.record(
        TeamReturned,
        cause=cause,
        team=team.id,
        colony=colony.id,
        delivered=world.amounts(delivered),
        rations=world.amounts(rations),
        days_away=trip.days,
        experience=team.experience,
    )


def _unload(goods: list[int], store: list[int]) -> dict[int, int]:
    """Move all units from one list to the other; what was moved, by ingredient."""
    moved = {i: units for i, units in enumerate(goods) if units}
    for ingredient, units in moved.items():
        goods[ingredient] = 0
        store[ingredient] += units
    return moved
