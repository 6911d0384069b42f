"""tools/bench.py itself: its children, its table, its comparison of revisions."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from benching import against, checkpoints, journal, profile, scale
from benching.children import ENTRY, ChildError, in_child, medians
from benching.laws import chance_of_one_law
from benching.plan import ROOT, Measured, Plan
from benching.table import as_json, judge

import worldsim

pytestmark = pytest.mark.long


def test_a_child_measures_the_worldsim_of_its_source() -> None:
    assert in_child("children.build_in_use", source=ROOT) == {
        "build": worldsim.build(),
        "version": worldsim.__version__,
    }


def test_a_child_that_fails_is_told_of_in_its_own_words() -> None:
    with pytest.raises(ChildError, match=r"duels\.one_duel failed(.|\n)*Health 0; it should"):
        in_child("duels.one_duel", count=1, health=0, distinct=True)


def test_a_revision_that_is_none_is_refused_in_one_line() -> None:
    done = subprocess.run(
        [sys.executable, str(ENTRY), "--against", "no-such-revision"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("'no-such-revision' is no revision")
    assert done.stderr.count("\n") == 1


def test_the_bench_prints_json_alone_for_programs() -> None:
    done = subprocess.run(
        [sys.executable, str(ENTRY), "--quick", "--json", "--only", "journal"],
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout)
    assert told["about"]["build"] == worldsim.build()
    assert told["parts"]["journal"]["written"]["events_per_s"] > 1000
    assert told["parts"]["journal"]["mix"]["kinds"] > 10
    assert [bar["row"] for bar in told["bars"]] == ["written"]
    assert told["faults"] == {}


def test_two_revisions_take_turns_and_their_ratio_has_a_spread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, there = Path("here"), Path("there")
    asked: list[Path] = []

    def fake(name: str, *, source: Path, days: int, **given: object) -> dict[str, object]:
        assert (name, days, given["level"]) == ("steady.one_run", 9, "warning")
        asked.append(source)
        units = 30.0 + len(asked) // 4 if source == here else 20.0
        return {"figures": {"units_per_team_day": units}, "fingerprint": source.name}

    monkeypatch.setattr(against, "in_child", fake)
    row = against.paired("warnings, in memory", here, there, days=9, pairs=4)
    assert asked == [here, there, there, here] * 2
    assert row["least"] == 1.5
    assert row["least"] < row["quarter"] < row["ratio"] < row["three quarters"] < row["most"]
    assert row["same history"] == 0


def test_a_bar_is_met_or_missed() -> None:
    rows = {"ratio": {"units_per_team_day": 1.2, "peak_mib": 1.0}}
    verdicts = {
        bar.key: bar.least <= value <= bar.most
        for bar, _, value in judge({"days": Measured(rows)})
    }  # fmt: skip
    assert verdicts == {"units_per_team_day": False, "peak_mib": True}


def test_faults_are_part_of_what_programs_read() -> None:
    told = as_json({"speed": Measured({}, ["something else happened"])}, {})
    assert told["faults"] == {"speed": ["something else happened"]}


def test_more_teams_are_measured_beside_a_loop_of_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def fake(name: str, **given: object) -> dict[str, dict[str, float]]:
        assert name == "steady.one_run"
        asked.append(int(str(given["teams"])))
        return {"figures": {"units_per_team_day": float(asked[-1]), "peak_mib": 1.0}}

    monkeypatch.setattr(scale, "in_child", fake)
    measured = scale.teams(Plan(quick=False))
    assert set(asked) == {100, 10_000}
    assert measured.rows["ratio"] == {"units_per_team_day": 100.0}


def test_a_short_run_takes_checkpoints_and_knows_their_share() -> None:
    row = checkpoints.one_run("lone_colony", seconds=0.6)
    assert row["checkpoints"] >= 2
    assert 0 < row["share"] < 1
    assert row["share"] * row["wall_s"] >= row["longest_ms"] / 1e3


@pytest.mark.parametrize(
    ("file", "room"),
    [
        (f"{ROOT}/worldsim/rules/dice.py", "rules"),
        (f"{ROOT}/worldsim/chance.py", "chance"),
        (f"{ROOT}/worldsim/events/journal.py", "log"),
        ("lib/site-packages/simpy/core.py", "engine"),
        ("lib/random.py", "rest"),
    ],
)
def test_a_sample_belongs_to_the_room_of_its_file(file: str, room: str) -> None:
    assert profile.room_of(file) == room


def test_the_rooms_share_all_samples() -> None:
    found = Counter({("worldsim/rules/dice.py", "test"): 3, ("simpy/x.py", "step"): 1})
    rows = profile.told(found)
    assert rows["rules"] == {"share": 0.75}
    assert rows["rest"] == {"share": 0.25}


def test_the_journal_part_tells_what_processes_told() -> None:
    days = journal.events_by_day()
    kinds = {kind.__struct_config__.tag for day in days for kind, _, _ in day}
    assert {"team.gathered", "team.moved", "team.rested", "reserve.regrown"} <= kinds
    assert len(days) == journal.DAYS + 1


def test_medians_are_taken_figure_by_figure() -> None:
    runs = [{"a": 1.0, "b": 9.0}, {"a": 2.0, "b": 8.0}, {"a": 9.0, "b": 1.0}]
    assert medians(runs) == {"a": 2.0, "b": 8.0}


def test_samples_of_two_laws_are_told_apart_and_those_of_one_are_not() -> None:
    a = [n % 7 for n in range(2_000)]
    assert chance_of_one_law(a, [n % 7 for n in range(3, 2_003)]) > 0.5
    assert chance_of_one_law(a, [n % 6 for n in range(2_000)]) < 1e-9
