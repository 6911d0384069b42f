"""Where a running campaign's lines and rows go: a run directory, or memory."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from worldsim.runs.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldsim.events.kinds import Level
    from worldsim.runs.manifest import Counts, Manifest, Status
    from worldsim.runs.tables import Arrays, OpenRows


class Store(Protocol):
    """What a campaign needs of the place its run is kept in.

    Attributes:
        lines: Event lines not yet kept. The journal extends it, and it is the same object always:
            so a line costs no call of ours.
        manifest: What is known of the run.
    """

    lines: bytearray
    manifest: Manifest

    def begin(self, scenarios: Mapping[str, str], state: bytes, rows: OpenRows) -> None:
        """Before day 1; the founding events are in ``lines``.

        Args:
            scenarios: TOML by path within the run.
            state: Of the simulation.
            rows: Of day 0.
        """

    def midnight(self) -> None:
        """After each day that ends no part."""

    def checkpoint(self, day: int, state: bytes, rows: OpenRows) -> None:
        """Keep all that it takes to go on from here."""

    def cut(self, day: int, rows: dict[str, Arrays]) -> None:
        """Seal a part: its lines, and its rows by table."""

    def end(self, status: Status, day: int, rows: dict[str, Arrays]) -> None:
        """Nothing follows. Of a run that is not finished the last part stays unsealed."""

    def abandon(self, status: Status) -> None:
        """Nothing follows, and what was to be kept since the last time could not be."""


def count_lines(lines: bytes | bytearray, counts: Counts, level: Level = "debug") -> None:
    """Add lines to the counts by level.

    In JSON a quotation mark within a text is escaped, so the words looked for are keys.

    Args:
        lines: Of events.
        counts: Added to.
        level: The lowest there can be.
    """
    total = lines.count(b"\n")
    warnings = lines.count(b'"level":"warning"')
    rolls = lines.count(b'"level":"debug"') if level == "debug" else 0
    counts.debug += rolls
    counts.warning += warnings
    counts.info += total - warnings - rolls


@dataclass(slots=True)
class MemoryStore:
    """Keeps everything in memory: segments as bytes, tables as arrays, part by part."""

    manifest: Manifest
    lines: bytearray = field(default_factory=bytearray)
    segments: list[bytes] = field(default_factory=list)
    tables: dict[str, list[Arrays]] = field(default_factory=lambda: {name: [] for name in TABLES})

    def begin(self, scenarios: Mapping[str, str], state: bytes, rows: OpenRows) -> None:
        """Nothing to prepare."""

    def midnight(self) -> None:
        """Nothing to do: nobody follows a run in memory."""

    def checkpoint(self, day: int, state: bytes, rows: OpenRows) -> None:
        """Nothing to do: a run in memory ends with its process."""

    def cut(self, day: int, rows: dict[str, Arrays]) -> None:
        """Keep a part."""
        count_lines(self.lines, self.manifest.events, self.manifest.level)
        self.segments.append(bytes(self.lines))
        self.lines.clear()
        for table, arrays in rows.items():
            self.tables[table].append(arrays)
        self.manifest.day = day

    def end(self, status: Status, day: int, rows: dict[str, Arrays]) -> None:
        """Keep the last part."""
        self.cut(day, rows)
        self.manifest.status = status
        self.manifest.ended = time.time()

    def abandon(self, status: Status) -> None:
        """Nothing can be read: the last part is not whole."""
        self.manifest.status = status
