"""Runs whose disk forgets one step of the protocol: power cuts must show that it is missed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from power_cuts import cuts, plain_fates
from small_runs import begin
from trials import RUN
from watched_disk import WatchedDisk

from worldsim.runs.manifest import MANIFEST, decode

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from power_cuts import Survival
    from trials import Bench
    from watched_disk import Operation

SYNCS = {"sync", "sync folder"}

NOT_NEEDED = {
    "sealing: folder of the run": "a part that the old manifest does not tell of is made anew",
    "ending: file events": "the checkpoint of the last day has synced it already",
}
"""Steps without which a run survives, and why."""


def protocol(bench: Bench) -> list[str]:
    """Of every sync of a run, in their order, the step it belongs to: "sealing: folder stocks"."""
    device, disk = bench.fresh(), WatchedDisk()
    begin(device / RUN, disk)
    steps: list[str] = []
    stage: list[str] = []
    manifest: Operation | None = None
    told = 0
    for operation in disk.operations:
        if operation.kind == "write" and operation.path.name.startswith(MANIFEST):
            manifest = operation
        if operation.kind not in SYNCS:
            continue
        stage.append(_what(operation, device))
        if manifest is not None and operation.path == _last_synced(manifest, device):
            name, told = _stage(manifest, device, told)
            steps += [f"{name}: {what}" for what in stage]
            stage, manifest = [], None
    return steps


def caught(bench: Bench, survival: Survival, numbers: Collection[int]) -> str | None:
    """Let a run forget some syncs, and lose power until it does not survive that.

    Args:
        bench: Where.
        survival: Knows what the run survives that forgets nothing.
        numbers: Of the syncs, from 0.

    Returns:
        What was not survived; None if everything was.
    """
    met = 0

    def forgets(_operation: Operation) -> bool:
        nonlocal met
        met += 1
        return met - 1 in numbers

    found = cuts(bench.fresh(), plain_fates, forgets_sync=forgets)
    for cut in sorted(found, key=lambda cut: cut.fate):
        problems = survival.problems(cut)
        if problems:
            return f"{cut}: {', '.join(problems)}"
    return None


def _last_synced(manifest: Operation, device: Path) -> Path:
    """With this folder a manifest is in place, and a stage of the protocol is over."""
    run = device / RUN
    return run if manifest.path.parent == run else run.parent


def _what(operation: Operation, device: Path) -> str:
    run = device / RUN
    if run.is_relative_to(operation.path) and operation.path != run:
        return "folder with the run" if operation.path == run.parent else "folders above"
    inner = operation.path.relative_to(run.parent).parts[1:]
    if operation.kind == "sync folder":
        return f"folder {inner[0] if inner else 'of the run'}"
    return f"file {inner[0].removesuffix('.tmp')}"


def _stage(manifest: Operation, device: Path, told: int) -> tuple[str, int]:
    """What a manifest is written for, and the number of sealed files it tells of."""
    now = decode(manifest.data, "the run")
    if manifest.path.parent != device / RUN:
        return "beginning", len(now.parts)
    if now.status == "finished":
        return "ending", len(now.parts)
    return "sealing" if len(now.parts) > told else "checkpoint", len(now.parts)
