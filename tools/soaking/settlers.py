"""Random colonies: any people, any policy, friends and enemies."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, get_args

from worldsim.processes.policies import SHIPPED
from worldsim.rules.characters import CharacterClass
from worldsim.scenario.model import Colony, Mission, Relation
from worldsim.scenario.options import SKILLS
from worldsim.scenario.tables import Affinity, ProfileName

if TYPE_CHECKING:
    import random

CLASSES = get_args(CharacterClass)
QUALITIES = ("common", "rare", "epic", "legendary")
MISSIONS = (
    *get_args(Mission.model_fields["kind"].annotation),
    "roam", "roam", "roam", "pave", "gather", "strike", "patrol", "hold",
)  # fmt: skip
WARLIKE = ("strike", "patrol", "strike", "hold", "roam")
RELATIONS = get_args(Relation.model_fields["relation"].annotation)
HOSTILE = ("war", "war", "war", "avoid")


def random_colonies(
    draw: random.Random,
    ingredients: list[str],
    cards: list[str],
    sectors: list[str],
    *,
    contested: bool,
) -> list[dict[str, Any]]:
    """Up to three colonies on these sectors, each with up to three tables of teams.

    Args:
        draw: Of all chance.
        ingredients: Their ids.
        cards: Theirs.
        sectors: All of the map that can be reached.
        contested: All colonies want the same one or two sectors.
    """
    sites = draw.sample(sectors, min(len(sectors), draw.randint(2 if contested else 1, 3)))
    free = [sector for sector in sectors if sector not in sites]
    prizes = draw.sample(free, min(len(free), draw.randint(1, 2)))
    colonies = [
        _colony(draw, n, site, prizes if contested else _targets(draw, site, sectors), sectors)
        for n, site in enumerate(sites)
    ]
    if contested:
        for team in (team for colony in colonies for team in colony["teams"]):
            team["mission"] = draw.choice(WARLIKE)
    for colony in colonies:
        colony["stores"] = {name: draw.choice((0, 5, 300)) for name in ingredients}
        for team in colony["teams"]:
            team["cards"] = draw.choices(cards, k=draw.randint(0, 2)) if cards else []
    if draw.random() < 0.2 and len(sites) < len(sectors):
        # Its site is drawn among the free ones, perhaps on an island: it names no sector.
        for key in ("sector", "targets", "script"):
            colonies[0].pop(key, None)
    return colonies


def random_relations(
    draw: random.Random, colonies: list[dict[str, Any]], *, contested: bool
) -> list[dict[str, Any]]:
    """How most of the factions stand to each other; of the rest the rules' option says it."""
    factions = sorted({colony.get("faction", colony["id"]) for colony in colonies})
    return [
        {
            "between": list(pair),
            "relation": draw.choice(HOSTILE if contested else RELATIONS),
        }
        for pair in combinations(factions, 2)
        if draw.random() < 0.8
    ]


def _targets(draw: random.Random, site: str, sectors: list[str]) -> list[str]:
    """Where the colony sends its teams: most often wherever it likes."""
    elsewhere = [sector for sector in sectors if sector != site]
    return draw.sample(elsewhere, draw.randint(0, len(elsewhere))) if draw.random() < 0.3 else []


def _colony(
    draw: random.Random, number: int, site: str, targets: list[str], sectors: list[str]
) -> dict[str, Any]:
    elsewhere = targets or [sector for sector in sectors if sector != site]
    teams = [_team(draw, n) for n in range(draw.randint(1, 3))]
    colony: dict[str, Any] = {
        "id": f"colony_{number}",
        "sector": site,
        "policy": draw.choice(sorted(SHIPPED)),
        "at_home": draw.choice(get_args(Colony.model_fields["at_home"].annotation)),
        "worn_teams": draw.choice(get_args(Colony.model_fields["worn_teams"].annotation)),
        "teams": teams,
        "script": [_order(draw, teams, elsewhere) for _ in range(6) if elsewhere],
    }
    if draw.random() < 0.25:
        colony["faction"] = "league"
    if targets:
        colony["targets"] = targets
    return colony


def _order(draw: random.Random, teams: list[dict[str, Any]], sectors: list[str]) -> dict[str, Any]:
    team = draw.choice(teams)
    number = f"_{draw.randint(1, team['count'])}" if team["count"] > 1 else ""
    order = {
        "day": draw.randint(1, 30),
        "team": f"{team['id']}{number}",
        "target": draw.choice(sectors),
    }
    return order | ({"mission": draw.choice(MISSIONS)} if draw.random() < 0.5 else {})


def _team(draw: random.Random, number: int) -> dict[str, Any]:
    team: dict[str, Any] = {
        "id": f"team_{number}",
        "count": draw.randint(1, 2),
        "profile": draw.choice(get_args(ProfileName)),
        "mission": draw.choice(MISSIONS),
        "vehicles": draw.randint(0, 2),
    }
    given = draw.random() < 0.25
    if given:
        team["members"] = [_member(draw, n) for n in range(draw.randint(1, 3))]
    if not given or draw.random() < 0.7:
        team["crew"] = {
            "size": draw.choice((1, 3, 4, 5, 6)),
            "rarity": draw.choice(QUALITIES),
            "classes": ["leader", *draw.choices(CLASSES, k=4)],
        }
    return team


def _member(draw: random.Random, number: int) -> dict[str, Any]:
    """A person of whom some things are given and the rest is generated (CHAR-4)."""
    skills = list(SKILLS)
    facts = {
        "rarity": draw.choice(QUALITIES),
        "quality": draw.randint(1, 13),
        "affinities": {name: draw.randint(-8, 8) for name in draw.sample(get_args(Affinity), 2)},
        "training": {name: draw.choice(("none", "minor", "major")) for name in skills[:3]},
        "investment": {name: draw.choice((0.0, 7.5)) for name in draw.sample(skills, 2)},
        "skills": {name: draw.choice((0.0, 19.5, 60.0, 200.0)) for name in draw.sample(skills, 4)},
    }
    kept = draw.sample(sorted(facts), draw.randint(0, 3))
    person = {"name": f"Person {number}", "class": draw.choice(CLASSES)}
    return person | {name: facts[name] for name in kept}
