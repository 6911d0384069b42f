"""A side of a duel as a person writes it: a TOML file with cards and how the team comes along."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import Field

from worldsim.rules.cards import TRAITS, Card, Side, Terms, Trait, power_of_skill, whole_health
from worldsim.scenario.battle_options import BattleOptions, battle_terms
from worldsim.scenario.faults import Fault, ScenarioError
from worldsim.scenario.layers import layered_file, layered_text
from worldsim.scenario.loading import load
from worldsim.scenario.shipped import SIDES, find
from worldsim.scenario.tables import Many, Table
from worldsim.scenario.validation import validated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from worldsim.scenario.checks import Finding

    Health = list[int]

Made = TypeVar("Made")

MOST_CARDS = 100
MOST_DICE = 1000  # of one value of a side; laws of more dice take minutes
Line = Annotated[
    str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]+$")
]


class SideCard(Table):
    """``[[cards]]`` of a side: a card, or several alike (BAT-1)."""

    name: Line
    kind: Literal["character", "vehicle", "equipment", "starship"] = "character"
    count: int = Field(1, ge=1, le=MOST_CARDS, description="this many cards alike")
    power: dict[Trait, Annotated[int, Field(ge=0, le=1000)]] = Field(
        default_factory=dict, description="Power in each trait; 0 where nothing is said"
    )
    skills: dict[Trait, Annotated[float, Field(ge=0, le=1000)]] = Field(
        default_factory=dict, description="skills, from which Power follows (BAT-16)"
    )
    health: int | None = Field(
        None, ge=1, le=1000, description="Combat Health when whole, if not that of the rules"
    )
    health_left: int | None = Field(
        None, ge=0, le=1000, description="Combat Health it goes into the duel with; whole if absent"
    )

    @property
    def can_be_hit(self) -> bool:
        """Whether it has Combat Health at all."""
        return self.kind in {"character", "vehicle"}


class SideFile(Table):
    """A whole side, as validated."""

    name: Line | None = Field(None, description="that of the file if absent")
    scout: bool = Field(False, description="a scout team (BAT-4)")
    ambush: bool = Field(False, description="scouts that lie in ambush (BAT-4)")
    strike: bool = Field(False, description="on a mission to strike (BAT-6)")
    assault: bool = Field(False, description="a strike team that leads an assault (BAT-6)")
    cards: Many[SideCard] = Field(min_length=1)


class _Sections(Table):
    """``[rules]`` as far as a duel knows them."""

    battle: BattleOptions = Field(default_factory=BattleOptions)


class _DuelRules(Table):
    """What ``--set`` of a duel may change."""

    rules: _Sections = Field(default_factory=_Sections)


@dataclass(frozen=True, slots=True)
class LoadedSide:
    """A side that was read.

    Attributes:
        name: For people.
        side: As the rules of battle take it.
        health: Combat Health of each card as the duel begins.
    """

    name: str
    side: Side
    health: Health


@dataclass(frozen=True, slots=True)
class LoadedDuel:
    """Two sides, and the rules by which they fight.

    Attributes:
        terms: The numbers of ``[rules.battle]``.
        attacker: Who comes later.
        defender: Who is there.
    """

    terms: Terms
    attacker: LoadedSide
    defender: LoadedSide

    @property
    def arguments(self) -> tuple[Terms, Side, Side, Health, Health]:
        """The duel as ``duel_odds(*duel.arguments)`` takes it."""
        one, two = self.attacker, self.defender
        return self.terms, one.side, two.side, one.health, two.health


def load_side(source: str | Path, rules: BattleOptions | None = None) -> LoadedSide:
    """Read a side from a TOML file.

    Rule BAT-1 [B], BAT-16 [us].

    Args:
        source: A path, or the name of a shipped side.
        rules: Which divisor and which Combat Health hold; None for the defaults.

    Raises:
        ScenarioError: with every fault found.
    """
    rules = rules or BattleOptions()
    path = find(source, SIDES)
    file = validated(SideFile, layered_file(path), lambda side: list(_faults(side, rules)))
    name = file.name or path.stem
    return LoadedSide(name, _side(file, rules), _health(file, rules))


def load_duel(
    attacker: str | Path,
    defender: str | Path,
    *,
    sets: Sequence[str] = (),
    scenario: str | Path | None = None,
) -> LoadedDuel:
    """Read both sides of a duel.

    Args:
        attacker: The side that comes later: a path, or the name of a shipped side.
        defender: The side that is there, likewise.
        sets: Overrides as of ``--set``: ``"rules.battle.tie=defender"``.
        scenario: Whose rules hold: a path or the name of a shipped scenario; None for the defaults.

    Raises:
        ScenarioError: with every fault found, of both sides and the overrides.
    """
    faults: list[Fault] = []
    unsaid = 0

    def tried(read: Callable[[], Made]) -> Made | None:
        nonlocal unsaid
        try:
            return read()
        except ScenarioError as error:
            faults.extend(error.faults)
            unsaid += error.unsaid
            return None

    rules = tried(lambda: _rules(sets, scenario))
    ours = tried(lambda: load_side(attacker, rules))
    theirs = tried(lambda: load_side(defender, rules))
    if rules is None or ours is None or theirs is None:
        raise ScenarioError(tuple(dict.fromkeys(faults)), unsaid)
    return LoadedDuel(battle_terms(rules), ours, theirs)


def _rules(sets: Sequence[str], scenario: str | Path | None) -> BattleOptions:
    if scenario is not None:
        return load(scenario, sets=sets).rules.battle
    layered = layered_text("", "rules", Path(), sets)
    return validated(_DuelRules, layered, lambda _: []).rules.battle


def _side(file: SideFile, rules: BattleOptions) -> Side:
    terms = battle_terms(rules)
    cards = [
        Card(each.kind, _power(each, rules), _whole(each, terms), each.name)
        for each in file.cards
        for _ in range(each.count)
    ]
    return Side(
        cards, terms,
        scout=file.scout, ambush=file.ambush, strike=file.strike, assault=file.assault,
    )  # fmt: skip


def _power(card: SideCard, rules: BattleOptions) -> list[int]:
    from_skills = {
        trait: power_of_skill(skill, rules.divisor) for trait, skill in card.skills.items()
    }
    return [card.power.get(trait, from_skills.get(trait, 0)) for trait in TRAITS]


def _whole(card: SideCard, terms: Terms) -> int | None:
    return card.health if card.health is not None else whole_health(card.kind, terms)


def _health(file: SideFile, rules: BattleOptions) -> Health:
    terms = battle_terms(rules)
    return [
        card.health_left if card.health_left is not None else _whole(card, terms) or 0
        for card in file.cards
        for _ in range(card.count)
    ]


def _faults(file: SideFile, rules: BattleOptions) -> Iterator[Finding]:
    """What no single key can tell."""
    found = [*_stances(file), *_cards(file, rules)]
    yield from found or _amounts(file, rules)


def _stances(file: SideFile) -> Iterator[Finding]:
    if file.ambush and not file.scout:
        yield ("ambush",), True, "scout = true beside it, or no ambush: only scouts lie in ambush"
    if file.assault and not file.strike:
        cure = "strike = true beside it, or no assault: only a strike team leads one"
        yield ("assault",), True, cure


def _cards(file: SideFile, rules: BattleOptions) -> Iterator[Finding]:
    terms = battle_terms(rules)
    seen: dict[str, int] = {}
    for i, card in enumerate(file.cards):
        if card.name in seen:
            cure = f"a name of its own: number {seen[card.name] + 1} has it; alike cards take count"
            yield ("cards", i, "name"), card.name, cure
        seen.setdefault(card.name, i)
        for trait in card.skills:
            if trait in card.power:
                path = ("cards", i, "skills", trait)
                yield path, card.skills[trait], f"Power or skill, not both: power has {trait} too"
        yield from _healths(i, card, _whole(card, terms))


def _healths(i: int, card: SideCard, whole: int | None) -> Iterator[Finding]:
    for key, given in (("health", card.health), ("health_left", card.health_left)):
        if given is not None and not card.can_be_hit:
            yield ("cards", i, key), given, f"nothing: {card.kind} cannot be hit"
    if card.can_be_hit and whole is not None and (card.health_left or 0) > whole:
        yield ("cards", i, "health_left"), card.health_left, f"at most {whole}, its Combat Health"


def _amounts(file: SideFile, rules: BattleOptions) -> Iterator[Finding]:
    count = sum(card.count for card in file.cards)
    if count > MOST_CARDS:
        yield ("cards",), f"{count} cards", f"at most {MOST_CARDS} on a side"
        return
    dice, value = most_dice(_side(file, rules))
    if dice > MOST_DICE:
        yield ("cards",), f"{dice} dice of {value}", f"less Power: at most {MOST_DICE} dice"


def most_dice(side: Side) -> tuple[int, str]:
    """The most dice that one value of a side has with all its cards up, and which value it is."""
    assault = sum(side.assault_dice) if side.assault else 0
    return max(
        (sum(side.attack) + assault, "Attack"),
        (sum(side.protection), "Protection"),
        (sum(side.first_initiative), "Initiative in the first round"),
        (sum(side.later_initiative), "Initiative in later rounds"),
    )
