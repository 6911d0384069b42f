"""(g) Where the time goes, by room: a sampler looks at a plain build some hundred times a second.

Compiled functions leave no frames to look at, so the source beside this tool is always taken. A
sample belongs to the room whose code runs, or that called into C: encoding counts as log. CPython
hands signals over between calls, so a sample may name the function that was just about to begin.
"""

from __future__ import annotations

import signal
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benching.children import in_child
from benching.plan import ROOT, Measured
from benching.steady import peak_mib, steady

if TYPE_CHECKING:
    from types import FrameType
    from typing import Self

    from benching.plan import Plan, Rows

EVERY_S = 0.001  # of CPU; the system may be coarser
SHOWN = 15
ROOMS = {
    "worldsim/rules/": "rules",
    "worldsim/world/": "world",
    "worldsim/processes/": "processes",
    "worldsim/chance.py": "chance",
    "site-packages/numpy/": "chance",
    "worldsim/events/": "log",
    "site-packages/structlog/": "log",
    "site-packages/msgspec/": "log",
    "worldsim/runs/": "runs",
    "site-packages/duckdb/": "runs",
    "site-packages/simpy/": "engine",
}


def profile(plan: Plan) -> Measured:
    """The shares of each room, and the functions found running most often."""
    days = 150 if plan.quick else 900
    source = plan.source if plan.source is not None and _is_plain(plan.source) else ROOT
    return Measured(in_child("profile.sampled", source=source, days=days))


def _is_plain(source: Path) -> bool:
    return not any((source / "worldsim").glob("chance.*.so"))


class Sampler:
    """Counts where this process is, while it is entered."""

    def __init__(self) -> None:
        self.found: Counter[tuple[str, str]] = Counter()

    def _look(self, signum: int, frame: FrameType | None) -> None:
        del signum
        if frame is not None:
            code = frame.f_code
            self.found[code.co_filename, code.co_qualname] += 1

    def __enter__(self) -> Self:
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)
        return self

    def __exit__(self, *error: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)


def sampled(days: int) -> Rows:
    """Simulate ``bench_steady`` with its whole log in this process, and look where it is."""
    import tempfile  # noqa: PLC0415 - only children do

    from worldsim.runs import open_campaign  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        campaign = open_campaign(steady(), days=days, out=Path(folder) / "run", level="info")
        with campaign, Sampler() as sampler:
            for _ in campaign:
                pass
    return told(sampler.found) | {"samples": {"count": sampler.found.total(), "mib": peak_mib()}}


def told(found: Counter[tuple[str, str]]) -> dict[str, Any]:
    """Shares of the samples by room, then by function."""
    whole = found.total()
    rooms: Counter[str] = Counter()
    for (file, _), count in found.items():
        rooms[room_of(file)] += count
    rows: dict[str, Any] = {room: {"share": count / whole} for room, count in rooms.most_common()}
    for (file, function), count in found.most_common(SHOWN):
        rows[f"{Path(file).stem}.{function}"] = {"share": count / whole}
    return rows


def room_of(file: str) -> str:
    """The room a source file belongs to."""
    return next((room for part, room in ROOMS.items() if part in file), "rest")
