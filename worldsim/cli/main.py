"""The command's entry: the list of commands, and what becomes of errors and signals."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from worldsim import __version__, build
from worldsim.cli.examples import write_examples
from worldsim.cli.output import clean, paints
from worldsim.cli.signals import INTERRUPTED, told_apart
from worldsim.errors import WorldsimError

if TYPE_CHECKING:
    from collections.abc import Sequence

SELDOM = (50_000, 20, 100)
"""Thresholds of Python's garbage collector."""
COMMANDS = {
    "new": "Write a commented scenario to start from.",
    "check": "Find every fault of a scenario, without running it.",
    "run": "Simulate a scenario, and sum up what happened.",
    "resume": "Go on with a run that was stopped, from its latest checkpoint.",
    "extend": "Go on with a run past its end.",
    "branch": "Go on from a midnight of a run with something changed.",
    "runs": "List runs: state, day, size.",
    "show": "The summary of a run.",
    "events": "Read the event log of a run, filtered.",
    "query": "Ask a run anything, in SQL.",
    "verify": "Whether a run is what it was, to the last byte.",
    "why": "The chain of causes of an event, with its rolls, in words.",
    "replay": "Days of a run once more, in full detail.",
    "diff": "Where two runs part, and how often each kind happened in both.",
    "depletion": "How stocks are used up, by whom, and what catches alone tell.",
    "report": "One HTML file of what became of a run or a study.",
    "map": "The planet as a picture, or as a graph for other programs.",
    "export": "A run in the formats of other programs.",
    "view": "Runs and studies as a live page, in a browser.",
    "study": "Many campaigns: figures with intervals, differences, sensitivity.",
    "rules": "The rulebook: each rule, its options, code and tests.",
    "odds": "The exact chances of a pool of dice.",
    "duel": "The odds of a fight between two sides.",
    "schema": "The reference of scenarios or events, for editors and people.",
}
"""What the help says of each, in its order; each is ``worldsim.cli.NAME``'s ``command``."""

EXAMPLES = (
    ("worldsim new my_world.toml", "write a scenario to start from"),
    ("worldsim run my_world.toml", "simulate it"),
    ("worldsim run first_landing --seed 7", "simulate a shipped one"),
    ("worldsim events first_landing-7 --level warning", "read its log"),
    ("worldsim odds 3d6+d8 4", "the exact chances of a pool"),
    ("worldsim duel raiders garrison", "the odds of a fight"),
    ("worldsim rules GATH-6", "a rule: options, code, tests"),
)


class Commands(click.Group):
    """A group whose commands are loaded by name, and whose errors are one line without traceback.

    Exit codes: 0 done, 1 failed, 2 the input is wrong, 3 an invariant broke, 130 interrupted.
    """

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, then the text."""
        write_examples(formatter, EXAMPLES)
        super().format_help_text(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading any of them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of the help."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the module of a command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"worldsim.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, or fail with the names that may have been meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(
                error.command_name, possibilities=list(COMMANDS), ctx=ctx
            ) from error

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002 -- click's signature
        windows_expand_args: bool = True,  # noqa: FBT001, FBT002 -- click's signature
        **extra: Any,
    ) -> Any:
        """Run a command line and leave the process with its exit code."""
        del standalone_mode
        if os.environ.get("NO_COLOR"):
            extra.setdefault("color", False)
        try:
            code = super().main(
                args,
                prog_name or "worldsim",
                complete_var,
                standalone_mode=False,
                windows_expand_args=windows_expand_args,
                **extra,
            )
            sys.stdout.flush()
        except click.ClickException as error:
            sys.exit(_explain_usage(error))
        except click.Abort:
            sys.exit(_complain("interrupted", INTERRUPTED))
        except WorldsimError as error:
            sys.exit(_complain(str(error), error.exit_code))
        except OSError as error:
            sys.exit(_complain(_system_error(error), WorldsimError.exit_code))
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a reader who has seen enough (``| head``) ends it without a word."""
        try:
            with told_apart():
                done = super().invoke(ctx)
                sys.stdout.flush()
        except BrokenPipeError:
            # What is still buffered would complain once more when the interpreter ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        return done


def _complain(message: str, exit_code: int) -> int:
    """Say what is wrong on stderr, and return the exit code."""
    head = click.style("error:", fg="red", bold=True)
    safe = "\n".join(clean(line) for line in message.splitlines())
    click.echo(f"{head} {safe}", err=True, color=paints(sys.stderr))
    return exit_code


def _system_error(error: OSError) -> str:
    """What the system refused, and for which file."""
    reason = error.strerror or str(error)
    return reason if error.filename is None else f"{clean(str(error.filename))}: {reason}"


def _explain_usage(error: click.ClickException) -> int:
    """Say what is wrong with the command line, and where to read more."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return error.exit_code
    message = error.format_message().rstrip()
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    if ctx is not None:
        message += f"\n       see: {ctx.command_path} --help"
    return _complain(message, error.exit_code)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message=f"worldsim %(version)s ({build()})")
def cli() -> None:
    """Simulate away teams that use up a new planet, day by day."""


def main() -> None:
    """Run the command line of this process."""
    # Importing leaves a hundred thousand objects that stay: nothing is gained by searching them
    # for garbage again and again, nor once more when the process ends and all goes anyway.
    gc.set_threshold(*SELDOM)
    atexit.register(gc.disable)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A bar that an old encoding cannot show must not end the program.
            stream.reconfigure(errors="replace")
    cli()
