"""Weather: drawn by its weights, for each region and day by itself."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import TYPE_CHECKING

import pytest

from worldsim.chance import Chance
from worldsim.scenario.options import SurvivalOptions, Weather
from worldsim.world.build import build
from worldsim.world.weather import Climate, Sky

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldsim.scenario.model import Scenario

HARSH = {
    "clear": Weather(weight=5, difficulty=0),
    "never": Weather(weight=0, difficulty=9),
    "rain": Weather(weight=3, difficulty=1),
    "storm": Weather(weight=2, difficulty=2),
}


@pytest.mark.rule("SURV-1")
def test_each_weather_comes_as_often_as_its_weight_says() -> None:
    climate, chance, days = Climate(HARSH), Chance(2), 6000
    seen = Counter(climate.on("r1", day, chance).name for day in range(1, days + 1))
    assert set(seen) == {"clear", "rain", "storm"}
    for name, share in (("clear", 0.5), ("rain", 0.3), ("storm", 0.2)):
        assert abs(seen[name] - days * share) < 4 * sqrt(days * share * (1 - share))


@pytest.mark.rule("SURV-1")
def test_a_weather_brings_its_difficulty() -> None:
    climate, chance = Climate(HARSH), Chance(2)
    skies = {climate.on("r1", day, chance) for day in range(100)}
    assert skies == {Sky("clear", 0), Sky("rain", 1), Sky("storm", 2)}


@pytest.mark.rule("SURV-1")
def test_regions_have_weather_of_their_own_and_a_seed_gives_it_again() -> None:
    climate = Climate(HARSH)
    days = range(1, 60)
    one = [climate.on("r1", day, Chance(2)).name for day in days]
    assert one == [climate.on("r1", day, Chance(2)).name for day in reversed(days)][::-1]
    assert one != [climate.on("r2", day, Chance(2)).name for day in days]
    assert one != [climate.on("r1", day, Chance(3)).name for day in days]


@pytest.mark.rule("SURV-1")
def test_default_climates_leave_survival_usually_at_three_or_four() -> None:
    for weathers in SurvivalOptions().climates.values():
        whole = sum(each.weight for each in weathers.values())
        mild = sum(each.weight for each in weathers.values() if each.difficulty <= 1)
        assert mild / whole >= 0.9


@pytest.mark.rule("SURV-1")
def test_turning_the_weather_tells_only_the_regions_in_which_it_changed(
    make_scenario: Callable[..., Scenario],
) -> None:
    world = build(make_scenario(planet={"regions": 5}), Chance(1))
    assert world.turn_weather(1, Chance(1)) == world.atlas.regions
    before = dict(world.sky)
    for day in range(2, 40):
        changed = world.turn_weather(day, Chance(1))
        assert changed == [r for r in world.atlas.regions if world.sky[r] != before[r]]
        before = dict(world.sky)
