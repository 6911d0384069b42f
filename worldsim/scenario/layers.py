"""``extends``, ``catalogue`` and ``--set``: the layers of a scenario, laid on one another.

From the bottom: the catalogues, the files that are extended, the file itself, the overrides.
Tables merge key by key; values and arrays are replaced. Only the arrays of tables of a catalogue
are joined with the scenario's own of the same name, before which they come.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldsim.scenario.faults import (
    Fault,
    KeyPath,
    ScenarioError,
    in_order,
    key_text,
    plain,
    shown,
)
from worldsim.scenario.guard import Budget
from worldsim.scenario.near import nearest
from worldsim.scenario.origins import Layer, Origin, Origins
from worldsim.scenario.overrides import apply, read_overrides
from worldsim.scenario.shipped import CATALOGUES, MAPS, SCENARIOS, find_beside, names_beside
from worldsim.scenario.source import Parsed, parse, read_enclosed, read_file

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_EXTENDS = 16
MAX_CATALOGUES = 16
EXTENDS = "extends"
CATALOGUE = "catalogue"


@dataclass(slots=True)
class Layered:
    """A scenario's data before validation.

    Attributes:
        data: The merged tables, without ``extends`` and ``catalogue``.
        origins: Where each key came from.
        faults: What was wrong so far.
        partial: Whether a layer is missing, so that an absent key says nothing.
    """

    data: dict[str, Any]
    origins: Origins
    faults: list[Fault]
    partial: bool


@dataclass(slots=True)
class _Reading:
    """What is shared while the files of one scenario are read.

    Attributes:
        enclosed: No other file is looked for.
    """

    enclosed: bool = False
    budget: Budget = field(default_factory=Budget)
    faults: list[Fault] = field(default_factory=list)
    sources: int = 0
    partial: bool = False

    def take(self, parsed: Parsed) -> Layer | None:
        """Make a layer of a source that was read, noting its faults."""
        self.sources += 1
        self.faults.extend(parsed.faults)
        if parsed.source is None:
            self.partial = True
            return None
        return Layer(parsed.data, Origin(parsed.source))

    def blame(self, layer: Layer, path: KeyPath, problem: str, **hints: str | None) -> None:
        """Note a fault of a key that names a file."""
        place = Origins(layer.origin).place(path)
        self.faults.append(Fault(place, key_text(path), problem, **hints))
        self.partial = True


def layered_file(path: Path, sets: Sequence[str] = ()) -> Layered:
    """Read a file and all it names."""
    reading = _Reading()
    layer = reading.take(read_file(path, reading.budget, 0))
    return _layered(reading, layer, path, sets)


def layered_text(
    text: str, name: str, folder: Path, sets: Sequence[str] = (), *, enclosed: bool = False
) -> Layered:
    """Read a text and all it names; relative names start at ``folder``.

    Where it is ``enclosed``, naming a file is a fault, and nobody looks for that file.
    """
    reading = _Reading(enclosed=enclosed)
    reading.budget.bytes_left -= len(text)
    layer = reading.take(parse(text, name, folder, reading.budget, 0))
    return _layered(reading, layer, folder / name, sets)


def _layered(reading: _Reading, layer: Layer | None, path: Path, sets: Sequence[str]) -> Layered:
    overrides = read_overrides(sets, reading.budget)
    if layer is not None:
        layer = _extended(layer, path, reading)
        of_catalogue = [each for each in overrides if each.parts[:1] == (CATALOGUE,)]
        for override in of_catalogue:
            apply(override, layer)
        layer = _catalogued(layer, reading)
        for override in overrides:
            if override not in of_catalogue:
                apply(override, layer)
        _map_enclosed(layer, reading)
    faults = reading.faults + [fault for override in overrides for fault in override.faults]
    if layer is None:
        raise ScenarioError(in_order(faults))
    return Layered(layer.data, Origins(layer.origin), faults, reading.partial)


def _extended(layer: Layer, path: Path, reading: _Reading) -> Layer:
    """The file laid on those it extends, which are read one after another."""
    layers, chain = [layer], [path]
    while EXTENDS in layers[-1].data:
        upper = layers[-1]
        following = _named(upper, upper.data.pop(EXTENDS), (EXTENDS,), SCENARIOS, reading)
        if following is None or _circular(upper, chain, following, reading):
            break
        if len(chain) > MAX_EXTENDS:
            reading.blame(
                upper, (EXTENDS,), "goes on too long", cure=f"{MAX_EXTENDS} files at most"
            )
            break
        lower = _read_named(upper, (EXTENDS,), following, reading)
        if lower is None:
            break
        layers.append(lower)
        chain.append(following)
    lowest = layers.pop()
    while layers:
        lowest.cover(layers.pop())
    return lowest


def _circular(upper: Layer, chain: list[Path], following: Path, reading: _Reading) -> bool:
    real = [os.path.realpath(path) for path in (*chain, following)]
    if real[-1] not in real[:-1]:
        return False
    ring = " -> ".join(plain(path.name) for path in (*chain, following))
    problem = f"goes in a circle: {ring}"
    reading.blame(upper, (EXTENDS,), problem, cure="a file that does not lead back here")
    return True


def _catalogued(layer: Layer, reading: _Reading) -> Layer:
    """The layer laid on the catalogues it names."""
    if CATALOGUE not in layer.data:
        return layer
    given = layer.data.pop(CATALOGUE)
    named: list[tuple[KeyPath, Any]] = [((CATALOGUE,), given)]
    if isinstance(given, list):
        named = [((CATALOGUE, number), name) for number, name in enumerate(given)]
    lower: Layer | None = None
    for path, name in named[:MAX_CATALOGUES]:
        catalogue = _catalogue(layer, name, path, reading)
        if catalogue is not None and lower is not None:
            catalogue.underlay(lower)
        lower = catalogue or lower
    if len(named) > MAX_CATALOGUES:
        reading.blame(layer, (CATALOGUE,), "names too many files", cure=f"{MAX_CATALOGUES} at most")
    if lower is not None:
        layer.underlay(lower)
    return layer


def _catalogue(layer: Layer, name: Any, path: KeyPath, reading: _Reading) -> Layer | None:
    file = _named(layer, name, path, CATALOGUES, reading)
    if file is None:
        return None
    catalogue = _read_named(layer, path, file, reading)
    for key in (EXTENDS, CATALOGUE):
        if catalogue is not None and catalogue.data.pop(key, None) is not None:
            reading.blame(catalogue, (key,), "cannot stand in a catalogue", cure="tables only")
    return catalogue


def _map_enclosed(layer: Layer, reading: _Reading) -> None:
    """Put the content of the map file that ``planet.map`` names beside it, as ``map_text``."""
    planet = layer.data.get("planet")
    if not isinstance(planet, dict) or "map" not in planet or "map_text" in planet:
        return
    partial = reading.partial
    path = ("planet", "map")
    file = _named(layer, planet["map"], path, MAPS, reading)
    if file is not None:
        text, problem = read_enclosed(file, reading.budget)
        if text is None:
            name = plain(str(file), 200)
            cure = "a GraphML or node-link JSON file"
            reading.blame(layer, path, f"names {name}, which {problem}", cure=cure)
        else:
            planet["map_text"] = text
    reading.partial = partial  # every key is there, whatever became of the map


def _read_named(layer: Layer, path: KeyPath, file: Path, reading: _Reading) -> Layer | None:
    """Read a file that was named; one that cannot be read is a fault of the key that names it."""
    parsed = read_file(file, reading.budget, reading.sources)
    for number, fault in enumerate(parsed.faults):
        if parsed.source is None and fault.place.line is None:
            place = Origins(layer.origin).place(path)
            problem = f"names {fault.place.file}, which {fault.problem}"
            parsed.faults[number] = replace(fault, place=place, key=key_text(path), problem=problem)
    return reading.take(parsed)


def refuse_other_kind(layered: Layered, wanted: str, other: str, command: str) -> None:
    """Refuse a file of the other kind by its name, instead of each of its keys.

    Args:
        layered: What was read.
        wanted: A table that every file of the wanted kind has.
        other: Likewise of the other kind.
        command: That takes such a file.

    Raises:
        ScenarioError: it is a file of the other kind.
    """
    if other in layered.data and wanted not in layered.data:
        place = layered.origins.place((other,), of_key=True)
        kind = "study" if other == "study" else "scenario"
        problem = f"is a table of a {kind}: this file is for '{command}'"
        raise ScenarioError((Fault(place, other, problem),))


def _named(layer: Layer, name: Any, path: KeyPath, shelf: str, reading: _Reading) -> Path | None:
    """The file a value names, or None with a fault."""
    if not isinstance(name, str) or not name:
        reading.blame(
            layer, path, "is not the name of a file", given=shown(name), cure="the name of a file"
        )
        return None
    if reading.enclosed:
        cure = "all of it in this file, as worldsim writes it into a run"
        reading.blame(layer, path, "names another file", given=shown(name), cure=cure)
        return None
    folder = Origins(layer.origin).folder(path)
    seen_from = "this folder" if folder == Path() else plain(str(folder), 200)
    found = find_beside(name, folder, shelf)
    if found is None:
        reading.blame(
            layer,
            path,
            "names a file that is not there",
            given=shown(name),
            cure=f"a file that is there, seen from {seen_from}",
            near=nearest(Path(name).name, names_beside(folder, shelf)),
        )
    return found
