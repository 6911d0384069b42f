"""A year of a usual team comes out as the rulebook says it should."""

from __future__ import annotations

from typing import Any

import pytest

from worldsim.processes.simulation import Simulation
from worldsim.scenario import load_text

YEAR = """\
schema = 1

[campaign]
name = "year"

[planet]
shape = "ring"
regions = 6
sectors_per_region = 3
distance = "per_mission"

[[ingredients]]
id = "tuber"
kind = "vegetable"
stealth = 100
fragility = 100
reserve = 4_000_000_000

[[ingredients]]
id = "boar"
kind = "meat"
rarity = "uncommon"
stealth = 300
fragility = 150
weight = 460
reserve = 4_000_000_000

[[ingredients]]
id = "ferrite"
kind = "metal"
stealth = 150
fragility = 60
weight = 440
reserve = 4_000_000_000

[[ingredients]]
id = "herb"
kind = "herb"
rarity = "uncommon"
stealth = 250
fragility = 240
reserve = 4_000_000_000

[[colonies]]
id = "home"
sector = "r1/s1"
policy = "random"
stores = { tuber = 1_000_000 }

[[colonies.teams]]
id = "team"
count = 40
vehicles = 4
members = [
  { name = "a", class = "leader", skills = { @ } },
  { name = "b", class = "gatherer", skills = { @ } },
  { name = "c", class = "guard", skills = { @ } },
  { name = "d", class = "scout", skills = { @ } },
  { name = "e", class = "member", skills = { @ } },
]
"""
SKILLS = ("speed", "manual", "stealth", "shooting", "cover", "awareness", "planetary")
DAYS = 365


def year_text() -> str:
    """Each skill 40, 45, 50, 55 and 60 once in the team, shifted from skill to skill."""
    text = YEAR
    for member in range(5):
        values = ", ".join(
            f"{name} = {40 + 5 * ((member + shift) % 5)}" for shift, name in enumerate(SKILLS)
        )
        text = text.replace("@", values, 1)
    return text


@pytest.fixture(scope="module", name="year")
def _year() -> list[Any]:
    events: list[Any] = []
    sim = Simulation(
        load_text(year_text()), seed=11, write=lambda _line: None, on_event=events.append
    )
    for _ in range(DAYS):
        sim.advance()
    return events


def of(events: list[Any], tag: str) -> list[Any]:
    return [each for each in events if each.__struct_config__.tag == tag]


def test_trips_take_six_to_seven_days(year: list[Any]) -> None:
    days = [each.days_away for each in of(year, "team.returned")]
    assert 0.75 * 6 <= sum(days) / len(days) <= 1.25 * 7


def test_rests_take_four_to_five_days(year: list[Any]) -> None:
    home: dict[str, int] = {}
    rests: list[int] = []
    for each in year:
        tag = each.__struct_config__.tag
        if tag == "team.returned":
            home[each.team] = each.day
        elif tag == "team.departed" and each.team in home:
            rests.append(each.day - home[each.team] - 1)
    assert 0.75 * 4 <= sum(rests) / len(rests) <= 1.25 * 5


def test_there_are_about_thirty_three_trips_a_year(year: list[Any]) -> None:
    # Of the teams that were there all year: a team that is gone makes no more trips.
    gone = {each.team for each in of(year, "team.perished")}
    left = [each.team for each in of(year, "team.departed") if each.team not in gone]
    trips = len(left) / (40 - len(gone))
    assert 0.75 * 33 <= trips <= 1.25 * 33


def test_about_one_trip_in_a_hundred_is_lost(year: list[Any]) -> None:
    lost = len(of(year, "team.lost"))
    trips = len(of(year, "team.departed"))
    assert 0 < lost / trips <= 0.02


def test_a_full_gathering_day_brings_some_fourteen_units(year: list[Any]) -> None:
    hauls = [sum(each.taken.values()) for each in of(year, "team.gathered")]
    assert 0.75 * 14 <= sum(hauls) / len(hauls) <= 1.25 * 14
