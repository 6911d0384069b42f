"""What words on the command line can be: whole numbers, new files, new folders."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from worldsim.cli.output import clean


class Whole(click.IntRange):
    """A whole number between bounds, called so in messages."""

    name = "whole number"


class NewFolder(click.Path):
    """A folder that is to be made: nothing is there yet. It becomes a `Path`."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Refuse it before anything is read."""
        return _new(self, value, param, ctx)


class NewFile(click.Path):
    """A file that is to be written: nothing is there yet, and its folder is. It becomes a `Path`.

    Args:
        endings: That its name may have; any if there are none.
    """

    def __init__(self, *endings: str) -> None:
        super().__init__(path_type=Path)
        self._endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Refuse it before anything is read."""
        path, name = Path(value), clean(str(value))
        if self._endings and path.suffix.lower() not in self._endings:
            self.fail(f"the name {name!r} must end in {' or '.join(self._endings)}", param, ctx)
        if not path.parent.is_dir():
            self.fail(f"there is no folder {clean(str(path.parent))!r}", param, ctx)
        return _new(self, value, param, ctx)


def _new(
    kind: click.Path, value: Any, param: click.Parameter | None, ctx: click.Context | None
) -> Path:
    """A path at which nothing is.

    Raises:
        click.BadParameter: something is, or nothing can be.
    """
    name = clean(str(value))
    try:
        os.lstat(value)
    except (FileNotFoundError, NotADirectoryError):
        if value:
            return Path(value)
        refusal = "a name is wanted"
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        refusal = f"nothing can be called {name[:40]}…: {reason}"
    else:
        refusal = f"{name} exists already: nothing was written; give another"
    return kind.fail(refusal, param, ctx)
