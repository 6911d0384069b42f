"""What the page answers the browser, part by part. All of them only read."""

from __future__ import annotations

import sys
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from worldsim.errors import WorldsimError
from worldsim.views.live.address import Wanted, link, whole
from worldsim.views.live.dashed import (
    ClientsideFunction,
    Input,
    Output,
    PreventUpdate,
    State,
    answers,
    no_update,
)
from worldsim.views.live.grid import page
from worldsim.views.live.pages import compare, listing, run, team
from worldsim.views.live.pages.event import event_panel, with_dice
from worldsim.views.live.pages.log import MOST_SEQ, csv_address
from worldsim.views.live.pages.replay import replay_lines
from worldsim.views.live.parts import nothing, problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldsim.views.live.catalogue import Catalogue

Answer = TypeVar("Answer", bound="Callable[..., Any]")
FIELDS = ("kinds", "team", "sector", "first", "last", "level", "text", "where", "newest")


def told(answer: Answer) -> Answer:
    """A part of the page that says what is wrong where it cannot be shown."""

    @wraps(answer)
    def telling(*given: Any) -> Any:
        try:
            return answer(*given)
        except (WorldsimError, OSError) as error:
            return problem(words_of(error))
        except PreventUpdate:
            raise
        except Exception as error:  # noqa: BLE001 -- whatever it is, the page says so and goes on
            failed(error)
            return problem(f"a fault of worldsim: {type(error).__name__}")

    return telling  # type: ignore[return-value] # takes what the other takes


def words_of(error: Exception) -> str:
    """What an error says; of the system's, without its number."""
    if isinstance(error, OSError):
        return error.strerror or "a file cannot be read"
    return str(error)


def failed(error: Exception) -> Any:
    """A fault of ours: one line for whoever started the page, and the page stays as it is."""
    sys.stderr.write(f"worldsim view: {type(error).__name__}: {error}\n"[:500])
    return no_update


def answer_all(app: Any, catalogue: Catalogue) -> None:
    """Have the app answer for every part of every page."""
    _answer_list(app, catalogue)
    _answer_clock(app, catalogue)
    _answer_run(app, catalogue)
    _answer_filters(app)
    _answer_rows(app, catalogue)
    _answer_event(app, catalogue)
    _answer_compare(app, catalogue)
    _answer_study(app, catalogue)


def _answer_list(app: Any, catalogue: Catalogue) -> None:
    @answers(
        app,
        Output("list", "children"),
        Input("list-beat", "n_intervals"),
        prevent_initial_call=True,
    )
    def lists(beats: int | None) -> Any:
        if not beats:
            raise PreventUpdate
        return listing.listed(catalogue)


def _answer_clock(app: Any, catalogue: Catalogue) -> None:
    @answers(
        app,
        Output("seen", "data"),
        Output("day-seen", "data"),
        Output("state", "children"),
        Output("beat", "disabled"),
        Input("beat", "n_intervals"),
        State("seen", "data"),
        State("day-seen", "data"),
        prevent_initial_call=True,  # or what waits for "seen" would wait for ever
    )
    def follow(beats: int | None, seen: dict[str, Any], day_seen: dict[str, Any]) -> Any:
        if not beats:
            raise PreventUpdate
        try:
            opened = catalogue.run(seen["run"])
        except (WorldsimError, OSError):
            return (
                no_update,
                no_update,
                no_update,
                no_update,
            )  # between two of its steps: the next beat sees
        now, day = run.seen(opened), run.day_seen(opened)
        return (
            no_update if now == seen else now,
            no_update if day == day_seen else day,
            run.state_line(opened),
            not run.is_changing(opened),
        )


def _answer_run(app: Any, catalogue: Catalogue) -> None:
    @answers(app, Output("summary", "children"), Input("day-seen", "data"))
    @told
    def summary(seen: dict[str, Any]) -> Any:
        return run.summary(catalogue.run(seen["run"]))

    @answers(
        app,
        Output("picture", "children"),
        Input("asked", "data"),
        Input("theme", "data"),
        Input("day-seen", "data"),
        State("picture", "children"),
    )
    @told
    def picture(asked: dict[str, Any], theme: str | None, seen: dict[str, Any], before: Any) -> Any:
        if theme is None:
            raise PreventUpdate
        del before, seen
        opened = catalogue.run(asked["run"])
        name = run.picture_named(asked["picture"])
        return run.drawn(opened, name, asked["ingredient"], dark=theme == "dark")

    @answers(
        app,
        Output("at", "search", allow_duplicate=True),
        Input("ingredient", "value"),
        State("asked", "data"),
        prevent_initial_call=True,
    )
    def ingredient(chosen: str | None, asked: dict[str, Any]) -> Any:
        if chosen == asked["ingredient"]:
            raise PreventUpdate
        return link("", **{**asked, "ingredient": chosen})

    @answers(app, Output("life", "children"), Input("whose", "data"), Input("theme", "data"))
    @told
    def life(whose: dict[str, Any], theme: str | None) -> Any:
        if theme is None:
            raise PreventUpdate
        return team.life(catalogue.run(whose["run"]), whose["team"], dark=theme == "dark")


def _answer_filters(app: Any) -> None:
    @answers(
        app,
        Output("wanted", "data"),
        *[Input(f"f-{name}", "value") for name in FIELDS],
        State("wanted", "data"),
        prevent_initial_call=True,
    )
    def filters(*given: Any) -> Any:
        *chosen, before = given
        values = dict(zip(FIELDS, chosen, strict=True))
        values["kinds"] = ",".join(values["kinds"] or [])
        values["newest"] = "1" if values["newest"] else ""
        now = {"run": before["run"], **Wanted.of(values).values()}
        if now == before:
            raise PreventUpdate
        return now

    @answers(
        app,
        *[Output(f"f-{name}", "value") for name in FIELDS],
        Input("f-clear", "n_clicks"),
        prevent_initial_call=True,
    )
    def clear(clicks: int | None) -> Any:
        if not clicks:
            raise PreventUpdate
        return [], None, None, None, None, None, "", "", []


def _answer_rows(app: Any, catalogue: Catalogue) -> None:
    @answers(app, Output("log-csv", "href"), Input("wanted", "data"))
    def csv(wanted: dict[str, Any]) -> str:
        return csv_address(wanted)

    @answers(
        app,
        Output("log", "getRowsResponse"),
        Output("count", "children"),
        Output("log-problem", "children"),
        Input("log", "getRowsRequest"),
        State("wanted", "data"),
    )
    def rows(request: dict[str, Any] | None, wanted: dict[str, Any]) -> Any:
        if request is None:
            raise PreventUpdate
        start, end = (whole(request.get(name), most=2**40) or 0 for name in ("startRow", "endRow"))
        try:
            opened = catalogue.run(wanted["run"])
            found = page(opened, Wanted.of(wanted), start, end)
        except (WorldsimError, OSError) as error:
            return {"rowData": [], "rowCount": 0}, "", problem(words_of(error))
        count = f"{found.total:,} events" if found.total else "No event matches."
        return {"rowData": found.rows, "rowCount": found.total}, count, None

    app.clientside_callback(
        ClientsideFunction("live", "again"),
        Output("log", "id"),
        Input("wanted", "data"),
        Input("seen", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        ClientsideFunction("live", "keep"),
        Output("kept", "data"),
        Input("wanted", "data"),
        Input("chosen", "data"),
        prevent_initial_call=True,
    )


def _answer_event(app: Any, catalogue: Catalogue) -> None:
    @answers(app, Output("chosen", "data"), Input("log", "selectedRows"), prevent_initial_call=True)
    def choose(rows: list[dict[str, Any]] | None) -> Any:
        if not rows:
            raise PreventUpdate
        return whole(rows[0].get("of"), most=MOST_SEQ)

    @answers(app, Output("event", "children"), Input("chosen", "data"), State("wanted", "data"))
    @told
    def event(seq: int | None, wanted: dict[str, Any]) -> Any:
        if seq is None:
            return nothing("Choose an event to see its dice and its causes.")
        return event_panel(catalogue.run(wanted["run"]), seq)

    @answers(app, Output("chain", "children"), Input("dice", "data"))
    @told
    def dice(asked: dict[str, Any]) -> Any:
        return with_dice(catalogue.run(asked["run"]), asked["seq"])

    @answers(app, Output("replay", "children"), Input("replayed", "data"))
    @told
    def replay(asked: dict[str, Any]) -> Any:
        return replay_lines(catalogue.run(asked["run"]), asked["day"], asked["team"])


def _answer_compare(app: Any, catalogue: Catalogue) -> None:
    for which in "ab":

        @answers(
            app, Output(f"side-{which}", "children"), Input("pair", "data"), Input("theme", "data")
        )
        @told
        def side(pair: dict[str, Any], theme: str | None, which: str = which) -> Any:
            if theme is None:
                raise PreventUpdate
            return compare.side(catalogue, pair, which, dark=theme == "dark")

    @answers(app, Output("difference", "children"), Input("pair", "data"))
    @told
    def difference(pair: dict[str, Any]) -> Any:
        return compare.difference(catalogue, pair)

    @answers(
        app,
        Output("at", "search", allow_duplicate=True),
        Input("pick-a", "value"),
        Input("pick-b", "value"),
        State("pair", "data"),
        prevent_initial_call=True,
    )
    def pick(a: str | None, b: str | None, pair: dict[str, Any]) -> Any:
        if (a, b) == (pair["a"], pair["b"]):
            raise PreventUpdate
        return link("", a=a, b=b, picture=pair["picture"])


def _answer_study(app: Any, catalogue: Catalogue) -> None:
    @answers(
        app,
        Output("study-seen", "data"),
        Output("study-state", "children"),
        Output("study-beat", "disabled"),
        Input("study-beat", "n_intervals"),
        State("study-seen", "data"),
        prevent_initial_call=True,
    )
    def follow(beats: int | None, seen: dict[str, Any]) -> Any:
        if not beats:
            raise PreventUpdate
        from worldsim.views.live.pages import study  # noqa: PLC0415 -- loads statistics

        opened = catalogue.study(seen["study"])
        now = study.seen(opened, seen["study"])
        if now == seen:
            raise PreventUpdate
        return now, study.state_line(opened), now["status"] != "running"

    @answers(
        app,
        Output("study-picture", "children"),
        Output("study-found", "children"),
        Input("study-asked", "data"),
        Input("theme", "data"),
        Input("study-seen", "data"),
    )
    def picture(asked: dict[str, Any], theme: str | None, seen: dict[str, Any]) -> Any:
        if theme is None:
            raise PreventUpdate
        del seen
        return drawn(asked, theme), found(asked)

    @told
    def drawn(asked: dict[str, Any], theme: str) -> Any:
        from worldsim.views.live.pages import study  # noqa: PLC0415 -- as above

        return study.drawn(catalogue.study(asked["study"]), asked, dark=theme == "dark")

    @told
    def found(asked: dict[str, Any]) -> Any:
        from worldsim.views.live.pages import study  # noqa: PLC0415 -- as above

        return study.findings(catalogue.study(asked["study"]), asked["metric"])
