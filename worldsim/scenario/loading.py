"""Text to scenario: the one place that distrusts input."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from worldsim.scenario.checks import cross_checks
from worldsim.scenario.layers import layered_file, layered_text
from worldsim.scenario.model import Scenario
from worldsim.scenario.near import did_you_mean
from worldsim.scenario.shipped import MAPS, find, find_beside, names_beside
from worldsim.scenario.source import not_a_file
from worldsim.scenario.validation import validated
from worldsim.scenario.writing import schema_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from worldsim.scenario.faults import KeyPath
    from worldsim.scenario.layers import Layered
    from worldsim.scenario.origins import Origins

MAX_MAP_BYTES = 32_000_000
MAP = ("planet", "map")


class Loaded(NamedTuple):
    """A scenario and the places of its keys, for checks that come later.

    Attributes:
        scenario: What was read.
        origins: Where each key was given.
        map_file: The file that ``planet.map`` means, which is there and not too large.
    """

    scenario: Scenario
    origins: Origins
    map_file: Path | None


def load(source: str | Path, *, sets: Sequence[str] = ()) -> Scenario:
    """Read a scenario.

    Args:
        source: A path to a TOML file, or the name of a shipped scenario.
        sets: Overrides as of ``--set``: ``"planet.regions=9"``.

    Raises:
        ScenarioError: with every fault found.
    """
    return load_with_origins(source, sets=sets).scenario


def load_with_origins(source: str | Path, *, sets: Sequence[str] = ()) -> Loaded:
    """Read a scenario, as `load` does, and keep the places of its keys."""
    return _loaded(layered_file(find(source), sets))


def load_text(
    text: str, *, name: str = "scenario.toml", folder: Path | None = None, sets: Sequence[str] = ()
) -> Scenario:
    """Read a scenario from text.

    Args:
        text: TOML.
        name: What messages call it.
        folder: Where relative names in it start; the current folder if absent.
        sets: Overrides, as in `load`.

    Raises:
        ScenarioError: with every fault found.
    """
    return _loaded(layered_text(text, name, folder or Path(), sets)).scenario


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file, for editors."""
    return schema_of(Scenario)


def _loaded(layered: Layered) -> Loaded:
    folder = layered.origins.folder(MAP)

    def checks(scenario: Scenario) -> Iterator[tuple[KeyPath, Any, str]]:
        yield from cross_checks(scenario)
        yield from _map_check(scenario, folder)

    scenario = validated(Scenario, layered, checks)
    named = scenario.planet.map
    map_file = None if named is None else find_beside(named, folder, MAPS)
    return Loaded(scenario, layered.origins, map_file)


def _map_check(scenario: Scenario, folder: Path) -> Iterator[tuple[KeyPath, Any, str]]:
    named = scenario.planet.map
    if named is None:
        return
    file = find_beside(named, folder, MAPS)
    if file is None:
        hint = did_you_mean(Path(named).name, names_beside(folder, MAPS))
        yield MAP, named, f"a file that is there{hint}"
    elif not_a_file(file) is not None or file.stat().st_size > MAX_MAP_BYTES:
        yield MAP, named, f"a file of at most {MAX_MAP_BYTES} bytes"
