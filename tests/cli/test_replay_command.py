"""``replay``: days of a run once more, with what the log left out."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from worldsim.runs import Run, simulate
from worldsim.scenario import load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Command = Callable[..., Result]
    Event = dict[str, Any]

RUN = "new_world-1"
FIRST, LAST = 9, 12
DAYS = ["--from", str(FIRST), "--to", str(LAST)]

pytestmark = pytest.mark.usefixtures("at_work")


@pytest.fixture(scope="module", name="debug")
def _debug(workplace: Path) -> list[Event]:
    """These days as a log of level debug has them."""
    run = simulate(load(workplace / "world.toml"), days=LAST, level="debug")
    events = map(json.loads, run.lines())
    return [event for event in events if event["day"] >= FIRST]


def lines_of(result: Result) -> list[Event]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def team_of(debug: list[Event], event: Event) -> str | None:
    """The team of an event, or of the event a roll belongs to."""
    if "of" in event:
        event = next(each for each in debug if each.get("seq") == event["of"])
    return event.get("team")


def test_a_day_is_told_as_a_log_of_level_debug_would_tell_it(
    debug: list[Event], worldsim: Command
) -> None:
    assert {event["day"] for event in debug} == set(range(FIRST, LAST + 1))
    assert any(event["event"] == "dice.rolled" for event in debug)
    assert lines_of(worldsim("replay", RUN, *DAYS, "--json")) == debug


def test_without_an_end_one_day_is_told(debug: list[Event], worldsim: Command) -> None:
    found = lines_of(worldsim("replay", RUN, "--from", "10", "--format", "jsonl"))
    assert found == [event for event in debug if event["day"] == 10]


def test_a_team_is_told_with_its_rolls_and_without_those_of_others(
    debug: list[Event], worldsim: Command
) -> None:
    for given in ("pickers", "haven/pickers"):
        found = lines_of(worldsim("replay", RUN, *DAYS, "--team", given, "--json"))
        assert found == [event for event in debug if team_of(debug, event) == "haven/pickers"]
        assert {event["event"] == "dice.rolled" for event in found} == {True, False}


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        (["--level", "info"], lambda event, _: event["level"] != "debug"),
        (["--level", "warning"], lambda event, _: event["level"] == "warning"),
        (["--event", "dice.*"], lambda event, _: event["event"] == "dice.rolled"),
        (
            ["--event", "dice.rolled", "--team", "trackers"],
            lambda event, team: event["event"] == "dice.rolled" and team == "haven/trackers",
        ),
        (
            ["--event", "team.moved", "--team", "pickers"],
            lambda event, team: event["event"] == "team.moved" and team == "haven/pickers",
        ),
    ],
)
def test_filters_keep_what_they_say(
    args: list[str],
    wanted: Callable[[Event, str | None], bool],
    debug: list[Event],
    worldsim: Command,
) -> None:
    found = lines_of(worldsim("replay", RUN, *DAYS, *args, "--json"))
    assert found == [event for event in debug if wanted(event, team_of(debug, event))]


def test_the_table_is_that_of_events(debug: list[Event], worldsim: Command) -> None:
    out = worldsim("replay", RUN, *DAYS).stdout.splitlines()
    assert out[0].split() == ["seq", "day", "time", "event", "who", "what"]
    assert len(out) == 1 + len(debug)
    roll = next(event for event in debug if "of" in event)
    assert any(line.split()[0] == f"{roll['of']}.{roll['n']}" for line in out)


def test_csv_has_the_columns_of_the_kinds_asked_for(debug: list[Event], worldsim: Command) -> None:
    out = worldsim("replay", RUN, *DAYS, "--event", "dice.rolled", "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(out)))
    rolls = [event for event in debug if event["event"] == "dice.rolled"]
    assert [(row["of"], row["n"], row["rule"], row["result"]) for row in rows] == [
        (str(roll["of"]), str(roll["n"]), roll["rule"], str(roll["result"])) for roll in rolls
    ]
    assert "team" not in rows[0]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([RUN], "Missing option '--from'"),
        ([RUN, "--from", "0"], "0 is not in the range"),
        ([RUN, "--from", "61"], "1 to 60"),
        ([RUN, "--from", "5", "--to", "999999"], "1 to 60"),
        ([RUN, "--from", "9", "--to", "8"], "--from 9 is after --to 8"),
        ([RUN, "--from", "9", "--event", "team.gatherd"], "Did you mean team.gathered?"),
        (["new_wrld-1", "--from", "9"], f"did you mean {RUN}?"),
    ],
)
def test_what_cannot_be_replayed_is_refused_with_a_cure(
    args: list[str], said: str, worldsim: Command
) -> None:
    result = worldsim("replay", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_where_no_event_matches_a_note_says_why(worldsim: Command) -> None:
    result = worldsim("replay", RUN, "--from", "9", "--team", "pikers")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "did you mean pickers?" in result.stderr


def test_a_log_that_is_not_what_is_simulated_again_exits_3(
    worldsim: Command, tmp_path: Path
) -> None:
    out = tmp_path / "forged"
    args = ["--days", "6", "--out", str(out), "--quiet"]
    assert worldsim("run", "world.toml", *args).exit_code == 0
    forge(out)
    result = worldsim("replay", str(out), "--from", "5", "--json")
    assert result.exit_code == 3
    assert "day 5" in result.stderr
    assert Run.open(out).manifest.day == 6


def forge(folder: Path) -> None:
    """Change an event of day 5, and the checksums with it."""
    from worldsim.runs.manifest import MANIFEST, decode, encode, part_of  # noqa: PLC0415

    file = folder / "events" / "000001.jsonl"
    old = next(line for line in file.read_bytes().splitlines() if b'"day":5,' in line)
    file.write_bytes(file.read_bytes().replace(old, old.replace(b'"cause":', b'"cause":1'), 1))
    manifest = decode((folder / MANIFEST).read_bytes(), folder.name)
    sealed = part_of("events/000001.jsonl", file.read_bytes())
    manifest.parts = [sealed if p.path == sealed.path else p for p in manifest.parts]
    manifest.open_parts = [sealed if p.path == sealed.path else p for p in manifest.open_parts]
    (folder / MANIFEST).write_bytes(encode(manifest))
