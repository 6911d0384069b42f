"""What common random numbers buy: a change moves nobody's dice but by what it changes."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

import worldsim as ws
from worldsim.study.study import Study

if TYPE_CHECKING:
    from worldsim.runs import Run

DAYS = 30
CHANGED = "haven/trappers"


@pytest.fixture(scope="module", name="pair")
def _pair() -> tuple[Run, Run]:
    """One seed of the shipped study, in both of its cells, with every roll."""
    plan = Study.load("hunters_or_gatherers").plan
    runs = []
    for cell in plan.cells:
        sets = [*(each.text for each in cell.settings), "record.teams_every_days=1"]
        scenario = ws.load("first_landing", sets=sets)
        runs.append(ws.simulate(scenario, seed=plan.seed(0, 0), days=DAYS, level="debug"))
    return runs[0], runs[1]


def draws(run: Run) -> dict[tuple[str, int], list[float]]:
    """What each team rolled on each day."""
    team_of: dict[int, str | None] = {}
    rolls = []
    for line in map(json.loads, run.lines()):
        if line["level"] == "debug":
            rolls.append(line)
        else:
            team_of[line["seq"]] = line.get("team")
    found: dict[tuple[str, int], list[float]] = defaultdict(list)
    for roll in rolls:
        team = team_of[roll["of"]]
        if team is not None:
            found[team, roll["day"]].append(roll["draw"])
    return found


def states(run: Run) -> dict[tuple[str, int], tuple[Any, ...]]:
    """Each team at each midnight, and what is in the ground where it stands."""
    changes: dict[int, list[tuple[str, str, int]]] = defaultdict(list)
    columns = 'day, place, ingredient, "left"'
    for day, *change in run.stocks().project(columns).fetchall():
        changes[day].append(tuple(change))
    ground: dict[str, dict[str, int]] = defaultdict(dict)
    found: dict[tuple[str, int], tuple[Any, ...]] = {}
    teams = run.teams().order("day")
    place = teams.columns.index("place")
    for row in teams.fetchall():
        for where, ingredient, left in changes.pop(row[0], ()):
            ground[where][ingredient] = left
        found[row[1], row[0]] = (row, tuple(sorted(ground[row[place]].items())))
    return found


def test_other_teams_roll_the_same_dice_until_the_first_day_their_state_differs(
    pair: tuple[Run, Run],
) -> None:
    one, other = map(draws, pair)
    before, after = map(states, pair)
    teams = sorted({team for team, _ in before} - {CHANGED})
    parted = {}
    for team in teams:
        same = [day for day in range(DAYS + 1) if before[team, day] == after[team, day]]
        parted[team] = next(day for day in range(DAYS + 2) if day not in same)
        for day in range(1, parted[team]):
            assert one[team, day] == other[team, day], f"{team}, day {day}"
    assert len(teams) == 11
    assert min(parted.values()) <= DAYS, "the change reaches others"
    assert max(parted.values()) > DAYS / 2, "but not all of them at once"
    assert sum(len(one[team, day]) for team in teams for day in range(1, parted[team])) > 100


def test_the_changed_team_rolls_otherwise(pair: tuple[Run, Run]) -> None:
    one, other = map(draws, pair)
    days = range(1, DAYS + 1)
    assert [one[CHANGED, day] for day in days] != [other[CHANGED, day] for day in days]
