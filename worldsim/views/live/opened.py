"""A run that is looked at: asked by several threads, its pictures made once."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from functools import cached_property
from itertools import islice
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from worldsim.runs.asking import Answer, Asker
from worldsim.runs.causes import causes_of
from worldsim.runs.reading import Run
from worldsim.runs.replaying import replayed
from worldsim.runs.stranger import Stranger
from worldsim.views.pictures import run_picture

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from worldsim.runs.causes import Chain
    from worldsim.runs.manifest import Manifest
    from worldsim.runs.summary import Summary
    from worldsim.scenario.model import Scenario
    from worldsim.views.pictures.picture import Picture

Made = TypeVar("Made")
MOST_KEPT = 64
PATIENCE = 5  # times as long as opening took


class OpenedRun:
    """A run as it was when it was opened.

    A database is asked by one thread at a time, except through the `Asker`, which has a cursor for
    each question.

    Args:
        name: As the page calls it.
        path: Its folder.
        version: Of its files; another one means that there is more to see.

    Attributes:
        took_s: Seconds that opening it took, its database included.
        prepared: While a large log is put into its cache: the share that is done.
    """

    def __init__(self, name: str, path: Path, version: str) -> None:
        self.name = name
        self.path = path
        self.version = version
        self.took_s = 0.0
        self.prepared: float | None = None
        self._opened_at = time.monotonic()
        self._run = Run.open(path, on_cached=self._note)
        self._tables = Run.open(path)  # they are there long before a large log is
        self._tabling = RLock()
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._reading = RLock()
        self._connecting = RLock()
        self._keeping = RLock()
        self._stranger = Stranger(path)

    def is_fresh(self, seconds: float) -> bool:
        """Whether it need not be opened anew, even if it changed meanwhile."""
        age = time.monotonic() - self._opened_at
        return age < max(seconds, PATIENCE * self.took_s)

    @property
    def manifest(self) -> Manifest:
        """What the run is, and how far it is."""
        return self._run.manifest

    @cached_property
    def state(self) -> str:
        """Its status; ``interrupted`` where nobody writes a running one."""
        return self._run.state

    def ask(
        self,
        sql: str,
        *,
        most: int = 1000,
        within_s: float = 10.0,
        stranger: bool = False,
        log: bool = True,
    ) -> Answer:
        """Rows of a question; as `Asker.ask`.

        Args:
            sql: One SELECT.
            most: Rows wanted.
            within_s: Seconds after which it is given up.
            stranger: Whether a condition that somebody typed is in it.
            log: Whether ``events`` are asked; the tables alone are there sooner.
        """
        if not log:
            with self._tabling:
                return _answer(self._tables, sql, most)
        asked: Asker | Stranger = self._stranger if stranger else self._asker
        return asked.ask(sql, most=most, within_s=within_s)

    def remembered(self, key: Any, make: Callable[[], Made]) -> Made:
        """What was made before under this key, or is made now, by several threads at once."""
        found: Made | None = self._kept.get(key)
        if found is None:
            found = make()
            self._keep(key, found)
        return found

    def expect_strangers(self) -> None:
        """Prepare for conditions that somebody types."""
        self._stranger.warm()

    def close(self) -> None:
        """End the process that answers strangers."""
        self._stranger.close()

    def interrupt(self) -> None:
        """Stop whatever is asked."""
        if "_made_asker" in self.__dict__:
            self._made_asker.close()

    @property
    def scenario(self) -> Scenario:
        """What was simulated."""
        with self._tabling:
            return self._tables.scenario

    def summary(self) -> Summary:
        """What became of the campaign."""
        return self._once("summary", self._run.summary)

    def picture(self, name: str, ingredient: str | None = None) -> Picture | None:
        """A picture by its name, or None where there is nothing to show."""
        key = ("picture", name, ingredient)
        return self._once(key, lambda: run_picture(self._run, name, ingredient=ingredient))

    def causes(self, seq: int, *, rolls: bool = True) -> Chain:
        """What led to an event."""
        return self._once(("causes", seq, rolls), lambda: causes_of(self._run, seq, rolls=rolls))

    def replay(self, day: int) -> list[dict[str, Any]]:
        """All events and rolls of a day, simulated again."""
        made: Callable[[], list[dict[str, Any]]] = lambda: [  # noqa: E731 -- as the others
            json.loads(line) for line in replayed(self._run, [day])
        ]
        return self._once(("replay", day), made)

    def reading(self, what: Callable[[Run], Made]) -> Made:
        """What a function reads from the run, while nobody else reads it."""
        with self._reading:
            return what(self._run)

    @property
    def _asker(self) -> Asker:
        with self._connecting:
            return self._made_asker

    @cached_property
    def _made_asker(self) -> Asker:
        with self._reading:  # so that a large log is not put into its cache by two at once
            begun = time.monotonic()
            asker = Asker(Run.open(self.path, on_cached=self._note))
            self.took_s += time.monotonic() - begun
        return asker

    def _note(self, done: int, total: int) -> None:
        self.prepared = None if done >= total else done / total

    def _once(self, key: Any, make: Callable[[], Made]) -> Made:
        """What was made before under this key, or is made now; the oldest are forgotten."""
        with self._reading:
            if key not in self._kept:
                self._keep(key, make())
            found: Made = self._kept[key]
            return found

    def _keep(self, key: Any, made: Any) -> None:
        with self._keeping:
            self._kept[key] = made
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)


def _answer(run: Run, sql: str, most: int) -> Answer:
    relation = run.query(sql)
    rows = list(islice(run.rows(relation), most + 1))
    return Answer(tuple(relation.columns), rows[:most], len(rows) > most)
