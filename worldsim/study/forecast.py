"""What will be left: a forecast of the stock from its first days, and how often such ones held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from worldsim.study.inputs import NoEstimateError, UnfitDataError, inside, numbers, two_rows
from worldsim.study.intervals import Interval, share_interval, t_times

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldsim.study.inputs import Floats

BLOCKS = 4
FEWEST_BLOCKS = 2


@dataclass(frozen=True, slots=True)
class Forecast:
    """The stock on days to come.

    Attributes:
        day: Shape (H,), ascending, after the last day known.
        middle: Shape (H,): the median, in units.
        low: Shape (H,): lower bound of each day by itself.
        high: Shape (H,): upper bound likewise.
        from_day: The last day known.
        daily_share: Share of the stock that goes each day, as seen so far; below 0 if it grows.
        confidence: Of the bounds, 0 to 1.
    """

    day: Floats
    middle: Floats
    low: Floats
    high: Floats
    from_day: int
    daily_share: float
    confidence: float


def forecast(
    stock: Sequence[float] | Floats,
    days: Sequence[float] | Floats,
    *,
    confidence: float = 0.95,
    blocks: int = BLOCKS,
    may_rise: bool = False,
) -> Forecast:
    """Forecast a stock, its logarithm taken as a random walk with drift (Dennis et al. 1991).

    On average the same share goes each day, and what luck adds or takes stays. Days resemble
    their neighbours (a trip brings nothing for a week, then much), so drift and spread are read
    from a few blocks of days that are long enough to be independent (batch means; Schmeiser 1982).
    With the default of 4, the longest that leave a usable t, intervals of 95 % from the first 30 to
    90 days of two shipped scenarios held each ingredient's stock 90 to 270 days later in 90 to
    99 % of cases; with 8 blocks in 74 to 93 %. What changes the pace later (a new colony, ground
    that becomes poor) is in no such forecast: see ``share_held`` for how it did.

    Args:
        stock: Units at the start and after each of the first N days, shape (N + 1,), not negative.
        days: Days to forecast, after day N.
        confidence: 0 to 1.
        blocks: Of how many days each is N // blocks; at least 2. Days left over at the start are
            not read.
        may_rise: Whether the stock can grow back. If not, it will not exceed what is left now.

    Raises:
        UnfitDataError: Days or stocks that do not fit, fewer days than blocks, no such confidence.
        NoEstimateError: Nothing was taken yet, or nothing is left.
    """
    level = numbers("stock", stock, at_least=3, lowest=0)
    known = level.size - 1
    at = numbers("days", days)
    inside("confidence", confidence, 0, 1)
    if not FEWEST_BLOCKS <= blocks <= known:
        right = f"{FEWEST_BLOCKS} to the {known} days known are wanted"
        raise UnfitDataError("blocks", f"{blocks}", right)
    if at[0] <= known or not np.all(np.diff(at) > 0):
        raise UnfitDataError("days", "not ascending from the last one known", f"after {known}")
    walk = _walk(level)
    length = known // blocks
    steps = np.diff(walk[known - blocks * length :: length])
    ahead = (at - known) / length
    drift, spread = steps.mean(), steps.std(ddof=1)
    # what is to come, and what is not known of the drift
    reach = t_times(blocks - 1, confidence) * spread * np.sqrt(ahead + ahead**2 / blocks)
    most = np.inf if may_rise else level[-1]
    middle = walk[-1] + drift * ahead
    with np.errstate(over="ignore"):  # a bound beyond all floats is no bound
        low, mid, high = (
            np.minimum(np.exp(row), most) for row in (middle - reach, middle, middle + reach)
        )
    return Forecast(at, mid, low, high, known, float(-np.expm1(drift / length)), confidence)


def share_held(
    forecasts: Iterable[Forecast], truths: Iterable[Floats], *, confidence: float = 0.95
) -> list[Interval]:
    """How often forecasts held what came, day by day.

    Args:
        forecasts: One a run, all of the same days, at least 1.
        truths: The stock of each run on those days, shape (H,) each.
        confidence: Of Wilson's interval of the share, 0 to 1.

    Returns:
        One share for each of the H days.

    Raises:
        UnfitDataError: No forecasts, not as many truths, or other days.
    """
    told, came = list(forecasts), list(truths)
    if not told or len(told) != len(came):
        given = f"{len(told)} and {len(came)}"
        raise UnfitDataError("forecasts and truths", given, "one truth for each forecast is wanted")
    held = np.zeros(told[0].day.size, dtype=np.int64)
    for each, row in zip(told, came, strict=True):
        if not np.array_equal(each.day, told[0].day):
            raise UnfitDataError("forecasts", "of different days", "the same days are wanted")
        _, truth = two_rows(("forecast", "truth"), each.day, row)
        held += (each.low <= truth) & (truth <= each.high)
    return [share_interval(int(hits), len(told), confidence=confidence) for hits in held]


def _walk(level: Floats) -> Floats:
    """The logarithm of a stock that shrinks but is not spent.

    Raises:
        NoEstimateError: It does not change, or is spent.
    """
    if level.min() <= 0:
        day = int(np.argmax(level <= 0))
        raise NoEstimateError("forecast", f"nothing is left on day {day}")
    if not np.ptp(level):
        raise NoEstimateError("forecast", f"nothing was taken in the first {level.size - 1} days")
    return np.log(level)
