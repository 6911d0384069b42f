"""``worldsim new``: a scenario to start from."""

from __future__ import annotations

from pathlib import Path

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import NewFile
from worldsim.cli.output import clean, note
from worldsim.errors import InputError

DEFAULT_FILE = "my_world.toml"


class CannotWriteError(InputError):
    """The starter scenario cannot be written where it was asked for.

    Args:
        path: The file.
        reason: What stands in the way.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        return f"{clean(self.path)} cannot be written: {self.reason}; give another name"


@click.command(
    cls=ExampleCommand,
    examples=[("worldsim new", "writes my_world.toml"), ("worldsim new islands.toml", "")],
)
@click.argument("file", type=NewFile(), default=DEFAULT_FILE)
def command(file: Path) -> None:
    """Write a commented scenario to FILE. Nothing is overwritten."""
    starter = Path(__file__).with_name("starter.toml").read_text(encoding="utf-8")
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(starter)
    except FileExistsError:
        raise CannotWriteError(str(file), "it exists by now") from None
    except OSError as error:
        raise CannotWriteError(str(file), error.strerror or "the system refuses") from None
    name = clean(str(file))
    note(f"{name} is written. Next:\n  worldsim check {name}\n  worldsim run {name}")
