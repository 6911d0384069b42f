"""Away teams: their state as plain data, and what follows from their people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from worldsim.rules.characters import alive, conscious, counts_as_member
from worldsim.rules.dice import Pool, pool_of, with_bonus
from worldsim.rules.fatigue import drained, resilience
from worldsim.rules.teams import (
    ATTRIBUTES,
    DEFENSE,
    GATHERING,
    SPEED,
    USES,
    capacity,
    mean,
    profile_counts,
    speed,
    well_led,
)
from worldsim.scenario.tables import ProfileName  # noqa: TC001 - msgspec reads it at run time
from worldsim.world.people import Character  # noqa: TC001 - msgspec reads it at run time

if TYPE_CHECKING:
    from worldsim.world.rulebook import Rulebook

Status = Literal[
    "at_colony", "outbound", "on_site", "homeward", "lost", "in_battle", "disbanded", "gone"
]

USE_SPEED: Final = 0
USE_GATHERING: Final = 1
USE_STEALTH: Final = 2
USE_DETECTION_GATHERING: Final = 3
USE_DETECTION_WILDLIFE: Final = 4
USE_DETECTION_OTHER: Final = 5
USE_COMMUNICATIONS: Final = 6
USE_DEFENSE: Final = 7
USE_CONSTRUCTION: Final = 8
USE_RESEARCH: Final = 9
USE_SURVIVAL: Final = 10
ATTRIBUTE_OF: Final = tuple(ATTRIBUTES.index(use.partition("_")[0]) for use in USES)


@dataclass(slots=True)
class Trip:
    """What a team was sent out for, and how far it has come.

    Attributes:
        mission: Name of a table of the scenario's ``[missions]``.
        target: The sector.
        distance: Length of the way there.
        regions, ends: The regions on the way and where each stretch ends (MOVE-5).
        position: Distance from the colony, 0 to ``distance``.
        covered: The way home as it was when the mission ended.
        days: Days away so far, the day of leaving included.
        site_days, idle_days: Days on site, and those in a row without yield.
        successes: Successes of the mission.
        ended: Whether the mission was finished rather than given up (TEAM-9).
        unclaimed: Whether nobody controlled the target as the mission was assigned (BAT-4).
        arrived: Minute of arrival, and the team's place in that day's order (BAT-12).
        found: Whether the team was lost and found on this trip (SURV-5).
        doomed: Whether the team is lost from tomorrow on (SURV-2).
        hungry_days: Days in a row without enough food (SURV-3).
        lost_days: Days lost so far (SURV-5).
        units: Units taken so far on this trip.
    """

    mission: str
    target: str
    distance: float
    regions: list[str]
    ends: list[float]
    position: float = 0.0
    covered: float = 0.0
    days: int = 0
    site_days: int = 0
    idle_days: int = 0
    successes: int = 0
    ended: bool = False
    unclaimed: bool = False
    arrived: tuple[int, float] | None = None
    found: bool = False
    doomed: bool = False
    hungry_days: int = 0
    lost_days: int = 0
    units: int = 0


@dataclass(slots=True)
class Team:
    """An away team. Its process is alone in changing it, its colony while it is at home.

    Attributes:
        id: ``colony/name``.
        status: What the team's process does at dawn depends on it.
        place: The sector or region the team stands in.
        efficiency, situation: 0 to 100.
        resilience, base: Points of each attribute, and what they were as the team left.
        tested: Bits of the attributes that were drained today.
        weary: Bits of the attributes that were found Fatigued in this phase.
        cargo, rations: Units by position in the catalogue.
        trip: None at home.
        cause: ``seq`` of the event that brought the team where it is.
        since: Day on which the team came to rest or was disbanded.
        cards: Names of equipment, vehicles and starships it takes into battle.
        combat: Combat Health of members, then cards, as of ``fought_on``; whole on other days.
        fought_on: The last day on which it fought.
        fallen: Members and cards brought down in battle that are not back yet, and the day they
            came home (BAT-14).
        infirmary: Members who stay at the colony until they are back.
        recruits_on: Day on which new people arrive, if any were asked for.
        values: Of each attribute (TEAM-2 to TEAM-4, TEAM-9); follows from the people.
        plain, profiled: The pool of each use without and with the profile; likewise.
        capacity: Transport Capacity in points; likewise.
        mouths, leaders: How many members, and how many Leaders, live; likewise.
        led: Whether a Leader and another member are fit, as a profile asks; likewise.
        load: Points carried; follows from cargo and rations.
    """

    id: str
    colony: str
    profile: ProfileName
    mission: str
    vehicles: int
    members: list[Character]
    place: str
    cargo: list[int]
    rations: list[int]
    status: Status = "at_colony"
    experience: int = 0
    efficiency: int = 100
    situation: int = 100
    resilience: list[int] = field(default_factory=list)
    base: list[int] = field(default_factory=list)
    tested: int = 0
    weary: int = 0
    trip: Trip | None = None
    cause: int | None = None
    since: int = 0
    cards: list[str] = field(default_factory=list)
    combat: list[int] = field(default_factory=list)
    fought_on: int | None = None
    fallen: dict[str, int | None] = field(default_factory=dict)
    infirmary: list[Character] = field(default_factory=list)
    recruits_on: int | None = None
    values: list[float] = field(default_factory=list)
    plain: list[Pool] = field(default_factory=list)
    profiled: list[Pool] = field(default_factory=list)
    capacity: int = 0
    mouths: int = 0
    leaders: int = 0
    led: bool = False
    load: int = 0

    @property
    def away(self) -> Trip:
        """The trip of a team that is away.

        Raises:
            LookupError: the team is at home.
        """
        if self.trip is None:
            raise LookupError(f"{self.id} is {self.status}, not away")
        return self.trip

    @property
    def days_away(self) -> int:
        """Days of the trip so far; 0 at home."""
        return self.trip.days if self.trip else 0

    @property
    def target(self) -> str | None:
        """Where the trip goes; None at home."""
        return self.trip.target if self.trip else None


def attribute_values(team: Team, rules: Rulebook, guard: float = 1.0) -> list[float]:
    """The value of each attribute, by the people who are conscious.

    Rule TEAM-1, TEAM-2, TEAM-3, TEAM-4 [P], TEAM-5 [P] for the Guards of an escort, TEAM-9 [us].

    Args:
        team: Whose people and experience count.
        rules: The scenario's.
        guard: What Guards' skills in Defense are multiplied by.
    """
    people = [each for each in team.members if conscious(each.health)]
    if not people:
        return [0.0] * len(ATTRIBUTES)
    bonus = rules.teams.experience_value * team.experience
    values: list[float] = []
    for position, attribute in enumerate(ATTRIBUTES):
        skills = rules.teams.attributes.get(attribute, ())
        each = [mean_skill(person.skills, skills) for person in people]
        weights = [1.0] * len(people)
        if position == GATHERING:
            heavy = float(rules.teams.gatherer_weight)
            weights = [heavy if person.role == "gatherer" else 1.0 for person in people]
        if position == DEFENSE and guard != 1.0:
            each = [
                value * guard if person.role == "guard" else value
                for value, person in zip(each, people, strict=True)
            ]
        whole = speed(each, rules.teams.speed_from) if position == SPEED else mean(each, weights)
        values.append(whole + bonus)
    return values


def mean_skill(points: dict[str, float], names: tuple[str, ...]) -> float:
    """The mean of some skills of a person; one that is not there is 0."""
    total = 0.0  # added up by hand: Python's versions differ in their ``sum`` of floats
    for name in names:
        total += points.get(name, 0.0)
    return total / len(names) if names else 0.0


def refresh(team: Team, rules: Rulebook) -> None:
    """Work out anew all that follows from the team's people and its experience."""
    values = team.values = attribute_values(team, rules)
    made = [team_pool(value, rules) for value in values]
    team.plain = [made[attribute] for attribute in ATTRIBUTE_OF]
    profile = rules.teams.profiles[team.profile]
    if profile.guard_factor != 1.0:
        values = attribute_values(team, rules, profile.guard_factor)
        made = [team_pool(value, rules) for value in values]
    team.profiled = [
        bonus_pool(values[attribute], made[attribute], profile.dice.get(use, 0), rules)
        for use, attribute in zip(USES, ATTRIBUTE_OF, strict=True)
    ]
    people = living(team, rules.characters.health)
    team.mouths = len(people)
    team.leaders = sum(each.role == "leader" for each in people)
    see_who_is_fit(team)
    team.capacity = capacity(
        [each.physical for each in people],
        team.vehicles,
        base=rules.teams.capacity_base,
        per_physical=rules.teams.capacity_per_physical,
        vehicle=rules.teams.vehicle_capacity,
    )


def team_pool(value: float, rules: Rulebook) -> Pool:
    """The pool a team's value is worth (DICE-1 to DICE-4, their readings)."""
    extra = rules.dice.extra_die_for == "characters_and_teams"
    return with_bonus(_converted(value, rules, extra=extra), 0, rules.dice.pool_cap)


def character_pool(value: float, rules: Rulebook) -> Pool:
    """The pool a character's skill is worth (DICE-1 to DICE-4)."""
    return with_bonus(_converted(value, rules, extra=True), 0, rules.dice.pool_cap)


def _converted(value: float, rules: Rulebook, *, extra: bool) -> Pool:
    dice = rules.dice
    return pool_of(
        value,
        extra_die=extra,
        points_per_die=dice.points_per_die,
        most=dice.most_dice,
        extra_dice=dice.extra_dice,
        weak_die=dice.weak_die,
    )


def bonus_pool(value: float, pool: Pool, dice: int, rules: Rulebook) -> Pool:
    """The pool with a profile's bonus, as dice or as a percentage of the value.

    Rule TEAM-5 [P].

    Args:
        value: Of the attribute.
        pool: What it is worth without the bonus.
        dice: The bonus.
        rules: The scenario's.
    """
    if not dice:
        return pool
    if rules.teams.bonus == "percent":
        return team_pool(value * (1 + rules.teams.percent_per_die * dice / 100), rules)
    return with_bonus(pool, dice, rules.dice.pool_cap)


def see_who_is_fit(team: Team) -> None:
    """Note whether the team is led as a profile asks; to be called when Stamina or Health change.

    Rule TEAM-6, CHAR-3 [P].
    """
    leaders = others = 0
    for each in team.members:
        if each.stamina > 0 and each.health > 0:
            if counts_as_member(each.role):
                others += 1
            else:
                leaders += 1
    team.led = well_led(leaders, others)


def pools(team: Team, rules: Rulebook) -> list[Pool]:
    """The pools by use, with the profile if it counts now.

    Rule TEAM-6 [P].
    """
    if profile_counts(team.efficiency, rules.teams.profile_efficiency, led=team.led):
        return team.profiled
    return team.plain


def settle_base(team: Team, rules: Rulebook) -> None:
    """Fix the base of each attribute's Resilience as the team leaves (FAT-1).

    What is there now stays, but for what the change of the base adds or takes.
    """
    per = rules.fatigue.resilience_per
    base = [resilience(value, per) for value in team.values]
    if team.base:
        old, now = team.base, team.resilience
        team.resilience = [max(0, now[i] + new - old[i]) for i, new in enumerate(base)]
    else:
        team.resilience = list(base)
    team.base = base


def drain(team: Team, attribute: int, rules: Rulebook) -> bool:
    """Drain an attribute's first test of the day, and say whether it is found Fatigued.

    Rule FAT-2, FAT-3 [D]: being Fatigued lasts for the phase, or for the roll that drained.
    """
    bit = 1 << attribute
    dashes = _dashes(team, attribute, rules)
    if dashes:
        team.tested |= bit
        team.resilience[attribute], tired = drained(team.resilience[attribute], dashes)
        if tired:
            team.weary |= bit
            return True
    return bool(team.weary & bit) and rules.fatigue.fatigued_for == "phase"


def fatigued(team: Team, attribute: int, rules: Rulebook) -> bool:
    """Whether a test now would find the attribute Fatigued; nothing is drained."""
    dashes = _dashes(team, attribute, rules)
    if dashes and drained(team.resilience[attribute], dashes)[1]:
        return True
    return bool(team.weary >> attribute & 1) and rules.fatigue.fatigued_for == "phase"


def _dashes(team: Team, attribute: int, rules: Rulebook) -> int:
    """What a test drains now: only the first of a day drains."""
    if team.tested >> attribute & 1:
        return 0
    return rules.drains[attribute]


def living(team: Team, most: int) -> list[Character]:
    """The members who are not dead, of whom each has at most so much Health."""
    return [each for each in team.members if alive(each.health, most)]


def fit(team: Team) -> list[Character]:
    """The members who are conscious and have Stamina left."""
    return [each for each in team.members if each.health > 0 and each.stamina > 0]


def free_capacity(team: Team) -> int:
    """Transport Capacity left, in points; never below 0."""
    return max(0, team.capacity - team.load)
