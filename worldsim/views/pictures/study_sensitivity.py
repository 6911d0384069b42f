"""How much each factor of a study matters, for designs that tell: Morris and Sobol'."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.study.analysis import sensitivity
from worldsim.study.inputs import UnfitDataError
from worldsim.study.rows import bound_columns, bound_items
from worldsim.views.pictures.picture import Picture, Table
from worldsim.views.pictures.study_axes import bars, bars_figure, distances, dots, python_of
from worldsim.views.pictures.study_rows import (
    measured,
    metric_of,
    picture_name,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.sensitivity import MorrisEffect, SobolIndex
    from worldsim.study.study import Study

DESIGNS = ("morris", "saltelli")


def tells_sensitivity(study: Study) -> bool:
    """Whether the design of a study is one that tells which factors matter."""
    return study.plan.design is not None and study.plan.design.kind in DESIGNS


def factors_that_matter(study: Study, metric: str) -> Picture:
    """How much each factor matters to a metric: Morris effects or Sobol' indices.

    Args:
        study: Of a ``morris`` or ``saltelli`` design.
        metric: Its name.

    Raises:
        UnknownMetricError: there is no such metric.
        UnfitDataError: it is another design.
        NoEstimateError: some point has no value, or all have the same.
        MissingExtraError: plotly or SALib is not installed.
    """
    found = sensitivity(study.plan, study.rows, metric)
    if found.morris:
        return _morris(study, metric, found.morris)
    return _sobol(study, metric, found.sobol)


def factors_together(study: Study, metric: str) -> Picture:
    """How much each two factors matter together, beyond each alone.

    Args:
        study: Of a ``saltelli`` design with ``second_order``.
        metric: Its name.

    Raises:
        UnfitDataError: the design does not tell pairs apart; else as of `factors_that_matter`.
    """
    found = sensitivity(study.plan, study.rows, metric).pairs
    if not found:
        right = "a saltelli design with second_order = true is wanted"
        raise UnfitDataError("design", "does not tell two factors apart", right)
    pairs = sorted(found, key=lambda each: -(each.share.estimate or 0.0))
    names = [" and ".join(each.factors) for each in pairs]
    figure = bars_figure(names, f"share of the variance of {metric}, 0 to 1")
    shares = [each.share for each in pairs]
    figure.add_trace(bars(names, [s.estimate for s in shares], distances(shares), "together"))
    rows = [(*p.factors, p.share.estimate, *bound_items(p.share)) for p in pairs]
    return Picture(
        name=picture_name(study.plan, "together", metric),
        title=f"{metric}: factors that matter together",
        figure=figure,
        table=Table(("factor", "other", "share", *bound_columns("share")), rows),
        python=python_of(study, "study_sensitivity", f"factors_together(study, {metric!r})"),
        says="Bars are what two factors make of the variance beyond each alone; where whiskers "
        "reach 0, nothing is shown.",
    )


def _morris(study: Study, metric: str, found: Sequence[MorrisEffect]) -> Picture:
    effects = sorted(found, key=lambda each: -(each.size.estimate or 0.0))
    names = [each.factor for each in effects]
    figure = bars_figure(names, f"change over the whole range: {_unit(study, metric)}")
    sizes = [each.size for each in effects]
    figure.add_trace(
        bars(names, [each.estimate for each in sizes], distances(sizes), "mean size, 95 %")
    )
    figure.add_trace(dots(names, [each.spread for each in effects], "spread", n=1))
    rows = [(e.factor, e.size.estimate, *bound_items(e.size), e.mean, e.spread) for e in effects]
    return Picture(
        name=picture_name(study.plan, "sensitivity", metric),
        title=f"{metric}: which factors matter",
        figure=figure,
        table=Table(("factor", "mean_size", *bound_columns("mean_size"), "mean", "spread"), rows),
        python=python_of(study, "study_sensitivity", f"factors_that_matter(study, {metric!r})"),
        says="Bars are how far the metric moves with a factor (Morris, mu*), the longest first; a "
        "spread (sigma) as large as its bar tells of a curve, or of the company of other factors. "
        "Factors whose whiskers overlap cannot be ranked.",
    )


def _sobol(study: Study, metric: str, found: Sequence[SobolIndex]) -> Picture:
    indices = sorted(found, key=lambda each: -(each.total.estimate or 0.0))
    names = [each.factor for each in indices]
    figure = bars_figure(names, f"share of the variance of {metric}, 0 to 1")
    for n, (label, shares) in enumerate(
        (
            ("alone, 95 %", [each.first for each in indices]),
            ("with all others, 95 %", [each.total for each in indices]),
        )
    ):
        estimates = [each.estimate for each in shares]
        figure.add_trace(bars(names, estimates, distances(shares), label, n=n))
    rows = [
        (e.factor, e.first.estimate, *bound_items(e.first), e.total.estimate, *bound_items(e.total))
        for e in indices
    ]
    return Picture(
        name=picture_name(study.plan, "sensitivity", metric),
        title=f"{metric}: which factors matter",
        figure=figure,
        table=Table(
            ("factor", "first", *bound_columns("first"), "total", *bound_columns("total")), rows
        ),
        python=python_of(study, "study_sensitivity", f"factors_that_matter(study, {metric!r})"),
        says="Bars are the share of the variance that a factor makes alone (Sobol', first order), "
        "and with all others (total): the more the second exceeds the first, the more it acts in "
        "company. Where whiskers reach 0, nothing is shown.",
    )


def _unit(study: Study, metric: str) -> str:
    return measured(metric_of(study, metric))
