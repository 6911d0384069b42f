"""Battles: when and where, who against whom, and how they ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.study.order import in_natural_order
from worldsim.views.pictures.battle_odds import ask
from worldsim.views.pictures.look import label, new_figure, python, words
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.style import COLOURS

if TYPE_CHECKING:
    from worldsim.runs import Run
    from worldsim.views.pictures.battle_odds import Asked
    from worldsim.views.pictures.picture import Cell

    Row = tuple[Any, ...]

NAME = "battles"
MOST_BATTLES = 3000
MOST_SECTORS = 60
ROW_PX = 18
LEAST_CHANCE = 0.01
COLUMNS = (
    "day", "sector", "attacker", "defender", "ambush", "assault", "end_day", "winner", "loser",
    "reason", "rounds", "units_lost", "attacker_odds", "odds_method",
)  # fmt: skip
STARTED = "seq, day, sector, attacker, defender, ambush, assault"
ENDED = "cause AS seq, day AS end_day, winner, loser, reason, rounds, list_sum(map_values(lost))"
OUTCOMES = (
    ("the attacker won", COLOURS[1], "circle"),
    ("the defender won", COLOURS[0], "square"),
    ("not decided yet", "#999999", "x"),
)
REASONS = {
    "absent": "the loser had nobody to fight",
    "defeated": "the loser had nobody standing",
    "out_of_time": "the last round was over",
}


def battles(run: Run) -> dict[int, Row]:
    """All duels in the order of their beginnings, in the columns of the picture's table.

    One that is not over has None from ``end_day`` on. A log of level warning tells of none.

    Returns:
        By the number of the event that began each; without the columns of odds.
    """
    log = run.events(["battle.started", "battle.ended"]).filter(f"day <= {run.manifest.day}")
    started = log.filter("event = 'battle.started'").project(STARTED).fetchall()
    if not started:
        return {}
    ended = log.filter("event = 'battle.ended'").project(ENDED).fetchall()
    ends = {seq: (*rest, int(lost or 0)) for seq, *rest, lost in ended}
    none = (None,) * 6
    return {row[0]: (*row[1:], *ends.get(row[0], none)) for row in sorted(started)}


def draw(run: Run) -> Picture | None:
    """A mark for each duel by day and sector; None where the log tells of none."""
    found = battles(run)
    if not found:
        return None
    asked = ask(run, [seq for seq, row in found.items() if row[7] is not None])
    fought = [(*row, *asked.odds.get(seq, (None, None))) for seq, row in found.items()]
    sectors = in_natural_order(str(row[1]) for row in fought)
    shown = _shown(fought, sectors)
    rows: list[tuple[Cell, ...]] = [tuple(row) for row in shown]
    return Picture(
        name=NAME,
        title="Battles",
        figure=_figure(shown, in_natural_order(str(row[1]) for row in shown), run.manifest.day),
        table=Table(COLUMNS, rows),
        python=python(run, NAME),
        says=_says(fought, len(sectors), len(fought) - len(shown)) + _odds_say(fought, asked),
    )


def _shown(fought: list[Row], sectors: list[str]) -> list[Row]:
    """The latest battles, of the sectors with most of them where there are many."""
    count = dict.fromkeys(sectors, 0)
    for row in fought:
        count[row[1]] += 1
    most = set(sorted(sectors, key=lambda name: -count[name])[:MOST_SECTORS])
    return [row for row in fought if row[1] in most][-MOST_BATTLES:]


def _figure(shown: list[Row], sectors: list[str], last: int) -> Any:
    at = {sector: n for n, sector in enumerate(reversed(sectors))}
    figure = new_figure(
        height=184 + ROW_PX * len(sectors),
        xaxis={"title": {"text": "day"}, "tickformat": ",d", "range": [0, last * 1.02]},
        yaxis={"title": {"text": "sector"}, "tickmode": "array", "tickvals": list(at.values()),
               "ticktext": [label(sector) for sector in at], "range": [-0.7, len(at) - 0.3]},
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0},
        margin={"t": 72},
    )  # fmt: skip
    for n, (name, colour, symbol) in enumerate(OUTCOMES):
        marks = [row for row in shown if _outcome(row) == n]
        if marks:
            figure.add_scatter(
                x=[row[0] for row in marks], y=[at[row[1]] for row in marks], mode="markers",
                name=name, text=[_told(row) for row in marks],
                marker={"color": colour, "symbol": symbol, "size": 9, "opacity": 0.8},
                hovertemplate="%{text}<extra></extra>",
            )  # fmt: skip
    return figure


def _outcome(row: Row) -> int:
    """A position in `OUTCOMES`."""
    if row[7] is None:
        return 2
    return 0 if row[7] == row[2] else 1


def _told(row: Row) -> str:
    """A duel in a few lines, its names harmless."""
    day, sector, attacker, defender, ambush, assault, _, winner, _, reason, rounds, lost = row[:12]
    how = " from ambush" * bool(ambush) + " as an assault" * bool(assault)
    told = f"<b>{label(attacker)}</b> attacks <b>{label(defender)}</b>{how}<br>"
    told += f"{label(sector)}, day {day:,}"
    if row[12] is not None:
        about = "about " * (row[13] != "exact")
        told += f"<br>odds of the attacker: {about}{percent(row[12])}"
    if winner is None:
        return told
    left = f"<br>{lost:,} units lost" if lost else ""
    rounds_told = f"{rounds} round{'s' * (rounds != 1)}"
    return f"{told}<br>{label(winner)} wins after {rounds_told}: {REASONS[reason]}{left}"


def _says(fought: list[Row], sectors: int, more: int) -> str:
    from worldsim.study.intervals import share_interval  # noqa: PLC0415 - loads scipy

    decided = [row for row in fought if row[7] is not None]
    told = f"{len(fought):,} duel{'s' * (len(fought) != 1)} in {sectors:,} sector"
    told += "s." if sectors != 1 else "."
    if decided:
        won = sum(_outcome(row) == 0 for row in decided)
        odds = share_interval(won, len(decided))
        told += (
            f" The attacker won {won:,} of the {len(decided):,} that were decided,"
            f" {odds.estimate:.0%} (95% interval: {odds.low:.0%} to {odds.high:.0%})."
        )
        wins: dict[str, int] = {}
        for row in decided:
            wins[row[7]] = wins.get(row[7], 0) + 1
        best = min(wins, key=lambda team: (-wins[team], team))
        told += f" {words(best)} won most: {wins[best]:,}."
    return told + (f" {more:,} are not drawn." if more else "")


def percent(chance: float) -> str:
    """A chance for people: never none or all, which neither rounding nor a few fights can tell."""
    if chance < LEAST_CHANCE:
        return f"under {LEAST_CHANCE:.0%}"
    if chance > 1 - LEAST_CHANCE:
        return f"over {1 - LEAST_CHANCE:.0%}"
    return f"{chance:.0%}"


def _odds_say(fought: list[Row], asked: Asked) -> str:
    """How the outcomes agree with the odds, where these were worked out."""
    known = [row for row in fought if row[12] is not None]
    if not known:
        return f" {asked.why_not}" if asked.why_not else ""
    mean = sum(row[12] for row in known) / len(known)
    won = sum(_outcome(row) == 0 for row in known) / len(known)
    if len(known) == 1:
        return f" The odds of the attacker were worked out for one duel: {percent(mean)}."
    return (
        f" Of {len(known)} duels whose odds were worked out, attackers were to win"
        f" {percent(mean)} on average, and won {won:.0%}."
    )
