"""All that changes in a world, as plain data that can be written down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from worldsim.errors import WorldsimError
from worldsim.world.contests import Contests  # noqa: TC001 - msgspec reads it at run time
from worldsim.world.fitness import misfits
from worldsim.world.layout import ColonyRecord, TeamRecord, colony_of, team_of
from worldsim.world.teams import refresh
from worldsim.world.weather import Sky

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.scenario.model import Scenario
    from worldsim.world.colonies import Colony
    from worldsim.world.teams import Team
    from worldsim.world.world import World

    Someone = TypeVar("Someone", Colony, Team)

VERSION = 1


class UnfitStateError(WorldsimError):
    """A state that was written down does not belong to the world that is to have it."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def __str__(self) -> str:
        return f"this state cannot be gone on from: {self.what}"


class State(msgspec.Struct, kw_only=True):
    """What a checkpoint holds. The map follows from scenario and seed; chance has no state.

    Attributes:
        version: Of this layout.
        day: Days that have ended.
        seq: Number of the next event.
        left, carried: Of the reserves.
        regrown, eaten, lost: Of the ledger.
        sky: Name and difficulty of each region's weather.
        eased, built: Of construction in sectors.
        contests: Control of sectors, battles, and who sat where at the end of last week.
        taken: Units gathered this year, by ingredient; none of them in states older than quotas.
    """

    version: int
    day: int
    seq: int
    left: list[list[int]]
    carried: list[list[float]]
    regrown: list[int]
    eaten: list[int]
    lost: list[int]
    sky: dict[str, tuple[str, int]]
    eased: dict[str, int]
    built: dict[str, int]
    contests: Contests
    colonies: list[ColonyRecord]
    teams: list[TeamRecord]
    taken: list[int] = []


def taken_from(world: World, seq: int) -> State:
    """The state of a world at midnight; shares its lists, so write it before going on."""
    ledger = world.ledger
    # They have the fields of their records, and are encoded as these.
    colonies: Any = world.colonies
    teams: Any = world.teams
    return State(
        version=VERSION,
        day=world.day,
        seq=seq,
        left=world.reserves.left,
        carried=world.reserves.carried,
        regrown=ledger.regrown,
        eaten=ledger.eaten,
        lost=ledger.lost,
        sky={region: (sky.name, sky.difficulty) for region, sky in world.sky.items()},
        eased=world.eased,
        built=world.built,
        contests=world.contests,
        colonies=colonies,
        teams=teams,
        taken=world.taken,
    )


def as_remembered(memory: Any) -> Any:
    """A policy's memory as it comes back from a checkpoint: a copy of its own.

    Raises:
        TypeError: it is more than JSON can say: numbers that are finite, texts, true, false, null,
            lists, and dicts whose keys are texts.
        OverflowError: a whole number takes more than 64 bits.
    """
    copy = msgspec.json.decode(msgspec.json.encode(memory))
    msgspec.msgpack.encode(copy)  # as a checkpoint will
    if copy != memory:
        raise TypeError("a memory must be finite numbers, texts, lists and dicts by text, as JSON")
    return copy


def packed(world: World, seq: int) -> bytes:
    """The state of a world as MessagePack."""
    return msgspec.msgpack.encode(taken_from(world, seq))


def restore(world: World, data: bytes, *, joined: bool = False) -> int:
    """Put a world, as it was founded from the same map, into a state that was written down.

    Args:
        world: Just built. What follows from its scenario alone stays as it is. Its colonies and
            teams come into the order of the state.
        data: As `packed` made it.
        joined: Colonies and teams that the state does not know are new: they come last.

    Returns:
        The number of the next event.

    Raises:
        UnfitStateError: it is none, comes from a later worldsim, or from another world.
    """
    try:
        state = msgspec.msgpack.decode(data, type=State)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UnfitStateError(f"it cannot be read: {error}") from error
    if state.version != VERSION:
        raise UnfitStateError(f"it has layout {state.version}, this worldsim knows {VERSION}")
    colonies = _ordered("colonies", world.colonies, state.colonies, joined=joined)
    teams = _ordered("teams", world.teams, state.teams, joined=joined)
    world.people(colonies, teams)
    _check_fit(world, state)
    reserves, ledger = world.reserves, world.ledger
    for row, units in zip(reserves.left, state.left, strict=True):
        row[:] = units  # in place: others share these lists
    reserves.carried = state.carried
    ledger.regrown, ledger.eaten, ledger.lost = state.regrown, state.eaten, state.lost
    world.sky = {region: Sky(*sky) for region, sky in state.sky.items()}
    world.eased, world.built, world.contests = state.eased, state.built, state.contests
    world.people(
        [*map(colony_of, state.colonies), *colonies[len(state.colonies) :]],
        [*map(team_of, state.teams), *teams[len(state.teams) :]],
    )
    world.taken = state.taken or world.taken
    world.day = state.day
    return state.seq


def _ordered(
    what: str, founded: list[Someone], held: Sequence[ColonyRecord | TeamRecord], *, joined: bool
) -> list[Someone]:
    """Those founded, in the order of a state; then those it does not know.

    Raises:
        UnfitStateError: some of the state's are not there, or more are than there may be.
    """
    by_id = {each.id: each for each in founded}
    known = dict.fromkeys(each.id for each in held)
    others = [each for each in founded if each.id not in known]
    if not known.keys() <= by_id.keys() or len(known) != len(held) or (others and not joined):
        raise UnfitStateError(f"it is of a world with other {what}")
    return [by_id[name] for name in known] + others


def _check_fit(world: World, state: State) -> None:
    """The world must have the same places and ingredients, in the same order."""
    shape = [len(row) for row in world.reserves.left]
    kinds = len(world.ingredients)
    for name, ours, theirs in (
        ("places or ingredients", shape, [len(row) for row in state.left]),
        ("places or ingredients", shape, [len(row) for row in state.carried]),
        ("ingredients", [kinds] * 3, [len(b) for b in (state.regrown, state.eaten, state.lost)]),
        ("ingredients", kinds, len(state.taken) or kinds),
    ):
        if ours != theirs:
            raise UnfitStateError(f"it is of a world with other {name}")
    for what in misfits(world, state):
        raise UnfitStateError(what)


def revise(world: World, before: Scenario, founded: list[Team]) -> None:
    """Work out anew what follows from the scenario, in a world whose state another one left.

    Teams keep what they are and have; what they are worth, their profile and what they are usually
    sent for is as the new scenario says. A colony whose policy changed forgets what the old one
    remembered.

    Args:
        world: In the state that was left.
        before: The scenario that left it.
        founded: The teams as the new scenario founds them, in any order.

    Raises:
        UnfitStateError: missions of the old scenario are missing in the new one.
    """
    scenario = world.scenario
    if list(before.missions) != list(scenario.missions)[: len(before.missions)]:
        raise UnfitStateError("missions may be added, but not taken away or put in another order")
    usual = {team.id: team for team in founded}
    for team in world.teams:
        new = usual[team.id]
        team.profile, team.mission = new.profile, new.mission
        refresh(team, world.rules)
        team.load = sum(team.rations) * scenario.rules.teams.ration_weight + sum(
            units * weight for units, weight in zip(team.cargo, world.unit_weights, strict=True)
        )
    policy = {old.id: old.policy for old in before.colonies}
    for colony, now in zip(world.colonies, scenario.colonies, strict=True):
        if policy.get(colony.id) != now.policy:
            colony.memory = None
