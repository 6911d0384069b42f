"""Estimates against stocks that are known, and what their bias comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from depletion_runs import made_run, pond_run, taking, worked_ground

from worldsim.study.depletion.causes import median_causes, told
from worldsim.study.depletion.ensembles import Scope
from worldsim.study.depletion.estimates import Trial, trial, trials, verdict
from worldsim.study.depletion.ground import Ground
from worldsim.study.estimators import METHODS

if TYPE_CHECKING:
    from worldsim.runs import Run

N0 = 10_000_000
DAYS = 140
Q = 2e-9  # a day takes 0.2 % of what is left


def tried(run: Run) -> Trial:
    ground = Ground(run, Scope())
    [found] = trials(ground, ground.last_day, by_region=False)
    return found


def by_method(found: Trial) -> dict[str, float]:
    return {each.method: each.found.n0 for each in found.estimates if each.found is not None}


def test_a_closed_stock_caught_in_proportion_is_estimated_within_a_percent_by_all_methods() -> None:
    """A period of a week takes 1.4 %, so that catch before it, half of it, or effort all do."""
    found = tried(worked_ground(N0, DAYS, lambda left, effort: Q * effort * left))
    assert found.truth == N0
    assert found.elsewhere == 0
    for method, n0 in by_method(found).items():
        assert n0 == pytest.approx(N0, rel=0.01), method
    causes = found.causes
    assert causes is not None
    assert causes.exponent == pytest.approx(1, abs=0.01)
    assert causes.unlike == pytest.approx(0, abs=0.01)
    assert causes.open == pytest.approx(0, abs=0.001)
    assert told(causes) == []


@pytest.mark.parametrize(("power", "way"), [(0.5, 1), (2.0, -1)])
def test_catches_that_go_otherwise_than_the_stock_lead_as_the_exponent_says(
    power: float, way: int
) -> None:
    run = worked_ground(N0, DAYS, lambda left, effort: Q * effort * N0 * (left / N0) ** power)
    found = tried(run)
    causes = found.causes
    assert causes is not None
    assert causes.exponent == pytest.approx(power, rel=0.01)
    bias = by_method(found)["leslie"] / N0 - 1
    assert way * bias > 0.2
    assert causes.unlike == pytest.approx(bias, abs=0.01)
    assert causes.open == pytest.approx(0, abs=0.01)
    [words] = told(causes)
    assert ("leads too high" in words) == (way > 0)
    assert f"stock^{causes.exponent:.2f}" in words


def test_stock_that_grows_back_is_counted_as_having_been_there() -> None:
    run = worked_ground(
        N0, DAYS, lambda left, effort: Q * effort * left,
        grown=lambda left: 0.004 * left * (1 - left / N0),
    )  # fmt: skip
    found = tried(run)
    causes = found.causes
    assert causes is not None
    left, grown = float(N0), 0.0
    for _ in range(DAYS):
        grown += 0.004 * left * (1 - left / N0)
        left += 0.004 * left * (1 - left / N0)
        left *= 1 - 0.002
    assert causes.grown == pytest.approx(grown / N0, abs=1e-4)
    assert causes.exponent == pytest.approx(1, abs=0.01)
    assert causes.open is not None
    assert causes.open > 0.15
    assert causes.unlike == pytest.approx(0, abs=0.02)
    assert by_method(found)["leslie"] > 1.15 * N0
    assert any("grew back (leads too high)" in each for each in told(causes))


def test_what_is_foraged_is_no_catch_and_leads_too_low() -> None:
    """A third of what goes is eaten: two thirds of the stock are all that the catches see."""
    run = worked_ground(
        N0, DAYS, lambda left, effort: Q * effort * left, foraged=lambda left: 1e-3 * left
    )
    found = tried(run)
    causes = found.causes
    assert causes is not None
    assert causes.uncounted == pytest.approx(1 / 3, abs=0.001)
    assert by_method(found)["leslie"] == pytest.approx(N0 * 2 / 3, rel=0.02)
    assert causes.open == pytest.approx(-1 / 3, abs=0.02)
    assert any("33% of what was taken" in each for each in told(causes))


def test_the_two_parts_of_a_bias_add_up_to_it() -> None:
    added = 0
    for seed in range(1, 5):
        ground = Ground(pond_run(seed=seed), Scope())
        for found in trials(ground, ground.last_day, by_region=True):
            causes, leslie = found.causes, by_method(found).get("leslie")
            if causes is None or causes.unlike is None or causes.open is None:
                continue
            assert leslie is not None
            assert causes.unlike + causes.open == pytest.approx(leslie / found.truth - 1)
            added += 1
    assert added


def test_only_the_stock_of_places_that_were_fished_is_the_truth() -> None:
    ground = Ground(pond_run(), Scope())
    for found in trials(ground, ground.last_day, by_region=False):
        worked = ground.fishery(found.ingredient)
        some = worked.effort.sum(axis=1) > 0
        assert found.truth == worked.stock[some, 0].sum() < worked.stock[:, 0].sum()
        assert found.truth + found.elsewhere == worked.stock[:, 0].sum()
        assert found.caught == worked.caught.sum()


def test_of_the_first_days_nothing_later_is_known() -> None:
    long, short = (Ground(pond_run(days=days), Scope()) for days in (150, 70))
    for early, whole in zip(
        trials(long, 70, by_region=False), trials(short, 70, by_region=False), strict=True
    ):
        assert early == whole


def test_small_real_runs_are_estimated_within_the_stated_error() -> None:
    """Eight campaigns at a pond: Leslie and Ricker within 15 % of the ore that was there, in the
    median; DeLury further off, as the poorest weeks have to be read together with others. Of roe,
    which grows back, all that their bias has left over is what grew."""
    grounds = [Ground(pond_run(seed=seed), Scope()) for seed in range(1, 9)]
    found = [{t.ingredient: t for t in trials(g, 150, by_region=False)} for g in grounds]
    ore, roe = ([each[name] for each in found] for name in ("ore", "roe"))
    for method in ("leslie", "ricker"):
        bias = verdict(ore, method).bias
        assert bias is not None
        assert abs(bias.estimate or 9) < 0.15
    causes = median_causes([each.causes for each in roe if each.causes is not None])
    assert causes.open == pytest.approx(causes.grown, abs=0.05)
    assert causes.grown > 0.1


def test_a_verdict_counts_the_runs_whose_bounds_held_the_truth() -> None:
    several = [
        trial(Ground(pond_run(seed=seed), Scope()).fishery("ore"), "ore", None)
        for seed in range(1, 7)
    ]
    for method in METHODS:
        got = [(t.truth, e.found) for t in several for e in t.estimates if e.method == method]
        known = [(truth, found) for truth, found in got if found is not None]
        told_of = verdict(several, method)
        assert (told_of.runs, told_of.estimated) == (6, len(known))
        assert told_of.held is not None
        assert told_of.n0 is not None
        held = sum(found.holds(truth) for truth, found in known)
        assert told_of.held.estimate == held / len(known)
        assert told_of.n0.estimate == np.median([found.n0 for _, found in known])


def test_where_nothing_was_fished_there_is_no_estimate_and_no_error() -> None:
    run = made_run([(0, "r1", "r1", "transition", "ore", 9)], [], days=30)
    found = tried(run)
    assert (found.estimates, found.causes, found.truth, found.elsewhere) == ((), None, 0, 9)
    told_of = verdict([found], "leslie")
    assert (told_of.runs, told_of.n0, told_of.held) == (0, None, None)


def test_catches_that_do_not_fall_say_why_there_is_no_estimate() -> None:
    found = tried(worked_ground(N0, DAYS, lambda left, effort: 100.0 + 0 * left * effort))
    assert by_method(found) == {}
    for each in found.estimates:
        assert each.why is not None
        assert "does not fall" in each.why


def test_bounds_beyond_all_numbers_are_no_error() -> None:
    """Four catches of hardly any fall: DeLury's bounds are powers of e that no float holds."""
    weeks = list(zip((1, 8, 15, 22), (38, 36, 11, 21), (91, 50, 42, 37), strict=True))
    rows = [row for day, catch, effort in weeks for row in taking(day, "gather", catch, effort)]
    left = 1000 - np.cumsum([catch for _, catch, _ in weeks])
    stocks = [(0, "r1/s1", "r1", "sector", "ore", 1000)] + [
        (day, "r1/s1", "r1", "sector", "ore", int(units))
        for (day, *_), units in zip(weeks, left, strict=True)
    ]
    delury = tried(made_run(stocks, rows, days=60)).estimates[2]
    assert delury.every == 7
    assert delury.found is not None
    assert delury.found.n0_high is None
    assert delury.why is None


def test_effort_that_took_all_it_may_is_told_of_as_misleading() -> None:
    found = tried(worked_ground(N0, DAYS, lambda left, effort: min(effort, left), effort=900))
    assert found.causes is not None
    assert found.causes.filled == 1
    assert any("100% of the effort took all" in each for each in told(found.causes))


def test_teams_that_move_on_to_richer_places_are_noticed() -> None:
    """Two sectors; the first is fished down to a fifth, then all effort goes to the second."""
    stocks = [(0, f"r1/s{n}", "r1", "sector", "ore", 10_000) for n in (1, 2)]
    rows, left = [], {"r1/s1": 10_000, "r1/s2": 10_000}
    for day in range(1, 91):
        place = "r1/s1" if day <= 60 else "r1/s2"
        units = left[place] // 38
        left[place] -= units
        rows += taking(day, "gather", units, 1000, place=place)
        stocks.append((day, place, "r1", "sector", "ore", left[place]))
    causes = tried(made_run(stocks, rows, days=90)).causes
    assert causes is not None
    assert causes.moved_on is not None
    assert causes.moved_on > 1.2
    assert any("the average share was left (leads too high)" in each for each in told(causes))
