"""Which scenario holds on which day of a run: its own, changed on dates, or that of a parent."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldsim.errors import InputError, UnfitScenarioError
from worldsim.runs.partfiles import DamagedPartError, whole_file
from worldsim.runs.places import SCENARIO
from worldsim.scenario.interventions import Turn, in_force, turns_of
from worldsim.scenario.loading import load_enclosed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from worldsim.runs.manifest import Manifest
    from worldsim.scenario.loading import Loaded
    from worldsim.scenario.model import Scenario

    Stocks = Mapping[str, Mapping[str, int]]
    Earlier = tuple[Scenario, int, Stocks]
    """A scenario, the last day of it, and units that are set at that midnight."""


class UnfitRunError(InputError):
    """The world of a run cannot be made again: a plug-in of its scenario may be gone."""

    def __init__(self, run: str, why: str) -> None:
        super().__init__(run, why)
        self.run, self.why = run, why

    def __str__(self) -> str:
        return (
            f"{self.run} can be read, but no day of it can be simulated here,"
            f" by its {SCENARIO}:\n  {self.why}"
        )


@contextmanager
def remade(run: str) -> Iterator[None]:
    """A context in which the world of a run is made again.

    Raises:
        UnfitRunError: it cannot be.
    """
    try:
        yield
    except UnfitScenarioError as unfit:
        raise UnfitRunError(run, str(unfit)) from unfit


@dataclass(frozen=True, slots=True)
class Scenarios:
    """The scenario of each day of a run.

    Attributes:
        last: The run's own, as it is written.
        first: By which it was founded.
        turns: By the midnights at which one gives way to the next.
    """

    last: Scenario
    first: Scenario
    turns: Mapping[int, Turn]

    def on(self, day: int) -> Scenario:
        """The one by which a day was simulated that has ended; 0 is the founding."""
        ends = [midnight for midnight in self.turns if midnight >= day]
        if ends:
            return self.turns[min(ends)].before
        return self.turns[max(self.turns)].after if self.turns else self.last


def scenarios_of(last: Scenario, earlier: Sequence[Earlier] = ()) -> Scenarios:
    """How the scenarios of a run follow each other.

    Args:
        last: Its own.
        earlier: Those by which a branched run began, from the first on.
    """
    chapters = [each for each, _, _ in earlier] + [last]
    ends = [until for _, until, _ in earlier]
    turns: dict[int, Turn] = {}
    for number, scenario in enumerate(chapters):
        begun = ends[number - 1] if number else -1
        over = ends[number] if number < len(ends) else None
        for turn in turns_of(scenario):
            if turn.midnight >= begun and (over is None or turn.midnight < over):
                turns[turn.midnight] = turn
        if number:
            parted, stocks = chapters[number - 1], earlier[number - 1][2]
            own = turns.get(begun)
            turns[begun] = Turn(
                begun,
                in_force(parted, begun),
                in_force(scenario, begun + 1),
                own.made if own else [],
                own.ended if own else [],
                {**(own.stocks if own else {}), **{p: dict(units) for p, units in stocks.items()}},
            )
    return Scenarios(last, in_force(chapters[0], 0), dict(sorted(turns.items())))


def read_scenario(
    folder: Path, manifest: Manifest, path: str = SCENARIO, *, sets: Sequence[str] = ()
) -> Loaded:
    """One of the scenarios of a run, by its path in the folder, perhaps with something changed.

    Raises:
        LinkError, DamagedPartError: its file is not as the manifest tells.
        ScenarioError: of ``sets``.
    """
    told = next((part for part in manifest.parts if part.path == path), None)
    if told is None:
        raise DamagedPartError(str(folder / path), "is not told of in the manifest")
    return load_enclosed(whole_file(folder, told), str(folder / path), sets=sets)


def read_scenarios(folder: Path, manifest: Manifest) -> Scenarios:
    """How the scenarios of a run follow each other, from its folder.

    Raises:
        WorldsimError: as of `read_scenario`.
    """
    return scenarios_of(
        read_scenario(folder, manifest).scenario,
        [
            (read_scenario(folder, manifest, each.scenario).scenario, each.until, each.stocks)
            for each in manifest.history
        ],
    )
