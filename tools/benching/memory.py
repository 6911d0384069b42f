"""Whether memory and cost of a shipped scenario stay flat from one year to ten."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benching.children import in_child
from benching.plan import Measured
from benching.steady import Timed, load_libraries

if TYPE_CHECKING:
    from benching.plan import Figures, Plan


def memory(plan: Plan) -> Measured:
    """long_depletion with its log on disk."""
    short, long = (60, 240) if plan.quick else (365, 3650)
    a, b = (
        in_child("memory.one_run", source=plan.source, scenario="long_depletion", days=days)
        for days in (short, long)
    )
    ratio = {key: b[key] / a[key] for key in ("peak_mib", "units_per_team_day")}
    return Measured({f"{short} days": a, f"{long} days": b, "ratio": ratio})


def one_run(scenario: str, days: int) -> Figures:
    """Simulate a shipped scenario in this process, with its log on disk."""
    from worldsim.runs import open_campaign  # noqa: PLC0415 - only children import worldsim
    from worldsim.scenario import load  # noqa: PLC0415

    load_libraries(disk=True, level="info")
    with (
        tempfile.TemporaryDirectory() as folder,
        open_campaign(load(scenario), days=days, out=Path(folder) / "run") as campaign,
    ):
        teams = len(campaign.world.teams)
        return Timed(campaign.step, teams=teams, days=days).figures()
