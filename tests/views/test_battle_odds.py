"""Odds of a run's duels: those of their sides as they began, and no trace in the run."""

from __future__ import annotations

import hashlib
import sys
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import worldsim as ws
from worldsim.duel import duel_odds
from worldsim.rules.cards import Card, Side, Terms, by_trait
from worldsim.runs.fights import sides_at
from worldsim.runs.replaying import NotTheSameError
from worldsim.views.pictures.battle_odds import MOST_DUELS, ask, odds_of, spread

sys.path.insert(0, str(Path(__file__).parents[1] / "battle"))

from frontier import crew, faction
from stories import scenario

if TYPE_CHECKING:
    from worldsim.views.pictures.picture import Picture

NOT_CERTAIN = (
    "planet.sectors_per_region=8",
    "rules.travel.march_min=1",
    "rules.teams.fewest_members=1",
    "rules.battle.relation='war'",
    "missions.patrol.day_limit=25",
)
TRAITS = ("stealth", "awareness", "orders", "leadership", "shooting", "weapon", "cover")
POWER = {"red": {"shooting": 9, "cover": 3}, "blue": {"weapon": 6}}
PEOPLE = {"red": 2, "blue": 3}


@pytest.fixture(scope="module", name="two")
def _two() -> ws.Run:
    """Two colonies whose only teams meet on the first day."""
    roles = ("leader", "member", "member")
    colonies = [
        faction(name, people=crew(roles[: PEOPLE[name]], **dict.fromkeys(TRAITS, 0) | POWER[name]))
        for name in POWER
    ]
    return ws.simulate(scenario(*NOT_CERTAIN, colonies="".join(colonies)), days=3)


@pytest.fixture(scope="module", name="kept")
def _kept(tmp_path_factory: pytest.TempPathFactory) -> ws.Run:
    """Forty days of rivals, in a folder with checkpoints between."""
    folder = tmp_path_factory.mktemp("odds") / "rivals"
    return ws.simulate(ws.load("contested_frontier"), days=40, out=folder, checkpoint_days=7)


def by_hand(colony: str) -> Side:
    """A colony's team, from what its scenario says: five points of skill are one of Power."""
    power = by_trait({"speed": 80 // 5} | POWER[colony])
    cards = [Card("character", power, 6) for _ in range(PEOPLE[colony])]
    return Side(cards, Terms())


def battles_of(run: ws.Run) -> Picture:
    from worldsim.views.pictures import run_picture  # noqa: PLC0415 - an extra

    picture = run_picture(run, "battles")
    assert picture is not None
    return picture


def begun(run: ws.Run) -> list[int]:
    rows = run.events("battle.started").project("seq").fetchall()
    return sorted(seq for (seq,) in rows)


def bytes_of(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.needs("plotly")
def test_the_odds_in_the_table_are_those_asked_by_hand(two: ws.Run) -> None:
    picture = battles_of(two)
    told = [dict(zip(picture.table.columns, row, strict=True)) for row in picture.table.rows]
    attacker, defender = (str(told[0][who]).partition("/")[0] for who in ("attacker", "defender"))
    assert {attacker, defender} == {"red", "blue"}
    exact = duel_odds(Terms(), by_hand(attacker), by_hand(defender), method="exact")
    assert 0.01 < exact.attacker_wins < 0.99
    assert told[0]["odds_method"] == "exact"
    assert told[0]["attacker_odds"] == pytest.approx(float(exact.attacker_wins), abs=5e-5)
    assert f"odds of the attacker: {exact.attacker_wins:.0%}" in "".join(
        text for trace in picture.figure.data for text in trace.text
    )


@pytest.mark.needs("plotly")
def test_odds_leave_the_run_as_it_was_and_are_the_same_twice(kept: ws.Run) -> None:
    assert kept.path is not None
    before = bytes_of(kept.path)
    first = battles_of(kept)
    again = battles_of(ws.Run.open(kept.path))
    assert bytes_of(kept.path) == before
    assert first.table == again.table
    assert first.says == again.says
    known = [row for row in first.table.rows if row[12] is not None]
    assert len(known) == min(MOST_DUELS, len(first.table.rows))
    assert f"Of {len(known)} duels whose odds were worked out" in first.says


def test_sides_are_the_same_from_checkpoints_as_from_the_founding(kept: ws.Run) -> None:
    memory = ws.simulate(ws.load("contested_frontier"), days=40)
    seqs = begun(kept)
    late = sides_at(kept, seqs[-2:])
    every = sides_at(memory, seqs)
    assert list(late) == seqs[-2:]
    assert list(every) == seqs
    for seq, fight in late.items():
        for one, other in (
            (fight.attacker, every[seq].attacker),
            (fight.defender, every[seq].defender),
        ):
            assert [card.name for card in one.cards] == [card.name for card in other.cards]
            assert [card.power for card in one.cards] == [card.power for card in other.cards]
        assert fight.attacker_health == every[seq].attacker_health
        assert fight.defender_health == every[seq].defender_health


def test_who_has_fallen_or_is_hurt_begins_a_duel_so() -> None:
    run = ws.simulate(ws.load("contested_frontier"), days=90)
    fights = sides_at(run, begun(run)).values()
    assert any(
        left < whole
        for fight in fights
        for left, whole in zip(fight.defender_health, fight.defender.whole, strict=True)
    )


@pytest.mark.needs("plotly")
def test_without_replay_there_are_no_odds_and_a_sentence_says_why(
    two: ws.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worldsim.runs.resuming.__version__", "0.0.1")
    picture = battles_of(two)
    assert [row[12:] for row in picture.table.rows] == [(None, None)] * len(picture.table.rows)
    assert "No odds: days cannot be simulated again" in picture.says
    assert "this is 0.0.1" in picture.says


def test_a_run_that_goes_otherwise_when_simulated_again_has_no_odds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = ws.simulate(ws.load("contested_frontier"), days=10)
    monkeypatch.setattr(run.manifest, "seed", run.manifest.seed + 1)
    with pytest.raises(NotTheSameError, match="simulated again"):
        sides_at(run, begun(run))
    assert "simulated again" in ask(run, begun(run)).why_not


def test_a_run_that_is_still_written_is_not_simulated_again(
    two: ws.Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(two.manifest, "status", "running")
    asked = ask(two, begun(two))
    assert not asked.odds
    assert "once the run has ended" in asked.why_not


def test_duels_are_spread_from_the_first_to_the_last() -> None:
    assert spread([3, 5, 9], 3) == [3, 5, 9]
    chosen = spread(range(1000), 24)
    assert (chosen[0], chosen[-1], len(set(chosen))) == (0, 999, 24)
    steps = {b - a for a, b in pairwise(chosen)}
    assert steps == {43, 44}


@pytest.mark.long
def test_attackers_win_as_often_as_their_odds_say() -> None:
    run = ws.simulate(ws.load("contested_frontier"))
    ended = run.events("battle.ended").project("cause, winner").fetchall()
    attackers = dict(run.events("battle.started").project("seq, attacker").fetchall())
    winners = dict(ended)
    fights = sides_at(run, list(winners))
    assert len(fights) > 100
    odds = {seq: float(odds_of(fight).attacker_wins) for seq, fight in fights.items()}
    won = sum(winners[seq] == attackers[seq] for seq in odds)
    spread_of_wins = sqrt(sum(chance * (1 - chance) for chance in odds.values()))
    assert abs(won - sum(odds.values())) < 3 * spread_of_wins
