"""(a) What a team-day costs, with the whole log on disk and with as little as a study keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benching.children import in_child, medians
from benching.plan import Measured
from benching.steady import out_of_range

if TYPE_CHECKING:
    from benching.plan import Plan

WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "info log on disk": ("steady.one_run", {"disk": True, "level": "info"}),
    "warnings, in memory": ("steady.one_run", {"disk": False, "level": "warning"}),
    "no log, no tables": ("steady.bare_run", {}),
}


def speed(plan: Plan) -> Measured:
    """Cost a team-day of ``bench_steady`` three ways, in turn; all must do the same."""
    days, times = (90, 1) if plan.quick else (360, 5)
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in WAYS}
    for _ in range(times):
        for name, (function, given) in WAYS.items():
            runs[name].append(in_child(function, source=plan.source, days=days, **given))
    measured = Measured(
        {name: medians([run["figures"] for run in each]) for name, each in runs.items()}
    )
    shares = runs["info log on disk"][0]["shares"]
    measured.rows["what was done"] = shares
    measured.faults += out_of_range(shares)
    if len({run["fingerprint"] for each in runs.values() for run in each}) > 1:
        measured.faults.append("with less of a log, something else happened")
    return measured
