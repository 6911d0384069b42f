"""Numbers to take away: CSV of pictures and of filtered events, as files."""

from __future__ import annotations

import csv
import io
from http import HTTPStatus
from typing import TYPE_CHECKING

from flask import Response, request

from worldsim.errors import InputError, WorldsimError
from worldsim.events.schema import columns
from worldsim.views.cells import csv_cell
from worldsim.views.live.address import Wanted, values_of
from worldsim.views.live.grid import condition
from worldsim.views.live.team_life import team_life

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from flask import Flask

    from worldsim.views.live.catalogue import Catalogue
    from worldsim.views.pictures.picture import Picture

MOST_EVENTS = 200_000
"""In a CSV file; one that was cut there is called so."""
WITHIN_S = 60.0


def offer(server: Flask, catalogue: Catalogue) -> None:
    """Answer the addresses of CSV files."""

    def of_run() -> Response:
        values = values_of(request.query_string.decode("ascii", "replace"))
        run = catalogue.run(values.get("run", ""))
        picture = run.picture(values.get("picture", ""), values.get("ingredient"))
        return _picture_csv(picture)

    def of_team() -> Response:
        values = values_of(request.query_string.decode("ascii", "replace"))
        team = values.get("team", "")
        run = catalogue.run(values.get("run", ""))
        return _picture_csv(run.reading(lambda opened: team_life(opened, team)))

    def of_study() -> Response:
        values = values_of(request.query_string.decode("ascii", "replace"))
        from worldsim.views.pictures.study import study_picture  # noqa: PLC0415 -- loads statistics

        study = catalogue.study(values.get("study", ""))
        kind, metric = values.get("picture", ""), values.get("metric")
        return _picture_csv(study_picture(study, kind, metric))

    def of_events() -> Response:
        values = values_of(request.query_string.decode("ascii", "replace"))
        run, wanted = catalogue.run(values.get("run", "")), Wanted.of(dict(values))
        kinds = [each for each in (wanted.kinds or "").split(",") if each]
        where = condition(wanted)
        shown = ", ".join(f'"{name}"' for name in columns(kinds or None))
        answer = run.ask(
            f"SELECT {shown} FROM events WHERE {where}",  # noqa: S608 -- quoted by `condition`
            most=MOST_EVENTS, within_s=WITHIN_S, stranger=bool(wanted.where),
        )  # fmt: skip
        name = f"first_{MOST_EVENTS}_events" if answer.more else "events"
        return _csv(name, answer.columns, answer.rows)

    offered = {"run": of_run, "team": of_team, "study": of_study, "events": of_events}
    for path, answer in offered.items():
        server.add_url_rule(f"/csv/{path}", f"csv_{path}", answer, methods=["GET"])
    server.register_error_handler(WorldsimError, _refused)


def _refused(error: Exception) -> Response:
    """An answer that says what is wrong."""
    status = HTTPStatus.BAD_REQUEST if isinstance(error, InputError) else HTTPStatus.CONFLICT
    return Response(f"{error}\n", status, content_type="text/plain; charset=utf-8")


def _picture_csv(picture: Picture | None) -> Response:
    if picture is None:
        return Response("There is nothing to show.\n", HTTPStatus.NOT_FOUND)
    return _csv(picture.name, picture.table.columns, picture.table.rows)


def _csv(name: str, heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Response:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([csv_cell(head) for head in heads])
    writer.writerows([csv_cell(cell) for cell in row] for row in rows)
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(text.getvalue(), content_type="text/csv; charset=utf-8", headers=headers)
