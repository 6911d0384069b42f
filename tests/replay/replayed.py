"""A run told twice: by its world, and by its log folded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from worldsim.events.folding import Tally, TeamTally, fold
from worldsim.processes.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldsim.events.kinds import Amounts, Level
    from worldsim.scenario import Scenario
    from worldsim.world.teams import Team
    from worldsim.world.world import World

HARSH = Path(__file__).with_name("harsh.toml")


class Midnight(NamedTuple):
    """The end of a day: all lines so far, what they fold to, and the simulation itself."""

    day: int
    lines: list[bytes]
    tally: Tally
    simulation: Simulation


def midnights(scenario: Scenario, days: int, level: Level = "info") -> Iterator[Midnight]:
    """Each midnight of a run, its log folded on from the one before."""
    lines: list[bytes] = []
    simulation = Simulation(
        scenario,
        seed=scenario.campaign.seed,
        write=lambda chunk: lines.extend(chunk.splitlines(keepends=True)),
        level=level,
    )
    tally, folded = Tally(), 0
    for day in range(1, days + 1):
        simulation.advance()
        fold(lines[folded:], onto=tally)
        for team in tally.teams.values():
            team.members.sort()  # the world keeps the fallen apart, and so loses their order
        folded = len(lines)
        yield Midnight(day, lines, tally, simulation)


def tally_of(simulation: Simulation, last_day: int) -> Tally:
    """What folding should give, read off the world. ``last_day`` is that of the last event."""
    world = simulation.world
    names, ledger = world.ingredients, world.ledger
    return Tally(
        seq=simulation.journal.seq,
        day=last_day,
        region_of={place.id: place.region for place in world.places},
        stocks={
            place.id: amounts(names, row)
            for place, row in zip(world.places, world.reserves.left, strict=True)
        },
        sites={colony.id: colony.sector for colony in world.colonies},
        stores={colony.id: amounts(names, colony.store) for colony in world.colonies},
        teams={team.id: _team(world, team) for team in world.teams},
        control={sector: held.faction for sector, held in world.contests.control.items()},
        initial=amounts(names, ledger.initial),
        regrown=amounts(names, ledger.regrown),
        eaten=amounts(names, ledger.eaten),
        lost=amounts(names, ledger.lost),
    )


def _team(world: World, team: Team) -> TeamTally:
    people = [*world.living(team), *team.infirmary]
    return TeamTally(
        colony=team.colony,
        place=team.place,
        members=sorted(member.name for member in people),
        status=team.status,
        cargo=amounts(world.ingredients, team.cargo),
        rations=amounts(world.ingredients, team.rations),
    )


def amounts(names: Sequence[str], row: Sequence[int]) -> Amounts:
    """Units by ingredient, where there is at least one."""
    return {name: units for name, units in zip(names, row, strict=True) if units}
