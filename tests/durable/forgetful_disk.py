"""What a device holds when the power goes: a model kept beside the real file system.

A sync of a file keeps its content, not its name; a sync of a folder keeps its names, not what they
name. Of all that was not synced, a power cut takes what it likes, in any order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from worldsim.runs.places import LOCK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from watched_disk import Operation


Image = dict[str, bytes | None]
"""Files by path, parents first; None is a folder."""


class Fate(Protocol):
    """What becomes of a change that was not synced."""

    def name(self) -> bool:
        """Whether one change of a folder's names is kept; a renaming within a folder is one."""

    def content(self, file: File) -> bytes:
        """What a file holds."""


class Forgets:
    """Nothing is kept but what was synced."""

    def name(self) -> bool:
        return False

    def content(self, file: File) -> bytes:
        return file.kept


class KeepsNames:
    """Names are kept at once, contents only when synced: zeros are where the rest should be."""

    def name(self) -> bool:
        return True

    def content(self, file: File) -> bytes:
        return file.grown(file.least, zeros=True)


class Mixes:
    """Each change is kept or not by the toss of a coin, whatever came before it."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311  # no secret

    def name(self) -> bool:
        return self.random.random() < 0.5

    def content(self, file: File) -> bytes:
        if file.least < len(file.kept) and self.random.random() < 0.5:
            return file.kept  # the cut is forgotten, and all that was appended to the shorter file
        return file.grown(
            self.random.randint(file.least, len(file.now)), zeros=self.random.random() < 0.5
        )


@dataclass(slots=True)
class File:
    """Attributes:
    now: The content, for whoever reads it while the power is on.
    kept: The content at the last sync.
    least: To how many bytes it was cut since then, if it was.
    lost: A sync failed. The system may have dropped what it could not write, so what a later
        sync says is worth nothing.
    """

    now: bytearray = field(default_factory=bytearray)
    kept: bytes = b""
    least: int = 0
    lost: bool = False

    def sync(self) -> None:
        if not self.lost:
            self.kept, self.least = bytes(self.now), len(self.now)

    def cut(self, size: int) -> None:
        del self.now[size:]
        self.least = min(self.least, size)

    def grown(self, size: int, *, zeros: bool) -> bytes:
        """The first bytes of what is there now, perhaps with zeros up to its length."""
        return bytes(self.now[:size]).ljust(len(self.now) if zeros else 0, b"\0")


@dataclass(slots=True)
class Folder:
    """Attributes:
    now: What is in it, by name.
    kept: What was in it at the last sync.
    changes: Since then, each as the names it sets; None takes a name away.
    """

    now: dict[str, File | Folder] = field(default_factory=dict)
    kept: dict[str, File | Folder] = field(default_factory=dict)
    changes: list[dict[str, File | Folder | None]] = field(default_factory=list)

    def change(self, names: dict[str, File | Folder | None]) -> None:
        self.changes.append(names)
        _apply(self.now, names)

    def sync(self) -> None:
        self.kept = dict(self.now)
        self.changes.clear()


class Device:
    """A layer of a watched disk that keeps the model. What is there at first is durable.

    Args:
        root: The folder it models; operations elsewhere are ignored.
        forgets_sync: Whether the model skips a sync, of which the product learns nothing.
        after: Called after each operation, with the device as it is then.

    Attributes:
        retried: Syncs of a file of which one had failed before.
    """

    def __init__(
        self,
        root: Path,
        *,
        forgets_sync: Callable[[Operation], bool] = lambda _: False,
        after: Callable[[Device, Operation], None] = lambda *_: None,
    ) -> None:
        self._root = root
        self._forgets_sync = forgets_sync
        self._after = after
        self._top = _read(root)
        self.retried: list[Operation] = []

    def perform(self, operation: Operation, call: Callable[[], Any]) -> Any:
        if not operation.path.is_relative_to(self._root):
            return call()
        if operation.kind == "sync" and self._file(operation.path).lost:
            self.retried.append(operation)
        try:
            answer = call()
        except OSError:
            if operation.kind == "sync":
                self._file(operation.path).lost = True
            raise
        self._note(operation, answer)
        self._after(self, operation)
        return answer

    def image(self, fate: Fate) -> Image:
        """What would be there if the power were cut now, and is back.

        Nothing changes here, so the power can be cut after every operation of one run.
        """
        return dict(_survivors(self._top, "", fate))

    def read(self, path: Path) -> bytes | None:
        """A file as it is now, while the power is on; None if there is none."""
        try:
            return bytes(self._file(path).now)
        except KeyError:
            return None

    def _note(self, operation: Operation, answer: Any) -> None:
        path, kind = operation.path, operation.kind
        if kind == "open" and path.name not in self._folder(path.parent).now:
            self._folder(path.parent).change({path.name: File()})
        elif kind == "make folder":
            self._folder(path.parent).change({path.name: Folder()})
        elif kind in {"remove", "remove folder"}:
            self._folder(path.parent).change({path.name: None})
        elif kind == "write":
            self._file(path).now += operation.data[:answer]
        elif kind == "truncate":
            self._file(path).cut(operation.size)
        elif kind == "rename":
            self._rename(operation)
        elif kind in {"sync", "sync folder"} and not self._forgets_sync(operation):
            self._find(path).sync()

    def _rename(self, operation: Operation) -> None:
        assert operation.to is not None
        old, new = self._folder(operation.path.parent), self._folder(operation.to.parent)
        what = old.now[operation.path.name]
        if old is new:
            new.change({operation.to.name: what, operation.path.name: None})
        else:
            new.change({operation.to.name: what})
            old.change({operation.path.name: None})

    def _find(self, path: Path) -> File | Folder:
        found: File | Folder = self._top
        for name in path.relative_to(self._root).parts:
            assert isinstance(found, Folder)
            found = found.now[name]
        return found

    def _folder(self, path: Path) -> Folder:
        found = self._find(path)
        assert isinstance(found, Folder)
        return found

    def _file(self, path: Path) -> File:
        found = self._find(path)
        assert isinstance(found, File)
        return found


def _apply(names: dict[str, File | Folder], change: dict[str, File | Folder | None]) -> None:
    for name, what in change.items():
        if what is None:
            names.pop(name, None)
        else:
            names[name] = what


def _read(path: Path) -> Folder:
    """A folder with all in it, as if it had been synced long ago; locks are not on the device."""
    folder = Folder()
    for each in sorted(path.iterdir()):
        if each.is_dir():
            folder.now[each.name] = _read(each)
        elif each.name != LOCK:
            folder.now[each.name] = file = File(bytearray(each.read_bytes()))
            file.sync()
    folder.sync()
    return folder


def _survivors(folder: Folder, path: str, fate: Fate) -> Iterator[tuple[str, bytes | None]]:
    names = dict(folder.kept)
    for change in folder.changes:
        if fate.name():
            _apply(names, change)
    for name in sorted(names):
        what = names[name]
        if isinstance(what, Folder):
            yield path + name, None
            yield from _survivors(what, f"{path}{name}/", fate)
        else:
            yield path + name, fate.content(what)


def restore(image: Image, into: Path) -> None:
    """Make a new folder that holds an image."""
    into.mkdir()
    for name, content in image.items():
        if content is None:
            (into / name).mkdir()
        else:
            (into / name).write_bytes(content)
