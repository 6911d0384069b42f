"""The roster: who is woken at dawn, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import simpy

COLONIES: Final = 0  # the groups, in the order in which they are woken
BATTLES: Final = 1
TEAMS: Final = 2


class Roster:
    """The processes of a run.

    Attributes:
        ranks: Of each process the group that is woken first, and the id it is drawn by.
    """

    __slots__ = ("_groups", "_names", "_processes", "ranks")

    def __init__(self) -> None:
        self.ranks: dict[simpy.Process, tuple[int, str]] = {}
        self._processes: list[simpy.Process] = []  # by rank; empty until somebody asks
        self._groups: list[float] = []
        self._names: list[str] = []

    def enlist(self, process: simpy.Process, group: int, name: str) -> None:
        """Add a process."""
        self.ranks[process] = (group, name)
        self._processes = []

    def dismiss(self, process: simpy.Process) -> None:
        """Remove a process that has done its work; one that is not there is none."""
        self.ranks.pop(process, None)
        self._processes = []

    def names(self) -> list[str]:
        """The ids by rank: what ``order`` wants draws for."""
        if not self._processes:
            ranked = sorted(self.ranks.items(), key=lambda entry: entry[1])
            self._processes = [process for process, _ in ranked]
            self._groups = [float(group) for _, (group, _) in ranked]
            self._names = [name for _, (_, name) in ranked]
        return self._names

    def order(self, drawn: list[float]) -> list[simpy.Process]:
        """All processes, the first to be woken first.

        Rule DAY-3 [us].

        Args:
            drawn: A number in [0, 1) for each of the ``names``, drawn anew every day. Equal ones
                go by name; so do those nearer than 2**-51, which the group's number swallows.
        """
        count = len(self.names())
        keys = [self._groups[i] + drawn[i] for i in range(count)]
        return [self._processes[i] for i in sorted(range(count), key=keys.__getitem__)]
