"""Small worlds in which every number of the rules has something to decide."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from worldsim.processes.simulation import Simulation
from worldsim.scenario import load_text

if TYPE_CHECKING:
    from worldsim.events.kinds import DiceRolled, Event
    from worldsim.scenario.model import Scenario

DAYS = 60
RARITIES = ("common", "uncommon", "rare", "epic", "legendary")
KINDS = ("fruit", "meat", "metal", "cargo", "herb", "fish")

PLANET = """
schema = 1
[campaign]
name = "numbers"
[planet]
shape = "complete"
regions = 7
sectors_per_region = 2
sector_distance = "1d6"
region_distance = "1d3"
climates = {climates}
[planet.landscapes.plains]
difficulty = {difficulty}
[planet.landscapes.woods]
difficulty = {difficulty}
wildlife = 0.2
[[wildlife]]
id = "bear"
stealth = 450
strength = 3
[[event_tables.terrain]]
id = "bog"
weight = 1
effects = [{{ effect = "progress", amount = -2 }}, {{ effect = "health", amount = -10 }}]
[[event_tables.terrain]]
id = "road"
weight = 9
[[event_tables.minor_mishap]]
id = "slip"
weight = 1
effects = [{{ effect = "efficiency", amount = -5 }}]
[[event_tables.average_mishap]]
id = "fall"
weight = 1
effects = [{{ effect = "health", amount = -10 }}]
[missions.build]
kind = "construct"
on_site = ["construct", "gather"]
eases_sector = true
[missions.lab]
kind = "research"
on_site = ["research", "gather"]
[missions.survey]
kind = "explore"
on_site = ["explore", "gather"]
[missions.watch]
kind = "patrol"
day_limit = 15
[missions.errand]
kind = "gather"
outbound = ["gather", "hunt"]
on_site = ["gather", "explore"]
homeward = ["research"]
"""

COLONY = """
[[colonies]]
id = "{id}"
sector = "{sector}"
policy = "{policy}"
at_home = "{at_home}"
worn_teams = "{worn}"
targets = {targets}
[colonies.stores]
common_fruit = {store}
"""

TEAM = """
[[colonies.teams]]
id = "{id}"
profile = "{profile}"
mission = "{mission}"
vehicles = {vehicles}
crew = {{ size = {size}, rarity = "{rarity}" }}
"""


def ingredients(reserve: int) -> str:
    """One ingredient for each rarity, and more kinds of the common one."""
    rows = [(rarity, "fruit") for rarity in RARITIES] + [("common", kind) for kind in KINDS[1:]]
    return "".join(
        f'\n[[ingredients]]\nid = "{rarity}_{kind}"\nkind = "{kind}"\nrarity = "{rarity}"\n'
        f"reserve = {reserve}\nstealth = {100 + 60 * i}\nfragility = {50 + 70 * i}\n"
        f"weight = {230 * i}\nregrowth = 0.02\n"
        for i, (rarity, kind) in enumerate(rows)
    )


def team(name: str, profile: str, mission: str, rarity: str = "rare", **more: Any) -> str:
    """A team of generated people."""
    facts = {"vehicles": 1, "size": 5} | more
    return TEAM.format(id=name, profile=profile, mission=mission, rarity=rarity, **facts)


def experts(name: str, skill: int, mission: str = "gather") -> str:
    """A team of three whose every skill is the same."""
    names = (
        "speed manual stealth shooting weapon cover toughness awareness planetary orders "
        "leadership engineering science medicine"
    )
    skills = ", ".join(f"{each} = {skill}" for each in names.split())
    members = ",".join(
        f'{{ name = "{role}", class = "{role}", skills = {{ {skills} }} }}'
        for role in ("leader", "guard", "gatherer")
    )
    return f'\n[[colonies.teams]]\nid = "{name}"\nmission = "{mission}"\nmembers = [{members}]\n'


CALM = (
    PLANET.format(climates='["temperate", "arid", "tropical"]', difficulty=3)
    + ingredients(4000)
    + COLONY.format(
        id="home",
        sector="r1/s1",
        policy="round_robin",
        at_home="rest",
        worn="rest",
        store=5000,
        targets=[f"r{r}/s2" for r in range(1, 8)],
    )
    + team("scouting", "scouting", "survey", "common")
    + team("gathering", "gathering", "errand", "rare")
    + team("hunting", "hunting", "hunt", "epic")
    + team("engineering", "engineering", "build", "legendary")
    + team("escort", "escort", "gather")
    + team("scientific", "scientific", "lab")
    + team("tactical", "tactical", "survey")
    + team("ark", "ark", "gather")
    + team("lab", "ark", "lab")
    + team("secret", "secret", "survey")
    + team("few", "gathering", "gather", size=2)
    + experts("weak", 12)
    + experts("guards", 90, "watch")
    + "\n[rules.gathering.presence]\nlegendary = 0.4\nepic = 0.5\n"
)

HARSH = (
    PLANET.format(climates='["frozen", "arid", "tropical", "temperate"]', difficulty=5)
    + ingredients(500)
    + COLONY.format(
        id="reform",
        sector="r1/s1",
        policy="random",
        at_home="rest",
        worn="reform",
        store=3000,
        targets=["r1/s2", "r2/s2"],
    )
    + team("a", "gathering", "errand", vehicles=0)
    + team("b", "hunting", "hunt", "epic")
    + team("c", "escort", "gather", size=4)
    + team("d", "tactical", "gather")
    + "".join(experts(f"e{skill}", skill) for skill in (105, 125, 145, 165, 185))
    + COLONY.format(
        id="work",
        sector="r2/s1",
        policy="scripted",
        at_home="contribute",
        worn="rest",
        store=300,
        targets=["r1/s1"],
    )
    + team("idle", "ark", "research")
    + COLONY.format(
        id="poor",
        sector="r3/s1",
        policy="round_robin",
        at_home="rest",
        worn="rest",
        store=0,
        targets=["r4/s1", "r5/s1", "r6/s2"],
    )
    + "".join(team(f"p{i}", "gathering", "gather", "common", vehicles=0) for i in range(4))
    + """
[rules.dice]
extra_die_for = "characters_and_teams"
[rules.teams]
bonus = "percent"
experience_most = 2
[rules.reserves]
spread = "dirichlet"
dirichlet = 0.8
worst_modifier = 3
bands = [[0.9, -2], [0.75, -1], [0.6, 0], [0.45, 1], [0.0, 2]]
[rules.gathering]
presence = { common = 1.0 }
class_size = { common = 5 }
[rules.survival]
upkeep = true
rations_days = 1
grace_days = 1
lost_days = 3
"""
)


CONTEST = """
schema = 1
[campaign]
name = "rivals"
[planet]
shape = "complete"
regions = 2
sectors_per_region = 4
sector_distance = "1d3"
region_distance = "1d2"
[[ingredients]]
id = "tuber"
kind = "vegetable"
reserve = 4000
[[relations]]
between = ["red", "blue"]
relation = "war"
[[relations]]
between = ["blue", "green"]
relation = "avoid"
[[cards]]
id = "rifles"
kind = "equipment"
power = { shooting = 6, cover = 4 }
[[cards]]
id = "buggy"
kind = "vehicle"
power = { speed = 5, weapon = 4, cover = 3 }
[missions.hold]
kind = "patrol"
day_limit = 14
[missions.work]
kind = "patrol"
on_site = ["gather"]
day_limit = 9
"""
RIVAL = """
[[colonies]]
id = "{id}"
sector = "{sector}"
policy = "round_robin"
targets = ["r1/s3", "r2/s3"]
stores = {{ tuber = 5000 }}
"""
RIVAL_TEAM = """
[[colonies.teams]]
id = "{profile}_{mission}"
profile = "{profile}"
mission = "{mission}"
cards = ["rifles", "buggy"]
crew = {{ size = {size}, rarity = "rare" }}
"""
RIVALS = CONTEST + "".join(
    RIVAL.format(id=id, sector=sector)
    + RIVAL_TEAM.format(profile="scouting", mission="explore", size=5)
    + RIVAL_TEAM.format(profile="escort", mission="hold", size=4)
    + RIVAL_TEAM.format(profile="tactical", mission="strike", size=5)
    + RIVAL_TEAM.format(profile="gathering", mission="work", size=4)
    for id, sector in (("red", "r1/s1"), ("blue", "r2/s1"), ("green", "r1/s2"))  # noqa: A001
)
"""Two at war, two that avoid each other: they meet in two sectors."""


@cache
def world(name: str) -> Scenario:
    """``calm``, ``harsh`` or ``rivals``."""
    return load_text({"calm": CALM, "harsh": HARSH, "rivals": RIVALS}[name])


@cache
def log(name: str) -> tuple[list[Event | DiceRolled], list[bytes]]:
    """Every event of a world, and its state at each midnight."""
    events: list[Event | DiceRolled] = []
    states: list[bytes] = []
    sim = Simulation(world(name), seed=1, write=lambda _line: None, on_event=events.append)
    for _ in range(DAYS):
        sim.advance()
        states.append(sim.state())
    return events, states


def differs(name: str, changed: Scenario) -> bool:
    """Whether a changed world's log, or its state, ever departs from that of the world."""
    events, states = log(name)
    new: list[Event | DiceRolled] = []
    sim = Simulation(changed, seed=1, write=lambda _line: None, on_event=new.append)
    # The first event holds the scenario's digest, which always differs.
    if any(a != b for a, b in zip(new[1:], events[1:], strict=False)):
        return True
    for state in states:
        seen = len(new)
        sim.advance()
        if new[seen:] != events[seen : len(new)] or sim.state() != state:
            return True
    return False
