"""How a run shows itself in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.notebook import Bar, panel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.runs.reading import Run

MOST_BARS = 12
LEFT = """SELECT region, CAST(sum(first) AS BIGINT), CAST(sum(last) AS BIGINT) FROM (
    SELECT region, coalesce(any_value("left") FILTER (day = 0), 0) AS first,
        arg_max("left", day) AS last FROM stocks GROUP BY region, place, ingredient)
    GROUP BY region ORDER BY min(length(region)), region"""


def run_panel(run: Run) -> str:
    """A handful of facts and the stock of each region, as HTML.

    What is damaged is told of, instead of what would have been read from it.
    """
    return panel(f"Run {run.name}", _told(run))


def _told(run: Run) -> Iterator[tuple[str, object] | Bar]:
    manifest = run.manifest
    events = manifest.events
    yield "campaign", manifest.campaign
    yield "seed", manifest.seed
    yield "state", f"{run.state}, day {manifest.day:,} of {manifest.days:,}"
    yield "stopped by", manifest.stopped
    yield "error", manifest.error
    yield (
        "branched from",
        f"{manifest.parent.run}, day {manifest.parent.day:,}" if (manifest.parent) else None,
    )
    yield "events", f"{events.info + events.warning:,}, {events.warning:,} of them warnings"
    yield "files", "in memory" if run.path is None else str(run.path)
    stocks = run.query(LEFT).fetchall()
    if len(stocks) > MOST_BARS:
        yield "stock", f"of {MOST_BARS} of {len(stocks):,} regions"
    for row in stocks[:MOST_BARS]:
        yield _bar(*row)


def _bar(region: str, first: int, last: int) -> Bar:
    share = last / first if first else 0.0
    return Bar(f"left in {region}", share, f"{share:.0%}, {last:,} of {first:,} units")
