"""What two runs have in common, and where they part."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from toy_campaign import toy

from worldsim.runs import Run, compare, simulate, streams
from worldsim.runs.manifest import MANIFEST, decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worldsim.events.kinds import Level
    from worldsim.runs import Difference

RARE = 'ingredients=[{id="wood",kind="wood",reserve=60},{id="ore",kind="metal",reserve=3}]'


def run_of(*sets: str, days: int = 10, level: Level = "info", out: Path | None = None) -> Run:
    return simulate(toy(*sets), days=days, level=level, out=out)


def events_of(run: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.lines()]


@pytest.fixture(scope="module", name="first")
def _first() -> Run:
    return run_of()


@pytest.fixture(scope="module", name="other")
def _other() -> Run:
    return run_of("rules.survival.drain=40")


@pytest.fixture(scope="module", name="between")
def _between(first: Run, other: Run) -> Difference:
    return compare(first, other)


def test_a_run_and_one_that_is_simulated_again_are_the_same(first: Run) -> None:
    found = compare(first, run_of())
    assert found.same
    assert found.same_scenario
    assert (found.divergence, found.goes_on, found.counts) == (None, None, {})


def test_the_first_difference_is_the_first_line_that_differs(
    first: Run, other: Run, between: Difference
) -> None:
    ours, theirs = events_of(first), events_of(other)
    at = next(n for n in range(1, len(ours)) if ours[n] != theirs[n])
    assert at > 4
    parting = between.divergence
    assert parting is not None
    assert parting.before == ours[at - 3 : at]
    assert (parting.a, parting.b) == (ours[at : at + 4], theirs[at : at + 4])
    assert not between.same


def test_kinds_are_counted_from_the_first_difference_on(
    first: Run, other: Run, between: Difference
) -> None:
    assert between.divergence is not None
    seq = between.divergence.a[0]["seq"]
    ours, theirs = (
        Counter(event["event"] for event in events_of(run) if event["seq"] >= seq)
        for run in (first, other)
    )
    assert (between.a.counts, between.b.counts) == (ours, theirs)
    assert between.counts
    assert between.counts == {
        kind: (ours[kind], theirs[kind])
        for kind in sorted({*ours, *theirs})
        if ours[kind] != theirs[kind]
    }


@pytest.mark.parametrize("lines", [1, 2, 3, 5, 50])
def test_how_many_lines_are_read_at_a_time_changes_nothing(
    lines: int, first: Run, other: Run, between: Difference, monkeypatch: pytest.MonkeyPatch
) -> None:
    def some(run: Run) -> Iterator[bytes]:
        each = run.lines()
        while chunk := b"".join(islice(each, lines)):
            yield chunk

    monkeypatch.setattr(Run, "chunks", some)
    assert compare(first, other) == between


def test_the_other_way_round_the_sides_are_exchanged(
    first: Run, other: Run, between: Difference
) -> None:
    found = compare(other, first)
    assert found.divergence is not None
    assert between.divergence is not None
    assert (found.divergence.a, found.divergence.b) == (
        between.divergence.b,
        between.divergence.a,
    )
    assert found.counts == {kind: (a, b) for kind, (b, a) in between.counts.items()}


@pytest.mark.parametrize(("a", "b"), [("debug", "info"), ("info", "debug"), ("debug", "warning")])
def test_logs_of_different_levels_of_one_campaign_are_the_same(a: Level, b: Level) -> None:
    sets = ("rules.survival.drain=40",)
    found = compare(run_of(*sets, level=a), run_of(*sets, level=b))
    assert found.same
    assert found.level == max(a, b, key=("debug", "info", "warning").index)


def test_rolls_are_compared_where_both_logs_hold_them(first: Run) -> None:
    ours, theirs = run_of(level="debug"), run_of("rules.survival.drain=40", level="debug")
    found = compare(ours, theirs)
    assert found.level == "debug"
    assert found.a.counts["dice.rolled"]
    assert not compare(first, theirs).a.counts["dice.rolled"]


def test_a_shorter_run_is_the_beginning_of_a_longer_one(first: Run) -> None:
    found = compare(run_of(days=6), first)
    after = sum(event["day"] > 6 for event in events_of(first))
    assert (found.divergence, found.goes_on, found.same) == (None, "b", False)
    assert (found.a.last_day, found.b.last_day, found.b.beyond) == (6, 10, after)
    assert (found.a.beyond, found.counts) == (0, {})
    assert compare(first, run_of(days=6)).goes_on == "a"


def test_kinds_are_counted_as_far_as_both_runs_go(other: Run) -> None:
    short = run_of(days=6)
    found = compare(short, other)
    assert found.divergence is not None
    seq = found.divergence.b[0]["seq"]
    expected = Counter(
        event["event"] for event in events_of(other) if event["seq"] >= seq and event["day"] <= 6
    )
    assert found.b.counts == expected
    assert found.goes_on == "b"
    assert found.b.beyond == sum(event["day"] > 6 for event in events_of(other))


def test_another_digest_alone_is_no_difference_of_events(first: Run) -> None:
    found = compare(first, run_of('campaign.description="the same by another name"'))
    assert found.same
    assert not found.same_scenario
    assert [(each.key, each.b) for each in found.keys] == [
        ("campaign.description", "the same by another name")
    ]


def test_the_keys_that_differ_are_listed_with_both_values(first: Run) -> None:
    found = compare(
        first,
        run_of("campaign.seed=4", "rules.survival.drain=40", RARE, "record.teams_every_days=1"),
    )
    keys = {each.key: (each.a, each.b) for each in found.keys}
    assert keys["campaign.seed"] == (3, 4)
    assert keys["rules.survival.drain"][1] == 40
    assert keys["ingredients[berry]"][1] is None
    assert keys["ingredients[ore]"][0] is None
    assert len(keys) == 4


def test_how_long_and_how_fully_a_run_was_kept_is_no_difference_of_scenarios(first: Run) -> None:
    found = compare(first, run_of("record.teams_every_days=1", days=4, level="warning"))
    assert found.same_scenario
    assert found.keys == []


def test_a_run_that_was_left_in_the_middle_of_a_line_is_read_to_its_last_whole_one(
    first: Run, tmp_path: Path
) -> None:
    run_of(out=tmp_path / "a")
    (tmp_path / "a" / MANIFEST).write_bytes(encode(as_killed(tmp_path / "a")))
    file = tmp_path / "a" / "events" / "000001.jsonl"
    for later in ("000002", "000003"):
        file.with_name(f"{later}.jsonl").unlink()
    file.write_bytes(file.read_bytes()[:-9])
    found = compare(first, Run.open(tmp_path / "a"))
    assert (found.divergence, found.goes_on) == (None, "a")
    assert (found.a.last_day, found.b.last_day) == (10, 4)


def as_killed(folder: Path) -> Any:
    """Its manifest as it was before the first part was sealed."""
    manifest = decode((folder / MANIFEST).read_bytes(), folder.name)
    manifest.status, manifest.day = "running", 0
    manifest.parts = [part for part in manifest.parts if part.path == "scenario.toml"]
    manifest.open_parts = []
    return manifest


def test_a_line_that_is_no_event_is_an_error_that_names_the_run(first: Run, tmp_path: Path) -> None:
    run_of(out=tmp_path / "broken")
    (tmp_path / "broken" / MANIFEST).write_bytes(encode(as_killed(tmp_path / "broken")))
    file = tmp_path / "broken" / "events" / "000001.jsonl"
    file.write_bytes(file.read_bytes().replace(b'{"event":"team.', b'{"oops', 1))
    with pytest.raises(streams.DamagedLogError, match="the log of broken is damaged"):
        compare(first, Run.open(tmp_path / "broken"))


def test_where_a_scenario_cannot_be_read_the_events_are_compared_nevertheless(
    first: Run, tmp_path: Path
) -> None:
    run_of("rules.survival.drain=40", out=tmp_path / "a")
    (tmp_path / "a" / "scenario.toml").unlink()
    found = compare(first, Run.open(tmp_path / "a"))
    assert found.divergence is not None
    assert found.keys == []
    assert found.problem
    assert "scenario.toml" in found.problem
