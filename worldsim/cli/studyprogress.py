"""How far a study is: a bar on a terminal, one line elsewhere."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from worldsim.cli.output import clean, counted, note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from worldsim.study.runner import Progress
    from worldsim.study.study import Study


@contextmanager
def shown_progress(study: Study, *, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """Show on stderr how a study comes along, and give what is to be told of it.

    Args:
        study: In its folder.
        quiet: Show nothing.
    """
    if quiet:
        yield None
    elif not sys.stderr.isatty():
        yield _said_once(study)
    else:
        with _bar(clean(study.name)) as on_progress:
            yield on_progress


def _said_once(study: Study) -> Callable[[Progress], None]:
    """Says what is simulated once it is, and nothing more."""
    said = False

    def on_progress(progress: Progress) -> None:
        nonlocal said
        del progress
        if not said:
            said = True
            cells = counted(len(study.plan.cells), "cell")
            note(f"simulating {clean(study.name)}, {cells}, into {clean(str(study.path))}")

    return on_progress


@contextmanager
def _bar(name: str) -> Iterator[Callable[[Progress], None]]:
    """Name, bar, done, failed, speed, time left, watched metric; gone when the study is over."""
    from rich.console import Console  # noqa: PLC0415 -- 0.1 s, and only terminals show it
    from rich.progress import BarColumn, TextColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    bar = Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[says]}", markup=False),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
    )
    with bar:
        task = bar.add_task(name, total=None, says="")
        yield lambda progress: bar.update(
            task,
            total=progress.total,
            completed=progress.done,
            says=progress_line(progress),
            refresh=True,
        )


def progress_line(progress: Progress) -> str:
    """``40 of 100, 1 failed, 2.1 a second, 0:00:29 left, taken 154 ± 12``."""
    said = [f"{progress.done:,} of {progress.total:,}"]
    if progress.failed:
        said.append(f"{progress.failed:,} failed")
    if progress.a_second is not None:
        said.append(f"{progress.a_second:.2g} a second")
    if progress.left_s is not None:
        minutes, seconds = divmod(round(progress.left_s), 60)
        hours, minutes = divmod(minutes, 60)
        said.append(f"{hours}:{minutes:02}:{seconds:02} left")
    known = progress.interval
    if known is not None and known.estimate is not None and known.half_width is not None:
        said.append(f"{clean(progress.metric)} {known.estimate:.4g} ± {known.half_width:.2g}")
    return ", ".join(said)
