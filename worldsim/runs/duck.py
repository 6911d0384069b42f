"""DuckDB: connections, Parquet made and read, event lines as a table, SQL that can only read."""

from __future__ import annotations

import glob
import re
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import duckdb

from worldsim.errors import InputError
from worldsim.events.schema import columns
from worldsim.runs.disk import DiskError
from worldsim.runs.partfiles import DamagedPartError
from worldsim.runs.places import GZIP
from worldsim.runs.tables import TABLES
from worldsim.scenario.near import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from worldsim.runs.tables import Arrays

LINES = "event_lines"
"""A table of raw lines: of runs in memory, and of a segment that is still written."""


QUERIED = ("events", *TABLES)
"""The tables a query finds."""

READING = ("SELECT", "MULTI")  # DuckDB makes several statements of one PIVOT
ALLOWED = "One SELECT (FROM, PIVOT, DESCRIBE, SUMMARIZE) is allowed"
STARTS = (
    "select", "from", "with", "values", "table", "pivot", "unpivot", "describe", "summarize",
    "show", "(", "--", "/*",
)  # fmt: skip
"""What begins a statement that is allowed."""

_KIND = re.compile(r"^[A-Z][A-Za-z ]* Error: ")
_NO_TABLE = re.compile(r"Table with name (.*?) does not exist!")


class QueryError(InputError):
    """SQL that can't be run, or may not."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"the query cannot be run: {self.reason}"


def connect(threads: int | None = None, memory: str | None = None) -> duckdb.DuckDBPyConnection:
    """A database in memory that spills nothing to disk and loads nothing from anywhere.

    Args:
        threads: How many it may use; all if None.
        memory: How much, as DuckDB writes it (``2GB``); most of the machine's if None.
    """
    settings: dict[str, str | bool | int | float | list[str]] = {
        "temp_directory": "",
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    if threads is not None:
        settings["threads"] = threads
    if memory is not None:
        settings["memory_limit"] = memory
    connection = duckdb.connect(config=settings)
    connection.execute("SET parquet_metadata_cache = true")  # no option yet while it connects
    # Types of columns are told, never found out from their texts: a tenth of writing a part.
    connection.execute("SET pandas_analyze_sample = 0")
    return connection


def parquet(connection: duckdb.DuckDBPyConnection, table: str, rows: Arrays) -> bytes:
    """One part of a table as the bytes of a Parquet file.

    DuckDB writes files only, so the bytes go through a scratch file outside the run.
    """
    connection.register("part", rows)
    try:
        with TemporaryDirectory(prefix="worldsim-") as scratch:
            file = Path(scratch) / "part.parquet"
            connection.execute(
                f"COPY (SELECT {_casts(table)} FROM part) TO {text(str(file))}"  # noqa: S608
                # Of zstd's levels the lowest: parts as small as at the usual one, in two thirds of
                # the time.
                " (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1)"
            )
            return file.read_bytes()
    except (duckdb.IOException, OSError) as error:
        raise DiskError("write a scratch file for", table, str(error)) from error
    finally:
        connection.unregister("part")


def add_rows(connection: duckdb.DuckDBPyConnection, table: str, parts: Sequence[Arrays]) -> None:
    """Make a table of the rows of a run in memory."""
    shape = ", ".join(f"{name_of(name)} {kind}" for name, kind in TABLES[table].items())
    connection.execute(f"CREATE TABLE {table} ({shape})")
    for part in parts:
        connection.register("part", part)
        connection.execute(f"INSERT INTO {table} SELECT {_casts(table)} FROM part")  # noqa: S608
        connection.unregister("part")


def add_parquet(connection: duckdb.DuckDBPyConnection, table: str, files: Sequence[str]) -> None:
    """Make a view of a table's parts on disk; of no rows where there are none yet.

    Raises:
        DamagedPartError: a part is no part of this table.
    """
    if not files:
        add_rows(connection, table, [])
        return
    source = f"read_parquet({text_list(files)}, hive_partitioning = false)"
    try:
        connection.execute(
            f"CREATE VIEW {table} AS SELECT {_casts(table)} FROM {source}"  # noqa: S608
        )
    except duckdb.Error as error:
        place = str(Path(files[0]).parent)
        raise DamagedPartError(place, f"holds what is no table of {table}: {error}") from error


def add_lines(connection: duckdb.DuckDBPyConnection, chunks: Iterable[bytes]) -> None:
    """Make the table of raw lines, from chunks that end where a line ends."""
    connection.execute(f"CREATE OR REPLACE TABLE {LINES} (line VARCHAR)")
    for chunk in chunks:
        lines = "SELECT unnest(string_split(?, chr(10))) AS line"
        connection.execute(
            f"INSERT INTO {LINES} SELECT line FROM ({lines}) WHERE line <> ''",  # noqa: S608
            [chunk.decode()],
        )


def events_sql(
    files: Sequence[str],
    kinds: Sequence[str] | None,
    *,
    lines: bool,
    cached: Sequence[str] = (),
) -> str:
    """SQL that reads events, in their order: cached ones, those of files, those of raw lines.

    Args:
        files: Whole segments.
        kinds: Kinds wanted; all if ``None``.
        lines: Whether there are raw lines. Of the three, one there must be.
        cached: Parquet with all columns, of the segments before those in ``files``.

    Raises:
        UnknownKindError: a kind that does not exist.
    """
    shape = columns(kinds)
    sources: list[str] = []
    if cached:
        names = ", ".join(map(name_of, shape))
        read = f"read_parquet({text_list(cached)}, hive_partitioning = false)"
        sources.append(f"SELECT {names} FROM {read}")  # noqa: S608
    for packed, some in groupby(files, key=lambda file: file.endswith(GZIP)):
        pairs = ", ".join(f"{text(name)}: {text(kind)}" for name, kind in shape.items())
        # Said, since DuckDB takes what follows a ? in a path for no part of the name.
        compression = "gzip" if packed else "none"
        sources.append(
            f"SELECT * FROM read_json({text_list(some)}, columns = {{{pairs}}},"  # noqa: S608
            f" format = 'newline_delimited', compression = '{compression}',"
            " hive_partitioning = false)"
        )
    if lines:
        pairs = ", ".join(f'"{name}": "{kind}"' for name, kind in shape.items())
        structure = text(f"{{{pairs}}}")
        sources.append(f"SELECT unnest(from_json(line, {structure})) FROM {LINES}")  # noqa: S608
    wanted = "" if kinds is None else f" WHERE event IN ({', '.join(map(text, kinds))})"
    return f"SELECT * FROM ({' UNION ALL '.join(sources)}){wanted}"  # noqa: S608


def lock(connection: duckdb.DuckDBPyConnection, files: Sequence[str]) -> None:
    """From now on the connection opens these files and no other, and stays like that."""
    # A name with * or [ is opened by its escaped form, but looked up by the name itself.
    allowed = sorted({*files, *map(glob.escape, files)})
    connection.execute(f"SET allowed_paths = {text_list(allowed, escape=False)}")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def reading(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.DuckDBPyRelation:
    """The relation of one statement that only reads.

    ``COPY`` may hide in a ``WITH`` of what is a SELECT otherwise, and would overwrite the very
    files that a locked connection may open. DuckDB refuses whatever writes below the top level, so
    a statement that can stand in brackets only reads.

    Raises:
        QueryError: it is wrong, writes, or is more than one.
    """
    bare = sql.strip().rstrip(";")
    try:
        statements = connection.extract_statements(bare)
    except duckdb.Error as error:
        begins = bare.lower().startswith(STARTS)
        raise QueryError(said(error) if begins else f"{ALLOWED}; {said(error)}") from error
    if len(statements) != 1:
        raise QueryError(f"{ALLOWED}, and no more or less")
    if statements[0].type.name not in READING:
        raise QueryError(f"{ALLOWED}, and this is none")
    try:
        connection.execute(f"EXPLAIN SELECT * FROM (\n{bare}\n)")  # noqa: S608  # not executed
        return connection.sql(bare)
    except duckdb.ParserException as error:
        # It can stand alone but not in brackets. What DuckDB says is about the brackets.
        raise QueryError(f"{ALLOWED}, and this is none") from error
    except duckdb.Error as error:
        # Its excerpt would show the brackets too.
        raise QueryError(said(error, excerpt=False)) from error


def check_condition(sql: str) -> None:
    """Refuse what is no condition that may stand behind ``WHERE``. Its names are not looked up.

    Raises:
        QueryError: it is none.
    """
    try:
        duckdb.SQLExpression(sql)
    except duckdb.Error as error:
        raise QueryError(f"{sql!r} is no condition, such as day > 3") from error


def rows(relation: duckdb.DuckDBPyRelation) -> Iterator[tuple[Any, ...]]:
    """The rows of a relation.

    Raises:
        QueryError: an error in the data, such as a text that is cast to a number.
    """
    try:
        yield from relation.iter_rows()
    except duckdb.Error as error:
        raise QueryError(said(error, excerpt=False)) from error


def said(error: duckdb.Error, *, excerpt: bool = True) -> str:
    """What DuckDB says, without its inner names.

    Args:
        error: As it was raised.
        excerpt: Whether the lines of SQL that it quotes are the user's own.
    """
    says = _KIND.sub("", str(error))
    missing = _NO_TABLE.match(says)
    if missing is not None:
        near = did_you_mean(missing[1], QUERIED) or "."
        return f'there is no table "{missing[1]}"{near} There are {", ".join(QUERIED)}'
    return says if excerpt else says.partition("\n\nLINE ")[0]


def text(value: str) -> str:
    """A SQL literal."""
    return "'" + value.replace("'", "''") + "'"


def text_list(values: Iterable[str], *, escape: bool = True) -> str:
    """A SQL list of literals: file names, in which ``*`` and the like mean themselves."""
    return "[" + ", ".join(text(glob.escape(v) if escape else v) for v in values) + "]"


def name_of(column: str) -> str:
    """A quoted column name: some are words of SQL."""
    return f'"{column}"'


def _casts(table: str) -> str:
    return ", ".join(
        f"CAST({name_of(n)} AS {kind}) AS {name_of(n)}" for n, kind in TABLES[table].items()
    )
