"""Campaigns one after another in this process: for a script, a notebook, a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.study.work import do

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from worldsim.study.executors import Stop
    from worldsim.study.work import Job, Outcome


class Here:
    """Does one job after another. The one in flight is always brought to its end."""

    def outcomes(self, jobs: Iterator[Job], stop: Stop) -> Generator[Outcome]:
        """As of `Executor`."""
        while not stop():
            job = next(jobs, None)
            if job is None:
                return
            yield do(job)
