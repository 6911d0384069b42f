"""A duel as it begins, as plain values: what its odds depend on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldsim.processes.cards import side_of

if TYPE_CHECKING:
    from worldsim.events.kinds import BattleStarted
    from worldsim.processes.context import Context
    from worldsim.rules.cards import Side, Terms


@dataclass(frozen=True, slots=True)
class Fight:
    """A duel before its first round.

    Attributes:
        terms: The scenario's numbers.
        attacker, defender: The sides; ambush and assault are the attacker's.
        attacker_health, defender_health: Combat Health of each card as the duel begins.
    """

    terms: Terms
    attacker: Side
    defender: Side
    attacker_health: list[int]
    defender_health: list[int]


def fight_of(ctx: Context, started: BattleStarted) -> Fight:
    """The duel that begins right now: asked while its event is being recorded."""
    attacker, defender = ctx.team[started.attacker], ctx.team[started.defender]
    return Fight(
        ctx.battle_terms,
        side_of(ctx, attacker, ambush=started.ambush, assault=started.assault),
        side_of(ctx, defender),
        list(attacker.combat),
        list(defender.combat),
    )
