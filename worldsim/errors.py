"""The errors worldsim raises on purpose, each with the exit code the command gives for it."""

from typing import Any, ClassVar


class WorldsimError(Exception):
    """Anything worldsim refuses to do, said in one message a person can act on.

    Subclasses pass every field to ``super().__init__`` and format in ``__str__``: SimPy and pickle
    rebuild an error from its ``args``.
    """

    exit_code: ClassVar[int] = 1


class InputError(WorldsimError):
    """What was given is wrong: a scenario, an option, a path. Nothing was written."""

    exit_code: ClassVar[int] = 2


class UnfitScenarioError(InputError):
    """A scenario whose keys are right by themselves, but of which no world can be made.

    Attributes:
        findings: Key path, what is given there, what would be right; one for each fault.
    """

    def __init__(self, *findings: tuple[tuple[str | int, ...], Any, str]) -> None:
        super().__init__(*findings)
        self.findings = findings

    def __str__(self) -> str:
        return "\n".join(f"{_key(path)}: {given}; {right}" for path, given, right in self.findings)


def _key(path: tuple[str | int, ...]) -> str:
    """A key path as people write it: ``colonies[0].targets[1]``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".")


class BrokenInvariantError(WorldsimError):
    """The simulation contradicts itself, so it stopped: a fault of worldsim or of a plug-in."""

    exit_code: ClassVar[int] = 3
