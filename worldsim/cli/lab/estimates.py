"""The report's part on what can be told: estimates and what misleads them, forecasts, yields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.cli.lab.cells import MOST_ROWS, one, table
from worldsim.cli.lab.tables import METHOD_NAMES
from worldsim.cli.output import clean, say

if TYPE_CHECKING:
    from worldsim.study.depletion.estimates import Verdict
    from worldsim.study.depletion.report import Report
    from worldsim.study.intervals import Interval

CAUSES = (
    "stock^: the power of the stock that catch per effort goes with; the methods take it as 1",
    "at Limit: effort in phases that took all their Limit or transports allow: leads too high",
    "moved on: share left where teams work late, over the average; above 1 leads too high",
    "grown leads too high; no catch, what was foraged or found, leads too low",
    "unlike and open add up to Leslie's bias: catch per effort goes otherwise than the stock, and",
    "the stock is not closed",
)


def estimates_head(report: Report) -> str:
    """What is estimated, beside the heading."""
    known = f"day {report.estimated_days:,}"
    return f": units at the start, from catch and effort to {known}"


def print_estimates(report: Report) -> None:
    """Print the estimates beside the truth."""
    units: dict[tuple[str, str | None], list[Verdict]] = {}
    for each in report.verdicts:
        units.setdefault((each.ingredient, each.region), []).append(each)
    several = len(report.seeds) > 1
    rows = [
        (unit(*key), f"{verdicts[0].truth:,.0f}",
         *(_estimate(each, several=several) for each in verdicts))
        for key, verdicts in list(units.items())[:MOST_ROWS]
        if any(each.runs for each in verdicts)
    ]  # fmt: skip
    methods = (METHOD_NAMES[method] for method in dict.fromkeys(v.method for v in report.verdicts))
    table(("where it was fished", "really", *methods), rows, len(units))
    if several:
        say(
            "  median over runs (and its bias), in how many of the runs with an estimate its bounds"
        )
        say("  held the truth")
    else:
        say("  estimate ± standard error (bias); * its own bounds of 95 % do not hold the truth")
    why = [reason for each in report.verdicts for reason in each.why[:1]]
    if why:
        say("  empty: no estimate, as catch per effort does not fall or is too rare to be read")


def unit(ingredient: str, region: str | None) -> str:
    """An ingredient, and where."""
    return ingredient if region is None else f"{ingredient} in {region}"


def _estimate(each: Verdict, *, several: bool) -> str | None:
    if each.n0 is None or each.bias is None or each.n0.estimate is None:
        return None
    bias = f"({each.bias.estimate:+.0%})"
    if several:
        held = 0 if each.held is None else round((each.held.estimate or 0) * each.estimated)
        return f"{each.n0.estimate:,.0f} {bias} {held}/{each.estimated}"
    missed = "" if each.held is None or each.held.estimate else " *"
    return f"{each.n0.estimate:,.0f} ± {each.n0_se or 0:,.0f} {bias}{missed}"


def print_causes(report: Report) -> None:
    """Print what leads the estimates astray."""
    from worldsim.study.depletion.causes import told  # noqa: PLC0415 -- loads scipy

    rows = []
    for (ingredient, region), each in list(report.causes.items())[:MOST_ROWS]:
        exponent = None if each.exponent is None else f"{each.exponent:.2f}"
        rows.append((
            unit(ingredient, region), exponent, f"{each.filled:.0%}",
            None if each.moved_on is None else f"{each.moved_on:.2f}", f"{each.grown:.0%}",
            f"{each.uncounted:.0%}", None if each.unlike is None else f"{each.unlike:+.0%}",
            None if each.open is None else f"{each.open:+.0%}",
        ))  # fmt: skip
    columns = ("where it was fished", "stock^", "at Limit", "moved on", "grown", "no catch",
               "unlike", "open")  # fmt: skip
    table(columns, rows, len(report.causes))
    for line in CAUSES:
        say(f"  {line}")
    if report.full_trips is not None:
        say(f"  {report.full_trips:.0%} of all trips ended because the transports were full")
    whole = report.causes.get((report.scope.ingredient or "", None))
    for words in [] if whole is None else told(whole):
        say(f"  here {words}")


def forecast_head(report: Report) -> str:
    """From which day, beside the heading."""
    if not report.outlooks:
        return ": the runs are too short for any"
    last = report.outlooks[-1]
    return f" from day {last.from_day:,}, with {last.confidence:.0%} intervals"


def print_forecast(report: Report) -> None:
    """Print forecasts beside what came."""
    several = len(report.seeds) > 1
    days = sorted({each.day for each in report.outlooks})
    alone = len({each.name for each in report.outlooks}) == 1
    shown = [each for each in report.outlooks if alone or each.day == days[-1]]
    rows = []
    for each in shown[:MOST_ROWS]:
        told = None
        if each.middle is not None:
            told = f"{each.middle:,.0f} ({each.low or 0:,.0f}-{each.high or 0:,.0f})"
        came = None if each.truth is None else f"{each.truth:,.0f}"
        rows.append((each.name, each.day, told, came, _held(each.held, several=several)))
    if rows:
        table((report.by, "day", "units left", "came", "held"), rows, len(shown))
    print_held(report, several=several)


def print_held(report: Report, *, several: bool) -> None:
    """All intervals together, and why some are missing."""
    counts = [
        (round((each.held.estimate or 0) * each.held.n), each.held.n)
        for each in report.outlooks
        if each.held is not None
    ]
    if counts:
        hits, tried = sum(h for h, _ in counts), sum(n for _, n in counts)
        over = " over runs, groups and days" if several else " over groups and days"
        say(f"  {hits:,} of {tried:,} intervals held what came, {hits / tried:.0%},{over}")
    missing = sorted({reason for each in report.outlooks for reason in each.why})
    for reason in missing[:3]:
        say(f"  empty: {clean(reason)}")


def _held(held: Interval | None, *, several: bool) -> str | None:
    if held is None:
        return None
    if not several:
        return "yes" if held.estimate else "no"
    low, high = held.low or 0, held.high or 0
    return f"{round((held.estimate or 0) * held.n)} of {held.n} ({low:.0%}-{high:.0%})"


def yield_head(report: Report) -> str:
    """The unit, beside the heading."""
    if not report.yields:
        return ": nothing"
    return f", units a day; what was taken is of the last {report.yields[0].days} days"


def print_yield(report: Report) -> None:
    """Print what grows back, and how much could be taken for ever."""
    if not report.yields:
        return
    rows = [
        (
            each.name, f"{each.rate:.1%}", one(each.most), one(each.most_now), one(each.now),
            one(each.taken), _of(each.left, each.best), _too_much(each.too_much, each.runs),
        )
        for each in report.yields
    ]  # fmt: skip
    columns = ("ingredient", "rate", "most", "most now", "grows now", "taken",
               "left of best", "too much")  # fmt: skip
    table(columns, rows, len(rows))
    say("  most: what all places bear for ever, at half the initial stock (RES-5); most now: where")
    say("  any is left, as nothing grows from nothing; too much: more than that is taken")


def _too_much(share: float, runs: int) -> str:
    if runs == 1:
        return "yes" if share else "no"
    return f"{round(share * runs)} of {runs}"


def _of(left: Interval, best: Interval) -> str | None:
    return f"{(left.estimate or 0) / best.estimate:.0%}" if best.estimate else None
