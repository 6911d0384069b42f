"""The report of a run: its summary in words, its pictures, and how to get the same again."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from worldsim.errors import WorldsimError
from worldsim.runs.checkpoints import reached
from worldsim.runs.partfiles import DamagedPartError
from worldsim.study.inputs import MissingExtraError
from worldsim.views.pictures import RUN_PICTURES
from worldsim.views.pictures.look import where
from worldsim.views.report.page import Page, Section
from worldsim.views.report.run_words import counted, head, origin, reproduce, summary_words

if TYPE_CHECKING:
    from worldsim.runs import Run
    from worldsim.views.pictures import RunPicture
    from worldsim.views.pictures.picture import Picture

LONGEST_FILE = 200_000
"""Characters of a scenario that is put into the page; longer ones hold a map of thousands."""


def run_page(run: Run) -> Page:
    """Read a run, as far as it came, and say and draw what became of it.

    What is damaged is left out, and the page says so at its top.

    Raises:
        MissingExtraError: plotly is not installed.
    """
    faults: list[str] = []
    sections = tuple(_section(run, each, faults) for each in RUN_PICTURES)
    summary = _summary(run, faults)
    files = _files(run, faults)
    return Page(
        title=run.name,
        about=head(run),
        warnings=(*_state(run), *dict.fromkeys(faults)),
        summary=summary,
        sections=sections,
        origin=origin(run),
        reproduce=reproduce(run) if files else (),
        reproduce_says="The same scenario, seed and version give the same events to the last byte.",
        files=files,
        damaged=shlex.quote(where(run)) if faults else "",
    )


def _section(run: Run, each: RunPicture, faults: list[str]) -> Section:
    """One picture; what cannot be read of it is noted among the faults."""
    try:
        picture = each.make(run)
        choices = _choices(run) if each.name == "stock-map" and picture is not None else ()
    except MissingExtraError:
        raise
    except WorldsimError as error:
        faults.append(_fault(run, error))
        return Section(each.name, each.title, None, f"This cannot be drawn: {faults[-1]}")
    nothing = each.nothing
    if run.manifest.level == "warning" and each.name == "battles":
        nothing = "The log holds warnings only, and tells of no battles."
    if picture is None:
        return Section(each.name, each.title, None, nothing)
    return Section(each.name, each.title, picture, choose="Ingredient" if choices else "",
                   choices=choices)  # fmt: skip


def _choices(run: Run) -> tuple[tuple[str, Picture], ...]:
    """The map of each ingredient, where there are several."""
    from worldsim.views.pictures.stock_map import draw_each  # noqa: PLC0415 - loads networkx

    each = tuple(draw_each(run))
    return each if len(each) > 1 else ()


def _summary(run: Run, faults: list[str]) -> tuple[str, ...]:
    try:
        return summary_words(run)
    except MissingExtraError:
        raise
    except WorldsimError as error:
        faults.append(_fault(run, error))
        return ("Its log or its tables are damaged, so there is no summary.",)


def _files(run: Run, faults: list[str]) -> tuple[tuple[str, str], ...]:
    """The scenario, if it can be read and is not too long."""
    from worldsim.scenario.writing import resolved_toml  # noqa: PLC0415 - loads the scenario's model

    try:
        text = resolved_toml(run.scenario)
    except WorldsimError as error:
        faults.append(_fault(run, error))
        return ()
    return (("scenario.toml", text),) if len(text) <= LONGEST_FILE else ()


def _state(run: Run) -> tuple[str, ...]:
    """What a reader should know of a run that did not come to its end."""
    manifest = run.manifest
    if manifest.status == "finished":
        return ()
    said = {"running": "is still being simulated", "interrupted": "was interrupted"}
    how = said.get(run.state, run.state)
    why = f" ({manifest.error})" if manifest.error else ""
    days = f"{counted(manifest.day, 'day')} of {manifest.days:,}"
    kept = reached(manifest)
    days += f", though its log goes on to day {kept:,}" if kept > manifest.day else ""
    return (f"This run {how}{why}: what follows tells of its first {days}.",)


def _fault(run: Run, error: WorldsimError) -> str:
    """What is damaged, without the folders above the run."""
    said = error.says if isinstance(error, DamagedPartError) else str(error)
    if run.path is not None:
        for path in (run.path.absolute(), run.path):
            said = said.replace(str(path), where(run))
    return f"{said}."
