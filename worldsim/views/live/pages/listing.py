"""The list of runs and studies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.views.cells import bytes_in_words
from worldsim.views.live.address import link
from worldsim.views.live.dashed import dcc, html
from worldsim.views.live.parts import badge, nothing, table, text

if TYPE_CHECKING:
    from worldsim.views.live.catalogue import Catalogue, Listed

REFRESH_MS = 3000


def listing(catalogue: Catalogue) -> Any:
    """All runs and studies, and a clock that looks for new ones."""
    return html.Div(
        [
            html.H1(["Runs and studies in ", html.Code(text(catalogue.title, 80))]),
            html.Div(listed(catalogue), id="list"),
            dcc.Interval(id="list-beat", interval=REFRESH_MS),
        ]
    )


def listed(catalogue: Catalogue) -> Any:
    """The two tables."""
    lines = catalogue.listed()
    runs = [each for each in lines if each.kind == "run"]
    studies = [each for each in lines if each.kind == "study"]
    if not lines:
        return nothing(
            "There is no run here yet. One begins with: worldsim run first_landing. "
            "It is listed here as soon as it is there."
        )
    return [
        _table("Runs", runs, "day", "/run", "run"),
        _compare(runs),
        _table("Studies", studies, "campaigns", "/study", "study"),
    ]


def _table(heading: str, lines: list[Listed], unit: str, path: str, name: str) -> Any:
    if not lines:
        return None
    rows = [
        (
            dcc.Link(text(each.name, 120), href=link(path, **{name: each.name})),
            badge(each.state),
            "" if each.done is None else f"{each.done:,}",
            "" if each.of is None else f"{each.of:,}",
            bytes_in_words(each.size_bytes),
            text(each.problem or "", 300),
        )
        for each in lines
    ]
    heads = (name, "state", unit, "of", "size", "")
    return html.Section([html.H2(heading), table(heads, rows, numbers=(2, 3, 4))])


def _compare(runs: list[Listed]) -> Any:
    sound = [each.name for each in runs if each.state != "damaged"]
    if len(sound) < 2:  # noqa: PLR2004 -- two are compared
        return None
    address = link("/compare", a=sound[0], b=sound[1])
    return html.P(dcc.Link("Compare two runs side by side", href=address))
