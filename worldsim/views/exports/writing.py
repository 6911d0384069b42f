"""New files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from worldsim.errors import InputError
from worldsim.runs.disk import DiskError

if TYPE_CHECKING:
    from collections.abc import Iterator


class TakenError(InputError):
    """Something is where an export is to go."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path

    def __str__(self) -> str:
        return f"{self.path} exists already: nothing was written; give another name"


class NoPlaceError(InputError):
    """An export is to go where nothing can be made.

    Args:
        path: Where.
        reason: What stands in the way.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        return f"{self.path} cannot be written: {self.reason}; give another --out"


@contextmanager
def new_file(path: Path, within: Path | None = None) -> Iterator[Path]:
    """A path to write to, beside the one wanted: what is there at the end gets the wanted name.

    On any error, Ctrl-C included, nothing is left.

    Args:
        path: Must not exist; its folder must.
        within: A folder in which nothing may be made: that of the run.

    Raises:
        TakenError, NoPlaceError: before anything was written.
        DiskError: the system refused.
    """
    with _made(path, within) as made:
        yield made


@contextmanager
def new_folder(path: Path, within: Path | None = None) -> Iterator[Path]:
    """As `new_file`, an empty folder."""
    with _made(path, within) as made:
        made.mkdir()
        yield made


@contextmanager
def _made(path: Path, within: Path | None) -> Iterator[Path]:
    _check(path, within)
    try:
        scratch = Path(mkdtemp(prefix=".worldsim-", dir=path.parent))
    except OSError as error:
        raise NoPlaceError(str(path), error.strerror or str(error)) from error
    try:
        yield scratch / "made"
        _sync(scratch / "made")
        if os.path.lexists(path):  # somebody was quicker
            raise TakenError(str(path))
        (scratch / "made").rename(path)
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DiskError("write", str(path), reason) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _check(path: Path, within: Path | None) -> None:
    try:
        if _is_there(path):
            raise TakenError(str(path))
        if not path.parent.is_dir():
            raise NoPlaceError(str(path), f"there is no folder {str(path.parent)!r}")
        resolved = path.parent.resolve() / path.name
    except (OSError, ValueError) as error:  # too long a name, or a NUL in it
        raise NoPlaceError(str(path), getattr(error, "strerror", None) or str(error)) from error
    if within is not None and resolved.is_relative_to(within.resolve()):
        raise NoPlaceError(str(path), "that is inside the run, which stays as it is")


def _is_there(path: Path) -> bool:
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _sync(made: Path) -> None:
    """Have the device keep what was written before it gets its name."""
    for file in sorted(made.iterdir()) if made.is_dir() else [made]:
        with file.open("rb") as opened:
            os.fsync(opened.fileno())


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    files = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
    return sum(file.stat().st_size for file in files)
