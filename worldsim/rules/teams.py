"""What a team's people make of it: attributes, profiles, transport, experience."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Sequence

Attribute = Literal[
    "speed",
    "gathering",
    "stealth",
    "detection",
    "communications",
    "defense",
    "construction",
    "research",
    "survival",
]
ATTRIBUTES: Final[tuple[Attribute, ...]] = get_args(Attribute)
# One by one, as ``Final``: compiled code then has the number itself in place of the name.
SPEED: Final = 0
GATHERING: Final = 1
STEALTH: Final = 2
DETECTION: Final = 3
COMMUNICATIONS: Final = 4
DEFENSE: Final = 5
CONSTRUCTION: Final = 6
RESEARCH: Final = 7
SURVIVAL: Final = 8
"""Positions of the attributes in every list that has one value for each (TEAM-2 to TEAM-4)."""

Use = Literal[
    "speed",
    "gathering",
    "stealth",
    "detection_gathering",
    "detection_wildlife",
    "detection_other",
    "communications",
    "defense",
    "construction",
    "research",
    "survival",
]
"""What a pool is asked for; Detection says what it is for, as profiles treat that differently."""
USES: Final[tuple[Use, ...]] = get_args(Use)


def mean(values: list[float], weights: list[float]) -> float:
    """The weighted mean of the conscious members' values; 0 if there is nobody.

    Rule TEAM-1, TEAM-3 [P]: real, not rounded; a Gatherer weighs more in Gathering.
    """
    total = whole = 0.0  # added up by hand: Python's versions differ in their ``sum`` of floats
    for i, weight in enumerate(weights):
        total += values[i] * weight
        whole += weight
    return total / whole if whole > 0 else 0.0


def speed(values: list[float], reading: str) -> float:
    """Team Speed of the conscious members' Speed values.

    Rule TEAM-2 [P].

    Args:
        values: One for each conscious member.
        reading: ``mean``, or ``min`` for the slowest.
    """
    if not values:
        return 0.0
    return min(values) if reading == "min" else mean(values, [1.0] * len(values))


def well_led(fit_leaders: int, fit_others: int) -> bool:
    """Whether a team is led as its profile asks.

    Rule TEAM-6 [P].

    Args:
        fit_leaders: Conscious Leaders with Stamina left.
        fit_others: Other conscious members with Stamina left.
    """
    return fit_leaders > 0 and fit_others > 0


def profile_counts(efficiency: int, needed: int, *, led: bool) -> bool:
    """Whether a team's profile brings anything now.

    Rule TEAM-6 [P].

    Args:
        efficiency: Of the team.
        needed: Efficiency a profile asks for.
        led: Whether a Leader and another member have Stamina left.
    """
    return led and efficiency >= needed


def capacity(
    physical: Sequence[int], vehicles: int, *, base: int, per_physical: int, vehicle: int
) -> int:
    """Transport Capacity of a team, in points.

    Rule TEAM-7 [P].

    Args:
        physical: Physical affinity of each living member.
        vehicles: How many there are.
        base: Points of a member of affinity 0.
        per_physical: Points per point of affinity; a member never carries less than nothing.
        vehicle: Points a vehicle carries.
    """
    return sum(max(0, per_physical * each + base) for each in physical) + vehicles * vehicle


def unit_weight(weight: int, step: int) -> int:
    """Points a unit of an ingredient of this Weight weighs.

    Rule TEAM-8 [us].
    """
    return 1 + weight // step


def experience_after(experience: int, most: int) -> int:
    """Experience after a finished mission.

    Rule TEAM-9 [D].
    """
    return min(most, experience + 1)


def complete(leaders: int, members: int, fewest: int) -> bool:
    """Whether a team at home may leave as it is, or must recruit first.

    Rule TEAM-10 [us].

    Args:
        leaders: Living Leaders.
        members: Living members, Leaders included.
        fewest: Members a team needs.
    """
    return leaders > 0 and members >= fewest
