"""A report as one HTML file, with all that it needs inside."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from worldsim.views.pictures.look import graph_objects, template, words
from worldsim.views.report.packing import figure_json, packed, table_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.views.pictures.picture import Picture
    from worldsim.views.report.page import Page, Section

LONGEST_TEXT = 4000
SCRIPT = '<script type="application/json" id="{}">{}</script>'


def html_of(page: Page) -> str:
    """The whole file.

    Its policy lets nothing be loaded from anywhere and no script run but the two in it.

    Raises:
        MissingExtraError: plotly is not installed.
    """
    graph_objects()
    from plotly.offline import get_plotlyjs  # noqa: PLC0415 - an extra

    # Ours comes first: the look is right at once, and all but the figures works while plotly loads.
    scripts = [_script_text(_own("report.js")), _script_text(get_plotlyjs())]
    body = "\n".join(_body(page))
    looks = SCRIPT.format("looks", packed({"light": template(), "dark": template(dark=True)}))
    return (
        '<!DOCTYPE html>\n<html lang="en" data-theme="light">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{_text(page.title)}</title>\n<style>\n{_own('report.css')}</style>\n</head>\n"
        f"<body>\n{body}\n{looks}\n"
        + "\n".join(f"<script>{script}</script>" for script in scripts)
        + "\n</body>\n</html>\n"
    )


def _own(name: str) -> str:
    return files(__package__ or "").joinpath(name).read_text(encoding="utf-8")


def _script_text(script: str) -> str:
    """A script that cannot end its own element."""
    return script.replace("</script", "<\\/script").replace("\r\n", "\n").replace("\r", "\n")


def _policy(scripts: list[str]) -> str:
    sums = (b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts)
    allowed = " ".join(f"'sha256-{each}'" for each in sums)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _text(text: str) -> str:
    """Any text, as text."""
    return escape(words(text, LONGEST_TEXT))


def _body(page: Page) -> Iterator[str]:
    yield '<a class="skip" href="#summary">Skip to the summary</a>\n<div class="page">'
    yield (
        f'<header><div><h1>{_text(page.title)}</h1><p class="about">{_text(page.about)}</p></div>'
        '<button id="theme" type="button" aria-label="Change between light and dark">Dark</button>'
        "</header>"
    )
    verify = (f"What is damaged: worldsim verify {page.damaged}",) if page.damaged else ()
    for each in (*page.warnings, *verify):
        yield f'<p class="warning" role="note">{_text(each)}</p>'
    yield "<noscript><p>The pictures need JavaScript, which is in this file.</p></noscript>"
    yield from _contents(page)
    yield '<main>\n<section id="summary"><h2>Summary</h2>'
    yield from (f"<p>{_text(each)}</p>" for each in page.summary)
    yield "</section>"
    for section in page.sections:
        yield from _section(section)
    yield from _origin(page)
    yield "</main>\n</div>"


def _contents(page: Page) -> Iterator[str]:
    entries = [("summary", "Summary"), *((each.name, each.title) for each in page.sections)]
    entries.append(("origin", "Where this comes from"))
    yield '<nav aria-label="Contents"><ul>'
    yield from (f'<li><a href="#{escape(name)}">{_text(title)}</a></li>' for name, title in entries)
    yield "</ul></nav>"


def _section(section: Section) -> Iterator[str]:
    name, picture = escape(section.name), section.picture
    if picture is None:
        yield f'<section id="{name}"><h2>{_text(section.title)}</h2>'
        yield f'<p class="nothing">{_text(section.nothing)}</p></section>'
        return
    yield f'<section id="{name}" data-figure><h2>{_text(section.title)}</h2>'
    yield f'<p class="says">{_text(picture.says)}</p>'
    yield from _days(section, picture)
    height = int(picture.figure.layout.height or 450)
    yield (
        f'<div class="figure" style="min-height:{height}px" role="img" '
        f'aria-label="{_text(section.title)}: {_text(picture.says)}"></div>'
    )
    yield from _tools(picture)
    shown = ((section.choose and "all together") or "", picture)
    for n, (_, each) in enumerate((shown, *section.choices)):
        yield SCRIPT.format(f"figure-{name}-{n}", figure_json(each))
        yield SCRIPT.format(f"table-{name}-{n}", packed(table_data(each.table)))
        if section.choices:
            said = {"says": words(each.says, LONGEST_TEXT), "python": each.python}
            yield SCRIPT.format(f"words-{name}-{n}", packed(said))
    yield "</section>"


def _days(section: Section, picture: Picture) -> Iterator[str]:
    """The controls of a figure that has days, or choices."""
    frames = len(picture.figure.frames)
    if not frames and not section.choices:
        return
    yield '<div class="days">'
    if section.choices:
        options = ("all together", *(words(name) for name, _ in section.choices))
        chosen = "".join(f"<option>{escape(each)}</option>" for each in options)
        yield f"<label>{_text(section.choose)} <select>{chosen}</select></label>"
    if frames:
        yield '<button class="play" type="button">Play</button>'
        last = frames - 1
        yield f'<input type="range" min="0" max="{last}" value="{last}" aria-label="day">'
        yield f"<output>day {_text(str(picture.figure.frames[-1].name))}</output>"
    yield "</div>"


def _tools(picture: Picture) -> Iterator[str]:
    yield (
        '<div class="tools"><button class="csv" type="button">CSV</button>'
        '<button class="svg" type="button">SVG</button></div>'
        f'<details><summary>Python</summary><pre><code class="python">{escape(picture.python)}'
        "</code></pre></details>"
        f'<details class="rows"><summary>Table, {len(picture.table.rows):,} rows</summary>'
        '<div class="scroll" tabindex="0" role="region" aria-label="Table"></div>'
        '<p class="empty"></p></details>'
    )


def _origin(page: Page) -> Iterator[str]:
    yield '<section id="origin"><h2>Where this comes from</h2><table class="origin">'
    for name, value in page.origin:
        yield f'<tr><th scope="row">{_text(name)}</th><td>{_text(value)}</td></tr>'
    yield "</table>"
    if page.reproduce:
        yield f"<p>{_text(page.reproduce_says)}</p>"
        yield f"<pre><code>{escape(chr(10).join(page.reproduce))}</code></pre>"
    for n, (name, text) in enumerate(page.files):
        yield (
            f'<div class="tools"><button type="button" data-file="file-{n}" '
            f'data-name="{_text(name)}">Save {_text(name)}</button></div>'
            f"<details><summary>{_text(name)}</summary>"
            f'<pre><code id="file-{n}">{escape(text)}</code></pre></details>'
        )
    yield "</section>"
