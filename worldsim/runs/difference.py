"""What sets two runs apart: the first event that differs, and how often each kind happened."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Literal, get_args

from worldsim.errors import WorldsimError
from worldsim.events.kinds import Level
from worldsim.runs.streams import Stream

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from worldsim.runs.reading import Run

STARTED = b'{"event":"campaign.started",'
AROUND = 3  # lines shown before the first difference, and after it


@dataclass(frozen=True, slots=True)
class KeyDifference:
    """A key of the scenarios with two values; ``None`` where it is not given."""

    key: str
    a: Any
    b: Any


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where two logs part.

    Attributes:
        before: The last events that they have in common.
        a, b: The first event that differs, and those after it.
    """

    before: list[dict[str, Any]]
    a: list[dict[str, Any]]
    b: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs.

    Attributes:
        name: The run.
        last_day: How far it came.
        counts: Events by kind from the first difference on, as far as both runs came.
        beyond: Events on the days after that.
    """

    name: str
    last_day: int
    counts: Counter[str]
    beyond: int


@dataclass(frozen=True, slots=True)
class Difference:
    """What sets run A and run B apart.

    Attributes:
        level: The lowest level that both logs hold: only lines from there on were compared.
        same_scenario: Whether both had the same seed, and the same scenario as far as it decides
            what happens.
        keys: Where their scenarios differ, if they do and both can be read.
        problem: Why the scenarios could not be compared.
        divergence: The first difference; None where one log is the beginning of the other.
        goes_on: The run whose log goes on where the other's ends.
        a, b: What was counted.
    """

    level: Level
    same_scenario: bool
    keys: list[KeyDifference]
    problem: str | None
    divergence: Divergence | None
    goes_on: Literal["a", "b"] | None
    a: Side
    b: Side

    @property
    def same(self) -> bool:
        """Whether no event differs and none is missing."""
        return self.divergence is None and self.goes_on is None

    @property
    def counts(self) -> dict[str, tuple[int, int]]:
        """Of each kind that did not happen as often in both: how often in A, and in B."""
        kinds = sorted({*self.a.counts, *self.b.counts})
        both = {kind: (self.a.counts[kind], self.b.counts[kind]) for kind in kinds}
        return {kind: (ours, theirs) for kind, (ours, theirs) in both.items() if ours != theirs}


def compare(a: Run, b: Run) -> Difference:
    """Compare what happened in two runs, line by line, in little memory.

    What ``campaign.started`` says is no difference: ``keys`` tell it.

    Raises:
        DamagedLogError: a log is damaged, and not only torn at its end.
    """
    level = max(a.manifest.level, b.manifest.level, key=get_args(Level).index)
    logs = Stream(a, level), Stream(b, level)
    divergence = _first_difference(*logs)
    longer = None if divergence else _that_goes_on(*logs)
    last = min(log.last_day for log in logs)
    ours, theirs = (
        Side(run.name, log.last_day, *log.count(last))
        for run, log in zip((a, b), logs, strict=True)
    )
    if longer is None and (ours.beyond or theirs.beyond):
        longer = "a" if ours.beyond else "b"
    return Difference(level, *_scenarios(a, b), divergence, longer, ours, theirs)


def _first_difference(a: Stream, b: Stream) -> Divergence | None:
    """Go through both logs as far as they are the same; both stand where they part.

    Returns:
        None where one of them ended before a difference, or both did.
    """
    before = _past_the_start(a, b)
    while a.fill() and b.fill():
        shared = min(len(a.rest), len(b.rest))
        parted = a.rest[:shared] != b.rest[:shared]
        if parted:
            shared = _shared(a.rest, b.rest)
        before = _last_lines(before + a.take(shared))
        b.take(shared)
        if parted:
            common = [a.event(line) for line in before.splitlines()]
            return Divergence(common, a.ahead(AROUND + 1), b.ahead(AROUND + 1))
    return None


def _past_the_start(a: Stream, b: Stream) -> bytes:
    """Leave out the first line of both where it says what is simulated; that of A is returned."""
    lines = [each.rest[: each.rest.find(b"\n") + 1] for each in (a, b) if each.fill()]
    if len(lines) < 2 or not all(line.startswith(STARTED) for line in lines):  # noqa: PLR2004 -- A, B
        return b""
    b.take(len(lines[1]))
    return a.take(len(lines[0]))


def _shared(ours: bytes, theirs: bytes) -> int:
    """Bytes of the whole lines from the first on that are the same."""
    pairs = zip(ours.splitlines(keepends=True), theirs.splitlines(keepends=True), strict=False)
    return sum(len(line) for line, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _last_lines(lines: bytes) -> bytes:
    """The last few of them."""
    cut = lines.rsplit(b"\n", AROUND + 1)
    return b"\n".join(cut[1:]) if len(cut) > AROUND + 1 else lines


def _that_goes_on(a: Stream, b: Stream) -> Literal["a", "b"] | None:
    if a.fill():
        return "a"
    return "b" if b.fill() else None


def _scenarios(a: Run, b: Run) -> tuple[bool, list[KeyDifference], str | None]:
    """Whether the scenarios and seeds are the same, where not, and why that cannot be said."""
    if (a.manifest.digest, a.manifest.seed) == (b.manifest.digest, b.manifest.seed):
        return True, [], None
    try:
        keys = list(_differing(_deciding(a), _deciding(b)))
    except (WorldsimError, OSError) as error:
        return False, [], str(error)
    return False, keys, None


def _deciding(run: Run) -> dict[str, Any]:
    """The tables of a scenario, without what decides nothing of what happens."""
    tables: dict[str, Any] = run.scenario.model_dump(mode="json", by_alias=True, exclude_none=True)
    del tables["record"]
    del tables["campaign"]["days"]
    return tables


def _differing(a: Any, b: Any, path: str = "") -> Iterator[KeyDifference]:
    """The keys that differ; a table or list that only one of the two has is one key."""
    if a == b:
        return
    ours, theirs = _steps(a), _steps(b)
    if ours is None or theirs is None:
        yield KeyDifference(path, a, b)
        return
    for step in dict.fromkeys([*ours, *theirs]):
        below = f"{path}{step}".removeprefix(".")
        yield from _differing(ours.get(step), theirs.get(step), below)


def _steps(value: Any) -> dict[str, Any] | None:
    """What stands in a table, or in a list of tables by their ids; None of a plain value."""
    if isinstance(value, dict):
        return {f".{name}": item for name, item in value.items()}
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        named = {f"[{item.get('id', n)}]": item for n, item in enumerate(value)}
        return named if len(named) == len(value) else None
    return None
