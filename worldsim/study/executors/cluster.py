"""Campaigns on a cluster, by ``dask.distributed``: whichever it is, it does the moving about."""

from __future__ import annotations

import logging
import multiprocessing
import time
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from worldsim.errors import WorldsimError
from worldsim.study.executors.deafness import deaf
from worldsim.study.inputs import optional
from worldsim.study.work import DIED, do, failed

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from multiprocessing.process import BaseProcess

    from worldsim.study.executors import Stop
    from worldsim.study.work import Job, Outcome

POLL_S = 0.02
PATIENCE_S = 0.5
CONNECT_S = 20
ASK_S, ASK_FIRST_S = 1.0, 0.1
START_S = 120
CLOSE_S = 1.0
A_THREAD = 2
"""Jobs in flight for each thread of the cluster: one that is done, one that waits there."""


class ClusterError(WorldsimError):
    """The cluster cannot be reached, or does not do what it is given."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(address, reason)
        self.address, self.reason = address, reason

    def __str__(self) -> str:
        return f"the cluster {self.address} failed: {self.reason}"


class Cluster:
    """Does jobs on the workers of a dask scheduler.

    Args:
        scheduler: Its address, such as ``tcp://10.0.0.1:8786``; None starts one here.
        workers: Of a cluster that is started here.

    Raises:
        MissingExtraError: dask.distributed is not installed.
    """

    def __init__(self, scheduler: str | None, workers: int) -> None:
        _distributed()
        self._scheduler, self._workers = scheduler, workers

    def outcomes(self, jobs: Iterator[Job], stop: Stop) -> Generator[Outcome]:
        """As of `Executor`.

        Raises:
            ClusterError: it failed as a whole.
        """
        with self._client() as client:
            in_flight: dict[Any, Job] = {}
            try:
                yield from self._until_stopped(client, jobs, stop, in_flight)
                yield from self._last(in_flight)
            finally:
                if in_flight:
                    client.cancel(list(in_flight), force=True)

    def _until_stopped(
        self, client: Any, jobs: Iterator[Job], stop: Stop, in_flight: dict[Any, Job]
    ) -> Iterator[Outcome]:
        most, asked, begun = 0, -ASK_S, time.monotonic()
        job = next(jobs, None)
        while not stop():
            now = time.monotonic()
            if now - asked >= (ASK_S if most else ASK_FIRST_S):  # workers come and go
                most, asked = A_THREAD * sum(client.nthreads().values()), now
                if not most and self._scheduler is None and now - begun > START_S:
                    raise ClusterError(self._name, "none of its workers could be started")
            while job is not None and len(in_flight) < most:
                key = f"worldsim-{job.cell}-{job.replication}-{time.time_ns():x}"
                in_flight[client.submit(do, job, key=key, pure=False)] = job
                job = next(jobs, None)
            if job is None and not in_flight:
                return
            yield from self._ended(in_flight, POLL_S)

    def _last(self, in_flight: dict[Any, Job]) -> Iterator[Outcome]:
        """Those that end soon after nothing more is wanted."""
        until = time.monotonic() + PATIENCE_S
        while in_flight and (rest := until - time.monotonic()) > 0:
            yield from self._ended(in_flight, min(POLL_S, rest))

    def _ended(self, in_flight: dict[Any, Job], seconds: float) -> Iterator[Outcome]:
        """What has ended; if nothing has, a little later."""
        done = [future for future in in_flight if future.done()]
        if not done:
            time.sleep(seconds)
        for future in done:
            yield self._outcome(future, in_flight.pop(future))

    def _outcome(self, future: Any, job: Job) -> Outcome:
        killed: type[Exception] = _distributed().scheduler.KilledWorker
        try:
            outcome: Outcome = future.result()
        except killed:
            return failed(job, DIED)
        except WorldsimError:
            raise
        except Exception as error:
            raise ClusterError(self._name, f"{type(error).__name__}: {error}") from error
        finally:
            future.release()
        return outcome

    @property
    def _name(self) -> str:
        return self._scheduler or "of this machine"

    @contextmanager
    def _client(self) -> Iterator[Any]:
        """Whoever takes jobs."""
        dask = _distributed()
        if self._scheduler is not None:
            try:
                client = dask.Client(self._scheduler, timeout=CONNECT_S, set_as_default=False)
            except (OSError, ValueError) as error:  # a timeout is an OSError
                raise ClusterError(self._name, str(error) or "it does not answer") from error
            with client:
                yield client
            return
        with TemporaryDirectory(prefix="worldsim-", ignore_cleanup_errors=True) as scratch:
            with deaf():  # the thread that will start workers, too
                cluster = dask.LocalCluster(
                    n_workers=0,
                    threads_per_worker=1,
                    dashboard_address=None,
                    local_directory=scratch,
                    memory_limit=0,
                    silence_logs=logging.CRITICAL,
                )
            before = set(multiprocessing.active_children())
            try:
                with dask.Client(cluster, set_as_default=False) as client:
                    cluster.scale(self._workers)  # which waits for nothing
                    yield client
            finally:
                _end(cluster, before)


def _end(cluster: Any, before: set[BaseProcess]) -> None:
    """End a cluster of this machine at once: its workers, which have nothing to lose, are killed.

    Left alone they would take seconds, and those that just start even longer.
    """
    for process in set(multiprocessing.active_children()) - before:
        process.kill()
    try:
        cluster.close(timeout=CLOSE_S)
    except Exception:  # noqa: BLE001  # whatever it still waits for ends with this process
        cluster.shutdown_on_close = False
    for process in set(multiprocessing.active_children()) - before:
        process.kill()


def _distributed() -> Any:
    """The library, which has no types of its own.

    Raises:
        MissingExtraError: it is not installed.
    """
    with optional("dask.distributed", "cluster", "clusters"):
        import distributed.scheduler  # noqa: PLC0415  # an extra
    return distributed
