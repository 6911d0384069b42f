"""Ctrl-C and SIGTERM during a run: the first asks it to stop at midnight, the second is obeyed."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import FrameType, TracebackType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
STDERR = 2
MESSAGE = b"\nstopping at the next midnight; once more stops at once\n"


class StopAsked:
    """Whether a signal has asked for the end. To be used in a ``with`` of the main thread.

    Within it the first signal is only noted: the object is what ``simulate`` asks at midnight.
    A second one raises ``KeyboardInterrupt``, wherever the program is.

    Args:
        message: What the first one makes it say on stderr.
    """

    def __init__(self, message: bytes = MESSAGE) -> None:
        self.asked = False
        self._message = message
        self._before: dict[signal.Signals, object] = {}

    def __call__(self) -> bool:
        """Whether the end was asked for."""
        return self.asked

    def __enter__(self) -> Self:
        for number in SIGNALS:
            self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _note(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        # A signal may come in the middle of a print, so this goes around Python's buffers.
        os.write(STDERR, self._message)
