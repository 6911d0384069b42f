"""A day in detail: simulated again, with every roll of the dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.runs.checkpoints import reached
from worldsim.views.live.address import link, whole
from worldsim.views.live.dashed import AgGrid, dcc, html
from worldsim.views.live.grid import row
from worldsim.views.live.pages.log import COLUMN, columns, grid_options
from worldsim.views.live.pages.run import head
from worldsim.views.live.parts import loading, nothing, text
from worldsim.views.report.run_words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldsim.views.live.opened import OpenedRun

MOST_LINES = 5000
ROLL = "dice.rolled"


def replay_page(run: OpenedRun, values: Mapping[str, str]) -> Any:
    """The page of a day; the lines are filled in once they are simulated."""
    day, last = whole(values.get("day")) or 1, reached(run.manifest)
    team = values.get("team")
    near = [(f"Day {each:,}", link("/replay", run=run.name, day=each, team=team))
            for each in (day - 1, day + 1) if 1 <= each <= last]  # fmt: skip
    links = [dcc.Link(title, href=address, className="button") for title, address in near]
    if team:
        links.append(dcc.Link("All teams", href=link("/replay", run=run.name, day=day),
                              className="button"))  # fmt: skip
    whose = f", {text(team, 80)}" if team else ""
    return html.Div(
        [
            head(run, ""),
            html.H2(f"Day {day:,} once more, with every roll{whose}"),
            html.Div(links, className="tools"),
            dcc.Store(id="replayed", data={"run": run.name, "day": day, "team": team}),
            loading(html.Div(id="replay", className="replay")),
        ]
    )


def replay_lines(run: OpenedRun, day: int, team: str | None) -> Any:
    """The lines of the day, or of a team's day with the rolls of its events.

    Raises:
        WorldsimError: the day cannot be simulated again, or is another now.
    """
    lines = _of_team(run.replay(day), team)
    if not lines:
        return nothing("Nothing happened on that day.")
    shown = [row(line) for line in lines[:MOST_LINES]]
    rolls = sum(line["event"] == ROLL for line in lines)
    says = (
        f"{counted(len(lines) - rolls, 'event')} and {counted(rolls, 'roll')}. "
        "The events are the same as in the log, which was compared."
    )
    if len(lines) > MOST_LINES:
        says += f" The first {MOST_LINES:,} lines are shown."
    return [
        html.P(says),
        AgGrid(
            id="day",
            columnDefs=columns(),
            defaultColDef=COLUMN,
            rowData=shown,
            dashGridOptions=grid_options(),
            style={"height": "70vh", "width": "100%"},
        ),
    ]


def _of_team(lines: Sequence[dict[str, Any]], team: str | None) -> list[dict[str, Any]]:
    if team is None:
        return list(lines)
    whose = {line["seq"] for line in lines if line.get("team") == team and "seq" in line}
    return [line for line in lines if line.get("seq") in whose or line.get("of") in whose]
