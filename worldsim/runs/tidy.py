"""Tables of any columns, as DuckDB relations and as Parquet: what a study tells of its runs."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np

from worldsim.runs.disk import DiskError
from worldsim.runs.duck import connect, text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Columns = Mapping[str, Sequence[Any]]
    Relation = duckdb.DuckDBPyRelation
    Shape = Mapping[str, str]

DTYPES = {"BIGINT": np.int64, "DOUBLE": np.float64, "BOOLEAN": np.bool_, "VARCHAR": np.object_}
"""numpy's types by DuckDB's."""


def tidy_relation(shape: Shape, columns: Columns) -> Relation:
    """Rows as a relation (``.df()``, ``.pl()``, ``.fetchall()``), in the order they have.

    Args:
        shape: DuckDB type by column: BIGINT, DOUBLE, BOOLEAN or VARCHAR.
        columns: Values by column. None is null where the type is DOUBLE or VARCHAR.
    """
    connection = connect()
    _fill(connection, shape, columns)
    return connection.table("tidy")


def tidy_parquet(shape: Shape, columns: Columns) -> bytes:
    """Rows as the bytes of a Parquet file: the same rows give the same bytes.

    Args:
        shape: As of `tidy_relation`.
        columns: Likewise.

    Raises:
        DiskError: the scratch file that DuckDB needs could not be written.
    """
    with connect(threads=1) as connection:
        _fill(connection, shape, columns)
        try:
            with TemporaryDirectory(prefix="worldsim-") as scratch:
                file = Path(scratch) / "tidy.parquet"
                connection.execute(
                    f"COPY tidy TO {text(str(file))} (FORMAT parquet, COMPRESSION zstd)"
                )
                return file.read_bytes()
        except (duckdb.IOException, OSError) as error:
            raise DiskError("write a scratch file for", "a table", str(error)) from error


def _fill(connection: duckdb.DuckDBPyConnection, shape: Shape, columns: Columns) -> None:
    """Make the table ``tidy`` of these rows."""
    arrays = {name: _array(kind, columns[name]) for name, kind in shape.items()}
    casts = ", ".join(
        f"CAST({_read(name, kind)} AS {kind}) AS {_quoted(name)}" for name, kind in shape.items()
    )
    connection.register("given", arrays)
    connection.execute(f"CREATE TABLE tidy AS SELECT {casts} FROM given")  # noqa: S608
    connection.unregister("given")


def _array(kind: str, values: Sequence[Any]) -> Any:
    """Values as numpy has them; None among numbers is NaN."""
    if kind == "DOUBLE":
        values = [np.nan if value is None else value for value in values]
    return np.array(values, dtype=DTYPES[kind])


def _read(name: str, kind: str) -> str:
    """SQL for a column as it was given; NaN is null."""
    column = _quoted(name)
    return f"nullif({column}, 'nan'::DOUBLE)" if kind == "DOUBLE" else column


def _quoted(column: str) -> str:
    """A column name, which may hold anything."""
    return '"' + column.replace('"', '""') + '"'
