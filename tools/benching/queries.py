"""(d) Opening a run of millions of events and asking it five things, at first and once cached."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benching.children import in_child
from benching.plan import Measured
from benching.steady import peak_mib, steady

if TYPE_CHECKING:
    from benching.plan import Figures, Plan, Rows

TRIAL_DAYS = 100
QUERIES = {
    "events by kind": "SELECT event, count(*) FROM events GROUP BY event ORDER BY 2 DESC",
    "a team's year": (
        "SELECT seq, day, event, place FROM events WHERE team = 'north/gleaners_7'"
        " AND day BETWEEN 700 AND 1064 ORDER BY seq"
    ),
    "situation by week": (
        "SELECT day // 7 AS week, avg(situation), min(situation) FROM events"
        " WHERE event = 'team.endured' GROUP BY week ORDER BY week"
    ),
    "mishaps by place": (
        "SELECT place, mishap, count(*), avg(units_tried) FROM events"
        " WHERE event = 'team.gathered' GROUP BY place, mishap ORDER BY place, mishap"
    ),
    "units by colony and day": (
        "SELECT colony, day, sum(units) FROM takings GROUP BY colony, day ORDER BY colony, day"
    ),
}
"""What people ask of a run: four of the log, one of the tables."""


def queries(plan: Plan) -> Measured:
    """First use, then the same again in another process, then once more in the same one."""
    events = 500_000 if plan.quick else 5_000_000
    with tempfile.TemporaryDirectory() as folder:
        run = str(Path(folder) / "run")
        rows: Rows = {
            "the run": in_child("queries.make_run", source=plan.source, folder=run, events=events)
        }
        for name in ("first use", "once cached"):
            asked = in_child("queries.ask", source=plan.source, folder=run)
            rows |= {f"{name}: {what}": figures for what, figures in asked.items()}
    return Measured(rows)


def make_run(folder: str, events: int) -> Figures:
    """A finished run of ``bench_steady`` of about so many events, on disk."""
    from worldsim.runs import open_campaign, simulate  # noqa: PLC0415 - only children import worldsim

    with open_campaign(steady(), days=TRIAL_DAYS, level="warning") as trial:
        for _ in trial:
            pass
        days = round(events / trial.simulation.journal.seq * TRIAL_DAYS)  # type: ignore[attr-defined] # the real one
    run = simulate(steady(), days=days, out=folder, level="info")
    size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    return {"days": days, "events": run.manifest.events.total, "mib": size / 2**20}


def ask(folder: str) -> Rows:
    """Open a run and ask it everything, then everything again; wall seconds."""
    from worldsim.runs import Run  # noqa: PLC0415

    begun = time.perf_counter()
    run = Run.open(folder)
    rows: Rows = {"opening": {"wall_s": time.perf_counter() - begun}}
    for what in ("wall_s", "again_s"):
        for name, sql in QUERIES.items():
            begun = time.perf_counter()
            found = list(run.rows(run.query(sql)))
            rows.setdefault(name, {"rows": len(found)})[what] = time.perf_counter() - begun
    rows["opening"]["peak_mib"] = peak_mib()
    cached = [file.stat().st_size for file in Path(folder, "cache").rglob("*") if file.is_file()]
    rows["opening"]["cache_mib"] = sum(cached) / 2**20
    return rows
