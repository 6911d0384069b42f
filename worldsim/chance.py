"""Keyed streams of chance: the only place from which worldsim draws.

A stream depends on the seed, a purpose, an entity, a day and a number, and on nothing else. So no
random state needs saving, one more team moves nobody's dice, and one day of one team can be looked
at alone. The numbers are the raw words of a counter-based generator (Philox 4x64), which numpy
keeps for ever, turned into floats in [0, 1) of 53 bits.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import chain
from struct import Struct, unpack
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

# Draws a day keeps ready for the purposes of every day, each a divisor of FIRST_FETCH and a
# multiple of WORDS_A_BLOCK; a stream that needs more goes on in a further counter block. Others are
# drawn when asked. These widths are part of what a seed means: changing one changes every run.
WIDTH: Final = {
    "order": 4,
    "weather": 4,
    "survival": 8,
    "travel": 8,
    "wildlife": 8,
    "gather": 64,
    "battle": 64,
}
DEFAULT_WIDTH: Final = 16
WORDS_A_BLOCK: Final = 4  # what one step of Philox 4x64's counter yields
# Floats drawn at once, for the days to come. Setting the generator costs as much as 500 of them, so
# whoever comes back gets more, unless there are many. What is drawn does not depend on these.
FIRST_FETCH: Final = 256
NEXT_FETCH: Final = 1024
FEW_KEPT: Final = 16_384  # fetches, at most 128 MiB
MOST_KEPT = 65_536  # likewise, at most 224 MiB
MOST_COLUMNS: Final = 65_536  # floats that ``firsts`` keeps ready for one purpose, about 2 MiB
_SHIFT = np.uint64(11)  # a float has 53 bits of a word's 64
_STEP: Final = 2.0**-53


class Fetch:
    """The floats of one purpose and entity for the days from ``first`` to before ``end``."""

    __slots__ = ("end", "first", "floats")

    def __init__(self, first: int, end: int, floats: bytes) -> None:
        self.first = first
        self.end = end
        self.floats = floats


class Shelf:
    """What is kept of one purpose: caches, without which all is the same.

    Attributes:
        width: Draws a day.
        bytes: What they take.
        read: Those that begin at some byte, as a tuple.
        kept: The latest fetch of each entity.
        keys: The generator's key of each entity.
        columns: What ``firsts`` found for some days from ``day`` on, for these ``entities``.
    """

    __slots__ = ("bytes", "columns", "day", "entities", "kept", "keys", "read", "width")

    def __init__(self, width: int) -> None:
        self.width = width
        floats = Struct(f"{width}d")
        self.bytes = floats.size
        self.read = floats.unpack_from
        self.clear()

    def clear(self) -> None:
        """Keep nothing."""
        self.kept: dict[str, Fetch] = {}
        self.keys: dict[str, npt.NDArray[np.uint64]] = {}
        self.entities: list[str] = []
        self.day = 0
        self.columns: list[list[float]] = []


class Chance:
    """All chance of one run.

    Args:
        seed: Any whole number, at most 64 bits.
    """

    __slots__ = ("_counter", "_number", "_philox", "_shelves", "_state", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._philox = np.random.Philox(0)
        self._counter = np.zeros(4, np.uint64)
        # The buffer counts as used up, so that the next word is made from the counter.
        self._state: Any = dict(self._philox.state) | {"buffer_pos": WORDS_A_BLOCK}
        self._shelves = {purpose: Shelf(width) for purpose, width in WIDTH.items()}
        self._number = 0  # of fetches kept

    def at(self, purpose: str, entity: str, day: int, nth: int = 0) -> Iterator[float]:
        """The stream of one purpose for one entity on one day.

        Args:
            purpose: What the draws decide, such as ``survival``.
            entity: Whose draws they are: the id of a team, a region, a colony.
            day: The day, from 0 (before the first) on.
            nth: Tells apart several occasions of one day, such as a second duel.

        Returns:
            An endless iterator of floats in [0, 1). Asking again gives the same floats.
        """
        ready, later = self.parts(purpose, entity, day, nth)
        return chain(ready, later)

    def parts(
        self, purpose: str, entity: str, day: int, nth: int = 0
    ) -> tuple[tuple[float, ...], Pages]:
        """What ``at`` gives in two parts: the floats that are ready, and all that follow them.

        For those who draw often: a tuple is read faster than an iterator.
        """
        shelf = self._shelves.get(purpose)
        if nth or shelf is None:
            return (), Pages(self, purpose, entity, day, nth, 0)
        fetch = self._fetch(shelf, purpose, entity, day)
        ready: tuple[float, ...] = shelf.read(fetch.floats, (day - fetch.first) * shelf.bytes)
        return ready, Pages(self, purpose, entity, day, 0, 1)

    def first(self, purpose: str, entity: str, day: int) -> float:
        """The first float of a stream, for what is asked every day and needs no more.

        Raises:
            KeyError: the purpose has no width, so its streams are not kept ready.
        """
        shelf = self._shelves[purpose]
        fetch = self._fetch(shelf, purpose, entity, day)
        floats: tuple[float, ...] = shelf.read(fetch.floats, (day - fetch.first) * shelf.bytes)
        return floats[0]

    def firsts(self, purpose: str, entities: list[str], day: int) -> list[float]:
        """``first`` of many entities at once, for what is asked of the same ones every day.

        Raises:
            KeyError: the purpose has no width.
        """
        shelf = self._shelves[purpose]
        if shelf.entities != entities:  # they may be others again tomorrow
            shelf.entities, shelf.columns = list(entities), []
            return [self.first(purpose, entity, day) for entity in entities]
        if not 0 <= day - shelf.day < len(shelf.columns):
            self._set_columns(shelf, purpose, day)
        return shelf.columns[day - shelf.day]

    def _set_columns(self, shelf: Shelf, purpose: str, day: int) -> None:
        """Find the first floats of as many days as all the entities have ready."""
        fetches = [self._fetch(shelf, purpose, entity, day) for entity in shelf.entities]
        days = min([each.end for each in fetches], default=day + 1) - day
        days = max(1, min(days, MOST_COLUMNS // max(1, len(fetches))))
        firsts = np.empty((days, len(fetches)))
        for i, each in enumerate(fetches):
            of_days = np.frombuffer(each.floats).reshape(-1, shelf.width)[:, 0]
            firsts[:, i] = of_days[day - each.first :][:days]
        shelf.columns, shelf.day = firsts.tolist(), day

    def floats(
        self, purpose: str, entity: str, block: int, page: int, nth: int, count: int
    ) -> bytes:
        """So many floats of a purpose and entity, from a place in their counter on, as an array.

        Args:
            purpose: What they decide.
            entity: Whose they are.
            block: The counter's first word: four floats each.
            page: Its second.
            nth: Its third.
            count: How many, a multiple of 4.
        """
        shelf = self._shelves.get(purpose)
        key = shelf.keys.get(entity) if shelf else None
        if key is None:
            key = self._key(purpose, entity)
            if shelf:  # the others are asked for seldom
                shelf.keys[entity] = key
        counter = self._counter
        counter[0], counter[1], counter[2] = block, page, nth
        # Setting the state of one generator is five times as fast as making one for each key.
        self._state["state"] = {"counter": counter, "key": key}
        self._philox.state = self._state
        words = self._philox.random_raw(count)
        words >>= _SHIFT
        floats = words.astype(np.float64)
        floats *= _STEP
        return floats.tobytes()

    def _fetch(self, shelf: Shelf, purpose: str, entity: str, day: int) -> Fetch:
        """The floats of a day and more, drawn at once and kept while there is room."""
        kept = shelf.kept.get(entity)
        if kept is not None and kept.first <= day < kept.end:
            return kept
        count = NEXT_FETCH if kept is not None and self._number <= FEW_KEPT else FIRST_FETCH
        floats = self.floats(purpose, entity, day * shelf.width // WORDS_A_BLOCK, 0, 0, count)
        if kept is None:
            if self._number >= MOST_KEPT:
                for each in self._shelves.values():
                    each.clear()
                self._number = 0
            self._number += 1
        kept = shelf.kept[entity] = Fetch(day, day + count // shelf.width, floats)
        return kept

    def _key(self, purpose: str, entity: str) -> npt.NDArray[np.uint64]:
        """128 bits of the words: never ``hash()``, which differs between processes."""
        words = "\x1f".join((str(self.seed), purpose, entity))
        return np.frombuffer(blake2b(words.encode(), digest_size=16).digest(), dtype="<u8")


class Pages:
    """The floats of a day's stream that are not kept: each page a counter block of its own.

    Nothing is drawn before somebody iterates over it.
    """

    __slots__ = ("_chance", "_day", "_entity", "_nth", "_page", "_purpose")

    def __init__(
        self, chance: Chance, purpose: str, entity: str, day: int, nth: int, page: int
    ) -> None:
        self._chance = chance
        self._purpose = purpose
        self._entity = entity
        self._day = day
        self._nth = nth
        self._page = page

    def __iter__(self) -> Iterator[float]:
        width = WIDTH.get(self._purpose, DEFAULT_WIDTH)
        block, page = self._day * width // WORDS_A_BLOCK, self._page
        while True:
            yield from unpack(
                f"{width}d",
                self._chance.floats(self._purpose, self._entity, block, page, self._nth, width),
            )
            page += 1
