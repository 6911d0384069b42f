"""The manifest of a study's folder: what it is, how far it goes, and its sealed files."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from worldsim.errors import WorldsimError

FORMAT = 1
"""Of a study's folder. A reader refuses higher numbers."""
MANIFEST = "manifest.json"
PART = re.compile(r"parts/[0-9]{6,}\.parquet")
SHA256 = re.compile(r"[0-9a-f]{64}")
Status = Literal["running", "finished", "interrupted", "failed"]


class DamagedStudyError(WorldsimError):
    """A file of a study is not what worldsim wrote."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        return f"{self.path} {self.reason}"


@dataclass(frozen=True, slots=True)
class SealedPart:
    """A Parquet file that never changes again.

    Attributes:
        path: In the study's folder.
        bytes, sha256: Of the file.
        rows: In it.
    """

    path: str
    bytes: int
    sha256: str
    rows: int


@dataclass(slots=True)
class StudyManifest:
    """``manifest.json``. Times are of the wall, in seconds since 1970.

    Attributes:
        name: Of the study.
        digest: Of all that decides what is in its rows.
        versions: What it was made with.
        totals: Replications after each round; rounds are added by the stopping rule and by
            ``extend``.
        status: Whether somebody is at it.
        started, ended: When; ``ended`` is None while it is running.
        parts: Sealed files, in the order of the plan.
    """

    name: str
    digest: str
    versions: dict[str, str]
    totals: list[int]
    started: float
    status: Status = "running"
    ended: float | None = None
    parts: list[SealedPart] = field(default_factory=list)


def encode(manifest: StudyManifest) -> bytes:
    """The manifest as indented JSON, with its checksum."""
    plain = {"format": FORMAT, "kind": "study", **asdict(manifest)}
    plain["checksum"] = _checksum(plain)
    return (json.dumps(plain, indent=2, allow_nan=False) + "\n").encode()


def decode(data: bytes, path: str) -> StudyManifest:
    """Read a manifest.

    Args:
        data: The file.
        path: What messages call it.

    Raises:
        DamagedStudyError: it is none, was changed, or comes from a later worldsim.
    """
    try:
        plain = json.loads(data)
        if plain.pop("kind") != "study":
            raise DamagedStudyError(path, "is not that of a study")
        if plain.pop("format") > FORMAT:
            raise DamagedStudyError(path, "is of a later worldsim: update this one")
        checksum = plain.pop("checksum")
        if checksum != _checksum({"format": FORMAT, "kind": "study", **plain}):
            raise DamagedStudyError(path, "does not fit its own checksum")
        parts = [SealedPart(**part) for part in plain.pop("parts")]
        manifest = StudyManifest(**plain, parts=parts)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DamagedStudyError(path, "cannot be read as a manifest") from error
    if not _sound(manifest):
        raise DamagedStudyError(path, "tells of what cannot be")
    return manifest


def _sound(manifest: StudyManifest) -> bool:
    totals = manifest.totals
    return all(
        (
            str(manifest.status) in get_args(Status),
            bool(totals) and totals == sorted(set(totals)) and totals[0] > 0,
            all(type(each) is int for each in totals),
            all(PART.fullmatch(p.path) and SHA256.fullmatch(p.sha256) for p in manifest.parts),
        )
    )


def _checksum(plain: dict[str, Any]) -> str:
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
