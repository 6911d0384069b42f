"""The event log as a table that is filtered and cut into pages by the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from worldsim.errors import InputError
from worldsim.events.schema import columns, kinds_by_name
from worldsim.runs import duck
from worldsim.runs.filters import Filters
from worldsim.views.cells import plain
from worldsim.views.words import tell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from worldsim.runs.asking import Answer
    from worldsim.views.live.address import Wanted
    from worldsim.views.live.opened import OpenedRun

MOST_ROWS = 500  # of a page
LONGEST_CELL = 600
LEAST_ROW, MOST_ROW = 0, 2**40
MINUTES_A_DAY = 1440
ACTORS = ("team", "colony", "place", "sector", "region", "campaign")
PLACES = ("place", "sector", "target", "region")
WILD = frozenset("%_\\")
VOCABULARY = frozenset(
    {"activity", "condition", "digest", "event", "event_table", "harm", "heading", "how", "level",
     "mishap", "mission", "policy", "pool", "reason", "rule", "weather"}
)  # fmt: skip
"""Columns of text that hold words of ours, which other filters choose by."""


class NoKindError(InputError, LookupError):
    """A kind that no event is of."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind

    def __str__(self) -> str:
        return f"no event is called {self.kind[:60]!r}"


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows of the table.

    Attributes:
        rows: Cells by column, plain text and numbers.
        total: How many rows the whole table has.
    """

    rows: list[dict[str, Any]]
    total: int


def condition(wanted: Wanted) -> str:
    """SQL of all that is wanted; every value in it is quoted, and a condition of SQL checked.

    Raises:
        NoKindError: a kind is none.
        QueryError: the condition is none.
    """
    kinds = tuple(each for each in (wanted.kinds or "").split(",") if each)
    for kind in kinds:
        if kind not in kinds_by_name():
            raise NoKindError(kind)
    filters = Filters(
        kinds=kinds, team=wanted.team, sector=wanted.sector, first=wanted.first,
        last=wanted.last, level=wanted.level,
    )  # fmt: skip
    sql = filters.sql()
    if wanted.text:
        sql += f" AND {_holding(wanted.text)}"
    if wanted.where:
        duck.check_condition(wanted.where)
        sql += f" AND (\n{wanted.where}\n)"
    return sql


def _holding(text: str) -> str:
    """SQL of events some name in which holds these characters, capital letters or not."""
    if set(text) & WILD:
        sought = duck.text(text.lower())
        parts = [f"contains(lower({duck.name_of(name)}), {sought})" for name in _names()]
    else:  # twice as quick
        sought = duck.text(f"%{text}%")
        parts = [f"{duck.name_of(name)} ILIKE {sought}" for name in _names()]
    return f"({' OR '.join(parts)})"


def _names() -> tuple[str, ...]:
    """The columns that hold names, those first that most events have."""
    texts = [name for name, kind in columns().items() if kind == "VARCHAR"]
    return tuple(name for name in texts if name not in VOCABULARY)


def page(run: OpenedRun, wanted: Wanted, start: int, end: int) -> Page:
    """Rows of the table, from one on and before another.

    Raises:
        WorldsimError: what is wanted cannot be asked, or the run is damaged.
    """
    start = min(max(start, LEAST_ROW), MOST_ROW)
    most = min(max(end - start, 0), MOST_ROWS)
    where, stranger = condition(wanted), bool(wanted.where)
    order = " ORDER BY coalesce(seq, of) DESC, n DESC" if wanted.newest else ""
    # First which they are, then all of their fields: a hundred columns are read for few rows only.
    keys = run.ask(
        f"SELECT seq, of, n FROM events WHERE {where}{order} LIMIT {most} OFFSET {start}",  # noqa: S608 -- quoted
        most=most, stranger=stranger,
    ).rows  # fmt: skip
    if len(keys) < most and (keys or not start):
        total = start + len(keys)  # the last page tells how many there are
    else:
        total = _count(run, where, stranger=stranger)
    found = Page([row(event) for event in events_of(run, keys)], total)
    run.expect_strangers()  # now, since nobody waits any more
    return found


def _count(run: OpenedRun, where: str, *, stranger: bool) -> int:
    """How many events there are; counted once, since every page asks it."""
    sql = f"SELECT count(*) FROM events WHERE {where}"  # noqa: S608 -- quoted, as in `condition`
    return run.remembered(("count", where), lambda: int(_only(run.ask(sql, stranger=stranger))))


def _only(answer: Answer) -> Any:
    return answer.rows[0][0]


def events_of(run: OpenedRun, keys: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Events and rolls, whole, in the order of their keys.

    Args:
        run: The run.
        keys: ``seq``, ``of`` and ``n`` of each; either the first or the other two are None.
    """
    seqs = [key[0] for key in keys if key[0] is not None]
    ofs = sorted({key[1] for key in keys if key[0] is None})
    parts = []
    if seqs:
        listed = ", ".join(map(str, seqs))
        parts.append(f"(seq BETWEEN {min(seqs)} AND {max(seqs)} AND seq IN ({listed}))")
    if ofs:
        parts.append(f"of IN ({', '.join(map(str, ofs))})")
    if not parts:
        return []
    answer = run.ask(f"SELECT * FROM events WHERE {' OR '.join(parts)}", most=100_000)  # noqa: S608 -- numbers
    found = {}
    for cells in answer.rows:
        event = dict(zip(answer.columns, cells, strict=True))
        found[event["seq"], event["of"], event["n"]] = event
    return [_as_it_was(found[key]) for key in map(tuple, keys) if key in found]


def _as_it_was(event: Mapping[str, Any]) -> dict[str, Any]:
    """An event without the columns of other kinds."""
    kind = kinds_by_name().get(event["event"])
    if kind is None:
        return {name: value for name, value in event.items() if value is not None}
    return {name: event[name] for name in ("event", *kind.__struct_fields__)}


def row(event: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of one event."""
    is_roll = event.get("of") is not None
    number = f"{event['of']}.{event['n']}" if is_roll else event["seq"]
    who = next((event[name] for name in ACTORS if event.get(name)), None)
    where = next((event[name] for name in PLACES if event.get(name)), None)
    cells = {
        "seq": number,
        "day": event["day"],
        "time": clock(event["t"]),
        "event": event["event"],
        "level": event["level"],
        "who": who,
        "where": where,
        "what": tell(event),
    }
    return {name: _shown(value) for name, value in cells.items()} | {
        "of": event["of"] if is_roll else event["seq"]
    }


def clock(t: int) -> str:
    """The time of day of a minute since the first dawn: ``07:30``."""
    hours, minutes = divmod(int(t) % MINUTES_A_DAY, 60)
    return f"{hours:02d}:{minutes:02d}"


def _shown(value: object) -> object:
    if value is None or isinstance(value, int):
        return value
    text = plain(value)
    return text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…"


def names_in(run: OpenedRun, column: str) -> list[str]:
    """The teams or places that a run names, for a person to pick from."""
    sql = {
        "team": "SELECT DISTINCT team FROM teams WHERE team IS NOT NULL ORDER BY 1",
        "place": "SELECT DISTINCT place FROM stocks UNION SELECT DISTINCT region FROM stocks"
        " ORDER BY 1",
    }[column]
    names = run.ask(sql, most=5000, log=False).rows
    return [str(name) for (name,) in names if name]
