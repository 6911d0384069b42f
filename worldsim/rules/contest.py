"""Who fights whom for a sector, when, and what becomes of it and of the losers."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.rules.dice import Dice, Pool

WAR, PEACE, AVOID = RELATIONS = ("war", "peace", "avoid")
FIGHT, SHARE, SLIP_AWAY = MEETINGS = ("fight", "share", "slip_away")
DAY_MIN = 1440
NEARLY = 1e-9  # a share such as 0.29 of 100 units is 28.999…96 to a float, and means 29


def ambushes(*, scouting: bool, controller: str | None) -> bool:
    """Whether a team lies in ambush in the first round.

    Rule BAT-4 [B].

    Args:
        scouting: It is a scout team.
        controller: Who controlled the sector as the mission was assigned, None for nobody.
    """
    return scouting and controller is None


def assaults(*, striking: bool, target: str, sitting: str | None) -> bool:
    """Whether a team leads an assault.

    Rule BAT-6 [B].

    Args:
        striking: It is on a mission to strike.
        target: The team it fights.
        sitting: The team that was here and in control at the end of last week and has not left
            since, None if there is none.
    """
    return striking and sitting == target


def arrival_order(arrivals: Sequence[tuple[int, int]]) -> list[int]:
    """The teams of a sector from the first to come to the last; of two, the later attacks.

    Rule BAT-12 [W].

    Args:
        arrivals: Of each team the minute it arrived and its place in the day's order (DAY-3).
    """
    return sorted(range(len(arrivals)), key=arrivals.__getitem__)


def next_duel(order: Sequence[int], hostile: Sequence[Sequence[bool]]) -> tuple[int, int] | None:
    """The next two to fight of all who are in a sector, None if nobody has to.

    Rule BAT-13 [W]: the one installed longest defends first, against whoever came first of its
    enemies; then the next. Ask again after each duel, without the loser.

    Args:
        order: The teams there, from the first to come to the last.
        hostile: Whether the first of two teams would fight the second; the same both ways.

    Returns:
        Attacker and defender.
    """
    for place, defender in enumerate(order):
        for attacker in order[place + 1 :]:
            if hostile[attacker][defender]:
                return attacker, defender
    return None


def cargo_lost(units: Sequence[int], share: float = 0.5) -> list[int]:
    """Units of each kind that a beaten team leaves behind.

    Rule BAT-14 [us]: all units together are cut to the share, rounded down, and every kind by its
    own share to within a unit.

    Args:
        units: Cargo by kind.
        share: 0 to 1.
    """
    lost: list[int] = []
    carried = before = 0
    for count in units:
        carried += count
        until = floor(carried * share + NEARLY)
        lost.append(until - before)
        before = until
    return lost


def tries_recovery(days_home: int, every_days: int = 7) -> bool:
    """Whether a fallen card tries to get up today: on the day it comes home, then every week.

    Rule BAT-14 [W], [us].

    Args:
        days_home: Days since it came home, 0 on that day.
        every_days: From one try to the next.
    """
    return days_home % every_days == 0


def recovers(dice: Dice, face: int = 6) -> bool:
    """Whether a fallen card gets up again: one d6, one draw.

    Rule BAT-14 [W].
    """
    return dice.test("BAT-14", (1, 0), face) > 0


def may_leave(leaders: int, others: int, least_others: int = 2) -> bool:
    """Whether a team may leave without its fallen.

    Rule BAT-14 [us].

    Args:
        leaders: Leaders who are up.
        others: Other members who are up.
        least_others: How many of them there must be.
    """
    return leaders > 0 and others >= least_others


def round_ends_at(now_min: int, round_min: int = 10, day_min: int = DAY_MIN) -> int:
    """The minute at which a round that could begin now is over.

    Rule BAT-15 [us]: a round that would not be over before midnight waits for dawn, so that no
    round is ever half fought at midnight.
    """
    midnight = (now_min // day_min + 1) * day_min
    begins = now_min if now_min + round_min < midnight else midnight
    return begins + round_min


def may_progress(day: int, fought_on: int | None) -> bool:
    """Whether a team may still move or work on a day.

    Rule BAT-15 [us].

    Args:
        day: Today.
        fought_on: The last day on which it fought, None if it never did.
    """
    return fought_on != day


def controller_after(
    controller: str | None, present: Sequence[str], hostile: Sequence[Sequence[bool]]
) -> str | None:
    """The faction that controls a sector after a day.

    Rule BAT-17 [B], [us]: teams that no enemy contests take it. If the faction in control is one
    of theirs it stays so; else the first to have come takes it.

    Args:
        controller: Who controlled it, None for nobody.
        present: Factions of the teams that end their day there as their destination, in order of
            arrival.
        hostile: Whether two of these teams would fight.
    """
    masters = [
        faction for team, faction in enumerate(present) if not any(hostile[team])
    ]  # fmt: skip
    if not masters or controller in masters:
        return controller
    return masters[0]


def drains_situation(*, patrolling: bool, controls: bool) -> bool:
    """Whether a day away drains a team's Situation: not on patrol in a sector of its faction.

    Rule BAT-17 [W], [us].
    """
    return not (patrolling and controls)


def meeting(dice: Dice, relation: str, stealth: Pool, detection: Pool, face: int = 4) -> str:
    """What comes of it when a team arrives where another one is.

    Rule BAT-18 [us]: who avoids the other slips away unseen with more successes; at a tie it is
    seen, and they fight.

    Args:
        dice: Two draws if they avoid each other, else none.
        relation: ``war``, ``peace`` or ``avoid``.
        stealth: Stealth of the team that arrives.
        detection: Detection of the one that is there.
        face: Difficulty of both tests.

    Returns:
        ``fight``, ``share`` or ``slip_away``.

    Raises:
        ValueError: There is no such relation.
    """
    if relation not in RELATIONS:
        raise ValueError(f"{relation!r} is no relation; there are {', '.join(RELATIONS)}")
    if relation == PEACE:
        return SHARE
    if relation == AVOID:
        hidden = dice.test("BAT-18", stealth, face)
        seen = dice.test("BAT-18", detection, face)
        if hidden > seen:
            return SLIP_AWAY
    return FIGHT
