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

    What is damaged is told of, instead of what would have been read from it: nothing is raised.
    """
    bars: list[Bar] = []
    facts: list[tuple[str, object]] = []
    try:
        facts += _facts(study)
        if study.path is not None:
            wanted = len(study.plan.cells) * study.manifest.totals[-1]
            done = len(study.rows)
            failed = sum(row.status == "failed" for row in study.rows.values())
            says = f"{done:,} of {wanted:,}" + (f", {failed:,} failed" if failed else "")
            bars.append(Bar("campaigns done", done / max(1, wanted), says))
    except Exception as error:  # noqa: BLE001 - a notebook shows what can be shown
        facts.append(("cannot be read", str(error)))
    return panel(f"Study {study.name}", facts, bars)


def _facts(study: Study) -> Iterator[tuple[str, object]]:
    head, plan = study.plan.study.study, study.plan
    yield "state", "not run yet" if study.path is None else study.manifest.status
    yield "cells", f"{len(plan.cells):,}"
    yield "replications", f"{head.replications:,} each, from seed {head.seed}"
    yield "days", f"{head.days:,}"
    names = [each.name for each in plan.metrics]
    more = f" and {len(names) - METRICS_NAMED:,} more" if len(names) > METRICS_NAMED else ""
    yield "metrics", ", ".join(names[:METRICS_NAMED]) + more
    yield "files", None if study.path is None else str(study.path)
