"""A team: who it is, its life on a line, and its events."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from worldsim.runs import duck
from worldsim.views.live.address import Wanted, link, whole
from worldsim.views.live.dashed import dcc, html
from worldsim.views.live.pages.log import MOST_SEQ, log_of
from worldsim.views.live.pages.run import head
from worldsim.views.live.parts import card, facts, loading, nothing, table, text
from worldsim.views.live.team_life import team_life
from worldsim.views.pictures.lives import STATES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldsim.views.live.opened import OpenedRun

MOST_TEAMS = 1000
STATE = {state: title for state, title, _ in STATES}
LISTED = ("team", "colony", "profile", "status", "place", "living", "members", "experience")


def team_page(run: OpenedRun, values: Mapping[str, str]) -> Any:
    """All teams, or the one that the address names."""
    given = values.get("team")
    if not given:
        return html.Div([head(run, "Teams"), _all(run)])
    team = _named(run, given)
    wanted = replace(Wanted.of(dict(values)), team=team)
    return html.Div(
        [
            head(run, "Teams"),
            html.H2(text(team, 120)),
            _facts(run, team),
            dcc.Store(id="whose", data={"run": run.name, "team": team}),
            loading(html.Div(id="life", className="picture")),
            html.H2("Its events"),
            log_of(run, wanted, whole(values.get("seq"), most=MOST_SEQ)),
        ]
    )


def _named(run: OpenedRun, given: str) -> str:
    """The whole name of a team that was named with or without its colony."""
    name = duck.text(given)
    sql = f"SELECT DISTINCT team FROM teams WHERE {name} IN (team, split_part(team, '/', 2))"  # noqa: S608 -- quoted
    found = run.ask(sql, most=1, log=False)
    return given if found.more or not found.rows else str(found.rows[0][0])


def life(run: OpenedRun, team: str, *, dark: bool) -> Any:
    """The picture of the team's life."""
    picture = run.remembered(
        ("life", team), lambda: run.reading(lambda opened: team_life(opened, team))
    )
    if picture is None:
        return nothing("The tables of this run do not hold this team yet.")
    return card(picture, link("/csv/team", run=run.name, team=team), dark=dark)


def _all(run: OpenedRun) -> Any:
    shown = ", ".join(f"arg_max({name}, day)" for name in LISTED[1:])
    sql = f"SELECT team, {shown} FROM teams GROUP BY team ORDER BY team"  # noqa: S608 -- our words
    answer = run.ask(sql, most=MOST_TEAMS, log=False)
    if not answer.rows:
        return nothing("There are no teams in the tables yet.")
    rows = [
        (
            dcc.Link(text(row[0], 120), href=link("/team", run=run.name, team=row[0])),
            *(text(cell, 60) for cell in row[1:5]),
            f"{row[5]:,} of {row[6]:,}",
            f"{row[7]:,}",
        )
        for row in answer.rows
    ]
    heads = ("team", "colony", "profile", "status", "place", "living", "experience")
    more = html.P(f"The first {MOST_TEAMS:,} are listed.") if answer.more else None
    return html.Div([table(heads, rows, numbers=(5, 6)), more])


def _facts(run: OpenedRun, team: str) -> Any:
    sql = f"SELECT * FROM teams WHERE team = {duck.text(team)} ORDER BY day DESC LIMIT 1"  # noqa: S608 -- quoted
    answer = run.ask(sql, most=1, log=False)
    if not answer.rows:
        return nothing("There is no such team in the tables of this run.")
    row = dict(zip(answer.columns, answer.rows[0], strict=True))
    state = STATE.get(row["status"], text(row["status"]))
    return facts(
        [
            ("colony", text(row["colony"])),
            ("profile", text(row["profile"])),
            (f"on day {row['day']:,}", f"{state}, in {text(row['place'])}"),
            ("members alive", f"{row['living']:,} of {row['members']:,}"),
            ("experience", f"{row['experience']:,}"),
            ("carries", f"{row['cargo']:,} units, and {row['rations']:,} as rations"),
        ]
    )
