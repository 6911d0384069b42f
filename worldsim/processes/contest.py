"""Rivals in one sector: who meets whom, who slips away, and who controls it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.events.kinds import (
    SectorClaimed,
    SectorContested,
    TeamSlippedAway,
    TeamTurnedBack,
)
from worldsim.processes.battle import battle_process
from worldsim.processes.roster import BATTLES
from worldsim.rules.contest import FIGHT, PEACE, SLIP_AWAY, controller_after, meeting
from worldsim.world.contests import Battle, Control
from worldsim.world.teams import USE_DETECTION_OTHER, USE_STEALTH, pools

if TYPE_CHECKING:
    from worldsim.processes.context import Context
    from worldsim.world.teams import Team


def meet(ctx: Context, team: Team, cause: int) -> None:
    """A team has arrived where others may be: it shares the sector, slips away or fights.

    Rule BAT-18 [us].
    """
    there = [each for each in _in_sector(ctx, team.place) if each is not team]
    enemies: list[Team] = []
    for nth, other in enumerate(there):
        relation = relation_of(ctx, team, other)
        dice = ctx.dice("meeting", f"{team.id}-{other.id}", nth)
        outcome = meeting(
            dice,
            relation,
            pools(team, ctx.rules)[USE_STEALTH],
            pools(other, ctx.rules)[USE_DETECTION_OTHER],
            ctx.rules.battle.meeting_at,
        )
        if outcome == SLIP_AWAY:
            seq = ctx.journal.record(
                TeamSlippedAway, cause=cause, team=team.id, sector=team.place, unseen_by=other.id
            )
            _leave(ctx, team, ctx.explain(seq, dice))
            return
        if outcome == FIGHT:
            enemies.append(other)
    if enemies:
        contest(ctx, team, enemies, cause)


def _leave(ctx: Context, team: Team, cause: int) -> None:
    """Turn back at once: the way home begins tomorrow."""
    team.status = "homeward"
    team.away.covered = team.away.position
    team.cause = ctx.journal.record(
        TeamTurnedBack, cause=cause, team=team.id, place=team.place, reason="slipped_away",
        covered=team.away.covered,
    )  # fmt: skip


def contest(ctx: Context, team: Team, enemies: list[Team], cause: int) -> None:
    """Put a team and its enemies into the sector's battle, or begin one (BAT-13)."""
    sector = team.place
    battles = ctx.world.contests.battles
    battle = battles.get(sector)
    begins = battle is None
    if battle is None:
        battle = battles[sector] = Battle(sector, [])
    for each in (*enemies, team):
        each.status = "in_battle"
        if each.id not in battle.teams:
            battle.teams.append(each.id)
    battle.teams.sort(key=lambda name: (ctx.team[name].away.arrived, name))
    seq = ctx.journal.record(
        SectorContested, cause=cause, team=team.id, sector=sector,
        rivals=[each.id for each in enemies],
    )  # fmt: skip
    if begins:
        battle.cause = seq
        start_battle(ctx, battle, paused=False)


def start_battle(ctx: Context, battle: Battle, *, paused: bool) -> None:
    """Start a battle's process; a paused one goes on at the next dawn."""
    process = ctx.env.process(battle_process(ctx, battle, paused=paused))
    ctx.roster.enlist(process, BATTLES, battle.sector)


def relation_of(ctx: Context, one: Team, other: Team) -> str:
    """How the factions of two teams stand to each other (BAT-18)."""
    home = ctx.world.home
    return ctx.world.relations.between(home[one.id].faction, home[other.id].faction)


def _in_sector(ctx: Context, sector: str) -> list[Team]:
    """Teams that stand in a sector as their destination, from the first to come to the last."""
    there = [
        team
        for team in ctx.world.teams
        if team.place == sector and team.status in {"on_site", "in_battle"}
    ]
    return sorted(there, key=lambda team: (team.away.arrived, team.id))


def settle_day(ctx: Context) -> None:
    """At dawn: who ended yesterday in a sector takes it, and rivals in one sector fight.

    Rule BAT-17 [B], DAY-2 [B].
    """
    home, contests = ctx.world.home, ctx.world.contests
    unsettled: dict[str, None] = {}
    for team in ctx.world.teams:
        if team.status == "on_site" and team.place not in contests.battles:
            held = contests.control.get(team.place)
            if held is None or held.faction != home[team.id].faction:
                unsettled[team.place] = None
    for sector in sorted(unsettled):
        _settle_sector(ctx, sector, _in_sector(ctx, sector))


def _settle_sector(ctx: Context, sector: str, there: list[Team]) -> None:
    home, relations = ctx.world.home, ctx.world.relations
    held = ctx.world.contests.control.get(sector)
    factions = [home[team.id].faction for team in there]
    if len(set(factions)) == 1:
        claim(ctx, sector, there[0], ctx.day - 1)
        return
    hostile = [[relations.between(a, b) != PEACE for b in factions] for a in factions]
    faction = controller_after(held.faction if held else None, factions, hostile)
    if faction in factions and (held is None or held.faction != faction):
        claim(ctx, sector, there[factions.index(faction)], ctx.day - 1)
    for place, team in enumerate(there):
        enemies = [other for i, other in enumerate(there[:place]) if hostile[place][i]]
        if enemies:
            contest(ctx, team, enemies, team.cause or 0)
            return


def claim(ctx: Context, sector: str, team: Team, day: int) -> None:
    """A team takes a sector for its faction (BAT-17)."""
    control = ctx.world.contests.control
    faction = ctx.world.home[team.id].faction
    before = control.get(sector)
    if before is not None and before.faction == faction:
        return
    control[sector] = Control(faction, day)
    ctx.journal.record(
        SectorClaimed, cause=team.cause, sector=sector, faction=faction, team=team.id,
        taken_from=before.faction if before else None,
    )  # fmt: skip
