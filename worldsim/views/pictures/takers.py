"""Which teams took what from the ground, on their way and on site."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from worldsim.study.order import in_natural_order
from worldsim.views.pictures.look import (
    FILLS,
    REST,
    label,
    new_figure,
    python,
    words,
)
from worldsim.views.pictures.picture import Picture, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.runs import Run

    Row = tuple[str, str, str, int]  # team, ingredient, where, units

NAME = "who-took"
MOST_TEAMS = 120
FEW_TEAMS = 40
WIDE_PX, ROW_PX = 20, 15
WHERE = {"transition": "on the way", "sector": "on site"}
TAKEN = """
    SELECT team, ingredient, pool, CAST(sum(units) AS BIGINT) AS units
    FROM takings WHERE ingredient IS NOT NULL AND units > 0 AND day <= {last} GROUP BY ALL
"""


def draw(run: Run) -> Picture | None:
    """Units by team, ingredient, and whether on the way or on site; None where none was taken."""
    taken = run.query(TAKEN.format(last=run.manifest.day)).fetchall()
    if not taken:
        return None
    teams, kinds = _sums(taken, 0), _sums(taken, 1)
    shown = list(teams)[:MOST_TEAMS]
    more = len(teams) - len(shown)
    rest = f"{more} more teams" if more else ""
    rows = _rows(taken, shown, rest)
    told = in_natural_order(list(kinds)[: len(FILLS)])
    where = _sums(taken, 2)
    total = sum(teams.values())
    on_way = where.get("transition", 0) / total
    first = shown[0]
    others = total - sum(teams[team] for team in shown)
    left_out = f" {rest} took {others:,} units; they are in the table." if rest else ""
    return Picture(
        name=NAME,
        title="Who took what",
        figure=_figure(rows[: len(rows) - _of_rest(rows, rest)], shown, told),
        table=Table(("team", "ingredient", "where", "units"), rows),
        python=python(run, NAME),
        says=(
            f"{len(teams):,} teams took {total:,} units, {on_way:.0%} of them on the way. "
            f"{words(first)} took most, {teams[first]:,} units; {words(next(iter(kinds)))} was "
            f"taken most, {next(iter(kinds.values())):,} units. Hatched parts were taken on the "
            f"way, from the reserves of regions.{left_out}"
        ),
    )


def _sums(taken: Sequence[Row], column: int) -> dict[str, int]:
    """Units by what stands in a column, the largest first."""
    sums: dict[str, int] = defaultdict(int)
    for row in taken:
        sums[str(row[column])] += row[3]
    return dict(sorted(sums.items(), key=lambda each: (-each[1], each[0])))


def _rows(taken: Sequence[Row], shown: list[str], rest: str) -> list[Row]:
    """What each team that is shown took; the rest together."""
    at = {team: n for n, team in enumerate(shown)}
    sums: dict[tuple[int, str, str], int] = defaultdict(int)
    for team, kind, pool, units in taken:
        sums[at.get(team, len(shown)), kind, WHERE.get(pool, pool)] += units
    return [
        (shown[n] if n < len(shown) else rest, kind, where, units)
        for (n, kind, where), units in sorted(sums.items())
    ]


def _of_rest(rows: list[Row], rest: str) -> int:
    """How many rows at the end tell of the teams that are not drawn."""
    return sum(row[0] == rest for row in rows) if rest else 0


def _figure(rows: list[Row], teams: list[str], told: list[str]) -> object:
    """Bars made of ingredients; those beyond the colours there are, together."""
    at = {team: n for n, team in enumerate(reversed(teams))}
    figure = new_figure(
        height=150 + (WIDE_PX if len(teams) <= FEW_TEAMS else ROW_PX) * len(teams),
        barmode="stack",
        bargap=0.25,
        xaxis={"title": {"text": "taken, units"}, "tickformat": ",d", "side": "bottom"},
        yaxis={"title": {"text": "team"}, "tickmode": "array", "tickvals": list(at.values()),
               "ticktext": [label(team) for team in at], "range": [-0.6, len(teams) - 0.4]},
        legend={"title": {"text": "ingredient"}, "traceorder": "normal"},
    )  # fmt: skip
    others = {row[1] for row in rows} - set(told)
    kinds: list[tuple[str, set[str], str]] = [
        (label(kind), {kind}, colour) for kind, colour in zip(told, FILLS, strict=False)
    ]
    if others:
        one = label(min(others)) if len(others) == 1 else f"{len(others)} others"
        kinds.append((one, others, REST))
    for n, (name, these, colour) in enumerate(kinds):
        for where in WHERE.values():
            sums: dict[str, int] = defaultdict(int)
            for team, kind, there, units in rows:
                if kind in these and there == where:
                    sums[team] += units
            figure.add_bar(
                x=list(sums.values()), y=[at[team] for team in sums], orientation="h",
                name=name, legendgroup=str(n), showlegend=where == "on site",
                marker={"color": colour, "line": {"width": 0},
                        "pattern": {"shape": "/" if where == "on the way" else "", "size": 5,
                                    "fgcolor": "#FFFFFF", "fillmode": "overlay"}},
                text=[label(team) for team in sums], textposition="none",
                hovertemplate=f"%{{text}}<br>%{{x:,d}} units of %{{fullData.name}} {where}"
                "<extra></extra>",
            )  # fmt: skip
    return figure
