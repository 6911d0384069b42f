"""The figures of a study, for people and for programs."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from worldsim.cli.output import (
    clean,
    counted,
    heading,
    note,
    print_csv,
    print_json,
    print_table,
    say,
)
from worldsim.study.analysis import QUANTILES, changes, figures, find_cell, sensitivity
from worldsim.study.inputs import NoEstimateError
from worldsim.study.places import STUDIES
from worldsim.study.rows import (
    CHANGE_COLUMNS,
    cells_by_note,
    change_row,
    differing,
    figure_columns,
    figure_row,
    run_command,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldsim.study.analysis import Change, Figure, Sensitivity
    from worldsim.study.intervals import Interval
    from worldsim.study.study import Study

MOST_CELLS = 50
"""Cells that are listed; of more, --csv and --json have all."""
MOST_FAILED = 5
FOR_SENSITIVITY = ("saltelli", "morris")
MARK = "*"
"""Beside an interval of which a note tells."""


def name_of(study: Study) -> str:
    """How a command names a study."""
    path = study.path
    known = study.name if path is None or path.parent == STUDIES else str(path)
    return shlex.quote(clean(known))


def print_study(
    study: Study, metrics: Sequence[str], *, as_csv: bool = False, as_json: bool = False
) -> None:
    """Print the figures of all cells, or what a design for sensitivity tells.

    Args:
        study: The study.
        metrics: Those wanted; all if none.
        as_csv: For spreadsheets.
        as_json: For programs.
    """
    names = metrics or [each.name for each in study.plan.metrics]
    resample = len(study.plan.cells) <= MOST_CELLS
    found = {name: figures(study.plan, study.rows, name, resample=resample) for name in names}
    if as_csv:
        rows = (figure_row(each) for name in names for each in found[name])
        print_csv(figure_columns(study.plan), rows)
        return
    told = _sensitivities(study, names)
    if as_json:
        print_json(_as_json(study, found, told))
        return
    _print_head(study)
    for name in names:
        if name in told:
            _print_sensitivity(told[name])
        else:
            _print_figures(study, name, found[name])
    _print_failed(study)
    _print_next(study)


def _sensitivities(study: Study, names: Iterable[str]) -> dict[str, Sensitivity | str]:
    """What each metric depends on, or why that cannot be said."""
    design = study.plan.design
    if design is None or design.kind not in FOR_SENSITIVITY:
        return {}
    told: dict[str, Sensitivity | str] = {}
    for name in names:
        try:
            told[name] = sensitivity(study.plan, study.rows, name)
        except NoEstimateError as error:
            told[name] = str(error)
    return told


def _print_head(study: Study) -> None:
    table, manifest = study.plan.study.study, study.manifest
    failed = sum(row.status == "failed" for row in study.rows.values())
    total = manifest.totals[-1] * len(study.plan.cells)
    say(
        f"{heading(clean(study.name))}: {study.state}, {len(study.rows):,} of "
        f"{counted(total, 'campaign')} of {counted(table.days, 'day')}, {failed or 'none'} failed; "
        f"{counted(len(study.plan.cells), 'cell')}"
    )
    for text in (table.question, table.answer):
        if text:
            say(f"  {clean(text)}")


def _print_figures(study: Study, metric: str, found: list[Figure]) -> None:
    say(f"\n{heading(clean(metric))}{_warm_up(study)}")
    columns = ("cell", *study.plan.factors, "n", "mean", "95 % t", "95 % bootstrap", "median")
    outer = (QUANTILES[0], QUANTILES[-1])
    rows = [
        (
            each.cell.number,
            *each.cell.values.values(),
            each.n,
            *_figures(each.mean),
            _bounds(each.bootstrap),
            _number(each.quantiles.get(0.5)),
            " to ".join(_number(each.quantiles[q]) for q in outer) if each.quantiles else "",
        )
        for each in found[:MOST_CELLS]
    ]
    print_table((*columns, "5 % to 95 %"), rows, indent=2)
    _print_without(found, f"campaigns have no {clean(metric)}")
    _print_notes(
        (each.cell.number, interval)
        for each in found[:MOST_CELLS]
        for interval in (each.mean, each.bootstrap)
    )


def _print_without(found: Sequence[Figure | Change], says: str) -> None:
    """How many cells were not listed, and which rest on fewer values than were simulated."""
    if len(found) > MOST_CELLS:
        say(f"  and {counted(len(found) - MOST_CELLS, 'more cell')}: --csv or --json has all")
    for each in [each for each in found if each.without][:MOST_CELLS]:
        say(f"  cell {each.cell.number}: {each.without} of {each.n + each.without} {says}")


def _print_notes(intervals: Iterable[tuple[int, Interval | None]]) -> None:
    """Why some intervals should be trusted less than they claim; each reason once."""
    for says, cells in cells_by_note(intervals).items():
        say(f"  {MARK} cell {', '.join(map(str, cells))}: {says}")


def _print_sensitivity(told: Sensitivity | str) -> None:
    if isinstance(told, str):
        say(f"\n  {clean(told)}")
        return
    say(f"\n{heading(clean(told.metric))}")
    if told.morris:
        effects = sorted(told.morris, key=lambda e: -(e.size.estimate or 0))
        print_table(
            ("factor", "mean size", "95 %", "mean", "spread"),
            [
                (each.factor, *_figures(each.size), _number(each.mean), _number(each.spread))
                for each in effects
            ],
            indent=2,
        )
        return
    indices = sorted(told.sobol, key=lambda e: -(e.total.estimate or 0))
    print_table(
        ("factor", "alone", "95 %", "in all", "95 %"),
        [(each.factor, *_figures(each.first), *_figures(each.total)) for each in indices],
        indent=2,
    )
    if told.pairs:
        print_table(
            ("two together", "share", "95 %"),
            [(" and ".join(each.factors), *_figures(each.share)) for each in told.pairs],
            indent=2,
        )


def _print_failed(study: Study) -> None:
    failed = [row for _, row in sorted(study.rows.items()) if row.status == "failed"]
    if not failed:
        return
    say(f"\n{heading('Failed')}")
    rows = [(row.cell, row.replication, row.seed, row.error) for row in failed[:MOST_FAILED]]
    print_table(("cell", "replication", "seed", "error"), rows, indent=2)
    if len(failed) > MOST_FAILED:
        say(f"  and {len(failed) - MOST_FAILED:,} more")
    alone = run_command(study, failed[0].cell, failed[0].seed)
    say(f"  the first one alone: {shlex.join(clean(word) for word in alone)}")


def _print_next(study: Study) -> None:
    say(f"\n{heading('Files')}: {clean(str(study.path))}")
    say(heading("Next"))
    if study.state == "interrupted":
        say(f"  worldsim study resume {name_of(study)}")
    if len(study.plan.cells) > 1:
        say(f"  worldsim study compare {name_of(study)}")
    more = study.manifest.totals[-1] * 2
    say(f"  worldsim study extend {name_of(study)} --replications {more}")


def print_changes(
    study: Study,
    base: str,
    metrics: Sequence[str],
    half_width: float | None,
    *,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Print how the other cells differ from one.

    Args:
        study: The study.
        base: The cell the others are compared with.
        metrics: Those wanted; all if none.
        half_width: Of the interval that is wanted.
        as_csv: For spreadsheets.
        as_json: For programs.
    """
    plan = study.plan
    cell = find_cell(plan, base)
    found: dict[str, list[Change]] = {}
    for name in metrics or [each.name for each in plan.metrics]:
        try:
            found[name] = changes(plan, study.rows, name, cell, half_width=half_width)
        except NoEstimateError as error:
            note(clean(str(error)))
    rows = [change_row(each) for each_metric in found.values() for each in each_metric]
    if as_json:
        told = [dict(zip(CHANGE_COLUMNS, row, strict=True)) for row in rows]
        print_json({"study": study.name, "base": cell.label or "0", "changes": told})
    elif as_csv:
        print_csv(CHANGE_COLUMNS, rows)
    else:
        for name, each_metric in found.items():
            _print_changes(name, each_metric)


def _print_changes(metric: str, found: list[Change]) -> None:
    base = found[0].base
    said = f" ({clean(base.label)})" if base.label else ""
    say(f"\n{heading(clean(metric))}: each cell less cell {base.number}{said}")
    paired = found[0].comparison is not None
    columns = ["cell", "", "n" if not paired else "pairs", "difference", "95 %"]
    columns += ["no difference", "pairing is worth", "pairs for", "it takes"] if paired else []
    rows = []
    for each in found[:MOST_CELLS]:
        row: list[object] = [
            each.cell.number, differing(each.base, each.cell), each.n,
            *_figures(each.difference),
        ]  # fmt: skip
        if each.comparison is not None:
            factor = each.comparison.variance_factor
            row += [
                f"{each.comparison.zero_share:.0%}",
                "" if factor is None else f"{factor:.3g} times",
                "" if each.half_width is None else f"± {_number(each.half_width)}",
                "" if each.needed is None else f"{each.needed:,}",
            ]
        rows.append(row)
    print_table(columns, rows, indent=2)
    _print_without(found, f"seeds have no {clean(metric)}")
    _print_notes((each.cell.number, each.difference) for each in found[:MOST_CELLS])


def _as_json(
    study: Study, found: dict[str, list[Figure]], told: dict[str, Sensitivity | str]
) -> dict[str, Any]:
    manifest, table = study.manifest, study.plan.study.study
    failed = [row for _, row in sorted(study.rows.items()) if row.status == "failed"]
    columns = figure_columns(study.plan)
    return {
        "study": study.name,
        "status": study.state,
        "question": table.question,
        "answer": table.answer,
        "days": table.days,
        "replications": manifest.totals[-1],
        "campaigns": len(study.rows),
        "failed": [asdict(row) for row in failed],
        "digest": manifest.digest,
        "figures": [
            dict(zip(columns, figure_row(each), strict=True))
            for name in found
            for each in found[name]
        ],
        "sensitivity": {
            name: each if isinstance(each, str) else asdict(each) for name, each in told.items()
        },
    }


def _warm_up(study: Study) -> str:
    days = study.plan.study.study.warm_up_days
    return f" after day {days:,}" if days else ""


def _figures(interval: Interval | None) -> tuple[str, str]:
    """The estimate, and its bounds."""
    return "" if interval is None else _number(interval.estimate), _bounds(interval)


def _bounds(interval: Interval | None) -> str:
    """``12 to 15``, with a mark if a note tells of it."""
    if interval is None or interval.low is None or interval.high is None:
        return ""
    mark = f" {MARK}" if interval.note is not None else ""
    return f"{_number(interval.low)} to {_number(interval.high)}{mark}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"
