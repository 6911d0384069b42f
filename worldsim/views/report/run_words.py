"""What a report says of a run in words."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from worldsim.views.pictures.look import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from worldsim.runs import Run, Stock, Summary

NAMED = 5
LONGEST_DESCRIPTION = 2000


def head(run: Run) -> str:
    """Scenario, seed and days, in a line."""
    told = run.manifest
    days = f"{told.day:,} of {told.days:,} days" if told.day < told.days else f"{told.day:,} days"
    return f"Campaign {words(told.campaign, 60)}, seed {told.seed}, {days}"


def summary_words(run: Run) -> tuple[str, ...]:
    """What became of the campaign, in paragraphs.

    Raises:
        WorldsimError: the run is damaged.
    """
    summary = run.summary()
    described = words(run.scenario.campaign.description, LONGEST_DESCRIPTION)
    told = (" ".join(_course(run, summary)), _ground(summary), _teams(summary))
    return (*([described] if described else []), *told)


def _course(run: Run, summary: Summary) -> Iterator[str]:
    counts = summary.events
    who = run.scenario.colonies
    factions = len({colony.faction or colony.id for colony in who})
    yield (
        f"{counted(len(who), 'colony', 'colonies')} of {counted(factions, 'faction')} worked this "
        f"planet for {counted(summary.day, 'day')}; the log tells of "
        f"{counted(counts.info + counts.warning, 'event')}, {counted(counts.warning, 'warning')} "
        "among them."
    )
    if run.manifest.stopped is not None:
        yield f"The campaign ended early, since campaign.stop.{run.manifest.stopped} held."
    if summary.level == "warning":
        yield "The log holds warnings only: what was delivered is not in it."
        return
    total = sum(summary.delivered.values())
    trips = counted(summary.trips, "trip")
    if not total:
        yield f"In {trips} nothing was brought home."
        return
    most, units = next(iter(summary.delivered.items()))
    yield (
        f"In {trips} teams brought home {counted(total, 'unit')}, most of all {words(most)} "
        f"({units:,})."
    )


def _ground(summary: Summary) -> str:
    whole = sum(stock.initial for stock in summary.by_region.values())
    left = sum(stock.left for stock in summary.by_region.values())
    if not whole:
        return "Nothing lay in the ground at the start."
    told = (
        f"Of {counted(whole, 'unit')} in the ground {left:,} are left, {left / whole:.0%}. "
        f"{_extremes(summary.by_region, 'region')} {_extremes(summary.by_ingredient, '')}"
    ).strip()
    first = summary.first_depletions
    if first:
        what, where_, day = words(first[0].ingredient), words(first[0].place), first[0].day
        more = f"; {counted(len(first), 'ingredient')} ran out somewhere" if len(first) > 1 else ""
        return f"{told} The first stock used up was {what} in {where_}, on day {day:,}{more}."
    return told if summary.level == "warning" else f"{told} No stock of a place was used up."


def _extremes(stocks: Mapping[str, Stock], what: str) -> str:
    """What is emptiest and what is fullest."""
    part = {name: stock.left / stock.initial for name, stock in stocks.items() if stock.initial}
    if len(part) < 2:  # noqa: PLR2004 - one is not compared
        return ""
    least, most = min(part, key=part.__getitem__), max(part, key=part.__getitem__)
    if part[least] == part[most]:
        return ""
    called = f"{what} " if what else ""
    return (
        f"Of {called}{words(least)} {part[least]:.0%} is left, the least; of {called}{words(most)} "
        f"{part[most]:.0%}."
    )


def _teams(summary: Summary) -> str:
    gone = summary.teams_perished
    times = summary.teams_lost
    lost = f"Teams were lost {_times(times)}" if times else "No team was lost"
    if not gone:
        return f"{lost}; none perished."
    return f"{lost}; {len(gone):,} perished: {_named(gone)}."


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _named(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    told = ", ".join(words(name) for name in names[:NAMED])
    return f"{told} and {more:,} more" if more > 0 else told


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number and what it counts: ``1 trip``, ``2,000 trips``."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def origin(run: Run) -> tuple[tuple[str, str], ...]:
    """What the run is and what made it."""
    told, made = run.manifest, run.manifest.versions
    others = f"Python {made.python}, numpy {made.numpy}, simpy {made.simpy}"
    facts = [
        ("run", words(run.name, 200)),
        ("campaign", words(told.campaign, 200)),
        ("seed", str(told.seed)),
        ("scenario digest", told.digest),
        ("status", f"{run.state}, day {told.day:,} of {told.days:,}"),
        ("log", f"level {told.level}; {counted(told.events.total, 'line')}"),
        ("made with", f"worldsim {made.worldsim}, {others}"),
    ]
    if told.parent is not None:
        parent = told.parent
        changes = "; ".join(words(each, 200) for each in parent.changes) or "no change"
        facts.append(
            ("branched from", f"{words(parent.run, 200)} on day {parent.day:,}: {changes}")
        )
    return tuple(facts)


def reproduce(run: Run) -> tuple[str, ...]:
    """Lines of a shell that make the same run, and this report, from the scenario in the page."""
    told = run.manifest
    name = shlex.quote(words(run.name, 200))
    if told.parent is not None:
        parent = shlex.quote(words(told.parent.run, 200))
        return (
            f"# {name} goes on from day {told.parent.day} of {parent}, with the changes above",
            f"worldsim branch {parent} --help",
        )
    return (
        f"worldsim --version  # must say {told.versions.worldsim}",
        f"worldsim run scenario.toml --seed {told.seed} --days {told.days} --out {name}",
        f"worldsim report {name}",
    )
