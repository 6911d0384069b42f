"""Events and rolls as sentences for people: for commands and for pages.

They are plain text: no control characters, and nothing escaped.
"""

from worldsim.views.words.line import tell
from worldsim.views.words.rolls import roll_line, roll_lines
from worldsim.views.words.telling import sentence

__all__ = ["roll_line", "roll_lines", "sentence", "tell"]
