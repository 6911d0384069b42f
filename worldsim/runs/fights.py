"""The two sides of duels as they began, which no log tells: by simulating their days again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.events.kinds import BattleStarted
from worldsim.processes.fights import Fight, fight_of
from worldsim.runs.checkpoints import reached
from worldsim.runs.replaying import NoSuchDayError, NotTheSameError, Rerun
from worldsim.runs.resuming import check_version

if TYPE_CHECKING:
    from collections.abc import Collection

    from worldsim.events.kinds import DiceRolled, Event
    from worldsim.runs.reading import Run

    Told = tuple[Any, ...]

__all__ = ["Fight", "sides_at"]

TOLD = ("seq", "day", "sector", "attacker", "defender", "ambush", "assault")


def sides_at(run: Run, seqs: Collection[int]) -> dict[int, Fight]:
    """The sides of some duels, each as its ``battle.started`` was recorded; nothing is written.

    Days are simulated once, in their order, from the nearest checkpoint before each.

    Args:
        run: Finished or not, on disk or in memory.
        seqs: Of events of the kind ``battle.started``; others are passed over.

    Raises:
        NoSuchDayError: a duel is of a day that the run has not come to.
        OtherVersionError: another worldsim made the run, and might simulate something else.
        NotTheSameError: simulated again, one of the duels does not begin as the log tells.
        WorldsimError: the run is damaged, or is a branch that is kept in memory.
    """
    check_version(run.manifest, run.name)
    stored = _stored(run, seqs)
    told: dict[int, Told] = {}
    found: dict[int, Fight] = {}

    def hear(event: Event | DiceRolled) -> None:
        if isinstance(event, BattleStarted) and event.seq in stored:
            told[event.seq] = tuple(getattr(event, name) for name in TOLD)
            found[event.seq] = fight_of(rerun.context, event)

    rerun = Rerun(run, on_event=hear)
    for day in _days(run, stored):
        rerun.at(day)
    for seq, row in stored.items():
        if told.get(seq) != row:
            again = _words(told[seq]) if seq in told else None
            raise NotTheSameError(run.name, row[1], _words(row), again)
    return found


def _days(run: Run, stored: dict[int, Told]) -> list[int]:
    """The days of these duels, ascending.

    Raises:
        NoSuchDayError: one is none of the run's.
    """
    days = sorted({row[1] for row in stored.values()})
    most = reached(run.manifest)
    for day in days:
        if not 1 <= day <= most:
            raise NoSuchDayError(run.name, day, most)
    return days


def _stored(run: Run, seqs: Collection[int]) -> dict[int, Told]:
    """What the log tells of these duels."""
    if not seqs:
        return {}
    listed = ", ".join(str(int(seq)) for seq in sorted(seqs))
    log = run.events("battle.started").filter(f"seq IN ({listed})").project(", ".join(TOLD))
    return {row[0]: row for row in run.rows(log)}


def _words(told: Told) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(TOLD, told, strict=True))
