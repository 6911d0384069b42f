"""How far a run is: a bar on a terminal, one line elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from worldsim.cli.output import clean, note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.progress import Progress, TaskID

    from worldsim.world.world import World

REFRESH_S = 0.1


@contextmanager
def shown_progress(
    name: str, days: int, where: str, *, begun: int = 0, quiet: bool
) -> Iterator[Callable[[int, World], None] | None]:
    """Show on stderr how a run comes along, and give what to call after each day.

    Args:
        name: Of the campaign.
        days: To be simulated.
        where: Where it is written.
        begun: Days that were simulated before.
        quiet: Show nothing.
    """
    if quiet:
        yield None
    elif not sys.stderr.isatty():
        after = f" after day {begun:,}" if begun else ""
        note(f"simulating {days - begun:,} days of {clean(name)}{after} into {clean(where)}")
        yield None
    else:
        progress = _bar()
        with progress:
            task = progress.add_task(
                clean(name), total=days, completed=begun, day=begun, stock="", speed=""
            )
            yield _updater(progress, task, begun)


def _bar() -> Progress:
    """Day, bar, speed, time left, stock left; gone when the run is over."""
    from rich.console import Console  # noqa: PLC0415 -- 0.1 s, and only terminals show it
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TextColumn("day {task.fields[day]}/{task.total}", markup=False),
        TextColumn("{task.fields[speed]}", markup=False),
        TimeRemainingColumn(),
        TextColumn("{task.fields[stock]}", markup=False),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
    )


def _updater(progress: Progress, task: TaskID, begun: int) -> Callable[[int, World], None]:
    """What to call after each day. It looks at the world a few times a second only."""
    start = last = time.monotonic()
    initial = 0

    def on_day(day: int, world: World) -> None:
        nonlocal last, initial
        now = time.monotonic()
        if now - last < REFRESH_S:
            return
        last = now
        initial = initial or sum(map(sum, world.reserves.initial))
        left = sum(map(sum, world.reserves.left))
        progress.update(
            task,
            completed=day,
            day=day,
            speed=f"{(day - begun) / (now - start):.0f} days/s",
            stock=f"stock {left / initial:.0%}" if initial else "",
            refresh=True,
        )

    return on_day
