"""Branches a run: the same history up to a midnight, and from then on something is different."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from worldsim.errors import InputError, WorldsimError
from worldsim.runs.chapters import read_scenario, remade, scenarios_of
from worldsim.runs.checkpoints import SECONDS, reached
from worldsim.runs.disk import Disk
from worldsim.runs.driver import as_run, begin, cadence_of, manifest_of, new_store
from worldsim.runs.manifest import Chapter, Parent
from worldsim.runs.places import SCENARIO, history_name
from worldsim.runs.resuming import check_version
from worldsim.scenario import digest, resolved_toml
from worldsim.scenario.interventions import in_force

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from worldsim.runs.campaign import Campaign, OnEvent
    from worldsim.runs.chapters import Earlier, Stocks
    from worldsim.runs.manifest import Manifest
    from worldsim.runs.reading import Run
    from worldsim.scenario.model import Scenario
    from worldsim.world.world import World


class UnfitBranchError(InputError):
    """A branch that would not be the same world any more."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def __str__(self) -> str:
        return (
            f"a branch cannot change {self.what}: it goes on in the same world, by other rules,"
            " policies or stock; run a changed scenario from its start instead"
        )


class NoSuchMidnightError(InputError, LookupError):
    """A midnight at which a run cannot be branched."""

    def __init__(self, run: str, day: int, most: int) -> None:
        super().__init__(run, day, most)
        self.run, self.day, self.most = run, day, most

    def __str__(self) -> str:
        return (
            f"{self.run} cannot be branched at the end of day {self.day}: give a day from 0 to"
            f" {self.most}"
        )


def open_branch(
    run: Run,
    scenario: Scenario,
    *,
    at: int,
    stocks: Stocks | None = None,
    changes: Sequence[str] = (),
    days: int | None = None,
    out: str | Path | None = None,
    on_event: OnEvent | None = None,
    disk: Disk | None = None,
    checkpoint_days: int | None = None,
    checkpoint_seconds: float = SECONDS,
) -> Campaign:
    """Begin a run that shares the history of another one up to a midnight.

    The history is simulated again, so the new run is whole: it can be resumed, replayed and
    branched like any other. What the change does not touch keeps its dice.

    Args:
        run: The parent.
        scenario: That holds from then on: the parent's with something changed.
        at: The last day they share; 0 for none.
        stocks: Units set at that midnight, by place and ingredient.
        changes: What differs, for people.
        days: Where the branch ends, instead of where the parent does.
        out: Its folder, which must not exist; kept in memory if None.
        on_event: Called with every event as it is recorded, those of the history too.
        disk: Instead of the real one.
        checkpoint_days: As of `open_campaign`.
        checkpoint_seconds: Likewise.

    Raises:
        NoSuchMidnightError: the parent has not come so far, or the branch would be over.
        UnfitBranchError, UnfitStockError: it would be another world.
    """
    parent = run.manifest
    check_version(parent, run.name)
    days = days or parent.days
    most = min(reached(parent), days - 1)
    if not 0 <= at <= most:
        raise NoSuchMidnightError(run.name, at, most)
    if scenario.campaign.seed != parent.seed:
        raise UnfitBranchError("the seed")
    scenario = as_run(scenario, None, days, parent.level)
    earlier = _earlier(run, at, stocks or {})
    scenarios = scenarios_of(scenario, earlier)
    check_same_world(run, scenarios.turns[at].before, in_force(scenario, at))
    manifest = _manifest(run, scenario, earlier, changes)
    return begin(
        scenarios.first,
        new_store(scenario, manifest, out, disk or Disk()),
        on_event=on_event,
        cadence=cadence_of(out, checkpoint_days, checkpoint_seconds),
        turns=scenarios.turns,
        own=scenario,
        scenarios={history_name(until): resolved_toml(each) for each, until, _ in earlier}
        | {SCENARIO: resolved_toml(scenario)},
    )


def _manifest(
    run: Run, scenario: Scenario, earlier: Sequence[Earlier], changes: Sequence[str]
) -> Manifest:
    """Of a branch: it names its parent, and how its first days came about."""
    manifest = manifest_of(scenario)
    manifest.parent = Parent(run.name, digest(run.scenario), earlier[-1][1], list(changes))
    manifest.history = [
        Chapter(until, history_name(until), {p: dict(units) for p, units in each.items()})
        for _, until, each in earlier
    ]
    return manifest


def _earlier(run: Run, at: int, stocks: Stocks) -> list[Earlier]:
    """How the branch comes about: the chapters of its parent, up to the midnight."""
    chapters: list[Earlier] = []
    scenario, inherited = run.scenario, {}
    for chapter in run.manifest.history:
        if run.path is None:
            raise WorldsimError(
                "a branch that is kept in memory cannot be branched: keep it on disk"
            )
        read = read_scenario(run.path, run.manifest, chapter.scenario).scenario
        if chapter.until >= at:
            scenario = read
            # What the parent itself set at this very midnight is set here as well.
            inherited = dict(chapter.stocks) if chapter.until == at else {}
            break
        chapters.append((read, chapter.until, chapter.stocks))
    return [*chapters, (scenario, at, {**inherited, **stocks})]


def check_same_world(run: Run, before: Scenario, after: Scenario) -> None:
    """Found both worlds, and refuse what a branch cannot change, before anything is simulated.

    Args:
        run: The parent.
        before: Its scenario at the midnight where they part.
        after: Of the branch at the same midnight.

    Raises:
        UnfitBranchError: something of that kind differs.
        UnfitRunError: no world can be made of the parent's scenario.
        UnfitScenarioError: none can be made of the new one.
    """
    from worldsim.processes.simulation import Simulation  # noqa: PLC0415 - slow to import

    if after.record != before.record:
        raise UnfitBranchError("what is recorded")
    made = partial(Simulation, seed=before.campaign.seed, write=bytearray().extend)
    with remade(str(run.path or run.name)):
        old = made(before).world
    new = made(after).world
    for what, one, other in zip(
        ("places", "ingredients", "the initial stock", "stores at the start", "colonies", "teams"),
        _fixed(old), _fixed(new), strict=True,
    ):  # fmt: skip
        if one != other:
            raise UnfitBranchError(what)


def _fixed(world: World) -> tuple[object, ...]:
    """What a world keeps whatever the rules."""
    return (
        world.places,
        world.ingredients,
        world.reserves.initial,
        world.ledger.initial,
        [(colony.id, colony.faction, colony.sector) for colony in world.colonies],
        [(team.id, [member.name for member in team.members]) for team in world.teams],
    )
