"""The map: what is left in each region's and each sector's ground, day by day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from worldsim.runs.maps import atlas_of_run
from worldsim.views.pictures.levels import check_ingredient, levels
from worldsim.views.pictures.look import REST, SCALE, label, new_figure, python, words
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.style import COLOURS
from worldsim.world.positions import positions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from worldsim.runs import Run
    from worldsim.views.pictures.levels import Levels, Numbers
    from worldsim.world.atlas import Atlas

NAME = "stock-map"
MOST_DAYS = 120
MOST_VALUES = 60_000
"""Colours of all days together; a map of many places is shown on fewer days."""
FEWEST_DAYS = 8
MOST_PLACES = 3000
MOST_NAMED = 60
"""Regions up to which their names fit on the map."""
MOST_INGREDIENTS = 24
ABOVE = 0.22
"""By how much names of regions stand above them, in units of the map."""
SMALLEST_PX, LARGEST_PX = 9.0, 26.0
BARE_PX = 6.0
CLOSE = 0.6
"""Share of a unit of the map that a mark may fill."""
HEIGHT_PX, TALL_PX = 560, 800
"""Heights of figures: of maps whose regions are named, and of larger ones."""
WIDE_PX = 800
"""About how wide a map can be on a page."""
HOVER = "<b>%{text}</b><br>%{marker.color:.0f}% left<br>of %{customdata:,d} units<extra></extra>"


def draw(run: Run, ingredient: str | None = None) -> Picture | None:
    """Places coloured by what is left of their start; the frames of the figure are days.

    Args:
        run: As far as it came.
        ingredient: Only of this one; of all together if None.

    Raises:
        NotInTheGroundError: the ingredient never lay anywhere.
    """
    found = levels(run, most_steps=MOST_DAYS)
    check_ingredient(found, ingredient)
    return _Map(run, found).picture(ingredient)


def draw_each(run: Run) -> Iterator[tuple[str, Picture]]:
    """The map of each ingredient alone, those with the largest stocks where there are many."""
    found = levels(run, most_steps=MOST_DAYS)
    drawn = _Map(run, found)
    start = {name: int(units[0]) for name, units in found.by_ingredient().items()}
    largest = sorted(start, key=lambda name: -start[name])[:MOST_INGREDIENTS]
    for name in found.ingredients:
        picture = drawn.picture(name) if name in largest else None
        if picture is not None:
            yield name, picture


class _Map:
    """A run's map, laid out once for all its ingredients.

    Args:
        run: For its name and its colonies.
        found: What lay where.
    """

    def __init__(self, run: Run, found: Levels) -> None:
        self.run, self.levels = run, found
        self.atlas = atlas_of_run(run)
        self.at = positions(self.atlas)
        self.colonies = _colonies(run)
        self.height = HEIGHT_PX if len(self.atlas.regions) <= MOST_NAMED else TALL_PX
        self.shrunk = _shrunk(self.at, self.height)

    def picture(self, ingredient: str | None) -> Picture | None:
        """The map of one ingredient, or of all; None where there never was any."""
        left = self.levels.of_place(ingredient)
        whole = np.where(left[:, 0] > 0, left[:, 0], left.max(axis=1, initial=0))
        drawn = np.array([name in self.at for name in self.levels.places], bool)
        stocked = np.flatnonzero(whole * drawn)
        if not stocked.size:
            return None
        shown = np.sort(stocked[np.argsort(-whole[stocked], kind="stable")][:MOST_PLACES])
        days = self._days(shown.size)
        units, whole = left[shown][:, days], whole[shown]
        percent = np.round(100.0 * units / whole[:, None], 1)
        at_day = self.levels.day[days]
        what = "all ingredients" if ingredient is None else words(ingredient)
        return Picture(
            name=NAME,
            title=f"The map, emptying: {what}",
            figure=self._figure(shown, whole, percent, at_day),
            table=self._table(shown, whole, units, at_day),
            python=python(self.run, NAME, ingredient),
            says=self._says(left, stocked.size - shown.size, at_day),
        )

    def _days(self, places: int) -> Numbers:
        """Which of the days read are shown: evenly spread, the first and the last among them."""
        read = self.levels.day.size
        most = min(read, MOST_DAYS + 1, max(FEWEST_DAYS, MOST_VALUES // places))
        return np.unique(np.linspace(0, read - 1, most).round().astype(np.int64))

    def _figure(
        self, shown: Numbers, whole: Numbers, percent: npt.NDArray[np.float64], day: Numbers
    ) -> Any:
        names = [self.levels.places[n] for n in shown]
        figure = new_figure(
            height=self.height, showlegend=True, **_frame(self.at), **_controls(day)
        )
        figure.add_scatter(**_ways(self.atlas, self.at))
        figure.add_scatter(
            x=[self.at[name][0] for name in names],
            y=[self.at[name][1] for name in names],
            mode="markers",
            name="places",
            showlegend=False,
            text=[label(name) for name in names],
            customdata=whole,
            hovertemplate=HOVER,
            marker={
                "color": _plain(percent[:, 0]),
                "cmin": 0, "cmax": 100, "colorscale": SCALE, "showscale": True,
                "colorbar": {"title": {"text": "stock left,<br>% of the start"}, "ticksuffix": "%",
                             "thickness": 14, "len": 0.8},
                "size": [round(self.shrunk * each, 1) for each in _sizes(whole)],
                "symbol": ["square" if self.levels.pools[n] == "transition" else "circle"
                           for n in shown],
                "opacity": 1,  # by itself plotly makes marks of many sizes see-through
                "line": {"color": REST, "width": 1},
            },
        )  # fmt: skip
        bare = self._bare(set(names))
        for trace in (*_kinds_of_place(), bare, self._homes(), self._titles()):
            figure.add_scatter(**trace)
        # Set at once: plotly would look at each frame several times.
        figure.frames = [
            {"name": str(at), "traces": [1], "data": [
                {"type": "scatter", "marker": {"color": _plain(percent[:, n])}}]}
            for n, at in enumerate(day)
        ]  # fmt: skip
        return figure

    def _bare(self, stocked: set[str]) -> dict[str, Any]:
        """Sectors in which nothing of it ever lay, or too little to be drawn."""
        bare = [name for name in self.atlas.sectors if name not in stocked]
        if len(bare) > MOST_PLACES:
            bare = []
        return {
            "x": [self.at[name][0] for name in bare],
            "y": [self.at[name][1] for name in bare],
            "mode": "markers",
            "showlegend": False,
            "text": [label(name) for name in bare],
            "hovertemplate": "<b>%{text}</b><br>nothing to show<extra></extra>",
            "marker": {"symbol": "circle-open", "size": BARE_PX * self.shrunk, "color": REST},
        }

    def _homes(self) -> dict[str, Any]:
        """Colonies, as rings around the sectors in which they stand."""
        homes = {name: place for name, place in self.colonies.items() if place in self.at}
        return {
            "x": [self.at[place][0] for place in homes.values()],
            "y": [self.at[place][1] for place in homes.values()],
            "mode": "markers",
            "name": "colony",
            "text": [label(name) for name in homes],
            "hovertemplate": "colony <b>%{text}</b><extra></extra>",
            "marker": {"symbol": "diamond-open", "size": LARGEST_PX, "color": COLOURS[1],
                       "line": {"width": 2.5}},
        }  # fmt: skip

    def _titles(self) -> dict[str, Any]:
        """Names of regions, above them; none where they would cover each other."""
        named = self.atlas.regions if len(self.atlas.regions) <= MOST_NAMED else []
        return {
            "x": [self.at[name][0] for name in named],
            "y": [self.at[name][1] + ABOVE for name in named],
            "mode": "text",
            "text": [label(name, 16) for name in named],
            "textposition": "top center",
            "showlegend": False,
            "hoverinfo": "skip",
        }

    def _table(self, shown: Numbers, whole: Numbers, units: Numbers, day: Numbers) -> Table:
        """Each place at the start and whenever it changed."""
        changed = np.diff(units, axis=1, prepend=-1) != 0
        rows: list[tuple[str, str, int, int, int]] = []
        for row, n in enumerate(shown):
            place, region, start = self.levels.places[n], self.levels.regions[n], int(whole[row])
            rows += [
                (place, region, int(day[k]), int(units[row, k]), start)
                for k in np.flatnonzero(changed[row])
            ]
        return Table(("place", "region", "day", "left_units", "start_units"), rows)

    def _says(self, left: Numbers, more: int, day: Numbers) -> str:
        start, now = int(left[:, 0].sum()), int(left[:, -1].sum())
        part = f", {now / start:.0%}" if start else ""
        empty = int(((left[:, 0] > 0) & (left[:, -1] == 0)).sum())
        had = int((left[:, 0] > 0).sum())
        left_out = f" The {more:,} places with the smallest stocks are not drawn." if more else ""
        return (
            f"Of {start:,} units {now:,} are left on day {int(day[-1]):,}{part}; {empty:,} of "
            f"{had:,} places have nothing left. Squares are what lies along the ways of a region, "
            f"circles are sectors; the larger, the more lay there at the start.{left_out}"
        )


def _colonies(run: Run) -> dict[str, str]:
    """Where each colony stands, as far as it has teams: they were there on the first day."""
    sql = "SELECT colony, arg_min(place, day) FROM teams GROUP BY colony ORDER BY colony"
    return dict(run.query(sql).fetchall())


def _plain(row: npt.NDArray[np.float64]) -> list[float | int]:
    """Numbers as short as they can be written."""
    return [int(each) if each == int(each) else float(each) for each in row]


def _sizes(whole: Numbers) -> list[float]:
    """Areas that grow with the stock."""
    largest = int(whole.max())
    spread = LARGEST_PX - SMALLEST_PX
    return [round(SMALLEST_PX + spread * float(np.sqrt(each / largest)), 1) for each in whole]


def _shrunk(at: Mapping[str, tuple[float, float]], height: int) -> float:
    """How much smaller marks have to be than they may be, so that those of a region stay apart."""
    x, y = [each[0] for each in at.values()], [each[1] for each in at.values()]
    unit_px = min(WIDE_PX / (max(x) - min(x) + 2), height / (max(y) - min(y) + 2))
    return min(1.0, CLOSE * unit_px / LARGEST_PX)


def _ways(atlas: Atlas, at: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """The edges of the map as one broken line."""
    x: list[float | None] = []
    y: list[float | None] = []
    for a, b in atlas.graph.edges:
        x += [round(at[a][0], 3), round(at[b][0], 3), None]
        y += [round(at[a][1], 3), round(at[b][1], 3), None]
    line = {"color": REST, "width": 1, "dash": "solid"}
    return {"x": x, "y": y, "mode": "lines", "name": "way", "line": line, "hoverinfo": "skip",
            "opacity": 0.6}  # fmt: skip


def _kinds_of_place() -> Iterator[dict[str, Any]]:
    """What the shapes mean, for the legend only."""
    for name, symbol in (("region", "square"), ("sector", "circle")):
        yield {
            "x": [None], "y": [None], "mode": "markers", "name": name,
            "marker": {"symbol": f"{symbol}-open", "size": 11, "color": REST, "line": {"width": 2}},
        }  # fmt: skip


def _frame(at: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """Axes without numbers: the map has lengths of ways, but no coordinates."""
    hidden = {"visible": False}
    x, y = [each[0] for each in at.values()], [each[1] for each in at.values()]
    return {
        "xaxis": {**hidden, "range": [min(x) - 0.8, max(x) + 0.8]},
        "yaxis": {**hidden, "range": [min(y) - 0.8, max(y) + 0.8],
                  "scaleanchor": "x", "scaleratio": 1},
        "legend": {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0},
        "margin": {"l": 16, "r": 16, "t": 72, "b": 16},
    }  # fmt: skip


def _controls(day: Numbers) -> dict[str, Any]:
    """Plotly's own slider and play button. A page with better ones takes them away."""
    still = {"mode": "immediate", "frame": {"duration": 0, "redraw": False},
             "transition": {"duration": 0}}  # fmt: skip
    play = {**still, "frame": {"duration": 120, "redraw": False}, "fromcurrent": True}
    buttons = [
        {"label": "play", "method": "animate", "args": [None, play]},
        {"label": "pause", "method": "animate", "args": [[None], still]},
    ]
    steps = [
        {"label": f"{int(at):,}", "method": "animate", "args": [[str(at)], still]} for at in day
    ]
    return {
        "sliders": [{"steps": steps, "active": 0, "x": 0.12, "len": 0.88, "pad": {"t": 8},
                     "currentvalue": {"prefix": "day "}}],
        "updatemenus": [{"type": "buttons", "direction": "left", "showactive": False,
                         "x": 0, "xanchor": "left", "y": 0, "yanchor": "top", "pad": {"t": 30},
                         "buttons": buttons}],
    }  # fmt: skip
