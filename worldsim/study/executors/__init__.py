"""Where the campaigns of a study are simulated: here, in processes beside this one, on a cluster.

Whichever does it, and in whatever order, the outcomes are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from worldsim.study.work import Job, Outcome

    Stop = Callable[[], bool]


class Executor(Protocol):
    """Does jobs."""

    def outcomes(self, jobs: Iterator[Job], stop: Stop) -> Generator[Outcome]:
        """The outcome of each job, in the order in which they come to an end.

        Args:
            jobs: Taken one by one, when somebody is free to do the next.
            stop: Asked several times a second: if true, no further job is taken, and those in
                flight are dropped if they do not end at once.
        """
