"""The tidy table of a study: one row a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from worldsim.study.analysis import Rows
    from worldsim.study.designs import Value
    from worldsim.study.plan import Plan
    from worldsim.study.work import Outcome


def shape_of(plan: Plan) -> dict[str, str]:
    """DuckDB's type of each column."""
    return {
        "cell": "BIGINT",
        "replication": "BIGINT",
        "seed": "BIGINT",
        **{name: _kind([cell.values[name] for cell in plan.cells]) for name in plan.factors},
        **{metric.name: "DOUBLE" for metric in plan.metrics},
        "digest": "VARCHAR",
        "status": "VARCHAR",
        "error": "VARCHAR",
    }


def columns_of(
    plan: Plan, shape: Mapping[str, str], outcomes: Iterable[Outcome]
) -> dict[str, list[Any]]:
    """The columns of some campaigns, sorted by cell and replication."""
    rows = sorted(outcomes, key=lambda each: (each.cell, each.replication))
    cells = [plan.cells[each.cell] for each in rows]
    texts = {name for name in plan.factors if shape[name] == "VARCHAR"}
    factors = {
        name: [_as_text(c.values[name]) if name in texts else c.values[name] for c in cells]
        for name in plan.factors
    }
    return {
        "cell": [each.cell for each in rows],
        "replication": [each.replication for each in rows],
        "seed": [each.seed for each in rows],
        **factors,
        **{metric.name: [row.values.get(metric.name) for row in rows] for metric in plan.metrics},
        "digest": [each.digest for each in rows],
        "status": [each.status for each in rows],
        "error": [each.error for each in rows],
    }


def values_by_cell(plan: Plan, rows: Rows, metric: str) -> list[dict[int, float | None]]:
    """The values of a metric in each cell, by replication; failed campaigns are left out."""
    found: list[dict[int, float | None]] = [{} for _ in plan.cells]
    for (cell, replication), outcome in sorted(rows.items()):
        if outcome.status == "finished":
            found[cell][replication] = outcome.values.get(metric)
    return found


def present(values: Mapping[int, float | None]) -> list[float]:
    """Those of a cell that are there, in the order of replications."""
    return [value for value in values.values() if value is not None]


def _kind(values: Iterable[Value]) -> str:
    """The narrowest type that holds all values of a factor."""
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return "BOOLEAN"
    if kinds == {int}:
        return "BIGINT"
    return "DOUBLE" if kinds and kinds <= {int, float} else "VARCHAR"


def _as_text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
