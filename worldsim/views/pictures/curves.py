"""How the stock declines: a line for each ingredient, or for each region."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from worldsim.views.pictures.levels import check_ingredient, levels
from worldsim.views.pictures.look import LINES, label, new_figure, python, words
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.style import MOST_LINES as COLOURS

if TYPE_CHECKING:
    from worldsim.runs import Run
    from worldsim.views.pictures.levels import Numbers

MOST_LINES = 32
MOST_POINTS = 6400
"""Points of all lines: 400 of each of 16, fewer of each where there are more."""
HOVER = (
    "<b>%{fullData.name}</b><br>day %{x:,d}: %{y:.1f}% left<br>%{customdata:,d} units"
    "<extra></extra>"
)


def by_ingredient(run: Run) -> Picture | None:
    """The stock of each ingredient over the days; None where there never was any."""
    found = levels(run)
    return _picture(run, "ingredient", found.day, found.by_ingredient(), None)


def by_region(run: Run, ingredient: str | None = None) -> Picture | None:
    """The stock of each region over the days, of one ingredient or of all; None as above.

    Raises:
        NotInTheGroundError: the ingredient never lay anywhere.
    """
    found = levels(run)
    check_ingredient(found, ingredient)
    return _picture(run, "region", found.day, found.by_region(ingredient), ingredient)


def _picture(
    run: Run, by: str, day: Numbers, left: dict[str, Numbers], ingredient: str | None
) -> Picture | None:
    """Lines of what is left, the largest stocks first if there are too many."""
    stocked = {name: units for name, units in left.items() if units.max(initial=0) > 0}
    if not stocked:
        return None
    largest = sorted(stocked, key=lambda name: -int(stocked[name].max()))[:MOST_LINES]
    shown = {name: units for name, units in stocked.items() if name in largest}
    every = -(-day.size * len(shown) // MOST_POINTS)
    rows: list[tuple[str, int, int, int, float]] = []
    figure = new_figure(
        height=440,
        xaxis={"title": {"text": "day"}, "range": [0, int(day[-1])], "tickformat": ",d"},
        yaxis={"title": {"text": f"stock left, % of the {_whole(left)}"}, "rangemode": "tozero"},
        legend={"title": {"text": by}},
    )
    for n, (name, units) in enumerate(shown.items()):
        kept = _kept(units, every)
        share = _shares(units)[kept]
        figure.add_scatter(
            x=day[kept], y=share, customdata=units[kept], name=label(name),
            mode="lines", line={"dash": _dashes(n)}, hovertemplate=HOVER,
        )  # fmt: skip
        start = int(_whole_of(units))
        rows += [
            (name, int(at), int(now), start, float(part))
            for at, now, part in zip(day[kept], units[kept], share, strict=True)
        ]
    name = f"stock-by-{by}"
    what = "all ingredients" if ingredient is None else words(ingredient)
    return Picture(
        name=name,
        title=f"Stock by {by}" if ingredient is None else f"Stock of {what} by {by}",
        figure=figure,
        table=Table((by, "day", "left_units", "start_units", "left_percent"), rows),
        python=python(run, name, ingredient),
        says=_says(shown, len(stocked) - len(shown)),
    )


def _kept(units: Numbers, every: int) -> Numbers:
    """Positions that say something: ends, and those at which the line begins or ends to change."""
    places = np.unique(np.append(np.arange(0, units.size, every), units.size - 1))
    read = units[places]
    moves = np.diff(read) != 0
    ends = np.ones(1, bool)
    told: Numbers = places[np.concatenate([ends, moves]) | np.concatenate([moves, ends])]
    return told


def _whole_of(units: Numbers) -> int:
    """What shares are shares of: the start, or where nothing was there, the most there ever was."""
    return int(units[0] or units.max())


def _whole(left: dict[str, Numbers]) -> str:
    later = any(not units[0] and units.max() for units in left.values())
    return "start (or of the most there was)" if later else "start"


def _shares(units: Numbers) -> Numbers:
    shares: Numbers = np.round(100.0 * units / _whole_of(units), 2)
    return shares


def _dashes(n: int) -> str:
    """Lines of one colour differ in this, and so do the first two rounds of neighbours."""
    return LINES[(n // COLOURS + (n % 2 if n >= COLOURS else 0)) % len(LINES)]


def _says(shown: dict[str, Numbers], more: int) -> str:
    part = {name: float(_shares(units)[-1]) for name, units in shown.items()}
    least, most = min(part, key=part.__getitem__), max(part, key=part.__getitem__)
    told = f"{words(least)} has {part[least]:.0f}% of its start left"
    if least != most:
        told = f"{told}, the least of all; {words(most)} has the most, {part[most]:.0f}%"
    left_out = f" {more} with smaller stocks are not drawn." if more > 0 else ""
    return f"At the end {told}.{left_out} A click on a name in the legend hides its line."
