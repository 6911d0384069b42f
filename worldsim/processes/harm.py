"""What wounds, hunger and being lost do to people, and what becomes of their team."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from worldsim.events.kinds import (
    MemberCollapsed,
    MemberDied,
    MemberHurt,
    TeamLost,
    TeamPerished,
)
from worldsim.rules.characters import alive, conscious
from worldsim.rules.fatigue import clamped, stamina_loss
from worldsim.world.teams import refresh, see_who_is_fit

if TYPE_CHECKING:
    from worldsim.processes.context import Context
    from worldsim.world.people import Character
    from worldsim.world.teams import Team

Harm = Literal["wildlife", "hunger", "lost", "event"]


def hurt(ctx: Context, team: Team, member: Character, damage: int, by: Harm, cause: int) -> None:
    """Take Health from a member; coma and death follow from it (CHAR-5)."""
    if damage <= 0:
        return
    most = ctx.rules.characters.health
    was = member.health
    member.health = max(-most, was - damage)
    seq = ctx.journal.record(
        MemberHurt, cause=cause, team=team.id, member=member.name, damage=damage,
        health=member.health, harm=by,
    )  # fmt: skip
    if not alive(member.health, most) and alive(was, most):
        ctx.journal.record(MemberDied, cause=seq, team=team.id, member=member.name, harm=by)
    elif conscious(was) and not conscious(member.health):
        ctx.journal.record(
            MemberCollapsed, cause=seq, team=team.id, member=member.name, health=member.health
        )
    if conscious(was) != conscious(member.health) or alive(was, most) != alive(member.health, most):
        refresh(team, ctx.rules)


def vanish(ctx: Context, team: Team, member: Character, cause: int) -> None:
    """A member of a lost team disappears for good (SURV-5)."""
    member.health = -ctx.rules.characters.health
    ctx.journal.record(MemberDied, cause=cause, team=team.id, member=member.name, harm="vanished")
    refresh(team, ctx.rules)


def take_stock_of_people(ctx: Context, team: Team, cause: int) -> bool:
    """See whether the team can go on after somebody was harmed.

    Rule TEAM-1 [P]: none conscious, it is lost; none living, it is gone.

    Returns:
        Whether it goes on as it was.
    """
    if not team.mouths:
        perish(ctx, team, "dead", cause)
        return False
    awake = any(conscious(each.health) for each in team.members)
    if not awake and team.status != "lost" and not team.away.found:
        become_lost(ctx, team, "unconscious", cause)
        return False
    return True


def become_lost(
    ctx: Context,
    team: Team,
    reason: Literal["situation", "stranded", "unconscious"],
    cause: int,
) -> None:
    """From now on the team tries to be heard (SURV-5)."""
    team.status = "lost"
    team.away.doomed = False
    team.cause = ctx.journal.record(
        TeamLost, cause=cause, team=team.id, place=team.place, reason=reason
    )


def perish(ctx: Context, team: Team, reason: Literal["dead", "never_found"], cause: int) -> None:
    """The team is gone, with all it carried."""
    gone = ctx.world.lose_all(team)
    team.status = "gone"
    team.cause = ctx.journal.record(
        TeamPerished, cause=cause, team=team.id, place=team.place, reason=reason,
        lost=ctx.world.amounts(gone),
    )  # fmt: skip


def tire(ctx: Context, team: Team, activities: int) -> None:
    """A day away takes Stamina and Efficiency.

    Rule FAT-5, FAT-6 [us].
    """
    rules = ctx.rules.fatigue
    team.efficiency = clamped(team.efficiency - rules.efficiency_day)
    loss = stamina_loss(activities, rules.stamina_day, rules.stamina_activity)
    for member in team.members:
        member.stamina = clamped(member.stamina - loss)
    see_who_is_fit(team)
