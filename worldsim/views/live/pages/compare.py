"""Two runs side by side: the same picture of both, and where they part."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from worldsim.runs.difference import compare
from worldsim.runs.reading import Run
from worldsim.views.live.address import link
from worldsim.views.live.dashed import dcc, html
from worldsim.views.live.pages.run import drawn, picture_named
from worldsim.views.live.parts import event_link, loading, nothing, problem, table, tabs, text
from worldsim.views.pictures import RUN_PICTURES
from worldsim.views.report.run_words import counted
from worldsim.views.words import tell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldsim.runs.difference import Difference
    from worldsim.views.live.catalogue import Catalogue

FIRST = "stock-by-ingredient"
MOST_KEYS, MOST_KINDS = 40, 60


def compare_page(catalogue: Catalogue, values: Mapping[str, str]) -> Any:
    """The page of two runs; it is filled in as they are read."""
    names = catalogue.names("run")
    a, b = (values.get(side) for side in "ab")
    names += [each for each in (a, b) if each is not None and each not in names]
    picture = picture_named(values.get("picture") or FIRST)
    return html.Div(
        [
            html.H1("Two runs side by side"),
            html.Div(
                [_choice(side, names, chosen) for side, chosen in (("a", a), ("b", b))],
                className="columns even",
            ),
            tabs(
                [(each.title, link("/compare", a=a, b=b, picture=each.name))
                 for each in RUN_PICTURES],
                next(each.title for each in RUN_PICTURES if each.name == picture),
                "Pictures",
            ),
            dcc.Store(id="pair", data={"a": a, "b": b, "picture": picture}),
            html.Div(
                [loading(html.Div(id=f"side-{side}")) for side in "ab"],
                className="columns even",
            ),
            html.H2("Where they part"),
            loading(html.Div(id="difference")),
        ]
    )  # fmt: skip


def _choice(side: str, names: Sequence[str], chosen: str | None) -> Any:
    options = [{"label": text(name, 100), "value": name} for name in names]
    return html.Div(
        [
            html.Label(f"Run {side.upper()}", htmlFor=f"pick-{side}"),
            dcc.Dropdown(id=f"pick-{side}", options=options, value=chosen,
                         placeholder="choose a run", clearable=False),
        ],
        className="field",
    )  # fmt: skip


def side(catalogue: Catalogue, pair: Mapping[str, Any], which: str, *, dark: bool) -> Any:
    """The picture of one of the two."""
    name = pair.get(which)
    if not name:
        return nothing(f"Choose run {which.upper()} above.")
    run = catalogue.run(str(name))
    return [
        html.H2(dcc.Link(text(name, 100), href=link("/run", run=name))),
        drawn(run, picture_named(pair.get("picture")), None, dark=dark, number="ab".index(which)),
    ]


def difference(catalogue: Catalogue, pair: Mapping[str, Any]) -> Any:
    """In what the two differ, in words.

    Raises:
        WorldsimError: one of them cannot be read.
    """
    a, b = pair.get("a"), pair.get("b")
    if not a or not b:
        return nothing("Choose two runs above.")
    one, other = catalogue.run(str(a)), catalogue.run(str(b))
    found = one.remembered(
        ("compare", other.path, other.version),
        # Opened anew: two that wait for each other's lock would wait for ever.
        lambda: compare(Run.open(one.path), Run.open(other.path)),
    )
    return [_scenarios(found), *_parting(found, (str(a), str(b))), _counts(found)]


def _scenarios(found: Difference) -> Any:
    if found.same_scenario:
        return html.P("The scenario and the seed are the same.")
    if found.problem is not None:
        return problem(f"The scenarios or seeds differ; where cannot be said: {found.problem}")
    rows = [(text(key.key, 120), _value(key.a), _value(key.b)) for key in found.keys[:MOST_KEYS]]
    says = f"The scenarios differ in {counted(len(found.keys), 'key')}."
    return html.Div([html.P(says), table(("key", "A", "B"), rows)])


def _value(value: object) -> str:
    if value is None:
        return "not given"
    return text(value if isinstance(value, str) else json.dumps(value), 160)


def _parting(found: Difference, names: tuple[str, str]) -> list[Any]:
    parting = found.divergence
    if parting is None:
        says = "No event differs"
        if found.goes_on is not None:
            longer, shorter = (found.a, found.b) if found.goes_on == "a" else (found.b, found.a)
            says += (
                f" as far as both go: {text(longer.name, 100)} goes on to day "
                f"{longer.last_day:,}, the other ends after day {shorter.last_day:,}"
            )
        return [html.P(f"{says}.")]
    day = min(parting.a[0]["day"], parting.b[0]["day"])
    rows = [
        ("both" if n is None else names[n], each)
        for n, events in ((None, parting.before), (0, parting.a), (1, parting.b))
        for each in events
    ]
    told = [
        (
            text(whose, 60),
            f"{event['day']:,}",
            event_link(names[0] if whose == "both" else whose, event["seq"], f"{event['seq']:,}")
            if "seq" in event
            else "",
            text(event["event"]),
            text(tell(event), 600),
        )
        for whose, event in rows
    ]
    return [
        html.P(f"The first difference is on day {day:,}."),
        table(("run", "day", "event", "kind", "what"), told, numbers=(1, 2), whole=(3,)),
    ]


def _counts(found: Difference) -> Any:
    counts = list(found.counts.items())
    if not counts:
        return None
    rows = [(kind, f"{a:,}", f"{b:,}", f"{b - a:+,}") for kind, (a, b) in counts[:MOST_KINDS]]
    last = min(found.a.last_day, found.b.last_day)
    return html.Div(
        [
            html.H3(f"How often each kind happened from there to the end of day {last:,}"),
            table(("kind", "A", "B", "B minus A"), rows, numbers=(1, 2, 3), whole=(0,)),
        ]
    )
