"""Dash as this package uses it: its own types miss half of what its components take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import dash
import dash_ag_grid

if TYPE_CHECKING:
    from collections.abc import Callable

Answer = TypeVar("Answer", bound="Callable[..., Any]")

html: Any = dash.html
dcc: Any = dash.dcc
AgGrid: Any = dash_ag_grid.AgGrid
Dash: Any = dash.Dash
Input: Any = dash.Input
Output: Any = dash.Output
State: Any = dash.State
ClientsideFunction: Any = dash.ClientsideFunction
no_update: Any = dash.no_update
PreventUpdate: type[Exception] = dash.exceptions.PreventUpdate


def answers(app: Any, *wiring: Any, **more: Any) -> Callable[[Answer], Answer]:
    """As ``app.callback``: a function that answers when an input changes."""
    decorator: Callable[[Answer], Answer] = app.callback(*wiring, **more)
    return decorator
