"""What the pictures of a study share: words for cells, metrics and their figures."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from worldsim.study.metrics import SHIPPED
from worldsim.study.rows import cells_by_note

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldsim.study.analysis import Change, Figure
    from worldsim.study.intervals import Interval
    from worldsim.study.metrics import Metric
    from worldsim.study.plan import Cell, Plan
    from worldsim.study.study import Study
    from worldsim.views.pictures.picture import Cell as TableCell
    from worldsim.views.pictures.picture import Table


def metric_of(study: Study, name: str) -> Metric:
    """A metric of a study by its name.

    Raises:
        KeyError: it has none of that name.
    """
    return {each.name: each for each in study.plan.metrics}[name]


def measured(metric: Metric) -> str:
    """What a metric measures and in which unit, for an axis."""
    if metric.source == "sql":
        return f"{metric.name}, in the unit of the study's SQL"
    name, _, ingredient = metric.name.partition(".")
    if metric.source == "plugin" or name not in SHIPPED:
        return f"{metric.name}, in the unit of its plug-in"
    what = SHIPPED[name][0].partition(";")[0]
    return f"{what}: {ingredient}" if ingredient else what


def picture_name(plan: Plan, kind: str, metric: str) -> str:
    """A name of a picture, unique among the metrics of a study: ``cells-left-share``."""
    slugs = [slug(each.name) for each in plan.metrics]
    own = slug(metric)
    number = [each.name for each in plan.metrics].index(metric) + 1
    return f"{kind}-{own}" if slugs.count(own) == 1 and own else f"{kind}-{number}-{own}".strip("-")


def slug(name: str) -> str:
    """Lower-case words joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]


def cell_name(cell: Cell) -> str:
    """A cell for people: ``0: cost=0, policy=nearest``."""
    return f"{cell.number}: {cell.label}" if cell.label else f"{cell.number}"


def number(value: float | None) -> str:
    """A number for people, to four digits; thousands are separated."""
    if value is None:
        return "none"
    if value == 0 or 1000 <= abs(value) < 10**9:  # noqa: PLR2004 - where digits become long
        return f"{value:,.0f}"
    return f"{value:.4g}"


def between(interval: Interval | None) -> str:
    """An estimate and its bounds: ``12 (10 to 14)``."""
    if interval is None or interval.estimate is None:
        return "none"
    low, high = (number(each) for each in (interval.low, interval.high))
    return f"{number(interval.estimate)} ({low} to {high})"


def reservations(found: Iterable[tuple[int, Interval | None]]) -> list[str]:
    """Why some intervals should be trusted less than they claim, each reason once.

    Args:
        found: Intervals with the numbers of their cells.
    """
    return [
        f"{'Cell' if len(cells) == 1 else 'Cells'} {few(list(map(str, cells)))}: {note}."
        for note, cells in cells_by_note(found).items()
    ]


def incomplete(found: Sequence[Figure | Change], metric: str) -> list[str]:
    """Which cells rest on fewer values than were simulated."""
    short = [(each.cell.number, each.without, each.n + each.without) for each in found]
    missing = [f"{cell} ({without} of {of})" for cell, without, of in short if without]
    if not missing:
        return []
    return [
        f"Campaigns without a value of {metric} are left out, by cell: {few(missing)}.",
        *(["So the mean day is too early: the curves of times leave none out."] * is_time(metric)),
    ]


def is_time(metric: str) -> bool:
    """Whether a shipped metric is the first day of something that may never happen."""
    name = metric.partition(".")[0]
    return name in SHIPPED and (name.startswith("day_") or name == "first_empty_day")


def few(words: list[str], most: int = 8) -> str:
    """The first of some words, and how many more there are."""
    more = len(words) - most
    return ", ".join(words[:most]) + (f" and {more:,} more" if more > 0 else "")


def column(table: Table, name: str) -> list[TableCell]:
    """One column of a table."""
    at = table.columns.index(name)
    return [row[at] for row in table.rows]
