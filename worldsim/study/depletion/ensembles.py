"""Which runs are read together, and what of their ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from worldsim.errors import InputError
from worldsim.runs import Run
from worldsim.runs.duck import text
from worldsim.scenario.near import did_you_mean
from worldsim.study.analysis import find_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from worldsim.study.study import Study

By = Literal["ingredient", "region", "sector", "pool"]


class SameRunTwiceError(InputError):
    """One scenario and one seed twice: a copy says nothing about how much runs differ."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first, second)
        self.first, self.second = first, second

    def __str__(self) -> str:
        return (
            f"{self.first} and {self.second} are the same scenario with the same seed: give runs"
            " of different seeds"
        )


class NothingToReadError(InputError):
    """A run whose first day is not over, or not kept."""

    def __init__(self, run: str) -> None:
        super().__init__(run)
        self.run = run

    def __str__(self) -> str:
        return f"{self.run} has no whole day in its tables yet; at least one is wanted"


class EmptyGroundError(InputError):
    """A scenario in whose ground nothing ever lay."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"nothing ever lay in the ground of {self.name}: no ingredient has a reserve"


class NothingKeptError(InputError):
    """A study of whose campaigns only the metrics were kept."""

    def __init__(self, study: str) -> None:
        super().__init__(study)
        self.study = study

    def __str__(self) -> str:
        return (
            f'{self.study} keeps no tables of its campaigns; put keep = "tables" under [study]'
            " and run it again"
        )


class NotInTheGroundError(InputError, LookupError):
    """A name under which nothing lies in the ground.

    Attributes:
        what: ``ingredient`` or ``region``.
        given: The name.
        known: Those under which something does.
    """

    def __init__(self, what: str, given: str, known: tuple[str, ...]) -> None:
        super().__init__(what, given, known)
        self.what, self.given, self.known = what, given, known

    def __str__(self) -> str:
        near = did_you_mean(self.given, self.known) or f"; there are {', '.join(self.known)}"
        return f"there never was any stock of the {self.what} {self.given!r}{near}"


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of the ground that is looked at; None for all of it."""

    ingredient: str | None = None
    region: str | None = None

    @property
    def sql(self) -> str:
        """A condition on the rows of ``stocks`` and ``takings``."""
        named = (("ingredient", self.ingredient), ("region", self.region))
        wanted = [f"{name} = {text(value)}" for name, value in named if value is not None]
        return " AND ".join(wanted) or "TRUE"


@dataclass(frozen=True, slots=True)
class Ensemble:
    """Runs of one scenario that differ in their seeds.

    Attributes:
        name: For people.
        runs: At least one. They are gone through once, and each may be dropped after its turn.
        count: How many.
        last_day: Of the run that came furthest, at least 1.
    """

    name: str
    runs: Iterable[Run]
    count: int
    last_day: int


@dataclass(frozen=True, slots=True)
class _Reopened:
    """Runs on disk are opened when their turn comes, so that only one holds a database."""

    runs: tuple[Run | Path, ...]

    def __iter__(self) -> Iterator[Run]:
        for each in self.runs:
            yield each if isinstance(each, Run) else Run.open(each)


def by_scenario(runs: Iterable[Run]) -> list[Ensemble]:
    """Put runs of one scenario together, in the order in which the scenarios come.

    Args:
        runs: At least one.

    Raises:
        SameRunTwiceError: two have the same scenario and seed.
        NothingToReadError: one has no day in its tables.
    """
    groups: dict[str, list[Run]] = {}
    seen: dict[tuple[str, int], str] = {}
    for run in runs:
        told = run.manifest
        if not told.day:
            raise NothingToReadError(run.name)
        before = seen.get((told.digest, told.seed))
        if before is not None:
            raise SameRunTwiceError(before, run.name)
        seen[told.digest, told.seed] = run.name
        groups.setdefault(told.digest, []).append(run)
    names = [group[0].manifest.campaign for group in groups.values()]
    return [
        _ensemble(_told_apart(group, alone=names.count(group[0].manifest.campaign) == 1), group)
        for group in groups.values()
    ]


def of_study(study: Study, cell: str | None = None) -> list[Ensemble]:
    """The kept campaigns of a study, those of each cell together.

    Args:
        study: As far as it was simulated.
        cell: The only cell wanted, by its number or by factors as in ``cost=0``.

    Raises:
        NothingKeptError: none was kept.
        UnknownCellError: there is no such cell.
    """
    wanted = None if cell is None else find_cell(study.plan, cell).number
    groups: dict[int, list[Run]] = {}
    for outcome, run in study.runs():
        if wanted in {None, outcome.cell}:
            groups.setdefault(outcome.cell, []).append(run)
    if not groups:
        raise NothingKeptError(study.name)
    labels = {each.number: each.label for each in study.plan.cells}
    return [_ensemble(labels[cell] or study.name, group) for cell, group in sorted(groups.items())]


def _ensemble(name: str, group: list[Run]) -> Ensemble:
    return Ensemble(
        name=name,
        runs=_Reopened(tuple(each if each.path is None else each.path for each in group)),
        count=len(group),
        last_day=max(each.manifest.day for each in group),
    )


def _told_apart(group: list[Run], *, alone: bool) -> str:
    """The campaign's name; with a few digits of the digest where several bear it."""
    told = group[0].manifest
    if len(group) == 1:
        return group[0].name
    return told.campaign if alone else f"{told.campaign} {told.digest[:8]}"


def check_scope(scope: Scope, ingredients: Iterable[str], regions: Iterable[str]) -> None:
    """Refuse names under which nothing lay in the ground.

    Raises:
        NotInTheGroundError: a name is one.
    """
    for what, given, known in (
        ("ingredient", scope.ingredient, tuple(ingredients)),
        ("region", scope.region, tuple(regions)),
    ):
        if given is not None and given not in known:
            raise NotInTheGroundError(what, given, known)
