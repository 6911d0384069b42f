"""How all pictures look: colours that the colour-blind tell apart, sizes, names made harmless."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from worldsim.study.inputs import optional

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

COLOURS = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C00",
)  # fmt: skip
"""Okabe and Ito (2008), Color Universal Design; their yellow, too pale for a line, made olive."""
DASHES = ("-", "--", "-.", ":")
"""Lines differ in these as well, so that a print without colour can be read."""
BAND_ALPHA = 0.18
MOST_LINES = len(COLOURS)
LONGEST_NAME = 32
INK, FAINT = "#222222", "#D9D9D9"

LOOK: Any = {
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "axes.edgecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "legend.frameon": False,
    "figure.dpi": 150,
    "savefig.dpi": 150,
    "text.parse_math": False,  # a name with two dollar signs is a name, not a formula
    "svg.fonttype": "none",  # words stay words: they can be searched, copied and read aloud
    "svg.hashsalt": "worldsim",  # the same picture is the same bytes
}


def look() -> Any:
    """A context in which figures are made and saved in this style.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    with optional("matplotlib", "plot", "plots"):
        import matplotlib as mpl  # noqa: PLC0415 - an extra
    return mpl.rc_context(LOOK)


def new_figure(width_in: float, height_in: float) -> Figure:
    """A figure that belongs to no window and no global state, laid out so that nothing overlaps."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an extra

    return Figure(figsize=(width_in, height_in), layout="constrained")


def save(figure: Figure, path: Path) -> None:
    """Write a figure in the format its ending tells, without the time of day in it.

    Raises:
        OSError: it cannot be written.
    """
    form = path.suffix.lower().removeprefix(".")
    made = BytesIO()
    dated = {"Date": None} if form == "svg" else {}
    figure.savefig(made, format=form, metadata=dated)
    path.write_bytes(made.getvalue())


def colour(n: int) -> str:
    """The n-th colour, from 0; they begin again after eight."""
    return COLOURS[n % len(COLOURS)]


def dashes(n: int) -> str:
    """How the n-th line is drawn: neighbours differ, and so do those that share a colour."""
    return DASHES[(n + n // len(COLOURS)) % len(DASHES)]


def label(name: str) -> str:
    """A name fit for a picture: printable characters only, cut where it is too long."""
    text = "".join(each for each in " ".join(name.split()) if each.isprintable())
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"
