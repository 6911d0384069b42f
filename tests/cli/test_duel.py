"""The odds of a fight, as printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from worldsim.duel import cost_of, duel_odds
from worldsim.scenario.side import load_duel

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Command = Callable[..., Result]

LONE = '[[cards]]\nname = "{name}"\nhealth = {health}\npower = {{ {power} }}\n'
README = Path(__file__).parents[2] / "README.md"
NOBODY = '[[cards]]\nname = "{name}"\nkind = "equipment"\n'


@pytest.fixture(name="sides")
def _sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small sides in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "gun": LONE.format(name="gun", health=1, power="shooting = 3"),
        "wall": LONE.format(name="wall", health=3, power="cover = 9"),
        "crate": NOBODY.format(name="crate"),
        "many": "".join(
            LONE.format(name=f"m{n}", health=40, power=f"shooting = {9 + 3 * n}") for n in range(7)
        ),
        "wrong": "ambush = true\n" + LONE.format(name="a", health=1, power="shoting = 3"),
    }.items():
        (tmp_path / f"{name}.toml").write_text(text)


def table(result: Result, heading: str) -> list[list[str]]:
    """The rows under a heading, as words."""
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(heading))
    rows = lines[start + 1 :]
    return [row.split() for row in rows[: rows.index("") if "" in rows else None]]


def document(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.rule("BAT-11", "BAT-12")
def test_the_outcome_adds_up_and_is_that_of_the_exact_odds(worldsim: Command) -> None:
    odds = duel_odds(*load_duel("raiders", "garrison").arguments)
    result = worldsim("duel", "raiders", "garrison")
    shown = {" ".join(row[:2]): row for row in table(result, "Outcome")[1:]}
    assert shown["attacker wins"][2] == f"{odds.attacker_wins:.1%}"
    assert shown["defender wins"][2] == f"{odds.defender_wins:.1%}"
    assert "Exact, over" in result.stdout
    assert result.stderr == ""


@pytest.mark.rule("BAT-3")
def test_every_card_shows_its_two_initiative_dice(worldsim: Command) -> None:
    rows = table(worldsim("duel", "ambushers", "garrison"), "Sides")
    assert rows[0] == ["attacker,", "ambushers:", "scout,", "ambush"]
    # Stealth 15 and awareness 12 in the first round, speed 12 and orders 11 later.
    assert rows[2][:6] == ["pathfinder", "character", "1", "6", "14d6", "14d6"]
    assert rows[-1][:8] == ["crawler", "vehicle", "1", "8", "of", "12", "0d6", "4d6"]


@pytest.mark.usefixtures("sides")
def test_a_fight_that_time_ends_is_said_to_be_out_of_time(worldsim: Command) -> None:
    result = worldsim("duel", "gun.toml", "wall.toml", "--set", "rules.battle.most_rounds=1")
    odds = document(worldsim("duel", "gun.toml", "wall.toml", "--set",
                             "rules.battle.most_rounds=1", "--json"))["odds"]  # fmt: skip
    assert odds["attacker_wins"] == 0
    assert odds["out_of_time"] == pytest.approx(1)
    assert table(result, "Outcome")[3][:4] == ["out", "of", "time", "100.0%"]
    assert table(result, "Rounds")[1][:2] == ["1", "100.0%"]


@pytest.mark.usefixtures("sides")
def test_a_side_with_nobody_to_hit_has_lost_before_the_first_round(worldsim: Command) -> None:
    odds = document(worldsim("duel", "gun.toml", "crate.toml", "--json"))["odds"]
    assert odds["attacker_wins"] == 1
    assert odds["rounds"] == [{"rounds": 0, "probability": 1.0}]
    assert document(worldsim("duel", "crate.toml", "crate.toml", "--json"))["odds"][
        "defender_wins"
    ] == 1  # fmt: skip
    assert worldsim("duel", "crate.toml", "gun.toml").exit_code == 0


def test_simulated_odds_come_with_limits_and_with_what_exact_ones_take(worldsim: Command) -> None:
    args = ("duel", "raiders", "garrison", "--method", "simulated", "--fights", "400")
    result = worldsim(*args)
    assert table(result, "Outcome")[0] == ["chance", "from", "to"]
    assert "400 fights, with limits of 95% confidence" in result.stdout
    assert "Exact odds would take up to" in result.stdout
    odds = document(worldsim(*args, "--json"))["odds"]
    low, high = odds["limits"]["attacker_wins"]
    assert low < odds["attacker_wins"] < high
    assert odds["fights"] == 400
    assert odds != document(worldsim(*args, "--seed", "1", "--json"))["odds"]


@pytest.mark.usefixtures("sides")
def test_what_exact_odds_cannot_do_is_simulated_and_said(worldsim: Command) -> None:
    cost = cost_of(*load_duel("many.toml", "many.toml").arguments)
    result = worldsim("duel", "many.toml", "many.toml", "--fights", "5")
    assert "Simulated: shares of 5 fights" in result.stdout
    assert "TB and" in result.stdout or "GB and" in result.stdout
    assert cost.memory_bytes > 10**10
    refused = worldsim("duel", "many.toml", "many.toml", "--method", "exact")
    assert refused.exit_code == 2
    assert "more than this machine has" in refused.stderr


def test_json_holds_both_sides_card_by_card_and_laws_that_add_up(worldsim: Command) -> None:
    found = document(worldsim("duel", "raiders", "garrison", "--json"))
    odds = found["odds"]
    assert found["attacker"]["strike"] is True
    assert [card["name"] for card in found["attacker"]["cards"]].count("raider") == 4
    assert found["defender"]["cards"][-1]["health_left"] == 8
    for side in ("attacker", "defender"):
        assert sum(odds[side]["up"]) == pytest.approx(1, abs=1e-9)
        assert len(odds[side]["cards"]) == len(found[side]["cards"])
    assert sum(row["probability"] for row in odds["rounds"]) == pytest.approx(1, abs=1e-9)


def test_a_sweep_has_a_row_for_each_power_and_cover_helps_whom_it_covers(worldsim: Command) -> None:
    args = ("duel", "raiders", "garrison", "--sweep", "defender.cover=0..20:10")
    rows = document(worldsim(*args, "--json"))["odds"]
    assert [row["power"] for row in rows] == [0, 10, 20]
    wins = [row["attacker_wins"] for row in rows]
    assert wins == sorted(wins, reverse=True)
    assert wins[0] > wins[-1]
    shown = table(worldsim(*args), "cover of the defender")
    assert [row[:2] for row in shown[1:]] == [
        [str(row["power"]), f"{row['attacker_wins']:.1%}"] for row in rows
    ]  # fmt: skip
    assert len(shown[1][-1]) > len(shown[3][-1])


def test_a_sweep_of_one_card_leaves_the_others_as_they_are(worldsim: Command) -> None:
    args = ("duel", "raiders", "garrison", "--sweep", "orders=0..30:30", "--json")
    alone = document(worldsim(*args, "--card", "captain"))["odds"]
    every = document(worldsim(*args))["odds"]
    base = document(worldsim("duel", "raiders", "garrison", "--json"))["odds"]
    assert alone[1]["attacker_wins"] > base["attacker_wins"] > alone[0]["attacker_wins"]
    assert every[1]["attacker_wins"] > alone[1]["attacker_wins"]


@pytest.mark.reading("rules.battle.tie=defender")
def test_a_tie_that_is_the_defenders_helps_the_defender(worldsim: Command) -> None:
    plain = document(worldsim("duel", "raiders", "garrison", "--json"))["odds"]
    told = document(
        worldsim("duel", "raiders", "garrison", "--set", "rules.battle.tie=defender", "--json")
    )["odds"]
    assert told["defender_wins"] > plain["defender_wins"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--sweep", "cvr=0..5"], "Did you mean cover?"),
        (["--sweep", "defendr.cover=0..5"], "Did you mean defender?"),
        (["--sweep", "cover=5..0"], "the lower one first"),
        (["--sweep", "cover=0..5000"], "Power from 0 to 1000"),
        (["--sweep", "cover=0..9:0"], "steps of 1 or more"),
        (["--sweep", "cover=-1..4"], "such as defender.cover=0..20:2"),
        (["--sweep", "cover"], "such as defender.cover=0..20:2"),
        (["--sweep", "cover=0..1000"], "try 0..1000:11"),
        (["--sweep", "cover=0..1000:100"], "dice of Protection, 1000 at most"),
        (["--sweep", "cover=0..5", "--card", "captan"], "Did you mean captain?"),
        (["--card", "captain"], "--card goes with --sweep"),
        (["--method", "exakt"], "exact"),
        (["--fights", "0"], "1<=x"),
        (["--set", "rules.battle.tie=defendr"], 'did you mean "defender"'),
        (["--set", "rules.gathering.order=random"], "one of: battle"),
        (["--scenario", "contested_fronteer"], "contested_frontier"),
    ],
)
def test_a_wrong_option_exits_2_with_a_cure(args: list[str], said: str, worldsim: Command) -> None:
    result = worldsim("duel", "raiders", "garrison", *args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


@pytest.mark.usefixtures("sides")
def test_every_fault_of_a_side_is_told_with_file_line_and_column(worldsim: Command) -> None:
    result = worldsim("duel", "wrong.toml", "missing.toml")
    assert result.exit_code == 2
    assert "wrong.toml:1:10: ambush does not fit" in result.stderr
    assert "wrong.toml:5:11: cards[0].power.shoting is not a known key" in result.stderr
    assert 'did you mean "shooting"?' in result.stderr
    assert "missing.toml: there is no such file" in result.stderr
    told = worldsim("duel", "wrong.toml", "missing.toml", "--json")
    assert told.exit_code == 2
    assert [fault["key"] for fault in json.loads(told.stdout)["faults"]] == [
        "ambush", "cards[0].power.shoting", "",
    ]  # fmt: skip


@pytest.mark.usefixtures("sides")
def test_a_side_without_anyone_to_sweep_asks_for_a_card(worldsim: Command) -> None:
    result = worldsim("duel", "crate.toml", "gun.toml", "--sweep", "cover=0..3")
    assert result.exit_code == 2
    assert "--card: crate" in result.stderr


def test_the_readme_shows_what_is_printed(worldsim: Command) -> None:
    text = README.read_text(encoding="utf-8")
    shown = text.partition("$ worldsim duel raiders garrison\n")[2].partition("```")[0]
    told = worldsim("duel", "raiders", "garrison").stdout.splitlines()
    lines = [line for line in shown.splitlines() if line and line != "…"]
    assert len(lines) > 9
    assert [line for line in lines if line not in told] == []


def test_what_takes_long_is_announced_on_stderr_before_it_begins(
    worldsim: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worldsim.cli.duel.SLOW", 0)
    result = worldsim("duel", "raiders", "garrison", "--sweep", "defender.cover=0..1", "--json")
    assert "each of 2 times" in result.stderr
    assert len(document(result)["odds"]) == 2
    assert worldsim("duel", "raiders", "garrison", "--method", "simulated",
                    "--fights", "9").stderr == ""  # fmt: skip
