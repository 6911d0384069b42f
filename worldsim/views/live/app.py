"""The Dash app of the live page: its frame, and which view an address leads to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldsim.views.live.address import values_of
from worldsim.views.live.answers import answer_all, failed, told
from worldsim.views.live.catalogue import Catalogue
from worldsim.views.live.dashed import (
    ClientsideFunction,
    Dash,
    Input,
    Output,
    answers,
    dcc,
    html,
)
from worldsim.views.live.downloads import offer
from worldsim.views.live.hosts import LOCAL
from worldsim.views.live.pages.compare import compare_page
from worldsim.views.live.pages.listing import listing
from worldsim.views.live.pages.log import log_page
from worldsim.views.live.pages.replay import replay_page
from worldsim.views.live.pages.run import overview
from worldsim.views.live.pages.team import team_page
from worldsim.views.live.parts import nothing
from worldsim.views.live.security import guard, policy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    View = Callable[[Mapping[str, str]], Any]


def make_app(
    place: Path | Catalogue, *, hosts: Sequence[str] = LOCAL, token: str | None = None
) -> Any:
    """The live page of a folder.

    Args:
        place: A run, a study or a folder of them, or what was found there.
        hosts: Names it answers to.
        token: What visitors must know; None where only this machine can ask.
    """
    catalogue = place if isinstance(place, Catalogue) else Catalogue(place)
    app = Dash(
        "worldsim",
        assets_folder=str(Path(__file__).parent / "assets"),
        title="worldsim",
        update_title=None,
        suppress_callback_exceptions=True,
        serve_locally=True,
        add_log_handler=False,
        enable_mcp=False,
        on_error=failed,
    )
    app.layout = _frame(catalogue)
    _route(app, catalogue)
    answer_all(app, catalogue)
    offer(app.server, catalogue)
    guard(app.server, hosts=hosts, token=token, csp=policy(app.csp_hashes()))
    return app


def _frame(catalogue: Catalogue) -> Any:
    """What is on every page."""
    only = catalogue.only()
    home = None if only else dcc.Link("All runs", href="/")
    return html.Div(
        [
            html.A("Skip to the page", href="#page", className="skip"),
            dcc.Location(id="at", refresh="callback-nav"),
            dcc.Store(id="theme"),
            dcc.Store(id="shown"),
            html.Header(
                [
                    html.Span([html.Strong("worldsim"), home], className="brand"),
                    html.Button("Dark", id="dark", type="button", className="button"),
                ]
            ),
            html.Main(html.P("Loading …", className="nothing"), id="page", tabIndex=-1),
        ]
    )


def _route(app: Any, catalogue: Catalogue) -> None:
    def of_run(view: Callable[[Any, Mapping[str, str]], Any]) -> View:
        return lambda values: view(catalogue.run(values.get("run", "")), values)

    def of_study(values: Mapping[str, str]) -> Any:
        from worldsim.views.live.pages.study import study_page  # noqa: PLC0415 -- loads statistics

        name = values.get("study", "")
        return study_page(catalogue.study(name), name, catalogue.kept_runs(name), values)

    def home(values: Mapping[str, str]) -> Any:
        only = catalogue.only()
        if only is None:
            return listing(catalogue)
        kind, name = only
        return views[f"/{kind}"]({**values, kind: name})

    views: dict[str, View] = {
        "/": home,
        "/run": of_run(overview),
        "/log": of_run(log_page),
        "/team": of_run(team_page),
        "/replay": of_run(replay_page),
        "/compare": lambda values: compare_page(catalogue, values),
        "/study": of_study,
    }

    @answers(app, Output("page", "children"), Input("at", "pathname"), Input("at", "search"))
    @told
    def page(pathname: str | None, search: str | None) -> Any:
        view = views.get(pathname or "/")
        if view is None:
            return nothing("There is no such page.")
        return view(values_of(search))

    app.clientside_callback(
        ClientsideFunction("live", "theme"), Output("theme", "data"), Input("at", "href")
    )
    app.clientside_callback(
        ClientsideFunction("live", "title"), Output("shown", "data"), Input("title", "data")
    )
