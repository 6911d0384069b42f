"""What must hold in any run, checked from outside: by its log, and by its world at midnight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from worldsim.events.kinds import AnyEvent, DiceRolled, Event

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from worldsim.scenario import Scenario
    from worldsim.world.teams import Team
    from worldsim.world.world import World

MINUTES_A_DAY = 1440
HOME, AWAY = {"at_colony"}, {"outbound", "on_site", "homeward"}
ABROAD = AWAY | {"lost"}

WHERE: dict[str, tuple[set[str], str | None]] = {
    "team.departed": (HOME, "outbound"),
    "team.rested": (HOME, None),
    "team.contributed": (HOME, None),
    "team.disbanded": (HOME, "disbanded"),
    "team.reformed": ({"disbanded"}, "at_colony"),
    "member.recruited": (HOME, None),
    "team.endured": (AWAY, None),
    "team.stranded": (AWAY, None),
    "team.lost": (AWAY, "lost"),
    "team.searched": ({"lost"}, None),
    "team.found": ({"lost"}, "homeward"),
    "team.moved": ({"outbound", "homeward"}, None),
    "team.arrived": ({"outbound"}, "on_site"),
    "team.waited": ({"on_site"}, None),
    "team.gathered": (AWAY, None),
    "team.explored": (AWAY, None),
    "team.researched": (AWAY, None),
    "team.constructed": (AWAY, None),
    "team.turned_back": ({"outbound", "on_site"}, "homeward"),
    "team.returned": ({"homeward"}, "at_colony"),
    "team.perished": (ABROAD, "gone"),
    "team.affected": (AWAY, None),
    "wildlife.met": (ABROAD, None),
    "member.hurt": (ABROAD, None),
    "member.died": (ABROAD, None),
    "member.collapsed": (ABROAD, None),
    "team.slipped_away": ({"on_site"}, None),
    "card.fell": ({"in_battle"}, None),
    "card.recovered": (HOME | ABROAD | {"disbanded", "in_battle"}, None),
}
"""Of each kind of event what a team must be doing, and what it does from then on."""

ONCE_A_DAY = (
    {"team.rested", "team.contributed", "team.departed", "team.disbanded"},
    {"team.endured", "team.searched"},
    {"team.moved", "team.rested", "team.contributed"},
)
"""Of each of these sets a team lives at most one event a day."""

NOT_AFTER_A_BATTLE = {
    "team.moved", "team.arrived", "team.gathered", "team.explored", "team.researched",
    "team.constructed", "team.waited",
}  # fmt: skip
"""What a team does not do on a day on which it fought (BAT-15)."""

PERCENT = ("situation", "efficiency", "stamina_least")


class LogChecker:
    """Follows a log, event by event, by a reading of its own; the first fault raises."""

    def __init__(self, scenario: Scenario) -> None:
        self.most_health = scenario.rules.characters.health
        self.hard_limit = scenario.rules.gathering.hard_limit
        self.hardest = scenario.rules.survival.hardest
        self.seq = self.t = 0
        self.region_of: dict[str, str] = {}
        self.site: dict[str, str] = {}
        self.colony: dict[str, str] = {}
        self.status: dict[str, str] = {}
        self.place: dict[str, str] = {}
        self.today: dict[str, list[str]] = {}
        self.day = 0
        self.faction: dict[str, str] = {}
        self.control: dict[str, str] = {}
        self.battle_of: dict[str, str] = {}
        self.duel: dict[str, tuple[str, str, int]] = {}
        self.fought: set[str] = set()

    def see(self, event: Event | DiceRolled) -> None:
        """Check one more event."""
        if isinstance(event, DiceRolled):
            return
        kind = str(event.__struct_config__.tag)
        self._in_time(event)
        for name in event.__struct_fields__:
            _in_range(name, getattr(event, name))
        facts: Any = event
        if kind == "reserve.founded":
            self.region_of[facts.place] = facts.region
        elif kind == "colony.founded":
            self.site[facts.colony] = facts.sector
            self.faction[facts.colony] = facts.faction
        elif kind == "team.formed":
            self.colony[facts.team], self.status[facts.team] = facts.colony, "at_colony"
            self.place[facts.team] = self.site[facts.colony]
        elif kind in WHERE:
            self._once_a_day(kind, facts.team)
            self._in_one_place(kind, facts)
        elif kind in BATTLES:
            BATTLES[kind](self, facts)
        if kind in NOT_AFTER_A_BATTLE:
            assert facts.team not in self.fought, f"{facts.team} has fought today"
        self._by_kind(kind, facts)

    def _in_time(self, event: Event) -> None:
        assert event.seq == self.seq, "seq has no gap"
        assert event.t >= self.t, "time does not run back"
        founding = event.day == 0
        assert founding or event.day == event.t // MINUTES_A_DAY + 1
        assert event.day >= self.day
        assert event.cause is None or 0 <= event.cause < event.seq, "a cause comes first"
        if event.day > self.day:
            self.day, self.today, self.fought = event.day, {}, set()
        self.seq, self.t = event.seq + 1, event.t

    def _once_a_day(self, kind: str, team: str) -> None:
        lived = self.today.setdefault(team, [])
        for kinds in ONCE_A_DAY:
            assert not (kind in kinds and kinds & set(lived)), f"{team}: {kind} after {lived}"
        lived.append(kind)

    def _in_one_place(self, kind: str, facts: Any) -> None:
        team = facts.team
        right, then = WHERE[kind]
        now = self.status[team]
        assert now in right, f"{team} is {now}"
        self.status[team] = then or now
        if kind == "team.departed":
            self.place[team] = self.region_of[self.site[self.colony[team]]]
        elif kind == "team.returned":
            self.place[team] = self.site[self.colony[team]]
        elif kind == "team.arrived":
            assert self.region_of[facts.sector] == self.place[team], "a sector of the region"
            self.place[team] = facts.sector
        elif kind == "team.moved":
            assert self.region_of[facts.place] == facts.place, "moves end in a region"
            assert facts.heading == ("out" if now == "outbound" else "home")
            self.place[team] = facts.place
        elif hasattr(facts, "place"):
            assert facts.place == self.place[team], f"{team} is in {self.place[team]}"

    def _contest(self, facts: Any) -> None:
        """All of them are in this sector, and in no battle of another one."""
        assert facts.rivals
        for team in (facts.team, *facts.rivals):
            allowed = {"on_site"} if team == facts.team else {"on_site", "in_battle"}
            assert self.status[team] in allowed, f"{team} is {self.status[team]}"
            assert self.place[team] == facts.sector, f"{team} is in {self.place[team]}"
            assert self.battle_of.setdefault(team, facts.sector) == facts.sector
            self.status[team] = "in_battle"

    def _begin_duel(self, facts: Any) -> None:
        assert facts.sector not in self.duel, "one duel after another"
        assert self._faction(facts.attacker) != self._faction(facts.defender)
        self._fight(facts)
        self.duel[facts.sector] = (facts.attacker, facts.defender, 0)

    def _fight_round(self, facts: Any) -> None:
        assert self.duel[facts.sector] == (facts.attacker, facts.defender, facts.number - 1)
        self._fight(facts)
        self.duel[facts.sector] = (facts.attacker, facts.defender, facts.number)

    def _fight(self, facts: Any) -> None:
        for team in (facts.attacker, facts.defender):
            assert self.battle_of.get(team) == facts.sector, f"{team} fights here"
            assert self.status[team] == "in_battle", f"{team} is {self.status[team]}"
            self.fought.add(team)

    def _end_duel(self, facts: Any) -> None:
        attacker, defender, rounds = self.duel.pop(facts.sector)
        assert {facts.winner, facts.loser} == {attacker, defender}
        assert facts.rounds == rounds
        assert (facts.reason == "absent") == (rounds == 0)
        assert self.battle_of.pop(facts.loser) == facts.sector
        self.status[facts.loser] = "homeward"

    def _secure(self, facts: Any) -> None:
        assert facts.sector not in self.duel
        here = [team for team, sector in self.battle_of.items() if sector == facts.sector]
        assert sorted(facts.teams) == sorted(here), "all who are left"
        for team in here:
            del self.battle_of[team]
            self.status[team] = "on_site"

    def _claim(self, facts: Any) -> None:
        assert facts.taken_from == self.control.get(facts.sector)
        assert facts.faction == self._faction(facts.team) != facts.taken_from
        assert self.place[facts.team] == facts.sector
        self.control[facts.sector] = facts.faction

    def _faction(self, team: str) -> str:
        return self.faction[self.colony[team]]

    def _by_kind(self, kind: str, facts: Any) -> None:
        if kind == "team.gathered":
            units = sum(facts.taken.values())
            assert facts.units_tried <= facts.units_found
            assert units + sum(facts.destroyed.values()) <= facts.units_tried
            assert not self.hard_limit or units <= facts.gathering_limit
        elif kind == "team.moved":
            assert 0 <= facts.travelled <= facts.distance
        elif kind == "member.hurt":
            assert facts.damage > 0
            assert -self.most_health <= facts.health <= self.most_health, f"Health {facts.health}"
        elif kind in {"team.endured", "team.searched"}:
            assert 1 <= facts.difficulty <= self.hardest


BATTLES = {
    "sector.contested": LogChecker._contest,
    "battle.started": LogChecker._begin_duel,
    "battle.round_fought": LogChecker._fight_round,
    "battle.ended": LogChecker._end_duel,
    "sector.secured": LogChecker._secure,
    "sector.claimed": LogChecker._claim,
}
"""What is checked of events that concern several teams, or a sector."""


def _in_range(name: str, value: Any) -> None:
    if name in PERCENT and isinstance(value, int):
        assert value <= 100, f"{name} is {value}"
    if isinstance(value, dict) and name != "resilience":
        assert all(units > 0 for units in value.values()), f"{name} is {value}"


def read(lines: Sequence[bytes], checker: LogChecker, counts: Counter[str] | None = None) -> None:
    """Have some lines of a log checked, and count them by kind.

    Raises:
        AssertionError: what is wrong, and below it the line.
    """
    for line in lines:
        event = msgspec.json.decode(line, type=AnyEvent)
        try:
            checker.see(event)
        except AssertionError as fault:
            raise AssertionError(f"{fault}\n{line.decode()}") from fault
        if counts is not None:
            counts[str(event.__struct_config__.tag)] += 1


def check_world(world: World) -> None:
    """What must hold at every midnight.

    Raises:
        AssertionError: it does not.
    """
    world.balance()
    for left, initial in zip(world.reserves.left, world.reserves.initial, strict=True):
        assert all(0 <= now <= first for now, first in zip(left, initial, strict=True))
    for colony in world.colonies:
        assert min(colony.store) >= 0
    for team in world.teams:
        _check_team(world, team)
    _check_battles(world)


def _check_battles(world: World) -> None:
    """Who is in battle is in one, where it stands; nobody else is."""
    fighting = [
        (team, sector) for sector, each in world.contests.battles.items() for team in each.teams
    ]
    stands = [(team.id, team.place) for team in world.teams if team.status == "in_battle"]
    assert sorted(fighting) == sorted(stands)


def _check_team(world: World, team: Team) -> None:
    most = world.scenario.rules.characters.health
    assert 0 <= team.situation <= 100
    assert 0 <= team.efficiency <= 100
    assert min(team.resilience, default=0) >= 0
    for member in team.members:
        assert 0 <= member.stamina <= 100
        assert -most <= member.health <= most, f"{member.name} has Health {member.health}"
    assert min(team.cargo) >= 0
    assert min(team.rations) >= 0
    carried = sum(n * w for n, w in zip(team.cargo, world.unit_weights, strict=True))
    carried += sum(team.rations) * world.scenario.rules.teams.ration_weight
    assert team.load == carried
    assert (team.trip is None) == (team.status in {"at_colony", "disbanded"}) or (
        team.status == "gone"
    )
    if team.trip is not None and team.status != "gone":
        assert 0 <= team.trip.position <= team.trip.distance
