"""The tables of the depletion lab as plain rows: for CSV and JSON, and for people to be shortened.

No number is rounded here, and what is not known, or has no end, is None.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from worldsim.study.depletion.report import Report
    from worldsim.study.intervals import Interval

Row = tuple[object, ...]

METHOD_NAMES = {"leslie": "Leslie", "ricker": "Ricker", "delury": "DeLury"}


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their columns."""

    columns: tuple[str, ...]
    rows: list[Row]


def table_of(report: Report, name: str) -> Table:
    """One table of a report; the names are those of ``TABLES``."""
    columns, rows = TABLES[name]
    return Table(columns, [tuple(map(_finite, row)) for row in rows(report)])


def report_json(report: Report, table: str | None = None) -> dict[str, Any]:
    """A report as plain data.

    Args:
        report: What was examined.
        table: The only table wanted; all if None.
    """
    scope, accounts = report.scope, report.accounts
    head = {
        "name": report.name,
        "campaign": report.campaign,
        "seeds": list(report.seeds),
        "last_day": report.last_day,
        "ingredient": scope.ingredient,
        "region": scope.region,
        "by": report.by,
        "forecast_from_day": report.from_day,
        "estimated_days": report.estimated_days,
        "full_trips": report.full_trips,
        "units": sum(each.initial for each in accounts.values()),
    }
    wanted = TABLES if table is None else (table,)
    return head | {name: _objects(table_of(report, name)) for name in wanted}


def _objects(table: Table) -> list[dict[str, Any]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def _stock(report: Report) -> Iterator[Row]:
    for band in (report.total, *report.bands):
        columns = (
            band.day, band.runs, band.low, band.middle, band.high,
            band.share_low, band.share_middle, band.share_high,
        )  # fmt: skip
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield (band.name, *row)


def _times(report: Report) -> Iterator[Row]:
    for each in report.times:
        middle, mean = each.median, each.mean
        yield (
            each.name, each.share_left, each.runs, each.reached, middle.estimate, middle.low,
            middle.high, mean and mean.estimate, mean and mean.low, mean and mean.high,
            _notes(middle, mean),
        )  # fmt: skip


def _survival(report: Report) -> Iterator[Row]:
    for each in report.times:
        curve = each.curve
        if curve is None:
            continue
        columns = (curve.day, curve.share, curve.low, curve.high, curve.at_risk, curve.happened)
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield (each.name, each.share_left, *row)


def _halving(report: Report) -> Iterator[Row]:
    for each in report.halvings:
        yield (each.name, each.runs, each.falling, *_bounds(each.days))


def _accounts(report: Report) -> Iterator[Row]:
    for name, each in report.accounts.items():
        yield (
            name, each.initial, each.regrown, each.added, each.left, each.taken, each.destroyed,
            each.removed, each.net,
        )  # fmt: skip


def _takers(report: Report) -> Iterator[Row]:
    for by, several in report.takers.items():
        for each in several:
            yield (by, each.name, each.units, each.share, *_bounds(each.per_run))


def _effort(report: Report) -> Iterator[Row]:
    for each in report.rates:
        columns = (
            each.until, each.runs, each.caught, each.effort, each.rate, each.low, each.high
        )  # fmt: skip
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield (each.name, *row)


def _estimates(report: Report) -> Iterator[Row]:
    for each in report.verdicts:
        yield (
            each.ingredient, each.region, each.method, each.runs, each.estimated, each.truth,
            *_bounds(each.n0), each.n0_se, each.low, each.high, each.q, *_bounds(each.bias),
            *_bounds(each.held), "; ".join(each.why),
        )  # fmt: skip


def _causes(report: Report) -> Iterator[Row]:
    for (ingredient, region), each in report.causes.items():
        yield (ingredient, region, *asdict(each).values())


def _forecast(report: Report) -> Iterator[Row]:
    for each in report.outlooks:
        yield (
            each.name, each.from_day, each.day, each.runs, each.middle, each.low, each.high,
            each.truth, *_bounds(each.held), "; ".join(each.why),
        )  # fmt: skip


def _yield(report: Report) -> Iterator[Row]:
    for each in report.yields:
        medians = (
            each.most, each.most_now, each.now, each.taken, each.grew, each.left, each.best
        )  # fmt: skip
        yield (
            each.name, each.rate, each.runs, *(one.estimate for one in medians), each.too_much,
            each.days,
        )  # fmt: skip


TABLES: dict[str, tuple[tuple[str, ...], Callable[[Report], Iterable[Row]]]] = {
    "stock": (
        ("name", "day", "runs", "units_low", "units", "units_high", "share_low", "share",
         "share_high"),
        _stock,
    ),
    "times": (
        ("name", "share_left", "runs", "reached", "day", "day_low", "day_high", "mean_day",
         "mean_low", "mean_high", "note"),
        _times,
    ),
    "survival": (
        ("name", "share_left", "day", "not_yet", "not_yet_low", "not_yet_high", "at_risk",
         "happened"),
        _survival,
    ),
    "halving": (("name", "runs", "falling", "days", "days_low", "days_high"), _halving),
    "accounts": (
        ("ingredient", "initial", "regrown", "added", "left", "taken", "destroyed", "removed",
         "net"),
        _accounts,
    ),
    "takers": (("by", "name", "units", "share", "per_run", "per_run_low", "per_run_high"), _takers),
    "effort": (
        ("name", "until_day", "runs", "caught", "effort", "rate", "rate_low", "rate_high"),
        _effort,
    ),
    "estimates": (
        ("ingredient", "region", "method", "runs", "estimated", "truth", "n0", "n0_low_over_runs",
         "n0_high_over_runs", "n0_se", "n0_low", "n0_high", "q", "bias", "bias_low", "bias_high",
         "held", "held_low", "held_high", "why"),
        _estimates,
    ),
    "causes": (
        ("ingredient", "region", "exponent", "exponent_low", "exponent_high", "filled", "moved_on",
         "grown", "uncounted", "left", "bias_unlike", "bias_open"),
        _causes,
    ),
    "forecast": (
        ("name", "from_day", "day", "runs", "units", "low", "high", "came", "held", "held_low",
         "held_high", "why"),
        _forecast,
    ),
    "yield": (
        ("ingredient", "rate", "runs", "most_a_day", "most_now_a_day", "growth_now_a_day",
         "taken_a_day", "grew_a_day", "left", "best_left", "too_much", "late_days"),
        _yield,
    ),
}  # fmt: skip
"""Columns of each table, and what makes its rows of a report."""


def _bounds(interval: Interval | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if interval is None else (
        interval.estimate, interval.low, interval.high
    )  # fmt: skip


def _notes(*intervals: Interval | None) -> str:
    notes = [each.note for each in intervals if each is not None and each.note is not None]
    return "; ".join(dict.fromkeys(notes))


def _finite(value: object) -> object:
    """The value; None for a number that is none, or has no end."""
    return None if isinstance(value, float) and not isfinite(value) else value
