"""The picture of one team: what it did each day, and how it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from worldsim.runs import duck
from worldsim.views.pictures.lives import STATES
from worldsim.views.pictures.look import LINES, label, new_figure, where
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.style import COLOURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.runs import Run

MOST_DAYS = 20_000
COLUMNS = ("day", "status", "place", "situation", "efficiency", "health_least", "stamina_least")
LEVELS = {
    "situation": "Situation",
    "efficiency": "Efficiency",
    "health_least": "Health, least of its members",
    "stamina_least": "Stamina, least of its members",
}
PYTHON = """\
import worldsim as ws
from worldsim.views.live.team_life import team_life

run = ws.Run.open({run!a})
team_life(run, {team!a}).figure.show()
"""


def team_life(run: Run, team: str) -> Picture | None:
    """The life of a team on a line, and its levels under it; None if the run has no such team.

    Args:
        run: It may be unfinished.
        team: Its id.
    """
    shown = ", ".join(COLUMNS)
    sql = f"SELECT {shown} FROM teams WHERE team = {duck.text(team)} ORDER BY day"  # noqa: S608 -- quoted
    rows = list(run.rows(run.query(sql)))[:MOST_DAYS]
    if not rows:
        return None
    return Picture(
        name="team-life",
        title="Its life",
        figure=_figure(rows),
        table=Table(COLUMNS, rows),
        python=PYTHON.format(run=where(run), team=team),
        says=_says(rows),
    )


def _figure(rows: Sequence[tuple[Any, ...]]) -> Any:
    days = [row[0] for row in rows]
    figure = new_figure(
        height=460,
        xaxis={"title": {"text": "day"}, "tickformat": ",d", "range": [0, max(days[-1], 1)]},
        yaxis={"title": {"text": "points of 100"}, "range": [-2, 104], "domain": [0, 0.82]},
        yaxis2={"domain": [0.9, 1], "showticklabels": False, "ticks": "", "showgrid": False,
                "range": [0, 1], "fixedrange": True},
        legend={"orientation": "h", "y": -0.18},
        margin={"b": 120},
        barmode="overlay",
    )  # fmt: skip
    for state, title, colour in STATES:
        spans = _spans(rows, state)
        if spans:
            _add_state(figure, title, colour, spans)
    for n, (name, title) in enumerate(LEVELS.items()):
        column = COLUMNS.index(name)
        figure.add_scatter(
            x=days, y=[row[column] for row in rows], mode="lines", name=title,
            line={"color": COLOURS[(0, 1, 2, 3)[n]], "dash": LINES[n], "width": 2, "shape": "hv"},
            hovertemplate="day %{x:,d}: %{y}<extra>%{fullData.name}</extra>",
        )  # fmt: skip
    return figure


def _add_state(figure: Any, title: str, colour: str, spans: Sequence[tuple[int, int, str]]) -> None:
    """Bars for all spells of a state, with where they were spent."""
    figure.add_bar(
        base=[first for first, _, _ in spans],
        x=[last - first for first, last, _ in spans],
        y=[0.5] * len(spans), width=[1] * len(spans), orientation="h", yaxis="y2", name=title,
        marker={"color": colour, "line": {"width": 0}},
        text=[f"{label(title)} at {label(place)}, from day {first:,}" for first, _, place in spans],
        textposition="none", hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip


def _spans(rows: Sequence[tuple[Any, ...]], state: str) -> list[tuple[int, int, str]]:
    """Spells of a state: first day, the day after the last, and the place of their first day."""
    status = np.array([row[1] for row in rows], dtype=object)
    starts = np.flatnonzero(np.append(True, status[1:] != status[:-1]))
    ends = np.append(starts[1:], len(rows))
    days = [row[0] for row in rows]
    after = [*days[1:], days[-1] + 1]
    return [
        (days[a], after[b - 1], str(rows[a][2] or ""))
        for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
        if status[a] == state
    ]


def _says(rows: Sequence[tuple[Any, ...]]) -> str:
    titles = {state: title for state, title, _ in STATES}
    last = rows[-1]
    counts: dict[str, int] = {}
    for row in rows:
        counts[row[1]] = counts.get(row[1], 0) + 1
    told = ", ".join(f"{titles.get(state, state)} {n:,}" for state, n in counts.items())
    return (
        f"As its days ended: {told}. On day {last[0]:,} it is {titles.get(last[1], last[1])}. "
        "The lines begin again where it is re-formed."
    )
