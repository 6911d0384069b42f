"""All that changes in a world, as plain data that can be written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from worldsim.world.colonies import Colony  # noqa: TC001 - msgspec reads it at run time
from worldsim.world.contests import Contests  # noqa: TC001 - likewise
from worldsim.world.teams import Team  # noqa: TC001 - likewise

if TYPE_CHECKING:
    from worldsim.world.world import World

VERSION = 1


@dataclass(slots=True)
class State:
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
    colonies: list[Colony]
    teams: list[Team]


def taken_from(world: World, seq: int) -> State:
    """The state of a world at midnight; shares its lists, so write it before going on."""
    ledger = world.ledger
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
        colonies=world.colonies,
        teams=world.teams,
    )


def packed(world: World, seq: int) -> bytes:
    """The state of a world as MessagePack."""
    return msgspec.msgpack.encode(taken_from(world, seq))
