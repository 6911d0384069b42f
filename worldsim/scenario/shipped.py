"""The scenarios, catalogues, maps and sides that come with worldsim, and how files are found."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from worldsim.scenario.faults import Fault, Place, ScenarioError, plain
from worldsim.scenario.near import nearest

PACKAGE = Path(__file__).resolve().parent.parent
SCENARIOS = "scenarios"
CATALOGUES = "catalogues"
MAPS = "maps"
SIDES = "sides"
STUDIES = "studies"
NAMES_LISTED = 12
ENTRIES_COMPARED = 500


def configs_dir() -> Path:
    """The folder of shipped files: inside the package when installed, else beside it."""
    inside, beside = PACKAGE / "configs", PACKAGE.parent / "configs"
    return beside if not inside.is_dir() and (beside / SCENARIOS).is_dir() else inside


def shipped_scenarios() -> list[str]:
    """The names of the shipped scenarios, sorted."""
    return shipped_on(SCENARIOS)


def shipped_on(shelf: str) -> list[str]:
    """The names of the shipped TOML files on a shelf, sorted."""
    return sorted(path.stem for path in (configs_dir() / shelf).glob("*.toml"))


def find(source: str | Path, shelf: str = SCENARIOS) -> Path:
    """The file a user means by a path or by the name of a shipped scenario.

    A word without a folder and without ``.toml`` is first taken as a shipped name, so that a
    folder of the same name does not hide it.

    Args:
        source: As the user gave it.
        shelf: The folder of the shipped files: ``scenarios``, ``sides``.

    Raises:
        ScenarioError: no such file, or no such name.
    """
    text = str(source)
    bare = not isinstance(source, Path) and _is_bare(text)
    if bare and text in shipped_on(shelf):
        return configs_dir() / shelf / f"{text}.toml"
    path = Path(source)
    if not bare or _exists(path):
        if not _exists(path):
            raise ScenarioError((_no_file(path, shelf),))
        return path
    raise ScenarioError((_no_name(text, shelf),))


def find_beside(name: str, folder: Path, shelf: str) -> Path | None:
    """The file called ``name`` by a file in ``folder``, else a shipped one of that name.

    Args:
        name: As written in the scenario; relative names start at ``folder``.
        folder: Where the naming file lies.
        shelf: The folder of the shipped files to try next: ``scenarios``, ``catalogues``, ``maps``.
    """
    shelved = configs_dir() / shelf
    for path in (folder / name, shelved / name, shelved / f"{name}.toml"):
        if _exists(path):
            return path
    return None


def names_beside(folder: Path, shelf: str) -> list[str]:
    """The names of the files that `find_beside` would find."""
    return [*_entries(folder), *_entries(configs_dir() / shelf)]


def _is_bare(text: str) -> bool:
    return bool(text) and Path(text).name == text and not text.endswith(".toml")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long a name, or a NUL in it
        return False


def _entries(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, ENTRIES_COMPARED)]
    except (OSError, ValueError):
        return []


def _no_file(path: Path, shelf: str) -> Fault:
    return Fault(
        Place(plain(str(path), 200)),
        "",
        "there is no such file",
        cure=_either(shipped_on(shelf)),
        near=nearest(path.name, _entries(path.parent)),
    )


def _no_name(name: str, shelf: str) -> Fault:
    known = shipped_on(shelf)
    one = "study" if shelf == STUDIES else shelf.removesuffix("s")
    return Fault(
        Place(plain(name, 200) or '""'),
        "",
        f"is neither a file nor a shipped {one}",
        cure=_either(known),
        near=nearest(name, known),
    )


def _either(known: list[str]) -> str:
    listed = f", or one of: {', '.join(known[:NAMES_LISTED])}" if known else ""
    return f"a path to a TOML file{listed}"
