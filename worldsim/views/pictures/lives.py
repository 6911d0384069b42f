"""What each team did on each day: at home, out, on site, lost, in battle, gone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from worldsim.study.order import in_natural_order
from worldsim.views.pictures.look import label, new_figure, python
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.style import COLOURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from worldsim.runs import Run

    States = npt.NDArray[np.uint8]

NAME = "lives"
MOST_TEAMS = 120
MOST_CELLS = 400_000
"""Squares of the picture; in longer runs one stands for several days, and shows the last."""
MOST_SPELLS = 250_000
ROW_PX, FEWEST_PX = 15, 220

SKY, BLUE, GREEN, ORANGE, RED, PURPLE = (COLOURS[n] for n in (5, 0, 2, 4, 1, 3))
STATES: tuple[tuple[str, str, str], ...] = (
    ("at_colony", "home", "#D5D9DE"),
    ("resting", "resting", "#A9B2BC"),
    ("outbound", "out", SKY),
    ("on_site", "on site", GREEN),
    ("homeward", "homeward", BLUE),
    ("in_battle", "in battle", ORANGE),
    ("lost", "lost", RED),
    ("disbanded", "disbanded", PURPLE),
    ("gone", "gone", "#4A4A4A"),
)
"""The state of a team, what it is called, and its colour; rows of ``teams`` have all but rest."""
CODE = {state: n for n, (state, _, _) in enumerate(STATES)}
UNKNOWN = 255
"""Before a team was there."""
LEADS_TO = {
    "team.formed": "at_colony",
    "team.departed": "outbound",
    "team.arrived": "on_site",
    "team.turned_back": "homeward",
    "team.found": "homeward",
    "team.lost": "lost",
    "team.returned": "at_colony",
    "team.rested": "resting",
    "team.disbanded": "disbanded",
    "team.reformed": "at_colony",
    "team.perished": "gone",
    "sector.contested": "in_battle",
    "battle.ended": "homeward",
    "sector.secured": "on_site",
}
"""The state in which an event leaves the teams it is about; resting lasts for its day only."""
WHO = """CASE event WHEN 'sector.contested' THEN list_append(rivals, team)
    WHEN 'battle.ended' THEN [loser] WHEN 'sector.secured' THEN teams ELSE [team] END"""


@dataclass(frozen=True, slots=True)
class Lives:
    """The state of T teams at the midnight of D days.

    Attributes:
        teams: In natural order.
        day: Ascending, shape (D,).
        states: Positions in `STATES`, `UNKNOWN` before a team was there, shape (T, D).
        daily: Whether it is known of every day; else the days between are like the one before.
    """

    teams: tuple[str, ...]
    day: npt.NDArray[np.int64]
    states: States
    daily: bool


def lives(run: Run, *, most_teams: int = MOST_TEAMS, most_cells: int = MOST_CELLS) -> Lives | None:
    """What teams did, from the log; where that holds warnings only, from the table of teams.

    Args:
        run: As far as it came.
        most_teams: The first of them by name.
        most_cells: Of the answer; days are passed over where there would be more.

    Returns:
        None where there were no teams.
    """
    names = in_natural_order(str(team) for (team,) in run.query(TEAMS).fetchall())[:most_teams]
    if not names:
        return None
    daily = run.manifest.level != "warning"
    rows = _logged(run) if daily else _tabled(run)
    last = run.manifest.day
    every = max(1, -(-(last + 1) * len(names) // most_cells))
    day = np.unique(np.append(np.arange(0, last + 1, every), last))
    states = np.empty((len(names), day.size), np.uint8)
    for n, name in enumerate(names):
        states[n] = _filled(*rows.get(name, NEVER), last)[day]
    return Lives(tuple(names), day, states, daily)


TEAMS = "SELECT DISTINCT team FROM teams"
TABLED = "SELECT team, day, status FROM teams WHERE day <= {last} ORDER BY day"
NEVER = (np.empty(0, np.int64), np.empty(0, np.uint8))

Changes = dict[str, tuple["npt.NDArray[np.int64]", "States"]]


def _logged(run: Run) -> Changes:
    """Days on which the log tells something new of each team, and the state each then ended in."""
    cases = " ".join(f"WHEN '{kind}' THEN {CODE[state]}" for kind, state in LEADS_TO.items())
    told = run.events(list(LEADS_TO)).filter(f"day <= {run.manifest.day}")
    each = told.project(f"unnest({WHO}) AS who, day, seq, CASE event {cases} END AS code")
    ends = each.aggregate("who, day, arg_max(code, seq) AS code").order("who, day")
    rows: dict[str, Any] = ends.fetchnumpy()
    return _by_team(rows["who"], rows["day"], rows["code"])


def _tabled(run: Run) -> Changes:
    """The same from the table of teams, at its cadence."""
    rows = run.query(TABLED.format(last=run.manifest.day)).fetchnumpy()
    codes = [CODE.get(each, CODE["at_colony"]) for each in rows["status"]]
    return _by_team(rows["team"], rows["day"], codes)


def _by_team(who: Any, day: Any, code: Any) -> Changes:
    names, at = np.unique(np.asarray(who, dtype=str), return_inverse=True)
    days, codes = np.asarray(day, np.int64), np.asarray(code, np.uint8)
    order = np.argsort(at, kind="stable")
    bounds = np.searchsorted(at[order], np.arange(names.size + 1))
    return {
        str(name): (days[order[a:b]], codes[order[a:b]])
        for name, a, b in zip(names, bounds, bounds[1:], strict=False)
    }


def _filled(day: npt.NDArray[np.int64], code: States, last: int) -> States:
    """The state of each day from 0 on: that of the latest change, and after a rest at home."""
    changed = np.zeros(last + 1, np.int64)
    changed[day] = np.arange(1, day.size + 1)
    latest = np.maximum.accumulate(changed)
    known = np.concatenate([np.array([UNKNOWN], np.uint8), code])
    states: States = known[latest]
    rested = (states == CODE["resting"]) & (changed == 0)
    states[rested] = CODE["at_colony"]
    return states


def draw(run: Run) -> Picture | None:
    """A row for each team, a column for each day; None where there were no teams."""
    found = lives(run)
    if found is None:
        return None
    spells = _spells(found)
    return Picture(
        name=NAME,
        title="The lives of teams",
        figure=_figure(found),
        table=Table(("team", "state", "from_day", "to_day"), spells[:MOST_SPELLS]),
        python=python(run, NAME),
        says=_says(run, found, len(spells)),
    )


def _spells(found: Lives) -> list[tuple[str, str, int, int]]:
    """Days in a row in one state, team by team; the last of a spell is that before the next."""
    rows: list[tuple[str, str, int, int]] = []
    last = int(found.day[-1])
    for name, states in zip(found.teams, found.states, strict=True):
        begins = np.flatnonzero(np.diff(states, prepend=-1, append=-1).astype(bool))
        for a, b in pairwise(begins):
            if states[a] != UNKNOWN:
                until = int(found.day[b]) - 1 if b < found.day.size else last
                rows.append((name, STATES[states[a]][1], int(found.day[a]), until))
    return rows


def _figure(found: Lives) -> Any:
    names = _told_apart(found.teams)
    figure = new_figure(
        height=max(FEWEST_PX, 154 + ROW_PX * len(names)),
        xaxis={"title": {"text": "day"}, "tickformat": ",d"},
        yaxis={"title": {"text": "team"}, "type": "category", "autorange": "reversed",
               "tickmode": "array", "tickvals": names, "tickfont": {"size": 11},
               "showgrid": False},
        margin={"t": 40},
    )  # fmt: skip
    some = len(STATES)
    steps = [(edge / some, colour) for n, (_, _, colour) in enumerate(STATES)
             for edge in (n, n + 1)]  # fmt: skip
    shown: Any = found.states
    if (found.states == UNKNOWN).any():
        shown = np.where(found.states == UNKNOWN, np.nan, found.states)
    figure.add_heatmap(
        z=shown, x=found.day, y=names, zmin=-0.5, zmax=some - 0.5, colorscale=steps, ygap=2,
        hovertemplate="%{y}<br>day %{x:,d}: state %{z}<extra></extra>",
        colorbar={"title": {"text": "state"}, "tickmode": "array", "tickvals": list(range(some)),
                  "ticktext": [f"{n} {name}" for n, (_, name, _) in enumerate(STATES)],
                  "thickness": 16, "lenmode": "pixels", "len": 280, "y": 1, "yanchor": "top"},
    )  # fmt: skip
    return figure


def _told_apart(teams: Sequence[str]) -> list[str]:
    """Labels, numbered where two would be the same."""
    labels = [label(team) for team in teams]
    return [f"{text} [{n}]" if labels.count(text) > 1 else text for n, text in enumerate(labels, 1)]


def _says(run: Run, found: Lives, spells: int) -> str:
    known = found.states[found.states != UNKNOWN]
    away = np.isin(known, [CODE[each] for each in ("outbound", "on_site", "homeward")])
    share = f"{away.mean():.0%}"
    parts = [
        f"How each of {len(found.teams):,} teams ended its days: {share} of them on the way or on",
        "site.",
    ]
    every = int(np.diff(found.day).max(initial=1))
    if every > 1:
        parts.append(f"A square stands for {every} days and shows the last of them.")
    if not found.daily:
        cadence = run.scenario.record.teams_every_days
        parts.append(f"The log holds warnings only, so states are known every {cadence} days.")
    teams = run.query("SELECT count(DISTINCT team) FROM teams").fetchall()[0][0]
    if teams > len(found.teams):
        parts.append(f"{teams - len(found.teams):,} more teams are not drawn.")
    if spells > MOST_SPELLS:
        parts.append(f"The table holds the first {MOST_SPELLS:,} of {spells:,} spells.")
    return " ".join(parts)
