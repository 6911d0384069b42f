"""The exact odds of a duel against brute force, and fights against the exact odds."""

from __future__ import annotations

import os
from fractions import Fraction
from math import comb, sqrt
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from duels import character, equipment, every_course, person, starship, terms, vehicle
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_odds import slow_odds

from worldsim.duel import (
    Budget,
    cost_of,
    duel_odds,
    exact_odds,
    simulated_odds,
    sweep,
    wilson,
)
from worldsim.duel.damage import Arithmetic, Damage
from worldsim.duel.groups import fixed_dice, groups_of
from worldsim.rules.battle import OUT_OF_TIME
from worldsim.rules.cards import TRAITS, Card, Side, Terms, by_trait

if TYPE_CHECKING:
    from collections.abc import Sequence

FIGHTS = int(os.environ.get("WORLDSIM_FIGHTS", "1000"))
"""Fights a duel is checked with; .ci/run takes 20 000."""

FOUR_ERRORS = 3e-5
"""Chance to be more than 4 standard errors above what is expected."""

Duelists = tuple[Terms, Side, Side]


def crew(seed: int, count: int, health: int = 6, top: int = 12) -> list[Card]:
    """Characters of different Powers."""
    chance = Random(seed)  # noqa: S311 - no secret
    return [
        person({trait: chance.randrange(top) for trait in TRAITS}, health, f"c{n}")
        for n in range(count)
    ]


def squad(count: int, health: int = 6, **power: int) -> list[Card]:
    """Characters of equal Powers."""
    return [person(power, health) for _ in range(count)]


def duel(
    ours: Sequence[Card], theirs: Sequence[Card], rules: dict[str, Any] | None = None, **flags: bool
) -> Duelists:
    """A duel whose attacker has these flags, the defender those with a ``d_``."""
    made = terms(**(rules or {}))
    mine = {name: value for name, value in flags.items() if not name.startswith("d_")}
    its = {name[2:]: value for name, value in flags.items() if name.startswith("d_")}
    return made, Side(list(ours), made, **mine), Side(list(theirs), made, **its)


# --- against brute force

TINY = {
    "two on one": duel(
        [character(1, shooting=3), character(1, stealth=3)],
        [character(2, weapon=3, speed=3)],
        {"most_rounds": 2},
    ),
    "protection and overkill": duel(
        [character(2, leadership=6)],
        [character(1, orders=3), character(2, leadership=3)],
        {"most_rounds": 2},
    ),
    "things": duel(
        [character(1, shooting=3), equipment(stealth=3)],
        [character(1, orders=3), vehicle(2, leadership=3), starship(awareness=3)],
        {"most_rounds": 2, "tie": "defender"},
    ),
    "double roll": duel(
        [character(1, leadership=3)],
        [character(1), character(1, orders=3)],
        {"most_rounds": 1, "attack_roll": "double_roll"},
        strike=True,
    ),
    "assault of the first round": duel(
        [character(2, shooting=3)],
        [character(2, leadership=3)],
        {"most_rounds": 2, "assault_in": "first_round"},
        strike=True, assault=True,
    ),
    "doubled power": duel(
        [character(1, speed=2, weapon=2)],
        [character(2, stealth=4, leadership=3)],
        {"most_rounds": 2, "double": "power"},
        scout=True, d_scout=True, d_ambush=True,
    ),
}  # fmt: skip


def up(health: list[int]) -> int:
    return sum(left > 0 for left in health)


@pytest.mark.rule("BAT-3", "BAT-5", "BAT-8", "BAT-9", "BAT-10", "BAT-11", "BAT-12")
@pytest.mark.parametrize("name", TINY)
def test_exact_odds_are_the_sum_over_every_course_a_fight_can_take(name: str) -> None:
    odds = exact_odds(*TINY[name], fractions=True)
    chances: dict[str, Fraction] = {}
    ours: dict[int, Fraction] = {}
    theirs: dict[int, Fraction] = {}
    rounds: dict[int, Fraction] = {}
    courses = 0
    for chance, fought in every_course(*TINY[name]):
        courses += 1
        end = OUT_OF_TIME if fought.reason == OUT_OF_TIME else fought.winner
        for tally, key in (
            (ours, up(fought.attacker_health)),
            (theirs, up(fought.defender_health)),
            (rounds, len(fought.rounds)),
        ):
            tally[key] = tally.get(key, Fraction(0)) + chance
        chances[end] = chances.get(end, Fraction(0)) + chance
    assert courses > 50
    assert sum(chances.values()) == 1
    assert chances.get("attacker", 0) == odds.attacker_wins
    assert chances.get("defender", 0) == odds.defender_wins
    assert chances.get(OUT_OF_TIME, 0) == odds.out_of_time
    assert [ours.get(count, 0) for count in range(len(odds.attacker.up))] == [*odds.attacker.up]
    assert [theirs.get(count, 0) for count in range(len(odds.defender.up))] == [*odds.defender.up]
    assert [rounds.get(count, 0) for count in range(len(odds.rounds))] == [*odds.rounds]
    assert odds.unresolved == 0
    assert isinstance(odds.attacker_wins, Fraction)


small_card = st.builds(
    lambda health, powers: Card("character", powers, health),
    st.integers(1, 2),
    st.lists(st.sampled_from([0, 0, 2, 3, 4]), min_size=8, max_size=8),
)
small_side = st.lists(small_card, min_size=1, max_size=3)


@pytest.mark.long
@pytest.mark.rule("BAT-6", "BAT-7", "BAT-8", "BAT-9", "BAT-10", "BAT-11", "BAT-12")
@settings(max_examples=8)
@given(
    ours=small_side, theirs=small_side, strike=st.booleans(),
    roll=st.sampled_from(["pool", "double_roll"]),
    when=st.sampled_from(["every_round", "first_round"]), tie=st.sampled_from(["coin", "defender"]),
)  # fmt: skip
def test_taking_states_together_changes_no_chance(
    ours: list[Card], theirs: list[Card], *, strike: bool, roll: str, when: str, tie: str
) -> None:
    rules, attacker, defender = duel(
        ours, theirs,
        {"most_rounds": 2, "attack_roll": roll, "assault_in": when, "tie": tie},
        strike=strike, assault=strike, d_scout=True, d_ambush=strike,
    )  # fmt: skip
    odds = exact_odds(rules, attacker, defender, fractions=True)
    slow = slow_odds(rules, attacker, defender)
    assert odds.attacker_wins == slow.attacker_wins
    assert odds.defender_wins == slow.defender_wins
    assert odds.out_of_time == slow.out_of_time
    assert [*odds.won_in] == [slow.won_in.get(n, 0) for n in range(len(odds.won_in))]
    for side, cards in ((0, odds.attacker.cards), (1, odds.defender.cards)):
        for card, chance in enumerate(cards):
            stands = (p for ends, p in slow.ends.items() if ends[side][card])
            assert chance == sum(stands, Fraction(0))


@pytest.mark.rule("BAT-13")
def test_cards_that_are_hurt_or_down_already_are_reckoned_with() -> None:
    rules, ours, theirs = duel(
        [character(3, weapon=3), character(3, weapon=3), character(2, orders=3)],
        [character(2, cover=3, shooting=4), vehicle(3, speed=3)],
        {"most_rounds": 3},
    )
    health = [1, 3, 0], [2, 2]
    odds = exact_odds(rules, ours, theirs, *health, fractions=True)
    slow = slow_odds(rules, ours, theirs, *health)
    assert odds.attacker_wins == slow.attacker_wins
    assert odds.out_of_time == slow.out_of_time
    assert odds.attacker.cards[2] == 0
    assert len(odds.attacker.up) == 3


def test_floats_agree_with_fractions() -> None:
    rules, ours, theirs = duel(crew(1, 3, 2, 8), crew(2, 3, 2, 8), {"most_rounds": 3})
    exact = exact_odds(rules, ours, theirs, fractions=True)
    quick = exact_odds(rules, ours, theirs)
    assert quick.attacker_wins == pytest.approx(float(exact.attacker_wins), abs=1e-14)
    assert quick.out_of_time == pytest.approx(float(exact.out_of_time), abs=1e-14)
    assert [*quick.rounds] == pytest.approx([float(p) for p in exact.rounds], abs=1e-14)
    assert isinstance(quick.attacker_wins, float)


# --- chances of chances


@pytest.mark.rule("BAT-9")
@pytest.mark.parametrize("exact", [True, False])
def test_all_that_a_hit_can_do_adds_up_to_one(*, exact: bool) -> None:
    rules, side, _ = duel([*crew(3, 2, 3), *squad(3, 2, cover=3), vehicle(4)], [])
    damage = Damage(groups_of(side, side.whole), fixed_dice(side), Arithmetic(exact=exact))
    leaving: list[Any] = [0] * damage.size
    for sources, odds in zip(damage.steps.source, damage.steps.odds, strict=True):
        for source, chance in zip(sources, odds, strict=True):
            leaving[source] += chance
    standing = damage.up_counts()
    assert standing[damage.none_up] == 0
    assert all(
        total == (pytest.approx(count) if not exact else count)
        for total, count in zip(leaving, standing.tolist(), strict=True)
    )
    assert rules.most_rounds == 30


@pytest.mark.rule("BAT-11")
@pytest.mark.parametrize("fractions", [True, False])
def test_nobody_on_either_side_is_decided_before_the_first_round(*, fractions: bool) -> None:
    things, people = [equipment(weapon=9)], [character(weapon=9)]
    for ours, theirs, wins in ((things, things, 0), (things, people, 0), (people, things, 1)):
        odds = exact_odds(*duel(ours, theirs), fractions=fractions)
        assert (odds.attacker_wins, odds.defender_wins, odds.out_of_time) == (wins, 1 - wins, 0)
        assert odds.rounds == (1,)


@pytest.mark.rule("BAT-12")
def test_two_who_cannot_hurt_each_other_run_out_of_time() -> None:
    odds = exact_odds(*duel([character()], [character()]))
    assert (odds.attacker_wins, odds.defender_wins, odds.out_of_time) == (0, 0, 1)
    assert odds.defender_holds == 1
    assert odds.mean_rounds == 30
    assert [*odds.attacker.up] == [0, 1]


@pytest.mark.rule("BAT-5")
@pytest.mark.reading("rules.battle.tie=defender")
def test_mirrored_sides_have_mirrored_odds_but_for_ties_and_time() -> None:
    ours, theirs = crew(5, 2, 3), crew(6, 3, 2)
    here, there = exact_odds(*duel(ours, theirs)), exact_odds(*duel(theirs, ours))
    assert here.attacker_wins == pytest.approx(there.defender_wins, abs=1e-12)
    firm = exact_odds(*duel(ours, theirs, {"tie": "defender"}))
    assert firm.attacker_wins < here.attacker_wins


@pytest.mark.rule("BAT-4", "BAT-6")
def test_ambush_strike_and_assault_help_those_who_have_them() -> None:
    ours, theirs = crew(7, 2, 4), crew(8, 2, 4)
    stances: list[dict[str, bool]] = [
        {}, {"scout": True}, {"scout": True, "ambush": True},
        {"strike": True}, {"strike": True, "assault": True},
    ]  # fmt: skip
    plain, scout, ambush, strike, assault = (
        float(exact_odds(*duel(ours, theirs, None, **stance)).attacker_wins) for stance in stances
    )
    assert plain < scout < ambush
    assert plain < strike < assault


# --- fights against the exact odds

DUELS: dict[str, Duelists] = {
    "one on one": duel(crew(1, 1), crew(2, 1)),
    "two on one": duel(crew(3, 2, 4), crew(4, 1, 9)),
    "three on three": duel(crew(5, 3), crew(6, 3)),
    "alike": duel(squad(4, 3, shooting=5, cover=4), squad(4, 3, weapon=5, cover=4)),
    "alike and not": duel(
        [*squad(3, 4, weapon=6), *crew(7, 1)], [*squad(2, 5, cover=7, shooting=6)]
    ),
    "vehicles": duel([*crew(8, 1), vehicle(12, weapon=7)], [*crew(9, 2), vehicle(8, cover=6)]),
    "equipment": duel([*crew(10, 2), equipment(weapon=9)], [*crew(11, 2), equipment(cover=9)]),
    "starship": duel([*crew(12, 2), starship(orders=12)], crew(13, 3)),
    "scouts": duel(crew(14, 2), crew(15, 2), scout=True),
    "ambush": duel(crew(16, 2), crew(17, 2), scout=True, ambush=True),
    "ambushed": duel(crew(18, 2), crew(19, 2), d_scout=True, d_ambush=True),
    "strike": duel(crew(20, 2), crew(21, 2), strike=True),
    "assault": duel(crew(22, 2), crew(23, 3), strike=True, assault=True),
    "assault of one round": duel(
        crew(22, 2), crew(23, 3), {"assault_in": "first_round"}, strike=True, assault=True
    ),
    "doubled power": duel(crew(24, 2), crew(25, 2), {"double": "power"}),
    "ties to the defender": duel(squad(2, 3, weapon=6), squad(2, 3, weapon=6), {"tie": "defender"}),
    "double roll": duel(
        crew(26, 2, 3), crew(27, 2, 3), {"attack_roll": "double_roll"}, strike=True
    ),
    "double roll alike": duel(
        squad(3, 2, weapon=8), squad(3, 2, shooting=8), {"attack_roll": "double_roll"}
    ),
    "behind cover": duel(squad(2, 3, weapon=4), squad(2, 3, weapon=4, cover=9)),
    "stalemate": duel(squad(2, 6, weapon=3), squad(2, 6, weapon=3, cover=3), {"most_rounds": 6}),
    "overkill": duel(squad(2, 1, shooting=12), squad(5, 1, shooting=8)),
    "many weak": duel(squad(8, 2, shooting=2, weapon=3), crew(28, 2, 8)),
    "other difficulties": duel(
        crew(29, 2), crew(30, 2), {"initiative_at": 5, "attack_at": 5, "protection_at": 2}
    ),
    "beyond six": duel(squad(2, 2, weapon=15), squad(2, 2, weapon=15), {"attack_at": 7}),
}
assert len(DUELS) >= 20


def agree(shares: Sequence[Any], chances: Sequence[Any], fights: int) -> bool:
    """Whether shares of fights are as near to the chances as 4 standard errors."""
    padded = [*shares, *[0.0] * (len(chances) - len(shares))]
    return len(padded) == len(chances) and all(
        near(round(float(share) * fights), min(1.0, float(chance)), fights)
        for share, chance in zip(padded, chances, strict=True)
    )


def near(count: int, chance: float, fights: int) -> bool:
    """Within 4 standard errors; of what is rare or all but sure, no less likely than these."""
    variance = fights * chance * (1 - chance)
    if variance > 25:
        return abs(count - fights * chance) <= 4 * sqrt(variance)
    rare, times = (chance, count) if chance < 0.5 else (1 - chance, fights - count)
    return tail(times, rare, fights) > FOUR_ERRORS


def tail(times: int, chance: float, fights: int) -> float:
    """Chance that something happens so many times or more, or so many or fewer: the smaller."""
    law = [
        comb(fights, k) * chance**k * (1 - chance) ** (fights - k) for k in range(times + 1)
    ]  # fmt: skip
    return min(sum(law), 1 - sum(law[:-1]))


def longer(first: Sequence[Any], second: Sequence[Any]) -> list[Any]:
    return [*first, *[0.0] * (len(second) - len(first))]


@pytest.mark.rule(
    "BAT-1", "BAT-2", "BAT-3", "BAT-4", "BAT-5", "BAT-6", "BAT-7", "BAT-8", "BAT-9", "BAT-10",
    "BAT-11", "BAT-12",
)  # fmt: skip
@pytest.mark.parametrize("name", DUELS)
def test_fights_end_as_often_as_the_exact_odds_say(name: str) -> None:
    exact = exact_odds(*DUELS[name])
    fought = simulated_odds(*DUELS[name], fights=FIGHTS, seed=len(name))
    ends = [exact.attacker_wins, exact.defender_wins, exact.out_of_time]
    assert sum(ends) == pytest.approx(1, abs=1e-9)
    assert agree([fought.attacker_wins, fought.defender_wins, fought.out_of_time], ends, FIGHTS)
    assert agree(fought.attacker.up, exact.attacker.up, FIGHTS)
    assert agree(fought.defender.up, exact.defender.up, FIGHTS)
    for side, chances in ((fought.attacker, exact.attacker), (fought.defender, exact.defender)):
        standing = [share for share in side.cards if share is not None]
        assert agree(standing, [chance for chance in chances.cards if chance is not None], FIGHTS)
    chances_in = longer(exact.rounds, fought.rounds)
    assert agree(fought.rounds, chances_in, FIGHTS)


# --- what it takes, and what is done beyond it


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (crew(31, 4, 2), crew(32, 4, 2)),
        (crew(31, 4), crew(32, 4)),
        (squad(4, shooting=5, cover=5), squad(4, weapon=6, speed=5)),
    ],
    ids=["distinct, 2 health", "distinct, 6 health", "alike"],
)
def test_four_characters_a_side_are_reckoned_exactly(ours: list[Card], theirs: list[Card]) -> None:
    sides = duel(ours, theirs)  # how long it takes: tools/bench.py duels
    assert cost_of(*sides).memory_bytes < 3e9
    odds = duel_odds(*sides)
    assert odds.method == "exact"
    assert sum(odds.rounds) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    ("ours", "theirs"), [(crew(1, 4), crew(2, 3, 2)), (squad(5), [*crew(3, 2), *squad(3, 4)])]
)
def test_the_cost_is_what_is_built(ours: list[Card], theirs: list[Card]) -> None:
    rules, attacker, defender = duel(ours, theirs)
    cost = cost_of(rules, attacker, defender)
    mine, its = (
        Damage(groups_of(side, side.whole), fixed_dice(side), Arithmetic())
        for side in (attacker, defender)
    )
    assert (cost.attacker_states, cost.defender_states) == (mine.size, its.size)
    pairs = [
        sum((block.stop - block.start) * len(damage.below(block)) for block in damage.blocks)
        for damage in (its, mine)
    ]
    assert cost.multiplications == 2 * 30 * (mine.size * pairs[0] + its.size * pairs[1])


def test_a_duel_beyond_the_budget_is_fought_and_says_what_exact_odds_would_take() -> None:
    sides = DUELS["alike"]
    fought = duel_odds(*sides, budget=Budget(memory_bytes=1000), fights=400)
    exact = duel_odds(*sides)
    assert (fought.method, fought.fights, fought.confidence) == ("simulated", 400, 0.95)
    assert (exact.method, exact.fights, exact.limits) == ("exact", None, None)
    assert fought.cost == exact.cost
    assert fought.cost.memory_bytes > 1000
    assert fought.limits is not None
    low, high = fought.limits["attacker_wins"]
    assert low < fought.attacker_wins < high


def test_twenty_different_characters_a_side_are_refused_at_once() -> None:
    sides = duel(crew(35, 20), crew(36, 20))
    assert duel_odds(*sides, fights=20).method == "simulated"


def test_laws_of_very_many_dice_count_as_memory() -> None:
    few, many = (cost_of(*duel(squad(2, weapon=each), squad(2))) for each in (6, 30_000))
    assert many.attacker_states == few.attacker_states
    assert many.memory_bytes > 8 * 40_000**2
    assert not Budget().allows(many)


def test_the_same_seed_gives_the_same_shares() -> None:
    sides = DUELS["one on one"]
    assert simulated_odds(*sides, fights=50, seed=4) == simulated_odds(*sides, fights=50, seed=4)
    assert simulated_odds(*sides, fights=50, seed=4) != simulated_odds(*sides, fights=50, seed=5)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"method": "guess"}, "no method"),
        ({"method": "simulated", "fights": 0}, "at least 1"),
        ({"method": "simulated", "fights": 1, "confidence": 95}, "between 0 and 1"),
    ],
)
def test_odds_that_cannot_be_asked_for_are_refused(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        duel_odds(*DUELS["one on one"], **arguments)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # Published examples: 15 of 148, 0 of 20, 81 of 263, 1 of 29; Newcombe's, to four digits.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611),
     (1, 29, 0.0061, 0.1718)],
)  # fmt: skip
def test_wilson_limits_are_those_of_the_textbook(
    successes: int, trials: int, low: float, high: float
) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)
    assert wilson(trials - successes, trials) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_the_limits_hold_the_true_chance_as_often_as_they_say() -> None:
    chance, tries = 0.3, 400
    random = Random(5)  # noqa: S311 - no secret
    held = 0
    for _ in range(tries):
        low, high = wilson(sum(random.random() < chance for _ in range(60)), 60, 0.9)
        held += low < chance < high
    assert abs(held / tries - 0.9) < 4 * sqrt(0.09 / tries) + 0.02


# --- sweeps


def test_a_sweep_shows_how_a_trait_moves_the_odds() -> None:
    sides = duel(squad(2, 3, weapon=6), [*squad(1, 5, weapon=6), equipment("tower", weapon=9)])
    rising = sweep(*sides, "shooting", range(0, 13, 3))
    assert [power for power, _ in rising] == [0, 3, 6, 9, 12]
    chances = [odds.attacker_wins for _, odds in rising]
    assert chances == sorted(chances)
    assert chances[0] == exact_odds(*sides).attacker_wins
    falling = sweep(*sides, "cover", [0, 9], side="defender")
    assert falling[0][1].attacker_wins > falling[1][1].attacker_wins
    tower = sweep(*sides, "weapon", [0, 9], side="defender", card="tower")
    assert tower[0][1].attacker_wins > tower[1][1].attacker_wins == chances[0]


def test_a_sweep_of_what_is_not_there_is_refused() -> None:
    sides = DUELS["one on one"]
    for wrong in ({"trait": "charm"}, {"card": "nobody"}, {"side": "bystander"}):
        arguments: dict[str, Any] = {"trait": "cover", "powers": [1], **wrong}
        with pytest.raises(ValueError, match=r"no trait|no card|no side"):
            sweep(*sides, **arguments)
    with pytest.raises(ValueError, match="Powers from 0"):
        sweep(*sides, "cover", [-1])


def test_a_sweep_leaves_the_side_it_was_given_alone() -> None:
    sides = duel(squad(1, 3, weapon=6), squad(1, 3))
    sweep(*sides, "weapon", [0])
    assert sides[1].cards[0].power == by_trait({"weapon": 6})
