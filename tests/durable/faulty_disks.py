"""Disks whose machine dies, and disks that refuse."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from watched_disk import REAL, WatchedDisk

if TYPE_CHECKING:
    from collections.abc import Callable

    from watched_disk import Kind, Layer, Operation

Refusal = Literal["ENOSPC", "EIO", "short write"]


class Died(BaseException):
    """The process ended here. No ``except Exception`` of the product may catch it."""


@dataclass(slots=True)
class Death:
    """Nothing is done from some operation on, whatever the program tries on its way out.

    Attributes:
        before: The number of the operation that is not done any more, from 0.
        half: If that is a write, half of its bytes are still written.
        done: Operations so far. The opening of a folder is left out: it changes nothing, and its
            sync comes next.
    """

    before: int
    half: bool = False
    done: int = 0

    def perform(self, operation: Operation, call: Callable[[], Any]) -> Any:
        if self.done >= self.before:
            if self.half and self.done == self.before and operation.kind == "write":
                REAL["write"](operation.descriptor, operation.data[: len(operation.data) // 2])
            self.done += 1
            raise Died(operation)
        if operation.kind != "open folder":
            self.done += 1
        return call()


@dataclass(slots=True)
class Failure:
    """Operations of one kind fail: one of them, or that one and all later ones.

    Attributes:
        kind: Of operation; a folder's sync and a file's are two.
        at: The number of the first that fails among those of its kind, from 0.
        for_ever: All later ones fail too.
        how: What the system says; a short write takes half of the bytes and says so.
        met: Operations of the kind so far.
        failed: Those that failed.
    """

    kind: Kind
    at: int
    for_ever: bool
    how: Refusal
    met: int = 0
    failed: list[Operation] = field(default_factory=list)

    def perform(self, operation: Operation, call: Callable[[], Any]) -> Any:
        if operation.kind != self.kind:
            return call()
        number, self.met = self.met, self.met + 1
        if number < self.at or (number > self.at and not self.for_ever):
            return call()
        self.failed.append(operation)
        if self.how == "short write":
            return REAL["write"](operation.descriptor, operation.data[: len(operation.data) // 2])
        code = getattr(errno, self.how)
        raise OSError(code, os.strerror(code), str(operation.path))


def failing(
    kind: Kind, at: int, how: Refusal, *outer: Layer, for_ever: bool = False
) -> WatchedDisk:
    """A disk that refuses; ``outer`` layers see it fail."""
    return WatchedDisk(*outer, Failure(kind, at, for_ever, how))
