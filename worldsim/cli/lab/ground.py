"""The report's part on the ground: what is left, until when, who took it, at what effort."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.cli.lab.cells import MOST_ROWS, some, table, whole
from worldsim.cli.output import counted, print_table, say, sparkline

if TYPE_CHECKING:
    from worldsim.study.depletion.catches import Rate
    from worldsim.study.depletion.report import Report
    from worldsim.study.depletion.shares import Accounts
    from worldsim.study.intervals import Interval

MOST_TAKERS = 8
RATES = 18
WAYS = {"transition": "on the way", "sector": "on site"}
TAKER_NAMES = {"pool": "where"}


def stock_head(report: Report) -> str:
    """What is left of all, beside the heading."""
    band = report.total
    left = (
        f": {band.middle[-1]:,.0f} of {band.initial:,.0f} units left, {band.share_middle[-1]:.0%}"
    )
    if len(report.seeds) == 1:
        return left
    now = int(band.runs[-1])
    return (
        f"{left} (median of the {counted(now, 'run')} at day {report.last_day:,};"
        f" {band.confidence:.0%} of runs: {band.share_low[-1]:.0%} to {band.share_high[-1]:.0%})"
    )


def print_stock(report: Report) -> None:
    """Print the stock of each group over time."""
    several = len(report.seeds) > 1
    rows = []
    for band in report.bands[:MOST_ROWS]:
        spread = (f"{band.share_low[-1]:.0%}-{band.share_high[-1]:.0%}",) if several else ()
        rows.append((
            band.name, f"{band.share_middle[-1]:.0%}", *spread, f"{band.middle[-1]:,.0f}",
            f"{band.initial:,.0f}", sparkline(some(band.share_middle.tolist())),
        ))  # fmt: skip
    between = (f"{report.total.confidence:.0%} of runs",) if several else ()
    columns = (report.by, "left", *between, "units", "of", f"day 0 to {report.last_day}")
    table(columns, rows, len(report.bands))
    if several and report.total.runs[-1] < len(report.seeds):
        say("  runs that ended earlier count up to their last day; --csv tells how many are left")


def times_head(report: Report) -> str:
    """What the days are, beside the heading."""
    if len(report.seeds) == 1:
        return ""
    return ": by when in half of the runs, with its 95% interval"


def print_times(report: Report) -> None:
    """Print the days until so much was left."""
    shares = list(dict.fromkeys(each.share_left for each in report.times))
    halves = {each.name: each for each in report.halvings}
    by_name: dict[str, list[str | None]] = {}
    for each in report.times:
        by_name.setdefault(each.name, []).append(_day(each.median, each.reached, each.runs))
    rows = [
        (name, *cells, whole(halves[name].days))
        for name, cells in list(by_name.items())[:MOST_ROWS]
    ]
    heads = [f"{share:.0%}" if share else "used up" for share in shares]
    table((report.by, *heads, "halves in days"), rows, len(by_name))
    texts = [cell or "" for cells in by_name.values() for cell in cells]
    if "" in texts:
        say(f"  empty: it did not happen by day {report.last_day:,}")
    if any(" of " in cell for cell in texts):
        say("  n of m: it happened in so few of the runs, by their last day")
    if any("…" in cell for cell in texts):
        say("  …: the runs are too few or too short for a bound")


def _day(median: Interval, reached: int, runs: int) -> str | None:
    """A day; with bounds over runs, or in how many runs it happened at all."""
    if median.estimate is None:
        return f"{reached} of {runs}" if reached else None
    if runs == 1:
        return f"{median.estimate:,.0f}"
    low = "…" if median.low is None else f"{median.low:,.0f}"
    high = "…" if median.high is None else f"{median.high:,.0f}"
    return f"{median.estimate:,.0f} ({low}-{high})"


def accounts_head(report: Report) -> str:
    """The sum of all accounts, beside the heading."""
    total = _added_up(report)
    runs = len(report.seeds)
    return f", in units{f' of {runs} runs together' if runs > 1 else ''}: {_sum_line(total)}"


def _sum_line(total: Accounts) -> str:
    """``900 at the start + 95 grown back = 516 left + 479 taken``."""
    came = [f"{total.initial:,} at the start"]
    went = [f"{total.left:,} left", f"{total.taken:,} taken"]
    if total.known:
        parts = (
            (total.regrown, came, "grown back"), (total.added, came, "put there"),
            (total.destroyed, went, "destroyed"), (total.removed, went, "set away"),
        )  # fmt: skip
        for units, side, word in parts:
            if units:
                side.append(f"{units:,} {word}")
    elif total.net > 0:
        came.append(f"{total.net:,} come otherwise, net")
    elif total.net < 0:
        went.append(f"{-total.net:,} gone otherwise, net")
    return f"{' + '.join(came)} = {' + '.join(went)}"


def _added_up(report: Report) -> Accounts:
    from worldsim.study.depletion.shares import added_up  # noqa: PLC0415 -- loads scipy

    return added_up(report.accounts.values())


def print_accounts(report: Report) -> None:
    """Print where the units of each ingredient went."""
    rows = [
        (name, *(None if n is None else f"{n:,}" for n in (
            each.initial, each.regrown, each.added, each.left, each.taken, each.destroyed,
            each.removed)))
        for name, each in report.accounts.items()
    ]  # fmt: skip
    columns = ("at the start", "grown back", "put there", "left", "taken", "destroyed", "set away")
    used = [n for n in range(len(columns)) if any(row[n + 1] != "0" for row in rows)]
    table(
        ("ingredient", *(columns[n] for n in used)),
        [(row[0], *(row[n + 1] for n in used)) for row in rows],
        len(rows),
    )
    if not _added_up(report).known:
        say("  empty: the log holds warnings only; of what grew back, was destroyed or set by hand")
        say("  the sum is known, not the parts")


def print_takers(report: Report) -> None:
    """Print who took how much."""
    several = len(report.seeds) > 1
    rows: list[tuple[object, ...]] = []
    for by, takers in report.takers.items():
        for n, each in enumerate(takers[:MOST_TAKERS]):
            name = WAYS.get(each.name, each.name) if by == "pool" else each.name
            run = (whole(each.per_run),) if several else ()
            kind = "" if n else TAKER_NAMES.get(by, by)
            rows.append((kind, name, f"{each.units:,}", f"{each.share:.1%}", *run))
        rest = takers[MOST_TAKERS:]
        if rest:
            units, share = sum(each.units for each in rest), sum(each.share for each in rest)
            run = ("",) if several else ()
            rows.append(("", f"{len(rest)} more", f"{units:,}", f"{share:.1%}", *run))
    columns = ("by", "name", "units", "share", *(("a run (95%)",) if several else ()))
    print_table(columns, rows, indent=2)


def effort_head(report: Report) -> str:
    """The unit, beside the heading."""
    del report
    return (
        ": units for 100 points of Gathering Limit spent where it lies;"
        "\n  at first and at last: in a quarter of the time each"
    )


def print_effort(report: Report) -> None:
    """Print catch per unit of effort of each group over time."""
    rows = []
    for each in report.rates[:MOST_ROWS]:
        rate = [value if value == value else 0.0 for value in each.rate.tolist()]  # noqa: PLR0124
        top = max([*rate, 1e-300])
        quarter = max(1, len(rate) // 4)
        rows.append((
            each.name, f"{each.caught.sum():,.0f}", f"{each.effort.sum():,.0f}",
            _per_hundred(each, slice(None)), _per_hundred(each, slice(quarter)),
            _per_hundred(each, slice(-quarter, None)),
            sparkline(value / top for value in some(rate, RATES)),
        ))  # fmt: skip
    columns = (report.by, "caught", "effort", "per 100", "at first", "at last",
               f"day 0 to {report.last_day}")  # fmt: skip
    table(columns, rows, len(report.rates))


def _per_hundred(each: Rate, part: slice) -> str | None:
    effort = float(each.effort[part].sum())
    return f"{100 * float(each.caught[part].sum()) / effort:.2f}" if effort else None
