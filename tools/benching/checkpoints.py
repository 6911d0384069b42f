"""(f) What checkpoints cost: their share of the wall time of a run at the default cadence."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benching.children import in_child
from benching.plan import Measured
from benching.steady import steady

if TYPE_CHECKING:
    from benching.plan import Figures, Plan
    from worldsim.scenario.model import Scenario

RUN_S, QUICK_S = 60.0, 6.0
MANY_DAYS = 1_000_000  # more than a run gets through in that time
SMALL = "lone_colony"


def checkpoints(plan: Plan) -> Measured:
    """Of ``bench_steady``, and of a small world whose years are short.

    Quick runs are a tenth as long, and have their checkpoints ten times as often.
    """
    seconds = QUICK_S if plan.quick else RUN_S
    return Measured({
        name: in_child("checkpoints.one_run", source=plan.source, scenario=name, seconds=seconds)
        for name in ("bench_steady", SMALL)
    })  # fmt: skip


def one_run(scenario: str, seconds: float) -> Figures:
    """Simulate for so long on disk, in this process, and add up what checkpoints took."""
    from worldsim.runs.checkpoints import SECONDS, Cadence  # noqa: PLC0415 - only children do
    from worldsim.runs.disk import Disk  # noqa: PLC0415
    from worldsim.runs.driver import as_run, begin, manifest_of, new_store  # noqa: PLC0415

    class Costs(Cadence):
        """The usual cadence, which also keeps what each checkpoint took."""

        def __init__(self) -> None:
            super().__init__(None, SECONDS * seconds / RUN_S)
            self.costs: list[float] = []

        def taken(self, cost: float) -> None:
            self.costs.append(cost)
            super().taken(cost)

    class Roomy(Disk):
        """A run of that many days would be forecast to fill the disk; this one is stopped."""

        def free_bytes(self, path: Path) -> int:
            del path
            return 1 << 62

    given = as_run(_scenario(scenario), None, MANY_DAYS, "info")
    cadence = Costs()
    with tempfile.TemporaryDirectory() as folder:
        store = new_store(given, manifest_of(given), Path(folder) / "run", Roomy())
        with begin(given, store, cadence=cadence) as campaign:
            begun = time.monotonic()
            while time.monotonic() - begun < seconds:
                campaign.step()
        wall = time.monotonic() - begun
    return {
        "share": sum(cadence.costs) / wall,
        "checkpoints": len(cadence.costs),
        "median_ms": statistics.median(cadence.costs) * 1e3,
        "longest_ms": max(cadence.costs) * 1e3,
        "days": campaign.day,
        "wall_s": wall,
    }


def _scenario(name: str) -> Scenario:
    from worldsim.scenario import load  # noqa: PLC0415

    return steady() if name == "bench_steady" else load(name)
