"""The figures as a table for people, and what is said of the bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benching.plan import Figures, Measured


class Bar(NamedTuple):
    """What a figure should be, of a compiled build and a whole (not quick) bench.

    Attributes:
        part, row, key: The figure; a row that ends in ``*`` means each that begins so.
        least, most: Its range.
    """

    part: str
    row: str
    key: str
    least: float
    most: float


BARS = (
    Bar("speed", "info log on disk", "units_per_team_day", 0, 12),
    Bar("speed", "warnings, in memory", "units_per_team_day", 0, 6),
    Bar("days", "ratio", "units_per_team_day", 0.85, 1.15),
    Bar("days", "ratio", "peak_mib", 0.9, 1.1),
    Bar("teams", "ratio", "units_per_team_day", 0, 1.5),
    Bar("journal", "written", "events_per_s", 350_000, float("inf")),
    Bar("queries", "once cached: *", "wall_s", 0, 0.5),
    Bar("startup", "--help", "wall_s", 0, 0.15),
    Bar("checkpoints", "bench_steady", "share", 0, 0.02),
    Bar("peers", "factor with log: *", "factor", 3, float("inf")),
    Bar("peers", "factor without: *", "factor", 4, float("inf")),
)


def show(results: dict[str, Measured]) -> None:
    """Print the figures, one row a line, then the bars."""
    for part, measured in results.items():
        print(f"\n{part}")
        for name, figures in measured.rows.items():
            told = "  ".join(f"{key} {value:.4g}" for key, value in figures.items())
            print(f"  {name:<26} {told}")
    judged = list(judge(results))
    if judged:
        print("\nbars (for the medians of a compiled build, on a machine with nothing else to do)")
        for bar, row, value in judged:
            verdict = "met" if bar.least <= value <= bar.most else "missed"
            print(f"  {bar.part}: {row}, {bar.key} {value:.4g}: {_range(bar)} {verdict}")


def judge(results: dict[str, Measured]) -> Iterator[tuple[Bar, str, float]]:
    """Each bar with the rows measured for it."""
    for bar in BARS:
        rows: dict[str, Figures] = results[bar.part].rows if bar.part in results else {}
        begins, star, _ = bar.row.partition("*")
        for row, figures in rows.items():
            if (row.startswith(begins) if star else row == bar.row) and bar.key in figures:
                yield bar, row, figures[bar.key]


def _range(bar: Bar) -> str:
    if bar.most == float("inf"):
        return f"at least {bar.least:g}"
    return f"at most {bar.most:g}" if not bar.least else f"{bar.least:g} to {bar.most:g}"


def as_json(results: dict[str, Measured], about: dict[str, Any]) -> dict[str, Any]:
    """All of it for programs."""
    bars = [
        {"part": bar.part, "row": row, "key": bar.key, "value": value,
         "met": bar.least <= value <= bar.most}
        for bar, row, value in judge(results)
    ]  # fmt: skip
    faults = {part: each.faults for part, each in results.items() if each.faults}
    parts = {part: each.rows for part, each in results.items()}
    return {"about": about, "parts": parts, "bars": bars, "faults": faults}
