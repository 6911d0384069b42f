"""The figures of a study as rows of plain values: what commands print and pages show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.study.analysis import QUANTILES
from worldsim.study.plan import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from worldsim.study.analysis import Change, Figure
    from worldsim.study.designs import Value
    from worldsim.study.intervals import Interval
    from worldsim.study.plan import Cell, Plan
    from worldsim.study.study import Study

    Item = str | int | float | bool | None
    Row = tuple[Item, ...]

BOUNDS = ("low", "high", "note")
WHOSE = ("metric", "cell")


def bound_columns(*kinds: str) -> tuple[str, ...]:
    """The columns of some intervals: ``t_low``, ``t_high``, ``t_note``."""
    return tuple(f"{kind}_{bound}" for kind in kinds for bound in BOUNDS)


def bound_items(*intervals: Interval | None) -> Row:
    """The bounds of some intervals in a row."""
    return tuple(
        None if each is None else getattr(each, bound) for each in intervals for bound in BOUNDS
    )


MEASURED = (
    "n",
    "without",
    "mean",
    *bound_columns("t", "bootstrap"),
    *(f"q{share * 100:g}" for share in QUANTILES),
)
CHANGE_COLUMNS = (
    *WHOSE, "label", "n", "without", "difference", "low", "high", "method", "zero_share",
    "correlation", "variance_factor", "half_width", "pairs_needed", "note",
)  # fmt: skip


def factor_columns(plan: Plan, taken: Sequence[str]) -> tuple[str, ...]:
    """The factors as columns of a table, each with a name of its own.

    Args:
        plan: Whose factors.
        taken: Names of the other columns: a factor called ``mean`` becomes ``factor mean``.
    """
    free = [name for name in plan.factors if name not in taken]
    columns: list[str] = []
    for name in plan.factors:
        column = name
        while column in taken or (column != name and column in (*free, *columns)):
            column = f"factor {column}"
        columns.append(column)
    return tuple(columns)


def factor_items(values: Mapping[str, Value]) -> Row:
    """The values of the factors in a row."""
    return tuple(values.values())


def figure_columns(plan: Plan) -> tuple[str, ...]:
    """The columns of `figure_row`."""
    return (*WHOSE, *factor_columns(plan, (*WHOSE, *MEASURED)), *MEASURED)


def figure_row(each: Figure) -> Row:
    """A metric in a cell."""
    return (
        each.metric,
        each.cell.number,
        *factor_items(each.cell.values),
        each.n,
        each.without,
        None if each.mean is None else each.mean.estimate,
        *bound_items(each.mean, each.bootstrap),
        *(each.quantiles.get(share) for share in QUANTILES),
    )


def change_row(each: Change) -> Row:
    """A cell beside its base, in the columns ``CHANGE_COLUMNS``."""
    compared, difference = each.comparison, each.difference
    return (
        each.metric,
        each.cell.number,
        each.cell.label,
        each.n,
        each.without,
        difference.estimate,
        difference.low,
        difference.high,
        difference.method,
        None if compared is None else compared.zero_share,
        None if compared is None else compared.correlation,
        None if compared is None else compared.variance_factor,
        each.half_width,
        each.needed,
        difference.note,
    )


def differing(base: Cell, cell: Cell) -> str:
    """The factors of a cell that are not as in the base: ``cost=2, policy=nearest``."""
    return ", ".join(
        f"{name}={shown(value)}"
        for name, value in cell.values.items()
        if value != base.values.get(name)
    )


def cells_by_note(found: Iterable[tuple[int, Interval | None]]) -> dict[str, list[int]]:
    """Why some intervals should be trusted less than they claim, with the cells of each reason.

    Args:
        found: Intervals with the numbers of their cells.
    """
    notes: dict[str, dict[int, None]] = {}
    for cell, interval in found:
        if interval is not None and interval.note is not None:
            notes.setdefault(interval.note, {})[cell] = None
    return {note: list(cells) for note, cells in notes.items()}


def run_command(study: Study, cell: int, seed: int, *, inside: bool = False) -> list[str]:
    """The words of the command that simulates one campaign by itself.

    Args:
        study: The study.
        cell: The number of the campaign's cell.
        seed: The campaign's.
        inside: As it is typed in the folder of the study, for what is read on another machine.
    """
    chosen = study.plan.cells[cell]
    file = study.plan.files[chosen.scenario]
    scenario = f"{file.parent.name}/{file.name}" if inside else str(file)
    days = study.plan.study.study.days
    words = ["worldsim", "run", scenario, "--seed", str(seed), "--days", str(days)]
    for each in chosen.settings:
        words += ["--set", each.text]
    return words
