"""How things show themselves in a notebook: a heading, facts, bars; HTML that can do no harm.

It has no script, no address and no style but its own, and its colours go with light and dark pages.
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_TEXT = 300
FRAME = (
    "font-family:system-ui,sans-serif;color:inherit;border:1px solid rgba(128,128,128,.45);"
    "border-radius:6px;padding:8px 12px;margin:4px 0;display:inline-block;max-width:100%;"
    "overflow-wrap:anywhere"
)
TABLE = "border-collapse:collapse;margin-top:4px;color:inherit;background:none"
NAME = "padding:1px 16px 1px 0;text-align:left;opacity:.75;vertical-align:top;background:none"
VALUE = "padding:1px 0;text-align:left;vertical-align:top;background:none"
TROUGH = "display:inline-block;width:140px;height:9px;background:rgba(128,128,128,.3)"
BAR = "display:block;height:9px;background:#0072B2"


class Bar(NamedTuple):
    """A share as a bar.

    Attributes:
        name: Of what.
        share: From 0 to 1; beyond, it is cut.
        says: In figures, with a unit.
    """

    name: str
    share: float
    says: str


def panel(heading: str, told: Iterable[tuple[str, object] | Bar]) -> str:
    """A heading over a table of facts and bars. All text is escaped here, and nothing is raised.

    Args:
        heading: What it is.
        told: Names with values, those of which that are None are left out, and bars. If telling
            ends in an error, that is shown below what was told by then.
    """
    rows: list[str] = []
    try:
        for each in told:
            if isinstance(each, Bar):
                rows.append(_row(each.name, _bar(each)))
            elif each[1] is not None:
                rows.append(_row(each[0], text(each[1])))
    except Exception as error:  # noqa: BLE001 - a notebook shows what can be shown
        rows.append(_row("cannot be read", text(error)))
    table = f'<table style="{TABLE}"><tbody>{"".join(rows)}</tbody></table>'
    return f'<div style="{FRAME}"><strong>{text(heading)}</strong>{table}</div>'


def text(value: object) -> str:
    """A value as one escaped line without control characters, cut where it is too long."""
    line = " ".join(str(value).split())
    shown = "".join(each for each in line if each.isprintable())
    return escape(shown if len(shown) <= LONGEST_TEXT else f"{shown[: LONGEST_TEXT - 1]}…")


def _row(name: str, cell: str) -> str:
    return f'<tr><th style="{NAME}">{text(name)}</th><td style="{VALUE}">{cell}</td></tr>'


def _bar(bar: Bar) -> str:
    share = min(max(bar.share, 0.0), 1.0) if math.isfinite(bar.share) else 0.0
    inner = f'<span style="{BAR};width:{100 * share:.1f}%"></span>'
    return f'<span style="{TROUGH}">{inner}</span> {text(bar.says)}'
