"""Whether a state that was written down can be one of this world.

A checkpoint is believed as far as its checksum goes, and anybody can make one that fits. So what
the simulation takes for granted is looked at here, before it goes on for ever or falls over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.rules.faces import EXTRA_DICE
from worldsim.rules.teams import ATTRIBUTES, USES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from worldsim.world.contests import Contests
    from worldsim.world.layout import ColonyRecord, TeamRecord, TripRecord
    from worldsim.world.state import State
    from worldsim.world.teams import Team
    from worldsim.world.world import World

AWAY = frozenset({"outbound", "on_site", "homeward", "lost", "in_battle"})
DICE = frozenset({0, *EXTRA_DICE})
MOST_DICE = 1000


def misfits(world: World, state: State) -> Iterator[str]:
    """What of a state cannot be in a world with these places, ingredients, colonies and teams."""
    regions = set(world.atlas.regions)
    if not state.sky.keys() <= regions or (state.day and state.sky.keys() != regions):
        yield "the weather is not that of its regions"
    if not _known(world, (*state.eased, *state.built)):
        yield "something was built in a place it has not"
    if min((units for row in state.left for units in row), default=0) < 0:
        yield "less than nothing is in the ground"
    for held, colony in zip(state.colonies, world.colonies, strict=False):  # new ones come last
        if (held.sector, held.faction) != (colony.sector, colony.faction):
            yield f"{held.id} stands elsewhere, or for others"
        yield from _of_colony(world, held)
    for record, team in zip(state.teams, world.teams, strict=False):
        yield from (f"{record.id} {what}" for what in _of_team(world, record, team))
    yield from _of_contests(world, state.contests)


def _of_colony(world: World, held: ColonyRecord) -> Iterator[str]:
    if not _amounts(world, held.store):
        yield f"the store of {held.id} is none"
    if not _known(world, (*held.mapped, *held.explored, *held.yields)):
        yield f"{held.id} knows a place that it has not"


def _of_team(world: World, record: TeamRecord, team: Team) -> Iterator[str]:
    """What of a team cannot be.

    Args:
        world: Its world.
        record: As it was written down.
        team: As it was founded.
    """
    if record.colony != team.colony:
        yield f"belongs to {record.colony}"
    if not _known(world, (record.place,)):
        yield f"is in {record.place}, which is nowhere"
    if not (_amounts(world, record.cargo) and _amounts(world, record.rations)):
        yield "carries what nobody can carry"
    if any(len(each) not in {0, len(ATTRIBUTES)} for each in (record.resilience, record.base)):
        yield "has another number of attributes"
    if not (_pools(record.plain) and _pools(record.profiled)):
        yield "has pools of dice that are none"
    if record.mission not in world.scenario.missions:
        yield f"is meant for {record.mission}"
    if record.trip is not None:
        yield from _of_trip(world, record.trip)
    elif record.status in AWAY:
        yield "is away without a trip"


def _of_trip(world: World, trip: TripRecord) -> Iterator[str]:
    if trip.mission not in world.scenario.missions:
        yield f"is out for {trip.mission}"
    if not _known(world, (trip.target, *trip.regions)):
        yield "is on its way through places it has not"
    if len(trip.regions) != len(trip.ends):
        yield "is on a way whose stretches do not fit"


def _of_contests(world: World, contests: Contests) -> Iterator[str]:
    teams = {team.id for team in world.teams}
    fighting = [name for battle in contests.battles.values() for name in battle.teams]
    duels = [(each, team) for each in contests.battles.values()
             for team in (each.attacker, each.defender)]  # fmt: skip
    if any(team not in (None, *battle.teams) for battle, team in duels):
        yield "somebody fights in a battle of others"
    if not {*fighting, *contests.last_week} <= teams:
        yield "somebody fights who was never founded"
    if not _known(world, (*contests.control, *contests.battles, *contests.last_week.values())):
        yield "somebody controls a place that it has not"


def _known(world: World, places: Iterable[str]) -> bool:
    return all(place in world.index for place in places)


def _amounts(world: World, row: Sequence[int]) -> bool:
    return len(row) == len(world.ingredients) and min(row, default=0) >= 0


def _pools(pools: Sequence[tuple[int, int]]) -> bool:
    """One for each use: a number of d6, and the sides of one other die or 0."""
    return len(pools) == len(USES) and all(
        0 <= number <= MOST_DICE and sides in DICE and (number or sides) for number, sides in pools
    )
