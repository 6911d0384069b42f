"""Reserves: how stock is shared out, how abundant it feels, how it grows back."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

POOR: Final = 0
NORMAL: Final = 1
RICH: Final = 2


def shared_out(total: int, weights: Sequence[float]) -> list[int]:
    """Whole units shared by weight, none lost: the largest remainders get what is left over.

    Rule RES-1 [P]. Equal remainders are served in the order given.

    Args:
        total: Units to share.
        weights: At least one above 0.

    Raises:
        ValueError: no weight is above 0.
    """
    whole = fsum(weights)  # Python's versions differ in their ``sum`` of floats
    if whole <= 0:
        raise ValueError("at least one weight must be above 0")
    exact = [total * weight / whole for weight in weights]
    shares = [int(share) for share in exact]
    by_remainder = sorted(
        range(len(shares)), key=lambda i: (shares[i] - exact[i], i) if weights[i] else (1.0, i)
    )
    for i in range(total - sum(shares)):
        shares[by_remainder[i % len(by_remainder)]] += 1
    return shares


def sector_part(region_units: int, share: float) -> int:
    """Units of a region that lie in its sectors; the rest is its transition reserve.

    Rule RES-2 [P]: an odd unit goes to the transition.
    """
    return int(region_units * share)


def class_of(initial: int, mean: float, rich_at: float = 1.5, poor_at: float = 0.5) -> int:
    """Whether a place is POOR, NORMAL or RICH in an ingredient, from the start and for good.

    Rule RES-4 [P].

    Args:
        initial: Units there at the start.
        mean: The planet's mean over places of the same pool.
        rich_at: Times the mean from which a place is rich.
        poor_at: Times the mean up to which a place is poor.
    """
    if initial >= rich_at * mean:
        return RICH
    return POOR if initial <= poor_at * mean else NORMAL


def modifier(
    abundance: int,
    left_share: float,
    bands: Sequence[tuple[float, int]],
    poor: int = 1,
    worst: int = 2,
) -> int:
    """What abundance adds to difficulties, and takes from the units present.

    Rule RES-4 [P].

    Args:
        abundance: POOR, NORMAL or RICH.
        left_share: Stock left over initial stock, 0 to 1.
        bands: (from this share on, modifier of a rich place), descending.
        poor: Added in a poor place.
        worst: The highest modifier there is.
    """
    value = worst
    for at, band in bands:
        if left_share >= at:
            value = band
            break
    if abundance != RICH and value < 0:
        value = 0
    if abundance == POOR:
        value += poor
    return min(value, worst)


def regrown(left: int, initial: int, rate: float, carried: float) -> tuple[int, float]:
    """Units that grow back in a day, and the remainder carried to the next.

    Rule RES-5 [us]: logistic growth towards the initial stock, never beyond it.

    Args:
        left: Units there now; nothing grows from nothing.
        initial: Units there at the start.
        rate: Growth per day of a nearly empty place, relative to its stock.
        carried: Remainder of the days before, below 1.
    """
    if left <= 0 or left >= initial:
        return 0, 0.0
    growth = carried + rate * left * (1.0 - left / initial)
    units = min(int(growth), initial - left)
    return units, growth - units if left + units < initial else 0.0
