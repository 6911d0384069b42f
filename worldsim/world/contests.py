"""Who controls each sector, who stands how to whom, and the battles that go on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldsim.scenario.model import Scenario


@dataclass(slots=True)
class Control:
    """Who controls a sector.

    Attributes:
        faction: Who.
        since: Day on which it took the sector.
    """

    faction: str
    since: int


@dataclass(slots=True)
class Battle:
    """A battle for one sector: duels one after another until no enemies are left in it.

    Attributes:
        sector: Where.
        teams: Everybody in it, from the first to come to the last.
        attacker, defender: Of the duel that is fought now; None between two duels.
        rounds: Fought in this duel.
        ambush, assault: Whether this duel's attacker has that advantage (BAT-4, BAT-6).
        cause: ``seq`` of the event that led here.
    """

    sector: str
    teams: list[str]
    attacker: str | None = None
    defender: str | None = None
    rounds: int = 0
    ambush: bool = False
    assault: bool = False
    cause: int | None = None


@dataclass(slots=True)
class Contests:
    """All that changes about control.

    Attributes:
        control: Of each sector somebody controls.
        battles: By sector.
        last_week: Who sat in which sector, in control of it, at the end of last week (DAY-2).
    """

    control: dict[str, Control] = field(default_factory=dict)
    battles: dict[str, Battle] = field(default_factory=dict)
    last_week: dict[str, str] = field(default_factory=dict)


class Relations:
    """How any two factions stand to each other (BAT-18)."""

    __slots__ = ("_default", "_said", "peaceful")

    def __init__(self, scenario: Scenario) -> None:
        self._default = scenario.rules.battle.relation
        self._said = {frozenset(each.between): each.relation for each in scenario.relations}
        factions = {colony.faction or colony.id for colony in scenario.colonies}
        told = set(self._said.values()) | ({self._default} if len(factions) > 1 else set())
        self.peaceful = told <= {"peace"}

    def between(self, one: str, other: str) -> str:
        """``war``, ``peace`` or ``avoid``; a faction is at peace with itself."""
        if one == other:
            return "peace"
        return self._said.get(frozenset((one, other)), self._default)
