"""Campaigns in spawned processes of this machine.

Each worker is a pool of one process: so when one dies it is known which campaign it had.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import TYPE_CHECKING

from worldsim.errors import WorldsimError
from worldsim.study.executors.deafness import deaf
from worldsim.study.work import DIED, do, failed

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from multiprocessing.process import BaseProcess

    from worldsim.study.executors import Stop
    from worldsim.study.work import Job, Outcome

POLL_S = 0.1
PATIENCE_S = 0.5
"""How long those in flight may go on when the end was asked for."""
MOST_TRIES = 3
MOST_FALSE_STARTS = 5
MOST_RUNS = 2000
"""After as many a worker is replaced, whatever it holds by then."""


class NoWorkersError(WorldsimError):
    """Processes cannot be started here, or die before they do anything."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return (
            f"no worker could be started: {self.reason}; in a script of your own, run a study below"
            " if __name__ == '__main__':, as workers import the script"
        )


class Local:
    """Does jobs in processes of their own.

    Args:
        workers: How many, at least 1.
    """

    def __init__(self, workers: int) -> None:
        self._most = workers

    def outcomes(self, jobs: Iterator[Job], stop: Stop) -> Generator[Outcome]:
        """As of `Executor`."""
        workers: list[_Worker] = []
        tasks = _Tasks(jobs)
        try:
            while not stop():
                while len(workers) < self._most and (task := tasks.take()) is not None:
                    workers.append(_Worker(task))
                if not workers:
                    return
                for worker in _ended(workers, POLL_S):
                    outcome = worker.outcome(tasks)
                    task = tasks.take() if worker.usable and not stop() else None
                    if task is None:
                        workers.remove(worker)
                        worker.retire()
                    else:
                        worker.start(task)
                    if outcome is not None:
                        yield outcome
            yield from self._last(workers, tasks)
        finally:
            for worker in workers:
                worker.kill()

    def _last(self, workers: list[_Worker], tasks: _Tasks) -> Iterator[Outcome]:
        """Those that end soon after nothing more is wanted."""
        until = time.monotonic() + PATIENCE_S
        while workers and (rest := until - time.monotonic()) > 0:
            for worker in _ended(workers, min(POLL_S, rest)):
                workers.remove(worker)
                outcome = worker.outcome(tasks)
                worker.retire()
                if outcome is not None:
                    yield outcome


class _Tasks:
    """Jobs that nobody does yet, each with how often it was tried.

    Args:
        jobs: All of them.

    Attributes:
        false_starts: Workers, one after another, that died before they did anything.
    """

    def __init__(self, jobs: Iterator[Job]) -> None:
        self._jobs = jobs
        self._again: deque[tuple[Job, int]] = deque()
        self.false_starts = 0

    def take(self) -> tuple[Job, int] | None:
        """The next one, if there is one."""
        if self._again:
            return self._again.popleft()
        job = next(self._jobs, None)
        return None if job is None else (job, 0)

    def put_back(self, job: Job, tries: int) -> None:
        """Have it done once more."""
        self._again.append((job, tries))


class _Worker:
    """A process, and the job it has.

    Args:
        task: Its first.

    Attributes:
        usable: Whether it can be given another job.
    """

    def __init__(self, task: tuple[Job, int]) -> None:
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_begin)
        before = set(multiprocessing.active_children())
        with deaf():
            self._ready = self._pool.submit(os.getpid)  # this starts the process
        self._process: set[BaseProcess] = set(multiprocessing.active_children()) - before
        self._done = 0
        self.usable = True
        self.start(task)

    def start(self, task: tuple[Job, int]) -> None:
        """Begin a job."""
        self._job, self._tries = task
        try:
            self.future = self._pool.submit(do, self._job)
        except BrokenProcessPool as broken:  # it died since its last job: no fault of this one
            self.future = Future()
            self.future.set_exception(broken)
            self._tries -= 1

    def outcome(self, tasks: _Tasks) -> Outcome | None:
        """What became of the job; None if the process died, and it is to be done once more.

        Raises:
            NoWorkersError: one process after another dies before it does anything.
        """
        self._done += 1
        self.usable = self._done < MOST_RUNS
        try:
            outcome = self.future.result()
        except BrokenProcessPool as broken:
            self.usable = False
            return self._died(tasks, broken)
        tasks.false_starts = 0
        return outcome

    def _died(self, tasks: _Tasks, broken: BrokenProcessPool) -> Outcome | None:
        began = self._ready.done() and self._ready.exception() is None
        if not began:
            tasks.false_starts += 1
            if tasks.false_starts >= MOST_FALSE_STARTS:
                raise NoWorkersError(str(broken))
        tries = self._tries + 1 if began else self._tries
        if tries < MOST_TRIES:
            tasks.put_back(self._job, tries)
            return None
        return failed(self._job, DIED)

    def retire(self) -> None:
        """Let the process end; it has nothing to do."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def kill(self) -> None:
        """End the process at once."""
        for process in self._process:
            with suppress(ValueError, OSError):
                process.kill()
        self.retire()


def _ended(workers: list[_Worker], seconds: float) -> list[_Worker]:
    """The workers whose job has ended, when the first one has or the time is up."""
    futures = {worker.future: worker for worker in workers}
    done, _ = wait(futures, timeout=seconds, return_when=FIRST_COMPLETED)
    return [worker for future, worker in futures.items() if future in done]


def _begin() -> None:
    """In a worker, before anything else: it ends when its parent does, however that comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    import worldsim.processes.simulation  # noqa: F401, PLC0415  # now, not in the first campaign


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
