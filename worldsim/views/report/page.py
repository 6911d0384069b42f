"""What a report consists of, whatever it tells of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldsim.views.pictures.picture import Picture


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: a picture, or why there is none.

    Attributes:
        name: As of `Picture`, unique on the page.
        title: As of `Picture`.
        picture: What is shown.
        nothing: What is said instead where there is no picture.
        choose: What can be chosen, as a word: ``ingredient``.
        choices: Names and the pictures shown instead of the first; that one is called
            ``all together``.
    """

    name: str
    title: str
    picture: Picture | None
    nothing: str = ""
    choose: str = ""
    choices: tuple[tuple[str, Picture], ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A report. All texts are plain: they are escaped where the page is made of them.

    Attributes:
        title: What it is about.
        about: In one line below the title.
        warnings: What the reader should know before believing it; none in most cases.
        damaged: What ``worldsim verify`` is to be given, where part of a run is damaged.
        summary: Paragraphs.
        sections: In their order.
        origin: Names and values: scenario, seed, digest, versions.
        reproduce: How to get the same again, as lines of a shell.
        reproduce_says: A sentence about these lines.
        files: Names and texts of files that are in the page, to be saved from it.
    """

    title: str
    about: str
    warnings: tuple[str, ...]
    summary: tuple[str, ...]
    sections: tuple[Section, ...]
    origin: tuple[tuple[str, str], ...]
    reproduce: tuple[str, ...]
    reproduce_says: str = ""
    files: tuple[tuple[str, str], ...] = ()
    damaged: str = ""

    @property
    def pictures(self) -> int:
        """How many sections have one."""
        return sum(section.picture is not None for section in self.sections)
