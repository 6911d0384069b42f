"""A colony: every dawn it feeds, heals and rests its people, and sends out those who are ready."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Any

from worldsim.events.kinds import (
    ColonyFed,
    ColonyStarved,
    MemberRecruited,
    TeamContributed,
    TeamDisbanded,
    TeamReformed,
    TeamRested,
)
from worldsim.processes.cards import try_recoveries
from worldsim.processes.departure import send_out
from worldsim.processes.office import take_food
from worldsim.rules.contest import may_leave
from worldsim.rules.day import contribution
from worldsim.rules.fatigue import clamped, ready_to_leave, restored
from worldsim.rules.teams import complete
from worldsim.scenario.model import Member
from worldsim.world.people import people_of
from worldsim.world.teams import refresh, see_who_is_fit, settle_base

if TYPE_CHECKING:
    from collections.abc import Generator

    import simpy

    from worldsim.processes.context import Context
    from worldsim.processes.office import Office
    from worldsim.world.people import Character
    from worldsim.world.teams import Team


def colony_process(office: Office) -> Generator[simpy.Event, Any, None]:
    """Every dawn, before the teams: food, then each team at home in the day's order.

    Rule FAT-8 [D].
    """
    ctx = office.ctx
    while True:
        yield ctx.dawn
        for team in office.teams:
            if team.fallen and team.status != "gone":
                try_recoveries(ctx, team, list(team.fallen))
        office.count_teams()
        fed = feed(office)
        at_home = [team for team in office.teams if team.status in {"at_colony", "disbanded"}]
        for team in sorted(at_home, key=lambda each: ctx.order[each.id]):
            _day_at_home(office, team, fed=fed)


def feed(office: Office) -> bool:
    """Feed the people at home, if the rules ask for it; whether they may recover today.

    Rule SURV-4 [us].
    """
    ctx, colony = office.ctx, office.colony
    rules = ctx.rules.survival
    if not rules.upkeep:
        return True
    people = sum(
        team.mouths + len(team.infirmary)
        for team in office.teams
        if team.status in {"at_colony", "disbanded"}
    )
    need = people * rules.appetite
    eaten = take_food(ctx.world, colony, need)
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
        if not send_out(office, team):
            if office.given.at_home == "contribute":
                _contribute(office, team, fed=fed)
            else:
                _rest(ctx, team, fed=fed)
    elif office.given.worn_teams == "reform" and _worn(team):
        _disband(ctx, team)
        if fed:
            recover_people(ctx, team)
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
            if now < share * base:
                share = now / base
    return ready_to_leave(
        resilience_share=share,
        needed_share=rules.ready_resilience,
        stamina_least=_least_stamina(people),
        needed_stamina=rules.ready_stamina,
        efficiency=team.efficiency,
        needed_efficiency=rules.ready_efficiency,
        in_coma=len([1 for each in people if each.health <= 0]),
    )


def _least_stamina(people: list[Character]) -> int:
    """The lowest Stamina among some people, 0 if there is nobody; asked too often for ``min``."""
    if not people:
        return 0
    least = people[0].stamina
    for each in people:
        least = min(least, each.stamina)
    return least


def recover_people(ctx: Context, team: Team) -> None:
    """A day of rest gives Health and Stamina back (CHAR-5, FAT-5)."""
    stamina = ctx.rules.fatigue.stamina_rest
    for member in team.members:
        member.stamina = clamped(member.stamina + stamina)
    heal_people(ctx, team)
    see_who_is_fit(team)


def heal_people(ctx: Context, team: Team) -> None:
    """Any day at the colony gives Health back (CHAR-5)."""
    most = ctx.rules.characters.health
    for member in team.members:
        if member.health < most:
            ctx.heal(team, member, ctx.rules.characters.health_rest, team.cause)


def _rest(ctx: Context, team: Team, *, fed: bool) -> None:
    """A day of rest; without food only Efficiency recovers.

    Rule FAT-4, FAT-5, FAT-6 [D], DAY-1 [W], SURV-4 [us].
    """
    rules = ctx.rules.fatigue
    team.efficiency = clamped(team.efficiency + rules.efficiency_rest)
    if fed:
        recover_people(ctx, team)
        if team.resilience != team.base:
            _restore(team, rules.resilience_rest)
    team.tested = 0
    journal = ctx.journal
    if journal.silent:
        journal.skip()
        return
    journal.note(
        TeamRested(
            journal.seq, journal.t, journal.day, "info", team.cause,
            team=team.id,
            resilience_short=_shortfall(team),
            stamina_least=_least_stamina(team.members),
            efficiency=team.efficiency,
        )
    )  # fmt: skip


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


def _contribute(office: Office, team: Team, *, fed: bool) -> None:
    """Work for the colony instead of rest (DAY-1); wounds heal all the same."""
    if fed:
        heal_people(office.ctx, team)
    skills = [skill for each in team.members if each.health > 0 for skill in each.skills.values()]
    mean = fsum(skills) / len(skills) if skills else 0.0
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
    others = team.mouths - team.leaders
    enough = complete(team.leaders, team.mouths, fewest)
    if team.infirmary:
        enough = enough and may_leave(team.leaders, others, ctx.rules.battle.others_needed)
    if enough:
        team.recruits_on = None
        return True
    if team.recruits_on is None:
        team.recruits_on = ctx.day + ctx.rules.fatigue.recruit_days
    if ctx.day < team.recruits_on:
        return False
    roles = ["leader"] if not team.leaders else []
    least = max(fewest, 1 + ctx.rules.battle.others_needed if team.infirmary else 0)
    roles += ["member"] * (least - team.mouths - len(roles))
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
