"""Pictures of pages: the same figures in the report and on the live page.

What there is of a run is the tuple ``RUN_PICTURES``, in the order of a page; each can be made
alone. plotly is imported when the first of them is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from worldsim.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.runs import Run
    from worldsim.views.pictures.picture import Picture


@dataclass(frozen=True, slots=True)
class RunPicture:
    """A picture that can be made of a run.

    Attributes:
        name: As of `Picture`.
        title: As of `Picture`.
        nothing: What to say where a run has nothing of the kind to show.
        home: The module and function that draw it.
        of_ingredient: Whether it can be made of one ingredient only.
    """

    name: str
    title: str
    nothing: str
    home: str
    of_ingredient: bool = False

    def make(self, run: Run, *, ingredient: str | None = None) -> Picture | None:
        """Read a run and draw.

        Args:
            run: It may be unfinished; its whole days are shown.
            ingredient: Only of this one, where the picture can be; all together if None.

        Returns:
            None where there is nothing to show: say ``nothing`` instead.

        Raises:
            MissingExtraError: plotly is not installed.
            NotInTheGroundError: the ingredient never lay anywhere.
            WorldsimError: the run is damaged.
        """
        module, _, function = self.home.partition(".")
        draw = getattr(import_module(f"worldsim.views.pictures.{module}"), function)
        chosen: dict[str, Any] = {"ingredient": ingredient} if self.of_ingredient else {}
        picture: Picture | None = draw(run, **chosen)
        return picture


EMPTY_GROUND = "Nothing ever lay in the ground."
RUN_PICTURES: tuple[RunPicture, ...] = (
    RunPicture("stock-map", "The map, emptying", EMPTY_GROUND, "stock_map.draw", True),
    RunPicture("stock-by-ingredient", "Stock by ingredient", EMPTY_GROUND, "curves.by_ingredient"),
    RunPicture("stock-by-region", "Stock by region", EMPTY_GROUND, "curves.by_region", True),
    RunPicture("first-depletions", "First depletions", "No place was used up.", "used_up.draw"),
    RunPicture("lives", "The lives of teams", "There were no teams.", "lives.draw"),
    RunPicture("battles", "Battles", "There were no battles.", "battles.draw"),
    RunPicture("who-took", "Who took what", "Nobody took anything.", "takers.draw"),
    RunPicture("what-mattered", "What mattered", "Nothing grave happened.", "mattered.draw"),
)
"""In the order of a page."""


class NoPictureError(InputError, LookupError):
    """A name that no picture has."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        names = ", ".join(each.name for each in RUN_PICTURES)
        return f"there is no picture {self.name!r} of a run; there are {names}"


def run_picture(run: Run, name: str, *, ingredient: str | None = None) -> Picture | None:
    """One picture of a run by its name; arguments, None and errors as of `RunPicture.make`.

    Raises:
        NoPictureError: there is none of this name.
    """
    for each in RUN_PICTURES:
        if each.name == name:
            return each.make(run, ingredient=ingredient)
    raise NoPictureError(name)


def run_pictures(run: Run) -> Iterator[Picture]:
    """All pictures of a run for which it has something to show, each as it is made."""
    for each in RUN_PICTURES:
        picture = each.make(run)
        if picture is not None:
            yield picture
