"""All that the lab tells of an ensemble, in one pass over its runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from worldsim.study.depletion import catches, curves, estimates, forecasts, shares, yields
from worldsim.study.depletion.causes import median_causes
from worldsim.study.depletion.ensembles import EmptyGroundError, Scope
from worldsim.study.depletion.ground import Ground
from worldsim.study.estimators import METHODS
from worldsim.study.inputs import UnfitDataError
from worldsim.study.order import in_natural_order

if TYPE_CHECKING:
    from worldsim.runs import Run
    from worldsim.study.depletion.causes import Causes
    from worldsim.study.depletion.ensembles import By, Ensemble
    from worldsim.study.depletion.ground import Numbers

EVERYTHING = Scope()
FEWEST_FORECAST = 4
"""Days from which there can be a forecast at all."""


@dataclass(frozen=True, slots=True)
class Report:
    """What became of the stock of an ensemble.

    Attributes:
        name: Of the ensemble.
        campaign: Of its scenario.
        seeds: One a run.
        last_day: Of the run that came furthest.
        scope: What of the ground was looked at.
        by: What the groups are.
        from_day: Days that estimates of the forecasts know.
        estimated_days: Days that estimates of the initial stock know.
        total: The stock of everything in scope.
        bands, times, halvings: By group.
        accounts: By ingredient, of all runs together.
        takers: Who took it, by kind of taker.
        rates: Catch per unit of effort by group.
        verdicts: What catches alone would have said, by ingredient, region and method.
        causes: What leads them astray, medians over runs, by ingredient and region.
        outlooks: Forecasts by group and day.
        yields: By ingredient that grows back.
        full_trips: Share of the trips that ended as nothing more fitted; None where the log does
            not hold it, or no trip ended.
    """

    name: str
    campaign: str
    seeds: tuple[int, ...]
    last_day: int
    scope: Scope
    by: By
    from_day: int
    estimated_days: int
    total: curves.Band
    bands: tuple[curves.Band, ...]
    times: tuple[curves.TimeLeft, ...]
    halvings: tuple[curves.Halving, ...]
    accounts: dict[str, shares.Accounts]
    takers: dict[shares.Taker, list[shares.Share]]
    rates: tuple[catches.Rate, ...]
    verdicts: tuple[estimates.Verdict, ...]
    causes: dict[tuple[str, str | None], Causes]
    outlooks: tuple[forecasts.Outlook, ...]
    yields: tuple[yields.Yield, ...]
    full_trips: float | None


@dataclass(slots=True)
class _Notes:
    """What is kept of the runs that were read: small things, by group."""

    seeds: list[int] = field(default_factory=list)
    total: list[curves.Decline] = field(default_factory=list)
    declines: dict[str, list[curves.Decline]] = field(default_factory=dict)
    foretold: dict[str, list[forecasts.Foretold]] = field(default_factory=dict)
    takings: list[shares.Takings] = field(default_factory=list)
    catches: dict[str, list[catches.Catch]] = field(default_factory=dict)
    trials: dict[tuple[str, str | None], list[estimates.Trial]] = field(default_factory=dict)
    growths: dict[str, list[yields.Growth]] = field(default_factory=dict)
    trips: list[tuple[int, int] | None] = field(default_factory=list)
    campaign: str = ""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be read of each run."""

    scope: Scope
    by: By
    at_day: Numbers
    from_day: int
    foretold: list[int]
    estimated_days: int | None


def examine(
    ensemble: Ensemble,
    *,
    scope: Scope = EVERYTHING,
    by: By = "ingredient",
    from_days: int | None = None,
) -> Report:
    """Read an ensemble, run after run, and tell how its stock was used up.

    Args:
        ensemble: Runs of one scenario.
        scope: What of the ground to look at.
        by: What to tell stocks, times, catches and forecasts by.
        from_days: Days that forecasts and estimates may know, at least 4; if None, forecasts know
            the first half and estimates all.

    Raises:
        NotInTheGroundError: nothing ever lay under a name of the scope.
        EmptyGroundError: nothing ever lay anywhere.
        UnfitDataError: ``from_days`` is less than 4 or more than any run has.
        AccountsDisagreeError: the log of a run and its tables contradict each other.
    """
    last = ensemble.last_day
    if from_days is not None and not FEWEST_FORECAST <= from_days <= last:
        right = f"{FEWEST_FORECAST} to {last} are wanted, as far as the runs have come"
        raise UnfitDataError("days to forecast from", f"{from_days}", right)
    known = last // 2 if from_days is None else from_days
    days = forecasts.days_foretold(known, last) if known >= FEWEST_FORECAST else []
    plan = _Plan(scope, by, curves.days_read(last), known, days, from_days)
    notes = _Notes()
    for run in ensemble.runs:
        _read(run, plan, notes)
    if not notes.total:
        raise EmptyGroundError(ensemble.name)
    return _told(ensemble, plan, notes)


def _read(run: Run, plan: _Plan, notes: _Notes) -> None:
    """Note what one run tells; nothing else of it is kept."""
    ground = Ground(run, plan.scope)
    rates = {each.id: each.regrowth for each in run.scenario.ingredients if each.regrowth > 0}
    notes.campaign = run.manifest.campaign
    notes.seeds.append(run.manifest.seed)
    total = ground.total()
    if total[0]:
        notes.total.append(curves.decline(total, plan.at_day))
    names, table = ground.curves(plan.by)
    for name, left in zip(names, table, strict=True):
        if not left[0]:
            continue  # none of it in this run: the spread of the stock is drawn for each seed
        notes.declines.setdefault(name, []).append(curves.decline(left, plan.at_day))
        if plan.foretold:
            grows = name in rates if plan.by == "ingredient" else bool(rates)
            told = forecasts.foretell(left, plan.from_day, plan.foretold, may_rise=grows)
            notes.foretold.setdefault(name, []).append(told)
    notes.takings.append(shares.takings(run, plan.scope))
    for name, catch in catches.catches(ground, plan.by).items():
        notes.catches.setdefault(name, []).append(catch)
    tried = estimates.trials(
        ground,
        plan.estimated_days or ground.last_day,
        by_region=plan.scope.ingredient is not None,
    )
    for trial in tried:
        notes.trials.setdefault((trial.ingredient, trial.region), []).append(trial)
    for name, growth in yields.growths(ground, rates).items():
        notes.growths.setdefault(name, []).append(growth)
    notes.trips.append(_trips(run))


def _told(ensemble: Ensemble, plan: _Plan, notes: _Notes) -> Report:
    names = in_natural_order(notes.declines)
    last, every = ensemble.last_day, catches.period_days(ensemble.last_day)
    accounts: dict[str, shares.Accounts] = {}
    for run in notes.takings:
        for name, account in run.accounts.items():
            accounts[name] = accounts.get(name, shares.NOTHING) + account
    return Report(
        name=ensemble.name,
        campaign=notes.campaign,
        seeds=tuple(notes.seeds),
        last_day=last,
        scope=plan.scope,
        by=plan.by,
        from_day=plan.from_day,
        estimated_days=plan.estimated_days or last,
        total=curves.band("all", notes.total, plan.at_day),
        bands=tuple(curves.band(n, notes.declines[n], plan.at_day) for n in names),
        times=tuple(t for n in names for t in curves.times_left(n, notes.declines[n])),
        halvings=tuple(curves.halving(n, notes.declines[n]) for n in names),
        accounts={name: accounts[name] for name in in_natural_order(accounts)},
        takers={by: shares.shares(notes.takings, by) for by in shares.TAKERS},
        rates=tuple(
            catches.rate(name, notes.catches[name], every=every, last_day=last)
            for name in in_natural_order(notes.catches)
        ),
        verdicts=tuple(
            estimates.verdict(trials, method)
            for trials in notes.trials.values()
            for method in METHODS
        ),
        causes={
            key: median_causes(known)
            for key, trials in notes.trials.items()
            if (known := [each.causes for each in trials if each.causes is not None])
        },
        outlooks=tuple(
            outlook
            for name in in_natural_order(notes.foretold)
            for outlook in forecasts.outlooks(
                name, notes.foretold[name], plan.from_day, plan.foretold
            )
        ),
        yields=tuple(
            yields.yields(name, notes.growths[name], last)
            for name in in_natural_order(notes.growths)
        ),
        full_trips=_share_full(notes.trips),
    )


def _trips(run: Run) -> tuple[int, int] | None:
    """Trips that ended with full transports, and all that ended; None if the log has neither."""
    if run.manifest.level == "warning":
        return None
    reasons = run.events("team.turned_back").aggregate("reason, count(*) AS trips").fetchall()
    counts = dict(reasons)
    return counts.get("full", 0), sum(counts.values())


def _share_full(trips: list[tuple[int, int] | None]) -> float | None:
    known = [each for each in trips if each is not None]
    ended = sum(each for _, each in known)
    return sum(full for full, _ in known) / ended if ended else None
