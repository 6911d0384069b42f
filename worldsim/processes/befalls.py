"""Event tables: what befalls a team on its way, and the mishaps of a gathering phase."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import accumulate
from math import ceil, fsum
from typing import TYPE_CHECKING

from worldsim.events.kinds import TeamAffected
from worldsim.processes.harm import hurt, take_stock_of_people
from worldsim.rules.fatigue import clamped
from worldsim.rules.teams import ATTRIBUTES
from worldsim.scenario.model import CargoLoss, Change, Find, HealthChange, ResilienceChange
from worldsim.world.teams import free_capacity, see_who_is_fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.processes.context import Context
    from worldsim.rules.dice import Dice
    from worldsim.scenario.model import Entry
    from worldsim.world.teams import Team


class EventTable:
    """A table's entries with their cumulative chances, and what each adds to a day's move."""

    __slots__ = ("_cuts", "_telling", "entries", "name", "progress")

    def __init__(self, name: str, entries: Sequence[Entry]) -> None:
        self.name = name
        self.entries = list(entries)
        self.progress = {entry.id: progress_of(entry) for entry in entries}
        self._telling = [entry if entry.effects else None for entry in entries]
        self._cuts = cumulative([entry.weight for entry in entries])

    def draw(self, dice: Dice) -> Entry | None:
        """One entry, or None if it has no effect; one draw."""
        return self._telling[bisect_right(self._cuts, dice.draw())]


def cumulative(weights: Sequence[float]) -> list[float]:
    """Where each weight's share ends, from 0 to 1, the last left out."""
    whole = fsum(weights)  # Python's versions differ in their ``sum`` of floats
    return [at / whole for at in accumulate(weights)][:-1]


@dataclass(slots=True)
class Outcome:
    """What an entry did, as its event tells it."""

    progress: float = 0.0
    efficiency: int = 0
    situation: int = 0
    stamina: int = 0
    resilience: dict[str, int] = field(default_factory=dict)
    found: dict[int, int] = field(default_factory=dict)
    lost: dict[int, int] = field(default_factory=dict)


def travel_entries(ctx: Context, dice: Dice) -> list[tuple[EventTable, Entry]]:
    """One entry of each enabled travel table.

    Rule MOVE-4 [P].

    Returns:
        Those of the entries drawn that have any effect.
    """
    drawn: list[tuple[EventTable, Entry]] = []
    for table in ctx.travel_tables:
        entry = table.draw(dice)
        if entry is not None:
            drawn.append((table, entry))
    return drawn


def progress_of(entry: Entry) -> float:
    """Distance that an entry adds to, or takes from, a day's move."""
    return fsum(
        effect.amount
        for effect in entry.effects
        if isinstance(effect, Change) and effect.effect == "progress"
    )


def befall(
    ctx: Context, team: Team, table: str, entry: Entry, dice: Dice, place: str, cause: int
) -> bool:
    """Let an entry's effects happen; whether the team goes on as it was.

    Rule MOVE-4, GATH-9 [P].

    Args:
        ctx: The run.
        team: Whom it befalls.
        table: The table's name, for the event.
        entry: What happens.
        dice: Draws for what is random in it.
        place: Region or sector on whose reserve a find draws.
        cause: The event that led to it.
    """
    outcome = Outcome()
    hurts: list[HealthChange] = []
    for effect in entry.effects:
        if isinstance(effect, Change):
            _change(team, effect, outcome)
        elif isinstance(effect, ResilienceChange):
            position = ATTRIBUTES.index(effect.attribute)
            was = team.resilience[position]
            team.resilience[position] = max(0, was + effect.amount)
            outcome.resilience[effect.attribute] = team.resilience[position] - was
        elif isinstance(effect, CargoLoss):
            _lose_cargo(ctx, team, effect, outcome)
        elif isinstance(effect, Find):
            _find(ctx, team, effect, dice, place, outcome)
        elif isinstance(effect, HealthChange):
            hurts.append(effect)
    seq = ctx.journal.record(
        TeamAffected,
        cause=cause,
        team=team.id,
        place=place,
        event_table=table,
        entry=entry.id,
        progress=outcome.progress,
        efficiency=outcome.efficiency,
        situation=outcome.situation,
        stamina=outcome.stamina,
        resilience=outcome.resilience,
        found=ctx.world.amounts(outcome.found),
        lost=ctx.world.amounts(outcome.lost),
    )
    for change in hurts:
        _change_health(ctx, team, change, dice, seq)
    ctx.explain(seq, dice)
    return not hurts or take_stock_of_people(ctx, team, seq)


def _change(team: Team, effect: Change, outcome: Outcome) -> None:
    amount = round(effect.amount)
    if effect.effect == "progress":
        outcome.progress += effect.amount
    elif effect.effect == "efficiency":
        was, team.efficiency = team.efficiency, clamped(team.efficiency + amount)
        outcome.efficiency += team.efficiency - was
    elif effect.effect == "situation":
        was, team.situation = team.situation, clamped(team.situation + amount)
        outcome.situation += team.situation - was
    else:
        outcome.stamina += amount
        for member in team.members:
            member.stamina = clamped(member.stamina + amount)
        see_who_is_fit(team)


def _lose_cargo(ctx: Context, team: Team, effect: CargoLoss, outcome: Outcome) -> None:
    for ingredient, units in enumerate(team.cargo):
        gone = ceil(units * effect.share)
        if gone:
            ctx.world.lose(team, ingredient, gone)
            outcome.lost[ingredient] = outcome.lost.get(ingredient, 0) + gone


def _find(ctx: Context, team: Team, effect: Find, dice: Dice, place: str, outcome: Outcome) -> None:
    world, position = ctx.world, ctx.world.index[place]
    there = [i for i, units in enumerate(world.reserves.left[position]) if units]
    if not there:
        return
    kind = there[dice.pick("MOVE-4", len(there))]
    weight = world.unit_weights[kind]
    room = free_capacity(team) // weight if weight else effect.units
    taken = ctx.take(position, kind, min(effect.units, room))
    if taken:
        world.load(team, kind, taken)
        outcome.found[kind] = outcome.found.get(kind, 0) + taken
        world.note_taking(ctx.day, team, "find", position, kind, taken, 0)


def _change_health(ctx: Context, team: Team, effect: HealthChange, dice: Dice, cause: int) -> None:
    people = ctx.world.living(team)
    for _ in range(min(effect.members, len(people))):
        member = people.pop(dice.pick("MOVE-4", len(people)))
        if effect.amount < 0:
            hurt(ctx, team, member, -effect.amount, "event", cause)
        else:
            ctx.heal(team, member, effect.amount, cause)
