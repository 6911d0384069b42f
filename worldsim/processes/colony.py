"""A colony: every dawn it feeds, heals and rests its people, and sends out those who are ready."""

from __future__ import annotations

import copy
import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from worldsim.events.kinds import (
    ColonyFed,
    ColonyStarved,
    MemberRecruited,
    TeamContributed,
    TeamDeparted,
    TeamDisbanded,
    TeamReformed,
    TeamRested,
)
from worldsim.processes.policies import BrokenPolicyError, Order, View
from worldsim.rules.day import contribution
from worldsim.rules.fatigue import clamped, ready_to_leave, restored
from worldsim.rules.teams import complete
from worldsim.scenario.model import Member
from worldsim.world.atlas import rolled
from worldsim.world.people import people_of
from worldsim.world.teams import Trip, free_capacity, refresh, see_who_is_fit, settle_base

if TYPE_CHECKING:
    from collections.abc import Generator

    import simpy

    from worldsim.processes.context import Context
    from worldsim.processes.policies import Choose
    from worldsim.scenario import model
    from worldsim.world.colonies import Colony
    from worldsim.world.teams import Team


class Office:
    """What a colony's process needs beside the colony's own state; follows from the scenario.

    Attributes:
        ctx: The run.
        colony: Whose office it is.
        given: The colony's table of the scenario.
        choose: Its policy.
        teams: All its teams.
        targets: Sectors it works, nearest first, equals by name.
    """

    __slots__ = ("choose", "colony", "ctx", "distances", "given", "targets", "teams")

    def __init__(self, ctx: Context, colony: Colony, given: model.Colony, choose: Choose) -> None:
        world = ctx.world
        self.ctx, self.colony, self.given, self.choose = ctx, colony, given, choose
        self.teams = [team for team in world.teams if team.colony == colony.id]
        sectors = given.targets if given.targets is not None else world.atlas.sectors
        self.distances = MappingProxyType({
            sector: world.route(colony.sector, sector).distance
            for sector in sectors
            if sector != colony.sector and world.atlas.reaches(colony.sector, sector)
        })  # fmt: skip
        self.targets = tuple(sorted(self.distances, key=lambda each: (self.distances[each], each)))


def colony_process(office: Office) -> Generator[simpy.Event, Any, None]:
    """Every dawn, before the teams: food, then each team at home in the day's order.

    Rule FAT-8 [D].
    """
    ctx = office.ctx
    while True:
        yield ctx.dawn
        fed = feed(office)
        at_home = [team for team in office.teams if team.status in {"at_colony", "disbanded"}]
        for team in sorted(at_home, key=lambda each: (ctx.order[each.id], each.id)):
            _day_at_home(office, team, fed=fed)


def feed(office: Office) -> bool:
    """Feed the people at home, if the rules ask for it; whether they may recover today.

    Rule SURV-4 [us].
    """
    ctx, colony = office.ctx, office.colony
    rules = ctx.rules.survival
    if not rules.upkeep:
        return True
    people = sum(team.mouths for team in office.teams if team.status in {"at_colony", "disbanded"})
    need = people * rules.appetite
    eaten = take_food(ctx, colony, need)
    for ingredient, units in eaten.items():
        ctx.world.ledger.eaten[ingredient] += units
    enough = sum(eaten.values()) >= need
    if need:
        ctx.journal.record(
            ColonyFed if enough else ColonyStarved,
            cause=colony.cause,
            colony=colony.id,
            people=people,
            eaten=ctx.world.amounts(eaten),
        )
    return enough


def take_food(ctx: Context, colony: Colony, wanted: int) -> dict[int, int]:
    """Take up to so many units of food out of the store, most plentiful first."""
    store = colony.store
    taken: dict[int, int] = {}
    for ingredient in sorted(ctx.world.edible, key=lambda i: (-store[i], i)):
        units = min(wanted, store[ingredient])
        if units:
            store[ingredient] -= units
            taken[ingredient] = units
            wanted -= units
    return taken


def _day_at_home(office: Office, team: Team, *, fed: bool) -> None:
    """Form, recruit, send out, or rest: what a team at home does today."""
    ctx = office.ctx
    if team.status == "disbanded":
        if ctx.day - team.since >= ctx.rules.fatigue.reform_after_days:
            _form_again(ctx, team)
        else:
            if fed:
                recover_people(ctx, team)
            return
    if not _has_people(ctx, team):
        _rest(ctx, team, fed=fed)
    elif is_ready(ctx, team):
        if not _send_out(office, team):
            if office.given.at_home == "contribute":
                _contribute(office, team)
            else:
                _rest(ctx, team, fed=fed)
    elif office.given.worn_teams == "reform" and _worn(team):
        _disband(ctx, team)
    else:
        _rest(ctx, team, fed=fed)


def is_ready(ctx: Context, team: Team) -> bool:
    """Whether the rest policy lets the team leave (FAT-7)."""
    rules = ctx.rules.fatigue
    if team.efficiency < rules.ready_efficiency:
        return False  # what most often keeps a team at home is asked first
    people = ctx.world.living(team)
    share = 1.0
    if team.resilience != team.base:
        for now, base in zip(team.resilience, team.base, strict=True):
            if base:
                share = min(share, now / base)
    return ready_to_leave(
        resilience_share=share,
        needed_share=rules.ready_resilience,
        stamina_least=min([each.stamina for each in people], default=0),
        needed_stamina=rules.ready_stamina,
        efficiency=team.efficiency,
        needed_efficiency=rules.ready_efficiency,
        in_coma=sum([each.health <= 0 for each in people]),
    )


def recover_people(ctx: Context, team: Team) -> None:
    """A day at the colony gives Health and Stamina back (CHAR-5, FAT-5)."""
    most, stamina = ctx.rules.characters.health, ctx.rules.fatigue.stamina_rest
    for member in team.members:
        member.stamina = clamped(member.stamina + stamina)
        if member.health < most:
            ctx.heal(team, member, ctx.rules.characters.health_rest, team.cause)
    see_who_is_fit(team)


def _rest(ctx: Context, team: Team, *, fed: bool) -> None:
    """A day of rest; without food nobody recovers.

    Rule FAT-4, FAT-5, FAT-6 [D], DAY-1 [W], SURV-4 [us].
    """
    rules = ctx.rules.fatigue
    if fed:
        recover_people(ctx, team)
        team.efficiency = clamped(team.efficiency + rules.efficiency_rest)
        if team.resilience != team.base:
            _restore(team, rules.resilience_rest)
    team.tested = 0
    ctx.journal.record(
        TeamRested,
        cause=team.cause,
        team=team.id,
        resilience_short=_shortfall(team),
        stamina_least=min([each.stamina for each in team.members], default=0),
        efficiency=team.efficiency,
    )


def _restore(team: Team, points: int) -> None:
    """Give Resilience back to each attribute not tested today."""
    now, tested = team.resilience, team.tested
    for i, base in enumerate(team.base):
        if now[i] < base:
            now[i] = restored(now[i], base, points, tested=bool(tested >> i & 1))


def _shortfall(team: Team) -> int:
    """Points of Resilience that are missing to the base, over all attributes."""
    if team.resilience == team.base:
        return 0
    pairs = zip(team.resilience, team.base, strict=True)
    return sum([base - left for left, base in pairs if left < base])


def _contribute(office: Office, team: Team) -> None:
    """Work for the colony instead of rest (DAY-1)."""
    skills = [skill for each in team.members if each.health > 0 for skill in each.skills.values()]
    mean = sum(skills) / len(skills) if skills else 0.0
    points = contribution(mean, office.ctx.rules.day.contribution_divisor)
    office.colony.contribution += points
    office.ctx.journal.record(TeamContributed, cause=team.cause, team=team.id, points=points)


def _worn(team: Team) -> bool:
    return any(left < base for left, base in zip(team.resilience, team.base, strict=True))


def _disband(ctx: Context, team: Team) -> None:
    """Dissolve a worn team; the same people will form one again, its experience lost (FAT-8)."""
    lost, team.experience = team.experience, 0
    team.status, team.since = "disbanded", ctx.day
    team.cause = ctx.journal.record(
        TeamDisbanded, cause=team.cause, team=team.id, experience_lost=lost
    )


def _form_again(ctx: Context, team: Team) -> None:
    """The same people, at full Resilience."""
    team.status = "at_colony"
    team.efficiency = 100
    team.resilience, team.base = [], []
    refresh(team, ctx.rules)
    settle_base(team, ctx.rules)
    team.cause = ctx.journal.record(
        TeamReformed, cause=team.cause, team=team.id, members=[each.name for each in team.members]
    )


def _has_people(ctx: Context, team: Team) -> bool:
    """Whether the team may leave with the people it has; else new ones are on their way.

    Rule TEAM-10 [us], FAT-8 [D].
    """
    fewest = ctx.rules.teams.fewest_members
    if complete(team.leaders, team.mouths, fewest):
        team.recruits_on = None
        return True
    if team.recruits_on is None:
        team.recruits_on = ctx.day + ctx.rules.fatigue.recruit_days
    if ctx.day < team.recruits_on:
        return False
    roles = ["leader"] if not team.leaders else []
    roles += ["member"] * (fewest - team.mouths - len(roles))
    _recruit(ctx, team, roles)
    return True


def _recruit(ctx: Context, team: Team, roles: list[str]) -> None:
    """New people join; each is drawn from a stream of its own."""
    team.recruits_on = None
    for number, role in enumerate(roles, 1):
        name = f"{role}_d{ctx.day}_{number}"
        member = Member.model_validate({"name": name, "class": role})
        team.members += people_of(team.id, [member], ctx.rules.characters, ctx.chance, ctx.day)
        ctx.journal.record(MemberRecruited, cause=team.cause, team=team.id, member=name, role=role)
    refresh(team, ctx.rules)


def _send_out(office: Office, team: Team) -> bool:
    """Ask the policy where the team goes, and let it leave; whether it left."""
    ctx, most = office.ctx, office.ctx.rules.fatigue.max_away
    if most is not None:
        away = sum(each.status not in {"at_colony", "disbanded", "gone"} for each in office.teams)
        if away >= most:
            return False
    order = ask(office, team)
    if order is None:
        return False
    depart(office, team, order)
    return True


def ask(office: Office, team: Team) -> Order | None:
    """The policy's order, checked.

    Raises:
        BrokenPolicyError: it failed, named what does not exist, or is found not to be pure.
    """
    ctx, colony = office.ctx, office.colony
    name = office.given.policy
    view = view_for(office, team)
    before = copy.deepcopy(colony.memory)  # a policy that changes it in place is not pure
    try:
        order, memory = office.choose(view, ctx.chance.at("policy", team.id, ctx.day), before)
        if ctx.journal.debugging:
            again = office.choose(
                view, ctx.chance.at("policy", team.id, ctx.day), copy.deepcopy(colony.memory)
            )
            if again != (order, memory):
                what = f"asked twice, it answered {order} and {again[0]}: it is not pure"
                raise BrokenPolicyError(name, ctx.day, what)
        if memory is not None:
            json.dumps(memory, allow_nan=False)
    except BrokenPolicyError:
        raise
    except Exception as fault:
        # A plug-in may fail in any way; the run stops with its name and the day.
        what = f"failed with {type(fault).__name__}: {fault}"
        raise BrokenPolicyError(name, ctx.day, what) from fault
    if order is not None and order.target not in office.distances:
        raise BrokenPolicyError(name, ctx.day, f"ordered to {order.target!r}, which is no target")
    if order is not None and (order.mission or team.mission) not in ctx.scenario.missions:
        raise BrokenPolicyError(name, ctx.day, f"ordered {order.mission!r}, which is no mission")
    colony.memory = memory
    return order


def view_for(office: Office, team: Team) -> View:
    """What the colony knows today, frozen (ACT-4: it knows only mapped sectors' stock)."""
    ctx, colony = office.ctx, office.colony
    left, index = ctx.world.reserves.left, ctx.world.index
    bound: dict[str, int] = {}
    for each in office.teams:
        if each.trip is not None and each.status != "gone":
            bound[each.trip.target] = bound.get(each.trip.target, 0) + 1
    known = {s: sum(left[index[s]]) for s in colony.mapped if s in office.distances}
    return View(
        day=ctx.day,
        colony=colony.id,
        team=team.id,
        profile=team.profile,
        mission=ctx.mission(team.mission).kind,
        targets=office.targets,
        distances=office.distances,
        known_stock=MappingProxyType(known),
        yields=MappingProxyType(dict(colony.yields)),
        bound_for=MappingProxyType(bound),
        script=office.given.script,
    )


def depart(office: Office, team: Team, order: Order) -> None:
    """Give the team its order and its rations, and let it leave today.

    Rule FAT-1 [D], SURV-3 [us], MAP-2 [P].
    """
    ctx, colony = office.ctx, office.colony
    route = ctx.world.route(colony.sector, order.target)
    distance = route.distance
    planet = ctx.scenario.planet
    if planet.distance == "per_mission":
        stream = ctx.chance.at("distance", team.id, ctx.day)
        distance = float(rolled(planet.mission_distance, stream))
    ends = route.stretches(distance)
    mission = order.mission or team.mission
    team.trip = Trip(mission, order.target, distance, list(route.regions), ends)
    team.status = "outbound"
    team.place = route.regions[0]
    team.situation = ctx.rules.survival.situation
    team.tested = 0
    settle_base(team, ctx.rules)
    rations = _provision(ctx, colony, team)
    team.cause = ctx.journal.record(
        TeamDeparted,
        cause=team.cause,
        team=team.id,
        mission=mission,
        target=order.target,
        policy=office.given.policy,
        distance=distance,
        rations=ctx.world.amounts(rations),
    )


def _provision(ctx: Context, colony: Colony, team: Team) -> dict[int, int]:
    """Food for some days from the store, as far as there is any and it can be carried."""
    rules = ctx.rules.survival
    wanted = rules.rations_days * rules.appetite * team.mouths
    weight = ctx.rules.teams.ration_weight
    if weight:
        wanted = min(wanted, free_capacity(team) // weight)
    rations = take_food(ctx, colony, wanted)
    for ingredient, units in rations.items():
        team.rations[ingredient] += units
        team.load += units * weight
    return rations
