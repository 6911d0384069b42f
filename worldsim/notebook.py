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


def panel(heading: str, facts: Iterable[tuple[str, object]], bars: Iterable[Bar] = ()) -> str:
    """A heading over a table of facts and bars. All text is escaped here.

    Args:
        heading: What it is.
        facts: Names and values; those whose value is None are left out.
        bars: Below them.
    """
    rows = [_row(name, text(value)) for name, value in facts if value is not None]
    rows += [_row(bar.name, _bar(bar)) for bar in bars]
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
