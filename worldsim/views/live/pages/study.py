"""A study: how far it is, what it found, and its pictures, made one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.study.depletion.ensembles import NothingKeptError
from worldsim.study.inputs import NoEstimateError
from worldsim.views.live.address import link
from worldsim.views.live.dashed import dcc, html
from worldsim.views.live.parts import badge, card, loading, nothing, tabs, text
from worldsim.views.pictures.study import STUDY_PICTURES
from worldsim.views.report.study_words import found, state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldsim.study.study import Study
    from worldsim.views.pictures.study import StudyPicture

BEAT_MS = 2000
MOST_KEPT = 500


def study_page(study: Study, name: str, kept: Sequence[str], values: Mapping[str, str]) -> Any:
    """The page of a study; its picture is filled in once it is made."""
    metric = _metric(study, values.get("metric"))
    there = pictures(study, metric)
    chosen = _chosen(there, values.get("picture"))
    table = study.plan.study.study
    return html.Div(
        [
            html.H1(text(name, 120)),
            html.Div(state_line(study), id="study-state", className="state",
                     **{"aria-live": "polite"}),
            dcc.Interval(id="study-beat", interval=BEAT_MS,
                         disabled=study.state != "running"),
            dcc.Store(id="study-seen", data=seen(study, name)),
            dcc.Store(id="title", data=text(name, 120)),
            html.P(f"Asked: {table.question}") if table.question else None,
            html.P(f"Answered, by the study's own file: {table.answer}") if table.answer else None,
            html.Div(id="study-found"),
            _metrics(study, name, metric, chosen),
            html.H2("Pictures"),
            tabs(
                [(each.title, link("/study", study=name, picture=each.kind, metric=metric))
                 for each in there],
                next((each.title for each in there if each.kind == chosen), None),
                "Pictures",
            ),
            dcc.Store(id="study-asked", data={"study": name, "picture": chosen, "metric": metric}),
            loading(html.Div(id="study-picture", className="picture")),
            _kept(kept),
        ]
    )  # fmt: skip


def seen(study: Study, name: str) -> dict[str, Any]:
    """What tells whether there is more to see."""
    return {"study": name, "rows": len(study.rows), "status": study.state}


def state_line(study: Study) -> Any:
    """How far it is."""
    total = study.manifest.totals[-1] * len(study.plan.cells)
    parts: list[Any] = [badge(study.state), html.Span(" ".join(state(study)))]
    if len(study.rows) < total:
        parts.append(html.Progress(value=str(len(study.rows)), max=str(total)))
    return parts


def findings(study: Study, metric: str) -> Any:
    """What it found about a metric, in words."""
    if not study.rows:
        return nothing("No campaign has come to its end yet.")
    return [html.P(each) for each in found(study, metric)]


def pictures(study: Study, metric: str) -> list[StudyPicture]:
    """Those that the study can have."""
    return [
        each
        for each in STUDY_PICTURES
        if each.fits(study, metric if each.of_metric else None)
        and (study.rows or each.kind == "progress")
    ]


def _chosen(there: Sequence[StudyPicture], kind: str | None) -> str | None:
    kinds = [each.kind for each in there]
    return kind if kind in kinds else next(iter(kinds), None)


def _metric(study: Study, name: str | None) -> str:
    names = [each.name for each in study.plan.metrics]
    return name if name in names else study.plan.watched.name


def _metrics(study: Study, name: str, metric: str, picture: str | None) -> Any:
    links = [(each.name, link("/study", study=name, metric=each.name, picture=picture))
             for each in study.plan.metrics]  # fmt: skip
    return html.Div([html.H2("Metric"), tabs(links, metric, "Metrics")])


def drawn(study: Study, asked: Mapping[str, Any], *, dark: bool) -> Any:
    """The picture that is asked for, or why there is none."""
    kind, metric = asked.get("picture"), asked.get("metric")
    each = next((one for one in STUDY_PICTURES if one.kind == kind), None)
    if each is None:
        return nothing("There is nothing to draw yet.")
    try:
        picture = each.make(study, metric if each.of_metric else None)
    except (NoEstimateError, NothingKeptError) as error:
        return nothing(f"This is not drawn: {error}.")
    address = link("/csv/study", study=asked["study"], picture=kind, metric=metric)
    return card(picture, address, dark=dark)


def _kept(names: Sequence[str]) -> Any:
    if not names:
        return None
    items = [html.Li(dcc.Link(text(name, 160), href=link("/run", run=name)))
             for name in names[:MOST_KEPT]]  # fmt: skip
    more = f", the first {MOST_KEPT:,} listed" if len(names) > MOST_KEPT else ""
    return html.Details([html.Summary(f"{len(names):,} campaigns are kept{more}"), html.Ul(items)])
