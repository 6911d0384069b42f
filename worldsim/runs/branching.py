"""Branches a run: the same history up to a midnight, and from then on something is different."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from worldsim.errors import InputError
from worldsim.runs.campaign import Turn
from worldsim.runs.checkpoints import SECONDS, Cadence, reached
from worldsim.runs.disk import Disk
from worldsim.runs.driver import as_run, begin, manifest_of, new_store
from worldsim.runs.manifest import Chapter, Parent
from worldsim.runs.places import SCENARIO, history_name
from worldsim.runs.resuming import Scenarios, check_version, read_scenarios
from worldsim.scenario import digest, resolved_toml

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.runs.campaign import Campaign, OnEvent, Stocks
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
        checkpoint_days: Simulated days between checkpoints, besides those by time.
        checkpoint_seconds: Wall time between checkpoints.

    Raises:
        NoSuchMidnightError: the parent has not come so far, or the branch would be over.
        UnfitBranchError, UnfitStateError, UnfitStockError: it would be another world.
    """
    check_version(run.manifest, run.name)
    disk, parent = disk or Disk(), run.manifest
    days = parent.days if days is None else days
    most = min(reached(parent), days - 1)
    if not 0 <= at <= most:
        raise NoSuchMidnightError(run.name, at, most)
    scenario = as_run(scenario, parent.seed, days, parent.level)
    turns = _turns(run, scenario, at, stocks or {}, disk)
    check_same_world(turns[at], parent.seed)
    manifest = manifest_of(scenario)
    manifest.parent = Parent(run.name, digest(run.scenario), at, list(changes))
    manifest.history = [
        Chapter(day, history_name(day), {p: dict(units) for p, units in each.stocks.items()})
        for day, each in sorted(turns.items())
    ]
    return begin(
        turns[min(turns)].before,
        new_store(scenario, manifest, out, disk),
        on_event=on_event,
        cadence=Cadence(checkpoint_days, checkpoint_seconds),
        turns=turns,
        scenarios={history_name(day): resolved_toml(each.before) for day, each in turns.items()}
        | {SCENARIO: resolved_toml(scenario)},
    )


def _turns(run: Run, scenario: Scenario, at: int, stocks: Stocks, disk: Disk) -> dict[int, Turn]:
    """How the branch comes about: the parent's own turns before the midnight, and the new one."""
    old = Scenarios(run.scenario, {})
    if run.path is not None:
        old = read_scenarios(Path(run.path), run.manifest, disk)
    # What the parent itself set at this very midnight is set here as well.
    inherited = old.turns[at].stocks if at in old.turns else {}
    turn = Turn(old.on(at), scenario, {**inherited, **stocks})
    return {day: each for day, each in old.turns.items() if day < at} | {at: turn}


def check_same_world(turn: Turn, seed: int) -> None:
    """Found both worlds, and refuse what a branch cannot change, before anything is simulated.

    Raises:
        UnfitBranchError, UnfitStateError, UnfitStockError: something of that kind differs.
        UnfitScenarioError: no world can be made of the new scenario.
    """
    from worldsim.processes.simulation import Simulation  # noqa: PLC0415 - slow to import

    lines = bytearray()
    if turn.after.campaign.seed != seed:
        raise UnfitBranchError("the seed")
    if turn.after.record != turn.before.record:
        raise UnfitBranchError("what is recorded")
    old = Simulation(turn.before, seed=seed, write=lines.extend)
    new = Simulation(turn.after, seed=seed, write=lines.extend)
    for what, one, other in zip(
        ("places", "ingredients", "the initial stock", "stores at the start", "colonies", "teams"),
        _fixed(old.world), _fixed(new.world), strict=True,
    ):  # fmt: skip
        if one != other:
            raise UnfitBranchError(what)
    gone_on = Simulation(
        turn.after, seed=seed, write=lines.extend, state=old.state(), before=turn.before
    )
    gone_on.adjust(turn.stocks)


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
