"""The power is cut after each operation of a run: what is left then, and whether it is enough."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from forgetful_disk import Device, Forgets, KeepsNames, Mixes, restore
from promises import Promises
from small_runs import go_on
from trials import RUN
from watched_disk import WatchedDisk

from worldsim.runs.places import RUN_LOG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from forgetful_disk import Fate, Image
    from trials import Bench
    from watched_disk import Operation

    Fates = Callable[[int], dict[str, Fate]]
    Forgetting = Callable[[Operation], bool]


@dataclass(frozen=True, slots=True)
class Cut:
    """The power is cut after an operation.

    Attributes:
        number: Of operations before.
        after: The operation.
        fate: The name of the way in which is forgotten what was not synced.
        promised: As of `Promises`.
        image: What is left.
    """

    number: int
    after: str
    fate: str
    promised: int | None
    image: Image

    def __str__(self) -> str:
        return f"after {self.number} {self.after} ({self.fate})"


def plain_fates(_number: int) -> dict[str, Fate]:
    """Those that leave nothing to chance."""
    return {"forgets": Forgets(), "keeps names": KeepsNames()}


def all_fates(number: int) -> dict[str, Fate]:
    """Each a different way of forgetting; the number tells one mix from another."""
    mixes = {"mixes": Mixes(2 * number), "mixes otherwise": Mixes(2 * number + 1)}
    return {**plain_fates(number), **mixes}


def cuts(
    device: Path,
    fates: Fates = all_fates,
    *,
    forgets_sync: Forgetting = lambda _: False,
    promised: int | None = None,
) -> list[Cut]:
    """Let a run on a device begin or go on to its end, and look at it after every operation.

    Args:
        device: Holds a run that is not finished, or none.
        fates: What may become of what is not synced, by name, for each number of operation.
        forgets_sync: As of `Device`.
        promised: Before it goes on.
    """
    found: list[Cut] = []
    promises, number = Promises(device / RUN, promised), 0

    def look(model: Device, operation: Operation) -> None:
        nonlocal number
        if operation.kind == "open folder":
            return
        promises.learn(model, operation)
        where = operation._replace(path=operation.path.relative_to(device), to=None)
        for name, fate in fates(number).items():
            found.append(Cut(number, str(where), name, promises.day, model.image(fate)))
        number += 1

    go_on(device / RUN, WatchedDisk(Device(device, forgets_sync=forgets_sync, after=look)))
    return found


def cuts_while_resuming(bench: Bench, cut: Cut) -> list[Cut]:
    """After a power cut go on with the run, and cut the power again after every operation."""
    device = bench.fresh() / "device"
    restore(cut.image, device)
    return cuts(device, promised=cut.promised)


class Survival:
    """Resumes after power cuts; what is left is often what was left before, and is tried once.

    Args:
        bench: Where.
        known: Power cuts that are survived, as other trials show.
    """

    def __init__(self, bench: Bench, known: Iterable[Cut] = ()) -> None:
        self._bench = bench
        self._kept: dict[frozenset[tuple[str, bytes | None]], int] = {}
        for cut in known:
            self._keeps(cut)

    def problems(self, cut: Cut) -> list[str]:
        """Empty if the run ends the same, and nothing that was promised is lost."""
        if self._kept.get(_key(cut), -2) >= _day(cut):
            return []
        device = self._bench.fresh() / "device"
        restore(cut.image, device)
        problems = self._bench.ended(device, cut.promised)
        if not problems:
            self._keeps(cut)
        return problems

    def _keeps(self, cut: Cut) -> None:
        """Who keeps a promise keeps a lesser one too."""
        self._kept[_key(cut)] = max(_day(cut), self._kept.get(_key(cut), -1))


def _key(cut: Cut) -> frozenset[tuple[str, bytes | None]]:
    """What is left, but for that of which a run that goes on sees nothing."""
    unseen = f"{Path(RUN).parent}/.", f"{RUN}/{RUN_LOG}"
    return frozenset(each for each in cut.image.items() if not each[0].startswith(unseen))


def _day(cut: Cut) -> int:
    return -1 if cut.promised is None else cut.promised
