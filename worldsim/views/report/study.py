"""The report of a study: what was asked, what was found and how sure it is, and its pictures."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from worldsim.errors import InputError, WorldsimError
from worldsim.scenario.study_loading import with_scenarios
from worldsim.scenario.writing import resolved_toml
from worldsim.views.pictures.look import words
from worldsim.views.pictures.picture import Picture
from worldsim.views.pictures.study import Gap, pictures_and_gaps
from worldsim.views.pictures.study_axes import counted, where
from worldsim.views.report.page import Page, Section
from worldsim.views.report.study_words import found, state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.study.study import Study

LONGEST_FILES = 400_000
"""Characters of study and scenarios that are put into the page; there may be maps of thousands."""
MOST_SUMMED_UP = 30
"""Metrics that the summary tells of."""
STUDY_FILE = "study.toml"


def study_page(study: Study) -> Page:
    """Read a study, as far as it came, and say and draw what it found.

    What is damaged of its campaigns is left out, and the page says so where it would stand.

    Raises:
        MissingExtraError: plotly is not installed.
        WorldsimError: the study itself is damaged.
    """
    table = study.plan.study.study
    files = _files(study)
    return Page(
        title=study.name,
        about=f"Study {words(table.name, 60)}: {counted(len(study.plan.cells), 'cell')}, "
        f"{counted(study.manifest.totals[-1], 'campaign')} each, {counted(table.days, 'day')}",
        warnings=_warnings(study),
        summary=tuple(_summary(study)),
        sections=tuple(_sections(study)),
        origin=tuple(_origin(study)),
        reproduce=_reproduce(study, inside=bool(files)),
        reproduce_says="The same file, versions and seed give the same figures to the last digit.",
        files=files,
    )


def _warnings(study: Study) -> tuple[str, ...]:
    """What to know of a study that is not whole."""
    if not study.rows:
        return ("Nothing of this study was simulated yet, so it has found nothing.",)
    failed = any(each.status == "failed" for each in study.rows.values())
    whole = study.manifest.status == "finished" and not failed
    return () if whole else (" ".join(state(study)),)


def _summary(study: Study) -> Iterator[str]:
    """Paragraphs: what was asked, what the file answers, how far it is, what was found."""
    table = study.plan.study.study
    if table.question:
        yield f"Asked: {table.question}"
    if table.answer:
        yield f"The study's file answers, whatever was simulated here: {table.answer}"
    yield " ".join(state(study))
    if not study.rows:
        return
    if table.warm_up_days:
        yield f"No figure counts what was before day {table.warm_up_days + 1:,}."
    metrics = study.plan.metrics
    for metric in metrics[:MOST_SUMMED_UP]:
        yield " ".join(found(study, metric.name))
    if len(metrics) > MOST_SUMMED_UP:
        yield f"And {len(metrics) - MOST_SUMMED_UP} more metrics, in the pictures below."


def _sections(study: Study) -> Iterator[Section]:
    """The pictures in their order; the damage of one campaign costs those that need its tables."""
    number = 0
    pictures = pictures_and_gaps(study)
    while True:
        number += 1
        try:
            each = next(pictures, None)
        except InputError:
            raise
        except WorldsimError as error:
            why = str(error)
            if study.path is not None:
                why = why.replace(str(study.path), where(study))
            each = Gap("Pictures of the stock", f"a campaign that was kept is damaged: {why}")
        match each:
            case None:
                return
            case Picture():
                yield Section(each.name, each.title, each)
            case Gap():
                why = each.why[:1].upper() + each.why[1:]
                yield Section(f"gap-{number}", each.title, None, f"This is not drawn: {why}.")


def _origin(study: Study) -> Iterator[tuple[str, str]]:
    """What the study is and what made it."""
    plan, manifest = study.plan, study.manifest
    table = plan.study.study
    yield "study", words(study.name, 200)
    yield "digest of the study", manifest.digest
    yield "status", f"{study.state}, {counted(len(study.rows), 'campaign')} ended"
    shared = "the same in all cells" if table.common_random_numbers else "other ones in each cell"
    yield "seed of the study", f"{table.seed}; the campaigns' seeds follow from it, {shared}"
    yield "replications", ", then ".join(f"{each:,}" for each in manifest.totals)
    if plan.study.stop is not None:
        stop = plan.study.stop
        narrow = f"the 95 % interval of {stop.metric} is ± {stop.half_width:g} in every cell"
        yield "stops when", f"{narrow}, or at {stop.ceiling:,} replications"
    if plan.design is not None:
        yield "design", f"{plan.design.kind} of {counted(len(plan.design.factors), 'factor')}"
    for metric in plan.metrics:
        if metric.source == "sql":
            yield f"metric {metric.name}", words(metric.sql, 4000)
    digests = sorted({row.digest for row in study.rows.values() if row.digest is not None})
    told = digests[0] if len(digests) == 1 else f"{len(digests):,}: see the cells' settings"
    yield "scenario digests", told
    yield "made with", ", ".join(f"{name} {made}" for name, made in manifest.versions.items())


def _reproduce(study: Study, *, inside: bool) -> tuple[str, ...]:
    """Lines of a shell that make the same study again, and this report."""
    source = STUDY_FILE if inside else f"{where(study)}/{STUDY_FILE}"
    again = shlex.quote(f"{words(study.name, 100)}-again")
    total, asked = study.manifest.totals[-1], study.plan.study.study.replications
    lines = [
        f"worldsim --version  # must say {study.manifest.versions['worldsim']}",
        f"worldsim study run {shlex.quote(source)} --out {again}",
    ]
    if total > asked and study.plan.study.stop is None:
        lines.append(f"worldsim study extend {again} --replications {total}")
    return (*lines, f"worldsim report {again}")


def _files(study: Study) -> tuple[tuple[str, str], ...]:
    """The study and its scenarios, to be saved beside each other."""
    plan = study.plan
    names = {path: f"scenario_{n}.toml" for n, path in enumerate(plan.files, 1)}
    text = resolved_toml(with_scenarios(plan.study, names))
    files = ((STUDY_FILE, text), *((names[path], plan.sources[path]) for path in plan.files))
    return files if sum(len(each) for _, each in files) <= LONGEST_FILES else ()
