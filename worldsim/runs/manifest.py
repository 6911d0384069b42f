"""The manifest of a run: what it is, how far it came, and what its sealed parts must look like."""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import version
from typing import Any, Literal

import msgspec

from worldsim import __version__
from worldsim.errors import WorldsimError

FORMAT = 1
"""Of a run directory. A reader refuses higher numbers."""
MANIFEST = "manifest.json"

NUMBERED = ("events", "stocks", "takings", "teams")
"""Folders of parts, each called by its number."""

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

    path: str
    bytes: int
    sha256: str


class Chapter(msgspec.Struct, frozen=True):
    """The scenario by which the first days of a branched run were simulated.

    Attributes:
        until: The last of its days.
        scenario: Path of its file in the run's folder.
        stocks: Units set at that midnight, by place and ingredient.
    """

    until: int
    scenario: str
    stocks: dict[str, dict[str, int]] = {}


class Parent(msgspec.Struct, frozen=True):
    """The run that another one branched from.

    Attributes:
        run: Its name.
        digest: Of its scenario.
        day: The midnight at which they part.
        changes: What was given, as it was written.
    """

    run: str
    digest: str
    day: int
    changes: list[str]


class Counts(msgspec.Struct):
    """Lines of the log, by level."""

    debug: int = 0
    info: int = 0
    warning: int = 0


class Versions(msgspec.Struct, frozen=True):
    """What the run was made with."""

    worldsim: str
    python: str
    numpy: str
    simpy: str


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
        error: What a failed run died of, for people.
        checksum: SHA-256 of the file's canonical JSON without this field.
    """

    format: int = FORMAT
    campaign: str
    digest: str
    seed: int
    versions: Versions
    level: Literal["debug", "info", "warning"]
    segment_days: int
    status: Status = "running"
    day: int = 0
    days: int
    events: Counts = msgspec.field(default_factory=Counts)
    parts: list[Part] = []
    open_parts: list[Part] = []
    checkpoints: list[Part] = []
    history: list[Chapter] = []
    parent: Parent | None = None
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
    folder, _, name = part.path.partition("/")
    return int(name.partition(".")[0]) if folder in NUMBERED else 0


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
        plain = msgspec.json.decode(data, type=dict[str, Any])
        made_for = plain.get("format")
        if isinstance(made_for, int) and made_for > FORMAT:
            raise NewerFormatError(run, made_for)
        manifest = msgspec.convert(plain, Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DamagedManifestError(run, f"cannot be read: {error}") from error
    if manifest.checksum != _checksum(plain):
        raise DamagedManifestError(run, "does not fit its own checksum")
    return manifest


def _checksum(plain: dict[str, Any]) -> str:
    """Of what the file says, not of the struct: a later version may know more fields."""
    bare = {name: value for name, value in plain.items() if name != "checksum"}
    return hashlib.sha256(msgspec.json.encode(bare, order="sorted")).hexdigest()
