"""Cards of a battle: what each adds to the dice of its side, and how much it can take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Trait = Literal[
    "stealth", "awareness", "speed", "orders", "leadership", "shooting", "weapon", "cover"
]  # fmt: skip
TRAITS: tuple[Trait, ...] = get_args(Trait)
KINDS = ("character", "vehicle", "equipment", "starship")
TARGETS = ("character", "vehicle")


class Terms:
    """The numbers of a scenario's ``[rules.battle]`` that decide a fight.

    Attributes:
        power_per_die: Power a card needs in a trait for one die.
        double: How "twice" is read: ``instances`` or ``power`` (BAT-2).
        first_initiative, later_initiative, attack, assault, protection: How often each trait
            counts, by its place in ``TRAITS``; ``assault`` comes on top of ``attack``.
        initiative_at, attack_at, protection_at: Face that a die of each has to reach.
        scout, ambush: Points of Initiative, always and in the first round (BAT-4).
        strike: What a strike team adds to its Attack (BAT-6).
        tie: Who shoots first at equal Initiative: ``coin`` or ``defender`` (BAT-5).
        assault_in: ``every_round`` or ``first_round`` (BAT-6).
        attack_roll: ``pool`` or ``double_roll`` (BAT-8).
        most_rounds: Rounds after which the attacker has lost (BAT-12).
        character_health, vehicle_health: Combat Health when whole (BAT-1).
    """

    __slots__ = (
        "ambush", "assault", "assault_in", "attack", "attack_at", "attack_roll",
        "character_health", "double", "first_initiative", "initiative_at", "later_initiative",
        "most_rounds", "power_per_die", "protection", "protection_at", "scout", "strike", "tie",
        "vehicle_health",
    )  # fmt: skip

    def __init__(self) -> None:
        self.power_per_die = 3
        self.double = "instances"
        self.first_initiative = by_trait({"stealth": 2, "awareness": 1})
        self.later_initiative = by_trait({"speed": 2, "orders": 2})
        self.attack = by_trait({"orders": 1, "leadership": 1, "shooting": 2, "weapon": 2})
        self.assault = by_trait({"orders": 1, "shooting": 1})
        self.protection = by_trait({"orders": 2, "cover": 2})
        self.initiative_at = 3
        self.attack_at = 4
        self.protection_at = 4
        self.scout = 2
        self.ambush = 30
        self.strike = 1
        self.tie = "coin"
        self.assault_in = "every_round"
        self.attack_roll = "pool"
        self.most_rounds = 30
        self.character_health = 6
        self.vehicle_health = 12


class Card:
    """One card of a side.

    Rule BAT-1 [B].

    Attributes:
        kind: One of ``KINDS``.
        name: How reports call it.
        power: Whole points, by the trait's place in ``TRAITS``.
        health: Combat Health when whole; 0 for a card that has none, and so cannot be hit.

    Args:
        kind: As above.
        power: As above.
        health: None for a card that has none, a number from 1 for the others.
        name: As above.

    Raises:
        ValueError: The kind is unknown, a Power is negative or missing, or Health and kind differ
            about whether the card can be hit.
    """

    __slots__ = ("health", "kind", "name", "power")

    def __init__(
        self, kind: str, power: list[int], health: int | None = None, name: str = ""
    ) -> None:
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is no kind of card; there are {', '.join(KINDS)}")
        if len(power) != len(TRAITS) or min(power) < 0:
            raise ValueError(f"{name or kind} needs {len(TRAITS)} Powers from 0, not {power}")
        if (health is not None) != (kind in TARGETS) or (health is not None and health < 1):
            wanted = "from 1" if kind in TARGETS else "None: it cannot be hit"
            raise ValueError(f"{name or kind} has Combat Health {health}; it should be {wanted}")
        self.kind = kind
        self.name = name
        self.power = power
        self.health = 0 if health is None else health


class Side:
    """A team as it goes into battle, its dice counted card by card.

    Rule BAT-1, BAT-2 [B].

    Attributes:
        cards: All its cards.
        whole: Combat Health of each when whole, 0 for those that cannot be hit.
        first_initiative, later_initiative, attack, protection: Dice of each card.
        assault_dice: Dice of each card that an assault adds to its attack.
        scout: It is a scout team (BAT-4).
        ambush: It lies in ambush in the first round (BAT-4).
        strike: It is on a mission to strike (BAT-6).
        assault: It leads an assault (BAT-6).

    Raises:
        ValueError: An ambush by others than scouts, or an assault by others than a strike team.
    """

    __slots__ = (
        "ambush", "assault", "assault_dice", "attack", "cards", "first_initiative",
        "later_initiative", "protection", "scout", "strike", "whole",
    )  # fmt: skip

    def __init__(
        self,
        cards: list[Card],
        terms: Terms,
        *,
        scout: bool = False,
        ambush: bool = False,
        strike: bool = False,
        assault: bool = False,
    ) -> None:
        if ambush and not scout:
            raise ValueError("only scouts lie in ambush: set scout, or leave ambush out")
        if assault and not strike:
            raise ValueError("only a strike team leads an assault: set strike, or leave it out")
        self.cards = cards
        self.whole = [card.health for card in cards]
        self.first_initiative = [card_dice(c.power, terms.first_initiative, terms) for c in cards]
        self.later_initiative = [card_dice(c.power, terms.later_initiative, terms) for c in cards]
        self.attack = [card_dice(c.power, terms.attack, terms) for c in cards]
        self.assault_dice = [card_dice(c.power, terms.assault, terms) for c in cards]
        self.protection = [card_dice(c.power, terms.protection, terms) for c in cards]
        self.scout = scout
        self.ambush = ambush
        self.strike = strike
        self.assault = assault


def whole_health(kind: str, terms: Terms) -> int | None:
    """Combat Health of a card that is not given its own; None for one that cannot be hit.

    Rule BAT-1 [us].
    """
    if kind == "vehicle":
        return terms.vehicle_health
    return terms.character_health if kind == "character" else None


def by_trait(points: Mapping[str, int]) -> list[int]:
    """One number a trait, in the order of ``TRAITS``; 0 where nothing is said.

    Raises:
        ValueError: There is no such trait.
    """
    unknown = sorted(set(points) - set(TRAITS))
    if unknown:
        raise ValueError(f"{', '.join(unknown)}: no trait of a card; there are {', '.join(TRAITS)}")
    return [points.get(trait, 0) for trait in TRAITS]


def trait_dice(
    power: int, instances: int, double: str = "instances", power_per_die: int = 3
) -> int:
    """Dice of one card in one trait.

    Rule BAT-2 [B]: full groups of Power only, and what is left over is lost for each card and
    instance. Whether a trait that counts twice gives its dice two times, or its Power is doubled
    before it is divided, is a matter of reading.

    Args:
        power: From 0.
        instances: How often the trait counts.
        double: ``instances`` or ``power``.
        power_per_die: Power that makes a die.
    """
    if double == "power":
        return instances * power // power_per_die
    return instances * (power // power_per_die)


def card_dice(power: Sequence[int], instances: Sequence[int], terms: Terms) -> int:
    """Dice a card brings to one value of its side: the sum over the traits, taken one by one.

    Rule BAT-2 [B].

    Args:
        power: By trait.
        instances: How often each trait counts.
        terms: What a die costs, and how "twice" is read.
    """
    dice = 0
    for trait in range(len(TRAITS)):
        if instances[trait]:
            dice += trait_dice(power[trait], instances[trait], terms.double, terms.power_per_die)
    return dice


def initiative_dice(card: Card, terms: Terms) -> tuple[int, int]:
    """The two numbers a card shows: its dice of Initiative in the first and in later rounds.

    Rule BAT-3 [B].
    """
    return (
        card_dice(card.power, terms.first_initiative, terms),
        card_dice(card.power, terms.later_initiative, terms),
    )


def power_of_skill(skill: float, divisor: int = 5) -> int:
    """Power of a member in the trait that has a skill's name.

    Rule BAT-16 [us]: 55 and 45 give the 11 and 9 of the battle rules' own example.

    Args:
        skill: Any real number; below 0 counts as 0.
        divisor: Points of skill for one of Power.
    """
    return max(0, int(skill // divisor))


def counted(dice: list[int], whole: list[int], health: list[int]) -> int:
    """Dice of a side: those of its cards still up, and of the cards that cannot be hit.

    Rule BAT-1 [B].

    Args:
        dice: By card.
        whole: Combat Health when whole, by card; 0 for a card that cannot be hit.
        health: Combat Health now, by card.
    """
    total = 0
    for card in range(len(dice)):
        if health[card] > 0 or whole[card] == 0:
            total += dice[card]
    return total


def standing(health: list[int]) -> bool:
    """Whether a side can go on: some card that can be hit is still up.

    Rule BAT-11 [B].
    """
    return any(left > 0 for left in health)


def rested(whole: list[int], health: list[int]) -> list[int]:
    """Combat Health on the day after: full again, but for the fallen.

    Rule BAT-1 [us].
    """
    return [full if left > 0 else 0 for full, left in zip(whole, health, strict=True)]
