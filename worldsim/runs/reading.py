"""Reading a run back: its tables, its lines, and SQL over both."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldsim.runs.places import NotARunError, near_run
from worldsim.runs.sources import FolderSource, parts_of_days, state_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from duckdb import DuckDBPyConnection, DuckDBPyRelation

    from worldsim.runs.manifest import Manifest, Status
    from worldsim.runs.sources import Attached, Source
    from worldsim.runs.summary import Summary
    from worldsim.scenario.model import Scenario


class Run:
    """A run: its manifest, scenario, tables and lines.

    What the tables show is as it was when the first of them was asked for. It is for one thread at
    a time; an `Asker` may be asked by several. The first question about the events of a large run
    puts them into its ``cache/``, and takes longer than those that follow.

    Args:
        source: Where the parts of the run are.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._cached: set[str] = set()  # files of a cache that are read

    @classmethod
    def open(cls, path: str | Path, *, on_cached: Callable[[int, int], None] | None = None) -> Run:
        """Open a run directory.

        Args:
            path: The folder.
            on_cached: Called when the events of a large run are asked for the first time, while
                they are put into its ``cache/``: with bytes of log done, and to be done.

        Raises:
            NotARunError: it is none.
            WorldsimError: it is damaged, or too new.
        """
        run = cls(FolderSource(Path(path), on_cached))
        try:
            run.manifest  # noqa: B018  # read now, so that a wrong path is refused here
        except NotARunError as error:
            raise NotARunError(error.path, near_run(Path(path))) from None
        return run

    @property
    def name(self) -> str:
        """The folder's name, or what it would be."""
        return self._source.name

    @property
    def path(self) -> Path | None:
        """The folder; None of a run in memory."""
        return self._source.path

    @cached_property
    def manifest(self) -> Manifest:
        """What the run is and how far it came."""
        return self._source.manifest()

    @property
    def state(self) -> Status:
        """Its status now; ``interrupted`` where nobody writes a running one any more."""
        status = self.manifest.status
        return status if self.path is None else state_of(status, self.path)

    @cached_property
    def scenario(self) -> Scenario:
        """What was simulated, every default and override written out."""
        return self._source.scenario()

    def events(self, kind: str | Sequence[str] | None = None) -> DuckDBPyRelation:
        """Events in their order, as a DuckDB relation (``.df()``, ``.pl()``, ``.fetchall()``).

        Args:
            kind: Name or names of kinds; the columns are those the kinds have. All if ``None``.

        Raises:
            UnknownKindError: a kind that does not exist.
        """
        from worldsim.runs import duck  # noqa: PLC0415  # as in _database

        self._forget_lost()
        kinds = [kind] if isinstance(kind, str) else kind
        attached = self._events
        sql = duck.events_sql(
            attached.segments, kinds, lines=attached.lines, cached=attached.cached
        )
        return self._database.sql(sql)

    def stocks(self) -> DuckDBPyRelation:
        """What is in the ground: the start as day 0, then each change as of its midnight."""
        return self._tables.table("stocks")

    def takings(self) -> DuckDBPyRelation:
        """Who took what, where, at what effort."""
        return self._tables.table("takings")

    def teams(self) -> DuckDBPyRelation:
        """The state of each team, at the cadence of the scenario."""
        return self._tables.table("teams")

    def query(self, sql: str) -> DuckDBPyRelation:
        """What one statement reads from ``events``, ``stocks``, ``takings`` and ``teams``.

        It can write nothing, and can open no file but those of this run.

        Raises:
            QueryError: it is wrong, or does more than read.
        """
        from worldsim.runs import duck  # noqa: PLC0415  # as in _database

        self._forget_lost()
        # Whoever does not name the log does not wait for it.
        whole = "events" in sql.lower() or "_locked_all" in self.__dict__
        return duck.reading(self._locked_all if whole else self._locked, sql)

    def connection(self, *, memory: str | None = None) -> DuckDBPyConnection:
        """A new database that reads this run, and can neither write nor open anything else.

        Args:
            memory: The most it may need, as DuckDB writes it (``2GB``); else most of the machine's.
        """
        return self._connect_locked(events=True, memory=memory)

    def rows(self, relation: DuckDBPyRelation) -> Iterator[tuple[Any, ...]]:
        """The rows of a relation, with errors in its data as `QueryError`."""
        from worldsim.runs import duck  # noqa: PLC0415  # as in _database

        return duck.rows(relation)

    def lines(self, *, follow: bool = False) -> Iterator[bytes]:
        """The event log as it is stored, line by line.

        Args:
            follow: Go on while the run is being written.
        """
        return self._source.lines(follow=follow)

    def summary(self) -> Summary:
        """What became of the campaign, in figures."""
        from worldsim.runs.summary import summary  # noqa: PLC0415  # as in _database

        return summary(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from worldsim.runs.showing import run_panel  # noqa: PLC0415  # as in _database

        return run_panel(self)

    def chunks(self) -> Iterator[bytes]:
        """The event log as it is now, in chunks of whole lines: quicker than line by line."""
        return self._source.chunks()

    def day_lines(self, first: int, last: int) -> Iterator[bytes]:
        """The stored lines of some days, 0 being the founding.

        Args:
            first: The first day wanted.
            last: The last one, included.

        Raises:
            DamagedLogError: one of them, or beside them, is no event.
        """
        from worldsim.runs.streams import day_of_line  # noqa: PLC0415  # as in _database

        for chunk in self._source.chunks(parts_of_days(first, last, self.manifest.segment_days)):
            for line in chunk.splitlines(keepends=True):
                if first <= day_of_line(self.name, line) <= last:
                    yield line

    @cached_property
    def _database(self) -> DuckDBPyConnection:
        # Imported here: whoever only lists runs or reads lines should not wait for a database.
        from worldsim.runs import duck  # noqa: PLC0415

        return duck.connect()

    @cached_property
    def _tables(self) -> DuckDBPyConnection:
        self._source.attach_tables(self._database)
        return self._database

    @cached_property
    def _events(self) -> Attached:
        attached = self._source.attach_events(self._database)
        self._cached.update(attached.cached)
        return attached

    @cached_property
    def _locked(self) -> DuckDBPyConnection:
        return self._connect_locked(events=False)

    @cached_property
    def _locked_all(self) -> DuckDBPyConnection:
        return self._connect_locked(events=True)

    def _connect_locked(self, *, events: bool, memory: str | None = None) -> DuckDBPyConnection:
        """A database that can read this run's tables, and its events if asked for, and no more."""
        from worldsim.runs import duck  # noqa: PLC0415  # as in _database

        connection = duck.connect(memory=memory)
        files = self._source.attach_tables(connection)
        if events:
            attached = self._source.attach_events(connection)
            sql = duck.events_sql(
                attached.segments, None, lines=attached.lines, cached=attached.cached
            )
            connection.execute(f"CREATE VIEW events AS {sql}")
            self._cached.update(attached.cached)
            files += [*attached.segments, *attached.cached]
        duck.lock(connection, files)
        return connection

    def _forget_lost(self) -> None:
        """A cache may be deleted at any time, by who prunes the run: then it is made anew."""
        if not all(map(os.path.exists, self._cached)):
            self._cached.clear()
            for name in ("_events", "_locked_all"):
                self.__dict__.pop(name, None)
