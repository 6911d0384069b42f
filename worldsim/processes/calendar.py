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
        dawn, ctx.dawn = ctx.dawn, ctx.env.event()
        names = ctx.roster.names()
        drawn = ctx.chance.firsts("order", names, ctx.day)
        ctx.order = dict(zip(names, drawn, strict=True))
        order = ctx.roster.order(drawn)
        _settle_yesterday(ctx)
        _wake(dawn, order)
        yield ctx.env.timeout(MINUTES_A_DAY)


def _wake(dawn: simpy.Event, order: list[simpy.Process]) -> None:
    """Let dawn break: SimPy calls whoever waits for it one after another, here in this order."""
    waiting: Any = dawn.callbacks
    wakes = {each.__self__: each for each in waiting}
    dawn.callbacks = [wakes[process] for process in order if process in wakes]
    dawn.succeed()


def _settle_yesterday(ctx: Context) -> None:
    """What held at the end of yesterday: who took a sector, and what is remembered of a week."""
    settle_day(ctx)
    if ctx.day > 1 and ends_week(ctx.day - 1, ctx.rules.day.week_days):
        ctx.world.remember_week()


def _turn_weather(ctx: Context) -> None:
    for region in ctx.world.turn_weather(ctx.day, ctx.chance):
        sky = ctx.world.sky[region]
        ctx.journal.record(
            WeatherChanged, cause=None, region=region, weather=sky.name, difficulty=sky.difficulty
        )


def _regrow(ctx: Context) -> None:
    """What grew since yesterday; nothing has on the first day (RES-5)."""
    world, journal = ctx.world, ctx.journal
    if ctx.day == 1 or not world.reserves.rates:
        return
    for position, place in enumerate(world.places):
        grown = world.reserves.regrow(position)
        if grown:
            for ingredient, units in grown.items():
                world.ledger.regrown[ingredient] += units
            if journal.silent:
                journal.skip()
                continue
            journal.note(
                ReserveRegrown(
                    journal.seq, journal.t, journal.day, "info", None,
                    place=place.id, grown=world.amounts(grown),
                )
            )  # fmt: skip
