"""Sending a team out: the policy is asked, the way is laid out, food is packed."""

from __future__ import annotations

from pathlib import PurePath
from traceback import extract_tb
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from worldsim.events.kinds import TeamDeparted
from worldsim.processes.office import take_food
from worldsim.processes.policies import BrokenPolicyError, Order, View
from worldsim.world.atlas import rolled
from worldsim.world.state import as_remembered
from worldsim.world.teams import Trip, free_capacity, settle_base

if TYPE_CHECKING:
    from worldsim.processes.context import Context
    from worldsim.processes.office import Office
    from worldsim.world.colonies import Colony
    from worldsim.world.teams import Team

PAIR = 2


def send_out(office: Office, team: Team) -> bool:
    """Ask the policy where the team goes, and let it leave; whether it left."""
    most = office.ctx.rules.fatigue.max_away
    if most is not None and office.away >= most:
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
    order, memory = _answer(office, view_for(office, team))
    wrong = _what_is_wrong(office, team, order)
    if wrong:
        raise BrokenPolicyError(name, ctx.day, wrong)
    colony.memory = memory
    return order


def _line_of(fault: Exception) -> str:
    """Where a plug-in failed; without its folder, which differs from machine to machine."""
    return "".join(
        f" ({PurePath(frame.filename).name}, line {frame.lineno})"
        for frame in extract_tb(fault.__traceback__)[1:][-1:]  # the first called it
    )


def _what_is_wrong(office: Office, team: Team, order: Any) -> str | None:
    """Why an answer of a policy, which may be anything, cannot be carried out, if so."""
    if order is None:
        return None
    if not isinstance(order, Order):
        return f"ordered {order!r}, which is no Order and not None"
    given: Any = order  # its fields may be anything too, and compiled code insists on types
    target = given.target
    if not isinstance(target, str) or target not in office.distances:
        return f"ordered to {target!r}, which is no target"
    mission = given.mission or team.mission
    if not isinstance(mission, str) or mission not in office.ctx.missions:
        return f"ordered {mission!r}, which is no mission"
    return None


def _answer(office: Office, view: View) -> tuple[Order | None, Any]:
    """What the policy says, and its new memory; asked twice where debugging.

    Raises:
        BrokenPolicyError: it failed; or the two answers differ, so it is not pure; or its memory
            is not JSON.
    """
    ctx, memory, name = office.ctx, office.colony.memory, office.given.policy
    # The first to be asked may change the memory in place: it is not read again.
    kept = as_remembered(memory) if ctx.journal.debugging else None
    order, learned = _asked(office, view, memory)
    if ctx.journal.debugging and (again := _asked(office, view, kept)) != (order, learned):
        what = f"asked twice, it answered {order} and {again[0]}: it is not pure"
        raise BrokenPolicyError(name, ctx.day, what)
    try:
        return order, None if learned is None else as_remembered(learned)
    except Exception as fault:  # there are many ways of not being JSON
        raise BrokenPolicyError(name, ctx.day, f"cannot be remembered: {fault}") from fault


def _asked(office: Office, view: View, memory: Any) -> tuple[Order | None, Any]:
    """Both parts of an answer.

    Raises:
        BrokenPolicyError: it failed, or answered something else.
    """
    day, name = office.ctx.day, office.given.policy
    choose: Any = office.choose  # somebody's: compiled code would insist on what it answers
    try:
        answer = choose(view, office.ctx.chance.at("policy", view.team, day), memory)
    except Exception as fault:
        # A plug-in may fail in any way; the run stops with its name and the day.
        what = f"failed with {type(fault).__name__}: {fault}{_line_of(fault)}"
        raise BrokenPolicyError(name, day, what) from fault
    if not isinstance(answer, tuple) or len(answer) != PAIR:
        what = f"answered {repr(answer)[:100]}, which is no (order, memory)"
        raise BrokenPolicyError(name, day, what)
    return answer


def view_for(office: Office, team: Team) -> View:
    """What the colony knows today, frozen (ACT-4: it knows only mapped sectors' stock)."""
    ctx, colony = office.ctx, office.colony
    left, index = ctx.world.reserves.left, ctx.world.index
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
        bound_for=MappingProxyType(dict(office.bound_for)),
        script=office.given.script,
    )


def depart(office: Office, team: Team, order: Order) -> None:
    """Give the team its order and its rations, and let it leave today.

    Rule FAT-1 [D], SURV-3 [us], MAP-2 [P].
    """
    ctx, colony = office.ctx, office.colony
    route = ctx.world.route(colony.sector, order.target)
    distance = route.distance
    planet = ctx.planet
    if planet.distance == "per_mission":
        stream = ctx.chance.at("distance", team.id, ctx.day)
        distance = float(rolled(planet.mission_distance, stream))
    ends = route.stretches(distance)
    mission = order.mission or team.mission
    team.trip = Trip(mission, order.target, distance, list(route.regions), ends)
    ctx.world.contests.last_week.pop(team.id, None)
    team.trip.unclaimed = order.target not in ctx.world.contests.control
    office.note_departure(order.target)
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
    rations = take_food(ctx.world, colony, wanted)
    for ingredient, units in rations.items():
        team.rations[ingredient] += units
        team.load += units * weight
    return rations
