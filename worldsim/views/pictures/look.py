"""How figures of pages look, in light and in dark, and how names get into them unharmed."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from worldsim.study.inputs import optional
from worldsim.views.cells import plain
from worldsim.views.style import COLOURS, FAINT, INK

if TYPE_CHECKING:
    from worldsim.runs import Run

PAPER, NIGHT, PALE, DIM = "#FFFFFF", "#16181D", "#E6E6E6", "#3A3F4A"
"""Backgrounds of the two looks, and ink and grid of the dark one."""
BLACK = COLOURS.index("#000000")
COLOURS_BY_NIGHT = (*COLOURS[:BLACK], "#F0F0F0", *COLOURS[BLACK + 1 :])
"""The same palette where the ground is dark: its black is white there."""
FILLS = tuple(each for each in COLOURS if each != "#000000")
"""Colours of areas, told from both backgrounds: seven."""
REST = "#999999"
"""The colour of what is put together as the rest."""
SCALE = "Cividis"
"""From none (dark blue) to all (yellow): even steps to the eye, also to the colour-blind."""
LINES = ("solid", "dash", "dashdot", "dot", "longdash", "longdashdot")
LONGEST = 32
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"


def graph_objects() -> Any:
    """The module of figures of plotly.

    Raises:
        MissingExtraError: plotly is not installed.
    """
    with optional("plotly", "view", "pictures of pages"):
        import plotly.graph_objects as go  # noqa: PLC0415 - an extra
    return go


def template(*, dark: bool = False) -> dict[str, Any]:
    """The template of all figures, as plotly's ``layout.template`` takes it.

    Figures are made with the light one; a page that is dark puts the other in its place. So no
    figure says itself what colour its words, its grid or its lines have.
    """
    ink, paper, faint = (PALE, NIGHT, DIM) if dark else (INK, PAPER, FAINT)
    axis = {
        "gridcolor": faint, "linecolor": ink, "tickcolor": ink, "zeroline": False,
        "ticks": "outside", "ticklen": 4, "automargin": True,
        "title": {"standoff": 8, "font": {"size": 13}},
    }  # fmt: skip
    bar = {"outlinewidth": 0, "ticks": "outside", "tickcolor": ink}
    return {
        "layout": {
            "colorway": list(COLOURS_BY_NIGHT if dark else COLOURS),
            "colorscale": {"sequential": SCALE},
            "font": {"family": FONT, "size": 13, "color": ink},
            "paper_bgcolor": paper,
            "plot_bgcolor": paper,
            "xaxis": axis,
            "yaxis": axis,
            "coloraxis": {"colorbar": bar},
            "margin": {"l": 64, "r": 24, "t": 40, "b": 56},
            "legend": {"bgcolor": "rgba(0,0,0,0)", "font": {"size": 12}},
            "hoverlabel": {"align": "left", "bgcolor": paper, "bordercolor": ink,
                           "font": {"color": ink, "size": 12}},
            "hovermode": "closest",
        },
        "data": {"scatter": [{"line": {"width": 2}}]},
    }  # fmt: skip


def new_figure(**layout: Any) -> Any:
    """An empty figure in the light template.

    Raises:
        MissingExtraError: plotly is not installed.
    """
    return graph_objects().Figure(layout={"template": template(), **layout})


def words(name: str, longest: int = LONGEST) -> str:
    """A name as one line of printable characters, cut in the middle: its end tells it apart."""
    text = plain(" ".join(name.split()))
    if len(text) <= longest:
        return text
    head = (longest - 1) // 2
    return f"{text[:head]}…{text[head + 1 - longest :]}"


def label(name: str, longest: int = LONGEST) -> str:
    """A name fit for any text of a figure.

    plotly reads a few tags in titles, labels, legends and hover texts; here they are only
    characters. In a hover template a name may stand in data alone (``%{text}``), since braces mean
    something there.
    """
    return escape(words(name, longest), quote=False)


def python(run: Run, name: str, ingredient: str | None = None) -> str:
    """Lines that draw one of the pictures of a run again."""
    chosen = "" if ingredient is None else f", ingredient={ingredient!a}"
    return (
        "import worldsim as ws\n"
        "from worldsim.views.pictures import run_picture\n"
        "\n"
        f"run = ws.Run.open({where(run)!a})\n"
        f"picture = run_picture(run, {name!r}{chosen})\n"
        "picture.figure.show()\n"
    )


def where(run: Run) -> str:
    """A run's path as others can use it too: without the folders of this machine above it."""
    in_runs = run.path is not None and run.path.absolute().parent.name == "runs"
    return f"runs/{run.name}" if in_runs else run.name
