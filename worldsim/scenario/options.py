"""Every option and number of the rulebook: the tables ``[rules.*]`` of a scenario.

Each field names the rule it belongs to; ``worldsim rules ID`` lists them from here. Defaults are
the default readings. Whole sections may be left out.
"""

from typing import Annotated, Literal

from pydantic import Field

from worldsim.rules.teams import Attribute, Use
from worldsim.scenario.battle_options import BattleOptions
from worldsim.scenario.tables import (
    Affinity,
    Difficulty,
    Kind,
    Many,
    Name,
    Pair,
    ProfileName,
    Rarity,
    Share,
    Table,
    laid_over,
    opt,
)

DRAIN = {"speed": 1, "gathering": 1, "construction": 1, "research": 1, "detection": 1}
SKILLS = {
    "speed": "physical",
    "manual": "physical",
    "stealth": "physical",
    "shooting": "physical",
    "weapon": "physical",
    "cover": "physical",
    "toughness": "physical",
    "awareness": "mental",
    "planetary": "mental",
    "orders": "social",
    "leadership": "social",
    "engineering": "academic",
    "science": "academic",
    "medicine": "academic",
}
LEVELS = {"common": (1, 4), "rare": (4, 7), "epic": (7, 10), "legendary": (10, 13)}
SKILLS_OF = {
    "speed": ("speed",),
    "gathering": ("manual", "speed"),
    "stealth": ("stealth",),
    "detection": ("awareness",),
    "communications": ("awareness",),
    "defense": ("shooting", "cover"),
    "construction": ("engineering",),
    "research": ("science",),
    "survival": ("planetary",),
}
PRESENCE = {"common": 0.9, "uncommon": 0.6, "rare": 0.3, "epic": 0.1, "legendary": 0.03}
CLASS_SIZE = {"common": 3, "uncommon": 2, "rare": 1, "epic": 1, "legendary": 1}


class DiceOptions(Table):
    """``[rules.dice]``: how a value becomes a pool, and what a die must show."""

    extra_die_for: Literal["characters", "characters_and_teams"] = opt(
        "characters", "DICE-2", "whose values above 80 bring an extra die"
    )
    pool_cap: int | None = opt(None, "DICE-4", "most d6 a pool may have, bonus dice too", ge=1)
    min_difficulty: Literal[1, 2] = opt(2, "DICE-7", "the lowest difficulty; at 2 a 1 misses")
    default_difficulty: Difficulty = opt(4, "DICE-7", "difficulty where no table says otherwise")
    points_per_die: int = opt(20, "DICE-1", "points of a value for one d6", ge=1)
    most_dice: int = opt(4, "DICE-1", "most d6 a value gives", ge=1, le=20)
    extra_dice: Many[Pair[int, Literal[4, 6, 8, 10, 12, 20]]] = opt(
        ((100, 6), (120, 8), (140, 10), (160, 12), (180, 20)),
        "DICE-2",
        "[value, sides] of the extra die, ascending",
    )
    weak_die: Literal[4, 6, 8, 10, 12, 20] = opt(
        4, "DICE-3", "sides of the one die of a value below the first d6"
    )


class FatigueOptions(Table):
    """``[rules.fatigue]``: Resilience, Stamina, Efficiency, and when a team leaves again."""

    resilience_per: int = opt(10, "FAT-1", "points of a value for one of Resilience", ge=1)
    drain: Annotated[dict[Attribute, Annotated[int, Field(ge=0, le=9)]], laid_over(DRAIN.copy)] = (
        opt(
            DRAIN,
            "FAT-2",
            "Resilience drained by an attribute's first test of a day",
        )
    )
    fatigued_difficulty: int = opt(2, "FAT-3", "added to the difficulty when Fatigued", ge=0, le=9)
    fatigued_for: Literal["phase", "roll"] = opt(
        "phase", "FAT-3", "whether being Fatigued lasts the phase or the one roll"
    )
    fatigued_total: Literal["minus_one_die", "none"] = opt(
        "minus_one_die", "FAT-3", "what being Fatigued does to a total score"
    )
    fatigued_dice: int = opt(1, "FAT-3", "dice fewer in a Fatigued total score", ge=0, le=9)
    resilience_rest: int = opt(1, "FAT-4", "Resilience back per day of rest", ge=0)
    stamina_day: int = opt(10, "FAT-5", "Stamina lost per day away", ge=0, le=100)
    stamina_activity: int = opt(5, "FAT-5", "and per activity beyond the first", ge=0, le=100)
    stamina_rest: int = opt(25, "FAT-5", "Stamina back per day of rest", ge=0, le=100)
    efficiency_day: int = opt(5, "FAT-6", "Efficiency lost per day away", ge=0, le=100)
    efficiency_rest: int = opt(20, "FAT-6", "Efficiency back per day of rest", ge=0, le=100)
    ready_resilience: Share = opt(1.0, "FAT-7", "share of base Resilience needed to leave")
    ready_stamina: int = opt(60, "FAT-7", "Stamina each living member needs", ge=0, le=100)
    ready_efficiency: int = opt(80, "FAT-7", "Efficiency the team needs to leave", ge=0, le=100)
    max_away: int | None = opt(None, "FAT-8", "teams a colony may have away; all if absent", ge=1)
    reform_after_days: int = opt(3, "FAT-8", "days to form a disbanded team again", ge=1, le=1000)
    recruit_days: int = opt(14, "FAT-8", "days until new people arrive", ge=1, le=10_000)


class CharacterOptions(Table):
    """``[rules.characters]``: generated people, and their Health."""

    skills: Annotated[dict[Name, Affinity], laid_over(SKILLS.copy)] = opt(
        SKILLS,
        "CHAR-1",
        "skills and the affinity each leans on",
    )
    affinity: int = opt(4, "CHAR-1", "affinities run from minus this to plus this", ge=0, le=20)
    trained_skills: int = opt(4, "CHAR-1", "skills a generated person is trained in", ge=0, le=14)
    levels: Annotated[
        dict[Literal["common", "rare", "epic", "legendary"], Pair[int, int]], laid_over(LEVELS.copy)
    ] = opt(
        LEVELS,
        "CHAR-2",
        "lowest and highest quality level of each rarity",
    )
    base: float = opt(16.0, "CHAR-2", "skill of level 0, untrained")
    per_level: float = opt(3.5, "CHAR-2", "added per quality level")
    per_affinity: float = opt(1.5, "CHAR-2", "added per point of affinity")
    minor_training: float = opt(14.0, "CHAR-2", "added by minor training")
    major_training: float = opt(20.0, "CHAR-2", "added by major training")
    roll: float = opt(3.0, "CHAR-2", "a roll between minus this and plus this is added", ge=0)
    health: int = opt(80, "CHAR-5", "most Health; dead at minus this", ge=1, le=10_000)
    wound: int = opt(10, "CHAR-5", "Health a wound takes", ge=0)
    health_rest: int = opt(10, "CHAR-5", "Health back per day at the colony", ge=0)


class Profile(Table):
    """What a team's profile brings while it counts (TEAM-5)."""

    dice: dict[Use, Annotated[int, Field(ge=0, le=20)]] = Field(
        default_factory=dict, description="d6 added to a pool"
    )
    guard_factor: float = Field(1.0, ge=0, le=10, description="Guards' skills in Defense, times")
    collecting: int = Field(
        0, ge=-9, le=9, description="difficulty change when collecting wildlife and plants"
    )


def _profiles() -> dict[str, Profile]:
    """The nine profiles of the rulebook."""
    return {
        "scouting": Profile(
            dice={"speed": 1, "stealth": 1, "detection_wildlife": 1, "detection_other": 1}
        ),
        "gathering": Profile(dice={"gathering": 2, "detection_gathering": 2}),
        "hunting": Profile(dice={"defense": 2, "detection_wildlife": 2}),
        "engineering": Profile(dice={"construction": 2}),
        "escort": Profile(dice={"defense": 2}, guard_factor=1.3),
        "scientific": Profile(dice={"research": 2}),
        "tactical": Profile(
            dice={"defense": 2, "stealth": 2, "detection_wildlife": 2, "detection_other": 2}
        ),
        "ark": Profile(dice={"research": 2}, collecting=-1),
        "secret": Profile(dice={"stealth": 3, "detection_wildlife": 3, "detection_other": 3}),
    }


class TeamOptions(Table):
    """``[rules.teams]``: what a team's people make of it."""

    speed_from: Literal["mean", "min"] = opt(
        "mean", "TEAM-2", "team Speed from the mean or the slowest"
    )
    gatherer_weight: int = opt(3, "TEAM-3", "weight of the Gatherer class in Gathering", ge=1)
    attributes: Annotated[dict[Attribute, Many[Name]], laid_over(SKILLS_OF.copy)] = opt(
        SKILLS_OF,
        "TEAM-4",
        "skills whose mean makes each attribute",
    )
    profiles: Annotated[dict[ProfileName, Profile], laid_over(_profiles)] = opt(
        _profiles, "TEAM-5", "what each profile brings"
    )
    bonus: Literal["dice", "percent"] = opt(
        "dice", "TEAM-5", "a profile adds d6, or a percentage to the value"
    )
    percent_per_die: float = opt(20.0, "TEAM-5", "percent of the value per d6", ge=0, le=1000)
    profile_efficiency: int = opt(60, "TEAM-6", "Efficiency a profile needs", ge=0, le=100)
    capacity_base: int = opt(15, "TEAM-7", "Transport Capacity of a member, points", ge=0)
    capacity_per_physical: int = opt(4, "TEAM-7", "and per point of physical affinity", ge=0)
    vehicle_capacity: int = opt(50, "TEAM-7", "points a vehicle carries", ge=0)
    weight_step: int = opt(220, "TEAM-8", "Weight per further point of a unit", ge=1)
    ration_weight: int = opt(1, "TEAM-8", "points a ration weighs", ge=0)
    cargo_weight: int = opt(50, "TEAM-8", "points a unit of kind cargo weighs", ge=0)
    experience_most: int = opt(10, "TEAM-9", "most experience", ge=0)
    experience_value: float = opt(1.0, "TEAM-9", "added to every attribute per experience", ge=0)
    fewest_members: int = opt(3, "TEAM-10", "members a team needs to leave", ge=1, le=100)


class ReserveOptions(Table):
    """``[rules.reserves]``: where the planet's stock lies and how abundant it feels."""

    spread: Literal["equal", "given", "dirichlet"] = opt(
        "equal", "RES-1", "weights of regions and sectors"
    )
    dirichlet: float = opt(
        1.5, "RES-1", "concentration of the seeded weights; low is uneven", gt=0, le=1000
    )
    sector_share: Share = opt(0.5, "RES-2", "share of a region that lies in its sectors")
    rich_at: float = opt(1.5, "RES-4", "times the planet's mean from which a place is rich", ge=0)
    poor_at: float = opt(0.5, "RES-4", "times the planet's mean up to which it is poor", ge=0)
    bands: Many[Pair[float, int]] = opt(
        ((0.75, -2), (0.5, -1), (0.35, 0), (0.15, 1), (0.0, 2)),
        "RES-4",
        "[left/initial, modifier] of a rich place, descending; others have no bonus",
    )
    poor_modifier: int = opt(1, "RES-4", "added in a poor place", ge=0, le=9)
    worst_modifier: int = opt(2, "RES-4", "the highest abundance modifier", ge=0, le=9)


class DayOptions(Table):
    """``[rules.day]``: the week, and what teams at home do for their colony."""

    week_days: int = opt(7, "DAY-2", "days of a week", ge=1, le=1000)
    contribution_divisor: float = opt(
        2.0, "DAY-1", "a contributing team gives its mean skill divided by this", gt=0
    )


class Weather(Table):
    """One weather a climate can have (SURV-1)."""

    weight: float = Field(ge=0, description="how likely, beside the others")
    difficulty: int = Field(ge=-9, le=9, description="added to the survival difficulty")


def _climates() -> dict[str, dict[str, Weather]]:
    """Climates of the default table: mild ones seldom harm, hard ones often do."""
    return {
        "temperate": {
            "clear": Weather(weight=7, difficulty=0),
            "rain": Weather(weight=2, difficulty=0),
            "storm": Weather(weight=1, difficulty=1),
        },
        "arid": {
            "clear": Weather(weight=7, difficulty=0),
            "heat": Weather(weight=2, difficulty=1),
            "sandstorm": Weather(weight=1, difficulty=2),
        },
        "frozen": {
            "clear": Weather(weight=6, difficulty=0),
            "snow": Weather(weight=3, difficulty=1),
            "blizzard": Weather(weight=1, difficulty=2),
        },
        "tropical": {
            "clear": Weather(weight=6, difficulty=0),
            "downpour": Weather(weight=3, difficulty=0),
            "cyclone": Weather(weight=1, difficulty=2),
        },
    }


class SurvivalOptions(Table):
    """``[rules.survival]``: what a day in the wild costs, hunger, being lost, wildlife."""

    climates: Annotated[dict[Name, dict[Name, Weather]], laid_over(_climates)] = opt(
        _climates, "SURV-1", "weathers of each climate"
    )
    easiest: Difficulty = opt(2, "SURV-1", "lowest survival difficulty")
    hardest: Difficulty = opt(9, "SURV-1", "highest survival difficulty")
    situation: int = opt(100, "SURV-2", "Situation on leaving", ge=1, le=100)
    drain: int = opt(15, "SURV-2", "Situation a survival phase takes", ge=0)
    relief: int = opt(3, "SURV-2", "less, per success", ge=0)
    stranded_below: int = opt(20, "SURV-2", "Situation below which a team is stranded", ge=0)
    rations_days: int = opt(4, "SURV-3", "days of food taken along", ge=0, le=1000)
    appetite: int = opt(1, "SURV-3", "units each living member eats a day", ge=0)
    edible: Many[Kind] = opt(
        ("meat", "fish", "fruit", "vegetable"), "SURV-3", "kinds that can be eaten"
    )
    runners: Share = opt(0.5, "SURV-3", "most of the fit members who go on a Supply Run")
    grace_days: int = opt(3, "SURV-3", "hungry days without harm", ge=0)
    hunger_damage: int = opt(10, "SURV-3", "Health lost per hungry day after that", ge=0)
    upkeep: bool = opt(False, "SURV-4", "whether people at home eat from the store")
    lost_days: int = opt(10, "SURV-5", "days until a lost team is gone", ge=1, le=10_000)
    lost_die: int = opt(20, "SURV-5", "sides of the die each lost member rolls", ge=2)
    vanishes_to: int = opt(1, "SURV-5", "up to this a member disappears", ge=0)
    hurt_to: int = opt(5, "SURV-5", "up to this a member loses Health", ge=0)
    lost_damage: int = opt(20, "SURV-5", "Health lost then", ge=0)
    wildlife_chance: Share = opt(0.05, "SURV-6", "daily chance where the landscape gives none")
    ambush_difficulty: int = opt(1, "SURV-6", "added to Defense when ambushed", ge=0, le=9)


class TravelOptions(Table):
    """``[rules.travel]``: how far a day takes a team."""

    carry_surplus: bool = opt(
        False, "MOVE-2", "whether progress beyond the target starts the objective the same day"
    )
    home_dice: int = opt(1, "MOVE-3", "d6 added to Speed on the way back", ge=0, le=20)
    march_min: int = opt(1440, "DAY-1", "minutes over which a day's move is made", ge=1, le=1440)
    tables: Many[Name] | None = opt(
        None,
        "MOVE-4",
        "event tables drawn from on a moving day; if absent, those of terrain, weather and find "
        "that there are",
    )


class ActivityOptions(Table):
    """``[rules.activities]``: several things at once, and when a mission ends."""

    extra_difficulty: int = opt(1, "ACT-1", "added per activity beyond the first", ge=0, le=9)
    day_limit: int = opt(3, "ACT-3", "days on site where the mission gives none", ge=1)
    idle_days: int = opt(1, "ACT-3", "days on site without yield that end a mission", ge=1)
    retreat_margin: float = opt(10.0, "ACT-3", "caution in turning back", ge=-100, le=100)
    retreat_floor: float = opt(20.0, "ACT-3", "Situation wanted on getting home", ge=0, le=100)
    retreat_per_day: float = opt(12.0, "ACT-3", "Situation a day home is expected to cost", ge=0)
    explore_successes: int = opt(6, "ACT-4", "Detection successes that map a sector", ge=1)
    construct_successes: int = opt(
        6, "ACT-4", "Construction successes that ease a sector by one", ge=1
    )


class GatheringOptions(Table):
    """``[rules.gathering]``: one gathering phase."""

    limit_by: Literal["both", "number", "weight"] = opt(
        "both", "GATH-2", "what Transport Capacity cuts: the number of units, their weight, or both"
    )
    presence: Annotated[dict[Rarity, Share], laid_over(PRESENCE.copy)] = opt(
        PRESENCE,
        "GATH-3",
        "chance of presence at full stock",
    )
    class_size: Annotated[
        dict[Rarity, Annotated[int, Field(ge=0, le=1000)]], laid_over(CLASS_SIZE.copy)
    ] = opt(
        CLASS_SIZE,
        "GATH-3",
        "units present per point of the die",
    )
    present_die: int = opt(6, "GATH-3", "sides of the die of units present", ge=1, le=1000)
    order: Literal["random", "priority", "common_first"] = opt(
        "random", "GATH-4", "which ingredients are attempted first"
    )
    scale_base: Difficulty = opt(2, "GATH-5", "difficulty of the lowest step")
    scale_step: int = opt(220, "GATH-5", "points of Stealth or Fragility per step", ge=1)
    find_all_at: int = opt(3, "GATH-5", "successes that find every unit present", ge=1)
    spare_at: int = opt(3, "GATH-6", "successes that spare the Limit", ge=1)
    two_success_cost: int = opt(1, "GATH-6", "Limit lost with two successes", ge=0)
    one_success_cost: Literal[0, 1, 2] = opt(1, "GATH-6", "Limit lost with one success")
    miss_cost: int = opt(2, "GATH-6", "Limit lost without success", ge=0)
    failed_unit: Literal["stays", "destroyed"] = opt(
        "stays", "GATH-7", "what becomes of a unit that was missed"
    )
    hard_limit: bool = opt(True, "GATH-8", "whether the Limit also caps the units taken")
    nothing_in_bag: int = opt(10, "GATH-9", "blank entries among the mishaps", ge=0)


class Rules(Table):
    """``[rules]``: one table for each section of the rulebook."""

    dice: DiceOptions = Field(default_factory=DiceOptions)
    fatigue: FatigueOptions = Field(default_factory=FatigueOptions)
    characters: CharacterOptions = Field(default_factory=CharacterOptions)
    teams: TeamOptions = Field(default_factory=TeamOptions)
    reserves: ReserveOptions = Field(default_factory=ReserveOptions)
    day: DayOptions = Field(default_factory=DayOptions)
    survival: SurvivalOptions = Field(default_factory=SurvivalOptions)
    travel: TravelOptions = Field(default_factory=TravelOptions)
    activities: ActivityOptions = Field(default_factory=ActivityOptions)
    gathering: GatheringOptions = Field(default_factory=GatheringOptions)
    battle: BattleOptions = Field(default_factory=BattleOptions)
