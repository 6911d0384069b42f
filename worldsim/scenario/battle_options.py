"""The options of section 7 of the rulebook: ``[rules.battle]``."""

from typing import Annotated, Literal

from pydantic import Field

from worldsim.rules.cards import TRAITS, Terms, Trait
from worldsim.scenario.tables import Difficulty, Share, Table, laid_over, opt

FIRST_INITIATIVE = {"stealth": 2, "awareness": 1}
LATER_INITIATIVE = {"speed": 2, "orders": 2}
ATTACK = {"orders": 1, "leadership": 1, "shooting": 2, "weapon": 2}
ASSAULT = {"orders": 1, "shooting": 1}
PROTECTION = {"orders": 2, "cover": 2}
Instances = dict[Trait, Annotated[int, Field(ge=0, le=20)]]
"""How often a card's dice of each trait count."""


class BattleOptions(Table):
    """``[rules.battle]``: how rivals fight over a sector."""

    character_health: int = opt(6, "BAT-1", "Combat Health of a character", ge=1, le=1000)
    vehicle_health: int = opt(12, "BAT-1", "Combat Health of a vehicle", ge=1, le=1000)
    power_per_die: int = opt(3, "BAT-2", "Power a card needs in a trait for one die", ge=1)
    double: Literal["instances", "power"] = opt(
        "instances", "BAT-2", "whether twice means two instances or twice the Power"
    )
    initiative_at: Difficulty = opt(3, "BAT-3", "face a die of Initiative has to reach")
    first_initiative: Annotated[Instances, laid_over(FIRST_INITIATIVE.copy)] = opt(
        FIRST_INITIATIVE, "BAT-3", "instances of each trait in Initiative, in the first round"
    )
    later_initiative: Annotated[Instances, laid_over(LATER_INITIATIVE.copy)] = opt(
        LATER_INITIATIVE, "BAT-3", "instances of each trait in Initiative, in later rounds"
    )
    scout: int = opt(2, "BAT-4", "Initiative of a scout team, always", ge=0)
    ambush: int = opt(30, "BAT-4", "Initiative of an ambush in its first round", ge=0)
    tie: Literal["coin", "defender"] = opt("coin", "BAT-5", "who fires first at a tie")
    attack_traits: Annotated[Instances, laid_over(ATTACK.copy)] = opt(
        ATTACK, "BAT-6", "instances of each trait in Attack"
    )
    assault_traits: Annotated[Instances, laid_over(ASSAULT.copy)] = opt(
        ASSAULT, "BAT-6", "further instances of each trait in the Attack of an assault"
    )
    strike: int = opt(1, "BAT-6", "Attack a strike team has more", ge=0)
    assault: Literal["every_round", "first_round"] = opt(
        "every_round", "BAT-6", "in which rounds an assault counts"
    )
    protection_traits: Annotated[Instances, laid_over(PROTECTION.copy)] = opt(
        PROTECTION, "BAT-7", "instances of each trait in Protection"
    )
    protection_at: Difficulty = opt(4, "BAT-7", "face a die of Protection has to reach")
    attack: Literal["pool", "double_roll"] = opt(
        "pool", "BAT-8", "whether Attack is a number of dice, or rolled for points first"
    )
    attack_at: Difficulty = opt(4, "BAT-8", "face a die of Attack has to reach to hit")
    most_rounds: int = opt(30, "BAT-12", "rounds after which the attacker has lost", ge=1, le=1000)
    cargo_lost: Share = opt(0.5, "BAT-14", "share of the cargo that the losers leave behind")
    recovery_at: Difficulty = opt(6, "BAT-14", "face at which a fallen card is back")
    recovery_days: int = opt(7, "BAT-14", "days from one such try to the next", ge=1)
    others_needed: int = opt(2, "BAT-14", "members beside a Leader to leave without the fallen")
    round_min: int = opt(10, "BAT-15", "minutes of a round", ge=1, le=720)
    divisor: int = opt(5, "BAT-16", "points of a skill for one of Power", ge=1)
    relation: Literal["peace", "war", "avoid"] = opt(
        "peace", "BAT-18", "between factions of which [[relations]] says nothing"
    )
    meeting_at: Difficulty = opt(4, "BAT-18", "difficulty of slipping away, and of seeing it")


def battle_terms(rules: BattleOptions) -> Terms:
    """The numbers of ``[rules.battle]`` as the battle rules take them."""
    terms = Terms()
    terms.power_per_die = rules.power_per_die
    terms.double = rules.double
    terms.first_initiative = _in_order(rules.first_initiative)
    terms.later_initiative = _in_order(rules.later_initiative)
    terms.attack = _in_order(rules.attack_traits)
    terms.assault = _in_order(rules.assault_traits)
    terms.protection = _in_order(rules.protection_traits)
    terms.initiative_at = rules.initiative_at
    terms.attack_at = rules.attack_at
    terms.protection_at = rules.protection_at
    terms.scout = rules.scout
    terms.ambush = rules.ambush
    terms.strike = rules.strike
    terms.tie = rules.tie
    terms.assault_in = rules.assault
    terms.attack_roll = rules.attack
    terms.most_rounds = rules.most_rounds
    terms.character_health = rules.character_health
    terms.vehicle_health = rules.vehicle_health
    return terms


def _in_order(instances: Instances) -> list[int]:
    return [instances.get(trait, 0) for trait in TRAITS]
