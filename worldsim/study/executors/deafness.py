"""Ctrl-C reaches every process of a terminal; of a study, only the first is to hear it."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def deaf() -> Iterator[None]:
    """Processes that are started within never hear Ctrl-C.

    So are those of threads that are started within. This process hears it afterwards, if it comes
    meanwhile; where signals cannot be held back (Windows), it is lost.
    """
    if not hasattr(signal, "pthread_sigmask"):
        with _ignoring():
            yield
        return
    from multiprocessing import resource_tracker  # noqa: PLC0415  # not on every system

    resource_tracker.ensure_running()  # which lets signals through again as it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _ignoring() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
