"""One event: what it says, what led to it, and the dice behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.errors import WorldsimError
from worldsim.views.live.address import link
from worldsim.views.live.dashed import dcc, html
from worldsim.views.live.grid import clock
from worldsim.views.live.parts import event_link, facts, loading, problem, text
from worldsim.views.words import roll_lines, tell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from worldsim.runs.causes import Chain, Link
    from worldsim.views.live.opened import OpenedRun

MOST_ROLLS = 12
HEAD = frozenset({"event", "seq", "t", "day", "level", "cause"})


def event_panel(run: OpenedRun, seq: int) -> Any:
    """The event and its causes, oldest first; their dice come later, since days are simulated.

    Raises:
        WorldsimError: there is no such event, or the run is damaged.
    """
    chain = run.causes(seq, rolls=False)
    event = chain.links[-1].event if chain.links else {}
    return [
        html.H2(f"Event {seq:,}"),
        html.P(tell(event), className="says"),
        _next(run, event),
        html.H3("Why: what led to it, and the dice"),
        dcc.Store(id="dice", data={"run": run.name, "seq": seq}),
        loading(html.Div(_chain(run, chain), id="chain")),
        html.Details(
            [
                html.Summary("All fields"),
                facts((name, text(value)) for name, value in event.items()),
            ]
        ),
    ]


def with_dice(run: OpenedRun, seq: int) -> Any:
    """The chain of causes with the dice of each; without them, where days cannot be simulated."""
    try:
        return _chain(run, run.causes(seq))
    except WorldsimError as error:
        return [_chain(run, run.causes(seq, rolls=False)), problem(str(error))]


def _chain(run: OpenedRun, chain: Chain) -> Any:
    earlier = f"… {chain.earlier:,} earlier causes" if chain.earlier else None
    founding = chain.founding is not None
    return html.Div(
        [
            html.P("The founding of the world is not in a log of warnings.") if founding else None,
            html.P(earlier, className="dim") if earlier else None,
            html.Ol([_link(run, each) for each in chain.links], className="chain"),
            html.P(chain.problem, className="dim") if chain.problem else None,
        ]
    )


def _link(run: OpenedRun, each: Link) -> Any:
    event = each.event
    rolls = roll_lines(each.rolls or ())
    more = len(rolls) - MOST_ROLLS
    return html.Li(
        [
            html.Span(
                [
                    event_link(run.name, event["seq"], f"{event['seq']:,}"),
                    f" · day {event['day']:,}, {clock(event['t'])} · {event['event']}",
                ],
                className="dim",
            ),
            html.P(tell(event)),
            html.Ul([html.Li(roll) for roll in rolls[:MOST_ROLLS]], className="rolls"),
            html.P(f"… and {more:,} more rolls", className="dim") if more > 0 else None,
        ],
        className=str(event["level"]),
    )


def _next(run: OpenedRun, event: Mapping[str, Any]) -> Any:
    """What can be looked at from here."""
    links = []
    if event.get("day"):
        address = link("/replay", run=run.name, day=event["day"], team=event.get("team"))
        title = f"Replay day {event['day']:,} in detail"
        links.append(dcc.Link(title, href=address, className="button"))
    if event.get("team"):
        address = link("/team", run=run.name, team=event["team"])
        links.append(dcc.Link("Open the team", href=address, className="button"))
    if "seq" in event:
        address = link("/log", run=run.name, where=f"cause = {event['seq']}")
        links.append(dcc.Link("What it led to", href=address, className="button"))
    return html.Div(links, className="tools")
