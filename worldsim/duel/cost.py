"""What exact odds would take, reckoned before anything is built."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from worldsim.duel.groups import DiceCounts, fixed_dice, groups_of

if TYPE_CHECKING:
    from worldsim.duel.groups import Group
    from worldsim.rules.cards import Side, Terms

BYTES_A_NUMBER = 8
COPIES_OF_LIVE = 7  # arrays of all pairs of states that a round holds at once


@dataclass(frozen=True, slots=True)
class Cost:
    """What exact odds take, at most.

    Attributes:
        attacker_states, defender_states: States of each side.
        memory_bytes: For the chances of all pairs of states and the matrices of volleys.
        multiplications: Over all rounds, if the duel lasts as long as it may.
    """

    attacker_states: int
    defender_states: int
    memory_bytes: int
    multiplications: int


@dataclass(frozen=True, slots=True)
class Budget:
    """How much exact odds may take before a duel is played out instead.

    Attributes:
        memory_bytes: As in ``Cost``.
        multiplications: As in ``Cost``; about 10 ** 9 go into a second.
    """

    memory_bytes: int = 2 * 10**9
    multiplications: int = 5 * 10**10

    def allows(self, cost: Cost) -> bool:
        """Whether it is enough."""
        return (
            cost.memory_bytes <= self.memory_bytes and cost.multiplications <= self.multiplications
        )


def cost_of(
    terms: Terms,
    attacker: Side,
    defender: Side,
    attacker_health: list[int] | None = None,
    defender_health: list[int] | None = None,
) -> Cost:
    """What the exact odds of a duel take; the arguments are those of the duel."""
    ours = groups_of(attacker, attacker.whole if attacker_health is None else attacker_health)
    theirs = groups_of(defender, defender.whole if defender_health is None else defender_health)
    mine, its = _states(ours), _states(theirs)
    matrix, back = _pairs(theirs), _pairs(ours)
    numbers = (
        COPIES_OF_LIVE * mine * its
        + _attacks(attacker, ours) * matrix
        + _attacks(defender, theirs) * back
        + _hits(terms, attacker, ours) * _largest(theirs) * its
        + _hits(terms, defender, theirs) * _largest(ours) * mine
        + _hits(terms, attacker, ours) ** 2
        + _hits(terms, defender, theirs) ** 2
    )
    work = 2 * terms.most_rounds * (mine * matrix + its * back)
    return Cost(mine, its, BYTES_A_NUMBER * numbers, work)


def _states(groups: list[Group]) -> int:
    """The states of a side: damage from 0 on, summed over the ways its cards can be up."""
    sets = prod(len(group.cards) + 1 for group in groups)
    twice = sum((group.health - 1) * len(group.cards) for group in groups)
    return sets + sets * twice // 2


def _pairs(groups: list[Group]) -> int:
    """Pairs of a state and one that hits may lead to: the size of a volley's matrices.

    The mean of (1 + damage before) x (1 + damage after) over all pairs of sets of cards up, the
    second within the first, times the number of these pairs.
    """
    pairs = 1
    mean_before = mean_after = mean_product = 0.0
    for group in groups:
        room, count = group.health - 1, len(group.cards)
        here = (count + 1) * (count + 2) // 2
        within = [(up, left) for up in range(count + 1) for left in range(up + 1)]
        before = room * sum(up for up, _ in within) / here
        after = room * sum(left for _, left in within) / here
        both = room * room * sum(up * left for up, left in within) / here
        mean_product += mean_before * after + before * mean_after + both
        mean_before += before
        mean_after += after
        pairs *= here
    return round(pairs * (1 + mean_before + mean_after + mean_product))


def _attacks(side: Side, groups: list[Group]) -> int:
    """How many different Attacks a side can come to have, at most."""
    fixed = fixed_dice(side)
    sets = prod(len(group.cards) + 1 for group in groups)
    return min(sets, _dice(side, fixed, groups) - _dice(side, fixed, []) + 1)


def _hits(terms: Terms, side: Side, groups: list[Group]) -> int:
    """How many numbers of hits a volley of a side can have."""
    return _dice(side, fixed_dice(side), groups) + (terms.strike if side.strike else 0) + 1


def _largest(groups: list[Group]) -> int:
    """The states of a side in which all its cards are up."""
    return 1 + sum((group.health - 1) * len(group.cards) for group in groups)


def _dice(side: Side, fixed: DiceCounts, groups: list[Group]) -> int:
    """Attack dice of a side with all of these cards up."""
    for group in groups:
        fixed = fixed.plus(group.dice, len(group.cards))
    return fixed.attack + (fixed.assault if side.assault else 0)
