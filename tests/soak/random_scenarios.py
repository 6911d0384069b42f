"""Small random scenarios: any map, any people, any policy, any reading of the rules."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import tomli_w
from pydantic import ValidationError

from worldsim.rules.cards import TRAITS
from worldsim.scenario import ScenarioError, load_text
from worldsim.scenario.model import Mission
from worldsim.scenario.options import Rules
from worldsim.scenario.tables import Kind, ProfileName, Rarity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

SHAPES = ("ring", "line", "star", "grid", "complete", "tree")
POLICIES = ("nearest", "richest_known", "round_robin", "random", "scripted")
CLASSES = ("leader", "gatherer", "guard", "scientist", "engineer", "scout", "member")
RELATIONS = ("war", "war", "avoid", "peace")
SHARE_CHANGED = 0.12  # of the rules' options, so that most of a scenario stays as people know it
TRIES = 5
LARGEST = 200  # numbers of rules stay small, so that a run does

EFFECTS: tuple[dict[str, Any], ...] = (
    {"effect": "progress", "amount": -4},
    {"effect": "progress", "amount": 3},
    {"effect": "efficiency", "amount": -40},
    {"effect": "situation", "amount": 30},
    {"effect": "situation", "amount": -30},
    {"effect": "stamina", "amount": -60},
    {"effect": "resilience", "attribute": "speed", "amount": 2},
    {"effect": "resilience", "attribute": "gathering", "amount": -3},
    {"effect": "health", "amount": -50, "members": 2},
    {"effect": "health", "amount": 25},
    {"effect": "lose_cargo", "share": 0.4},
    {"effect": "find", "units": 6},
)


def random_scenario(seed: int, number: int) -> str:
    """The text of one scenario; the same for the same two numbers."""
    draw = random.Random(f"{seed}/{number}")  # noqa: S311 - nothing here is a secret
    regions, sectors = draw.randint(1, 4), draw.randint(1, 4)
    colonies = draw.randint(1, min(3, regions * sectors))
    data: dict[str, Any] = {
        "schema": 1,
        "campaign": {"name": f"soak_{number}", "seed": draw.randrange(2**32)},
        "planet": _planet(draw, regions, sectors),
        "ingredients": [_ingredient(draw, n) for n in range(draw.randint(2, 6))],
        "missions": {"roam": _roam(draw)},
        "event_tables": {
            name: [{"id": f"entry_{n}", "weight": 1.0} | _effects(draw) for n in range(3)]
            for name in ("terrain", "weather", "find", "minor_mishap", "average_mishap")
            if draw.random() < 0.7
        },
        "wildlife": [
            {"id": f"beast_{n}", "stealth": draw.randint(0, 1000), "strength": draw.randint(0, 5)}
            for n in range(draw.randint(0, 2))
        ],
    }
    data["cards"] = [_card(draw, n) for n in range(draw.randint(0, 3))]
    places = [f"r{r}/s{s}" for r in range(1, regions + 1) for s in range(1, sectors + 1)]
    draw.shuffle(places)
    data["colonies"] = [_colony(draw, data, n, places) for n in range(colonies)]
    data["relations"] = [
        {"between": [f"colony_{a}", f"colony_{b}"], "relation": draw.choice(RELATIONS)}
        for a in range(colonies)
        for b in range(a)
    ]
    for _ in range(TRIES):
        data["rules"] = dict(_rules(draw))
        text = tomli_w.dumps(data)
        with suppress(ScenarioError):  # two numbers that do not go together, such as a range
            load_text(text)
            break
    return text


def _planet(draw: random.Random, regions: int, sectors: int) -> dict[str, Any]:
    return {
        "shape": draw.choice(SHAPES),
        "regions": regions,
        "sectors_per_region": sectors,
        "distance": draw.choice(("graph", "graph", "per_mission")),
        "sector_distance": draw.choice(("1", "d6", "2d6")),
        "region_distance": draw.choice(("1", "d4+2")),
        "landscapes": {
            "moor": {"difficulty": draw.randint(1, 6), "wildlife": draw.choice((0.0, 0.1, 0.6))}
        },
    }


def _ingredient(draw: random.Random, number: int) -> dict[str, Any]:
    return {
        "id": f"item_{number}",
        "kind": "fruit" if not number else draw.choice(get_args(Kind)),
        "rarity": draw.choice(get_args(Rarity)),
        "stealth": draw.choice((0, 200, 500, 1000)),
        "fragility": draw.choice((0, 200, 500, 1000)),
        "weight": draw.choice((0, 300, 4000)),
        "reserve": draw.choice((0, 7, 100, 1500)),
        "regrowth": draw.choice((0.0, 0.0, 0.01, 0.3)),
    } | ({"unit_weight": draw.choice((0, 3))} if draw.random() < 0.2 else {})


def _card(draw: random.Random, number: int) -> dict[str, Any]:
    kind = draw.choice(("equipment", "vehicle", "starship"))
    return {
        "id": f"card_{number}",
        "kind": kind,
        "power": {trait: draw.randint(0, 12) for trait in draw.sample(TRAITS, 3)},
    } | ({"health": draw.randint(1, 20)} if kind == "vehicle" and draw.random() < 0.5 else {})


def _roam(draw: random.Random) -> dict[str, Any]:
    on_the_way = ["gather", "hunt", "research"]
    return {
        "kind": "gather",
        "outbound": draw.sample(on_the_way, draw.randint(0, 2)),
        "on_site": draw.sample([*on_the_way, "explore", "construct"], draw.randint(1, 3)),
        "homeward": draw.sample(on_the_way, draw.randint(0, 2)),
        "day_limit": draw.randint(1, 5),
        "eases_sector": draw.random() < 0.5,
    }


def _effects(draw: random.Random) -> dict[str, Any]:
    return {"effects": draw.sample(EFFECTS, draw.randint(0, 2))}


def _colony(
    draw: random.Random, data: dict[str, Any], number: int, places: list[str]
) -> dict[str, Any]:
    missions = [*get_args(Mission.model_fields["kind"].annotation), "roam", "roam", "gather"]
    missions += ["strike", "patrol"]
    cards = [each["id"] for each in data["cards"]]
    teams = [
        {
            "id": f"team_{n}",
            "count": draw.randint(1, 2),
            "profile": draw.choice(get_args(ProfileName)),
            "mission": draw.choice(missions),
            "vehicles": draw.randint(0, 2),
            "cards": draw.choices(cards, k=draw.randint(0, 2)) if cards else [],
            "crew": {
                "size": draw.randint(1, 6),
                "rarity": draw.choice(("common", "rare", "epic", "legendary")),
                "classes": ["leader", *draw.choices(CLASSES, k=4)],
            },
        }
        for n in range(draw.randint(1, 3))
    ]
    elsewhere = [place for place in places if place != places[number]]
    lines = [
        {"day": draw.randint(1, 30), "team": "team_0_1", "target": draw.choice(elsewhere)}
        for _ in range(4)
        if elsewhere and teams[0]["count"] != 1  # else there is no team_0_1
    ]
    return {
        "id": f"colony_{number}",
        "sector": places[number],
        "policy": draw.choice(POLICIES),
        "at_home": draw.choice(("rest", "contribute")),
        "worn_teams": draw.choice(("rest", "reform")),
        "stores": {each["id"]: draw.choice((0, 5, 300)) for each in data["ingredients"]},
        "teams": teams,
        "script": lines,
    }


def _rules(draw: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Other values for some of the rules' options, each one that its section accepts."""
    for name, field in Rules.model_fields.items():
        section: Any = field.annotation
        changed = {
            option: draw.choice(values)
            for option, info in section.model_fields.items()
            if draw.random() < SHARE_CHANGED and (values := other_values(section, option, info))
        }
        if changed:
            yield name, changed


def other_values(section: type[BaseModel], option: str, info: FieldInfo) -> list[Any]:
    """What an option may be beside its default, found by asking its section."""
    default = info.get_default(call_default_factory=True, validated_data={})
    return [
        value
        for value in _candidates(info.annotation, default)
        if value != default and _accepts(section, option, value)
    ]


def _candidates(annotation: Any, default: Any) -> list[Any]:
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    if isinstance(default, bool):
        return [True, False]
    if isinstance(default, int | float):
        return _near(default)
    if default is None:
        return [1, 2, 5]
    if isinstance(default, dict):
        return [
            {key: value}
            for key, old in default.items()
            if isinstance(old, int | float)
            for value in _near(old)
        ]
    return []


def _near(number: float) -> list[int | float]:
    half = number // 2 if isinstance(number, int) else number / 2
    near = [0, half, number - 1, number + 1, number * 2]
    return [type(number)(each) for each in near if each <= LARGEST]


def _accepts(section: type[BaseModel], option: str, value: Any) -> bool:
    try:
        section.model_validate({option: value})
    except ValidationError:
        return False
    return True
