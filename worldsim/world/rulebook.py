"""The rules of a scenario, for those who read them all day long.

The tables that every team's day asks are classes of their own here, with the same names: what
compiled code reads of a class that is compiled too costs it nothing, of another it was a twentieth
of a day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.rules.teams import ATTRIBUTES
from worldsim.scenario.slots import slotted

if TYPE_CHECKING:
    from worldsim.scenario.options import (
        ActivityOptions,
        DiceOptions,
        FatigueOptions,
        Rules,
        SurvivalOptions,
        TeamOptions,
        TravelOptions,
    )


class Rulebook:
    """The tables of ``[rules]`` under the same names.

    Attributes:
        drains: Dashes that each attribute's first test of a day drains (FAT-2); of ``fatigue``.
        others: The tables; those that are read more seldom as records with slots.
    """

    __slots__ = (
        "activities", "battle", "characters", "day", "dice", "drains", "fatigue", "gathering",
        "reserves", "survival", "teams", "travel",
    )  # fmt: skip

    def __init__(self, rules: Rules) -> None:
        self.activities = ActivityRules(rules.activities)
        self.battle = slotted(rules.battle)
        self.characters = slotted(rules.characters)
        self.day = slotted(rules.day)
        self.dice = DiceRules(rules.dice)
        self.fatigue = FatigueRules(rules.fatigue)
        self.gathering = slotted(rules.gathering)
        self.reserves = slotted(rules.reserves)
        self.survival = SurvivalRules(rules.survival)
        self.teams = TeamRules(rules.teams)
        self.travel = TravelRules(rules.travel)
        self.drains = [rules.fatigue.drain.get(name, 0) for name in ATTRIBUTES]


class ActivityRules:
    """``[rules.activities]``."""

    def __init__(self, table: ActivityOptions) -> None:
        self.extra_difficulty = table.extra_difficulty
        self.day_limit = table.day_limit
        self.idle_days = table.idle_days
        self.retreat_margin = table.retreat_margin
        self.retreat_floor = table.retreat_floor
        self.retreat_per_day = table.retreat_per_day
        self.explore_successes = table.explore_successes
        self.construct_successes = table.construct_successes


class DiceRules:
    """``[rules.dice]``."""

    def __init__(self, table: DiceOptions) -> None:
        self.extra_die_for = table.extra_die_for
        self.pool_cap = table.pool_cap
        self.min_difficulty = table.min_difficulty
        self.default_difficulty = table.default_difficulty
        self.points_per_die = table.points_per_die
        self.most_dice = table.most_dice
        self.extra_dice = table.extra_dice
        self.weak_die = table.weak_die


class FatigueRules:
    """``[rules.fatigue]``."""

    def __init__(self, table: FatigueOptions) -> None:
        self.resilience_per = table.resilience_per
        self.drain = table.drain
        self.fatigued_difficulty = table.fatigued_difficulty
        self.fatigued_for = table.fatigued_for
        self.fatigued_total = table.fatigued_total
        self.fatigued_dice = table.fatigued_dice
        self.resilience_rest = table.resilience_rest
        self.stamina_day = table.stamina_day
        self.stamina_activity = table.stamina_activity
        self.stamina_rest = table.stamina_rest
        self.efficiency_day = table.efficiency_day
        self.efficiency_rest = table.efficiency_rest
        self.ready_resilience = table.ready_resilience
        self.ready_stamina = table.ready_stamina
        self.ready_efficiency = table.ready_efficiency
        self.max_away = table.max_away
        self.reform_after_days = table.reform_after_days
        self.recruit_days = table.recruit_days


class SurvivalRules:
    """``[rules.survival]``."""

    def __init__(self, table: SurvivalOptions) -> None:
        self.easiest = table.easiest
        self.hardest = table.hardest
        self.situation = table.situation
        self.drain = table.drain
        self.relief = table.relief
        self.stranded_below = table.stranded_below
        self.rations_days = table.rations_days
        self.appetite = table.appetite
        self.edible = table.edible
        self.runners = table.runners
        self.grace_days = table.grace_days
        self.hunger_damage = table.hunger_damage
        self.upkeep = table.upkeep
        self.lost_days = table.lost_days
        self.lost_die = table.lost_die
        self.vanishes_to = table.vanishes_to
        self.hurt_to = table.hurt_to
        self.lost_damage = table.lost_damage
        self.wildlife_chance = table.wildlife_chance
        self.ambush_difficulty = table.ambush_difficulty


class TeamRules:
    """``[rules.teams]``."""

    def __init__(self, table: TeamOptions) -> None:
        self.speed_from = table.speed_from
        self.gatherer_weight = table.gatherer_weight
        self.attributes = table.attributes
        self.profiles = {name: slotted(each) for name, each in table.profiles.items()}
        self.bonus = table.bonus
        self.percent_per_die = table.percent_per_die
        self.profile_efficiency = table.profile_efficiency
        self.capacity_base = table.capacity_base
        self.capacity_per_physical = table.capacity_per_physical
        self.vehicle_capacity = table.vehicle_capacity
        self.weight_step = table.weight_step
        self.ration_weight = table.ration_weight
        self.cargo_weight = table.cargo_weight
        self.experience_most = table.experience_most
        self.experience_value = table.experience_value
        self.fewest_members = table.fewest_members


class TravelRules:
    """``[rules.travel]``."""

    def __init__(self, table: TravelOptions) -> None:
        self.carry_surplus = table.carry_surplus
        self.home_dice = table.home_dice
        self.march_min = table.march_min
        self.tables = table.tables
