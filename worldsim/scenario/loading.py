"""Text to scenario: the one place that distrusts input."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from worldsim.scenario.checks import cross_checks
from worldsim.scenario.faults import Fault, Place, ScenarioError, in_order, plain
from worldsim.scenario.guard import MAX_BYTES
from worldsim.scenario.layers import layered_file, layered_text, refuse_other_kind
from worldsim.scenario.model import Scenario
from worldsim.scenario.shipped import find
from worldsim.scenario.validation import found_fault, validated
from worldsim.scenario.writing import schema_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.errors import UnfitScenarioError
    from worldsim.scenario.layers import Layered
    from worldsim.scenario.origins import Origins


class Loaded(NamedTuple):
    """A scenario and the places of its keys, for checks that come later.

    Attributes:
        scenario: What was read.
        origins: Where each key was given.
        layered: What it was read from.
    """

    scenario: Scenario
    origins: Origins
    layered: Layered

    def located(self, unfit: UnfitScenarioError) -> ScenarioError:
        """What was found wrong while a world was made, with file, line and column."""
        faults = [found_fault(finding, self.layered) for finding in unfit.findings]
        return ScenarioError(in_order(faults))


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


def load_enclosed(data: bytes, name: str, *, sets: Sequence[str] = ()) -> Loaded:
    """Read a scenario that holds all of itself, such as that of a run, and keep its places.

    Args:
        data: The file.
        name: What messages call it.
        sets: Overrides, as in `load`.

    Raises:
        ScenarioError: with every fault found; one that names another file is refused unread.
    """
    problem = f"is too large: the limit is {MAX_BYTES} bytes" if len(data) > MAX_BYTES else ""
    try:
        text = "" if problem else data.decode()
    except UnicodeDecodeError:
        problem = "is not UTF-8 text"
    if problem:
        raise ScenarioError((Fault(Place(plain(name, 200)), "", problem),))
    return _loaded(layered_text(text, plain(name, 200), Path(), sets, enclosed=True))


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file, for editors."""
    return schema_of(Scenario)


def _loaded(layered: Layered) -> Loaded:
    refuse_other_kind(layered, "campaign", "study", "worldsim study run")
    return Loaded(validated(Scenario, layered, cross_checks), layered.origins, layered)
