"""What every kind of event has."""

from typing import ClassVar, Literal

import msgspec

Level = Literal["debug", "info", "warning"]
Amounts = dict[str, int]
Pool = Literal["transition", "sector"]
Activity = Literal["gather", "hunt"]


# Events hold no cycles, and are too many to be looked at by the garbage collector.
class Event(msgspec.Struct, frozen=True, tag_field="event", tag="event", gc=False):
    """What every kind has. The tag is the name of the kind, ``subject.participle``."""

    LEVEL: ClassVar[Level] = "info"

    seq: int
    t: int
    day: int
    level: Level
    cause: int | None


class DiceRolled(msgspec.Struct, frozen=True, tag_field="event", tag="dice.rolled", gc=False):
    """One roll behind an event, for ``debug``: ``of`` names the event, ``n`` counts its rolls."""

    LEVEL: ClassVar[Level] = "debug"

    of: int
    n: int
    t: int
    day: int
    level: Level
    rule: str
    how: str
    pool: str
    difficulty: int | None
    made_of: Amounts
    draw: float
    faces: list[int]
    result: int
