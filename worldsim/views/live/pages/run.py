"""A run: what became of it in words, and its pictures, made one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.runs.listing import files_in
from worldsim.views.cells import bytes_in_words
from worldsim.views.live.address import link
from worldsim.views.live.dashed import dcc, html
from worldsim.views.live.parts import (
    badge,
    card,
    code,
    facts,
    loading,
    nothing,
    tabs,
    text,
)
from worldsim.views.pictures import RUN_PICTURES
from worldsim.views.report.run_words import origin, reproduce, summary_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldsim.views.live.opened import OpenedRun

BEAT_MS = 2000
FIRST = RUN_PICTURES[0].name
Values = dict[str, str]


def overview(run: OpenedRun, values: Mapping[str, str]) -> Any:
    """The page of a run; words and picture are filled in as they are made."""
    chosen = picture_named(values.get("picture"))
    asked = {"run": run.name, "picture": chosen, "ingredient": values.get("ingredient")}
    return html.Div(
        [
            head(run, "Overview"),
            loading(html.Div(id="summary", className="summary")),
            html.H2("Pictures"),
            tabs(
                [
                    (each.title, link("/run", run=run.name, picture=each.name))
                    for each in RUN_PICTURES
                ],
                next(each.title for each in RUN_PICTURES if each.name == chosen),
                "Pictures",
            ),
            _ingredients(run, asked),
            dcc.Store(id="asked", data=asked),
            loading(
                html.Div(id="picture", className="picture"),
            ),
        ]
    )


def picture_named(name: str | None) -> str:
    """The picture that an address asks for, or the first."""
    return name if name in {each.name for each in RUN_PICTURES} else FIRST


def _ingredients(run: OpenedRun, asked: Mapping[str, Any]) -> Any:
    """A choice of one ingredient, where the picture can be of one."""
    of_one = {each.name for each in RUN_PICTURES if each.of_ingredient}
    names = [each.id for each in run.scenario.ingredients]
    if asked["picture"] not in of_one or not names:
        return None
    return html.Div(
        [
            html.Label("Ingredient", htmlFor="ingredient"),
            dcc.Dropdown(
                id="ingredient",
                options=[{"label": text(name, 60), "value": name} for name in names],
                value=asked["ingredient"] if asked["ingredient"] in names else None,
                placeholder="all together",
            ),
        ],
        className="choice",
    )


def head(run: OpenedRun, where: str) -> Any:
    """What is on top of every page of a run: its name, its state, its pages, and a clock."""
    pages = [
        ("Overview", link("/run", run=run.name)),
        ("Events", link("/log", run=run.name)),
        ("Teams", link("/team", run=run.name)),
        ("Compare", link("/compare", a=run.name)),
    ]
    return html.Div(
        [
            html.H1(text(run.name, 120)),
            html.Div(state_line(run), id="state", className="state", **{"aria-live": "polite"}),
            tabs(pages, where, "Pages of this run"),
            dcc.Store(id="seen", data=seen(run)),
            dcc.Store(id="day-seen", data=day_seen(run)),
            dcc.Interval(id="beat", interval=BEAT_MS),
            dcc.Store(id="title", data=text(run.name, 120)),
        ]
    )


def seen(run: OpenedRun) -> dict[str, Any]:
    """What tells whether there is more to see."""
    told = run.manifest
    return {"run": run.name, "version": run.version, "day": told.day, "state": run.state}


def day_seen(run: OpenedRun) -> dict[str, Any]:
    """What tells whether there is more to draw: pictures show whole days."""
    return {"run": run.name, "day": run.manifest.day, "state": run.state}


def is_changing(run: OpenedRun) -> bool:
    """Whether the page should look again soon."""
    return run.state == "running" or run.prepared is not None


def state_line(run: OpenedRun) -> Any:
    """How far the run is, in a line."""
    told = run.manifest
    days = f"{told.day:,} of {told.days:,} days" if told.day < told.days else f"{told.day:,} days"
    parts = [
        badge(run.state),
        html.Span(f"campaign {told.campaign}"),
        html.Span(f"seed {told.seed}"),
        html.Span(days, id="days"),
        html.Span(f"{told.events.total:,} log lines"),
        html.Span(bytes_in_words(sum(each.st_size for each in files_in(run.path)))),
    ]
    if told.error:
        parts.append(html.Span(text(told.error)))
    if run.prepared is not None:
        parts.append(html.Span(f"the log is prepared for quick answers: {run.prepared:.0%}"))
    if run.state == "running":
        parts.append(html.Progress(value=str(told.day), max=str(told.days)))
    return parts


def summary(run: OpenedRun) -> Any:
    """What became of the campaign in words, what it is, and how to have it again."""
    run.summary()  # read once, and remembered
    paragraphs, told, again = run.remembered(
        ("words",),
        lambda: run.reading(lambda it: (summary_words(it), origin(it), reproduce(it))),
    )
    return [
        *[html.P(each) for each in paragraphs],
        html.Details(
            [
                html.Summary("Scenario, seed, versions, and how to reproduce it"),
                facts((name, text(value)) for name, value in told),
                code("\n".join(again)),
            ]
        ),
    ]


def drawn(run: OpenedRun, name: str, ingredient: str | None, *, dark: bool, number: int = 0) -> Any:
    """A picture of the run, or what to say where it has none."""
    picture = run.picture(name, ingredient)
    if picture is None:
        return nothing(next(each.nothing for each in RUN_PICTURES if each.name == name))
    address = link("/csv/run", run=run.name, picture=name, ingredient=ingredient)
    return card(picture, address, dark=dark, number=number)
