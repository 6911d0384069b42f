"""Conditions that a stranger typed, asked in a process of their own.

DuckDB can be stopped between two batches of rows, but not inside a function: a single
``repeat('x', 1000000000)`` takes time and memory that no limit of its own covers. A process can be
killed, and the system bounds its memory.
"""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from worldsim.errors import WorldsimError
from worldsim.runs.asking import MOST_ROWS, WITHIN_S, Answer, Asker, TooLongError
from worldsim.runs.duck import QueryError
from worldsim.runs.reading import Run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection
    from pathlib import Path

ADDRESSES = 6 * 2**30  # bytes of addresses; DuckDB's own limit is lower, but counts less
START_S = 60.0  # to import libraries, and to read a large log for the first time
GRACE_S = 1.0  # in which DuckDB stops by itself, if it can
CORES = 64


class DiedError(QueryError):
    """What was asked ended the process that was to answer."""

    def __init__(self) -> None:
        super().__init__("it needs too much memory; ask for less")
        self.args = ()


class Stranger:
    """A process that asks one run, started when it is first needed and again after it was killed.

    Args:
        path: The run's folder.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()
        self._asking = Lock()
        self._process: Any = None
        self._line: Connection | None = None

    def ask(self, sql: str, *, most: int = MOST_ROWS, within_s: float = WITHIN_S) -> Answer:
        """Rows of one SELECT in which a stranger's condition stands; as `Asker.ask`.

        Raises:
            QueryError: it is wrong, may not be run, or needs too much memory.
            TooLongError: it takes too long.
        """
        with self._asking:
            line = self._line or self._start()
            answer = self._answer(line, (sql, most, within_s), within_s + GRACE_S)
        if isinstance(answer, WorldsimError):
            raise answer
        return Answer(*answer)

    def warm(self) -> None:
        """Have the process started in a while, so that the first question need not wait for it."""

        def start() -> None:
            with suppress(WorldsimError, OSError), self._asking:
                if self._line is None:
                    self._start()

        Thread(target=start, name="warm", daemon=True).start()

    def _answer(self, line: Connection, question: Any, patience_s: float) -> Any:
        """What the process says; if it says nothing, it is ended."""
        try:
            if question is not None:
                line.send(question)
            if line.poll(patience_s):
                return line.recv()
        except (EOFError, OSError) as error:
            self.close()
            raise DiedError from error
        self.close()
        raise TooLongError(patience_s)

    def close(self) -> None:
        """End the process, whatever it does."""
        process, line, self._process, self._line = self._process, self._line, None, None
        if line is not None:
            line.close()
        if process is not None:
            process.kill()
            process.join()
            process.close()

    def _start(self) -> Connection:
        spawn = get_context("spawn")
        line, other = spawn.Pipe()
        process = spawn.Process(
            target=answer_all, args=(other, str(self._path)), name="ask", daemon=True
        )
        with _no_ctrl_c():
            process.start()
        other.close()
        self._process, self._line = process, line  # from now on `close` ends it
        ready = self._answer(line, None, START_S)
        if isinstance(ready, WorldsimError):
            self.close()
            raise ready
        return line


@contextmanager
def _no_ctrl_c() -> Iterator[None]:
    """A process that is started within never hears Ctrl-C, which is for the one that starts it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def answer_all(line: Connection, path: str) -> None:
    """Answer until nobody asks any more: what the process does."""
    try:
        asker = Asker(Run.open(path))
    except WorldsimError as error:
        line.send(error)
        return
    _limit_addresses()
    line.send(None)
    with suppress(EOFError, OSError):
        while True:
            sql, most, within_s = line.recv()
            _limit_work(within_s)
            line.send(_answered(asker, sql, most, within_s))


def _answered(asker: Asker, sql: str, most: int, within_s: float) -> Any:
    try:
        answer = asker.ask(sql, most=most, within_s=within_s)
    except WorldsimError as error:
        return error
    except MemoryError:
        return DiedError()
    return answer.columns, answer.rows, answer.more


def _limit_addresses() -> None:
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 -- of Unix

        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))


def _limit_work(within_s: float) -> None:
    """If whoever asked is gone, and can kill nobody, the system does."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 -- of Unix

        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        soft = int(time.process_time() + CORES * (within_s + GRACE_S)) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))
