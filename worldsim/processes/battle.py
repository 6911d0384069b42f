"""A battle: one SimPy process for a contested sector, which alone changes the teams in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.events.journal import MINUTES_A_DAY
from worldsim.events.kinds import (
    BattleEnded,
    BattleRoundFought,
    BattleStarted,
    CardFell,
    SectorMapped,
    SectorSecured,
)
from worldsim.processes.cards import names_of, ready_for_battle, side_of
from worldsim.processes.harm import tire
from worldsim.rules.battle import ATTACKER, Round, Verdict, play_round, verdict
from worldsim.rules.contest import (
    PEACE,
    ambushes,
    assaults,
    cargo_lost,
    next_duel,
    round_ends_at,
)

if TYPE_CHECKING:
    from collections.abc import Generator

    import simpy

    from worldsim.processes.context import Context
    from worldsim.world.contests import Battle
    from worldsim.world.teams import Team


def battle_process(
    ctx: Context, battle: Battle, *, paused: bool
) -> Generator[simpy.Event, Any, None]:
    """Fight duels one after another until no enemies are left in the sector.

    Rule BAT-13 [W], BAT-15 [us]: a round that would not be over before midnight waits for dawn,
    so at midnight all of the battle is in its state.

    Args:
        ctx: The run.
        battle: Its state.
        paused: Whether it goes on from a midnight.
    """
    if paused:
        yield ctx.dawn
        _live_through_dawn(ctx, battle)
    while battle.attacker is not None or _begin_duel(ctx, battle):
        now, shift = int(ctx.env.now), ctx.rules.battle.round_min
        if round_ends_at(now, shift) > now + shift:
            yield ctx.dawn
            _live_through_dawn(ctx, battle)
        else:
            yield ctx.env.timeout(shift)
            _fight_round(ctx, battle)
    _secure(ctx, battle)


def _live_through_dawn(ctx: Context, battle: Battle) -> None:
    """A day begins in battle: it is a day away, without rest."""
    for name in battle.teams:
        team = ctx.team[name]
        team.away.days += 1
        if team.fought_on == ctx.day - 1:  # who has only waited so far comes whole to its duel
            team.fought_on = ctx.day
        tire(ctx, team, 1)


def _begin_duel(ctx: Context, battle: Battle) -> bool:
    """Find the next two enemies, if there are any left.

    Rule BAT-4, BAT-6, BAT-13 [B].
    """
    teams = [ctx.team[name] for name in battle.teams]
    home, relations = ctx.world.home, ctx.world.relations
    factions = [home[team.id].faction for team in teams]
    hostile = [[relations.between(a, b) != PEACE for b in factions] for a in factions]
    pair = next_duel(range(len(teams)), hostile)
    if pair is None:
        return False
    attacker, defender = teams[pair[0]], teams[pair[1]]
    trip = attacker.away
    scouting = attacker.profile == "scouting"
    striking = ctx.mission(trip.mission).kind == "strike"
    sits = ctx.world.contests.last_week.get(defender.id) == battle.sector
    battle.attacker, battle.defender, battle.rounds = attacker.id, defender.id, 0
    battle.ambush = ambushes(scouting=scouting, controller=None if trip.unclaimed else "somebody")
    battle.assault = assaults(
        striking=striking, target=defender.id, sitting=defender.id if sits else None
    )
    for team in (attacker, defender):
        ready_for_battle(ctx, team)
    battle.cause = ctx.journal.record(
        BattleStarted, cause=battle.cause, sector=battle.sector, attacker=attacker.id,
        defender=defender.id, ambush=battle.ambush, assault=battle.assault,
    )  # fmt: skip
    if battle.ambush:
        _map_sector(ctx, attacker, battle.sector, battle.cause)
    found = verdict(ctx.battle_terms, attacker.combat, defender.combat, 0)
    if found is not None:
        _end_duel(ctx, battle, attacker, defender, found)
    return battle.attacker is not None or _begin_duel(ctx, battle)


def _map_sector(ctx: Context, team: Team, sector: str, cause: int) -> None:
    """Who lies in ambush has looked around: its colony knows the sector from now on.

    Rule BAT-4 [B].
    """
    colony = ctx.world.home[team.id]
    if sector not in colony.mapped:
        colony.mapped.append(sector)
        ctx.journal.record(SectorMapped, cause=cause, sector=sector, colony=colony.id, team=team.id)


def _fight_round(ctx: Context, battle: Battle) -> None:
    """Play a round, count the fallen, and end the duel if it is decided."""
    attacker, defender = _duellists(ctx, battle)
    dice = ctx.dice("battle", battle.sector, int(ctx.env.now) % MINUTES_A_DAY)
    battle.rounds += 1
    played = play_round(
        dice,
        ctx.battle_terms,
        side_of(ctx, attacker, ambush=battle.ambush, assault=battle.assault),
        side_of(ctx, defender),
        attacker.combat,
        defender.combat,
        battle.rounds,
    )
    attacker.combat, defender.combat = played.attacker_health, played.defender_health
    seq = _record_round(ctx, battle, attacker, defender, played)
    ctx.explain(seq, dice)
    for volley in played.volleys:
        struck = defender if volley.by == ATTACKER else attacker
        for card in volley.downed:
            name = names_of(struck)[card]
            struck.fallen[name] = None
            ctx.journal.record(CardFell, cause=seq, team=struck.id, card=name)
    found = verdict(ctx.battle_terms, attacker.combat, defender.combat, battle.rounds)
    if found is not None:
        _end_duel(ctx, battle, attacker, defender, found)


def _duellists(ctx: Context, battle: Battle) -> tuple[Team, Team]:
    """Attacker and defender of the duel that is on.

    Raises:
        LookupError: none is.
    """
    if battle.attacker is None or battle.defender is None:
        raise LookupError(f"no duel is on in {battle.sector}")
    return ctx.team[battle.attacker], ctx.team[battle.defender]


def _record_round(
    ctx: Context, battle: Battle, attacker: Team, defender: Team, played: Round
) -> int:
    hits = {volley.by: volley.hits for volley in played.volleys}
    return ctx.journal.record(
        BattleRoundFought,
        cause=battle.cause,
        sector=battle.sector,
        attacker=attacker.id,
        defender=defender.id,
        number=played.number,
        attacker_initiative=played.attacker_initiative,
        defender_initiative=played.defender_initiative,
        attacker_first=played.attacker_first,
        attacker_hits=hits.get(ATTACKER, 0),
        defender_hits=sum(hits.values()) - hits.get(ATTACKER, 0),
        overkill=sum(volley.overkill for volley in played.volleys),
    )


def _end_duel(ctx: Context, battle: Battle, attacker: Team, defender: Team, found: Verdict) -> None:
    """The loser leaves part of its cargo and goes home from tomorrow on.

    Rule BAT-14 [W].
    """
    winner, loser = attacker, defender
    if found.winner != ATTACKER:
        winner, loser = defender, attacker
    lost = cargo_lost(loser.cargo, ctx.rules.battle.cargo_lost)
    for ingredient, units in enumerate(lost):
        if units:
            ctx.world.lose(loser, ingredient, units)
    loser.status = "homeward"
    loser.away.covered = loser.away.position
    ctx.world.contests.last_week.pop(loser.id, None)
    battle.teams.remove(loser.id)
    battle.attacker = battle.defender = None
    seq = ctx.journal.record(
        BattleEnded,
        cause=battle.cause,
        sector=battle.sector,
        winner=winner.id,
        loser=loser.id,
        reason=found.reason,
        rounds=battle.rounds,
        covered=loser.away.covered,
        lost=ctx.world.amounts({i: units for i, units in enumerate(lost) if units}),
    )
    battle.cause = winner.cause = loser.cause = seq


def _secure(ctx: Context, battle: Battle) -> None:
    """The battle is over: who is left goes on tomorrow, and has taken the sector.

    Rule BAT-17 [B].
    """
    from worldsim.processes.contest import claim  # noqa: PLC0415 - contests start battles

    teams = [ctx.team[name] for name in battle.teams]
    for team in teams:
        team.status = "on_site"
    del ctx.world.contests.battles[battle.sector]
    if ctx.env.active_process is not None:
        ctx.roster.dismiss(ctx.env.active_process)
    ctx.journal.record(
        SectorSecured, cause=battle.cause, sector=battle.sector, teams=list(battle.teams)
    )
    if teams:
        claim(ctx, battle.sector, teams[0], ctx.day)
