"""Stock over time, as a picture: curves with the bands that runs lie in."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from worldsim.views.style import (
    BAND_ALPHA,
    MOST_LINES,
    colour,
    dashes,
    label,
    look,
    new_figure,
    save,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from worldsim.study.depletion.curves import Band
    from worldsim.study.depletion.report import Report

MOST_PANELS = 30
MOST_BANDS = 3
ACROSS = 5
LEFT = "left, % of the start"


def draw(reports: Sequence[Report], path: Path) -> None:
    """Draw the stock of one or several ensembles into a file.

    Groups share a plot as long as it can be read: up to eight lines, or three with bands. Else each
    has one of its own, in which the ensembles are compared. All shares are of what each run had at
    its start.

    Args:
        reports: At least one, told by the same groups.
        path: Ends in ``.svg`` or ``.png``; a file that is there is replaced.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    with look():
        save(figure_of(reports), path)


def figure_of(reports: Sequence[Report]) -> Figure:
    """The figure of some reports, to be made and saved within ``style.look()``."""
    names = list(dict.fromkeys(band.name for report in reports for band in report.bands))
    most = MOST_LINES if len(reports[0].seeds) == 1 else MOST_BANDS
    if len(reports) == 1 and len(names) <= most:
        figure = _together(reports[0])
    else:
        figure = _apart(reports, names)
    figure.suptitle(_title(reports), fontsize=10)
    return figure


def _together(report: Report) -> Figure:
    """All groups in one plot, their names in the order in which the lines end."""
    figure = new_figure(7.2, 4.2)
    axes = figure.subplots()
    ordered = sorted(enumerate(report.bands), key=lambda each: -each[1].share_middle[-1])
    for n, band in ordered:
        _line(axes, band, label(band.name), n)
    _frame(axes, report.last_day)
    axes.set_xlabel(_days(report))
    axes.set_ylabel(f"stock {LEFT}")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), title=report.by)
    return figure


def _apart(reports: Sequence[Report], names: list[str]) -> Figure:
    """A small plot for each group, the ensembles in it as lines."""
    shown = names[:MOST_PANELS]
    across = _across(len(shown))
    down = max(1, ceil(len(shown) / across))
    legend = 2.2 if len(reports) > 1 else 0.0
    figure = new_figure(max(5.5, 1.0 + 1.7 * across) + legend, 1.2 + 1.35 * down)
    grid = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
    panels = list(grid.flat)
    last = max(report.last_day for report in reports)
    for panel, name in zip(panels, shown, strict=False):
        for n, report in enumerate(reports):
            for band in report.bands:
                if band.name == name:
                    _line(panel, band, _who(report), n)
        _frame(panel, last)
        panel.set_title(label(name))
    for panel in panels[len(shown) - across : len(shown)]:
        panel.tick_params(labelbottom=True)  # nothing may stand below it
    for panel in panels[len(shown) :]:
        panel.set_axis_off()
    days = _days(reports[0]) if len(reports) == 1 else _days_of_several(reports)
    figure.supxlabel(days + _left_out(names), fontsize=9)
    figure.supylabel(f"stock {LEFT}", fontsize=9)
    if len(reports) > 1:
        told = {
            word: line
            for panel in panels
            for line, word in zip(*panel.get_legend_handles_labels(), strict=True)
        }
        figure.legend(list(told.values()), list(told), loc="outside right center")
    return figure


def _line(axes: Axes, band: Band, name: str, n: int) -> None:
    """A median with its band."""
    axes.plot(band.day, 100 * band.share_middle, color=colour(n), linestyle=dashes(n), label=name)
    if band.runs.max() > 1:
        axes.fill_between(
            band.day, 100 * band.share_low, 100 * band.share_high,
            color=colour(n), alpha=BAND_ALPHA, linewidth=0,
        )  # fmt: skip


def _frame(axes: Axes, last_day: int) -> None:
    axes.set_xlim(0, last_day)
    axes.set_ylim(0, 104)
    axes.set_yticks([0, 25, 50, 75, 100])


def _days(report: Report) -> str:
    """The axis of days, with how many runs the lines rest on."""
    runs = report.total.runs
    if runs[0] == 1:
        return "day"
    fewer = report.total.day[runs < runs[0]]
    ends = f", fewer from day {fewer[0]:,} on" if fewer.size else ""
    held = f"{report.total.confidence:.0%}"
    return f"day (lines: medians of {runs[0]} runs{ends}; bands: {held} of them)"


def _days_of_several(reports: Sequence[Report]) -> str:
    if all(len(report.seeds) == 1 for report in reports):
        return "day"
    held = f"{reports[0].total.confidence:.0%}"
    return f"day (lines: medians of runs; bands: {held} of them)"


def _who(report: Report) -> str:
    """An ensemble in the legend, with how many runs it has."""
    runs = len(report.seeds)
    return label(report.name) if runs == 1 else f"{label(report.name)} ({runs} runs)"


def _across(count: int) -> int:
    """Panels beside each other: as many as may be, so that fewest places stay empty."""
    if count <= ACROSS:
        return max(1, count)
    return max(range(3, ACROSS + 1), key=lambda across: (-(-count % across), across))


def _left_out(names: list[str]) -> str:
    more = len(names) - MOST_PANELS
    return f"; {more} more not drawn" if more > 0 else ""


def _title(reports: Sequence[Report]) -> str:
    first = reports[0]
    what = label(first.scope.ingredient) if first.scope.ingredient else "all ingredients"
    where = f" in {label(first.scope.region)}" if first.scope.region else ""
    who = label(first.name) if len(reports) == 1 else f"{len(reports)} scenarios"
    return f"{who}: what is left of {what}{where}, by {first.by}"
