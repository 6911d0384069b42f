"""A team's day: rest or leave at home; survive, move or gather away."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from bench_peers.dice import pool_of, successes, total
from bench_peers.gathering import gather
from bench_peers.planet import DAY_MIN

if TYPE_CHECKING:
    from bench_peers.dice import Pool
    from bench_peers.gathering import Haul
    from bench_peers.planet import Planet
    from bench_peers.setup import RouteData, TeamData

PROFILE_DICE = {"gathering": 2, "detection": 2}
PROFILE_EFFICIENCY = 60
READY_EFFICIENCY, READY_STAMINA = 80, 60
DAYS_ON_SITE = 3
STRANDED_BELOW = 20
MOST_EXPERIENCE = 10
LAST_MINUTE = 1439


class NotSteadyError(Exception):
    """Something befell a team that befalls nobody in ``bench_steady``, and has no rule here."""


@dataclass
class Member:
    """A person."""

    name: str
    role: str
    stamina: int = 100


@dataclass
class Trip:
    """What a team is on."""

    route: RouteData
    position: float = 0.0
    covered: float = 0.0
    days: int = 0
    site_days: int = 0
    ended: bool = False


class Team:
    """An away team and all that is true of it."""

    def __init__(self, planet: Planet, data: TeamData) -> None:
        self.planet = planet
        self.name = data.name
        self.colony = planet.colonies[data.colony]
        self.members = [Member(name, role) for name, role in data.members]
        self.values = dict(data.values)
        self.capacity = data.capacity
        self.status = "at_colony"
        self.place = self.colony.sector
        self.experience = 0
        self.efficiency = 100
        self.situation = 100
        self.base = self._base()
        self.resilience = dict(self.base)
        self.tested: set[str] = set()
        self.weary: set[str] = set()
        self.cargo = dict.fromkeys(planet.ingredients, 0)
        self.rations = dict.fromkeys(planet.ingredients, 0)
        self.trip: Trip | None = None
        self.made = 0
        self.cause: int | None = None

    # What follows from the people

    def _base(self) -> dict[str, int]:
        return {
            name: int((value + self.experience) // 10)
            for name, value in self.values.items()
            if name != "survival"
        }

    @property
    def away(self) -> Trip:
        """The trip of a team that is away."""
        if self.trip is None:
            raise LookupError(f"{self.name} is at home")
        return self.trip

    @property
    def led(self) -> bool:
        """Whether the profile counts."""
        fit = [each.role == "leader" for each in self.members if each.stamina > 0]
        return self.efficiency >= PROFILE_EFFICIENCY and any(fit) and not all(fit)

    def pool(self, attribute: str) -> Pool:
        """The dice of an attribute."""
        bonus = PROFILE_DICE.get(attribute, 0) if self.led else 0
        return pool_of(self.values[attribute] + self.experience, bonus)

    @property
    def load(self) -> int:
        """Points carried."""
        kinds = self.planet.ingredients
        cargo = sum(units * kinds[name].unit_weight for name, units in self.cargo.items())
        return cargo + sum(self.rations.values())

    @property
    def free(self) -> int:
        """Transport Capacity left, in points."""
        return max(0, self.capacity - self.load)

    def drain(self, attribute: str) -> bool:
        """Drain an attribute's first test of the day; whether the team is Fatigued in it."""
        if attribute not in self.tested:
            self.tested.add(attribute)
            if self.resilience[attribute] <= 0:
                self.weary.add(attribute)
            else:
                self.resilience[attribute] -= 1
        return attribute in self.weary

    def is_tired(self, attribute: str) -> bool:
        """Whether a test now would find the team Fatigued."""
        if attribute in self.tested:
            return attribute in self.weary
        return self.resilience[attribute] <= 0

    def _record(self, event: str, cause: int | None, /, **fields: Any) -> int:
        return self.planet.log.record(event, self.planet.now, cause, team=self.name, **fields)

    # The day

    def live_day(self) -> int | None:
        """Live a day up to an arrival; its minute of the day, if there is one."""
        self.tested.clear()
        self.weary.clear()
        if self.status == "at_colony":
            if not self._ready():
                self._rest()
                return None
            self._depart()
        self.away.days += 1
        if self.away.days > 1:
            self._survive()
        if self.status == "on_site":
            self._work()
            self._consider_turning_back()
            return None
        return self._move()

    def _ready(self) -> bool:
        return (
            self.efficiency >= READY_EFFICIENCY
            and min(each.stamina for each in self.members) >= READY_STAMINA
            and all(self.resilience[name] >= base for name, base in self.base.items())
        )

    def _rest(self) -> None:
        data = self.planet.data
        self.efficiency = min(100, self.efficiency + 20)
        for each in self.members:
            each.stamina = min(100, each.stamina + data.stamina_rest)
        for name, base in self.base.items():
            if self.resilience[name] < base:
                self.resilience[name] = min(base, self.resilience[name] + data.resilience_rest)
        short = sum(base - self.resilience[name] for name, base in self.base.items())
        self._record(
            "team.rested", self.cause, resilience_short=max(0, short),
            stamina_least=min(each.stamina for each in self.members), efficiency=self.efficiency,
        )  # fmt: skip

    def _depart(self) -> None:
        route = self.colony.next_route()
        self.trip = Trip(route)
        self.status = "outbound"
        self.place = route.regions[0]
        self.situation = 100
        base = self._base()
        for name, points in base.items():
            self.resilience[name] = max(0, self.resilience[name] + points - self.base[name])
        self.base = base
        wanted = min(self.planet.data.rations_days * len(self.members), self.free)
        rations = self.colony.take_food(wanted, self.planet.edible)
        for name, units in rations.items():
            self.rations[name] += units
        self.cause = self._record(
            "team.departed", self.cause, mission="gather", target=route.target,
            policy="round_robin", distance=route.distance, rations=rations,
        )  # fmt: skip

    def _survive(self) -> None:
        planet = self.planet
        region = planet.places[self.place].region
        ground = planet.places[region if self.status == "homeward" else self.place]
        weather, added = planet.weather[region]
        difficulty = max(2, min(9, ground.difficulty + added))
        hits = successes(planet.random, self.pool("survival"), difficulty)
        self.situation = max(0, self.situation - max(0, planet.data.drain - 3 * hits))
        if self.situation < STRANDED_BELOW:
            raise NotSteadyError(f"{self.name} is stranded")
        ate_rations, ate_cargo = self._eat()
        self._record(
            "team.endured", self.cause, place=self.place, weather=weather, difficulty=difficulty,
            successes=hits, situation=self.situation, efficiency=self.efficiency,
            ate_rations=ate_rations, ate_cargo=ate_cargo, foraged={}, hungry_days=0,
        )  # fmt: skip

    def _eat(self) -> tuple[dict[str, int], dict[str, int]]:
        need = len(self.members)
        eaten: list[dict[str, int]] = []
        for goods in (self.rations, self.cargo):
            eaten.append({})
            for name in self.planet.edible:
                if not need:
                    break
                units = min(need, goods[name])
                if units:
                    goods[name] -= units
                    eaten[-1][name] = units
                    need -= units
        if need:
            raise NotSteadyError(f"{self.name} is hungry")
        return eaten[0], eaten[1]

    def _tire(self) -> None:
        self.efficiency = max(0, self.efficiency - 5)
        for each in self.members:
            each.stamina = max(0, each.stamina - 10)

    def _move(self) -> int | None:
        """Go on; the minute of arrival, if the team gets there today."""
        trip = self.away
        outward = self.status == "outbound"
        fewer = int(self.drain("speed")) - (0 if outward else 1)
        made = total(self.planet.random, self.pool("speed"), fewer)
        remaining = trip.route.distance - trip.position if outward else trip.position
        if made >= remaining:
            self.made = made
            return max(1, min(LAST_MINUTE, ceil(DAY_MIN * remaining / made)))
        trip.position += made if outward else -made
        self._moved(made, outward=outward)
        self._tire()
        self._consider_turning_back()
        return None

    def _moved(self, made: int, *, outward: bool) -> int:
        trip = self.away
        leg = next((n for n, end in enumerate(trip.route.ends) if trip.position < end), -1)
        self.place = trip.route.regions[leg]
        return self._record(
            "team.moved", self.cause, place=self.place, heading="out" if outward else "home",
            progress=made, travelled=trip.position if outward else trip.covered - trip.position,
            distance=trip.route.distance if outward else trip.covered,
        )  # fmt: skip

    def arrive(self) -> None:
        """Be there, at the minute that ``live_day`` told."""
        trip = self.away
        outward = self.status == "outbound"
        trip.position = trip.route.distance if outward else 0.0
        seq = self._moved(self.made, outward=outward)
        self._tire()
        if outward:
            self.status = "on_site"
            self.place = trip.route.target
            self.cause = self._record("team.arrived", seq, sector=self.place)
            self._consider_turning_back()
        else:
            self._come_home(seq)

    def _come_home(self, cause: int) -> None:
        trip = self.away
        delivered, rations = (
            {name: units for name, units in goods.items() if units}
            for goods in (self.cargo, self.rations)
        )
        for goods in (self.cargo, self.rations):
            for name, units in goods.items():
                self.colony.store[name] += units
                goods[name] = 0
        if trip.ended:
            self.experience = min(MOST_EXPERIENCE, self.experience + 1)
        self.status, self.place, self.trip = "at_colony", self.colony.sector, None
        self.cause = self._record(
            "team.returned", cause, colony=self.colony.name, delivered=delivered, rations=rations,
            days_away=trip.days, experience=self.experience,
        )  # fmt: skip

    def _work(self) -> None:
        trip = self.away
        haul = gather(self, self.planet.places[self.place])
        self._carry_off(haul)
        self._tire()
        trip.site_days += 1
        units = sum(haul.taken.values())
        if self.planet.hauls is not None:
            self.planet.hauls.append(units)
        reason = None
        if self.free < self.planet.lightest:
            reason = "full"
        elif trip.site_days >= DAYS_ON_SITE:
            reason = "day_limit"
        elif not units:
            reason = "idle"
        if reason:
            trip.ended = True
            self._turn_back(reason)

    def _carry_off(self, haul: Haul) -> None:
        place = self.planet.places[self.place]
        self._record(
            "team.gathered", self.cause, place=place.name, pool=place.pool, activity="gather",
            gathering_limit=haul.limit, kinds_present=haul.present, units_found=haul.found,
            units_tried=haul.tried, taken=haul.taken, destroyed={}, mishap=haul.mishap,
        )  # fmt: skip
        for name, units in haul.taken.items():
            place.left[name] -= units
            self.cargo[name] += units
            if not place.left[name]:
                self.planet.log.record(
                    "reserve.depleted", self.planet.now, None, place=place.name, ingredient=name
                )

    def _consider_turning_back(self) -> None:
        if self.status not in {"outbound", "on_site"}:
            return
        pool = self.pool("speed")
        mean = 3.5 * (pool.d6 + 1) + ((pool.weak + 1) / 2 if pool.weak else 0)
        if self.situation <= 20 + 10 + 12 * self.away.position / mean:
            self._turn_back("situation")

    def _turn_back(self, reason: str) -> None:
        trip = self.away
        self.status = "homeward"
        trip.covered = trip.position
        self.cause = self._record(
            "team.turned_back", self.cause, place=self.place, reason=reason, covered=trip.covered
        )
