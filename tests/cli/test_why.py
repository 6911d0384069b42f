"""``why``: the chain of causes of an event, in words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from worldsim.rules.rulebook import RULES
from worldsim.runs import Run, causes_of
from worldsim.runs.manifest import MANIFEST, decode, encode
from worldsim.views.words import roll_line, sentence

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Command = Callable[..., Result]
    Event = dict[str, Any]

RUN = "new_world-1"
LEVELS = ("debug", "info", "warning")
DAYS = "25"


@pytest.fixture(scope="module", name="logs")
def _logs(workplace: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """One campaign, kept at each level."""
    from worldsim.runs import simulate  # noqa: PLC0415 -- after the fixtures
    from worldsim.scenario import load  # noqa: PLC0415

    folder, scenario = tmp_path_factory.mktemp("levels"), load(workplace / "world.toml")
    return {
        level: simulate(scenario, days=int(DAYS), level=level, out=folder / level)  # type: ignore[arg-type]
        for level in LEVELS
    }


@pytest.fixture(scope="module", name="told")
def _told(logs: dict[str, Run]) -> dict[int, Event]:
    events = (json.loads(line) for line in logs["info"].lines())
    return {event["seq"]: event for event in events}


@pytest.fixture(scope="module", name="rolls")
def _rolls(logs: dict[str, Run]) -> dict[int, list[Event]]:
    rolls: dict[int, list[Event]] = {}
    for event in map(json.loads, logs["debug"].lines()):
        if event["event"] == "dice.rolled":
            rolls.setdefault(event["of"], []).append(event)
    return rolls


def chain_of(told: dict[int, Event], seq: int | None) -> list[Event]:
    """The same by brute force, oldest first."""
    chain: list[Event] = []
    while seq is not None:
        chain.append(told[seq])
        seq = told[seq]["cause"]
    return chain[::-1]


def last_of(told: dict[int, Event], kind: str) -> int:
    return max(seq for seq, event in told.items() if event["event"] == kind)


@pytest.mark.parametrize("level", ["debug", "info"])
@pytest.mark.parametrize("kind", ["team.gathered", "team.returned", "team.formed", "team.moved"])
def test_the_chain_is_every_cause_back_to_the_start_with_its_rolls(
    kind: str, level: str, logs: dict[str, Run], told: dict[int, Event], rolls: dict[int, Any]
) -> None:
    seq = last_of(told, kind)
    found = causes_of(logs[level], seq, most=None)
    assert [link.event for link in found.links] == chain_of(told, seq)
    assert [link.rolls for link in found.links] == [
        rolls.get(link.event["seq"], []) for link in found.links
    ]
    assert (found.earlier, found.founding, found.problem) == (0, None, None)


def test_of_a_log_of_warnings_the_chain_is_found_by_simulating_again(
    logs: dict[str, Run], told: dict[int, Event], rolls: dict[int, Any]
) -> None:
    seq = last_of(told, "team.gathered")
    whole = chain_of(told, seq)
    found = causes_of(logs["warning"], seq, most=None)
    assert [link.event for link in found.links] == [e for e in whole if e["day"] > 0]
    assert found.founding == max(e["seq"] for e in whole if e["day"] == 0)
    assert found.links[-1].rolls == rolls[seq]


def test_a_long_chain_shows_its_latest_links_and_says_how_many_come_before(
    logs: dict[str, Run], told: dict[int, Event]
) -> None:
    seq = last_of(told, "team.gathered")
    whole = chain_of(told, seq)
    assert len(whole) > 4
    found = causes_of(logs["debug"], seq, most=4)
    assert [link.event for link in found.links] == whole[-4:]
    assert found.earlier == len(whole) - 4


def test_each_link_is_told_in_words_with_its_rolls_and_their_rules(
    logs: dict[str, Run], told: dict[int, Event], rolls: dict[int, Any], worldsim: Command
) -> None:
    seq = last_of(told, "team.gathered")
    result = worldsim("why", str(logs["info"].path), str(seq), "--all")
    assert (result.exit_code, result.stderr) == (0, "")
    out = result.stdout
    at = 0
    for event in chain_of(told, seq):
        at = out.index(sentence(event), at)
        for roll in rolls.get(event["seq"], ()):
            if roll["how"] != "pick":
                at = out.index(roll_line(roll), at)
            assert f"  {roll['rule']:<7}  {RULES[roll['rule']]}\n" in out
    line = next(line for line in out.splitlines() if sentence(told[seq]) in line)
    assert line.split()[:4] == ["day", str(told[seq]["day"]), "00:00", str(seq)]


def test_what_is_left_out_is_counted_and_can_be_had(
    logs: dict[str, Run], told: dict[int, Event], worldsim: Command
) -> None:
    seq = max(told, key=lambda each: len(chain_of(told, each)))
    length = len(chain_of(told, seq))
    assert length > 13
    result = worldsim("why", str(logs["debug"].path), str(seq))
    assert f"… {length - 12} earlier causes: --all shows the whole chain" in result.stdout
    told_lines = [line for line in result.stdout.splitlines() if line.startswith("day ")]
    assert len(told_lines) == 12


def test_for_programs_the_chain_is_one_document(
    logs: dict[str, Run], told: dict[int, Event], rolls: dict[int, Any], worldsim: Command
) -> None:
    seq = last_of(told, "team.gathered")
    printed = [
        json.loads(worldsim("why", str(logs[level].path), str(seq), "--json").stdout)
        for level in ("debug", "info")
    ]
    assert printed[0]["chain"] == printed[1]["chain"]
    last = printed[0]["chain"][-1]
    assert (last["event"], last["says"]) == (told[seq], sentence(told[seq]))
    assert last["rolls"] == [{"says": roll_line(roll), **roll} for roll in rolls[seq]]


def test_without_rolls_nothing_is_simulated(
    logs: dict[str, Run], told: dict[int, Event], monkeypatch: pytest.MonkeyPatch, worldsim: Command
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("worldsim.runs.replaying.replayed", refuse)
    seq = last_of(told, "team.gathered")
    result = worldsim("why", str(logs["info"].path), str(seq), "--no-rolls")
    assert (result.exit_code, result.stderr) == (0, "")
    assert sentence(told[seq]) in result.stdout
    assert "GATH-" not in result.stdout


def test_an_event_of_the_founding_has_no_days_to_simulate(
    logs: dict[str, Run], told: dict[int, Event], worldsim: Command
) -> None:
    assert told[1]["day"] == 0
    result = worldsim("why", str(logs["info"].path), "1")
    assert result.exit_code == 0
    assert sentence(told[1]) in result.stdout
    assert "worldsim replay" not in result.stdout
    hidden = worldsim("why", str(logs["warning"].path), "1")
    assert hidden.exit_code == 0
    assert "Event 1 belongs to the founding" in hidden.stdout


@pytest.mark.parametrize("level", LEVELS)
def test_a_number_that_no_event_has_exits_2_with_those_there_are(
    level: str, logs: dict[str, Run], told: dict[int, Event], worldsim: Command
) -> None:
    result = worldsim("why", str(logs[level].path), "99999999999999999999999")
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"its events are numbered from 0 to {max(told)}" in result.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([RUN, "-1"], "-1 is no event: they are numbered from 0"),
        ([RUN, "--", "-1"], "-1 is no event: they are numbered from 0"),
        ([RUN, "first"], "'first' is not a valid whole number"),
        ([RUN, "1", "--jsn"], "--json"),
        (["new_wrld-1", "1"], f"did you mean {RUN}?"),
    ],
)
@pytest.mark.usefixtures("at_work")
def test_a_wrong_command_line_is_refused_with_a_cure(
    args: list[str], said: str, worldsim: Command
) -> None:
    result = worldsim("why", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


def test_a_run_of_another_worldsim_is_told_without_its_rolls(
    workplace: Path, tmp_path: Path, told: dict[int, Event], worldsim: Command
) -> None:
    out = tmp_path / "old"
    args = ["--days", "8", "--out", str(out), "--quiet"]
    assert worldsim("run", str(workplace / "world.toml"), *args).exit_code == 0
    manifest = decode((out / MANIFEST).read_bytes(), "old")
    versions = type(manifest.versions)("0.0.1", *("x" for _ in range(3)))
    manifest.versions = versions
    (out / MANIFEST).write_bytes(encode(manifest))
    seq = next(seq for seq, event in told.items() if event["event"] == "team.moved")
    result = worldsim("why", str(out), str(seq))
    assert result.exit_code == 0
    assert sentence(told[seq]) in result.stdout
    assert result.stderr == "rolls can be told by worldsim 0.0.1 only, which made the run\n"
