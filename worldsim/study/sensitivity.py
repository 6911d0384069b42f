"""Which knob matters most: Sobol' and Morris indices of a metric over a design, by SALib."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from worldsim.study.designs import MORRIS_LEVELS, unit_problem
from worldsim.study.inputs import (
    NoEstimateError,
    UnfitDataError,
    generator,
    inside,
    numbers,
    optional,
)
from worldsim.study.intervals import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.study.designs import Design
    from worldsim.study.inputs import Floats

RESAMPLES = 1000
METHOD = "bootstrap, normal"


@dataclass(frozen=True, slots=True)
class SobolIndex:
    """How much of a metric's variance a factor makes.

    Attributes:
        factor: Its name.
        first: Share made by the factor alone, 0 to 1 but for chance.
        total: Share made by it alone and together with others, likewise.
    """

    factor: str
    first: Interval
    total: Interval


@dataclass(frozen=True, slots=True)
class SobolPair:
    """How much of a metric's variance two factors make together, beyond each alone.

    Attributes:
        factors: Their names.
        share: 0 to 1 but for chance.
    """

    factors: tuple[str, str]
    share: Interval


@dataclass(frozen=True, slots=True)
class MorrisEffect:
    """How far a metric moves with a factor, in its unit for the whole range of the factor.

    Attributes:
        factor: Its name.
        mean: Mean effect; effects of both signs cancel out.
        size: Mean size of the effect, mu star (Campolongo, Cariboni, Saltelli 2007).
        spread: Standard deviation of the effect: of a curve, or of the company of other factors.
    """

    factor: str
    mean: float
    size: Interval
    spread: float


def sobol_indices(
    design: Design, results: Sequence[float] | Floats, *, seed: int, confidence: float = 0.95
) -> tuple[list[SobolIndex], list[SobolPair]]:
    """First-order and total indices (Sobol' 2001; Saltelli et al. 2010).

    Args:
        design: A ``saltelli`` design of P points.
        results: The metric at each point, shape (P,): the mean over the same seeds everywhere.
        seed: Of the resampling that gives the intervals.
        confidence: 0 to 1.

    Returns:
        One index for each factor in order, and one for each pair if the design tells them apart.

    Raises:
        UnfitDataError: Another design, not one finite result a point, or no such confidence.
        NoEstimateError: The metric is the same everywhere.
        MissingExtraError: SALib is not installed.
    """
    with optional("SALib", "sensitivity", "Sobol' indices"):
        from SALib.analyze.sobol import analyze  # noqa: PLC0415 - an extra
    values = _results(design, "saltelli", results, confidence)
    names = [each.name for each in design.factors]
    d = len(names)
    base = values.size // (2 * d + 2 if design.second_order else d + 2)
    with np.errstate(all="ignore"):
        found = analyze(
            unit_problem(design.factors),
            values,
            calc_second_order=design.second_order,
            num_resamples=RESAMPLES,
            conf_level=confidence,
            # SALib takes 0 for no seed, and so would draw differently each time
            seed=generator(seed).integers(1, 2**63),
        )

    def told(index: Any, half: Any) -> Interval:
        return _around(float(index), float(half), confidence, base)

    first, total = (zip(found[k], found[f"{k}_conf"], strict=True) for k in ("S1", "ST"))
    indices = [
        SobolIndex(name, told(*one), told(*all_))
        for name, one, all_ in zip(names, first, total, strict=True)
    ]
    pairs = [
        SobolPair((names[i], names[j]), told(found["S2"][i, j], found["S2_conf"][i, j]))
        for i, j in (combinations(range(d), 2) if design.second_order else ())
    ]
    return indices, pairs


def morris_effects(
    design: Design, results: Sequence[float] | Floats, *, seed: int, confidence: float = 0.95
) -> list[MorrisEffect]:
    """Elementary effects (Morris 1991): which factors matter, and which do so by themselves.

    Args:
        design: A ``morris`` design of P points.
        results: The metric at each point, shape (P,): the mean over the same seeds everywhere.
        seed: Of the resampling that gives the intervals.
        confidence: 0 to 1.

    Returns:
        One effect for each factor, in order.

    Raises:
        UnfitDataError: Another design, not one finite result a point, or no such confidence.
        NoEstimateError: The metric is the same everywhere.
        MissingExtraError: SALib is not installed.
    """
    with optional("SALib", "sensitivity", "Morris effects"):
        from SALib.analyze.morris import analyze  # noqa: PLC0415 - an extra
    values = _results(design, "morris", results, confidence)
    found = analyze(
        unit_problem(design.factors),
        design.unit,
        values,
        num_resamples=RESAMPLES,
        conf_level=confidence,
        num_levels=MORRIS_LEVELS,
        seed=generator(seed),
    )
    n = values.size // (len(design.factors) + 1)
    rows = zip(*(found[k] for k in ("mu", "mu_star", "mu_star_conf", "sigma")), strict=True)
    return [
        MorrisEffect(
            factor.name,
            float(mean),
            _around(float(size), float(half), confidence, n),
            float(spread),
        )
        for factor, (mean, size, half, spread) in zip(design.factors, rows, strict=True)
    ]


def _results(
    design: Design, kind: str, results: Sequence[float] | Floats, confidence: float
) -> Floats:
    """One result for each point of a design of the right kind, not all the same."""
    if design.kind != kind:
        raise UnfitDataError("design", design.kind, f"a {kind} design is wanted")
    inside("confidence", confidence, 0, 1)
    values = numbers("results", results)
    if values.size != len(design.points):
        given = f"{values.size} for {len(design.points)} points"
        raise UnfitDataError("results", given, "one for each point is wanted")
    if not np.ptp(values):
        raise NoEstimateError("sensitivity", f"the metric is {values[0]:g} at every point")
    return values


def _around(estimate: float, half: float, confidence: float, n: int) -> Interval:
    """An interval that reaches as far to both sides."""
    return Interval(estimate, estimate - half, estimate + half, confidence, n, METHOD)
