"""How a study shows itself in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.notebook import Bar, panel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.study.study import Study

METRICS_NAMED = 8


def study_panel(study: Study) -> str:
    """A handful of facts, and how far it is, as HTML.

    What is damaged is told of, instead of what would have been read from it.
    """
    return panel(f"Study {study.name}", _told(study))


def _told(study: Study) -> Iterator[tuple[str, object] | Bar]:
    head, plan = study.plan.study.study, study.plan
    yield "state", "not run yet" if study.path is None else study.state
    yield "cells", f"{len(plan.cells):,}"
    yield "replications", f"{head.replications:,} each, from seed {head.seed}"
    yield "days", f"{head.days:,}"
    names = [each.name for each in plan.metrics]
    more = f" and {len(names) - METRICS_NAMED:,} more" if len(names) > METRICS_NAMED else ""
    yield "metrics", ", ".join(names[:METRICS_NAMED]) + more
    if study.path is None:
        return
    yield "files", str(study.path)
    wanted = len(plan.cells) * study.manifest.totals[-1]
    failed = sum(row.status == "failed" for row in study.rows.values())
    says = f"{len(study.rows):,} of {wanted:,}" + (f", {failed:,} failed" if failed else "")
    yield Bar("campaigns done", len(study.rows) / max(1, wanted), says)
