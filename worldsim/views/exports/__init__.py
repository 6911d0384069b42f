"""Runs in the formats of others."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from worldsim.views.exports.writing import new_file, new_folder, size_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldsim.runs import Run

Form = Literal["perfetto", "ocel", "ocel-sqlite", "sqlite", "parquet", "csv"]
FORMS: tuple[Form, ...] = get_args(Form)


class _Writer(NamedTuple):
    """How a format is written.

    Attributes:
        module, function: What writes it.
        ending: Of the name it has where none is given.
        folder: Whether it is a folder of files.
    """

    module: str
    function: str
    ending: str
    folder: bool = False


_WRITERS: dict[Form, _Writer] = {
    "perfetto": _Writer("perfetto_trace", "write_perfetto", ".pftrace"),
    "ocel": _Writer("ocel", "write_ocel_json", ".ocel.json"),
    "ocel-sqlite": _Writer("ocel", "write_ocel_sqlite", ".ocel.sqlite"),
    "sqlite": _Writer("sqlite", "write_sqlite", ".sqlite"),
    "parquet": _Writer("tables", "write_parquet_folder", "-parquet", folder=True),
    "csv": _Writer("tables", "write_csv_folder", "-csv", folder=True),
}


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written.

    Attributes:
        path: The file, or the folder of files.
        form: Its format.
        bytes: How large it is.
        counts: What is in it, by what the format calls it.
    """

    path: Path
    form: Form
    bytes: int
    counts: dict[str, int]


def default_path(run: Run, form: Form) -> Path:
    """Where an export goes that nobody gave a place: the current folder, by the run's name."""
    return Path(f"{run.name}{_WRITERS[form].ending}")


def export(
    run: Run,
    form: Form,
    out: str | Path | None = None,
    *,
    on_events: Callable[[int], None] | None = None,
) -> Exported:
    """Write a run in another format. The run stays as it is.

    All of it appears at once, under its name, or nothing does.

    Args:
        run: As far as it came: of one that is written or was killed, what is there now.
        form: The format.
        out: A path that does not exist, in a folder that does; `default_path` if None.
        on_events: Told now and then how many lines of the log were read.

    Raises:
        TakenError, NoPlaceError: nothing can be written there.
        MissingExtraError: the format needs a library that is not installed.
        WorldsimError: the run is damaged, or the system refused.
    """
    writer = _WRITERS[form]
    path = default_path(run, form) if out is None else Path(out)
    write: Any = getattr(import_module(f"{__name__}.{writer.module}"), writer.function)
    new = new_folder if writer.folder else new_file
    with new(path, run.path) as made:
        counts = write(run, made, on_events)
    return Exported(path, form, size_of(path), counts)
