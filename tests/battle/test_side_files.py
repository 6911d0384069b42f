"""Files of sides: what they make of cards, and every fault of them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import worldsim as ws
from worldsim.rules.cards import TRAITS, Terms
from worldsim.scenario import ScenarioError
from worldsim.scenario.battle_options import BattleOptions, battle_terms
from worldsim.scenario.shipped import SIDES, configs_dir, shipped_on
from worldsim.scenario.side import MOST_DICE, load_duel, load_side

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from worldsim.scenario.side import LoadedSide

    Write = Callable[[str], Path]

TABLES = (
    "first_initiative", "later_initiative", "attack_traits", "assault_traits", "protection_traits"
)  # fmt: skip


@pytest.fixture(name="write")
def _write(tmp_path: Path) -> Write:
    """A function that writes a side into a file."""

    def written(text: str) -> Path:
        path = tmp_path / "side.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def power(loaded: LoadedSide, card: int) -> dict[str, int]:
    points = zip(TRAITS, loaded.side.cards[card].power, strict=True)
    return {trait: point for trait, point in points if point}


def faults_of(path: Path, **rules: Any) -> list[str]:
    """Line, key and problem of each fault."""
    with pytest.raises(ScenarioError) as caught:
        load_side(path, BattleOptions(**rules))
    return [f"{fault.place.line} {fault.key} {fault.problem}" for fault in caught.value.faults]


@pytest.mark.rule("BAT-16")
def test_skills_make_power_by_the_divisor_and_power_is_taken_as_it_is(write: Write) -> None:
    path = write(
        '[[cards]]\nname = "a"\nskills = { stealth = 55, awareness = 45 }\n'
        '[[cards]]\nname = "b"\npower = { cover = 7 }\nskills = { orders = 9.9 }\n'
    )
    loaded = load_side(path)
    assert power(loaded, 0) == {"stealth": 11, "awareness": 9}
    assert power(loaded, 1) == {"cover": 7, "orders": 1}
    assert power(load_side(path, BattleOptions(divisor=9)), 0) == {"stealth": 6, "awareness": 5}


@pytest.mark.rule("BAT-1", "BAT-3")
def test_a_count_stands_for_cards_alike_and_each_kind_has_its_health(write: Write) -> None:
    path = write(
        '[[cards]]\nname = "a"\ncount = 2\nhealth_left = 3\n'
        "power = { stealth = 11, awareness = 9 }\n"
        '[[cards]]\nname = "v"\nkind = "vehicle"\n'
        '[[cards]]\nname = "w"\nkind = "vehicle"\nhealth = 5\n'
        '[[cards]]\nname = "e"\nkind = "equipment"\n[[cards]]\nname = "s"\nkind = "starship"\n'
    )
    loaded = load_side(path)
    assert loaded.side.whole == [6, 6, 12, 5, 0, 0]
    assert loaded.health == [3, 3, 12, 5, 0, 0]
    assert loaded.side.first_initiative[:2] == [9, 9]
    assert loaded.name == "side"


@pytest.mark.rule("BAT-1")
def test_health_follows_the_rules_given(write: Write) -> None:
    path = write('[[cards]]\nname = "a"\nhealth_left = 9\n')
    rules = BattleOptions(character_health=10)
    assert load_side(path, rules).side.whole == [10]
    assert load_side(path, rules).health == [9]
    assert faults_of(path) == ["3 cards[0].health_left does not fit"]


@pytest.mark.rule("BAT-4", "BAT-6")
def test_stances_reach_the_side(write: Write) -> None:
    card = '[[cards]]\nname = "a"\n'
    scouts = load_side(write(f"scout = true\nambush = true\n{card}")).side
    assert (scouts.scout, scouts.ambush, scouts.strike, scouts.assault) == (
        True,
        True,
        False,
        False,
    )
    strikers = load_side(write(f"strike = true\nassault = true\n{card}")).side
    assert (strikers.scout, strikers.strike, strikers.assault) == (False, True, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["1 cards is missing"]),
        ("cards = []", ["1 cards is too short"]),
        ('ambush = true\n[[cards]]\nname = "a"', ["1 ambush does not fit"]),
        ('assault = true\n[[cards]]\nname = "a"', ["1 assault does not fit"]),
        ('[[cards]]\nname = "a"\npower = { cover = -1 }', ["3 cards[0].power.cover is too small"]),
        ('[[cards]]\nname = "a"\npower = { cover = 1001 }',
         ["3 cards[0].power.cover is too large"]),
        ('[[cards]]\nname = "a"\nskills = { cover = -1 }',
         ["3 cards[0].skills.cover is too small"]),
        ('[[cards]]\nname = "a"\npower = { cover = 1 }\nskills = { cover = 1 }',
         ["4 cards[0].skills.cover does not fit"]),
        ('[[cards]]\nname = "a"\nkind = "equipment"\nhealth = 4',
         ["4 cards[0].health does not fit"]),
        ('[[cards]]\nname = "a"\nkind = "starship"\nhealth_left = 4',
         ["4 cards[0].health_left does not fit"]),
        ('[[cards]]\nname = "a"\nhealth = 4\nhealth_left = 5',
         ["4 cards[0].health_left does not fit"]),
        ('[[cards]]\nname = "a"\n[[cards]]\nname = "a"', ["4 cards[1].name does not fit"]),
        ('[[cards]]\nname = "a"\ncount = 60\n[[cards]]\nname = "b"\ncount = 60',
         ["1 cards does not fit"]),
        ('[[cards]]\nname = "a"\ncount = 9\npower = { weapon = 1000 }', ["1 cards does not fit"]),
        ('[[cards]]\nkind = "drone"', ["1 cards[0].name is missing",
                                        "2 cards[0].kind is none of the choices"]),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_line(text: str, expected: list[str], write: Write) -> None:
    assert faults_of(write(text)) == expected


def test_an_unknown_trait_is_told_with_a_near_one(write: Write) -> None:
    with pytest.raises(ScenarioError) as caught:
        load_side(write('[[cards]]\nname = "a"\npower = { shoting = 3 }'))
    [fault] = caught.value.faults
    assert (fault.place.line, fault.place.column, fault.near) == (3, 11, "shooting")
    assert "stealth, awareness" in (fault.cure or "")


def test_faults_of_both_sides_and_of_the_rules_are_told_together(write: Write) -> None:
    path = write("ambush = true\n[[cards]]\nname = 'a'\nhealth_left = 7\n")
    with pytest.raises(ScenarioError) as caught:
        load_duel(path, "garison", sets=["rules.battle.tie=defendr"])
    said = [(fault.key, fault.near) for fault in caught.value.faults]
    assert said == [
        ("rules.battle.tie", "defender"), ("ambush", None), ("cards[0].health_left", None),
        ("", "garrison"),
    ]  # fmt: skip


def test_the_most_dice_allowed_can_be_had_with_one_card_of_the_highest_power(write: Write) -> None:
    loaded = load_side(write('[[cards]]\nname = "a"\npower = { shooting = 1000 }'))
    assert 0 < sum(loaded.side.attack) <= MOST_DICE


def test_a_duel_takes_its_rules_from_a_scenario_and_from_overrides() -> None:
    from_scenario = load_duel("raiders", "garrison", scenario="contested_frontier")
    assert from_scenario.terms.tie == "coin"
    overridden = load_duel(
        "raiders", "garrison", scenario="contested_frontier", sets=["rules.battle.tie=defender"]
    )
    assert overridden.terms.tie == "defender"
    assert load_duel("raiders", "garrison", sets=["rules.battle.strike=4"]).terms.strike == 4


@pytest.mark.parametrize("name", shipped_on(SIDES))
def test_a_shipped_side_loads_by_name_from_any_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    loaded = load_side(name)
    assert loaded.name == name
    assert any(loaded.health)
    assert load_side(configs_dir() / SIDES / f"{name}.toml").health == loaded.health


def test_the_promised_sides_are_shipped_and_each_pair_of_them_is_a_fight() -> None:
    assert {"ambushers", "garrison", "raiders"} <= set(shipped_on(SIDES))
    odds = ws.duel_odds(*ws.load_duel("ambushers", "garrison").arguments)
    assert odds.method == "exact"
    assert 0.05 < odds.attacker_wins < 0.95


@pytest.mark.rule("BAT-3", "BAT-6", "BAT-7")
def test_default_options_are_the_default_terms() -> None:
    made, default = battle_terms(BattleOptions()), Terms()
    for name in Terms.__slots__:
        assert getattr(made, name) == getattr(default, name), name


@pytest.mark.rule("BAT-3", "BAT-6", "BAT-7")
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("trait", TRAITS)
def test_each_number_of_the_instance_tables_changes_the_dice_of_that_value_alone(
    table: str, trait: str, write: Write
) -> None:
    powers = ", ".join(f"{each} = 9" for each in TRAITS)
    path = write(f'strike = true\nassault = true\n[[cards]]\nname = "a"\npower = {{ {powers} }}\n')
    dice_of = {
        "first_initiative": "first_initiative", "later_initiative": "later_initiative",
        "attack_traits": "attack", "assault_traits": "assault_dice",
        "protection_traits": "protection",
    }  # fmt: skip
    rules = BattleOptions.model_validate({table: {trait: 7}})
    assert getattr(BattleOptions(), table).items() - getattr(rules, table).items() <= {
        (trait, getattr(BattleOptions(), table).get(trait))
    }
    before, after = load_side(path).side, load_side(path, rules).side
    for option, dice in dice_of.items():
        instances = getattr(BattleOptions(), option).get(trait, 0)
        gained = 3 * (7 - instances) if option == table else 0
        assert getattr(after, dice)[0] - getattr(before, dice)[0] == gained, option
