"""The only door to the file system through which a run's bytes go.

A file is either appended to (the open segment, the log for people) or appears whole: written beside
its place, synced, renamed. Tests replace the class by disks that fail or forget.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from worldsim.errors import InputError, WorldsimError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# A link might lead out of the run, so none is followed where the system can refuse that.
APPENDING = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
TEMPORARY = ".tmp"
"""What the name of a file that is not whole yet ends with."""


class DiskError(WorldsimError):
    """The file system refused, or took only a part of what it was given."""

    def __init__(self, doing: str, path: str, reason: str) -> None:
        super().__init__(doing, path, reason)
        self.doing, self.path, self.reason = doing, path, reason

    def __str__(self) -> str:
        return f"could not {self.doing} {self.path}: {self.reason}"


class UnfitPlaceError(InputError):
    """Nothing can be written where somebody wants it."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        return f"{self.path} cannot be written: {self.reason}; give another place"


@contextmanager
def _telling(doing: str, path: Path) -> Iterator[None]:
    try:
        yield
    except DiskError:
        raise
    except OSError as error:
        raise DiskError(doing, str(path), error.strerror or str(error)) from error


class Appender:
    """A file that grows at its end. Nothing is held back here: ``write`` reaches the system.

    Args:
        path: A new or existing file.
    """

    __slots__ = ("_descriptor", "path")

    def __init__(self, path: Path) -> None:
        self.path = path
        with _telling("open", path):
            self._descriptor = os.open(path, APPENDING, 0o666)

    def write(self, data: bytes | bytearray) -> None:
        """Append all of ``data``.

        Raises:
            DiskError: it was refused, or taken in part; the file's end is then not to be trusted.
        """
        with _telling("write", self.path):
            written = os.write(self._descriptor, data)
            if written != len(data):
                reason = f"only {written} of {len(data)} bytes fit"
                raise DiskError("write", str(self.path), reason)

    def sync(self) -> None:
        """Have the device keep what was written, whatever happens to the power."""
        with _telling("sync", self.path):
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Close the file. What was not synced is the system's affair."""
        with _telling("close", self.path):
            os.close(self._descriptor)


class Disk:
    """The real disk."""

    def make_folder(self, path: Path) -> None:
        """Make a folder and those above it, durably; it may be there already."""
        if path.is_dir():
            return
        if path.parent != path:
            self.make_folder(path.parent)
        with _telling("make folder", path):
            path.mkdir(exist_ok=True)
        self.sync_folder(path.parent)

    def write_file(self, path: Path, data: bytes) -> None:
        """Put a whole file in its place: afterwards all of it is there durably, or nothing is.

        A crash may leave a file whose name ends in ``.tmp`` beside it.
        """
        beside = path.with_name(path.name + TEMPORARY)
        self.remove_file(beside)  # of a crash
        file = self.open_append(beside)
        try:
            file.write(data)
            file.sync()
        finally:
            file.close()
        self.rename(beside, path)

    def open_append(self, path: Path) -> Appender:
        """Open a file to append to, making it where it is missing."""
        return Appender(path)

    def rename(self, old: Path, new: Path) -> None:
        """Give a file or folder another name, durably. An existing file is replaced."""
        with _telling("rename to", new):
            os.replace(old, new)  # noqa: PTH105  # the plain call is what a faulty disk imitates
        self.sync_folder(new.parent)

    def sync_folder(self, path: Path) -> None:
        """Have the device keep the names in a folder."""
        with _telling("sync", path):
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def truncate(self, path: Path, size: int) -> None:
        """Leave only the first ``size`` bytes of a file."""
        with _telling("shorten", path):
            os.truncate(path, size)

    def names(self, path: Path) -> list[str]:
        """What is in a folder, in the order of names."""
        with _telling("look into", path):
            return sorted(os.listdir(path))  # noqa: PTH208  # names, not paths

    def read(self, path: Path) -> bytes:
        """A whole file."""
        with _telling("read", path):
            return path.read_bytes()

    def remove_file(self, path: Path) -> None:
        """Remove a file; it may be missing."""
        with _telling("remove", path):
            path.unlink(missing_ok=True)

    def remove_folder(self, path: Path) -> None:
        """Remove a folder and all in it, links unfollowed."""
        with _telling("remove", path):
            shutil.rmtree(path)

    def check_place(self, path: Path) -> None:
        """Refuse a path at which no folder can be made.

        Raises:
            UnfitPlaceError: what is there is no folder, or a locked one, or not on a disk.
        """
        there = _standing(path)
        if not there.is_dir():
            raise UnfitPlaceError(str(path), f"{there} is no folder")
        with _telling("look at", there):
            size = shutil.disk_usage(there).total
        if size == 0:
            raise UnfitPlaceError(str(path), f"{there} is on no disk")
        if not os.access(there, os.W_OK | os.X_OK):
            raise UnfitPlaceError(str(path), f"there is no permission to write in {there}")

    def free_bytes(self, path: Path) -> int:
        """Space left for the user where ``path`` is, or would be."""
        there = _standing(path)
        with _telling("look at", there):
            return shutil.disk_usage(there).free


def _standing(path: Path) -> Path:
    """The path, or the nearest above it that is there; its links may lead nowhere."""
    return next(p for p in (path, *path.parents, *path.absolute().parents) if os.path.lexists(p))
