"""``worldsim study``: many campaigns, and what they say together."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.examples import ExampleCommand, write_examples
from worldsim.cli.kinds import NewFolder, Whole
from worldsim.cli.named import open_study
from worldsim.cli.options import json_option, set_option
from worldsim.cli.output import clean, counted, note
from worldsim.cli.signals import INTERRUPTED, cut_off
from worldsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldsim.study.study import Study

FAILED = 1
STOPPING = b"\nbeginning nothing more; once more stops at once\n"
REPLICATIONS = Whole(1, 1_000_000)

study_argument = click.argument("study")
quiet_option = click.option("--quiet", is_flag=True, help="Show neither progress nor figures.")
csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV for spreadsheets.")
metric_option = click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", help="Only this one; may be repeated."
)


class UnfinishedStudyError(InputError):
    """The same study was begun before, and is not finished."""

    def __init__(self, path: str, done: int) -> None:
        super().__init__(path, done)
        self.path, self.done = path, done

    def __str__(self) -> str:
        return (
            f"{self.path} is this study, with {counted(self.done, 'campaign')} done; "
            f"go on with: worldsim study resume {shlex.quote(Path(self.path).name)}"
            " (or --out begins another)"
        )


def executor_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say who simulates."""
    for option in (
        click.option(
            "--publish", metavar="ADDRESS", callback=_of_a_known_kind,
            help="Copy finished parts there in the end: any address of fsspec, as s3://bucket/it.",
        ),
        click.option(
            "--scheduler", metavar="ADDRESS", callback=_only_of_dask,
            help="Of dask: tcp://HOST:PORT; without it a cluster is started here.",
        ),
        click.option(
            "--workers", type=Whole(1, 1000), metavar="N", default=_cores,
            show_default="one a core", help="Processes that simulate at the same time.",
        ),
        click.option(
            "--executor", type=click.Choice(["local", "dask"]), default="local", show_default=True,
            is_eager=True,
            help="Processes of this machine, or a cluster.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def _only_of_dask(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse an address that nobody would go to."""
    if value is not None and ctx.params.get("executor") != "dask":
        raise click.BadParameter("it goes with --executor dask", ctx=ctx, param=param)
    return value


def _of_a_known_kind(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Refuse an address to which nothing could be copied in the end, before anything is simulated.

    Raises:
        MissingExtraError: what it needs is not installed.
    """
    if value is not None:
        from worldsim.study.publishing import PublishingError, check_address  # noqa: PLC0415

        try:
            check_address(value)
        except PublishingError as error:
            raise click.BadParameter(error.reason, ctx=ctx, param=param) from error
    return value


def _cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


EXAMPLES = (
    ("worldsim study run one_success_cost", "a shipped study"),
    ("worldsim study compare one_success_cost", "what the change does, seed by seed"),
    ("worldsim study extend one_success_cost --replications 200", "to be surer"),
)


class _StudyGroup(click.Group):
    """A group whose help begins with examples, as that of every command does."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, then the text."""
        write_examples(formatter, EXAMPLES)
        super().format_help_text(ctx, formatter)


@click.group("study", cls=_StudyGroup)
def command() -> None:
    """Simulate many campaigns, and say how sure their figures are.

    A study file names a scenario, what differs between its cells, and how many campaigns each cell
    has; all cells share their seeds.
    """


@command.command(
    cls=ExampleCommand,
    short_help="Simulate what a study file asks for.",
    examples=[
        ("worldsim study run one_success_cost", "a shipped study"),
        ("worldsim study run my_study.toml --workers 8", ""),
        ("worldsim study run my_study.toml --set study.replications=5", "a first look"),
        ("worldsim study run my_study.toml --executor dask --scheduler tcp://10.0.0.1:8786", ""),
    ],
)
@click.argument("file")
@click.option("--out", type=NewFolder(), help="A new folder, instead of studies/NAME.")
@set_option
@executor_options
@quiet_option
@json_option
@click.pass_context
def run(
    ctx: click.Context, /, file: str, out: Path | None, sets: tuple[str, ...], *, quiet: bool,
    as_json: bool, **where: Any,
) -> None:  # fmt: skip
    """Simulate the study of FILE, a path or the name of a shipped one.

    Ctrl-C begins nothing more; `worldsim study resume` goes on from there, as it does after the
    machine stopped. Campaigns that fail are rows with their error, and end the command with 1.
    """
    from worldsim.study.study import Study  # noqa: PLC0415 -- not for --help

    with cut_off():  # metrics in SQL are tried
        study = Study.load(file, sets=sets)
    before = None if out is not None else _standing(study)
    if before is not None:
        note(f"This was simulated before: {clean(str(before.path))} (--out makes another)")
        _conclude(ctx, before, quiet=quiet, as_json=as_json)
        return
    if where["executor"] == "dask":
        from worldsim.study.executors.cluster import Cluster  # noqa: PLC0415

        # Here, so that no folder is made if the library is missing.
        where["executor"] = Cluster(where["scheduler"], where["workers"])
    _go_on(ctx, study.make(out), None, quiet=quiet, as_json=as_json, **where)


def _standing(study: Study) -> Study | None:
    """The same study, finished before.

    Raises:
        UnfinishedStudyError: there is one that is not.
    """
    from worldsim.study.study import same_studies  # noqa: PLC0415 -- not for --help

    for other in same_studies(study):
        if other.manifest.status != "finished":
            raise UnfinishedStudyError(str(other.path), len(other.rows))
        if other.manifest.totals[0] == study.plan.study.study.replications:
            return other
    return None


@command.command(
    cls=ExampleCommand,
    short_help="Go on with a study that was stopped.",
    examples=[
        ("worldsim study resume one_success_cost", "after Ctrl-C, a crash, or a power cut"),
        ("worldsim study resume studies/one_success_cost --workers 2", ""),
    ],
)
@study_argument
@executor_options
@quiet_option
@json_option
@click.pass_context
def resume(ctx: click.Context, /, study: str, *, quiet: bool, as_json: bool, **where: Any) -> None:
    """Simulate what is missing of STUDY: a path, or a name under studies/.

    Nothing that is there is simulated again.
    """
    opened = open_study(study)
    _go_on(ctx, opened, None, quiet=quiet, as_json=as_json, **where)


@command.command(
    cls=ExampleCommand,
    short_help="Add campaigns to each cell.",
    examples=[("worldsim study extend one_success_cost --replications 200", "that many in all")],
)
@study_argument
@click.option(
    "--replications", type=REPLICATIONS, metavar="N", required=True,
    help="Campaigns that each cell has afterwards.",
)  # fmt: skip
@executor_options
@quiet_option
@json_option
@click.pass_context
def extend(
    ctx: click.Context,
    /,
    study: str,
    replications: int,
    *,
    quiet: bool,
    as_json: bool,
    **where: Any,
) -> None:
    """Add campaigns to each cell of STUDY: a path, or a name under studies/."""
    opened = open_study(study)
    _go_on(ctx, opened, replications, quiet=quiet, as_json=as_json, **where)


@command.command(
    cls=ExampleCommand,
    short_help="Figures of each cell, with intervals.",
    examples=[
        ("worldsim study show one_success_cost", ""),
        ("worldsim study show one_success_cost --metric taken --csv > taken.csv", ""),
    ],
)
@study_argument
@metric_option
@csv_option
@json_option
def show(study: str, metrics: tuple[str, ...], *, as_csv: bool, as_json: bool) -> None:
    """Print each cell's figures of STUDY, with their intervals: a path, or a name under studies/.

    Of a design for sensitivity, which factors matter how much.
    """
    from worldsim.cli.studyshow import print_study  # noqa: PLC0415 -- not for --help

    print_study(open_study(study), metrics, as_csv=as_csv, as_json=as_json)


@command.command(
    cls=ExampleCommand,
    short_help="How cells differ, seed by seed.",
    examples=[
        ("worldsim study compare one_success_cost", "all cells with the first"),
        ("worldsim study compare one_success_cost --base cost=1 --metric taken", ""),
        ("worldsim study compare one_success_cost --half-width 2", "how many pairs that takes"),
    ],
)
@study_argument
@click.option(
    "--base",
    metavar="CELL",
    default="0",
    show_default=True,
    help="What the others are compared with: a cell's number, or its factors.",
)
@metric_option
@click.option(
    "--half-width", type=click.FloatRange(min=0, min_open=True), metavar="X",
    help="Of the interval that is wanted, in the metric's unit; half of the present one if absent.",
)  # fmt: skip
@csv_option
@json_option
def compare(
    study: str, base: str, metrics: tuple[str, ...], half_width: float | None, *, as_csv: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Print how cells of STUDY differ, seed by seed: a path, or a name under studies/."""
    from worldsim.cli.studyshow import print_changes  # noqa: PLC0415 -- not for --help

    opened = open_study(study)
    print_changes(opened, base, metrics, half_width, as_csv=as_csv, as_json=as_json)


def _go_on(
    ctx: click.Context, study: Study, replications: int | None, *, quiet: bool, as_json: bool,
    executor: Any, workers: int, scheduler: str | None, publish: str | None,
) -> None:  # fmt: skip
    """Simulate with progress shown, until the end or a signal, and say what came of it."""
    from worldsim.cli.signals import StopAsked  # noqa: PLC0415 -- not for --help
    from worldsim.cli.studyprogress import shown_progress  # noqa: PLC0415

    with StopAsked(STOPPING) as stop, shown_progress(study, quiet=quiet) as on_progress:
        study = study.resume(
            replications=replications, executor=executor, workers=workers, scheduler=scheduler,
            stop=stop, on_progress=on_progress,
        )  # fmt: skip
    if publish is not None:
        note(f"{counted(study.publish(publish), 'file')} copied to {clean(publish)}")
    _conclude(ctx, study, quiet=quiet, as_json=as_json)


def _conclude(ctx: click.Context, study: Study, *, quiet: bool, as_json: bool) -> None:
    """Print the figures as they were asked for, and end with the right code."""
    from worldsim.cli.studyshow import name_of, print_study  # noqa: PLC0415 -- not for --help

    if study.manifest.status == "interrupted":
        note(
            f"interrupted after {counted(len(study.rows), 'campaign')}; "
            f"go on with: worldsim study resume {name_of(study)}"
        )
        ctx.exit(INTERRUPTED)
    if as_json or not quiet:
        print_study(study, (), as_json=as_json)
    failed = sum(row.status == "failed" for row in study.rows.values())
    if failed:
        note(f"{counted(failed, 'campaign')} failed: worldsim study show {name_of(study)}")
        ctx.exit(FAILED)
