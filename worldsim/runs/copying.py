"""Tables of a run as files of their own, made by DuckDB and so never held in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from worldsim.runs.disk import DiskError
from worldsim.runs.duck import QueryError, connect, text_list

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyRelation


def write_parquet(relation: DuckDBPyRelation, path: Path) -> int:
    """Write a relation of a run into one new Parquet file.

    Returns:
        Rows written.

    Raises:
        DiskError: the file could not be written.
        QueryError: the data cannot be read.
    """
    try:
        relation.write_parquet(str(path), compression="zstd")
        with connect(threads=1) as connection:
            # Of what stands at the end of the file; its name may hold * or [.
            count = f"SELECT count(*) FROM read_parquet({text_list([str(path)])})"  # noqa: S608
            found = connection.execute(count).fetchone()
        return int(found[0]) if found else 0
    except (duckdb.IOException, OSError) as error:
        raise DiskError("write", str(path), str(error)) from error
    except duckdb.Error as error:
        raise QueryError(str(error)) from error
