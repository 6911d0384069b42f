"""Whatever is changed in a run, `verify` finds it and names the file, and nobody reads wrong data.

Case n is the same always: `damage(n)` makes it again.
"""

from __future__ import annotations

import os
import random
import shutil
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import pytest
from whole_runs import DAYS, MADE

from worldsim.errors import WorldsimError
from worldsim.runs import FaultError, Run, causes_of, compare, resume, verify
from worldsim.runs.checkpoints import decode
from worldsim.runs.manifest import MANIFEST
from worldsim.runs.places import NotARunError
from worldsim.runs.replaying import replayed
from worldsim.runs.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("quick")

CASES = int(os.environ.get("WORLDSIM_DAMAGE", "60"))
LEFT_ALONE = {"run.log", ".lock"}
SORTS = tuple(MADE)
FINISHED = {"finished", "compressed", "branched"}
LIVE = "events/000003.jsonl"
"""Of the killed run: behind its last checkpoint nothing is told of it."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What is done to which files of which run."""

    sort: str
    kind: str
    files: tuple[str, ...]
    at: int = 0
    by: int = 0

    def do(self, folder: Path) -> None:
        file = folder / self.files[0]
        if self.kind == "removed":
            file.unlink()
        elif self.kind == "swapped":
            one, other = (folder / name for name in self.files)
            first, second = one.read_bytes(), other.read_bytes()
            one.write_bytes(second)
            other.write_bytes(first)
        elif self.kind == "truncated":
            os.truncate(file, self.at)
        else:
            data = bytearray(file.read_bytes())
            data[self.at] ^= self.by
            file.write_bytes(data)


class Places:
    """The whole runs, and what is read from each.

    Args:
        folder: Where they are made.
    """

    def __init__(self, folder: Path) -> None:
        self.whole = {sort: make(folder / sort) for sort, make in MADE.items()}
        self.files = {sort: sorted(_files(path)) for sort, path in self.whole.items()}
        self._read: dict[tuple[str, str], Any] = {}
        self._scratch = folder / "scratch"

    def damage(self, number: int) -> Damage:
        """A case."""
        draw = random.Random(number)  # noqa: S311 - the same case again, nothing secret
        sort = SORTS[number % len(SORTS)]
        folder = self.whole[sort]
        kind = draw.choices(
            ("flipped", "truncated", "removed", "swapped"), (60, 20, 5, 15)
        )[0]  # fmt: skip
        if kind == "swapped":
            while True:
                one, other = draw.sample(self.files[sort], 2)
                if (folder / one).read_bytes() != (folder / other).read_bytes():
                    return Damage(sort, kind, (one, other))
        file = draw.choice(self.files[sort])
        size = self._told_bytes(sort, file)
        return Damage(sort, kind, (file,), draw.randrange(size), draw.randrange(1, 256))

    def _told_bytes(self, sort: str, file: str) -> int:
        """As far as anybody can know what was in a file."""
        if (sort, file) != ("killed", LIVE):
            return (self.whole[sort] / file).stat().st_size
        last = Run.open(self.whole[sort]).manifest.checkpoints[-1].path
        return decode((self.whole[sort] / last).read_bytes(), last).segment.bytes

    def copy(self, sort: str) -> Path:
        """A copy that may be changed, in a place of its own."""
        shutil.rmtree(self._scratch, ignore_errors=True)
        shutil.copytree(self.whole[sort], self._scratch / sort)
        return self._scratch / sort

    def read_before(self, sort: str, name: str) -> Any:
        """What is read from the whole run, in one of the ways."""
        if (sort, name) not in self._read:
            self._read[sort, name] = WAYS[name](self.copy(sort), self.whole[sort])
        return self._read[sort, name]


def _files(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_file() and name not in LEFT_ALONE and not name.startswith("cache/"):
            yield name


def _gone_on(folder: Path, _: Path) -> Any:
    """The log and the tables of a run that was resumed, or extended if it had ended."""
    over = Run.open(folder).manifest.status == "finished"
    run = resume(folder, days=DAYS + 3 if over else None)
    tables = [run.query(f"FROM {name}").fetchall() for name in TABLES]
    return b"".join(run.lines()), run.manifest.events, tables


def _rows(table: str) -> Callable[[Path, Path], Any]:
    return lambda folder, _: getattr(Run.open(folder), table)().fetchall()


WAYS: dict[str, Callable[[Path, Path], Any]] = {
    "lines": lambda folder, _: list(Run.open(folder).lines()),
    "chunks": lambda folder, _: b"".join(Run.open(folder).chunks()),
    "day_lines": lambda folder, _: list(Run.open(folder).day_lines(3, 9)),
    "gone on": _gone_on,
    "events": lambda folder, _: Run.open(folder).events().order("seq").fetchall(),
    "replayed": lambda folder, _: list(replayed(Run.open(folder), [2, 7, 9])),
    "query": lambda folder, _: (
        Run.open(folder)
        .query("SELECT event, count(*) FROM events GROUP BY 1 ORDER BY 1")
        .fetchall()
    ),
    "summary": lambda folder, _: asdict(Run.open(folder).summary()),
    "compared": lambda folder, whole: compare(Run.open(folder), Run.open(whole)),
    "scenario": lambda folder, _: Run.open(folder).scenario,
    "caused": lambda folder, _: causes_of(Run.open(folder), 40),
    **{table: _rows(table) for table in TABLES},
}
"""Ways to read from a run; some of them change it."""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    return Places(tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize("sort", SORTS)
def test_a_run_that_nothing_happened_to_is_whole(sort: str, places: Places) -> None:
    before = {path: (places.whole[sort] / path).read_bytes() for path in places.files[sort]}
    verified = verify(places.whole[sort])
    days = DAYS if sort in FINISHED else 11 if sort == "failed" else 10
    assert (verified.days, verified.folded) == (days, True)
    assert before == {path: (places.whole[sort] / path).read_bytes() for path in before}


def test_verify_finds_every_change_and_names_the_file(places: Places) -> None:
    missed = []
    for number in range(CASES):
        damage = places.damage(number)
        folder = places.copy(damage.sort)
        damage.do(folder)
        try:
            verify(folder)
        except FaultError as fault:
            if fault.file not in damage.files or fault.exit_code != 3:
                missed.append(f"{number}: {damage}: {fault}")
        except NotARunError as error:
            if damage.files != (MANIFEST,) or MANIFEST not in str(error):
                missed.append(f"{number}: {damage}: {error}")
        else:
            missed.append(f"{number}: {damage}: nothing found")
    assert not missed, "\n".join(missed)


def test_nobody_reads_wrong_data_from_a_damaged_run(places: Places) -> None:
    wrong, refused, read = [], 0, 0
    for number in range(CASES):
        damage = places.damage(number)
        way = list(WAYS)[number // len(SORTS) % len(WAYS)]
        before = places.read_before(damage.sort, way)
        folder = places.copy(damage.sort)
        damage.do(folder)
        try:
            now = WAYS[way](folder, places.whole[damage.sort])
        except WorldsimError:
            refused += 1
        except Exception as error:  # noqa: BLE001 - any other is a fault of ours
            wrong.append(f"{number}: {damage}: {way} ended with {error!r}")
        else:
            read += 1
            if now != before:
                wrong.append(f"{number}: {damage}: {way} gave something else")
    assert not wrong, "\n".join(wrong)
    assert min(refused, read) > CASES // 10
