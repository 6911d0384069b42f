"""One random world, lived through under every checker, then gone on with from its midnights."""

from __future__ import annotations

import json
import random
import re
import traceback
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from replayed import midnights, tally_of

from soaking.checkers import LogChecker, check_world, read
from soaking.ondisk import kept, told_on_disk
from soaking.worlds import random_scenario
from worldsim.errors import WorldsimError
from worldsim.processes.simulation import Simulation
from worldsim.scenario import ScenarioError, load_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from replayed import Midnight

    from worldsim.events.kinds import Level
    from worldsim.scenario import Scenario

DAYS = 40
RESUMES = 2
REPLAYED_DAYS = 7
SHARE_ON_DISK = 0.15  # of the worlds: writing takes longer than simulating
Check = Literal["scenario", "run", "log", "world", "fold", "resume", "replay", "disk"]


@dataclass(frozen=True, slots=True)
class Case:
    """All that a world's life under watch depends on.

    Attributes:
        text: The scenario, TOML.
        days: Simulated.
        midnights: After which the run is gone on with from its state, beside the first at which
            a battle goes on; from the first of these, days are looked at again.
        on_disk: Whether it is run once more on disk, and stopped at the first of these.
    """

    text: str
    days: int
    midnights: tuple[int, ...]
    on_disk: bool = False

    def shorter(self, days: int) -> Case:
        """The same for fewer days; the midnights move with the end."""
        within = sorted({min(each, days - 1) for each in self.midnights if days > 1})
        return replace(self, days=days, midnights=tuple(within))


@dataclass(frozen=True, slots=True)
class Failure:
    """What was found wrong.

    Attributes:
        check: Who found it.
        what: For people, many lines.
        day: On which it shows.
    """

    check: Check
    what: str
    day: int

    @property
    def kind(self) -> str:
        """What failures of one cause have in common: names and numbers are left out."""
        first = self.what.partition("\n")[0]
        return f"{self.check}: {re.sub(r'[^ ]*[0-9][^ ]*', 'N', first)}"


@dataclass(slots=True)
class Seen:
    """What a world's life came to.

    Attributes:
        events: Counted by kind.
        resumed, replayed, on_disk: How often the run was gone on with, looked at again, or run
            once more on disk.
        failure: The first; none if all is well.
    """

    events: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    replayed: int = 0
    on_disk: int = 0
    failure: Failure | None = None


@dataclass(slots=True)
class _Story:
    """A run as it was lived through without a break.

    Attributes:
        lines: Of level info.
        ends: How many of them there are at each midnight.
        states: Kept at some midnights.
        fought: Whether there was a battle at one of them.
    """

    lines: list[bytes] = field(default_factory=list)
    ends: dict[int, int] = field(default_factory=dict)
    states: dict[int, bytes] = field(default_factory=dict)
    fought: bool = False

    def keep_state(self, midnight: Midnight, case: Case) -> None:
        """Keep it if it was asked for, is the last, or the first amid a battle."""
        day, simulation = midnight.day, midnight.simulation
        fights = not self.fought and bool(simulation.world.contests.battles)
        if fights or day in case.midnights or day == case.days:
            self.states[day] = simulation.state()
        self.fought |= fights


class _BrokenError(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


def random_case(seed: int, number: int, days: int = DAYS) -> Case:
    """One world; the same for the same three numbers."""
    draw = random.Random(f"midnights {seed}/{number}")  # noqa: S311 - nothing here is a secret
    some = draw.sample(range(1, days), min(RESUMES, days - 1))
    on_disk = draw.random() < SHARE_ON_DISK
    return Case(random_scenario(seed, number), days, tuple(sorted(some)), on_disk)


def watch(case: Case) -> Seen:
    """Live through a world with every checker at every event and every midnight.

    Then it is gone on with from some midnights (resume equals run), a few days of it are looked at
    again with every roll (replay equals log), and some are run once more on disk, where they are
    stopped and resumed.
    """
    seen = Seen()
    try:
        with _asking("scenario", 0):
            scenario = load_text(case.text)
        story = _lived(scenario, case, seen)
        for midnight in sorted(story.states)[:-1]:
            _resume(scenario, case.days, midnight, story)
            seen.resumed += 1
        for midnight in case.midnights[:1]:
            _replay(scenario, min(case.days, midnight + REPLAYED_DAYS), midnight, story)
            seen.replayed += 1
            if case.on_disk:
                _keep(scenario, case.days, midnight, story)
                seen.on_disk += 1
    except _BrokenError as broken:
        seen.failure = broken.failure
    return seen


@contextmanager
def _asking(check: Check, day: int) -> Iterator[None]:
    """Say of whatever is raised inside who found it."""
    try:
        yield
    except _BrokenError:
        raise
    except Exception as error:
        what = str(error) if isinstance(error, AssertionError | ScenarioError) else _where(error)
        raise _BrokenError(Failure(check, what, day)) from error


def _where(error: Exception) -> str:
    """An error with its innermost function, which tells the causes of one type apart."""
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, WorldsimError):
        return text
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {frame.name}\n{text}\n{traceback.format_exc()}"


def _lived(scenario: Scenario, case: Case, seen: Seen) -> _Story:
    story, checker = _Story(), LogChecker(scenario)
    days = midnights(scenario, case.days)
    for day in range(1, case.days + 1):
        with _asking("run", day):
            midnight = next(days)
        new = midnight.lines[len(story.lines) :]
        with _asking("log", day):
            read(new, checker, seen.events)
        with _asking("world", day):
            check_world(midnight.simulation.world)
        _check_fold(midnight)
        story.lines += new
        story.ends[day] = len(story.lines)
        story.keep_state(midnight, case)
    return story


def _check_fold(midnight: Midnight) -> None:
    with _asking("fold", midnight.day):
        tally = midnight.tally
        assert tally.balance() == {}, f"the log does not balance\n{tally.balance()}"
        world = tally_of(midnight.simulation, tally.day)
        assert tally == world, f"the log folds to another world\n{tally}\n{world}"


def _go_on(
    scenario: Scenario, days: int, state: bytes, midnight: int, level: Level
) -> tuple[list[bytes], bytes]:
    """The lines of a run from a state on, and the state it ends in."""
    lines: list[bytes] = []
    simulation = Simulation(
        scenario, seed=scenario.campaign.seed, level=level, state=state,
        write=lambda chunk: lines.extend(chunk.splitlines(keepends=True)),
    )  # fmt: skip
    assert simulation.state() == state, f"gone on with after day {midnight}, the state is another"
    for _ in range(midnight, days):
        simulation.advance()
    return lines, simulation.state()


def _resume(scenario: Scenario, days: int, midnight: int, story: _Story) -> None:
    with _asking("resume", days):
        state = story.states[midnight]
        lines, end = _go_on(scenario, days, state, midnight, "info")
        _compare(
            story.lines[story.ends[midnight] :], lines, "resume", f"resumed after day {midnight}"
        )
        assert end == story.states[days], f"resumed after day {midnight}, it ends in another state"


def _replay(scenario: Scenario, days: int, midnight: int, story: _Story) -> None:
    with _asking("replay", days):
        lines, _ = _go_on(scenario, days, story.states[midnight], midnight, "debug")
        told = [line for line in lines if b'"level":"debug"' not in line]
        was = story.lines[story.ends[midnight] : story.ends[days]]
        _compare(was, told, "replay", f"replayed after day {midnight}")


def _keep(scenario: Scenario, days: int, midnight: int, story: _Story) -> None:
    """The same run on disk, as its ``[record]`` wants it, stopped after a day and resumed."""
    with _asking("disk", days):
        told = told_on_disk(scenario, days, midnight, checkpoint_days=1 + midnight % 7)
        _compare(kept(story.lines, scenario), told, "disk", f"stopped on disk after day {midnight}")


def _compare(was: Sequence[bytes], told: Sequence[bytes], check: Check, which: str) -> None:
    """Both must be the same lines.

    Raises:
        _BrokenError: with the first that differs, and the day it is of.
    """
    for one, other in zip_longest(was, told, fillvalue=b'{"event":"nothing more","day":0}\n'):
        if one != other:
            old, new = json.loads(one), json.loads(other)
            kinds = f"{old['event']} was, {new['event']} is"
            what = f"{which}, the log differs: {kinds}\n{one.decode()}{other.decode()}"
            raise _BrokenError(Failure(check, what, max(old["day"], new["day"])))
