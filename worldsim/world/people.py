"""Characters: who they are, generated or given, and how they are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from worldsim.rules.characters import quality_of, skill

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldsim.chance import Chance
    from worldsim.scenario.model import Crew, Member
    from worldsim.scenario.options import CharacterOptions
    from worldsim.scenario.tables import Affinity

AFFINITIES: tuple[Affinity, ...] = ("physical", "mental", "social", "academic")


@dataclass(slots=True)
class Character:
    """A person. ``health`` may go below 0 (coma) down to minus its maximum (dead).

    Attributes:
        name: Unique in the team.
        role: The class, such as ``leader``.
        physical: Physical affinity; what a person carries depends on it.
        skills: Value of each skill.
        health: Most is ``rules.characters.health``.
        stamina: 0 to 100.
    """

    name: str
    role: str
    physical: int
    skills: dict[str, float]
    health: int
    stamina: int = 100


def generated(member: Member, rules: CharacterOptions, stream: Iterator[float]) -> Character:
    """A person: what is given is kept, the rest is drawn.

    Rule CHAR-1, CHAR-2, CHAR-4 [D].

    Args:
        member: What the scenario says of the person.
        rules: ``[rules.characters]``.
        stream: Draws quality, affinities, training and a roll for each skill, always as many, so
            that a skill given outright leaves the others as they were.
    """
    quality = quality_of(rules.levels[member.rarity], stream)
    if member.quality is not None:
        quality = member.quality
    affinities = {
        name: member.affinities.get(name, _affinity(rules.affinity, stream)) for name in AFFINITIES
    }
    trained = _training(list(rules.skills), rules.trained_skills, stream)
    if member.training:
        trained = dict(member.training)
    points = {"none": 0.0, "minor": rules.minor_training, "major": rules.major_training}
    skills: dict[str, float] = {}
    for name, affinity in rules.skills.items():
        roll = rules.roll * (2 * next(stream) - 1)
        skills[name] = skill(
            quality,
            affinities[affinity],
            points[trained.get(name, "none")],
            member.investment.get(name, 0.0),
            roll,
            base=rules.base,
            per_level=rules.per_level,
            per_affinity=rules.per_affinity,
        )
    skills |= member.skills
    return Character(member.name, member.role, affinities["physical"], skills, rules.health)


def _affinity(most: int, stream: Iterator[float]) -> int:
    return int(next(stream) * (2 * most + 1)) - most


def _training(skills: list[str], count: int, stream: Iterator[float]) -> dict[str, str]:
    """``count`` skills a person is trained in, half of them major on average."""
    draws = [next(stream) for _ in skills]
    chosen = sorted(range(len(skills)), key=draws.__getitem__)[:count]
    level = [next(stream) for _ in skills]
    return {skills[i]: "major" if level[i] < 0.5 else "minor" for i in sorted(chosen)}  # noqa: PLR2004


def crew_members(crew: Crew, taken: Sequence[str]) -> list[Member]:
    """The people a crew asks for, as members with everything still to draw.

    Args:
        crew: How many, of which classes and rarity.
        taken: Names that are not to be used again.
    """
    from worldsim.scenario.model import Member  # noqa: PLC0415 - only building needs the model

    members: list[Member] = []
    for number in count(1):
        if len(members) == crew.size:
            break
        role = crew.classes[len(members) % len(crew.classes)]
        name = f"{role}_{number}"
        if name not in taken:
            given = {"name": name, "class": role, "rarity": crew.rarity}
            members.append(Member.model_validate(given))
    return members


def people_of(
    team: str, members: Sequence[Member], rules: CharacterOptions, chance: Chance, day: int = 0
) -> list[Character]:
    """The characters of a team, each from a stream of its own."""
    return [
        generated(member, rules, chance.at("person", f"{team}/{member.name}", day))
        for member in members
    ]
