"""A duel of two sides: a fold over rounds, each two volleys at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.rules.cards import Side, Terms, counted, standing

if TYPE_CHECKING:
    from worldsim.rules.dice import Dice

ATTACKER, DEFENDER = "attacker", "defender"
ABSENT, DEFEATED, OUT_OF_TIME = REASONS = ("absent", "defeated", "out_of_time")


class Volley:
    """What one side's fire did.

    Attributes:
        by: ``attacker`` or ``defender``: who fired.
        attack: Its Attack: dice, or points where Attack is rolled first.
        protection: The target's Protection.
        rolled: Dice fired: Attack less Protection.
        hits: How many hit.
        struck: The card of the target each hit went to, in order.
        downed: The cards it brought down, in order.
        overkill: Hits on cards that were down already.
    """

    __slots__ = (
        "attack", "by", "downed", "hits", "overkill", "protection", "rolled", "struck"
    )  # fmt: skip

    def __init__(self, by: str, attack: int, protection: int, rolled: int, hits: int) -> None:
        self.by = by
        self.attack = attack
        self.protection = protection
        self.rolled = rolled
        self.hits = hits
        self.struck: list[int] = []
        self.downed: list[int] = []
        self.overkill = 0


class Round:
    """One round of a duel.

    Attributes:
        number: From 1.
        attacker_initiative, defender_initiative: As reported.
        attacker_first: Whether the attacker fired first.
        volleys: One or two: a side that is beaten by the first does not fire back.
        attacker_health, defender_health: Combat Health of each card after it.
    """

    __slots__ = (
        "attacker_first", "attacker_health", "attacker_initiative", "defender_health",
        "defender_initiative", "number", "volleys",
    )  # fmt: skip

    def __init__(self, number: int, attacker_initiative: int, defender_initiative: int) -> None:
        self.number = number
        self.attacker_initiative = attacker_initiative
        self.defender_initiative = defender_initiative
        self.attacker_first = True
        self.volleys: list[Volley] = []
        self.attacker_health: list[int] = []
        self.defender_health: list[int] = []


class Verdict:
    """How a duel ended.

    Attributes:
        winner: ``attacker`` or ``defender``.
        reason: ``absent`` (the loser had nobody from the start), ``defeated``, or ``out_of_time``
            (the last round is over and the defender still stands).
    """

    __slots__ = ("reason", "winner")

    def __init__(self, winner: str, reason: str) -> None:
        self.winner = winner
        self.reason = reason


class Duel:
    """A whole duel.

    Attributes:
        winner, reason: As in ``Verdict``.
        rounds: In order; none if a side was absent.
        attacker_health, defender_health: Combat Health of each card in the end.
    """

    __slots__ = ("attacker_health", "defender_health", "reason", "rounds", "winner")

    def __init__(
        self,
        verdict: Verdict,
        rounds: list[Round],
        attacker_health: list[int],
        defender_health: list[int],
    ) -> None:
        self.winner = verdict.winner
        self.reason = verdict.reason
        self.rounds = rounds
        self.attacker_health = attacker_health
        self.defender_health = defender_health


def rolled_successes(dice: Dice, rule: str, count: int, face: int) -> int:
    """Successes of so many d6; one draw, none without dice."""
    return dice.test(rule, (count, 0), face) if count > 0 else 0


def initiative(dice: Dice, terms: Terms, side: Side, health: list[int], number: int) -> int:
    """Initiative of a side in a round; at most one draw.

    Rule BAT-3, BAT-4 [B].

    Args:
        dice: Rolled anew in each round.
        terms: The scenario's numbers.
        side: Who.
        health: Combat Health of its cards now.
        number: The round, from 1.
    """
    cards = side.first_initiative if number == 1 else side.later_initiative
    count = counted(cards, side.whole, health)
    rolled = rolled_successes(dice, "BAT-3", count, terms.initiative_at)
    return rolled + initiative_bonus(terms, side, number)


def initiative_bonus(terms: Terms, side: Side, number: int) -> int:
    """Points added to a side's Initiative in a round.

    Rule BAT-4 [B]: scouts always have some, scouts in ambush many more in the first round.
    """
    bonus = terms.scout if side.scout else 0
    if side.ambush and number == 1:
        bonus += terms.ambush
    return bonus


def fires_first(dice: Dice, attacker: int, defender: int, tie: str = "coin") -> bool:
    """Whether the attacker fires first; one draw if the Initiatives are equal and a coin decides.

    Rule BAT-5 [W].

    Args:
        dice: The coin.
        attacker: Initiative of the attacker.
        defender: Initiative of the defender.
        tie: ``coin`` or ``defender``.
    """
    if attacker != defender:
        return attacker > defender
    return tie == "coin" and dice.pick("BAT-5", 2) == 0


def attack_dice(terms: Terms, side: Side, health: list[int], number: int) -> int:
    """Attack dice of a side in a round, without what a strike team adds.

    Rule BAT-6 [B].
    """
    count = counted(side.attack, side.whole, health)
    if side.assault and (number == 1 or terms.assault_in == "every_round"):
        count += counted(side.assault_dice, side.whole, health)
    return count


def attack_value(dice: Dice, terms: Terms, side: Side, health: list[int], number: int) -> int:
    """Attack of a side in a round; one draw where Attack is rolled first, else none.

    Rule BAT-6, BAT-8 [B]: what a strike team adds is a die, or a point if Attack is rolled.
    """
    count = attack_dice(terms, side, health, number)
    if terms.attack_roll == "double_roll":
        count = rolled_successes(dice, "BAT-8", count, terms.attack_at)
    return count + terms.strike if side.strike else count


def protection(dice: Dice, terms: Terms, side: Side, health: list[int]) -> int:
    """Points a side takes from the Attack that comes at it; at most one draw.

    Rule BAT-7 [B].
    """
    count = counted(side.protection, side.whole, health)
    return rolled_successes(dice, "BAT-7", count, terms.protection_at)


def fire(
    dice: Dice,
    terms: Terms,
    by: str,
    shooter: Side,
    shooter_health: list[int],
    target: Side,
    target_health: list[int],
    number: int,
) -> Volley:
    """One side's volley, taken off ``target_health`` in place.

    Rule BAT-8 [B].

    Args:
        dice: At most one draw for the Attack, one for Protection, one for the hits, and one for
            the target of each hit.
        terms: The scenario's numbers.
        by: ``attacker`` or ``defender``.
        shooter: Who fires.
        shooter_health: Combat Health of its cards.
        target: Who is fired at.
        target_health: Combat Health of its cards, changed by the hits.
        number: The round, from 1.
    """
    attack = attack_value(dice, terms, shooter, shooter_health, number)
    shield = protection(dice, terms, target, target_health)
    rolled = max(0, attack - shield)
    hits = rolled_successes(dice, "BAT-8", rolled, terms.attack_at)
    volley = Volley(by, attack, shield, rolled, hits)
    strike(dice, volley, target_health)
    return volley


def strike(dice: Dice, volley: Volley, health: list[int]) -> None:
    """Lay the hits of a volley on cards, in place.

    Rule BAT-9 [B]: the targets are those up before the volley, and stay targets during it.

    Args:
        dice: One draw a hit.
        volley: Has its number of hits; is told where they go.
        health: Combat Health of the target's cards; some card is up.
    """
    listed = [card for card, left in enumerate(health) if left > 0]
    for _ in range(volley.hits):
        card = listed[dice.pick("BAT-9", len(listed))]
        volley.struck.append(card)
        if health[card] == 0:
            volley.overkill += 1
            continue
        health[card] -= 1
        if health[card] == 0:
            volley.downed.append(card)


def play_round(
    dice: Dice,
    terms: Terms,
    attacker: Side,
    defender: Side,
    attacker_health: list[int],
    defender_health: list[int],
    number: int,
) -> Round:
    """One round between two sides that both stand.

    Rule BAT-10 [B]: the losses of the side that fires last count before it fires back.

    Args:
        dice: Draws in this order: the attacker's Initiative, the defender's, the coin of a tie,
            then volley by volley.
        terms: The scenario's numbers.
        attacker: Who came later (BAT-12).
        defender: Who was there.
        attacker_health: Combat Health of the attacker's cards; not changed.
        defender_health: Combat Health of the defender's cards; not changed.
        number: The round, from 1.
    """
    played = Round(
        number,
        initiative(dice, terms, attacker, attacker_health, number),
        initiative(dice, terms, defender, defender_health, number),
    )
    played.attacker_first = fires_first(
        dice, played.attacker_initiative, played.defender_initiative, terms.tie
    )
    ours = played.attacker_health = attacker_health.copy()
    theirs = played.defender_health = defender_health.copy()
    for attacks in (played.attacker_first, not played.attacker_first):
        if attacks and standing(ours):
            volley = fire(dice, terms, ATTACKER, attacker, ours, defender, theirs, number)
            played.volleys.append(volley)
        elif not attacks and standing(theirs):
            volley = fire(dice, terms, DEFENDER, defender, theirs, attacker, ours, number)
            played.volleys.append(volley)
    return played


def verdict(
    terms: Terms, attacker_health: list[int], defender_health: list[int], rounds: int
) -> Verdict | None:
    """Who has won after so many rounds, None while the duel goes on.

    Rule BAT-11 [B], BAT-12 [W]: a defender holds what nobody can take, and outlasts an attacker.

    Args:
        terms: The scenario's numbers.
        attacker_health: Combat Health of the attacker's cards.
        defender_health: Combat Health of the defender's cards.
        rounds: Rounds fought.
    """
    reason = DEFEATED if rounds else ABSENT
    if not standing(attacker_health):
        return Verdict(DEFENDER, reason)
    if not standing(defender_health):
        return Verdict(ATTACKER, reason)
    if rounds >= terms.most_rounds:
        return Verdict(DEFENDER, OUT_OF_TIME)
    return None


def fight(
    dice: Dice,
    terms: Terms,
    attacker: Side,
    defender: Side,
    attacker_health: list[int] | None = None,
    defender_health: list[int] | None = None,
) -> Duel:
    """A duel to its end: rounds until there is a verdict.

    Rule BAT-11 [B], BAT-12 [W].

    Args:
        dice: As ``play_round`` takes them, round after round.
        terms: The scenario's numbers.
        attacker: Who came later.
        defender: Who was there.
        attacker_health: Combat Health the attacker begins with, None for all whole; not changed.
        defender_health: Likewise of the defender.
    """
    ours = attacker.whole if attacker_health is None else attacker_health
    theirs = defender.whole if defender_health is None else defender_health
    rounds: list[Round] = []
    found = verdict(terms, ours, theirs, 0)
    while found is None:
        played = play_round(dice, terms, attacker, defender, ours, theirs, len(rounds) + 1)
        rounds.append(played)
        ours = played.attacker_health
        theirs = played.defender_health
        found = verdict(terms, ours, theirs, len(rounds))
    return Duel(found, rounds, ours.copy(), theirs.copy())
