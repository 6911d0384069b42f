"""Who took it: accounts that add up exactly, whatever else happened to the stock."""

from __future__ import annotations

from collections import Counter

import pytest
from depletion_runs import made_run, pond, pond_run, taking
from replayed import HARSH

from worldsim.events.folding import fold
from worldsim.runs import Run, open_branch, simulate
from worldsim.scenario import load
from worldsim.study.depletion.ensembles import Scope
from worldsim.study.depletion.shares import (
    TAKERS,
    Accounts,
    AccountsDisagreeError,
    added_up,
    shares,
    takings,
)

ALL = Scope()
DESTROYED = "rules.gathering.failed_unit='destroyed'"


@pytest.fixture(scope="module", name="harsh")
def _harsh() -> Run:
    """A world in which units are destroyed as well as grow back."""
    return simulate(load(HARSH), days=60)


def balanced(each: Accounts) -> bool:
    assert None not in {each.regrown, each.added, each.destroyed, each.removed}
    came = each.initial + (each.regrown or 0) + (each.added or 0)
    return came == each.left + each.taken + (each.destroyed or 0) + (each.removed or 0)


def test_accounts_agree_with_the_folded_log_in_every_place_and_ingredient(harsh: Run) -> None:
    tally = fold(harsh.lines())
    destroyed: Counter[str] = Counter()
    for (amounts,) in harsh.events("team.gathered").project("destroyed").fetchall():
        destroyed.update(amounts)
    left: Counter[str] = Counter()
    for stock in tally.stocks.values():
        left.update(stock)
    found = takings(harsh, ALL).accounts
    assert {n: each.left for n, each in found.items()} == {n: left[n] for n in found}
    assert {n: each.regrown for n, each in found.items() if each.regrown} == tally.regrown
    assert {n: each.destroyed for n, each in found.items() if each.destroyed} == destroyed
    assert destroyed.total() > 0
    assert sum(tally.regrown.values()) > 0
    assert all(balanced(each) for each in found.values())


def test_what_every_kind_of_taker_took_adds_up_to_what_left_the_ground(harsh: Run) -> None:
    found = takings(harsh, ALL)
    whole = added_up(found.accounts.values())
    assert balanced(whole)
    assert whole.taken > 0
    for by in TAKERS:
        told = shares([found], by)
        assert sum(each.units for each in told) == whole.taken
        assert sum(each.share for each in told) == pytest.approx(1)


def test_regions_add_up_to_all_in_every_account(harsh: Run) -> None:
    regions = {region for (region,) in harsh.query("SELECT DISTINCT region FROM stocks").fetchall()}
    parts = [takings(harsh, Scope(region=region)).accounts for region in sorted(regions)]
    whole = takings(harsh, ALL).accounts
    for name in whole:
        assert added_up(part[name] for part in parts if name in part) == whole[name]


def test_a_log_of_warnings_still_tells_what_came_or_went_in_sum() -> None:
    told = pond_run(DESTROYED, days=60)
    quiet = pond_run(DESTROYED, days=60, level="warning")
    loud, silent = (takings(run, ALL).accounts["roe"] for run in (told, quiet))
    assert loud.known
    assert (loud.regrown or 0) > 0
    assert (loud.destroyed or 0) > 0
    assert not silent.known
    assert (silent.regrown, silent.destroyed) == (None, None)
    assert silent.net == loud.net == (loud.regrown or 0) - (loud.destroyed or 0)
    assert not added_up([loud, silent]).known


def test_where_units_can_only_grow_back_a_log_of_warnings_suffices() -> None:
    [loud, silent] = (
        takings(pond_run(days=60, level=level), ALL).accounts for level in ("info", "warning")
    )
    assert loud == silent
    assert (loud["roe"].regrown or 0) > 0
    assert loud["ore"].regrown == 0


def test_where_units_can_only_be_destroyed_the_tables_tell_as_the_log_does() -> None:
    sets = (DESTROYED, "ingredients[1].regrowth=0.0", "ingredients[0].fragility=900")
    run = pond_run(*sets, days=60)
    told: Counter[str] = Counter()
    for (amounts,) in run.events("team.gathered").project("destroyed").fetchall():
        told.update(amounts)
    found = takings(run, ALL).accounts
    assert {name: each.destroyed for name, each in found.items()} == {
        "ore": told["ore"], "roe": told["roe"]
    }  # fmt: skip
    assert told["ore"] > 10
    assert all(balanced(each) for each in found.values())


def test_stock_that_was_set_at_a_midnight_is_an_account_of_its_own() -> None:
    base = pond_run(days=30)
    stocks = {"r1/s1": {"ore": 100}, "r1/s2": {"ore": 250}}
    with open_branch(base, pond(), at=20, stocks=stocks, days=40) as branch:
        for _ in branch:
            pass
    found = takings(branch.run, ALL).accounts["ore"]
    assert balanced(found)
    assert found.removed == 150
    [(worked,)] = base.query(
        'SELECT arg_max("left", day) FROM stocks'
        " WHERE place = 'r1/s2' AND ingredient = 'ore' AND day <= 20"
    ).fetchall()
    assert found.added == 250 - worked > 0


def test_a_log_that_contradicts_the_tables_is_noticed() -> None:
    stocks = [(0, "r1", "r1", "transition", "ore", 9), (1, "r1", "r1", "transition", "ore", 5)]
    run = made_run(stocks, taking(1, "gather", 1, 3, place="r1"), days=1, sets=(DESTROYED,))
    with pytest.raises(AccountsDisagreeError, match=r"of ore \+0 units .* -3 by the tables") as hit:
        takings(run, ALL)
    assert hit.value.exit_code == 3


def test_shares_over_runs_are_sums_with_a_mean_a_run_that_is_never_negative() -> None:
    runs = [takings(pond_run(seed=seed, days=40), ALL) for seed in (1, 2, 3)]
    for by in TAKERS:
        told = shares(runs, by)
        assert sum(each.units for each in told) == sum(
            added_up(run.accounts.values()).taken for run in runs
        )
        for each in told:
            assert each.per_run is not None
            assert each.per_run.estimate == pytest.approx(each.units / 3)
            assert (each.per_run.low or 0) >= 0
    assert shares(runs[:1], "how")[0].per_run is None


def test_a_run_in_which_nobody_took_anything_has_no_takers() -> None:
    run = made_run([(0, "r1", "r1", "transition", "ore", 9)], [], days=3)
    found = takings(run, ALL)
    assert found.accounts["ore"] == Accounts(9, 9, 0, 0, 0, 0, 0)
    assert shares([found], "team") == []
