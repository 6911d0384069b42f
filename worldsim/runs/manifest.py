"""The manifest of a run: what it is, how far it came, and what its sealed parts must look like."""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from worldsim import __version__
from worldsim.errors import WorldsimError

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = 1
"""Of a run directory. A reader refuses higher numbers."""
MANIFEST = "manifest.json"

NUMBERED = ("events", "stocks", "takings", "teams")
"""Folders of parts, each called by its number."""
CHECKPOINTS = "checkpoints"
HISTORY = "history"
"""Folders of files that are called by a day."""

MOST_DAYS = 1_000_000
MOST_BYTES = 2**48
NUMBER = "[0-9]{6,7}"
PATH = (
    rf"^(scenario\.toml|history/{NUMBER}\.toml|events/{NUMBER}\.jsonl(\.gz)?"
    rf"|(stocks|takings|teams)/{NUMBER}\.parquet|checkpoints/{NUMBER}\.msgpack)\Z"
)
"""All that a manifest may tell of; whoever reads a run relies on it."""

Path = Annotated[str, Meta(pattern=PATH)]
Sha256 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Bytes = Annotated[int, Meta(ge=0, le=MOST_BYTES)]
Day = Annotated[int, Meta(ge=0, le=MOST_DAYS)]
Number = Annotated[int, Meta(ge=1, le=MOST_DAYS)]
Lines = Annotated[int, Meta(ge=0, le=2**53)]
Units = Annotated[int, Meta(ge=0, le=10**12)]
Word = Annotated[str, Meta(pattern=r"^[\w.+!-]{1,100}\Z")]

Status = Literal["running", "finished", "interrupted", "failed"]


class DamagedManifestError(WorldsimError):
    """A manifest that can't be trusted, or is none."""

    def __init__(self, run: str, reason: str) -> None:
        super().__init__(run, reason)
        self.run, self.reason = run, reason

    def __str__(self) -> str:
        return f"{self.run} is damaged or no run: its {MANIFEST} {self.reason}"


class NewerFormatError(WorldsimError):
    """A run directory of a later worldsim."""

    def __init__(self, run: str, found: int) -> None:
        super().__init__(run, found)
        self.run, self.found = run, found

    def __str__(self) -> str:
        return f"{self.run} has format {self.found}, this worldsim reads up to {FORMAT}: update it"


class Part(msgspec.Struct, frozen=True):
    """A sealed file: it never changes again."""

    path: Path
    bytes: Bytes
    sha256: Sha256


class Chapter(msgspec.Struct, frozen=True):
    """The scenario by which the first days of a branched run were simulated.

    Attributes:
        until: The last of its days.
        scenario: Path of its file in the run's folder.
        stocks: Units set at that midnight, by place and ingredient.
    """

    until: Day
    scenario: Path
    stocks: dict[str, dict[str, Units]] = {}


class Parent(msgspec.Struct, frozen=True):
    """The run that another one branched from.

    Attributes:
        run: Its name.
        digest: Of its scenario.
        day: The midnight at which they part.
        changes: What was given, as it was written.
    """

    run: str
    digest: Sha256
    day: Day
    changes: list[str]


class Counts(msgspec.Struct):
    """Lines of the log, by level."""

    debug: Lines = 0
    info: Lines = 0
    warning: Lines = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.debug + self.info + self.warning


class Versions(msgspec.Struct, frozen=True):
    """What the run was made with."""

    worldsim: Word
    python: Word
    numpy: Word
    simpy: Word


class Manifest(msgspec.Struct, kw_only=True):
    """``manifest.json``. Times are of the wall, in seconds since 1970.

    Attributes:
        day: The last day that is wholly in the files, tables included.
        days: The day asked for.
        level: The lowest level the log holds.
        segment_days: Days in each part.
        parts: Sealed files: they never change again.
        open_parts: Files of the part that was not full when the run was closed. They are made anew
            when it goes on. None are told of while it is written, or after it was killed.
        checkpoints: From the first to the last. The run can go on from each.
        history: How the first days of a branched run came about, from the first on.
        parent: What it branched from.
        stopped: The condition of the scenario that ended it before its last day.
        error: What a failed run died of, for people.
        checksum: SHA-256 of the file's canonical JSON without this field.
    """

    format: int = FORMAT
    campaign: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,39}\Z")]
    digest: Sha256
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    versions: Versions
    level: Literal["debug", "info", "warning"]
    segment_days: Annotated[int, Meta(ge=1, le=100_000)]
    status: Status = "running"
    day: Day = 0
    days: Annotated[int, Meta(ge=1, le=MOST_DAYS)]
    events: Counts = msgspec.field(default_factory=Counts)
    parts: list[Part] = []
    open_parts: list[Part] = []
    checkpoints: list[Part] = []
    history: list[Chapter] = []
    parent: Parent | None = None
    stopped: str | None = None
    error: str | None = None
    started: float
    ended: float | None = None
    checksum: str = ""


def versions() -> Versions:
    """Those of the program that runs."""
    return Versions(__version__, platform.python_version(), version("numpy"), version("simpy"))


def part_of(path: str, data: bytes) -> Part:
    """A sealed file of these bytes, at a path relative to the run's folder."""
    return Part(path, len(data), hashlib.sha256(data).hexdigest())


def number_of(part: Part) -> int:
    """The number of the part of log or tables that a file belongs to; 0 for other files."""
    return _number(part.path) if _folder(part.path) in NUMBERED else 0


def _folder(path: str) -> str:
    """The folder a file is in; nothing where it lies beside the manifest."""
    return path.rpartition("/")[0]


def _number(path: str) -> int:
    """The number that is the name of a file, such as a day."""
    return int(path.partition("/")[2].partition(".")[0])


def encode(manifest: Manifest) -> bytes:
    """The manifest as indented JSON, with its checksum."""
    plain = msgspec.to_builtins(manifest)
    plain["checksum"] = _checksum(plain)
    return msgspec.json.format(msgspec.json.encode(plain), indent=2) + b"\n"


def decode(data: bytes, run: str) -> Manifest:
    """Read a manifest.

    Args:
        data: The file.
        run: What messages call the run.

    Raises:
        DamagedManifestError: it is no manifest, or was changed by something else than worldsim.
        NewerFormatError: it comes from a later worldsim.
    """
    try:
        made_for = msgspec.json.decode(data, type=_Format).format
        if made_for > FORMAT:
            raise NewerFormatError(run, made_for)
        manifest = msgspec.json.decode(data, type=Manifest)
        plain = msgspec.json.decode(data, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DamagedManifestError(run, f"cannot be read: {error}") from error
    if manifest.checksum != _checksum(plain):
        raise DamagedManifestError(run, "does not fit its own checksum")
    for problem in _misfits(manifest):
        raise DamagedManifestError(run, problem)
    return manifest


class _Format(msgspec.Struct):
    """What is looked at first: a later format may have anything else."""

    format: int


def _misfits(manifest: Manifest) -> Iterator[str]:
    """What cannot be together in the manifest of a run."""
    parts, checkpoints = [*manifest.parts, *manifest.open_parts], manifest.checkpoints
    last_number = (manifest.days - 1) // manifest.segment_days + 1
    for part in (*parts, *checkpoints):
        yield from _misnamed(part.path, last_number)
    for told, kept in ((parts, False), (checkpoints, True)):
        if any((_folder(part.path) == CHECKPOINTS) != kept for part in told):
            yield "has files in the wrong list"
    if any(_folder(part.path) not in NUMBERED for part in manifest.open_parts):
        yield "has a file among the open parts that is none"
    names = [(_folder(part.path), number_of(part) or part.path) for part in parts]
    if len(set(names)) != len(names):
        yield "tells of a part twice"
    if "scenario.toml" not in {part.path for part in parts}:
        yield "tells of no scenario"
    days = [_number(part.path) for part in checkpoints]
    untils = [chapter.until for chapter in manifest.history]
    if any(each != sorted(set(each)) for each in (days, untils)):
        yield "has checkpoints or history in another order than that of days"
    if any(_folder(chapter.scenario) != HISTORY for chapter in manifest.history):
        yield "has history that is none"
    if max((manifest.day, *days, *untils)) > manifest.days:
        yield f"tells of days after the last, {manifest.days}"


def _misnamed(path: str, last_number: int) -> Iterator[str]:
    """What is wrong with a path, though it looks like one."""
    folder, _, name = path.rpartition("/")
    if not folder:
        return
    number = _number(path)
    if name.partition(".")[0] != f"{number:06}":
        yield f"tells of {path}, which is not how it would be called"
    if folder in NUMBERED and not 1 <= number <= last_number:
        yield f"tells of {path}, but has no day for it"


def _checksum(plain: dict[str, Any]) -> str:
    """Of what the file says, not of the struct: a later version may know more fields."""
    bare = {name: value for name, value in plain.items() if name != "checksum"}
    return hashlib.sha256(msgspec.json.encode(bare, order="sorted")).hexdigest()
