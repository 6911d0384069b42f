"""How the odds of a duel move with one trait of a side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.duel.odds import duel_odds
from worldsim.rules.cards import TRAITS, Card, Side

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from worldsim.duel.outcome import Odds
    from worldsim.rules.cards import Terms

ATTACKER, DEFENDER = SIDES = ("attacker", "defender")


def sweep(
    terms: Terms,
    attacker: Side,
    defender: Side,
    trait: str,
    powers: Iterable[int],
    *,
    side: str = ATTACKER,
    card: str | None = None,
    **how: Any,
) -> list[tuple[int, Odds]]:
    """The odds for each Power of a trait.

    Args:
        terms: The scenario's numbers.
        attacker: Who came later.
        defender: Who was there.
        trait: Which trait.
        powers: What it is set to, one after another.
        side: Whose trait: ``attacker`` or ``defender``.
        card: The name of the card or cards whose trait it is, None for every Character and Vehicle.
        how: As ``duel_odds`` takes it.

    Returns:
        Each Power with its odds.

    Raises:
        ValueError: There is no such trait, side or card, or a Power is negative.
    """
    if side not in SIDES:
        raise ValueError(f"{side!r} is no side; there are {', '.join(SIDES)}")
    found: list[tuple[int, Odds]] = []
    for power in powers:
        ours = with_power(attacker, terms, trait, power, card) if side == ATTACKER else attacker
        theirs = with_power(defender, terms, trait, power, card) if side == DEFENDER else defender
        found.append((power, duel_odds(terms, ours, theirs, **how)))
    return found


def with_power(side: Side, terms: Terms, trait: str, power: int, card: str | None = None) -> Side:
    """A side whose cards have another Power in one trait.

    Args:
        side: The side, which is not changed.
        terms: The scenario's numbers.
        trait: Which trait.
        power: What it is set to.
        card: The name of the cards to change, None for every Character and Vehicle.

    Raises:
        ValueError: There is no such trait or card, or the Power is negative.
    """
    if trait not in TRAITS:
        raise ValueError(f"{trait!r} is no trait of a card; there are {', '.join(TRAITS)}")
    place = TRAITS.index(trait)
    chosen = [each.health > 0 if card is None else each.name == card for each in side.cards]
    if not any(chosen):
        names = ", ".join(sorted({each.name for each in side.cards}))
        raise ValueError(f"no card called {card!r}; there are {names}")
    cards = [
        _changed(each, place, power) if wanted else each
        for each, wanted in zip(side.cards, chosen, strict=True)
    ]
    return Side(
        cards, terms,
        scout=side.scout, ambush=side.ambush, strike=side.strike, assault=side.assault,
    )  # fmt: skip


def _changed(card: Card, place: int, power: int) -> Card:
    powers = [*card.power[:place], power, *card.power[place + 1 :]]
    return Card(card.kind, powers, card.health or None, card.name)
