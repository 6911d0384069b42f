"""The founding of the world, and what happens to places: weather, regrowth, maps."""

from worldsim.events.kinds.base import Amounts, Event, Pool


class CampaignStarted(Event, frozen=True, tag="campaign.started"):
    """The first event: which scenario and which seed."""

    campaign: str
    seed: int
    digest: str


class InterventionMade(Event, frozen=True, tag="intervention.made"):
    """Something of the scenario is different from this dawn on."""

    intervention: str


class InterventionEnded(Event, frozen=True, tag="intervention.ended"):
    """What an intervention changed for a time is as it was before."""

    intervention: str


class CampaignStopped(Event, frozen=True, tag="campaign.stopped"):
    """A condition of ``[campaign.stop]`` holds at the end of this day."""

    condition: str


class ReserveFounded(Event, frozen=True, tag="reserve.founded"):
    """The initial stock of one place (RES-1, RES-2)."""

    place: str
    region: str
    pool: Pool
    stock: Amounts


class ColonyFounded(Event, frozen=True, tag="colony.founded"):
    """A colony stands in a sector, with its starting store."""

    colony: str
    faction: str
    sector: str
    store: Amounts


class TeamFormed(Event, frozen=True, tag="team.formed"):
    """A team is ready at its colony."""

    team: str
    colony: str
    profile: str
    members: list[str]


class WeatherChanged(Event, frozen=True, tag="weather.changed"):
    """A region's weather differs from the day before (SURV-1)."""

    region: str
    weather: str
    difficulty: int


class ReserveRegrown(Event, frozen=True, tag="reserve.regrown"):
    """Units that grew back in one place since yesterday (RES-5)."""

    place: str
    grown: Amounts


class ReserveDepleted(Event, frozen=True, tag="reserve.depleted"):
    """The last unit of an ingredient was taken from a place."""

    place: str
    ingredient: str


class SectorMapped(Event, frozen=True, tag="sector.mapped"):
    """A sector's stock is known to a colony from now on (ACT-4)."""

    sector: str
    colony: str
    team: str


class SectorEased(Event, frozen=True, tag="sector.eased"):
    """Construction lowered a sector's survival difficulty for good (ACT-4)."""

    sector: str
    team: str
    difficulty: int


class ReserveAdjusted(Event, frozen=True, tag="reserve.adjusted"):
    """Somebody who branched a run, or an intervention, changed what is in the ground.

    What is removed counts as lost, what is added as regrown (RES-6).
    """

    place: str
    removed: Amounts
    added: Amounts
