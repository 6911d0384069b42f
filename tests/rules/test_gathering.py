"""A gathering phase against exact laws, worked out apart from the code it tests."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import chain, count, pairwise, product
from math import prod, sqrt
from typing import TYPE_CHECKING

import icepool  # type: ignore[import-untyped]  # it ships annotations but no py.typed
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.chance import Chance
from worldsim.processes.context import gathering_terms
from worldsim.rules.abundance import NORMAL, POOR, RICH
from worldsim.rules.dice import Dice, Pool, RecordedDice
from worldsim.rules.gathering import (
    AVERAGE,
    MINOR,
    NO_MISHAP,
    Ground,
    Haul,
    Skills,
    Terms,
    attempt,
    detect,
    gather,
    gathering_limit,
    limit_cost,
    mishap,
    present_units,
    step,
    units_found,
)
from worldsim.scenario.options import GatheringOptions, ReserveOptions
from worldsim.world.build import build

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from worldsim.scenario.model import Scenario

OPTIONS = GatheringOptions()
ALWAYS_LOW = 0.0


def evenly(draws: int) -> list[float]:
    """One draw from the middle of each of ``draws`` equal parts of [0, 1)."""
    return [(i + 0.5) / draws for i in range(draws)]


def terms(
    kinds: int = 1, *, presence: float = 1.0, size: int = 1, stealth: int = 2, fragility: int = 4
) -> Terms:
    """The default numbers for a catalogue of ``kinds`` ingredients alike."""
    made = Terms()
    made.presence = [presence] * kinds
    made.class_size = [size] * kinds
    made.stealth = [stealth] * kinds
    made.fragility = [fragility] * kinds
    made.weight = [1] * kinds
    made.rank = [0] * kinds
    made.bands = list(ReserveOptions().bands)
    return made


def ground(left: list[int], initial: list[int], abundance: int = NORMAL) -> Ground:
    kinds = [i for i, units in enumerate(initial) if units]
    return Ground(kinds, left, initial, [abundance] * len(left))


def skills(
    gathering: Pool = (3, 0), detection: Pool = (3, 0), *, kinds: int = 1, added: int = 0
) -> Skills:
    return Skills(gathering, detection, added, [0] * kinds)


def law_of_successes(d6: int, difficulty: int) -> list[Fraction]:
    """By icepool, up to difficulty 6."""
    die = d6 @ icepool.d6.map(lambda face: int(face >= difficulty))
    return [Fraction(die.quantity(k), die.denominator()) for k in range(d6 + 1)]


def law_of_score(d6: int) -> dict[int, Fraction]:
    die = d6 @ icepool.d6
    return {int(face): Fraction(ways, die.denominator()) for face, ways in die.items()}


# --- the Limit ------------------------------------------------------------------------------------


@pytest.mark.rule("GATH-1")
@pytest.mark.parametrize("activities", [1, 2, 3])
def test_the_limit_is_the_score_of_gathering_shared_and_floored(activities: int) -> None:
    cells = 6**3
    found = Counter(
        gathering_limit(Dice(iter([draw])), (3, 0), activities, 1000, "both")
        for draw in evenly(cells)
    )
    expected: Counter[int] = Counter()
    for score, chance in law_of_score(3).items():
        expected[score // activities] += int(chance * cells)
    assert found == expected


@pytest.mark.rule("GATH-1", "FAT-3")
def test_a_fatigued_limit_is_that_of_one_die_fewer() -> None:
    found = Counter(
        gathering_limit(Dice(iter([draw])), (3, 0), 1, 1000, "both", 1) for draw in evenly(36)
    )
    assert found == {score: int(chance * 36) for score, chance in law_of_score(2).items()}


@pytest.mark.rule("GATH-2")
@pytest.mark.reading("rules.gathering.limit_by=both")
@pytest.mark.reading("rules.gathering.limit_by=number")
@pytest.mark.reading("rules.gathering.limit_by=weight")
@pytest.mark.parametrize(
    ("free", "by", "limit"),
    [
        (100, "both", 18), (18, "both", 18), (17, "both", 17), (0, "both", 0),
        (17, "number", 17), (17, "weight", 18), (0, "weight", 18),
    ],
)  # fmt: skip
def test_free_capacity_cuts_the_limit_number_for_number(free: int, by: str, limit: int) -> None:
    assert gathering_limit(Dice(iter([1 - 2**-53])), (3, 0), 1, free, by) == limit


def attempts(
    numbers: Terms, found: list[tuple[int, int, int]], limit: int, free: int, draws: Iterator[float]
) -> Haul:
    haul = Haul(limit)
    team = skills(kinds=len(numbers.weight))
    attempt(Dice(draws), numbers, team, found, haul, free)
    return haul


@pytest.mark.rule("GATH-2")
def test_a_unit_that_does_not_fit_is_skipped_untested_and_lighter_ones_go_on() -> None:
    numbers = terms(3)
    numbers.weight = [3, 8, 1]
    draws = iter([1 - 2**-53] * 9)
    haul = attempts(numbers, [(0, 2, 0), (1, 2, 0), (2, 4, 0)], 20, 9, draws)
    assert haul.taken == {0: 2, 2: 3}  # 3 + 3, no 8 fits, then 1 + 1 + 1
    assert haul.tried == 5
    assert len(list(draws)) == 4


@pytest.mark.rule("GATH-2")
def test_a_unit_that_fits_to_the_point_is_taken() -> None:
    numbers = terms(1)
    numbers.weight = [4]
    assert attempts(numbers, [(0, 3, 0)], 20, 8, iter([1 - 2**-53] * 9)).taken == {0: 2}


@pytest.mark.rule("GATH-2")
@pytest.mark.reading("rules.gathering.limit_by=number")
def test_by_the_reading_of_numbers_weight_does_not_matter() -> None:
    numbers = terms(1)
    numbers.weight, numbers.weighs = [50], False
    assert attempts(numbers, [(0, 3, 0)], 20, 8, iter([1 - 2**-53] * 9)).taken == {0: 3}


# --- presence and units ---------------------------------------------------------------------------


@pytest.mark.rule("GATH-3")
def test_presence_and_class_size_follow_rarity() -> None:
    assert [(str(rarity), chance) for rarity, chance in OPTIONS.presence.items()] == [
        ("common", 0.9), ("uncommon", 0.6), ("rare", 0.3), ("epic", 0.1), ("legendary", 0.03),
    ]  # fmt: skip
    assert list(OPTIONS.class_size.values()) == [3, 2, 1, 1, 1]
    assert OPTIONS.present_die == 6


@pytest.mark.rule("GATH-3")
@pytest.mark.parametrize("chance", [0.9, 0.6, 0.3, 0.1, 0.03])
@pytest.mark.parametrize("left", [100, 50, 20])
def test_an_ingredient_is_met_by_its_rarity_times_the_stock_that_is_left(
    chance: float, left: int
) -> None:
    numbers, place = terms(presence=chance), ground([left], [100])
    met = sum(
        bool(present_units(Dice(iter([draw, 0.5])), numbers, place, [0])) for draw in evenly(2000)
    )
    assert met == round(2000 * chance * left / 100)


@pytest.mark.rule("GATH-3")
def test_what_is_used_up_is_never_rolled_for() -> None:
    dice = RecordedDice(iter(evenly(8)))
    assert present_units(dice, terms(2), ground([0, 5], [9, 5]), [0, 1])
    assert [roll.how for roll in dice.rolls] == ["chance", "pick"]


@pytest.mark.rule("GATH-3", "RES-4")
@pytest.mark.parametrize("size", [3, 2, 1])
@pytest.mark.parametrize(
    ("left", "abundance", "modifier"),
    [(100, RICH, -2), (60, RICH, -1), (100, NORMAL, 0), (40, POOR, 1), (10, POOR, 2)],
)
def test_units_present_are_a_die_less_abundance_times_class_size(
    left: int, abundance: int, modifier: int, size: int
) -> None:
    numbers, place = terms(size=size), ground([left], [100], abundance)
    found = [
        present_units(Dice(iter([ALWAYS_LOW, draw])), numbers, place, [0])[0] for draw in evenly(6)
    ]
    assert [units for _, units, _ in found] == [
        min(left, max(1, face - modifier) * size) for face in range(1, 7)
    ]
    assert {scarce for _, _, scarce in found} == {modifier}


@pytest.mark.rule("GATH-3")
def test_no_more_units_are_present_than_there_are() -> None:
    place = ground([2], [2])
    drawn = present_units(Dice(iter([0.0, 0.99])), terms(size=3), place, [0])
    assert drawn == [(0, 2, 0)]


# --- order ----------------------------------------------------------------------------------------


@pytest.mark.rule("GATH-4", "GATH-9")
def test_a_phase_rolls_presence_then_detection_then_attempts_then_the_mishap() -> None:
    dice = RecordedDice(Chance(1).at("any", "team", 1))
    numbers = terms(3, stealth=2, fragility=6)
    team = skills(gathering=(2, 0), detection=(6, 0), kinds=3)
    gather(dice, numbers, ground([50] * 3, [50] * 3), [0, 1, 2], team, 12, 100)
    rules = [roll.rule for roll in dice.rolls]
    runs = [rule for rule, following in pairwise([*rules, ""]) if rule != following]
    assert runs == ["GATH-3", "GATH-5", "GATH-4", "GATH-6", "GATH-9"]
    assert rules.count("GATH-3") == 6
    assert rules.count("GATH-5") == 3
    assert rules.count("GATH-4") == rules.count("GATH-9") == 1


@pytest.mark.rule("GATH-4")
@pytest.mark.reading("rules.gathering.order=random")
def test_every_order_of_what_was_found_is_as_likely() -> None:
    numbers, team = terms(3), skills(detection=(1, 0), kinds=3)
    present = [(0, 4, 0), (1, 4, 0), (2, 4, 0)]
    orders = Counter(
        tuple(kind for kind, _, _ in detect(
            Dice(iter([0.9] * 3 + list(draws))), numbers, team, present))
        for draws in product(evenly(12), repeat=3) if len(set(draws)) == 3
    )  # fmt: skip
    assert len(orders) == 6
    assert set(orders.values()) == {12 * 11 * 10 // 6}


@pytest.mark.rule("GATH-4")
@pytest.mark.reading("rules.gathering.order=priority")
@pytest.mark.reading("rules.gathering.order=common_first")
@given(st.lists(st.floats(0, 1, exclude_max=True), min_size=3, max_size=3))
def test_a_rank_decides_the_order_and_chance_only_among_equals(draws: list[float]) -> None:
    numbers, team = terms(3), skills(detection=(1, 0), kinds=3)
    numbers.rank = [1, 0, 1]
    present = [(0, 4, 0), (1, 4, 0), (2, 4, 0)]
    found = detect(Dice(iter([0.9] * 3 + draws)), numbers, team, present)
    later = [0, 2] if draws[0] <= draws[2] else [2, 0]
    assert [kind for kind, _, _ in found] == [1, *later]


# --- detection ------------------------------------------------------------------------------------


@pytest.mark.rule("GATH-5", "GATH-6")
@pytest.mark.parametrize(
    ("points", "difficulty"),
    [(0, 2), (219, 2), (220, 3), (439, 3), (440, 4), (450, 4), (659, 4), (660, 5), (879, 5),
     (880, 6), (1000, 6)],
)  # fmt: skip
def test_every_full_step_of_stealth_or_fragility_is_one_harder(
    points: int, difficulty: int
) -> None:
    assert step(points, OPTIONS.scale_base, OPTIONS.scale_step) == difficulty
    assert step(points) == difficulty


@pytest.mark.rule("GATH-5")
@pytest.mark.parametrize("points", [-1, 1001])
def test_points_outside_the_scale_are_refused(points: int) -> None:
    with pytest.raises(ValueError, match="0 to 1000"):
        step(points)


@pytest.mark.rule("GATH-5")
@pytest.mark.parametrize(
    ("units", "found"),
    [(1, [0, 1, 1, 1, 1]), (2, [0, 1, 1, 2, 2]), (5, [0, 1, 3, 5, 5]), (6, [0, 1, 3, 6, 6])],
)
def test_successes_find_one_unit_half_rounded_up_or_all(units: int, found: list[int]) -> None:
    assert [units_found(successes, units, OPTIONS.find_all_at) for successes in range(5)] == found


@pytest.mark.rule("GATH-5")
@pytest.mark.parametrize("units", [1, 5, 12])
def test_the_law_of_units_found_by_three_dice_against_450_stealth_is_exact(units: int) -> None:
    numbers, team = terms(stealth=step(450)), skills(detection=(3, 0))
    cells = 6**3
    law: Counter[int] = Counter()
    for draw in evenly(cells):
        found = detect(Dice(iter([draw])), numbers, team, [(0, units, 0)])
        law[found[0][1] if found else 0] += 1
    expected: Counter[int] = Counter()
    for successes, chance in enumerate(law_of_successes(3, 4)):
        expected[(0, 1, (units + 1) // 2, units)[successes]] += int(chance * cells)
    assert law == expected


@pytest.mark.rule("GATH-5", "GATH-4")
def test_each_ingredient_present_is_looked_for_once() -> None:
    dice = RecordedDice(iter(evenly(40)))
    detect(dice, terms(3), skills(kinds=3), [(0, 9, 0), (1, 9, 0), (2, 9, 0)])
    assert [roll.rule for roll in dice.rolls].count("GATH-5") == 3


# --- attempts -------------------------------------------------------------------------------------

Outcome = tuple[int, int, int, int]
"""Units taken, units tried, minor entries, average entries."""


def law_of_attempts(
    law: list[Fraction], units: int, limit: int, cost: tuple[int, int, int], *, hard: bool
) -> dict[Outcome, Fraction]:
    """The exact law of a run of attempts: a Markov chain over the Limit left and what was done.

    Args:
        law: Chances of 0, 1, 2, … successes of one attempt.
        units: Units found.
        limit: The Limit at first.
        cost: What 0, 1 and 2 successes take from it.
        hard: Whether the Limit is a maximum too.
    """

    @cache
    def onward(untried: int, left: int, done: Outcome) -> dict[Outcome, Fraction]:
        if untried == 0 or left == 0 or (hard and done[0] == limit):
            return {done: Fraction(1)}
        ends: dict[Outcome, Fraction] = defaultdict(Fraction)
        taken, tried, minor, average = done
        for successes, chance in enumerate(law):
            lost = cost[successes] if successes < 3 else 0
            now = (
                taken + (successes > 0),
                tried + 1,
                minor + (successes == 1),
                average + (successes == 0),
            )
            for end, odds in onward(untried - 1, max(0, left - lost), now).items():
                ends[end] += chance * odds
        return dict(ends)

    return onward(units, limit, (0, 0, 0, 0))


def law_by_enumeration(
    numbers: Terms, d6: int, difficulty: int, units: int, limit: int
) -> dict[Outcome, Fraction]:
    """The law of the real code: each sequence of results, weighed by its chance."""
    law = law_of_successes(d6, difficulty)
    middles = [float(sum(law[:k], Fraction(0)) + law[k] / 2) for k in range(len(law))]
    found: dict[Outcome, Fraction] = defaultdict(Fraction)
    team = skills(gathering=(d6, 0))
    for results in product(range(d6 + 1), repeat=units):
        haul = Haul(limit)
        dice = Dice(iter([middles[k] for k in results]))
        minor, average = attempt(dice, numbers, team, [(0, units, 0)], haul, 100)
        outcome = (sum(haul.taken.values()), haul.tried, minor, average)
        found[outcome] += prod((law[k] for k in results), start=Fraction(1))
    return dict(found)


@pytest.mark.rule("GATH-6", "GATH-7", "GATH-8")
@pytest.mark.parametrize(("units", "limit"), [(1, 1), (3, 2), (4, 5), (5, 4), (5, 1), (5, 3)])
@pytest.mark.parametrize("difficulty", [2, 4, 6])
def test_the_law_of_attempts_is_exact(units: int, limit: int, difficulty: int) -> None:
    numbers = terms(fragility=difficulty)
    expected = law_of_attempts(law_of_successes(3, difficulty), units, limit, (2, 1, 1), hard=True)
    assert law_by_enumeration(numbers, 3, difficulty, units, limit) == expected


@pytest.mark.rule("GATH-6")
@pytest.mark.reading("rules.gathering.one_success_cost=0")
@pytest.mark.reading("rules.gathering.one_success_cost=1")
@pytest.mark.reading("rules.gathering.one_success_cost=2")
def test_each_reading_of_one_success_changes_the_law_as_it_says() -> None:
    laws = []
    for cost in (0, 1, 2):
        numbers = terms(fragility=4)
        numbers.costs = [limit_cost(successes, one=cost) for successes in range(9)]
        laws.append(law_by_enumeration(numbers, 2, 4, 5, 3))
        assert laws[-1] == law_of_attempts(law_of_successes(2, 4), 5, 3, (2, cost, 1), hard=True)
    assert laws[0] != laws[1] != laws[2]


@pytest.mark.rule("GATH-8")
@pytest.mark.reading("rules.gathering.hard_limit=true")
@pytest.mark.reading("rules.gathering.hard_limit=false")
def test_without_a_hard_limit_spared_attempts_take_more_than_the_limit() -> None:
    numbers = terms(fragility=2)
    numbers.hard_limit = False
    free = law_by_enumeration(numbers, 3, 2, 5, 2)
    assert free == law_of_attempts(law_of_successes(3, 2), 5, 2, (2, 1, 1), hard=False)
    assert max(taken for taken, *_ in free) == 5
    numbers.hard_limit = True
    assert max(taken for taken, *_ in law_by_enumeration(numbers, 3, 2, 5, 2)) == 2


@pytest.mark.rule("GATH-6")
@pytest.mark.parametrize("successes", range(5))
def test_one_attempt_costs_and_risks_what_its_successes_say(successes: int) -> None:
    law = law_of_successes(4, 4)
    draw = float(sum(law[:successes], Fraction(0)) + law[successes] / 2)
    assert limit_cost(successes) == (2, 1, 1, 0, 0)[successes]
    haul = Haul(9)
    numbers, team = terms(), skills(gathering=(4, 0))
    entries = attempt(Dice(iter([draw])), numbers, team, [(0, 1, 0)], haul, 100)
    assert haul.taken == ({0: 1} if successes else {})
    assert entries == [(0, 1), (1, 0), (0, 0), (0, 0), (0, 0)][successes]
    spends = (2, 1, 1, 0, 0)[successes]  # so with a Limit of 2 the second unit is tried or not
    haul = Haul(2)
    numbers.hard_limit = False
    attempt(Dice(iter([draw] * 5)), numbers, team, [(0, 5, 0)], haul, 100)
    assert haul.tried == (1 if spends == 2 else 2 if spends == 1 else 5)


@pytest.mark.rule("GATH-6", "GATH-8")
def test_simulated_phases_take_as_many_units_as_the_chain_says() -> None:
    law = law_of_attempts(law_of_successes(3, 4), 8, 6, (2, 1, 1), hard=True)
    mean = float(sum(end[0] * odds for end, odds in law.items()))
    square = float(sum(end[0] ** 2 * odds for end, odds in law.items()))
    phases = 4000
    chance, numbers, taken = Chance(21), terms(), 0
    for phase in range(phases):
        haul = Haul(6)
        attempt(Dice(chance.at("gather", f"t{phase}", 1)), numbers, skills(), [(0, 8, 0)], haul, 99)
        taken += haul.taken.get(0, 0)
    assert abs(taken / phases - mean) < 4 * sqrt((square - mean**2) / phases)


@pytest.mark.rule("GATH-7")
@pytest.mark.reading("rules.gathering.failed_unit=stays")
@pytest.mark.reading("rules.gathering.failed_unit=destroyed")
def test_a_missed_unit_stays_in_the_ground_unless_a_reading_destroys_it() -> None:
    numbers = terms()
    misses = [0.0, 0.999, 0.0]
    assert attempts(numbers, [(0, 3, 0)], 9, 99, iter(misses)).destroyed == {}
    numbers.destroys = True
    haul = attempts(numbers, [(0, 3, 0)], 9, 99, iter(misses))
    assert haul.destroyed == {0: 2}
    assert haul.taken == {0: 1}


@pytest.mark.rule("GATH-7", "GATH-8")
@given(st.integers(0, 2**32), st.integers(0, 20))
def test_no_unit_is_tried_twice_and_never_more_than_the_limit_is_taken(
    seed: int, limit: int
) -> None:
    dice = RecordedDice(Chance(seed).at("gather", "t", 1))
    place = ground([60] * 4, [60] * 4)
    haul = gather(dice, terms(4, size=3), place, [0, 1, 2, 3], skills(kinds=4), limit, 999)
    tests = [roll for roll in dice.rolls if roll.rule == "GATH-6"]
    assert haul.tried == len(tests) <= haul.detected
    taken = sum(haul.taken.values())
    assert taken == sum(roll.result > 0 for roll in tests) <= limit
    assert place.left == [60] * 4


@pytest.mark.rule("GATH-8")
def test_without_a_limit_nothing_is_rolled_at_all() -> None:
    dice = RecordedDice(Chance(1).at("gather", "t", 1))
    haul = gather(dice, terms(), ground([9], [9]), [0], skills(), 0, 99)
    assert (dice.rolls, haul.present, haul.taken) == ([], 0, {})


# --- from a scenario ------------------------------------------------------------------------------


def terms_of(scenario: Scenario, mission: str = "gather") -> Terms:
    return gathering_terms(build(scenario, Chance(1)), scenario.missions[mission])


THREE = [
    {"id": "moss", "kind": "herb", "rarity": "rare", "stealth": 450, "fragility": 219},
    {"id": "ore", "kind": "metal", "rarity": "common", "weight": 440},
    {"id": "fish", "kind": "fish", "rarity": "uncommon", "fragility": 1000},
]


@pytest.mark.rule("GATH-3", "GATH-5", "GATH-6", "TEAM-8", "RES-4")
def test_the_catalogue_becomes_the_numbers_of_a_phase(
    make_scenario: Callable[..., Scenario],
) -> None:
    found = terms_of(make_scenario(ingredients=THREE))
    assert found.presence == [0.3, 0.9, 0.6]
    assert found.class_size == [1, 3, 2]
    assert found.stealth == [4, 2, 2]
    assert found.fragility == [2, 2, 6]
    assert found.weight == [1, 3, 1]
    assert found.rank == []
    assert found.costs[:6] == [2, 1, 1, 0, 0, 0]
    assert (found.present_die, found.find_all_at, found.nothing) == (6, 3, 10)
    assert (found.poor, found.worst, found.min_difficulty) == (1, 2, 2)
    assert found.bands == [(0.75, -2), (0.5, -1), (0.35, 0), (0.15, 1), (0.0, 2)]
    assert (found.hard_limit, found.destroys, found.weighs) == (True, False, True)


@pytest.mark.rule("GATH-4")
@pytest.mark.reading("rules.gathering.order=priority")
@pytest.mark.reading("rules.gathering.order=common_first")
def test_each_order_ranks_ingredients_as_it_says(make_scenario: Callable[..., Scenario]) -> None:
    missions = {"gather": {"kind": "gather", "priority": ["fish", "moss"]}}

    def rank(order: str) -> list[int]:
        rules = {"gathering": {"order": order}}
        return terms_of(make_scenario(ingredients=THREE, missions=missions, rules=rules)).rank

    moss, ore, fish = rank("priority")
    assert fish < moss < ore
    moss, ore, fish = rank("common_first")
    assert ore < fish < moss
    assert rank("random") == []


@pytest.mark.rule("GATH-2", "GATH-6", "GATH-7", "GATH-8", "GATH-9", "DICE-7")
def test_the_readings_of_a_phase_reach_its_numbers(make_scenario: Callable[..., Scenario]) -> None:
    gathering = {
        "one_success_cost": 2, "two_success_cost": 4, "miss_cost": 5, "spare_at": 4,
        "failed_unit": "destroyed", "hard_limit": False, "limit_by": "number",
        "nothing_in_bag": 3, "present_die": 8, "find_all_at": 5, "scale_base": 1,
        "scale_step": 100,
    }  # fmt: skip
    reserves = {"bands": [[0.5, -3]], "poor_modifier": 2, "worst_modifier": 4}
    rules = {"gathering": gathering, "reserves": reserves, "dice": {"min_difficulty": 1}}
    found = terms_of(make_scenario(ingredients=THREE, rules=rules))
    assert found.costs[:6] == [5, 2, 4, 4, 0, 0]
    assert (found.hard_limit, found.destroys, found.weighs) == (False, True, False)
    assert (found.nothing, found.present_die, found.find_all_at) == (3, 8, 5)
    assert found.stealth == [5, 1, 1]
    assert found.fragility == [3, 1, 11]
    assert (found.bands, found.poor, found.worst) == ([(0.5, -3)], 2, 4)
    assert found.min_difficulty == 1


# --- mishaps and modifiers ------------------------------------------------------------------------


@pytest.mark.rule("GATH-9")
@pytest.mark.parametrize(("minor", "average"), [(1, 0), (0, 1), (3, 2), (7, 13)])
def test_the_bag_holds_ten_blanks_and_the_entries_of_the_phase(minor: int, average: int) -> None:
    whole = OPTIONS.nothing_in_bag + minor + average
    drawn = Counter(
        mishap(Dice(iter([draw])), minor, average, OPTIONS.nothing_in_bag)
        for draw in evenly(whole * 10)
    )
    expected = {NO_MISHAP: 100, MINOR: minor * 10, AVERAGE: average * 10}
    assert drawn == {kind: times for kind, times in expected.items() if times}
    assert mishap(Dice(iter([1 - 2**-53])), minor, average) == (AVERAGE if average else MINOR)


@pytest.mark.rule("GATH-9")
def test_a_clean_phase_draws_no_mishap() -> None:
    assert mishap(Dice(iter([])), 0, 0) == NO_MISHAP


@pytest.mark.rule("GATH-10", "RES-4", "ACT-1", "FAT-3", "TEAM-5")
def test_all_modifiers_of_a_difficulty_add_up() -> None:
    dice = RecordedDice(chain([0.0, 0.99, 0.0], (0.99 for _ in count())))
    numbers, team = terms(2, stealth=3, fragility=4), skills(kinds=2, added=1)
    team.collecting = [-1, 0]
    team.detection_first = team.detection_added = team.gathering_added = 2
    place = ground([20, 20], [100, 100])  # 1 harder: a fifth is left
    gather(dice, numbers, place, [0, 1], team, 99, 999)
    difficulty = {
        rule: [roll.difficulty for roll in dice.rolls if roll.rule == rule]
        for rule in ("GATH-5", "GATH-6")
    }
    assert difficulty["GATH-5"] == [3 + 1 + 1 + 2] * 2
    assert set(difficulty["GATH-6"]) == {4 + 1 + 1 + 2 - 1, 4 + 1 + 1 + 2}
    tests = [roll for roll in dice.rolls if roll.how == "test"]
    assert all(sum(roll.made_of.values()) == roll.difficulty for roll in tests)


@pytest.mark.rule("GATH-10", "DICE-7")
@pytest.mark.reading("rules.dice.min_difficulty=1")
def test_the_sum_of_modifiers_is_kept_at_the_lowest_difficulty() -> None:
    for least in (2, 1):
        dice = RecordedDice(0.99 for _ in count())
        numbers = terms(stealth=2, fragility=2)
        numbers.min_difficulty = least
        team = skills()
        team.collecting = [-1]
        gather(dice, numbers, ground([100], [100], RICH), [0], team, 99, 999)
        assert {roll.difficulty for roll in dice.rolls if roll.how == "test"} == {least}


@pytest.mark.rule("FAT-3", "GATH-10")
@pytest.mark.reading("rules.fatigue.fatigued_for=roll")
@pytest.mark.reading("rules.fatigue.fatigued_for=phase")
def test_fatigue_of_one_roll_burdens_the_first_detection_only() -> None:
    for added, expected in ((0, [4, 2, 2]), (2, [4, 4, 4])):
        dice = RecordedDice(0.99 for _ in count())
        team = skills(kinds=3)
        team.detection_first, team.detection_added = 2, added
        detect(dice, terms(3), team, [(0, 1, 0), (1, 1, 0), (2, 1, 0)])
        tests = [roll.difficulty for roll in dice.rolls if roll.rule == "GATH-5"]
        assert tests == expected
