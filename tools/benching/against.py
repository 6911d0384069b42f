"""Two revisions in turn, in one run: their ratio, with its spread."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benching.builds import compiled, worktree
from benching.children import in_child
from benching.plan import ROOT
from benching.speed import WAYS

if TYPE_CHECKING:
    from benching.plan import Figures

DAYS, PAIRS = 180, 11
QUICK_DAYS, QUICK_PAIRS = 60, 3
COMPARED = ("info log on disk", "warnings, in memory")


def against(revision: str, *, quick: bool, as_json: bool, compile_both: bool) -> int:
    """Measure this checkout against a revision, and print the ratios.

    A ratio above 1 means that this checkout costs more.

    Returns:
        The exit code.

    Raises:
        NoSuchRevisionError: there is none.
        NotCompiledError: one of them cannot be compiled.
        ChildError: one of them cannot be measured.
    """
    days, pairs = (QUICK_DAYS, QUICK_PAIRS) if quick else (DAYS, PAIRS)
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        here, there = ROOT, stack.enter_context(worktree(revision, scratch / "there"))
        if compile_both:
            here, there = (
                compiled(_made(scratch / name), root)
                for name, root in (("here-compiled", here), ("there-compiled", there))
            )
        rows = {way: paired(way, here, there, days=days, pairs=pairs) for way in COMPARED}
    if as_json:
        print(json.dumps({"against": revision, "compiled": compile_both, "ways": rows}))
        return 0
    for way, row in rows.items():
        told = "  ".join(f"{key} {value:.4g}" for key, value in row.items())
        print(f"{way:<22} this / {revision}: {told}")
    print("same history: 1 where both simulated the same, 0 where rules or dice differ")
    return 0


def paired(way: str, here: Path, there: Path, *, days: int, pairs: int) -> Figures:
    """The ratio of cost in units, from pairs of runs; who goes first takes turns."""
    function, given = WAYS[way]
    ratios: list[float] = []
    units: dict[Path, list[float]] = {here: [], there: []}
    histories: set[str] = set()
    for pair in range(pairs):
        order = (here, there) if pair % 2 == 0 else (there, here)
        for source in order:
            done: dict[str, Any] = in_child(function, source=source, days=days, **given)
            units[source].append(done["figures"]["units_per_team_day"])
            histories.add(done["fingerprint"])
        ratios.append(units[here][-1] / units[there][-1])
        print(f"{way}: pair {pair + 1} of {pairs}: {ratios[-1]:.3f}", file=sys.stderr)
    return {
        "ratio": statistics.median(ratios),
        **spread(ratios),
        "units here": statistics.median(units[here]),
        "units there": statistics.median(units[there]),
        "same history": float(len(histories) == 1),
    }


def spread(ratios: list[float]) -> Figures:
    """The middle half of some ratios, and the outermost."""
    low, _, high = statistics.quantiles(ratios, n=4, method="inclusive")
    return {"quarter": low, "three quarters": high, "least": min(ratios), "most": max(ratios)}


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder
