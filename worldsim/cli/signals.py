"""Ctrl-C and SIGTERM: a run stops at midnight, all else at once, whatever it is doing."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

import click

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType, TracebackType

INTERRUPTED = 130
"""Exit code of what Ctrl-C ended."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)
STDERR = 2
MESSAGE = b"\nstopping at the next midnight; once more stops at once\n"
CUT_OFF = b"\nerror: interrupted\n"
GRACE_S = 0.7
"""What is interrupted has so long to end in order."""


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


@contextmanager
def told_apart() -> Iterator[None]:
    """Within, Ctrl-C is a ``KeyboardInterrupt``, whatever a library makes of it on its way.

    DuckDB makes it a ``RuntimeError``. Where Ctrl-C is ignored, as in the background, it stays so.
    """
    heard = False

    def hear(number: int, frame: FrameType | None) -> None:
        del number, frame
        nonlocal heard
        heard = True
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, hear)
    try:
        yield
    except click.exceptions.Exit:
        raise
    except Exception as error:
        if heard:
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def cut_off() -> Iterator[None]:
    """Within, Ctrl-C ends the process after `GRACE_S`, if what is within has not ended by then.

    It is for SQL that a person wrote. Python raises ``KeyboardInterrupt`` between two steps of its
    own, and DuckDB looks for it between two batches of rows, but one function of SQL may take for
    ever. The descriptor below is written to at once, and a thread reads it, since DuckDB lets
    others go on while it computes. So what is within must bear to be killed.

    Raises:
        KeyboardInterrupt: in the end, if what is within took Ctrl-C for an error of its own.
    """
    import socket  # noqa: PLC0415 -- only queries need both
    from threading import Event, Thread  # noqa: PLC0415

    ear, mouth = socket.socketpair()
    mouth.setblocking(False)
    asked, ended = Event(), Event()

    def listen() -> None:
        while heard := ear.recv(1):
            if heard[0] == signal.SIGINT:
                asked.set()
                if not ended.wait(GRACE_S):
                    os.write(STDERR, CUT_OFF)
                    os._exit(INTERRUPTED)

    listener = Thread(target=listen, name="ctrl-c", daemon=True)
    before = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
    listener.start()
    try:
        yield
    finally:
        ended.set()
        signal.set_wakeup_fd(before)
        mouth.close()
        listener.join()  # it reads what was written before
        ear.close()
    if asked.is_set():
        raise KeyboardInterrupt
