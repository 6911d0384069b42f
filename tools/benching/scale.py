"""(b) Whether cost and memory stay flat over more days, and cost over more teams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benching.children import in_child, medians
from benching.plan import Measured
from benching.steady import out_of_range

if TYPE_CHECKING:
    from benching.plan import Plan

FEW = 100
WARM_DAYS, DAYS_OF_TEAMS = 10, 30


def days(plan: Plan) -> Measured:
    """From 100 days to 10 000, with the whole log on disk."""
    many = 1_000 if plan.quick else 10_000
    short = [_run(plan, days=FEW) for _ in range(1 if plan.quick else 5)]
    long = _run(plan, days=many)
    a, b = medians([run["figures"] for run in short]), long["figures"]
    measured = Measured({f"{FEW} days": a, f"{many} days": b})
    measured.rows["ratio"] = {key: b[key] / a[key] for key in ("units_per_team_day", "peak_mib")}
    measured.rows["what was done"] = long["shares"]
    measured.faults += out_of_range(long["shares"])
    return measured


def teams(plan: Plan) -> Measured:
    """From 100 teams to 10 000, beside a bare loop of as many processes; in memory, no log."""
    many = 2_000 if plan.quick else 10_000
    given: dict[str, Any] = {"disk": False, "level": "warning", "warm_days": WARM_DAYS}
    runs = {
        count: medians([
            _run(plan, days=DAYS_OF_TEAMS, teams=count, **given)["figures"]
            for _ in range(times)
        ])
        for count, times in ((FEW, 2 if plan.quick else 7), (many, 1))
    }  # fmt: skip
    rows = {f"{count} teams": figures for count, figures in runs.items()}
    ratio = runs[many]["units_per_team_day"] / runs[FEW]["units_per_team_day"]
    return Measured(rows | {"ratio": {"units_per_team_day": ratio}})


def _run(plan: Plan, **given: Any) -> dict[str, Any]:
    result: dict[str, Any] = in_child(
        "steady.one_run", source=plan.source, **({"disk": True, "level": "info"} | given)
    )
    return result
