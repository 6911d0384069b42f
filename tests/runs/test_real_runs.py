"""Runs of a shipped scenario, with the real simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import msgspec
import pytest
from toy_campaign import files

from worldsim.events.kinds import AnyEvent, Level
from worldsim.runs import Run, open_campaign, simulate
from worldsim.runs.places import forecast_bytes
from worldsim.scenario import load

if TYPE_CHECKING:
    from pathlib import Path

DAYS = 60


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("real") / "lone"
    return simulate(load("lone_colony"), days=DAYS, out=out)


def test_a_real_run_in_memory_is_the_one_on_disk(run: Run) -> None:
    in_memory = simulate(load("lone_colony"), days=DAYS)
    assert list(in_memory.lines()) == list(run.lines())
    for table in ("stocks", "takings", "teams"):
        sql = f"FROM {table}"
        assert in_memory.query(sql).fetchall() == run.query(sql).fetchall()


def test_every_real_event_reads_back_as_its_kind_and_as_a_row(run: Run) -> None:
    events = [msgspec.json.decode(line, type=AnyEvent) for line in run.lines()]
    assert len(run.events().fetchall()) == len(events)
    assert run.manifest.events.info + run.manifest.events.warning == len(events)


def test_the_stocks_table_ends_with_the_stock_of_the_world() -> None:
    with open_campaign(load("lone_colony"), days=DAYS) as campaign:
        for _ in campaign:
            pass
    world = campaign.world
    last = campaign.run.query(
        'SELECT place, ingredient, arg_max("left", day) FROM stocks GROUP BY ALL'
    ).fetchall()
    assert {(place, ingredient): left for place, ingredient, left in last} == {
        (place.id, name): world.reserves.left[p][i]
        for p, place in enumerate(world.places)
        for i, name in enumerate(world.ingredients)
        if world.reserves.initial[p][i]
    }


@pytest.mark.parametrize("level", get_args(Level))
def test_a_run_is_smaller_than_was_forecast_but_not_by_far(level: Level, tmp_path: Path) -> None:
    scenario = load("lone_colony")
    simulate(scenario, days=365, out=tmp_path / "a", level=level)
    size = sum((tmp_path / "a" / name).stat().st_size for name in files(tmp_path / "a"))
    forecast = forecast_bytes(scenario, 365, level)
    assert size < forecast < 8 * size + 2**21
