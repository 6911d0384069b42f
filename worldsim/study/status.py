"""``status.jsonl``: every campaign of a study that came to an end, one line each, as it did.

It is only ever appended to, and it is the truth: tables follow from it. A line that a crash tore is
left out, and its campaign is simulated once more.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, get_args

from worldsim.study.manifest import DamagedStudyError
from worldsim.study.work import End, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    Run = tuple[int, int]  # cell and replication


def row_line(outcome: Outcome) -> bytes:
    """What became of a campaign, as a line."""
    return _line({"at": round(time.time(), 3), **asdict(outcome)})


def note_line(event: str, **fields: Any) -> bytes:
    """Something that happened to the study as a whole, as a line."""
    return _line({"at": round(time.time(), 3), "event": event, **fields})


def _line(fields: dict[str, Any]) -> bytes:
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return f"{text}\n".encode()


def read_status(data: bytes, path: str) -> tuple[dict[Run, Outcome], int]:
    """The campaigns that came to an end, and how many bytes of the file are to be trusted.

    What a campaign did the first time counts, should it be there twice.

    Args:
        data: The file.
        path: What messages call it.

    Raises:
        DamagedStudyError: a line that is none is followed by one that is.
    """
    rows: dict[Run, Outcome] = {}
    trusted = 0
    torn: int | None = None
    for number, line in enumerate(_whole_lines(data), 1):
        told = _told(line)
        if told is None:
            torn = torn or number
            continue
        if torn is not None:
            raise DamagedStudyError(path, f"has a line that is none, number {torn}")
        trusted += len(line)
        if isinstance(told, Outcome):
            rows.setdefault((told.cell, told.replication), told)
    return rows, trusted


def _whole_lines(data: bytes) -> Iterable[bytes]:
    whole = data[: data.rfind(b"\n") + 1]
    return whole.splitlines(keepends=True)


def _told(line: bytes) -> Outcome | str | None:
    """A campaign, or what happened to the study as a whole; None if the line is none of ours."""
    try:
        fields = json.loads(line)
        del fields["at"]
        if "event" in fields:
            return str(fields["event"])
        outcome = Outcome(**fields)
        whole = (outcome.cell, outcome.replication, outcome.seed)
        values = outcome.values.values()
        sound = all(
            (
                str(outcome.status) in get_args(End),
                all(type(each) is int and each >= 0 for each in whole),
                all(value is None or type(value) in (int, float) for value in values),
            )
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return outcome if sound else None
