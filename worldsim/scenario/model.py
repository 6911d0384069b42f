"""The scenario: what a person may write, as typed tables. Reading them is ``loading``'s work."""

from typing import Annotated, Any, Literal

from pydantic import Field

from worldsim.rules.cards import Trait
from worldsim.rules.characters import CharacterClass
from worldsim.rules.teams import Attribute
from worldsim.scenario.options import Rules
from worldsim.scenario.tables import (
    DiceExpression,
    Kind,
    Many,
    Name,
    Pair,
    ProfileName,
    Rarity,
    Share,
    Table,
    laid_over,
)

SectorId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}/[a-z0-9][a-z0-9_]{0,39}$")]
Units = Annotated[int, Field(ge=0, le=10**12)]
MissionKind = Literal["gather", "hunt", "explore", "research", "construct", "patrol", "strike"]
Activity = Literal["gather", "hunt", "explore", "research", "construct"]
ActivityOnTheWay = Literal["gather", "hunt", "research"]


class Stop(Table):
    """``[campaign.stop]``: the campaign ends at the first midnight at which one of these holds."""

    left: dict[Name, Share] = Field(
        default_factory=dict,
        description="of an ingredient at most this share of the start is in the ground",
    )
    stored: dict[Name, Units] = Field(
        default_factory=dict, description="all colonies together hold at least so many units"
    )


class Campaign(Table):
    """``[campaign]``: name, length and seed."""

    name: Name = Field(description="also the name of the run's folder")
    description: str = Field("", max_length=2000, description="what the scenario is about")
    days: int = Field(365, ge=1, le=1_000_000, description="days to simulate")
    seed: int = Field(1, ge=0, lt=2**63, description="all chance of a run follows from it")
    stop: Stop | None = Field(None, description="ends the campaign before its last day")


class Landscape(Table):
    """``[planet.landscapes.NAME]``: what a region looks like."""

    difficulty: int = Field(3, ge=1, le=9, description="survival difficulty of the region")
    wildlife: Share | None = Field(None, description="daily chance to meet wildlife (SURV-6)")


def _landscapes() -> dict[str, Landscape]:
    return {
        "plains": Landscape(difficulty=3, wildlife=0.04),
        "forest": Landscape(difficulty=3, wildlife=0.08),
        "hills": Landscape(difficulty=3, wildlife=0.05),
        "desert": Landscape(difficulty=4, wildlife=0.02),
    }


class Planet(Table):
    """``[planet]``: a generated map, or one read from a file (MAP-1, MAP-2)."""

    map: str | None = Field(
        None, max_length=400, description="a GraphML or node-link JSON file instead of the rest"
    )
    map_text: str | None = Field(
        None, max_length=32_000_000, description="the content of that file; filled in on loading"
    )
    shape: Literal["ring", "line", "star", "grid", "complete", "tree"] = Field(
        "ring", description="how regions are joined"
    )
    regions: int = Field(6, ge=1, le=2000, description="number of regions")
    sectors_per_region: int = Field(5, ge=1, le=500, description="sectors in each region")
    region_weights: Many[Annotated[float, Field(ge=0, le=1e9)]] = Field(
        (), description="shares of the regions where rules.reserves.spread is 'given'"
    )
    landscapes: dict[Name, Landscape] = Field(
        default_factory=_landscapes, min_length=1, description="drawn for each region, seeded"
    )
    climates: Many[Name] = Field(
        ("temperate", "arid"), min_length=1, description="drawn for each region, seeded"
    )
    rough_sectors: Share = Field(
        0.25, description="share of sectors one harder to survive in than their region"
    )
    distance: Literal["graph", "per_mission"] = Field(
        "graph", description="distances of the map, or rolled for each mission (MAP-2)"
    )
    sector_distance: DiceExpression = Field("2d6", description="length of a sector-region edge")
    region_distance: DiceExpression = Field("1d6", description="length of a region-region edge")
    mission_distance: DiceExpression = Field(
        "4d6", description="length of a whole way where distance is 'per_mission'"
    )
    closed: Many[SectorId] = Field((), description="sectors to which no team is sent")


class Ingredient(Table):
    """``[[ingredients]]``: something that can be gathered."""

    id: Name
    kind: Kind = Field(description="what it is: edible kinds feed, wildlife kinds are hunted")
    rarity: Rarity = Field("common", description="how often it is met (GATH-3)")
    stealth: int = Field(0, ge=0, le=1000, description="hard to find (GATH-5)")
    fragility: int = Field(0, ge=0, le=1000, description="hard to collect (GATH-6)")
    weight: int = Field(0, ge=0, le=100_000, description="Weight (TEAM-8)")
    unit_weight: int | None = Field(
        None, ge=0, le=100_000, description="points a unit weighs, instead of from Weight"
    )
    reserve: Units = Field(0, description="units in the ground of the whole planet (RES-1)")
    regrowth: float = Field(0.0, ge=0, le=1, description="logistic rate per day (RES-5)")


class Nothing(Table):
    """No effect."""

    effect: Literal["nothing"] = "nothing"


class Change(Table):
    """A team value goes up or down, kept in its range."""

    effect: Literal["progress", "efficiency", "situation", "stamina"]
    amount: float = Field(ge=-1000, le=1000)


class ResilienceChange(Table):
    """Resilience of one attribute goes up (also above its base, FAT-4) or down."""

    effect: Literal["resilience"]
    attribute: Attribute
    amount: int = Field(ge=-100, le=100)


class HealthChange(Table):
    """Some members, drawn at random, gain or lose Health."""

    effect: Literal["health"]
    amount: int = Field(ge=-1000, le=1000)
    members: int = Field(1, ge=1, le=1000)


class CargoLoss(Table):
    """A share of each ingredient carried is lost, rounded up."""

    effect: Literal["lose_cargo"]
    share: Share


class Find(Table):
    """Up to so many units of one ingredient present are picked up, if they fit."""

    effect: Literal["find"]
    units: int = Field(ge=1, le=10_000)


Effect = Annotated[
    Nothing | Change | ResilienceChange | HealthChange | CargoLoss | Find,
    Field(discriminator="effect"),
]


class Entry(Table):
    """One line of an event table."""

    id: Name
    weight: float = Field(gt=0, le=1e6, description="how likely, beside the others")
    effects: Many[Effect] = Field((), description="what happens, in this order")


class Animal(Table):
    """``[[wildlife]]``: what a team may meet on any day away (SURV-6)."""

    id: Name
    weight: float = Field(1.0, gt=0, le=1e6, description="how likely, beside the others")
    stealth: int = Field(200, ge=0, le=1000, description="hard to notice, on GATH-5's scale")
    strength: int = Field(1, ge=0, le=100, description="Defense successes needed to come off whole")


class Mission(Table):
    """``[missions.NAME]``: what teams are sent out for (ACT-2, ACT-3)."""

    kind: MissionKind
    outbound: Many[ActivityOnTheWay] = Field((), description="done on the way out, beside Moving")
    on_site: Many[Activity] | None = Field(None, description="done there; by default its own kind")
    homeward: Many[ActivityOnTheWay] = Field((), description="done on the way back, beside Moving")
    day_limit: int | None = Field(None, ge=1, le=10_000, description="days on site at most")
    target_units: int | None = Field(None, ge=1, description="units taken that end it")
    target_successes: int | None = Field(None, ge=1, description="successes that end it")
    priority: Many[Name] = Field(
        (), description="ingredients attempted first where rules.gathering.order is 'priority'"
    )
    eases_sector: bool = Field(
        False, description="construct: lower the sector's difficulty instead of building at home"
    )


def _missions() -> dict[str, Mission]:
    kinds: tuple[MissionKind, ...] = (
        "gather", "hunt", "explore", "research", "construct", "patrol", "strike",
    )  # fmt: skip
    return {kind: Mission(kind=kind) for kind in kinds}


class Member(Table):
    """``[[colonies.teams.members]]``: a person given outright (CHAR-4), or generated in part."""

    name: str = Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]+$")
    role: CharacterClass = Field("member", alias="class")
    rarity: Literal["common", "rare", "epic", "legendary"] = "rare"
    quality: int | None = Field(None, ge=1, le=13, description="drawn from the rarity if absent")
    affinities: dict[
        Literal["physical", "mental", "social", "academic"], Annotated[int, Field(ge=-20, le=20)]
    ] = Field(default_factory=dict, description="drawn if absent")
    training: dict[Name, Literal["none", "minor", "major"]] = Field(
        default_factory=dict, description="drawn if empty"
    )
    investment: dict[Name, Annotated[float, Field(ge=0, le=200)]] = Field(
        default_factory=dict, description="points a player put into a skill"
    )
    skills: dict[Name, Annotated[float, Field(ge=0, le=400)]] = Field(
        default_factory=dict, description="given outright; those left out are generated"
    )


class Crew(Table):
    """``crew = {…}``: people generated for a team."""

    size: int = Field(5, ge=1, le=100)
    rarity: Literal["common", "rare", "epic", "legendary"] = "rare"
    classes: Many[CharacterClass] = Field(
        ("leader", "gatherer", "guard", "scout", "member"), description="taken in turn"
    )


class Card(Table):
    """``[[cards]]``: equipment, a vehicle or a starship that teams take into battle (BAT-1)."""

    id: Name
    kind: Literal["vehicle", "equipment", "starship"]
    power: dict[Trait, Annotated[int, Field(ge=0, le=1000)]] = Field(
        default_factory=dict, description="Power in each trait; 0 where it is not named"
    )
    health: int | None = Field(
        None, ge=1, le=1000, description="Combat Health of a vehicle, if not that of the rules"
    )


class Relation(Table):
    """``[[relations]]``: how two factions stand to each other (BAT-18)."""

    between: Pair[Name, Name]
    relation: Literal["war", "peace", "avoid"]


class Team(Table):
    """``[[colonies.teams]]``: an away team, or several alike."""

    id: Name
    count: int = Field(1, ge=1, le=20_000, description="this many teams alike: id_1, id_2, …")
    profile: ProfileName = "gathering"
    mission: Name = Field("gather", description="a table of [missions]")
    vehicles: int = Field(0, ge=0, le=1000, description="transports: they carry (TEAM-7)")
    cards: Many[Name] = Field((), description="ids of [[cards]], taken into battle")
    members: Many[Member] = ()
    crew: Crew | None = Field(None, description="generated people, beside the members given")

    def names(self) -> list[str]:
        """The ids of the teams this table stands for: its own, or ``id_1``, ``id_2`` and so on."""
        return [self.id] if self.count == 1 else [f"{self.id}_{n + 1}" for n in range(self.count)]


class ScriptLine(Table):
    """``[[colonies.script]]``: an order for the policy ``scripted``."""

    day: int = Field(ge=1, description="the first day on which the order may be carried out")
    team: Name
    mission: Name | None = None
    target: SectorId


class Colony(Table):
    """``[[colonies]]``: where teams come home to."""

    id: Name
    sector: SectorId | None = Field(None, description="where it stands; drawn if absent")
    faction: Name | None = Field(None, description="its own id if absent")
    policy: Name = Field("nearest", description="which team goes where")
    targets: Many[SectorId] | None = Field(None, description="sectors to work; all if absent")
    at_home: Literal["rest", "contribute"] = Field("rest", description="DAY-1")
    worn_teams: Literal["rest", "reform"] = Field("rest", description="FAT-8")
    stores: dict[Name, Units] = Field(default_factory=dict)
    teams: Many[Team] = ()
    script: Many[ScriptLine] = ()


class Intervention(Table):
    """``[[interventions]]``: something that changes on a date."""

    name: str = Field("intervention", min_length=1, max_length=80, description="for the log")
    day: int = Field(ge=1, le=1_000_000, description="from the dawn of this day on")
    until: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        description="the last day on which ``set`` holds; for good if absent",
    )
    changes: dict[str, Any] = Field(
        default_factory=dict, alias="set", description="values by dotted key of the scenario"
    )
    stocks: dict[str, dict[Name, Units]] = Field(
        default_factory=dict,
        description="units in the ground from then on, by place and ingredient",
    )
    teams: dict[Name, Many[Team]] = Field(
        default_factory=dict, description="new teams, by the id of their colony"
    )
    colonies: Many[Colony] = Field((), description="new colonies, with their teams")


class Record(Table):
    """``[record]``: what a run keeps. Changes nothing of what happens."""

    level: Literal["debug", "info", "warning"] = Field("info", description="of the event log")
    teams_every_days: int = Field(7, ge=1, le=100_000, description="cadence of the teams table")
    segment_days: int = Field(90, ge=1, le=100_000, description="days in one part of the log")


class Scenario(Table):
    """A whole scenario, as validated."""

    schema_version: Literal[1] = Field(alias="schema", description="of this format: 1")
    campaign: Campaign
    planet: Planet = Field(default_factory=Planet)
    ingredients: Many[Ingredient] = Field(min_length=1)
    wildlife: Many[Animal] = ()
    event_tables: dict[Name, Many[Entry]] = Field(default_factory=dict)
    missions: Annotated[dict[Name, Mission], laid_over(_missions)] = Field(
        default_factory=_missions, description="those named after their kind are there anyway"
    )
    cards: Many[Card] = ()
    relations: Many[Relation] = ()
    colonies: Many[Colony] = Field(min_length=1)
    quotas: dict[Name, Units] = Field(
        default_factory=dict,
        description="units of an ingredient after which nobody gathers it until the year is over",
    )
    interventions: Many[Intervention] = ()
    rules: Rules = Field(default_factory=Rules)
    record: Record = Field(default_factory=Record)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from worldsim.scenario.showing import scenario_panel  # noqa: PLC0415 - seldom wanted

        return scenario_panel(self)


Plain = dict[str, Any]
"""TOML as parsed: tables, arrays and values that nobody has looked at yet."""
