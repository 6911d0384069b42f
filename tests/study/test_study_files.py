"""Study files: what is wrong is told all at once, each at its place, before anything is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from small_studies import COST, loaded, written

from worldsim.scenario import ScenarioError, load
from worldsim.study.plan import derived
from worldsim.study.study import Study

if TYPE_CHECKING:
    from pathlib import Path

COST_KEY = "rules.gathering.one_success_cost"


def faults_of(folder: Path, more: str = "", **settings: Any) -> list[str]:
    with pytest.raises(ScenarioError) as raised:
        loaded(folder, more, **settings)
    return [str(fault) for fault in raised.value.faults]


def test_the_least_study_is_one_cell_with_metrics_of_its_own_accord(tmp_path: Path) -> None:
    plan = loaded(tmp_path).plan
    assert [cell.values for cell in plan.cells] == [{}]
    assert [metric.name for metric in plan.metrics] == [
        "taken", "left_share", "day_50_left", "effort",
    ]  # fmt: skip


def test_metrics_of_its_own_may_be_listed_which_orders_them_or_left_out(tmp_path: Path) -> None:
    own = "".join(f'[[metrics]]\nname = "{name}"\nsql = "select 1"\n' for name in "ab")
    for listed, told in ((["b", "taken"], "b taken a"), (["taken"], "taken a b"), ([], "a b")):
        plan = loaded(tmp_path, f"metrics = {listed}\n{own}").plan
        assert [metric.name for metric in plan.metrics] == told.split()
        assert {metric.source for metric in plan.metrics if metric.name in "ab"} == {"sql"}
    (fault,) = faults_of(tmp_path, f'metrics = ["a", "a"]\n{own}')
    assert "a name of its own" in fault
    (fault,) = faults_of(tmp_path, f'metrics = ["c"]\n{own}')
    assert ", a, b; some of one ingredient" in fault


def test_a_metric_of_its_own_cannot_take_the_name_of_a_shipped_one(tmp_path: Path) -> None:
    own = '[[metrics]]\nname = "taken"\nsql = "select 1"\n'
    (fault,) = faults_of(tmp_path, f'metrics = ["taken"]\n{own}')
    assert "metrics[0].name" in fault
    assert "worldsim has a metric of this one" in fault


def test_a_scenario_is_no_study_and_the_other_way_round(tmp_path: Path) -> None:
    file = tmp_path / "mixed_up.toml"
    file.write_text('schema = 1\n[campaign]\nname = "x"\n')
    with pytest.raises(
        ScenarioError, match=r"campaign is a table of a scenario: .* 'worldsim run'"
    ):
        Study.load(file)
    with pytest.raises(
        ScenarioError, match=r"study is a table of a study: .* 'worldsim study run'"
    ):
        load(written(tmp_path))


def test_all_faults_of_a_study_are_told_together_each_with_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(
        'schema = 1\n[study]\nname = "bad"\nscenario = "lone_coloni"\ndays = 0\n'
        'replications = 2\nseed = 1\nmetrics = ["takn"]\nwarmup = 3\n'
        '[[factors]]\nkey = "campaign.seed"\nvalues = [1]\n'
    )
    with pytest.raises(ScenarioError) as raised:
        Study.load(file)
    places = [(fault.place.line, fault.key) for fault in raised.value.faults]
    assert places == [
        (4, "study.scenario"),
        (5, "study.days"),
        (8, "study.metrics[0]"),
        (9, "study.warmup"),
        (11, "factors[0].key"),
    ]
    text = str(raised.value)
    assert 'did you mean "lone_colony"?' in text
    assert 'did you mean "taken"?' in text
    assert "bad.toml:5:8" in text


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ('[[factors]]\nkey = "a.b"', "values, range or variants"),
        ('[[factors]]\nkey = "a.b"\nvalues = [1]\nrange = [1, 2]', "values and range"),
        ("[[factors]]\nvalues = [1]", "no key"),
        ('[[factors]]\nkey = "a.b"\nvalues = [1]\nlog = true', "factors[0].log"),
        ('[[factors]]\nkey = "a.b"\nrange = [2, 2]', "the first below the second"),
        ('[[factors]]\nkey = "a.b"\nrange = [0, 2]\nlog = true', "a range above 0"),
        ('[[factors]]\nkey = "a.b"\nrange = [0.5, 2]\nwhole = true', "whole ends"),
        ('[[factors]]\nkey = "a.b"\nvalues = [1]\nname = "Cell"', "a name of its own"),
        ('[[factors]]\nname = "v"\n[factors.variants.a]\nset = ["record.level=1"]', "keep in"),
        ('[[factors]]\n[factors.variants.a]\nset = ["a.b=1"]', "no name"),
        ('[[factors]]\nname = "v"\n[factors.variants.a]\nscenario = "no"', "a scenario file"),
        (COST + "[design]\nkind = 'sobol'", "sobol without points"),
        (COST + "[design]\nkind = 'sobol'\npoints = 6", "a power of 2, such as 4 or 8"),
        (COST + "[design]\nkind = 'saltelli'\npoints = 4", "two factors or more"),
        (COST + "[design]\npoints = 4", "how many points a grid has"),
        ("[design]\nkind = 'grid'", "no factors"),
        ('[stop]\nmetric = "taken"\nhalf_width = 1\nceiling = 2', "at least replications = 3"),
        ('[stop]\nmetric = "taken"\nhalf_width = 0\nceiling = 9', "stop.half_width is too small"),
        ('[[metrics]]\nname = "m"\nsql = "select 1"\n[[metrics]]\nname = "m"\nsql = "select 1"',
         "a name of its own"),
    ],
)  # fmt: skip
def test_parts_that_do_not_fit_together_are_refused(tmp_path: Path, more: str, says: str) -> None:
    assert any(says in fault for fault in faults_of(tmp_path, more))


def test_a_value_that_no_scenario_takes_is_a_fault_at_that_value(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path, f'[[factors]]\nkey = "{COST_KEY}"\nvalues = [0, "much"]')
    assert "least.toml:10:14" in fault
    assert COST_KEY in fault


def test_an_override_of_all_cells_is_a_fault_where_it_stands(tmp_path: Path) -> None:
    file = written(tmp_path, 'set = ["rules.gathering.on_success_cost=1"]')
    with pytest.raises(ScenarioError, match=r'least.toml:8:8: (?s:.*)mean "one_success_cost"'):
        Study.load(file)


def test_a_world_that_cannot_be_made_is_a_fault_of_the_value_that_asks_for_it(
    tmp_path: Path,
) -> None:
    more = '[[factors]]\nkey = "colonies.haven.sector"\nvalues = ["r1/s1", "r9/s9"]'
    (fault,) = faults_of(tmp_path, more)
    assert "least.toml:10:20" in fault


def test_faults_of_the_scenario_are_told_in_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('extends = "lone_colony"\n[planet]\nregions = "two"\n')
    file = written(tmp_path)
    file.write_text(file.read_text().replace("lone_colony", "own.toml"))
    with pytest.raises(ScenarioError, match=r"own.toml:3:11: planet.regions"):
        Study.load(file)


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("select sum(unitz) from takings", "unitz"),
        ("drop table takings", "One SELECT"),
        ("select 1, 2", "2 columns"),
    ],
)
def test_sql_that_can_never_give_a_number_is_told_before_anything_is_simulated(
    tmp_path: Path, sql: str, says: str
) -> None:
    (fault,) = faults_of(tmp_path, f'[[metrics]]\nname = "mine"\nsql = "{sql}"')
    assert "least.toml:10:7" in fault
    assert says in fault


def test_a_metric_of_an_ingredient_that_is_not_there_is_told(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path, 'metrics = ["taken.ferite"]')
    assert 'did you mean "ferrite"?' in fault


def test_a_study_can_be_overridden_as_a_scenario_can(tmp_path: Path) -> None:
    study = Study.load(written(tmp_path, COST), sets=["study.days=2", "factors.0.values=[1]"])
    assert study.plan.study.study.days == 2
    assert [cell.values for cell in study.plan.cells] == [{"cost": 1}]


def test_a_grid_has_every_combination_and_a_list_goes_by_rows(tmp_path: Path) -> None:
    more = COST + '[[factors]]\nname = "far"\nkey = "planet.regions"\nvalues = [2, 3]\n'
    grid, rows = loaded(tmp_path, more).plan, loaded(tmp_path, more + "[design]\nkind='list'").plan
    assert [tuple(cell.values.values()) for cell in grid.cells] == [(0, 2), (0, 3), (2, 2), (2, 3)]
    assert [tuple(cell.values.values()) for cell in rows.cells] == [(0, 2), (2, 3)]
    assert [each.text for each in grid.cells[1].settings] == [
        f"{COST_KEY}=0", "planet.regions=3",
    ]  # fmt: skip


def test_designs_by_chance_follow_from_the_seed(tmp_path: Path) -> None:
    more = (
        '[[factors]]\nkey = "rules.gathering.one_success_cost"\nrange = [0, 2]\nwhole = true\n'
        '[[factors]]\nkey = "ingredients.ferrite.regrowth"\nrange = [0.0, 0.1]\n'
        '[design]\nkind = "latin_hypercube"\npoints = 5\n'
    )
    one, same = loaded(tmp_path, more).plan, loaded(tmp_path, more).plan
    other = Study.load(tmp_path / "least.toml", sets=["study.seed=4"]).plan
    assert len(one.cells) == 5
    assert [cell.values for cell in one.cells] == [cell.values for cell in same.cells]
    assert [cell.values for cell in one.cells] != [cell.values for cell in other.cells]


def test_all_cells_share_their_seeds_unless_told_otherwise(tmp_path: Path) -> None:
    shared = loaded(tmp_path, COST).plan
    own = loaded(tmp_path, "common_random_numbers = false\n" + COST).plan
    assert [shared.seed(0, r) for r in range(9)] == [shared.seed(1, r) for r in range(9)]
    assert len({own.seed(cell, r) for cell in (0, 1) for r in range(9)}) == 18
    assert shared.seed(0, 0) == derived("study", 3, 0)
    assert all(0 <= shared.seed(0, r) < 2**63 for r in range(99))


def test_variants_may_have_scenarios_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "dear.toml").write_text(
        'extends = "lone_colony"\n[rules.gathering]\none_success_cost = 2\n'
    )
    plan = loaded(
        tmp_path,
        '[[factors]]\nname = "how"\n[factors.variants.cheap]\n'
        f'set = ["{COST_KEY}=0"]\n[factors.variants.dear]\nscenario = "dear.toml"\n',
    ).plan
    jobs = [plan.job(cell.number, 0) for cell in plan.cells]
    assert [cell.label for cell in plan.cells] == ["how=cheap", "how=dear"]
    assert [job.sets for job in jobs] == [(f"{COST_KEY}=0",), ()]
    assert "one_success_cost = 2" in jobs[1].source


def test_a_study_in_its_folder_is_the_same_study(tmp_path: Path) -> None:
    study = loaded(tmp_path, COST)
    made = study.make(tmp_path / "made")
    (tmp_path / "least.toml").unlink()
    assert made.plan.digest == study.plan.digest == made.manifest.digest
    assert [made.plan.job(1, r) for r in range(3)] == [study.plan.job(1, r) for r in range(3)]
