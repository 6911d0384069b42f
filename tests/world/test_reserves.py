"""Stock in the ground: how it is laid out, taken, and grows back."""

from __future__ import annotations

from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldsim.chance import Chance
from worldsim.rules.abundance import NORMAL, POOR, RICH
from worldsim.world.atlas import Atlas, checked, generate
from worldsim.world.reserves import Place, Reserves, _dirichlet, _gamma, lay_out

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldsim.scenario.model import Scenario

    MakeScenario = Callable[..., Scenario]


def laid_out(scenario: Scenario, seed: int = 1) -> tuple[Atlas, Reserves]:
    chance = Chance(seed)
    atlas = Atlas(checked(generate(scenario.planet, chance)))
    return atlas, lay_out(scenario, atlas, chance)


def by_place(reserves: Reserves, ingredient: int = 0) -> dict[str, int]:
    return {place.id: row[ingredient] for place, row in zip(
        reserves.places, reserves.initial, strict=True)}  # fmt: skip


def plain(reserve: int, **planet: Any) -> dict[str, Any]:
    return {
        "planet": {"regions": 3, "sectors_per_region": 2} | planet,
        "ingredients": [{"id": "berry", "kind": "fruit", "reserve": reserve}],
    }


# --- laying out -----------------------------------------------------------------------------------


@pytest.mark.rule("RES-1", "RES-2")
@pytest.mark.reading("rules.reserves.spread=equal")
def test_an_equal_spread_halves_each_region_and_leaves_odd_units_on_the_ways(
    make_scenario: MakeScenario,
) -> None:
    _, reserves = laid_out(make_scenario(**plain(100)))
    assert by_place(reserves) == {
        "r1": 17, "r1/s1": 9, "r1/s2": 8,  # 34
        "r2": 17, "r2/s1": 8, "r2/s2": 8,  # 33
        "r3": 17, "r3/s1": 8, "r3/s2": 8,
    }  # fmt: skip
    assert [place.pool for place in reserves.places] == ["transition"] * 3 + ["sector"] * 6


@pytest.mark.rule("RES-1", "RES-2", "RES-6")
@settings(max_examples=60)
@given(
    reserve=st.integers(0, 10**9), regions=st.integers(1, 6), sectors=st.integers(1, 5),
    seed=st.integers(0, 10**6), spread=st.sampled_from(["equal", "dirichlet", "given"]),
)  # fmt: skip
def test_no_unit_is_lost_in_any_spread(
    make_scenario: MakeScenario, reserve: int, regions: int, sectors: int, seed: int, spread: str
) -> None:
    scenario = make_scenario(
        **plain(reserve, regions=regions, sectors_per_region=sectors),
        rules={"reserves": {"spread": spread}},
    )
    atlas, reserves = laid_out(scenario, seed)
    stock = by_place(reserves)
    assert sum(stock.values()) == reserve
    for region in atlas.regions:
        in_sectors = sum(stock[sector] for sector in atlas.sectors_of[region])
        assert stock[region] - in_sectors in {0, 1}
        if spread == "equal":
            assert abs(stock[region] + in_sectors - reserve / regions) < 1
            parts = [stock[sector] for sector in atlas.sectors_of[region]]
            assert max(parts) - min(parts) <= 1


@pytest.mark.rule("RES-1")
@pytest.mark.reading("rules.reserves.spread=given")
def test_given_weights_share_out_the_regions(make_scenario: MakeScenario) -> None:
    scenario = make_scenario(
        **plain(600, region_weights=[3, 2, 1]), rules={"reserves": {"spread": "given"}}
    )
    _, reserves = laid_out(scenario)
    stock = by_place(reserves)
    assert [stock[f"r{i}"] for i in (1, 2, 3)] == [150, 100, 50]
    assert [stock[f"r{i}/s1"] for i in (1, 2, 3)] == [75, 50, 25]


@pytest.mark.rule("RES-1")
@pytest.mark.reading("rules.reserves.spread=given")
def test_given_weights_may_stand_on_the_map(make_scenario: MakeScenario) -> None:
    scenario = make_scenario(**plain(600), rules={"reserves": {"spread": "given"}})
    graph = checked(generate(scenario.planet, Chance(1)))
    graph.nodes["r2"]["weight"] = 4
    graph.nodes["r2/s2"]["weight"] = 3
    stock = by_place(lay_out(scenario, Atlas(graph), Chance(1)))
    assert [stock["r1"], stock["r2"], stock["r3"]] == [50, 200, 50]
    assert [stock["r2/s1"], stock["r2/s2"]] == [50, 150]


@pytest.mark.rule("RES-2")
@pytest.mark.parametrize(("share", "transition"), [(0.0, 100), (0.25, 75), (1.0, 0)])
def test_the_share_of_sectors_is_the_scenarios(
    make_scenario: MakeScenario, share: float, transition: int
) -> None:
    scenario = make_scenario(**plain(100, regions=1), rules={"reserves": {"sector_share": share}})
    _, reserves = laid_out(scenario)
    assert by_place(reserves)["r1"] == transition


@pytest.mark.rule("RES-1")
@pytest.mark.reading("rules.reserves.spread=dirichlet")
@pytest.mark.parametrize("concentration", [0.3, 1.5, 8.0])
def test_dirichlet_weights_have_the_right_mean_and_spread(concentration: float) -> None:
    count, draws = 4, 1500
    drawn = [_dirichlet(count, concentration, Chance(seed), "berry@r1") for seed in range(draws)]
    assert all(sum(weights) == pytest.approx(1) for weights in drawn)
    mean = 1 / count
    variance = mean * (1 - mean) / (count * concentration + 1)
    for position in range(count):
        column = [weights[position] for weights in drawn]
        assert abs(fmean(column) - mean) < 4 * sqrt(variance / draws)
        found = fmean([(weight - mean) ** 2 for weight in column])
        fourth = fmean([(weight - mean) ** 4 for weight in column])
        assert abs(found - variance) < 4 * sqrt((fourth - found**2) / draws)


@pytest.mark.rule("RES-1")
@pytest.mark.parametrize("shape", [0.2, 1.0, 4.0])
def test_the_gamma_draws_under_it_have_the_moments_of_their_law(shape: float) -> None:
    stream = Chance(12).at("gamma", "moments", 0)
    draws = [_gamma(shape, stream) for _ in range(6000)]
    assert abs(fmean(draws) - shape) < 4 * sqrt(shape / len(draws))
    second = [draw**2 for draw in draws]
    spread = shape * (shape + 1) * ((shape + 2) * (shape + 3) - shape * (shape + 1))
    assert abs(fmean(second) - shape * (shape + 1)) < 4 * sqrt(spread / len(draws))


@pytest.mark.rule("RES-1")
@pytest.mark.reading("rules.reserves.spread=dirichlet")
def test_another_seed_or_ingredient_is_spread_otherwise_and_the_same_alike(
    make_scenario: MakeScenario,
) -> None:
    two = [{"id": name, "kind": "fruit", "reserve": 10_000} for name in ("berry", "date")]
    scenario = make_scenario(ingredients=two, rules={"reserves": {"spread": "dirichlet"}})
    first = laid_out(scenario, 1)[1]
    assert by_place(first, 0) != by_place(first, 1)
    assert by_place(first, 0) == by_place(laid_out(scenario, 1)[1], 0)
    assert by_place(first, 0) != by_place(laid_out(scenario, 2)[1], 0)


@pytest.mark.rule("RES-4")
def test_places_are_rich_or_poor_against_places_of_their_own_pool(
    make_scenario: MakeScenario,
) -> None:
    scenario = make_scenario(
        **plain(4000, regions=4, region_weights=[6, 3, 1, 10], sectors_per_region=2),
        rules={"reserves": {"spread": "given"}},
    )
    _, reserves = laid_out(scenario)
    classes = {
        place.id: ground.abundance[0]
        for place, ground in zip(reserves.places, reserves.grounds, strict=True)
    }
    # Means are 500 on the ways and 250 in sectors: shares of 600, 300, 100, 1000 and their halves.
    expected = {"r1": NORMAL, "r2": NORMAL, "r3": POOR, "r4": RICH}
    assert classes == expected | {f"{r}/s{i}": kind for r, kind in expected.items() for i in (1, 2)}


@pytest.mark.rule("RES-4")
def test_what_was_never_there_is_not_among_the_kinds_of_a_place(
    make_scenario: MakeScenario,
) -> None:
    scenario = make_scenario(
        planet={"regions": 2, "sectors_per_region": 1, "region_weights": [1, 0]},
        ingredients=[{"id": "berry", "kind": "fruit", "reserve": 9},
                     {"id": "ore", "kind": "metal", "reserve": 0}],
        rules={"reserves": {"spread": "given"}},
    )  # fmt: skip
    _, reserves = laid_out(scenario)
    kinds = {place.id: ground.kinds for place, ground in zip(
        reserves.places, reserves.grounds, strict=True)}  # fmt: skip
    assert kinds == {"r1": [0], "r1/s1": [0], "r2": [], "r2/s1": []}


# --- taking and growing ---------------------------------------------------------------------------


def two_places(initial: int = 10, rates: tuple[float, ...] = (0.0, 0.0)) -> Reserves:
    places = [Place("r1", "r1", "transition"), Place("r1/s1", "r1", "sector")]
    rows = [[initial, initial], [initial, initial]]
    return Reserves(places, rows, [[NORMAL, NORMAL]] * 2, rates)


@pytest.mark.rule("RES-3", "RES-6")
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 15)), max_size=20))
def test_taking_never_creates_or_destroys_stock(orders: list[tuple[int, int, int]]) -> None:
    reserves = two_places()
    taken = [[0, 0], [0, 0]]
    for place, ingredient, wanted in orders:
        there = reserves.left[place][ingredient]
        got = reserves.take(place, ingredient, wanted)
        assert got == min(there, wanted)
        taken[place][ingredient] += got
    for place in (0, 1):
        for ingredient in (0, 1):
            assert reserves.left[place][ingredient] + taken[place][ingredient] == 10
            assert (place * reserves.width + ingredient in reserves.changed) == (
                taken[place][ingredient] > 0
            )


def test_taking_a_negative_number_is_refused_and_changes_nothing() -> None:
    reserves = two_places()
    with pytest.raises(ValueError, match="-1 units"):
        reserves.take(0, 0, -1)
    assert reserves.left == reserves.initial


@pytest.mark.rule("RES-3")
def test_a_phase_reads_the_stock_of_its_place_as_it_is_now() -> None:
    reserves = two_places()
    reserves.take(1, 0, 4)
    assert reserves.grounds[1].left == [6, 10]
    assert reserves.grounds[0].left == [10, 10]
    assert reserves.grounds[1].initial == [10, 10]


@pytest.mark.rule("RES-5")
def test_only_ingredients_with_a_rate_grow_back_and_never_beyond_the_start() -> None:
    reserves = two_places(rates=(0.0, 0.5))
    reserves.take(0, 0, 5)
    reserves.take(0, 1, 5)
    reserves.changed.clear()
    grown = [reserves.regrow(0) for _ in range(60)]
    assert grown[0] == {1: 1}  # 0.5 x 5 x 0.5 is 1.25 units
    assert sum(each.get(1, 0) for each in grown) == 5
    assert reserves.left[0] == [5, 10]
    assert set(reserves.changed) == {1}
    assert reserves.left[1] == [10, 10]


@pytest.mark.rule("RES-5")
def test_growth_carries_its_remainder_from_day_to_day() -> None:
    reserves = two_places(initial=100, rates=(0.01, 0.0))
    reserves.take(0, 0, 50)  # a quarter of a unit a day
    assert [reserves.regrow(0) for _ in range(4)] == [{}, {}, {}, {0: 1}]


@pytest.mark.rule("RES-5")
def test_an_emptied_place_stays_empty() -> None:
    reserves = two_places(rates=(1.0, 1.0))
    reserves.take(0, 0, 10)
    assert reserves.regrow(0) == {}
    assert reserves.left[0] == [0, 10]
