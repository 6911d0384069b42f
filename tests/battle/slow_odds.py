"""Exact odds the long way: every card's Combat Health by itself, hit by hit, in fractions.

Slower than what it checks by orders of magnitude, and written from the rules alone: binomials
instead of pools, one dict of states instead of arrays, no cards taken together.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import comb
from typing import TYPE_CHECKING

from worldsim.rules.battle import attack_dice, initiative_bonus
from worldsim.rules.cards import counted

if TYPE_CHECKING:
    from worldsim.rules.cards import Side, Terms

Health = tuple[int, ...]


@cache
def binomial(dice: int, face: int) -> list[Fraction]:
    p = Fraction(7 - face, 6)
    return [comb(dice, k) * p**k * (1 - p) ** (dice - k) for k in range(dice + 1)]


@cache
def after_hits(health: Health, hits: int) -> dict[Health, Fraction]:
    listed = [card for card, left in enumerate(health) if left]
    states: dict[Health, Fraction] = {health: Fraction(1)}
    for _ in range(hits):
        further: dict[Health, Fraction] = defaultdict(Fraction)
        for state, chance in states.items():
            for card in listed:
                hit = list(state)
                hit[card] = max(0, hit[card] - 1)
                further[tuple(hit)] += chance / len(listed)
        states = further
    return states


@dataclass
class SlowOdds:
    attacker_wins: Fraction = Fraction(0)
    defender_wins: Fraction = Fraction(0)
    out_of_time: Fraction = Fraction(0)
    won_in: dict[int, Fraction] = field(default_factory=dict)
    ends: dict[tuple[Health, Health], Fraction] = field(
        default_factory=lambda: defaultdict(Fraction)
    )

    def end(self, ends: tuple[Health, Health], chance: Fraction, number: int) -> None:
        """Count a duel that is over after a round."""
        self.ends[ends] += chance
        if any(ends[0]):
            self.attacker_wins += chance
            self.won_in[number] = self.won_in.get(number, Fraction(0)) + chance
        else:
            self.defender_wins += chance


def attack_law(rules: Terms, side: Side, health: Health, number: int) -> dict[int, Fraction]:
    dice = attack_dice(rules, side, list(health), number)
    bonus = rules.strike if side.strike else 0
    if rules.attack_roll == "pool":
        return {dice + bonus: Fraction(1)}
    return {k + bonus: p for k, p in enumerate(binomial(dice, rules.attack_at))}


def volley(
    rules: Terms, side: Side, own: Health, target: Side, other: Health, number: int
) -> dict[Health, Fraction]:
    """Combat Health of the target after it."""
    law: dict[Health, Fraction] = defaultdict(Fraction)
    shields = binomial(counted(target.protection, target.whole, list(other)), rules.protection_at)
    for attack, p in attack_law(rules, side, own, number).items():
        for shield, q in enumerate(shields):
            for hits, r in enumerate(binomial(max(0, attack - shield), rules.attack_at)):
                for state, s in after_hits(other, hits).items():
                    law[state] += p * q * r * s
    return law


def first(rules: Terms, ours: tuple[Side, Health], theirs: tuple[Side, Health], n: int) -> Fraction:
    laws = []
    for side, health in (ours, theirs):
        dice = side.first_initiative if n == 1 else side.later_initiative
        law = binomial(counted(dice, side.whole, list(health)), rules.initiative_at)
        laws.append([(k + initiative_bonus(rules, side, n), p) for k, p in enumerate(law)])
    tie = Fraction(1, 2) if rules.tie == "coin" else Fraction(0)
    return sum(
        (p * q * (1 if a > b else tie if a == b else 0) for a, p in laws[0] for b, q in laws[1]),
        Fraction(0),
    )


def after_round(
    rules: Terms, attacker: tuple[Side, Health], defender: tuple[Side, Health], number: int
) -> dict[tuple[Health, Health], Fraction]:
    """Combat Health of both sides after a round, the attacker's first."""
    after: dict[tuple[Health, Health], Fraction] = defaultdict(Fraction)
    ahead = first(rules, attacker, defender, number)
    for chance, one, two in ((ahead, attacker, defender), (1 - ahead, defender, attacker)):
        for hurt, p in volley(rules, *one, *two, number).items():
            back = {one[1]: Fraction(1)}
            if any(hurt):
                back = volley(rules, two[0], hurt, *one, number)
            for own, q in back.items():
                after[(own, hurt) if one is attacker else (hurt, own)] += chance * p * q
    return after


def slow_odds(rules: Terms, attacker: Side, defender: Side, *health: list[int]) -> SlowOdds:
    """The odds of a duel of two sides that both have somebody up."""
    begin = health or (attacker.whole, defender.whole)
    live = {(tuple(begin[0]), tuple(begin[1])): Fraction(1)}
    found = SlowOdds()
    for number in range(1, rules.most_rounds + 1):
        after: dict[tuple[Health, Health], Fraction] = defaultdict(Fraction)
        for (a, d), chance in live.items():
            for ends, p in after_round(rules, (attacker, a), (defender, d), number).items():
                after[ends] += chance * p
        live = {ends: p for ends, p in after.items() if any(ends[0]) and any(ends[1])}
        for ends, p in after.items():
            if ends not in live:
                found.end(ends, p, number)
    found.out_of_time = sum(live.values(), Fraction(0))
    for state, chance in live.items():
        found.ends[state] += chance
    return found
