"""Events and rolls as sentences for people."""

from worldsim.cli.words.rolls import roll_line, roll_lines
from worldsim.cli.words.telling import sentence

__all__ = ["roll_line", "roll_lines", "sentence"]
