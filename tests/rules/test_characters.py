"""Skills, classes and Health as pure rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.rules.characters import (
    CLASSES,
    alive,
    conscious,
    counts_as_member,
    healed,
    quality_of,
    skill,
)
from worldsim.scenario.options import CharacterOptions

BASE = {"base": 16.0, "per_level": 3.5, "per_affinity": 1.5}


@pytest.mark.rule("CHAR-1")
def test_a_skill_adds_level_affinity_training_investment_and_luck() -> None:
    assert skill(0, 0, 0, 0, 0, **BASE) == 16
    assert skill(4, 0, 0, 0, 0, **BASE) == 16 + 4 * 3.5
    assert skill(0, 3, 0, 0, 0, **BASE) == 16 + 3 * 1.5
    assert skill(0, -4, 0, 0, 0, **BASE) == 16 - 4 * 1.5
    assert skill(0, 0, 20, 0, 0, **BASE) == 36
    assert skill(0, 0, 0, 7, 0, **BASE) == 23
    assert skill(0, 0, 0, 0, -2.5, **BASE) == 13.5


@pytest.mark.rule("CHAR-1")
@given(
    quality=st.integers(1, 13), affinity=st.integers(-4, 4),
    training=st.sampled_from([0.0, 14.0, 20.0]), luck=st.floats(-3, 3),
)  # fmt: skip
def test_the_parts_of_a_skill_add_up(
    quality: int, affinity: int, training: float, luck: float
) -> None:
    whole = skill(quality, affinity, training, 0, luck, **BASE)
    parts = 16 + 3.5 * quality + 1.5 * affinity + training + luck
    assert whole == pytest.approx(parts)


@pytest.mark.rule("CHAR-2")
def test_no_skill_is_below_zero() -> None:
    assert skill(1, -4, 0, 0, -3, base=-50, per_level=1, per_affinity=1) == 0


@pytest.mark.rule("CHAR-1")
def test_each_skill_leans_on_its_affinity() -> None:
    leans_on = CharacterOptions().skills
    by_affinity = {
        "physical": {"speed", "manual", "stealth", "shooting", "weapon", "cover", "toughness"},
        "mental": {"awareness", "planetary"},
        "social": {"orders", "leadership"},
        "academic": {"engineering", "science", "medicine"},
    }
    for affinity, skills in by_affinity.items():
        assert {name for name, on in leans_on.items() if on == affinity} == skills
    assert CharacterOptions().affinity == 4


@pytest.mark.rule("CHAR-2")
@pytest.mark.parametrize(
    ("rarity", "levels"),
    [("common", (1, 4)), ("rare", (4, 7)), ("epic", (7, 10)), ("legendary", (10, 13))],
)
def test_each_level_of_a_rarity_is_as_likely_and_no_other_comes(
    rarity: str, levels: tuple[int, int]
) -> None:
    given = CharacterOptions().levels
    assert {str(name): pair for name, pair in given.items()}[rarity] == levels
    drawn = [quality_of(levels, iter([(i + 0.5) / 400])) for i in range(400)]
    assert [drawn.count(level) for level in range(levels[0], levels[1] + 1)] == [100] * 4
    assert quality_of(levels, iter([0.0])) == levels[0]
    assert quality_of(levels, iter([1 - 2**-53])) == levels[1]


@pytest.mark.rule("CHAR-3")
def test_everybody_but_a_leader_counts_as_a_member() -> None:
    assert set(CLASSES) == {
        "leader", "gatherer", "guard", "scientist", "engineer", "scout", "member",
    }  # fmt: skip
    assert [role for role in CLASSES if not counts_as_member(role)] == ["leader"]


@pytest.mark.rule("CHAR-5")
@pytest.mark.parametrize(
    ("health", "awake", "lives"),
    [(80, True, True), (1, True, True), (0, False, True), (-1, False, True),
     (-79, False, True), (-80, False, False), (-95, False, False)],
)  # fmt: skip
def test_health_of_nothing_is_coma_and_of_minus_its_maximum_death(
    health: int, awake: bool, lives: bool  # noqa: FBT001
) -> None:  # fmt: skip
    assert (conscious(health), alive(health, 80)) == (awake, lives)


@pytest.mark.rule("CHAR-5")
def test_a_day_at_home_heals_up_to_the_maximum_also_out_of_a_coma() -> None:
    assert [healed(health, 10, 80) for health in (80, 75, 70, 0, -15)] == [80, 80, 80, 10, -5]


@pytest.mark.rule("CHAR-5")
def test_eight_wounds_bring_a_hale_person_into_a_coma_and_sixteen_kill() -> None:
    options = CharacterOptions()
    assert (options.health, options.wound, options.health_rest) == (80, 10, 10)
    assert conscious(options.health - 7 * options.wound)
    assert not conscious(options.health - 8 * options.wound)
    assert alive(options.health - 15 * options.wound, options.health)
    assert not alive(options.health - 16 * options.wound, options.health)
