"""Generated people: their skills by rarity, and what a scenario gives outright."""

from __future__ import annotations

from collections import Counter
from itertools import count
from math import sqrt
from typing import TYPE_CHECKING, Any

import pytest

from worldsim.chance import Chance
from worldsim.rules.characters import skill
from worldsim.scenario.model import Crew, Member
from worldsim.scenario.options import CharacterOptions
from worldsim.world.people import AFFINITIES, Character, crew_members, generated, people_of

if TYPE_CHECKING:
    from collections.abc import Iterator

OPTIONS = CharacterOptions()
BANDS = {"common": (30, 55), "rare": (30, 90), "epic": (40, 120), "legendary": (60, 120)}
DRAWS = 1 + len(AFFINITIES) + 3 * len(OPTIONS.skills)  # quality, affinities, training twice, rolls


def member(**given: Any) -> Member:
    return Member.model_validate({"name": "ada"} | given)


def noted(stream: Iterator[float], into: list[float]) -> Iterator[float]:
    for draw in stream:
        into.append(draw)
        yield draw


def skills_by_training(rarity: str, people: int) -> tuple[list[float], list[float]]:
    """Trained and untrained skills of so many people, who differ in nothing but their draws."""
    trained: list[float] = []
    untrained: list[float] = []
    chance = Chance(31)
    names = list(OPTIONS.skills)
    for number in range(people):
        drawn: list[float] = []
        who = generated(
            member(rarity=rarity), OPTIONS, noted(chance.at("person", str(number), 0), drawn)
        )
        ranks = drawn[1 + len(AFFINITIES) : 1 + len(AFFINITIES) + len(names)]
        chosen = sorted(range(len(names)), key=ranks.__getitem__)[: OPTIONS.trained_skills]
        for position, name in enumerate(names):
            (trained if position in chosen else untrained).append(who.skills[name])
    return trained, untrained


@pytest.mark.rule("CHAR-2", "CHAR-1")
@pytest.mark.parametrize("rarity", BANDS)
def test_nine_of_ten_trained_skills_of_each_rarity_lie_in_its_band(rarity: str) -> None:
    trained, untrained = skills_by_training(rarity, 10_000 // OPTIONS.trained_skills)
    low, high = BANDS[rarity]
    assert len(trained) == 10_000
    assert sum(low <= each <= high for each in trained) >= 9_000
    assert min(trained + untrained) >= 0
    assert sum(20 <= each <= 60 for each in untrained) > len(untrained) / 2


@pytest.mark.rule("CHAR-1")
def test_affinities_are_uniform_from_minus_four_to_four() -> None:
    chance = Chance(4)
    seen = Counter(
        generated(member(), OPTIONS, chance.at("person", str(n), 0)).physical for n in range(3600)
    )
    assert set(seen) == set(range(-4, 5))
    assert all(abs(times - 400) < 4 * sqrt(3600 * 1 / 9 * 8 / 9) for times in seen.values())


@pytest.mark.rule("CHAR-2")
def test_quality_is_drawn_from_the_levels_of_the_rarity() -> None:
    flat = OPTIONS.model_copy(update={"per_affinity": 0.0, "roll": 0.0, "trained_skills": 0})
    for rarity, (low, high) in OPTIONS.levels.items():
        found = {
            generated(member(rarity=rarity), flat, Chance(1).at("person", str(n), 0)).skills[
                "speed"
            ]
            for n in range(200)
        }
        assert found == {flat.base + flat.per_level * level for level in range(low, high + 1)}


@pytest.mark.rule("CHAR-1", "CHAR-2")
def test_a_person_whose_parts_are_all_given_has_the_skills_of_the_formula() -> None:
    given = member(
        quality=9,
        affinities={"physical": 4, "mental": -4, "social": 0, "academic": 2},
        training={"speed": "major", "awareness": "minor", "science": "none"},
        investment={"speed": 5.0},
    )
    who = generated(given, OPTIONS, iter([0.5] * DRAWS))  # a roll in the middle brings nothing
    plain = OPTIONS.base + 9 * OPTIONS.per_level
    major, minor = OPTIONS.major_training, OPTIONS.minor_training
    assert who.skills["speed"] == pytest.approx(plain + 4 * OPTIONS.per_affinity + major + 5)
    assert who.skills["stealth"] == pytest.approx(plain + 4 * OPTIONS.per_affinity)
    assert who.skills["awareness"] == pytest.approx(plain - 4 * OPTIONS.per_affinity + minor)
    assert who.skills["orders"] == pytest.approx(plain)
    assert who.skills["science"] == pytest.approx(plain + 2 * OPTIONS.per_affinity)
    assert who.physical == 4


@pytest.mark.rule("CHAR-1")
def test_the_roll_runs_from_minus_to_plus_its_number() -> None:
    given = member(quality=5, affinities=dict.fromkeys(AFFINITIES, 0), training={"speed": "none"})
    for draw, luck in ((0.0, -OPTIONS.roll), (0.5, 0.0), (1 - 2**-53, OPTIONS.roll)):
        draws = [0.5] * (DRAWS - len(OPTIONS.skills)) + [draw] * len(OPTIONS.skills)
        who = generated(given, OPTIONS, iter(draws))
        assert who.skills["speed"] == pytest.approx(OPTIONS.base + 5 * OPTIONS.per_level + luck)


@pytest.mark.rule("CHAR-4")
def test_skills_given_outright_stand_and_leave_the_others_as_they_were() -> None:
    def who(**given: Any) -> Character:
        return generated(member(**given), OPTIONS, Chance(3).at("person", "t/ada", 0))

    drawn, fixed = who(), who(skills={"speed": 52.5, "manual": 41.0})
    assert (fixed.skills["speed"], fixed.skills["manual"]) == (52.5, 41.0)
    for name in set(OPTIONS.skills) - {"speed", "manual"}:
        assert fixed.skills[name] == drawn.skills[name]


@pytest.mark.rule("CHAR-1", "CHAR-4")
@pytest.mark.parametrize(
    "given",
    [{}, {"quality": 3}, {"affinities": {"mental": 1}}, {"training": {"speed": "minor"}},
     {"skills": {"speed": 9.0}}],
)  # fmt: skip
def test_a_person_takes_as_many_draws_whatever_is_given(given: dict[str, Any]) -> None:
    stream = (i / 1000 for i in count())
    generated(member(**given), OPTIONS, stream)
    assert next(stream) == DRAWS / 1000


@pytest.mark.rule("CHAR-1")
def test_four_skills_are_trained_and_any_may_be() -> None:
    flat = OPTIONS.model_copy(update={"per_affinity": 0.0, "roll": 0.0})
    base = skill(5, 0, 0, 0, 0, base=flat.base, per_level=flat.per_level, per_affinity=0)
    seen: Counter[str] = Counter()
    majors = 0
    for n in range(1400):
        who = generated(member(quality=5), flat, Chance(6).at("person", str(n), 0))
        gained = {name: value - base for name, value in who.skills.items() if value > base}
        assert len(gained) == 4
        assert set(gained.values()) <= {flat.minor_training, flat.major_training}
        majors += sum(points == flat.major_training for points in gained.values())
        seen.update(list(gained))
    share = 4 / len(OPTIONS.skills)
    error = sqrt(1400 * share * (1 - share))
    assert all(abs(seen[name] - 1400 * share) < 4 * error for name in OPTIONS.skills)
    assert abs(majors - 2800) < 4 * sqrt(5600 / 4)


@pytest.mark.rule("CHAR-5", "FAT-5")
def test_people_begin_hale_and_rested() -> None:
    who = generated(member(), OPTIONS, Chance(1).at("person", "x", 0))
    assert (who.health, who.stamina) == (80, 100)


@pytest.mark.rule("CHAR-3")
def test_a_crew_takes_its_classes_in_turn() -> None:
    crew = Crew(size=7, classes=("leader", "guard", "scout"))
    made = crew_members(crew, [])
    assert [each.role for each in made] == [
        "leader", "guard", "scout", "leader", "guard", "scout", "leader",
    ]  # fmt: skip
    assert len({each.name for each in made}) == 7


@pytest.mark.rule("CHAR-4")
def test_a_crew_is_as_large_as_asked_even_if_a_name_is_taken() -> None:
    made = crew_members(Crew(size=5), ["leader_1", "gatherer_2"])
    assert len(made) == 5
    assert not {each.name for each in made} & {"leader_1", "gatherer_2"}


@pytest.mark.rule("CHAR-1")
def test_each_person_has_a_stream_of_their_own() -> None:
    both = people_of("c/t", [member(name="ada"), member(name="bo")], OPTIONS, Chance(1))
    alone = people_of("c/t", [member(name="bo")], OPTIONS, Chance(1))
    assert alone[0].skills == both[1].skills
    assert both[0].skills != both[1].skills
    other = people_of("c/u", [member(name="bo")], OPTIONS, Chance(1))
    assert other[0].skills != alone[0].skills
