"""Questions to a run: answered within seconds, from bounded memory, by a bounded number of rows.

Each has a cursor of its own, so that several can be asked at once, and a watch that stops it.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition, Event, Thread
from typing import TYPE_CHECKING, Any

import duckdb

from worldsim.runs import duck

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldsim.runs.reading import Run

MEMORY = "2GB"
WITHIN_S = 10.0
AGAIN_S = 0.05  # a stop between two statements stops nothing, so it is repeated
MOST_ROWS = 1000


class TooLongError(duck.QueryError):
    """A question that was not answered in time, and was given up."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"it was stopped after {seconds:g} s without an answer; ask for less")
        self.seconds = seconds
        self.args = (seconds,)  # what this class takes, for whoever builds it again


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found.

    Attributes:
        columns: Their names.
        rows: Not more than were asked for.
        more: Whether there are more.
    """

    columns: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    more: bool


class Asker:
    """A database of one run as it is now, that several threads may ask at the same time.

    Args:
        run: The run.
        memory: The most that all questions together may need, as DuckDB writes it.

    Raises:
        WorldsimError: a part of the run is damaged.
    """

    def __init__(self, run: Run, *, memory: str = MEMORY) -> None:
        self._connection = run.connection(memory=memory)
        # DuckDB refuses two calls to a connection at once, and to close one whose cursor is busy.
        self._free = Condition()
        self._asked: list[duckdb.DuckDBPyConnection] = []

    def ask(self, sql: str, *, most: int = MOST_ROWS, within_s: float = WITHIN_S) -> Answer:
        """Rows of one SELECT of ours, in which conditions of a stranger may stand.

        Such a condition must have passed `duck.check_condition`: below the top of a statement
        DuckDB writes nothing. It is not explained first, as `Run.query` does, since that can take
        for ever (of ``repeat('x', 1000000000)``) and heeds no stop.

        Args:
            sql: Over ``events``, ``stocks``, ``takings`` and ``teams``.
            most: Rows wanted.
            within_s: Seconds after which it is given up.

        Raises:
            QueryError: it is wrong, may not be run, or needs too much memory.
            TooLongError: it takes too long.
        """
        try:
            with self._cursor() as cursor, _watched(cursor, within_s):
                _refuse_others(cursor, sql)
                cursor.execute(sql)
                found = cursor.fetchmany(most + 1)
                names = tuple(column[0] for column in cursor.description or ())
                return Answer(names, found[:most], len(found) > most)
        except duckdb.Error as error:
            raise duck.QueryError(duck.said(error, excerpt=False)) from error

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor for one question."""
        with self._free:
            cursor = self._connection.cursor()
            self._asked.append(cursor)
        try:
            yield cursor
        finally:
            with self._free:
                self._asked.remove(cursor)
                cursor.close()
                self._free.notify_all()

    def close(self) -> None:
        """Stop what is being asked, and let go of the run's files."""
        with self._free:
            while self._asked:
                for cursor in self._asked:
                    cursor.interrupt()
                self._free.wait(AGAIN_S)
            self._connection.close()


def _refuse_others(cursor: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Refuse what is not one SELECT."""
    statements = cursor.extract_statements(sql)
    if [each.type for each in statements] != [duckdb.StatementType.SELECT]:
        raise duck.QueryError(f"{duck.ALLOWED}, and this is none")


@contextmanager
def _watched(cursor: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    """A context that is left by `TooLongError` if what is asked in it takes too long."""
    done, late = Event(), Event()

    def watch() -> None:
        if done.wait(seconds):
            return
        late.set()
        while not done.wait(AGAIN_S):
            cursor.interrupt()

    watcher = Thread(target=watch, name="watch", daemon=True)
    watcher.start()
    try:
        yield
    except (duckdb.Error, duck.QueryError) as error:
        if late.is_set():
            raise TooLongError(seconds) from error
        raise
    finally:
        done.set()
        watcher.join()
