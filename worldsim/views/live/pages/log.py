"""The event log: filters, a table that the server cuts into pages, and one event in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.events.schema import kinds_by_name
from worldsim.views.live.address import Wanted, link, whole
from worldsim.views.live.dashed import AgGrid, dcc, html
from worldsim.views.live.downloads import MOST_EVENTS
from worldsim.views.live.grid import names_in
from worldsim.views.live.pages.run import head
from worldsim.views.live.parts import loading, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldsim.views.live.opened import OpenedRun

BLOCK = 100
MOST_SEQ = 2**53
WIDTHS = {"seq": 84, "day": 62, "time": 62, "event": 140, "who": 150}
BEHIND = {"where": 90, "level": 80}
DEBOUNCE_S = 0.4
COLUMN = {"sortable": False, "cellDataType": False}
"""Of all columns: order and types are the server's."""


def log_page(run: OpenedRun, values: Mapping[str, str]) -> Any:
    """The page of the log."""
    wanted = Wanted.of(dict(values))
    seq = whole(values.get("seq"), most=MOST_SEQ)
    return html.Div([head(run, "Events"), log_of(run, wanted, seq)])


def log_of(run: OpenedRun, wanted: Wanted, seq: int | None = None) -> Any:
    """The log with its filters, as any page can have it once."""
    return html.Div(
        [
            dcc.Store(id="wanted", data={"run": run.name, **wanted.values()}),
            dcc.Store(id="chosen", data=seq),
            dcc.Store(id="kept"),
            _filters(run, wanted),
            html.Div(
                [
                    html.Div(
                        [
                            html.Div(
                                [
                                    html.Span(id="count", **{"aria-live": "polite"}),
                                    html.A(
                                        "CSV",
                                        id="log-csv",
                                        className="button",
                                        title=f"At most {MOST_EVENTS:,} events; all of them: "
                                        "worldsim events RUN --format csv",
                                    ),
                                ],
                                className="above",
                            ),
                            html.Div(id="log-problem", role="alert"),
                            _grid(),
                        ],
                        className="log",
                    ),
                    loading(
                        html.Aside(
                            id="event", className="event", tabIndex=-1, **{"aria-live": "polite"}
                        ),
                        parent_className="beside",
                    ),
                ],
                className="columns",
            ),
        ]
    )


def _filters(run: OpenedRun, wanted: Wanted) -> Any:
    kinds = (wanted.kinds or "").split(",") if wanted.kinds else []
    return html.Div(
        [
            _labelled("Kinds", "f-kinds", dcc.Dropdown(
                id="f-kinds", options=list(kinds_by_name()), value=kinds, multi=True,
                placeholder="all kinds")),
            _labelled("Team", "f-team", _names(run, "f-team", "team", wanted.team)),
            _labelled("Place or region", "f-sector", _names(run, "f-sector", "place",
                                                            wanted.sector)),
            _labelled("From day", "f-first", dcc.Input(
                id="f-first", type="number", min=0, step=1, value=wanted.first,
                debounce=DEBOUNCE_S)),
            _labelled("To day", "f-last", dcc.Input(
                id="f-last", type="number", min=0, step=1, value=wanted.last,
                debounce=DEBOUNCE_S)),
            _labelled("Least level", "f-level", dcc.Dropdown(
                id="f-level", options=["debug", "info", "warning"], value=wanted.level,
                placeholder="any")),
            _labelled("Text", "f-text", dcc.Input(
                id="f-text", type="search", value=wanted.text or "", debounce=DEBOUNCE_S,
                placeholder="in any name", maxLength=200)),
            _labelled("SQL condition, then Enter", "f-where", dcc.Input(
                id="f-where", type="text", value=wanted.where or "", debounce=True,
                placeholder="situation < 30", maxLength=2000, spellCheck=False)),
            dcc.Checklist(id="f-newest", options=[{"label": "newest first", "value": "1"}],
                          value=["1"] if wanted.newest else [], className="check"),
            html.Button("Clear", id="f-clear", className="button", type="button"),
        ],
        className="filters",
        role="search",
    )  # fmt: skip


def _labelled(label: str, of: str, control: Any) -> Any:
    return html.Div([html.Label(label, htmlFor=of), control], className="field")


def _names(run: OpenedRun, name: str, column: str, chosen: str | None) -> Any:
    names = names_in(run, column)
    if chosen is not None and chosen not in names:
        names.append(chosen)
    options = [{"label": text(each, 80), "value": each} for each in names]
    return dcc.Dropdown(id=name, options=options, value=chosen, placeholder="any")


def columns() -> list[dict[str, Any]]:
    """The columns of tables of events. No cell has a renderer: all of them are text."""
    before, behind = (
        [{"field": name, "width": width, "headerName": name} for name, width in widths.items()]
        for widths in (WIDTHS, BEHIND)
    )
    what = {"field": "what", "flex": 1, "minWidth": 300, "headerName": "what",
            "tooltipField": "what"}  # fmt: skip
    return [*before, what, *behind]


def grid_options() -> dict[str, Any]:
    """What all tables of events have in common."""
    return {
        "rowSelection": {"mode": "singleRow", "checkboxes": False, "enableClickSelection": True},
        "enableCellTextSelection": True,
        "tooltipShowDelay": 600,
        "rowHeight": 30,
        "headerHeight": 34,
        "suppressMovableColumns": True,
        "animateRows": False,
        "suppressFieldDotNotation": True,
    }


def _grid() -> Any:
    return AgGrid(
        id="log",
        columnDefs=columns(),
        defaultColDef=COLUMN,
        rowModelType="infinite",
        dashGridOptions={
            **grid_options(),
            "cacheBlockSize": BLOCK,
            "maxBlocksInCache": 20,
            "maxConcurrentDatasourceRequests": 1,
            "infiniteInitialRowCount": 1,
            "rowBuffer": 10,
        },
        style={"height": "62vh", "minHeight": "320px", "width": "100%"},
    )


def csv_address(wanted: Mapping[str, Any]) -> str:
    """Where the filtered events are as a file."""
    return link("/csv/events", **dict(wanted))
