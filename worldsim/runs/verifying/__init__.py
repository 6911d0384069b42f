"""Whether a run is what it was, and true to itself: all that its files say is looked at."""

from __future__ import annotations

import os
from copy import copy, deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from worldsim.runs import manifest as manifests
from worldsim.runs.chapters import read_scenarios
from worldsim.runs.disk import TEMPORARY, Disk
from worldsim.runs.live import live_segment
from worldsim.runs.manifest import MANIFEST, NewerFormatError, number_of
from worldsim.runs.partfiles import whole_file
from worldsim.runs.places import CACHE, EVENTS, LOCK, RUN_LOG, SCENARIO, read_manifest
from worldsim.runs.resuming import read_checkpoint
from worldsim.runs.sources import is_written, known_files, told_of
from worldsim.runs.verifying.faults import FaultError, Faults
from worldsim.runs.verifying.log import LogCheck
from worldsim.runs.verifying.tables import check_files, check_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.runs.chapters import Scenarios
    from worldsim.runs.checkpoints import Checkpoint
    from worldsim.runs.manifest import Counts, Manifest
    from worldsim.runs.verifying.books import Books
    from worldsim.runs.verifying.log import OnLines

__all__ = ["FaultError", "Verified", "verify"]

LEFT_ALONE = {MANIFEST, RUN_LOG, LOCK, CACHE}
TRIES = 5


@dataclass(frozen=True, slots=True)
class Verified:
    """A run in which nothing is wrong.

    Attributes:
        run: Its folder.
        files: That were compared with their checksums.
        lines, days: Of the log.
        folded: Whether stocks, stores, cargo and places were worked out from the log, which needs
            one of level info or debug.
        notes: What is no fault, but may surprise.
    """

    run: str
    files: int
    lines: int
    days: int
    folded: bool
    notes: list[str]


def verify(folder: str | Path, *, on_lines: OnLines | None = None) -> Verified:
    """Check a run: files, log, checkpoints and tables, each by itself and against the others.

    A run that is being written, or whose process died, is checked as far as its manifest goes; of
    the rest every whole line.

    Args:
        folder: Of the run.
        on_lines: Called now and then with the lines read so far, and with those there should be.

    Raises:
        FaultError: the first thing that is wrong.
        NotARunError: there is no run.
        NewerFormatError: it comes from a later worldsim.
    """
    return _Verification(Path(folder)).run(on_lines)


class _Verification:
    """One run that is being verified.

    Args:
        folder: Of the run.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._faults = Faults(str(folder))
        self._notes: list[str] = []

    def run(self, on_lines: OnLines | None) -> Verified:
        """All of it."""
        folder, faults = self._folder, self._faults
        self._refuse_links()
        manifest, kept = self._manifest_and_checkpoints()
        scenarios = self._scenarios(manifest)
        self._compare_scenario(manifest, scenarios)
        check_files(folder, manifest, faults)
        log = LogCheck(folder, manifest, kept, scenarios, faults, on_lines)
        books = self._read_log(manifest, log)
        check_rows(folder, manifest, books, faults)
        self._note_strangers(manifest)
        files = [*manifest.parts, *manifest.open_parts, *manifest.checkpoints]
        return Verified(
            str(folder), len(files) + 1, log.counts.total, log.order.day, log.books is not None,
            self._notes,
        )  # fmt: skip

    def _refuse_links(self) -> None:
        """No file or folder of a run is a link: what it leads to may change at any time."""
        for where, folders, names in os.walk(self._folder):
            for name in (*folders, *names):
                path = Path(where, name)
                if path.is_symlink():
                    within = str(path.relative_to(self._folder))
                    raise self._faults.of(within, "is a link, and worldsim makes none")

    def _manifest_and_checkpoints(self) -> tuple[Manifest, list[Checkpoint]]:
        """Both as they are at one time: who writes a run removes old checkpoints."""
        for _ in range(TRIES):
            manifest = self._manifest()
            try:
                return manifest, list(self._checkpoints(manifest))
            except FaultError:
                if not is_written(self._folder) or self._manifest() == manifest:
                    raise
        return manifest, list(self._checkpoints(manifest))

    def _manifest(self) -> Manifest:
        """The manifest, written as worldsim writes it.

        Raises:
            FaultError: it is damaged.
        """
        try:
            manifest = read_manifest(self._folder)
        except NewerFormatError:
            raise
        except manifests.DamagedManifestError as error:
            raise self._faults.of(MANIFEST, error.reason) from error
        data = Disk().read(self._folder / MANIFEST)
        plain: dict[str, Any] = msgspec.json.decode(data)
        if msgspec.json.format(msgspec.json.encode(plain), indent=2) + b"\n" != data:
            raise self._faults.of(MANIFEST, "is not written as worldsim writes it")
        return manifest

    def _checkpoints(self, manifest: Manifest) -> Iterator[Checkpoint]:
        for part in manifest.checkpoints:
            with self._faults.blaming(part.path):
                yield read_checkpoint(self._folder, part)

    def _scenarios(self, manifest: Manifest) -> Scenarios:
        for part in manifest.parts:
            if not number_of(part):
                with self._faults.blaming(part.path):
                    whole_file(self._folder, part)
        with self._faults.blaming(SCENARIO):
            return read_scenarios(self._folder, manifest)

    def _compare_scenario(self, manifest: Manifest, scenarios: Scenarios) -> None:
        from worldsim.scenario import digest  # noqa: PLC0415 - slow to import

        scenario = scenarios.last
        for what, theirs, ours in (
            ("seed", scenario.campaign.seed, manifest.seed),
            ("level", scenario.record.level, manifest.level),
            ("segment_days", scenario.record.segment_days, manifest.segment_days),
        ):
            if theirs != ours:
                problem = f"its {what} is {theirs}, but {MANIFEST} says {ours}"
                raise self._faults.of(SCENARIO, problem)
        if digest(scenario) != manifest.digest:  # which defaults go into it depends on who reads
            self._notes.append(f"{SCENARIO} has another digest than {MANIFEST} says")

    def _read_log(self, manifest: Manifest, log: LogCheck) -> Books | None:
        """All of the log; the books as they are at the end of the parts that are told of."""
        for part in told_of(manifest, EVENTS):
            log.sealed(part, number_of(part))
        sealed, books = copy(log.counts), log.books
        with self._faults.blaming(EVENTS):
            live = live_segment(self._folder, manifest)
        if live is not None:
            books = deepcopy(books)
            log.live(live)
            self._note_tail(live.path)
        log.end()
        if log.order.day > manifest.day and manifest.status == "failed" and live is None:
            day = f"it failed within day {log.order.day}"
            self._notes.append(f"{day}, of which the log tells and the tables do not")
        self._compare_counts(manifest, log, None if live is None else sealed)
        return books

    def _compare_counts(self, manifest: Manifest, log: LogCheck, sealed: Counts | None) -> None:
        """The manifest counts all lines; of a live segment those of its latest checkpoint.

        Args:
            manifest: Of the run.
            log: Read to its end.
            sealed: Lines of the sealed segments, where there is a live one.
        """
        expected = log.counts
        if sealed is not None:
            if manifest.status != "running":
                return  # it failed in the middle of writing, and nobody knows how far it came
            expected = max(sealed, log.told, key=lambda counts: counts.total)
        if manifest.events != expected:
            problem = f"counts {manifest.events}, but the log holds {expected}"
            raise self._faults.of(MANIFEST, problem)

    def _note_tail(self, live: Path) -> None:
        """A line that was not written to its end."""
        with live.open("rb") as file:
            file.seek(max(0, live.stat().st_size - 1))
            if file.read(1) not in {b"", b"\n"} and not is_written(self._folder):
                self._notes.append(f"{live.name} ends within a line: resuming writes it anew")

    def _note_strangers(self, manifest: Manifest) -> None:
        """Files that the manifest does not tell of: a power cut may bring old ones back."""
        if is_written(self._folder):
            return
        told = known_files(self._folder, manifest)
        for where, folders, names in os.walk(self._folder):
            top = Path(where) == self._folder
            if top and CACHE in folders:
                folders.remove(CACHE)
            for name in sorted(names):
                within = str((Path(where) / name).relative_to(self._folder))
                if within in told or (top and name in LEFT_ALONE):
                    continue
                left = " (left behind by a crash)" if name.endswith(TEMPORARY) else ""
                self._notes.append(f"{within} is not told of in {MANIFEST}{left}")
