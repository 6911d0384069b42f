"""The rules of a duel: cards, rounds, volleys and their order."""

from __future__ import annotations

from itertools import repeat

import pytest
from duels import character, equipment, person, starship, terms, vehicle
from hypothesis import given
from hypothesis import strategies as st

from worldsim.chance import Chance
from worldsim.rules.battle import (
    Volley,
    attack_dice,
    attack_value,
    fight,
    fires_first,
    initiative,
    initiative_bonus,
    play_round,
    protection,
    strike,
    verdict,
)
from worldsim.rules.cards import (
    KINDS,
    TRAITS,
    Card,
    Side,
    by_trait,
    card_dice,
    counted,
    initiative_dice,
    power_of_skill,
    rested,
    trait_dice,
    whole_health,
)
from worldsim.rules.dice import Dice, RecordedDice

LOW, HIGH = 0.0, 0.9999999
"""Draws at which no die succeeds, and every die."""

DEFAULT = terms()


def draws(*values: float) -> Dice:
    """Dice that have these draws and not one more."""
    return Dice(iter(values))


def lucky() -> Dice:
    return Dice(repeat(HIGH))


# --- cards and their dice


@pytest.mark.rule("BAT-1")
def test_only_characters_and_vehicles_have_combat_health() -> None:
    assert [whole_health(kind, DEFAULT) for kind in KINDS] == [6, 12, None, None]
    other = terms(character_health=2, vehicle_health=3)
    assert [whole_health(kind, other) for kind in KINDS] == [2, 3, None, None]
    side = Side([character(6), vehicle(12), equipment(), starship()], DEFAULT)
    assert side.whole == [6, 12, 0, 0]


@pytest.mark.rule("BAT-1")
def test_cards_down_bring_no_dice_while_equipment_and_starships_always_do() -> None:
    dice, whole = [1, 20, 300, 4000], [6, 12, 0, 0]
    assert counted(dice, whole, [6, 12, 0, 0]) == 4321
    assert counted(dice, whole, [0, 1, 0, 0]) == 4320
    assert counted(dice, whole, [0, 0, 0, 0]) == 4300


@pytest.mark.rule("BAT-1")
def test_combat_health_is_full_again_next_day_but_for_the_fallen() -> None:
    assert rested([6, 12, 6, 0], [1, 12, 0, 0]) == [6, 12, 0, 0]


@pytest.mark.rule("BAT-1")
@pytest.mark.parametrize(
    ("kind", "power", "health", "says"),
    [
        ("dragon", {}, None, "no kind of card"),
        ("character", {}, None, "from 1"),
        ("vehicle", {}, 0, "from 1"),
        ("equipment", {}, 3, "cannot be hit"),
        ("starship", {}, 0, "cannot be hit"),
        ("character", {"cover": -1}, 6, "Powers from 0"),
        ("character", {"charm": 1}, 6, "charm: no trait of a card"),
    ],
)
def test_a_card_that_cannot_be_is_refused(
    kind: str, power: dict[str, int], health: int | None, says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        Card(kind, by_trait(power), health)


@pytest.mark.rule("BAT-2")
def test_eleven_stealth_and_nine_awareness_are_three_dice_each_an_instance() -> None:
    assert trait_dice(11, 1) == 3
    assert trait_dice(9, 1) == 3
    assert initiative_dice(character(stealth=11, awareness=9), DEFAULT)[0] == 3 + 3 + 3


@pytest.mark.rule("BAT-2")
@pytest.mark.reading("rules.battle.double=power")
@pytest.mark.parametrize(("power", "instances", "doubled"), [(11, 6, 7), (9, 6, 6), (2, 0, 1)])
def test_twice_may_mean_two_instances_or_twice_the_power(
    power: int, instances: int, doubled: int
) -> None:
    assert trait_dice(power, 2) == instances
    assert trait_dice(power, 2, "power") == doubled
    side = Side([character(cover=power)], terms(double="power"))
    assert side.protection == [doubled]


@pytest.mark.rule("BAT-2")
def test_power_left_over_is_lost_for_each_card_and_each_trait() -> None:
    pair = Side([character(orders=2, cover=5), character(orders=4, cover=2)], DEFAULT)
    assert pair.protection == [2, 2]
    assert pair.attack == [0, 1]


@pytest.mark.rule("BAT-2")
@pytest.mark.reading("rules.battle.power_per_die=2")
def test_what_a_die_costs_is_an_option() -> None:
    assert [trait_dice(power, 1, "instances", 2) for power in range(6)] == [0, 0, 1, 1, 2, 2]


@pytest.mark.rule("BAT-16")
def test_a_fifth_of_a_skill_is_power_and_gives_the_example() -> None:
    assert (power_of_skill(55), power_of_skill(45)) == (11, 9)
    assert [power_of_skill(skill) for skill in (0, 4.9, 5, 59.99, -3)] == [0, 0, 1, 11, 0]
    assert power_of_skill(55, 10) == 5


# --- Initiative


@pytest.mark.rule("BAT-3")
@pytest.mark.parametrize(
    ("trait", "dice"),
    [("stealth", (2, 0)), ("awareness", (1, 0)), ("speed", (0, 2)), ("orders", (0, 2)),
     ("leadership", (0, 0)), ("shooting", (0, 0)), ("weapon", (0, 0)), ("cover", (0, 0))],
)  # fmt: skip
def test_initiative_is_stealth_and_awareness_first_and_speed_and_orders_later(
    trait: str, dice: tuple[int, int]
) -> None:
    card = person({trait: 3})
    assert initiative_dice(card, DEFAULT) == dice
    side = Side([card], DEFAULT)
    assert initiative(lucky(), DEFAULT, side, [6], 1) == dice[0]
    assert [initiative(lucky(), DEFAULT, side, [6], n) for n in (2, 3, 30)] == [dice[1]] * 3


@pytest.mark.rule("BAT-3")
def test_a_die_of_initiative_succeeds_at_three() -> None:
    side = Side([character(awareness=3)], DEFAULT)
    third = 1 / 3
    assert initiative(draws(third - 1e-9), DEFAULT, side, [6], 1) == 0
    assert initiative(draws(third + 1e-9), DEFAULT, side, [6], 1) == 1


@pytest.mark.rule("BAT-3")
def test_cards_that_are_down_lend_no_initiative() -> None:
    side = Side([character(awareness=3), character(awareness=6)], DEFAULT)
    assert initiative(lucky(), DEFAULT, side, [6, 0], 1) == 1
    assert initiative(draws(), DEFAULT, side, [0, 0], 1) == 0, "no dice, no draw"


@pytest.mark.rule("BAT-4")
def test_scouts_are_two_ahead_always_and_thirty_more_in_the_first_round_of_an_ambush() -> None:
    scouts = Side([character()], DEFAULT, scout=True)
    hidden = Side([character()], DEFAULT, scout=True, ambush=True)
    others = Side([character()], DEFAULT, strike=True)
    assert [initiative_bonus(DEFAULT, scouts, n) for n in (1, 2, 30)] == [2, 2, 2]
    assert [initiative_bonus(DEFAULT, hidden, n) for n in (1, 2, 30)] == [32, 2, 2]
    assert [initiative_bonus(DEFAULT, others, n) for n in (1, 2, 30)] == [0, 0, 0]
    assert initiative(draws(), DEFAULT, hidden, [6], 1) == 32, "added to the value, not rolled"


@pytest.mark.rule("BAT-4", "BAT-6")
def test_only_scouts_lie_in_ambush_and_only_strike_teams_lead_an_assault() -> None:
    with pytest.raises(ValueError, match="only scouts"):
        Side([character()], DEFAULT, ambush=True)
    with pytest.raises(ValueError, match="only a strike team"):
        Side([character()], DEFAULT, scout=True, assault=True)


@pytest.mark.rule("BAT-5")
def test_a_coin_decides_at_equal_initiative_only() -> None:
    assert fires_first(draws(), 3, 2)
    assert not fires_first(draws(), 2, 3)
    assert fires_first(draws(0.49), 2, 2)
    assert not fires_first(draws(0.51), 2, 2)


@pytest.mark.rule("BAT-5")
@pytest.mark.reading("rules.battle.tie=defender")
def test_at_equal_initiative_the_defender_may_always_be_first() -> None:
    assert not fires_first(draws(), 2, 2, "defender")
    assert fires_first(draws(), 3, 2, "defender")
    even = Side([character()], DEFAULT)
    played = play_round(draws(), terms(tie="defender"), even, even, [6], [6], 1)
    assert not played.attacker_first


# --- Attack and Protection


@pytest.mark.rule("BAT-6", "BAT-7")
@pytest.mark.parametrize(
    ("trait", "attack", "assault", "shield"),
    [("stealth", 0, 0, 0), ("awareness", 0, 0, 0), ("speed", 0, 0, 0), ("orders", 1, 1, 2),
     ("leadership", 1, 0, 0), ("shooting", 2, 1, 0), ("weapon", 2, 0, 0), ("cover", 0, 0, 2)],
)  # fmt: skip
def test_which_traits_attack_assault_and_protect(
    trait: str, attack: int, assault: int, shield: int
) -> None:
    side = Side([person({trait: 3})], DEFAULT)
    assert (side.attack, side.assault_dice, side.protection) == ([attack], [assault], [shield])


@pytest.mark.rule("BAT-6")
def test_a_strike_team_has_one_attack_die_more() -> None:
    assert attack_value(draws(), DEFAULT, Side([character()], DEFAULT), [6], 1) == 0
    assert attack_value(draws(), DEFAULT, Side([character()], DEFAULT, strike=True), [6], 1) == 1


@pytest.mark.rule("BAT-6")
@pytest.mark.reading("rules.battle.assault=first_round")
def test_an_assault_lasts_for_every_round_or_for_the_first() -> None:
    card = character(orders=3, shooting=3, weapon=3)
    for reading, dice in (("every_round", [7, 7, 7]), ("first_round", [7, 5, 5])):
        rules = terms(assault_in=reading)
        side = Side([card], rules, strike=True, assault=True)
        assert [attack_dice(rules, side, [6], number) for number in (1, 2, 3)] == dice
        calm = Side([card], rules, strike=True)
        assert [attack_dice(rules, calm, [6], number) for number in (1, 2, 3)] == [5, 5, 5]


@pytest.mark.rule("BAT-6")
@pytest.mark.reading("rules.battle.double=power")
def test_the_instance_an_assault_adds_is_divided_by_itself() -> None:
    rules = terms(double="power")
    side = Side([character(shooting=5)], rules, strike=True, assault=True)
    assert attack_dice(rules, side, [6], 1) == 10 // 3 + 5 // 3


@pytest.mark.rule("BAT-7")
def test_a_die_of_protection_succeeds_at_four_and_cards_down_give_none() -> None:
    side = Side([character(orders=3), character(cover=30)], DEFAULT)
    assert protection(draws(HIGH), DEFAULT, side, [6, 0]) == 2
    assert protection(draws(0.2499), DEFAULT, side, [6, 0]) == 0
    assert protection(draws(0.2501), DEFAULT, side, [6, 0]) == 1
    assert protection(draws(), DEFAULT, side, [0, 0]) == 0


def a_round(dice: Dice, ours: Side, theirs: Side, **changed: object) -> list[Volley]:
    """A first round in which the attacker fires first, thanks to an ambush."""
    return play_round(dice, terms(**changed), ours, theirs, ours.whole, theirs.whole, 1).volleys


@pytest.mark.rule("BAT-7", "BAT-8")
def test_attack_less_protection_is_rolled_and_each_four_is_a_hit() -> None:
    ours = Side([character(weapon=9)], DEFAULT, scout=True, ambush=True)
    theirs = Side([vehicle(12, cover=3)], DEFAULT)
    # Protection 2 of 6 attack dice; then 4 dice, of which 2 hit, at one card; no fire comes back.
    first, back = a_round(draws(HIGH, 0.5, 0.0, 0.0), ours, theirs)
    assert (first.by, first.attack, first.protection, first.rolled) == ("attacker", 6, 2, 4)
    assert (first.hits, first.struck, first.downed) == (2, [0, 0], [])
    assert (back.by, back.attack, back.rolled, back.hits) == ("defender", 0, 0, 0)


@pytest.mark.rule("BAT-8")
def test_protection_beyond_the_attack_leaves_nothing_to_roll() -> None:
    ours = Side([character(orders=3)], DEFAULT, scout=True, ambush=True)
    theirs = Side([character(cover=9)], DEFAULT)
    first, _ = a_round(draws(HIGH, LOW), ours, theirs)
    assert (first.attack, first.protection, first.rolled, first.hits) == (1, 6, 0, 0)


@pytest.mark.rule("BAT-6", "BAT-8")
@pytest.mark.reading("rules.battle.attack=double_roll")
def test_attack_may_be_rolled_first_and_what_a_strike_adds_is_a_point_then() -> None:
    ours = Side([character(weapon=9)], DEFAULT, strike=True)
    theirs = Side([vehicle(12, cover=3)], DEFAULT)
    # 3 of 6 succeed, and a point; 1 point of Protection; of 3 dice all hit.
    rolls = (0.5, 0.5, HIGH, 0.0, 0.0, 0.0)
    first, _ = a_round(draws(0.0, *rolls), ours, theirs, attack_roll="double_roll")
    assert (first.attack, first.protection, first.rolled, first.hits) == (4, 1, 3, 3)
    assert attack_value(draws(LOW), terms(attack_roll="double_roll"), ours, [6], 1) == 1


# --- hits, overkill and the order of fire


def struck(hits: int, health: list[int], *picks: float) -> tuple[Volley, list[int]]:
    volley = Volley("attacker", 0, 0, 0, hits)
    strike(draws(*picks), volley, health)
    return volley, health


@pytest.mark.rule("BAT-9")
def test_a_hit_takes_one_health_from_one_of_the_cards_up() -> None:
    volley, health = struck(3, [6, 0, 2, 5], 0.0, 0.4, 0.9)
    assert volley.struck == [0, 2, 3]
    assert health == [5, 0, 1, 4]


@pytest.mark.rule("BAT-9")
def test_a_card_brought_down_draws_hits_until_the_volley_is_over() -> None:
    volley, health = struck(4, [2, 6], 0.0, 0.0, 0.0, 0.9)
    assert volley.struck == [0, 0, 0, 1]
    assert volley.downed == [0]
    assert volley.overkill == 1
    assert health == [0, 5]


@pytest.mark.rule("BAT-9")
@given(st.lists(st.integers(0, 4), min_size=1, max_size=6).filter(any), st.integers(0, 30))
def test_hits_are_damage_or_overkill(health: list[int], hits: int) -> None:
    before = health.copy()
    volley = Volley("defender", 0, 0, 0, hits)
    strike(Dice(Chance(hits).at("battle", str(before), 1)), volley, health)
    assert len(volley.struck) == hits == sum(before) - sum(health) + volley.overkill
    assert all(before[card] > 0 for card in volley.struck)
    assert volley.downed == sorted(
        (card for card, left in enumerate(health) if before[card] and not left),
        key=volley.downed.index,
    )


@pytest.mark.rule("BAT-1", "BAT-9")
def test_equipment_and_starships_are_never_hit_and_fight_on() -> None:
    ours = Side([equipment(weapon=30), character(6), starship(weapon=30)], DEFAULT)
    theirs = Side([equipment(weapon=30), vehicle(12), starship(weapon=30)], DEFAULT)
    for entity in range(20):
        duel = fight(Dice(Chance(1).at("battle", str(entity), 1)), DEFAULT, ours, theirs)
        hits = {card for played in duel.rounds for v in played.volleys for card in v.struck}
        assert hits == {1}
        assert {v.attack for played in duel.rounds for v in played.volleys} == {40}


@pytest.mark.rule("BAT-10")
def test_who_fires_last_suffers_first_and_fires_back_with_whom_it_has_left() -> None:
    ours = Side([character(weapon=3)], DEFAULT, scout=True, ambush=True)
    theirs = Side([character(2, weapon=30, cover=30), character(6, weapon=3)], DEFAULT)
    # No Protection, two hits on the first of theirs; one of two dice hits back.
    played = play_round(
        draws(LOW, HIGH, 0.0, 0.0, 0.5, 0.0), DEFAULT, ours, theirs, ours.whole, theirs.whole, 1
    )
    first, back = played.volleys
    assert (first.by, first.downed) == ("attacker", [0])
    assert (back.by, back.attack, back.hits) == ("defender", 2, 1)
    assert (played.attacker_health, played.defender_health) == ([5], [0, 6])
    assert (ours.whole, theirs.whole) == ([6], [2, 6]), "what was handed in stays"


@pytest.mark.rule("BAT-10")
def test_the_defender_fires_first_with_the_better_initiative() -> None:
    ours = Side([character(1, weapon=30)], DEFAULT)
    theirs = Side([character(6, weapon=3)], DEFAULT, scout=True)
    played = play_round(draws(HIGH, 0.0, 0.0), DEFAULT, ours, theirs, [1], [6], 1)
    assert (played.attacker_initiative, played.defender_initiative) == (0, 2)
    assert [volley.by for volley in played.volleys] == ["defender"], "the beaten do not fire back"
    assert (played.attacker_health, played.defender_health) == ([0], [6])


@pytest.mark.rule("BAT-10")
def test_casualties_do_not_lend_dice_to_the_next_initiative() -> None:
    ours = Side([character(6, speed=3), character(6, speed=3)], DEFAULT)
    idle = Side([character(6)], DEFAULT)
    played = play_round(lucky(), DEFAULT, ours, idle, [6, 0], [6], 2)
    assert played.attacker_initiative == 2


# --- the end


@pytest.mark.rule("BAT-11")
def test_a_side_without_a_character_or_vehicle_up_has_lost() -> None:
    for ours, theirs, rounds, end in (
        ([1], [0, 0], 3, ("attacker", "defeated")),
        ([0, 0], [1], 3, ("defender", "defeated")),
        ([1], [0], 0, ("attacker", "absent")),
        ([0], [1], 0, ("defender", "absent")),
        ([], [], 0, ("defender", "absent")),
    ):
        found = verdict(DEFAULT, ours, theirs, rounds)
        assert found is not None
        assert (found.winner, found.reason) == end
    assert verdict(DEFAULT, [1], [1], 29) is None


@pytest.mark.rule("BAT-11")
def test_things_alone_hold_nothing_and_cannot_take_anything_either() -> None:
    things = Side([equipment(weapon=90), starship(weapon=90)], DEFAULT)
    people = Side([character(1)], DEFAULT)
    ends = [(things, things), (things, people), (people, things)]
    duels = [fight(draws(), DEFAULT, ours, theirs) for ours, theirs in ends]
    assert [duel.winner for duel in duels] == ["defender", "defender", "attacker"]
    assert all(duel.reason == "absent" and not duel.rounds for duel in duels)


@pytest.mark.rule("BAT-12")
@pytest.mark.reading("rules.battle.most_rounds=3")
@pytest.mark.parametrize("most", [30, 3])
def test_an_attacker_who_has_not_won_after_the_last_round_has_lost(most: int) -> None:
    peaceful = Side([character(6)], DEFAULT)
    rules = terms(most_rounds=most)
    duel = fight(lucky(), rules, peaceful, peaceful)
    assert (duel.winner, duel.reason, len(duel.rounds)) == ("defender", "out_of_time", most)
    assert [played.number for played in duel.rounds] == list(range(1, most + 1))
    assert DEFAULT.most_rounds == 30


@pytest.mark.rule("BAT-12")
def test_an_attacker_may_still_win_in_the_last_round() -> None:
    ours = Side([character(6, weapon=3)], DEFAULT)
    theirs = Side([character(2)], DEFAULT)
    duel = fight(lucky(), terms(most_rounds=1), ours, theirs)
    assert (duel.winner, duel.reason, len(duel.rounds)) == ("attacker", "defeated", 1)


@pytest.mark.rule("BAT-13")
def test_damage_stays_from_duel_to_duel() -> None:
    ours = Side([character(6, weapon=3)], DEFAULT)
    theirs = Side([character(6)], DEFAULT)
    fresh = fight(lucky(), DEFAULT, ours, theirs)
    hurt = fight(lucky(), DEFAULT, ours, theirs, None, [3])
    assert (len(fresh.rounds), len(hurt.rounds)) == (3, 2)
    assert fight(draws(), DEFAULT, ours, theirs, [6], [0]).reason == "absent"


@pytest.mark.rule("BAT-3", "BAT-5", "BAT-7", "BAT-8", "BAT-9")
def test_every_roll_of_a_duel_is_recorded_and_looking_changes_nothing() -> None:
    side = Side([character(2, awareness=3, weapon=6, cover=3), character(2, orders=6)], DEFAULT)
    plain = fight(Dice(Chance(3).at("battle", "x", 1)), DEFAULT, side, side)
    dice = RecordedDice(Chance(3).at("battle", "x", 1))
    looked = fight(dice, DEFAULT, side, side)
    assert looked.attacker_health == plain.attacker_health
    assert [played.defender_health for played in looked.rounds] == [
        played.defender_health for played in plain.rounds
    ]
    assert {roll.rule for roll in dice.rolls} >= {"BAT-3", "BAT-7", "BAT-8", "BAT-9"}


@pytest.mark.rule("BAT-2")
@given(st.lists(st.integers(0, 60), min_size=8, max_size=8))
def test_doubled_power_never_gives_fewer_dice_than_two_instances(power: list[int]) -> None:
    doubled = terms(double="power")
    for use in ("first_initiative", "later_initiative", "attack", "protection"):
        instances = getattr(DEFAULT, use)
        twice = sum(1 for count in instances if count == 2)
        plain = card_dice(power, instances, DEFAULT)
        assert plain <= card_dice(power, instances, doubled) <= plain + twice
    assert len(TRAITS) == 8
