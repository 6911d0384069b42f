"""The real disk, each of its calls to the system shown to whoever wants to come between.

The calls of `os` are replaced while a method of `Disk` or `Appender` runs, so what is seen is what
the product does, in its order, and what goes wrong there is told as the product tells it.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol
from unittest.mock import patch

from worldsim.runs.disk import Appender, Disk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Kind = Literal[
    "open", "write", "sync", "truncate", "rename", "remove", "make folder", "remove folder",
    "open folder", "sync folder",
]  # fmt: skip

REAL = {
    name: getattr(os, name)
    for name in (
        "open", "close", "write", "replace", "truncate", "ftruncate", "unlink", "mkdir", "rmdir",
    )
}  # fmt: skip
"""As they are when nobody comes between."""


class Operation(NamedTuple):
    """One call that changes the file system, or asks a promise of it.

    Attributes:
        to: The new name, of a renaming.
        data: What is to be written.
        size: To which a file is cut.
        descriptor: Of the open file, of a call that has one.
    """

    kind: Kind
    path: Path
    to: Path | None = None
    data: bytes = b""
    size: int = 0
    descriptor: int | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.path}" + (f" -> {self.to}" if self.to else "")


class Layer(Protocol):
    """Comes between the product and the system."""

    def perform(self, operation: Operation, call: Callable[[], Any]) -> Any:
        """Do the operation by calling ``call``, or something else; the answer is the system's."""


class WatchedDisk(Disk):
    """The real disk, but for what its layers do, and for the waiting for the device.

    Args:
        layers: The outermost first.

    Attributes:
        operations: All that were done. Removing what is not there, or making what is, is none.
    """

    def __init__(self, *layers: Layer) -> None:
        self.operations: list[Operation] = []
        self._layers = layers
        self._paths: dict[int, Path] = {}

    # What Disk and Appender offer, unchanged.

    def make_folder(self, path: Path) -> None:
        with self.watching():
            super().make_folder(path)

    def open_append(self, path: Path) -> Appender:
        with self.watching():
            return WatchedAppender(path, self)

    def rename(self, old: Path, new: Path) -> None:
        with self.watching():
            super().rename(old, new)

    def sync_folder(self, path: Path) -> None:
        with self.watching():
            super().sync_folder(path)

    def remove_file(self, path: Path) -> None:
        with self.watching():
            super().remove_file(path)

    def remove_folder(self, path: Path) -> None:
        with self.watching():
            super().remove_folder(path)

    def truncate(self, path: Path, size: int) -> None:
        with self.watching():
            super().truncate(path, size)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Within, the calls of `os` go through the layers."""
        with patch.multiple(
            os,
            open=self._open,
            close=self._close,
            write=self._write,
            fsync=self._fsync,
            fdatasync=self._fsync,
            replace=self._replace,
            rename=self._replace,
            truncate=self._truncate,
            ftruncate=self._truncate,
            unlink=self._unlink,
            remove=self._unlink,
            mkdir=self._mkdir,
            rmdir=self._rmdir,
        ):
            yield

    # The calls of os.

    def _open(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        assert not flags & os.O_TRUNC, "would be two operations in one"
        writes = flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR)
        place = self._place(path, dir_fd)
        call = partial(REAL["open"], path, flags, mode, dir_fd=dir_fd)
        opened = self._do(Operation("open" if writes else "open folder", place), call)
        self._paths[opened] = place
        return int(opened)

    def _close(self, descriptor: int) -> None:
        self._paths.pop(descriptor, None)
        REAL["close"](descriptor)

    def _write(self, descriptor: int, data: bytes | bytearray) -> int:
        path, kept = self._paths[descriptor], bytes(data)
        operation = Operation("write", path, data=kept, descriptor=descriptor)
        return int(self._do(operation, partial(REAL["write"], descriptor, kept)))

    def _fsync(self, descriptor: int) -> None:
        # Nobody pulls a plug here, so the device need not be waited for.
        path = self._paths[descriptor]
        kind: Kind = "sync folder" if path.is_dir() else "sync"
        self._do(Operation(kind, path, descriptor=descriptor), partial(os.fstat, descriptor))

    def _replace(self, old: Any, new: Any) -> None:
        operation = Operation("rename", Path(old), to=Path(new))
        self._do(operation, partial(REAL["replace"], old, new))

    def _truncate(self, file: Any, size: int) -> None:
        path = self._paths[file] if isinstance(file, int) else Path(file)
        self._do(Operation("truncate", path, size=size), partial(REAL["truncate"], file, size))

    def _unlink(self, path: Any, *, dir_fd: int | None = None) -> None:
        self._take_away("remove", REAL["unlink"], path, dir_fd)

    def _rmdir(self, path: Any, *, dir_fd: int | None = None) -> None:
        self._take_away("remove folder", REAL["rmdir"], path, dir_fd)

    def _take_away(
        self, kind: Kind, take: Callable[..., None], path: Any, dir_fd: int | None
    ) -> None:
        place, call = self._place(path, dir_fd), partial(take, path, dir_fd=dir_fd)
        if os.path.lexists(place):
            self._do(Operation(kind, place), call)
        else:
            call()

    def _mkdir(self, path: Any, mode: int = 0o777) -> None:
        place, call = Path(path), partial(REAL["mkdir"], path, mode)
        if place.parent.is_dir() and not os.path.lexists(place):
            self._do(Operation("make folder", place), call)
        else:
            call()

    def _place(self, path: Any, dir_fd: int | None) -> Path:
        return Path(path) if dir_fd is None else self._paths[dir_fd] / path

    def _do(self, operation: Operation, call: Callable[[], Any]) -> Any:
        for layer in reversed(self._layers):
            call = partial(layer.perform, operation, call)
        answer = call()
        self.operations.append(operation)
        return answer


class WatchedAppender(Appender):
    """A file opened on a watched disk."""

    __slots__ = ("_disk",)

    def __init__(self, path: Path, disk: WatchedDisk) -> None:
        self._disk = disk
        super().__init__(path)

    def write(self, data: bytes | bytearray) -> None:
        with self._disk.watching():
            super().write(data)

    def sync(self) -> None:
        with self._disk.watching():
            super().sync()

    def close(self) -> None:
        with self._disk.watching():
            super().close()
