"""Small random scenarios: any map, any people, any policy, any reading of the rules."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, get_args

import tomli_w

from soaking.options import random_rules
from soaking.planets import random_land
from soaking.settlers import random_colonies, random_relations
from worldsim.rules.cards import TRAITS
from worldsim.scenario import ScenarioError, load_text
from worldsim.scenario.model import Activity, ActivityOnTheWay, Card, Record
from worldsim.scenario.tables import Kind, Rarity

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES = 8
SHARE_CONTESTED = 0.4  # of the worlds: the colonies fight for the same one or two sectors
SHARE_EASY = 0.4  # of the worlds: what takes many successes by default takes one
TABLES = ("terrain", "weather", "find", "minor_mishap", "average_mishap")

EFFECTS: tuple[dict[str, Any], ...] = (
    {"effect": "nothing"},
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
    ingredients = [_ingredient(draw, n) for n in range(draw.randint(2, 6))]
    names = [each["id"] for each in ingredients]
    cards = [_card(draw, n) for n in range(draw.randint(0, 3))]
    planet, sectors = random_land(draw)
    contested = draw.random() < SHARE_CONTESTED
    if contested and "map" not in planet:
        planet |= {"sector_distance": "1", "region_distance": "1"}  # they meet while still strong
    colonies = random_colonies(
        draw, names, [each["id"] for each in cards], sectors, contested=contested
    )
    data: dict[str, Any] = {
        "schema": 1,
        "campaign": {"name": f"soak_{number}", "seed": _seed(draw)},
        "record": _record(draw),
        "planet": planet,
        "ingredients": ingredients,
        "missions": {
            "roam": _roam(draw, names),
            "pave": {"kind": "construct", "eases_sector": True},
            "hold": {"kind": "patrol", "day_limit": 20},
        },
        "event_tables": _event_tables(draw),
        "wildlife": [
            {"id": f"beast_{n}", "stealth": draw.randint(0, 1000), "strength": draw.randint(0, 5)}
            for n in range(draw.randint(0, 2))
        ],
        "cards": cards,
        "colonies": colonies,
        "relations": random_relations(draw, colonies, contested=contested),
    }
    return _with_rules(data, lambda: _rules(draw, data, contested=contested))


def _with_rules(data: dict[str, Any], rules: Callable[[], dict[str, Any]]) -> str:
    """The scenario with the first rules that fit it: two numbers may not go together."""
    for _ in range(TRIES):
        text = tomli_w.dumps(data | {"rules": rules()})
        try:
            load_text(text)
        except ScenarioError:
            continue
        return text
    return tomli_w.dumps(data)


def _rules(draw: random.Random, data: dict[str, Any], *, contested: bool) -> dict[str, Any]:
    rules = random_rules(draw)
    if "tables" in rules.get("travel", {}):
        rules["travel"]["tables"] = [name for name in data["event_tables"] if draw.random() < 0.5]
    if draw.random() < SHARE_EASY:
        rules.setdefault("activities", {}).update(construct_successes=1, explore_successes=1)
    if contested:  # battles that last into the next day are what a midnight has to survive
        rules.setdefault("battle", {})["round_min"] = draw.choice((10, 120, 360, 720))
    return rules


def _seed(draw: random.Random) -> int:
    return draw.choice((0, 2**63 - 1, *(draw.randrange(2**32) for _ in range(8))))


def _record(draw: random.Random) -> dict[str, Any]:
    return {
        "level": draw.choice(get_args(Record.model_fields["level"].annotation)),
        "teams_every_days": draw.choice((1, 3, 7)),
        "segment_days": draw.choice((1, 5, 7, 13, 20, 40, 90)),
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
    kind = draw.choice(get_args(Card.model_fields["kind"].annotation))
    return {
        "id": f"card_{number}",
        "kind": kind,
        "power": {trait: draw.randint(0, 12) for trait in draw.sample(TRAITS, 3)},
    } | ({"health": draw.randint(1, 20)} if kind == "vehicle" and draw.random() < 0.5 else {})


def _roam(draw: random.Random, ingredients: list[str]) -> dict[str, Any]:
    on_the_way, on_site = get_args(ActivityOnTheWay), get_args(Activity)
    mission = {
        "kind": draw.choice(("gather", "gather", "strike", "explore", "construct")),
        "outbound": draw.sample(on_the_way, draw.randint(0, 2)),
        "on_site": draw.sample(on_site, draw.randint(1, 3)),
        "homeward": draw.sample(on_the_way, draw.randint(0, 2)),
        "priority": draw.sample(ingredients, 2),
        "eases_sector": draw.random() < 0.5,
    }
    limits = {
        "day_limit": draw.randint(1, 5),
        "target_units": draw.choice((1, 9)),
        "target_successes": draw.choice((1, 6)),
    }
    return mission | {name: limits[name] for name in draw.sample(sorted(limits), 2)}


def _event_tables(draw: random.Random) -> dict[str, Any]:
    return {
        name: [
            {
                "id": f"entry_{n}",
                "weight": draw.choice((1.0, 3.5)),
                "effects": draw.sample(EFFECTS, draw.randint(0, 2)),
            }
            for n in range(3)
        ]
        for name in TABLES
        if draw.random() < 0.7
    }
