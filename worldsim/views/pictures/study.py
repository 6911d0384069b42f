"""The pictures of a study, in the order of a page; each can be made alone.

What there is is the tuple ``STUDY_PICTURES``; some are made once a metric.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from worldsim.errors import InputError
from worldsim.study.depletion.ensembles import NothingKeptError
from worldsim.study.inputs import NoEstimateError
from worldsim.views.pictures.picture import Picture
from worldsim.views.pictures.study_progress import is_complete
from worldsim.views.pictures.study_rows import is_time
from worldsim.views.pictures.study_sensitivity import tells_sensitivity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.study.study import Study

KEEPING = ("tables", "everything")


@dataclass(frozen=True, slots=True)
class Gap:
    """A picture that a study might have had.

    Attributes:
        title: Of the picture.
        why: It cannot be drawn; a sentence without its full stop.
    """

    title: str
    why: str


@dataclass(frozen=True, slots=True)
class StudyPicture:
    """A kind of picture that can be made of a study.

    Attributes:
        kind: Its name; that of a metric's picture begins with it.
        title: For people.
        module: Of ``worldsim.views.pictures``, in which it is made.
        function: That makes it, of a study and the name of a metric.
        of_metric: Whether there is one for each metric.
    """

    kind: str
    title: str
    module: str
    function: str
    of_metric: bool = True

    def fits(self, study: Study, metric: str | None = None) -> bool:
        """Whether a study can have it at all, however far it is.

        Args:
            study: It may be running.
            metric: Of a picture that is made for each; of the others None.
        """
        plan, told = study.plan, tells_sensitivity(study)
        if self.kind == "settings":
            return True
        if self.module == "study_progress":
            failed = any(each.status == "failed" for each in study.rows.values())
            return not is_complete(study) if self.kind == "progress" else failed
        fitting = {
            "sensitivity": told,
            "together": told and plan.design is not None and plan.design.second_order,
            "differences": not told and len(plan.cells) > 1,
            "spread": not told,
            "times": metric is not None and is_time(metric),
        }
        return fitting.get(self.kind, self.of_metric or plan.study.study.keep in KEEPING)

    def make(self, study: Study, metric: str | None = None, **more: Any) -> Picture:
        """Read a study and draw.

        Args:
            study: It may be running.
            metric: Of a picture that is made for each; of the others None.
            **more: What the function takes besides.

        Raises:
            NoEstimateError: there is nothing to show, for the reason it gives.
            NothingKeptError: likewise, of a picture that needs tables of campaigns.
            MissingExtraError: plotly, or SALib where it is needed, is not installed.
            WorldsimError: the study is damaged.
        """
        draw = getattr(import_module(f"worldsim.views.pictures.{self.module}"), self.function)
        chosen = (metric,) if self.of_metric else ()
        picture: Picture = draw(study, *chosen, **more)
        return picture


STUDY_PICTURES: tuple[StudyPicture, ...] = (
    StudyPicture("progress", "Progress", "study_progress", "progress", of_metric=False),
    StudyPicture("failures", "Campaigns that failed", "study_progress", "failures",
                 of_metric=False),
    StudyPicture("sensitivity", "Which factors matter", "study_sensitivity", "factors_that_matter"),
    StudyPicture("together", "Factors together", "study_sensitivity", "factors_together"),
    StudyPicture("cells", "Cells compared", "study_cells", "cells_compared"),
    StudyPicture("differences", "Differences of cells", "study_differences", "differences"),
    StudyPicture("spread", "Spread over campaigns", "study_cells", "spread"),
    StudyPicture("times", "When it happens", "study_times", "time_curves"),
    StudyPicture("stock-over-time", "Stock over time", "study_stock", "stock_over_time",
                 of_metric=False),
    StudyPicture("stock-by-ingredient", "Stock by ingredient", "study_stock",
                 "stock_by_ingredient", of_metric=False),
    StudyPicture("times-of-stock", "When shares of the stock are left", "study_stock",
                 "times_of_stock", of_metric=False),
    StudyPicture("settings", "Cells and their settings", "study_settings", "settings",
                 of_metric=False),
)  # fmt: skip
"""In the order of a page, metric by metric."""


class NoStudyPictureError(InputError, LookupError):
    """A name that no picture has."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind

    def __str__(self) -> str:
        kinds = ", ".join(each.kind for each in STUDY_PICTURES)
        return f"there is no picture {self.kind!r} of a study; there are {kinds}"


def study_picture(study: Study, kind: str, metric: str | None = None) -> Picture:
    """One picture of a study; errors as of `StudyPicture.make`.

    Args:
        study: It may be running.
        kind: As of ``STUDY_PICTURES``.
        metric: Of a picture that is made for each; the watched one if None.

    Raises:
        NoStudyPictureError: there is no such kind.
    """
    for each in STUDY_PICTURES:
        if each.kind == kind:
            watched = metric or study.plan.watched.name
            return each.make(study, watched if each.of_metric else None)
    raise NoStudyPictureError(kind)


def pictures_and_gaps(study: Study) -> Iterator[Picture | Gap]:
    """All pictures of a study, each as it is made, and what could not be drawn with the reason.

    Raises:
        MissingExtraError: plotly is not installed.
        WorldsimError: the study is damaged.
    """
    stocks: dict[str, Any] = {}
    for each, metric in _in_order(study):
        try:
            if each.module == "study_stock" and not stocks:
                stocks["stocks"] = _stocks(study)
            more = stocks if each.module == "study_stock" else {}
            yield each.make(study, metric, **more)
        except (NoEstimateError, NothingKeptError) as error:
            title = each.title if metric is None else f"{metric}: {each.title.lower()}"
            yield Gap(title, str(error))


def study_pictures(study: Study) -> Iterator[Picture]:
    """All pictures of a study for which it has something to show, each as it is made."""
    for each in pictures_and_gaps(study):
        if isinstance(each, Picture):
            yield each


def _in_order(study: Study) -> Iterator[tuple[StudyPicture, str | None]]:
    """How far it is first, then metric by metric, then stocks and settings."""
    whole = [each for each in STUDY_PICTURES if not each.of_metric and each.fits(study)]
    yield from ((each, None) for each in whole if each.module == "study_progress")
    if study.rows:
        for metric in study.plan.metrics:
            for each in STUDY_PICTURES:
                if each.of_metric and each.fits(study, metric.name):
                    yield each, metric.name
        yield from ((each, None) for each in whole if each.module == "study_stock")
    yield from ((each, None) for each in whole if each.kind == "settings")


def _stocks(study: Study) -> Any:
    """What the pictures of stocks share: the tables of all campaigns, read once."""
    from worldsim.views.pictures.study_stock import stocks_of  # noqa: PLC0415 - only if kept

    return stocks_of(study)
