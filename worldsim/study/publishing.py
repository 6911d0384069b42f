"""A study's sealed files, copied to where others can read them: any address of ``fsspec``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.errors import WorldsimError
from worldsim.runs.disk import Disk
from worldsim.study.inputs import optional
from worldsim.study.manifest import MANIFEST
from worldsim.study.places import SCENARIOS, STUDY
from worldsim.study.storage import read_manifest

if TYPE_CHECKING:
    from pathlib import Path


class PublishingError(WorldsimError):
    """An address cannot be written to."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(address, reason)
        self.address, self.reason = address, reason

    def __str__(self) -> str:
        return f"nothing could be published to {self.address}: {self.reason}"


def publish(folder: Path, address: str) -> int:
    """Copy what is sealed of a study: parts that are not there yet, then what tells of them.

    Whoever reads the manifest there finds all parts it tells of.

    Args:
        folder: Of the study.
        address: Such as ``s3://bucket/folder`` or ``memory://folder``; a study's folder is made of
            it.

    Returns:
        Files copied.

    Raises:
        MissingExtraError: fsspec, or what it needs for this kind of address, is not installed.
        PublishingError: it cannot be written to.
    """
    manifest = read_manifest(folder)
    sealed = {part.path: part.bytes for part in manifest.parts}
    scenarios = [f"{SCENARIOS}/{name}" for name in Disk().names(folder / SCENARIOS)]
    fs, root = _opened(address)
    copied = 0
    try:
        for path in (*sealed, *scenarios, STUDY, MANIFEST):
            there = f"{root}/{path}"
            if path in sealed and fs.exists(there) and fs.size(there) == sealed[path]:
                continue
            fs.makedirs(there.rpartition("/")[0], exist_ok=True)
            fs.pipe_file(there, Disk().read(folder / path))
            copied += 1
    except WorldsimError:
        raise
    except Exception as error:  # each kind of address has errors of its own
        raise PublishingError(address, f"{type(error).__name__}: {error}") from error
    return copied


def check_address(address: str) -> None:
    """Refuse an address of an unknown kind; whether it can be written to is seen later.

    Raises:
        MissingExtraError: as of `publish`.
        PublishingError: there is no such kind, or a library for it is missing.
    """
    _opened(address)


def _opened(address: str) -> tuple[Any, str]:
    """A file system and the path in it that an address means."""
    with optional("fsspec", "cluster", "addresses"):
        import fsspec.core  # type: ignore[import-untyped]  # noqa: PLC0415  # an extra
    try:
        fs, root = fsspec.core.url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise PublishingError(address, str(error)) from error
    return fs, str(root).rstrip("/")
