"""The events that mattered: the ends of teams and people, losses, what ran out, who took what."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldsim.views.pictures.look import label, new_figure, python, words
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.style import COLOURS
from worldsim.views.words import tell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldsim.runs import Run
    from worldsim.views.pictures.picture import Cell

    Row = tuple[int, int, str, str, str, str]  # seq, day, event, who, where, what

NAME = "what-mattered"
MOST_EVENTS = 1500
ROW_PX = 30
COLUMNS = ("seq", "day", "event", "who", "where", "what", "says")
LINE, MOST_LINES = 60, 4
"""Of a hover text."""
LONGEST_LATEST = 240


@dataclass(frozen=True, slots=True)
class Matter:
    """A kind of event that is told.

    Attributes:
        kind: Its name.
        title: For people.
        who, where, what: SQL of texts over the fields of an event; empty where there is none.
        only: SQL of those that are told.
    """

    kind: str
    title: str
    who: str = "team"
    where: str = "place"
    what: str = "''"
    only: str = "TRUE"


MATTERS: tuple[Matter, ...] = (
    Matter("campaign.stopped", "campaign stopped", "''", "''", "condition"),
    Matter("intervention.made", "intervention", "''", "''", "intervention"),
    Matter("intervention.ended", "intervention over", "''", "''", "intervention"),
    Matter("team.perished", "team gone", what="reason"),
    Matter("member.died", "member died", "member || ' of ' || team", "''", "harm"),
    Matter("team.lost", "team lost", what="reason"),
    Matter("team.found", "team found"),
    Matter("reserve.depleted", "ingredient first used up", "''", what="ingredient",
           only="first_of_kind"),
    Matter("colony.starved", "colony starved", "colony", "''", "people || ' people'"),
    Matter("team.disbanded", "team disbanded", where="''"),
    Matter("sector.claimed", "sector taken from others", where="sector",
           what="'from ' || taken_from", only="taken_from IS NOT NULL"),
    Matter("member.collapsed", "member collapsed", "member || ' of ' || team", "''",
           "health || ' Health'"),
    Matter("card.fell", "fell in battle", "card || ' of ' || team", "''"),
)  # fmt: skip
"""The gravest first: where there are too many, those at the end are left out."""


def draw(run: Run) -> Picture | None:
    """A mark for each event that mattered, by kind; None where there was none."""
    told = _told(run)
    if not told:
        return None
    shown = sorted(told[:MOST_EVENTS])
    latest = max(told)
    says = _sentences(run, [*shown, latest])
    rows: list[tuple[Cell, ...]] = [
        (*row[:2], TITLES[row[2]], *row[3:], says[row[0]]) for row in shown
    ]
    return Picture(
        name=NAME,
        title="What mattered",
        figure=_figure(shown, says, run.manifest.day),
        table=Table(COLUMNS, rows),
        python=python(run, NAME),
        says=_says(told, len(told) - len(shown), says[latest[0]]),
    )


TITLES = {matter.kind: matter.title for matter in MATTERS}
COLOURS_OF = {
    "campaign.stopped": COLOURS[3],
    "intervention.made": COLOURS[3],
    "intervention.ended": COLOURS[3],
    "team.found": COLOURS[2],
    "reserve.depleted": COLOURS[4],
    "sector.claimed": COLOURS[5],
}
"""What is not here is a loss."""
RANK = {matter.kind: n for n, matter in enumerate(MATTERS)}


def _told(run: Run) -> list[Row]:
    """Those events, the gravest kinds first, each kind in its order."""
    first = "row_number() OVER (PARTITION BY event, ingredient ORDER BY seq) = 1 AS first_of_kind"
    log = run.events(list(TITLES)).filter(f"day <= {run.manifest.day}").project(f"*, {first}")
    found = log.filter(_case("only")).project(
        f"seq, day, event, {_case('who')}, {_case('where')}, {_case('what')}"
    )
    rows: list[Row] = found.fetchall()
    return sorted(rows, key=lambda row: (RANK[row[2]], row[0]))


def _sentences(run: Run, told: Sequence[Row]) -> dict[int, str]:
    """What is said of each of these events, by its number."""
    seqs = sorted({row[0] for row in told})
    listed = ", ".join(map(str, seqs))
    kinds = list(dict.fromkeys(row[2] for row in told))
    found = run.events(kinds).filter(f"seq BETWEEN {seqs[0]} AND {seqs[-1]} AND seq IN ({listed})")
    events = (dict(zip(found.columns, row, strict=True)) for row in run.rows(found))
    return {event["seq"]: tell(event) for event in events}


def _case(column: str) -> str:
    """SQL that picks by the kind of event."""
    cases = " ".join(f"WHEN '{each.kind}' THEN {getattr(each, column)}" for each in MATTERS)
    return f"CASE event {cases} END"


def _figure(shown: Sequence[Row], says: Mapping[int, str], last: int) -> Any:
    kinds = [kind for kind in TITLES if any(row[2] == kind for row in shown)]
    at = {kind: n for n, kind in enumerate(reversed(kinds))}
    figure = new_figure(
        height=110 + ROW_PX * len(kinds),
        showlegend=False,
        xaxis={"title": {"text": "day"}, "tickformat": ",d", "range": [0, last * 1.02]},
        yaxis={"title": {"text": "event"}, "tickmode": "array", "tickvals": list(at.values()),
               "ticktext": [TITLES[kind] for kind in at], "range": [-0.6, len(at) - 0.4]},
    )  # fmt: skip
    for kind in kinds:
        rows = [row for row in shown if row[2] == kind]
        figure.add_scatter(
            x=[row[1] for row in rows], y=[at[kind]] * len(rows), mode="markers",
            name=TITLES[kind], text=[_lines(says[row[0]]) for row in rows],
            marker={"symbol": "line-ns-open", "size": 16, "color": COLOURS_OF.get(kind, COLOURS[1]),
                    "line": {"width": 2}},
            hovertemplate="%{text}<br>day %{x:,d}<extra></extra>",
        )  # fmt: skip
    return figure


def _lines(says: str) -> str:
    """A sentence in lines that a screen holds, its names harmless."""
    lines = textwrap.wrap(
        says, LINE, max_lines=MOST_LINES, placeholder=" …", break_on_hyphens=False
    )
    return "<br>".join(label(each, LINE) for each in lines)


def _says(told: Sequence[Row], more: int, last: str) -> str:
    count: dict[str, int] = {}
    for row in told:
        count[row[2]] = count.get(row[2], 0) + 1
    named = ", ".join(f"{TITLES[kind]} {n:,}" for kind, n in count.items())
    left_out = f" Of the least grave {more:,} are not shown." if more else ""
    return (
        f"{len(told):,} events: {named}. The latest was on day {max(told)[1]:,}: "
        f"{words(last, LONGEST_LATEST).removesuffix('.')}.{left_out}"
    )
