"""The map in a file: a picture of what is left where, or a graph that other programs read."""

from __future__ import annotations

import warnings
from math import sqrt
from typing import TYPE_CHECKING, Any

from worldsim.views.exports.writing import new_file
from worldsim.views.ground import graphml_of
from worldsim.views.style import COLOURS, FAINT, INK, label, look, new_figure, save
from worldsim.world.positions import APART, GROUP_RADIUS, positions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from worldsim.views.ground import Ground
    from worldsim.world.positions import Point

FORMS = (".png", ".svg", ".graphml")
LARGEST_IN = 15.0
BESIDE_IN, BELOW_IN = 1.1, 0.8
"""Room of the scale of colours, and of title and legend."""
UNIT_IN = 0.95
"""Inches of the radius of a region's group, where the map is small enough."""
MOST_SECTOR_NAMES = 90
MOST_REGION_NAMES = 60
SCALE = "cividis"
LINE_PT = 10  # of the line with the colonies
DISC = 1.15 * GROUP_RADIUS
EDGE = DISC + 0.05
RING_SIZE = 1.45  # of a mark, around a colony
WAY, RING = "#8A8A8A", COLOURS[1]


def draw(ground: Ground, path: Path) -> dict[str, int]:
    """Write the map into a new file, of the format that its ending tells.

    Args:
        ground: The map.
        path: Ends in one of `FORMS`; must not exist.

    Returns:
        How many ``regions``, ``sectors``, ``ways`` (edges) and ``colonies``.

    Raises:
        TakenError, NoPlaceError: nothing can be written there.
        UnwritableMapError: GraphML cannot hold its names.
        MissingExtraError: matplotlib is not installed, and a picture is wanted.
        DiskError: the system refused.
    """
    if path.suffix.lower() == ".graphml":
        text = graphml_of(ground)
        with new_file(path) as made:
            made.write_text(text, encoding="utf-8")
    else:
        with look(), new_file(path) as made:
            _save(figure_of(ground), made, path.suffix.lower())
    atlas = ground.atlas
    return {
        "regions": len(atlas.regions),
        "sectors": len(atlas.sectors),
        "ways": atlas.graph.number_of_edges(),
        "colonies": len(ground.colonies),
    }


def _save(figure: Figure, made: Path, suffix: str) -> None:
    """Save under a name with the right ending, then without it."""
    with warnings.catch_warnings():
        # A script that the font lacks shows as boxes, which is not worth a warning for each letter.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        warnings.filterwarnings(
            "ignore", message="Matplotlib currently does not support .* natively"
        )
        save(figure, made.with_suffix(suffix))
    made.with_suffix(suffix).rename(made)


def figure_of(ground: Ground) -> Figure:
    """The picture, to be made and saved within ``style.look()``."""
    at = positions(ground.atlas)
    middles = [at[name] for name in ground.atlas.regions]
    left, right = min(x for x, _ in middles) - EDGE, max(x for x, _ in middles) + EDGE
    low, high = min(y for _, y in middles) - EDGE, max(y for _, y in middles) + EDGE + 0.4
    crowd = max(len(own) for own in ground.atlas.sectors_of.values())
    unit = min(
        UNIT_IN * max(1.0, sqrt(crowd / 12)), LARGEST_IN / (right - left), LARGEST_IN / (high - low)
    )
    size = (right - left) * unit + BESIDE_IN, (high - low) * unit + BELOW_IN
    figure = new_figure(max(5.6, size[0]), max(3.2, size[1]))
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(left, right)
    axes.set_ylim(low, high)
    picture = _Picture(ground, at, unit, axes)
    picture.draw_ways()
    picture.draw_places(figure)
    picture.draw_names()
    head = _title(ground) + (f"\n({picture.left_out})" if picture.left_out else "")
    figure.suptitle(head, fontsize=10, color=INK)
    figure.legend(handles=_handles(), loc="outside lower center", ncols=4, columnspacing=1.2,
                  handletextpad=0.2)  # fmt: skip
    return figure


def _handles() -> list[Any]:
    """What the marks mean, in no colour that means something."""
    from matplotlib.lines import Line2D  # noqa: PLC0415 - an extra

    looks: tuple[tuple[str, dict[str, Any]], ...] = (
        ("along the ways of a region", {"marker": "s", "color": WAY, "markersize": 7}),
        ("sector", {"marker": "o", "color": WAY, "markersize": 7}),
        ("nothing ever lay there", {"marker": "o", "mfc": "white", "mec": WAY, "markersize": 7}),
        ("colony", {"marker": "o", "mfc": "none", "mec": RING, "mew": 2, "markersize": 10}),
    )
    return [Line2D([], [], linestyle="none", label=name, **each) for name, each in looks]


class _Picture:
    """A map being drawn.

    Args:
        ground: What lies where.
        at: Where the places stand.
        unit: Inches of one unit of these.
        axes: Where to draw.

    Attributes:
        left_out: Which names do not fit, for people.
    """

    def __init__(self, ground: Ground, at: Mapping[str, Point], unit: float, axes: Axes) -> None:
        self._ground, self._at, self._axes = ground, at, axes
        self._unit_pt = unit * 72
        crowd = max(1, *map(len, ground.atlas.sectors_of.values()))
        # A ring of up to 12, or a disc of more, has this much room for each.
        self._size_pt = self._unit_pt * min(0.34, 1.1 / sqrt(crowd))
        self.left_out = ""

    def draw_ways(self) -> None:
        """Edges, and a disc under the places of each region."""
        from matplotlib.collections import EllipseCollection, LineCollection  # noqa: PLC0415

        atlas, at = self._ground.atlas, self._at
        regions = [at[name] for name in atlas.regions]
        size = [2 * DISC] * len(regions)
        discs = EllipseCollection(
            size, size, [0.0] * len(regions), units="xy", offsets=regions,
            offset_transform=self._axes.transData,
            facecolor="#F4F4F4", edgecolor=FAINT, linewidth=0.8, zorder=1,
        )  # fmt: skip
        known = set(atlas.regions)
        between = [(at[a], at[b]) for a, b in atlas.graph.edges if a in known and b in known]
        within = [(at[a], at[b]) for a, b in atlas.graph.edges if not (a in known and b in known)]
        self._axes.add_collection(LineCollection(between, colors=WAY, linewidths=1.2, zorder=0))
        self._axes.add_collection(discs)
        self._axes.add_collection(LineCollection(within, colors=FAINT, linewidths=0.7, zorder=2))

    def draw_places(self, figure: Figure) -> None:
        """Squares and circles in the colour of their stock; rings around colonies."""
        ground, atlas = self._ground, self._ground.atlas
        most = max([1, *ground.start.values()])
        shown = None
        for names, marker in ((atlas.regions, "s"), (atlas.sectors, "o")):
            some = self._scatter(names, marker, most)
            shown = some if some is not None else shown
        self._rings()
        if shown is not None:
            words = "units in the ground" if ground.day is None else "stock left, % of the start"
            bar = figure.colorbar(shown, ax=self._axes, shrink=0.8, aspect=30, pad=0.02)
            bar.set_label(words)
            bar.outline.set_visible(False)

    def _scatter(self, names: list[str], marker: str, most: int) -> Any:
        """Places of one sort: filled by their stock, hollow where nothing ever lay."""
        ground = self._ground
        shares = {name: ground.share(name) for name in names}
        full = [name for name, share in shares.items() if share is not None]
        bare = [name for name, share in shares.items() if share is None]
        size = self._size_pt**2
        if bare:
            self._axes.scatter(*self._points(bare), s=size, marker=marker, facecolors="white",
                               edgecolors=WAY, linewidths=0.6, zorder=3)  # fmt: skip
        if not full:
            return None
        start = ground.day is None
        colours: list[Any] = [ground.start[name] if start else shares[name] for name in full]
        return self._axes.scatter(
            *self._points(full), s=size, marker=marker, c=colours, cmap=SCALE,
            vmin=0, vmax=most if start else 100, edgecolors="white", linewidths=0.6, zorder=3,
        )  # fmt: skip

    def _rings(self) -> None:
        homes = [sector for sector in self._ground.colonies.values() if sector in self._at]
        if homes:
            self._axes.scatter(
                *self._points(homes), s=(self._size_pt * RING_SIZE) ** 2, marker="o",
                facecolors="none", edgecolors=RING, linewidths=2.0, zorder=4,
            )  # fmt: skip

    def draw_names(self) -> None:
        """Of regions above their discs, with their colonies; of sectors below their marks."""
        atlas, homes = self._ground.atlas, _by_sector(self._ground.colonies)
        regions = self._named_regions()
        room = int(self._unit_pt * APART / 5.5)
        for name in regions:
            x, y = self._at[name]
            above, settled = y + DISC + 0.07, self._settled(name, homes)
            if settled:
                # In the disc it would lie on the marks of other sectors.
                self._write(x, above, _cut(settled, 2 * room), "bottom", 7)
                above += LINE_PT / self._unit_pt
            self._write(x, above, _cut(name, room), "bottom", 9, bold=True)
        every = len(atlas.sectors) <= MOST_SECTOR_NAMES
        mark = self._size_pt / self._unit_pt / 2
        for name in atlas.sectors:
            x, y = self._at[name]
            away = mark * RING_SIZE + 0.05 if name in homes else mark + 0.03
            short = name.removeprefix(f"{atlas.region_of[name]}/")
            if every:
                self._write(x, y - away, _cut(short, room // 3), "top", 6)
        self.left_out = self._says_left_out(len(regions), every=every)

    def _settled(self, region: str, homes: Mapping[str, str]) -> str:
        """The colonies of a region and where they are: ``tide in s1, tide_outpost in s4``."""
        found = [
            f"{homes[sector]} in {sector.removeprefix(f'{region}/')}"
            for sector in self._ground.atlas.sectors_of[region]
            if sector in homes
        ]
        return ", ".join(found)

    def _named_regions(self) -> list[str]:
        """All of them, or those with colonies and then those that held most."""
        atlas, ground = self._ground.atlas, self._ground
        if len(atlas.regions) <= MOST_REGION_NAMES:
            return atlas.regions
        held = {
            region: sum(ground.start.get(place, 0) for place in (region, *atlas.sectors_of[region]))
            for region in atlas.regions
        }
        settled = {atlas.region_of.get(sector) for sector in ground.colonies.values()}
        order = sorted(atlas.regions, key=lambda name: (name not in settled, -held[name]))
        return order[:MOST_REGION_NAMES]

    def _says_left_out(self, named: int, *, every: bool) -> str:
        parts = []
        more = len(self._ground.atlas.regions) - named
        if more > 0:
            parts.append(f"{more:,} regions")
        if not every:
            parts.append(f"{len(self._ground.atlas.sectors):,} sectors")
        return f"names of {' and '.join(parts)} left out" if parts else ""

    def _write(self, x: float, y: float, words: str, edge: str, size: float, *,
               bold: bool = False) -> None:  # fmt: skip
        ground = {"facecolor": "white", "alpha": 0.6, "edgecolor": "none", "pad": 0.6}
        self._axes.text(
            x, y, words, ha="center", va=edge, fontsize=size, zorder=5, bbox=ground,
            color=INK, weight="bold" if bold else "normal",
        )  # fmt: skip

    def _points(self, names: list[str]) -> tuple[list[float], list[float]]:
        points = [self._at[name] for name in names]
        return [x for x, _ in points], [y for _, y in points]


def _by_sector(colonies: Mapping[str, str]) -> dict[str, str]:
    """The colonies of each sector, several joined."""
    found: dict[str, str] = {}
    for name, sector in colonies.items():
        found[sector] = f"{found[sector]}, {name}" if sector in found else name
    return found


def _cut(name: str, longest: int) -> str:
    """A name in no more letters than there is room for, of which there is always some."""
    text, room = label(name), max(3, longest)
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _title(ground: Ground) -> str:
    name = label(ground.name)
    if ground.day is None:
        return f"{name}: what lies in the ground at the start"
    return f"{name}: what is left in the ground on day {ground.day:,}"
