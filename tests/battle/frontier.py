"""Stories of rivals: colonies of one team each around a sector, and fights decided beforehand.

The world of `stories`, with more sectors. A move takes a minute of the day. Every die is a success
(``initiative_at``, ``attack_at`` and ``protection_at`` are 1), so the cards alone decide a duel; a
team is a Leader without Power unless a story gives some.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1] / "processes"))

from stories import BERRY, GROUND, Told, person, scenario

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.events.kinds import Level

FRONT = "r1/s8"
"""The sector that stories are about."""

CERTAIN = (
    "planet.sectors_per_region=8",
    "rules.travel.march_min=1",
    "rules.teams.fewest_members=1",
    "rules.battle.relation='war'",
    "rules.battle.initiative_at=1",
    "rules.battle.attack_at=1",
    "rules.battle.protection_at=1",
    "rules.battle.character_health=1",
    "rules.battle.strike=0",
    "missions.patrol.day_limit=25",
)
"""What makes a fight certain; what a story sets comes later and so counts."""

ALWAYS_READY = (
    "rules.fatigue.ready_efficiency=0",
    "rules.fatigue.ready_stamina=0",
    "rules.fatigue.ready_resilience=0",
)
"""A team leaves again as soon as its orders say so."""

NO_POWER = dict.fromkeys(
    ("stealth", "awareness", "orders", "leadership", "shooting", "weapon", "cover"), 0.0
)
OF_BATTLES = {
    "sector.contested", "battle.started", "battle.round_fought", "card.fell", "battle.ended",
    "sector.secured", "sector.claimed",
}  # fmt: skip
NOT_TOLD = {"seq", "t", "day", "level", "cause", "event"}


def crew(roles: Sequence[str] = ("leader",), **power: int) -> list[str]:
    """People ``a``, ``b``, ``c``, … who have so much Power each (BAT-16); all are as quick."""
    skills = NO_POWER | {trait: 5.0 * points for trait, points in power.items()}
    return [
        person(chr(ord("a") + i), role, skill=80, physical=0, **skills)
        for i, role in enumerate(roles)
    ]


def faction(
    name: str,
    orders: Sequence[tuple[int, str] | tuple[int, str, str]] = ((1, "patrol"),),
    *,
    people: Sequence[str] | None = None,
    profile: str = "gathering",
    cards: Sequence[str] = (),
    colony: str | None = None,
    side: str | None = None,
    vehicles: int = 1,
) -> str:
    """A colony with one team ``ants``, sent out as its orders say: day, mission, sector."""
    site = {"red": "r1/s1", "blue": "r1/s2", "green": "r1/s3", "grey": "r1/s4"}[name]
    lines = [(*order, FRONT)[:3] for order in orders]
    script = ", ".join(
        f'{{ day = {day}, team = "ants", mission = "{mission}", target = "{target}" }}'
        for day, mission, target in lines
    )
    members = ",\n  ".join(crew() if people is None else people)
    return (
        f'\n[[colonies]]\nid = "{colony or name}"\nfaction = "{side or name}"\nsector = "{site}"\n'
        f'policy = "scripted"\nstores = {{ berry = 1000 }}\nscript = [{script}]\n'
        f'\n[[colonies.teams]]\nid = "ants"\nprofile = "{profile}"\nvehicles = {vehicles}\n'
        f"cards = {list(cards)}\nmembers = [\n  {members},\n]\n"
    )


def equipment(name: str, **power: int) -> str:
    """A table ``[[cards]]`` of something that cannot be hit."""
    return _card(name, "equipment", "", power)


def vehicle(name: str, health: int, **power: int) -> str:
    """A table ``[[cards]]`` of a vehicle with its own Combat Health."""
    return _card(name, "vehicle", f"health = {health}\n", power)


def _card(name: str, kind: str, health: str, power: dict[str, int]) -> str:
    points = ", ".join(f"{trait} = {value}" for trait, value in power.items())
    return f'\n[[cards]]\nid = "{name}"\nkind = "{kind}"\n{health}power = {{ {points} }}\n'


def relation(one: str, other: str, how: str) -> str:
    return f'\n[[relations]]\nbetween = ["{one}", "{other}"]\nrelation = "{how}"\n'


def at_front(
    days: int,
    *colonies: str,
    more: str = "",
    sets: Sequence[str] = (),
    seed: int = 1,
    level: Level = "info",
    goods: str = BERRY,
) -> Told:
    """Some days of rivals around the front."""
    of = scenario(
        *CERTAIN, *sets, ground=GROUND, goods=goods, more=more, colonies="".join(colonies)
    )
    return Told(of, seed=seed, level=level).days(days)


def team_of(told: Told, name: str) -> Any:
    """The team of a colony as it is now."""
    return next(team for team in told.sim.world.teams if team.colony == name)


def told_of_battles(told: Told) -> list[str]:
    """All that the journal says of battles and control, each line with all its fields.

    From the first contest on, minutes counted from it.
    """
    begin = told.all("sector.contested")[0]
    return [
        " ".join(
            [f"+{each['t'] - begin['t']}", each["event"]]
            + [f"{key}={_short(value)}" for key, value in each.items() if key not in NOT_TOLD]
        )
        for each in told.events
        if each["seq"] >= begin["seq"] and each["event"] in OF_BATTLES
    ]


def round_of(
    number: int,
    first: str,
    initiative: tuple[int, int],
    hits: tuple[int, int],
    overkill: int = 0,
) -> str:
    """A line of ``told_of_battles``: a round in which red attacks blue; pairs begin with red."""
    return (
        f"+{10 * number} battle.round_fought sector={FRONT} attacker=red/ants defender=blue/ants "
        f"number={number} attacker_initiative={initiative[0]} defender_initiative={initiative[1]} "
        f"attacker_first={first == 'attacker'} attacker_hits={hits[0]} defender_hits={hits[1]} "
        f"overkill={overkill}"
    )


def _short(value: Any) -> str:
    if isinstance(value, list):
        return "+".join(map(str, value)) or "nobody"
    if isinstance(value, dict):
        return "+".join(f"{n}_{name}" for name, n in value.items()) or "nothing"
    return str(value)


__all__ = [
    "ALWAYS_READY", "FRONT", "Told", "at_front", "crew", "equipment", "faction", "person",
    "relation", "round_of", "team_of", "told_of_battles", "vehicle",
]  # fmt: skip
