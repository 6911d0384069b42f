"""How far a study is: campaigns done, failed and missing in each cell, and why some failed."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING

from worldsim.study.inputs import NoEstimateError
from worldsim.study.rows import factor_columns, factor_items, run_command
from worldsim.views.pictures.look import FILLS, REST, words
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.pictures.study_axes import (
    Rows,
    bars_figure,
    counted,
    counts,
    python_of,
    rows_figure,
    whole_numbers,
)
from worldsim.views.pictures.study_rows import cell_name

if TYPE_CHECKING:
    from worldsim.study.study import Study
    from worldsim.study.work import Outcome
    from worldsim.views.pictures.picture import Cell as TableCell

DONE, FAILED = FILLS[0], FILLS[1]
MOST_REASONS = 12
LONGEST_REASON = 60


def is_complete(study: Study) -> bool:
    """Whether all campaigns of a study came to an end, and none failed."""
    ended = sum(each.status == "finished" for each in study.rows.values())
    return ended >= study.manifest.totals[-1] * len(study.plan.cells)


def progress(study: Study) -> Picture:
    """Campaigns done, failed and missing in each cell; the study may be running.

    Raises:
        MissingExtraError: plotly is not installed.
    """
    plan, total = study.plan, study.manifest.totals[-1]
    done: Counter[int] = Counter()
    failed: Counter[int] = Counter()
    for (cell, _), outcome in study.rows.items():
        (done if outcome.status == "finished" else failed)[cell] += 1
    rows = Rows(plan.cells, plan)
    figure = rows_figure(rows, "campaigns, number")
    figure.update_layout(barmode="stack", showlegend=True, legend_traceorder="normal")
    whole_numbers(figure, total)
    names = [cell_name(each) for each in plan.cells]
    numbers = [each.number for each in plan.cells]
    missing = {n: max(0, total - done[n] - failed[n]) for n in numbers}
    for name, of, colour in (
        ("done", done, DONE), ("failed", failed, FAILED), ("missing", missing, REST),
    ):  # fmt: skip
        figure.add_trace(counts(names, [of[n] for n in numbers], name, colour))
    own = ("cell", "done", "failed", "missing")
    table: list[tuple[TableCell, ...]] = [
        (n, *factor_items(plan.cells[n].values), done[n], failed[n], missing[n]) for n in numbers
    ]
    return Picture(
        name="progress",
        title="Progress",
        figure=figure,
        table=Table((own[0], *factor_columns(plan, own), *own[1:]), table),
        python=python_of(study, "study_progress", "progress(study)"),
        says=f"The study is {study.state}: {done.total():,} of "
        f"{counted(total * len(numbers), 'campaign')} are done, {failed.total():,} failed, "
        f"{sum(missing.values()):,} are missing.",
    )


def failures(study: Study) -> Picture:
    """Campaigns that failed: how many for which reason, and in the table each of them.

    Raises:
        NoEstimateError: none failed.
        MissingExtraError: plotly is not installed.
    """
    failed = [row for _, row in sorted(study.rows.items()) if row.status == "failed"]
    if not failed:
        raise NoEstimateError("failures", "no campaign failed")
    reasons = Counter(_reason(each) for each in failed).most_common()
    shown = reasons[:MOST_REASONS]
    names = [words(reason, LONGEST_REASON) for reason, _ in shown]
    figure = bars_figure(names, "campaigns that failed, number")
    figure.update_yaxes(title_text="reason")
    whole_numbers(figure, reasons[0][1])
    figure.add_trace(counts(names, [count for _, count in shown], "failed", FAILED))
    more = len(reasons) - len(shown)
    return Picture(
        name="failures",
        title="Campaigns that failed",
        figure=figure,
        table=Table(
            ("cell", "replication", "seed", "error", "alone"),
            [(e.cell, e.replication, str(e.seed), e.error, _alone(study, e)) for e in failed],
        ),
        python=python_of(study, "study_progress", "failures(study)"),
        says=f"{counted(len(failed), 'campaign')} failed, for {counted(len(reasons), 'reason')}"
        + (f", of which {more} are in the table only" if more else "")
        + ". They count in no other picture; the table has the command that runs each one alone.",
    )


def _reason(outcome: Outcome) -> str:
    return outcome.error or "unknown"


def _alone(study: Study, outcome: Outcome) -> str:
    return shlex.join(run_command(study, outcome.cell, outcome.seed, inside=True))
