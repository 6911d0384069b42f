"""The calendar: it turns the day, and wakes everybody in the day's order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.events.journal import MINUTES_A_DAY
from worldsim.events.kinds import ReserveRegrown, WeatherChanged
from worldsim.processes.contest import settle_day
from worldsim.rules.day import begins_year, ends_week

if TYPE_CHECKING:
    from collections.abc import Generator

    import simpy

    from worldsim.processes.context import Context


def calendar(ctx: Context) -> Generator[simpy.Event, Any, None]:
    """Every dawn: weather, regrowth, control, then all others in an order drawn for the day."""
    while True:
        ctx.day += 1
        if begins_year(ctx.day):
            ctx.world.taken = [0] * len(ctx.world.taken)
        _turn_weather(ctx)
        _regrow(ctx)
        ranks = ctx.ranks
        dawn, ctx.dawn = ctx.dawn, ctx.env.event()
        ctx.order = {name: ctx.chance.first("order", name, ctx.day) for _, name in ranks.values()}
        order = day_order(ctx.order, ranks)
        _settle_yesterday(ctx)
        if dawn.callbacks:
            # SimPy calls them one after another: sorted, they are the day's order. The list is
            # never shuffled as it is found, so an order does not depend on the day before.
            dawn.callbacks.sort(key=lambda wakes: order[wakes.__self__])  # type: ignore[attr-defined]
        dawn.succeed()
        yield ctx.env.timeout(MINUTES_A_DAY)


def _settle_yesterday(ctx: Context) -> None:
    """What held at the end of yesterday: who took a sector, and what is remembered of a week."""
    settle_day(ctx)
    if ctx.day > 1 and ends_week(ctx.day - 1, ctx.rules.day.week_days):
        ctx.world.remember_week()


def day_order(
    drawn: dict[str, float], ranks: dict[simpy.Process, tuple[int, str]]
) -> dict[simpy.Process, tuple[int, float, str]]:
    """The key by which each process is woken today.

    Rule DAY-3 [us].

    Args:
        drawn: A number for each id, drawn anew every day from its own stream.
        ranks: Of each process the group that goes first, and its id.
    """
    return {process: (group, drawn[name], name) for process, (group, name) in ranks.items()}


def _turn_weather(ctx: Context) -> None:
    for region in ctx.world.turn_weather(ctx.day, ctx.chance):
        sky = ctx.world.sky[region]
        ctx.journal.record(
            WeatherChanged, cause=None, region=region, weather=sky.name, difficulty=sky.difficulty
        )


def _regrow(ctx: Context) -> None:
    """What grew since yesterday; nothing has on the first day (RES-5)."""
    world = ctx.world
    if ctx.day == 1 or not world.reserves.rates:
        return
    for position, place in enumerate(world.places):
        grown = world.reserves.regrow(position)
        if grown:
            for ingredient, units in grown.items():
                world.ledger.regrown[ingredient] += units
            if ctx.journal.silent:
                ctx.journal.skip()
                continue
            ctx.journal.record(
                ReserveRegrown, cause=None, place=place.id, grown=world.amounts(grown)
            )
