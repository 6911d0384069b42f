"""What may be wrong with a run."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldsim.errors import BrokenInvariantError, WorldsimError

if TYPE_CHECKING:
    from collections.abc import Iterator


class FaultError(BrokenInvariantError):
    """A run is not what it was, or contradicts itself.

    Attributes:
        run: The folder.
        file: Path of the file within it.
        line: Of the file, from 1; None where no line is to blame.
        problem: What is wrong.
    """

    def __init__(self, run: str, file: str, line: int | None, problem: str) -> None:
        super().__init__(run, file, line, problem)
        self.run, self.file, self.line, self.problem = run, file, line, problem

    def __str__(self) -> str:
        line = "" if self.line is None else f", line {self.line:,}"
        return f"{self.run}/{self.file}{line}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Faults:
    """Makes the faults of one run.

    Attributes:
        run: The folder, as messages call it.
    """

    run: str

    def of(self, file: str, problem: str, line: int | None = None) -> FaultError:
        """A fault of one of its files."""
        return FaultError(self.run, file, line, problem)

    @contextmanager
    def blaming(self, file: str) -> Iterator[None]:
        """Within, whatever worldsim refuses is a fault of this file."""
        try:
            yield
        except FaultError:
            raise
        except WorldsimError as error:
            problem = str(getattr(error, "reason", error))
            raise self.of(file, problem) from error
