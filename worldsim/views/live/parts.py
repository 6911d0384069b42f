"""Pieces that the pages are made of. All text in them is text: Dash escapes what it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.views.cells import plain
from worldsim.views.live.address import link
from worldsim.views.live.dashed import dcc, html
from worldsim.views.pictures.look import template

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from worldsim.views.pictures.picture import Picture

STATES = {
    "running": "is being simulated",
    "finished": "finished",
    "interrupted": "interrupted: worldsim resume goes on",
    "failed": "failed",
    "damaged": "damaged",
}
GRAPH = "figure"


def text(value: object, longest: int = 400) -> str:
    """A value as one line of printable text, cut where it is too long."""
    told = plain(value)
    return told if len(told) <= longest else f"{told[: longest - 1]}…"


def problem(message: str) -> Any:
    """What cannot be shown, and why."""
    return html.Div(
        [html.Strong("This cannot be shown"), *[html.P(line) for line in message.splitlines()]],
        className="problem",
        role="alert",
    )


def loading(part: Any, **more: Any) -> Any:
    """A part of the page that shows that it is being made."""
    return dcc.Loading(part, delay_show=300, color="#0072b2", type="dot", **more)


def nothing(message: str) -> Any:
    """What to say where there is nothing to see."""
    return html.P(message, className="nothing")


def badge(state: str) -> Any:
    """The state of a run or study, as a word in a frame."""
    return html.Span(state, className=f"badge {state}", title=STATES.get(state, state))


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    numbers: Iterable[int] = (),
    whole: Iterable[int] = (),
) -> Any:
    """A table.

    Args:
        heads: Of its columns.
        rows: Their cells.
        numbers: Positions of columns that are aligned to the right.
        whole: Of columns whose words are never broken, since they are ours and short.
    """
    kinds = dict.fromkeys(numbers, "number") | dict.fromkeys(whole, "whole")
    align = [kinds.get(n, "") for n in range(len(heads))]
    head = html.Tr([html.Th(name, scope="col", className=align[n]) for n, name in enumerate(heads)])
    body = [
        html.Tr([html.Td(cell, className=align[n]) for n, cell in enumerate(row)]) for row in rows
    ]
    return html.Div(html.Table([html.Thead(head), html.Tbody(body)]), className="scrolls")


def facts(pairs: Iterable[tuple[str, Any]]) -> Any:
    """Names and values under each other."""
    children: list[Any] = []
    for name, value in pairs:
        children += [html.Dt(name), html.Dd(value)]
    return html.Dl(children, className="facts")


def tabs(links: Iterable[tuple[str, str]], chosen: str | None, label: str) -> Any:
    """Links of which one is where we are: addresses by titles."""
    items = []
    for title, address in links:
        here = {"aria-current": "page"} if title == chosen else {}
        items.append(
            html.Li(dcc.Link(title, href=address, className="tab here" if here else "tab"))
        )
    return html.Nav(html.Ul(items, className="tabs"), **{"aria-label": label})


def card(picture: Picture, csv: str, *, dark: bool, number: int = 0) -> Any:
    """A picture with what can be taken from it: CSV, SVG, and its Python.

    Args:
        picture: Made in the light look.
        csv: The address of its numbers.
        dark: Whether it is shown in the dark one.
        number: Tells apart pictures of one page that are the same.
    """
    name = f"{GRAPH}-{picture.name}-{number}"
    height = picture.figure.layout.height or 480
    return html.Section(
        [
            html.H2(picture.title),
            html.P(picture.says, className="says") if picture.says else None,
            dcc.Graph(
                id=name,
                figure=in_look(picture.figure, dark=dark),
                config=_config(picture.name),
                style={"height": f"{height}px"},
                responsive=True,
            ),
            _days(picture, name),
            html.Div(
                [
                    html.A("CSV", href=csv, download=f"{picture.name}.csv", className="button"),
                    html.Button(
                        "SVG",
                        className="button",
                        type="button",
                        **{"data-svg": name, "data-name": picture.name},
                    ),
                    html.Details(
                        [html.Summary("Python"), html.Pre(html.Code(picture.python))],
                        className="python",
                    ),
                ],
                className="tools",
            ),
        ],
        className="card",
        **{"aria-label": picture.title},
    )


def _days(picture: Picture, graph: str) -> Any:
    """A slider and a button to play the frames of a figure, which the keyboard can move too."""
    frames = [str(frame.name) for frame in picture.figure.frames]
    if not frames:
        return None
    last = len(frames) - 1
    return html.Div(
        [
            html.Button("Play", className="button", type="button", **{"data-play": graph}),
            # Not dcc.Slider, which asks the server: the frames are in the browser already.
            dcc.Input(
                type="range",
                min=0,
                max=last,
                step=1,
                value=last,
                id={"type": "frames", "graph": graph},
                className="frames",
            ),
            html.Output(f"day {frames[-1]}"),
        ],
        className="days",
        **{"data-frames": graph},
    )


def in_look(figure: Any, *, dark: bool) -> dict[str, Any]:
    """A figure as the browser takes it, in the look that is wanted."""
    plain_figure: dict[str, Any] = figure.to_plotly_json()
    layout = {**plain_figure.get("layout", {}), "template": template(dark=dark)}
    frames = plain_figure.get("frames")
    if not frames:
        return {**plain_figure, "layout": layout}
    for own in ("sliders", "updatemenus"):  # the page has better ones
        layout.pop(own, None)
    data = _as_in(plain_figure["data"], frames[-1])
    return {**plain_figure, "data": data, "layout": layout}


def _as_in(data: Sequence[Mapping[str, Any]], frame: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The traces of a figure as a frame shows them."""
    traces = [dict(trace) for trace in data]
    changes = frame.get("data") or ()
    for n, change in zip(frame.get("traces") or range(len(changes)), changes, strict=True):
        traces[n] = _changed(traces[n], change)
    return traces


def _changed(trace: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """A trace with what a frame changes, also inside of its parts."""
    both = {
        name: _changed(trace[name], each)
        for name, each in change.items()
        if isinstance(each, dict) and isinstance(trace.get(name), dict) and "bdata" not in each
    }
    return {**trace, **change, **both}


def _config(name: str) -> dict[str, Any]:
    return {
        "displaylogo": False,
        "responsive": True,
        "toImageButtonOptions": {"format": "svg", "filename": name},
        "modeBarButtonsToRemove": ["lasso2d", "select2d"],
    }


def event_link(run: str, seq: int, shown: str) -> Any:
    """A link to an event in the log."""
    return dcc.Link(shown, href=link("/log", run=run, seq=seq))


def code(lines: str) -> Any:
    """Lines of a command or a program."""
    return html.Pre(html.Code(lines))
