"""The options of section 7 of the rulebook: ``[rules.battle]``."""

from typing import Literal

from worldsim.scenario.tables import Difficulty, Share, Table, opt


class BattleOptions(Table):
    """``[rules.battle]``: how rivals fight over a sector."""

    character_health: int = opt(6, "BAT-1", "Combat Health of a character", ge=1, le=1000)
    vehicle_health: int = opt(12, "BAT-1", "Combat Health of a vehicle", ge=1, le=1000)
    power_per_die: int = opt(3, "BAT-2", "Power a card needs in a trait for one die", ge=1)
    double: Literal["instances", "power"] = opt(
        "instances", "BAT-2", "whether twice means two instances or twice the Power"
    )
    initiative_at: Difficulty = opt(3, "BAT-3", "face a die of Initiative has to reach")
    scout: int = opt(2, "BAT-4", "Initiative of a scout team, always", ge=0)
    ambush: int = opt(30, "BAT-4", "Initiative of an ambush in its first round", ge=0)
    tie: Literal["coin", "defender"] = opt("coin", "BAT-5", "who fires first at a tie")
    strike: int = opt(1, "BAT-6", "Attack a strike team has more", ge=0)
    assault: Literal["every_round", "first_round"] = opt(
        "every_round", "BAT-6", "in which rounds an assault counts"
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
