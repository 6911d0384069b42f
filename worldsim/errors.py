"""The errors worldsim raises on purpose, each with the exit code the command gives for it."""

from typing import ClassVar


class WorldsimError(Exception):
    """Anything worldsim refuses to do, said in one message a person can act on.

    Subclasses pass every field to ``super().__init__`` and format in ``__str__``: SimPy and pickle
    rebuild an error from its ``args``.
    """

    exit_code: ClassVar[int] = 1


class InputError(WorldsimError):
    """What was given is wrong: a scenario, an option, a path. Nothing was written."""

    exit_code: ClassVar[int] = 2


class BrokenInvariantError(WorldsimError):
    """The simulation contradicts itself, so it stopped: a fault of worldsim or of a plug-in."""

    exit_code: ClassVar[int] = 3
