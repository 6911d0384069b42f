"""Whether two samples of whole numbers can come from one law."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVEL = 1e-4
"""Two samples of one law are taken for different this often."""
FEWEST = 10  # of both samples together in a class of values


def chance_of_one_law(a: Sequence[int], b: Sequence[int]) -> float:
    """The p-value of a chi-square test of homogeneity, neighbouring rare values put together.

    Args:
        a: A sample of independent numbers.
        b: Another.
    """
    from scipy.stats import chi2_contingency  # noqa: PLC0415 - seldom needed, slow to import

    classes = list(_classes(Counter(a), Counter(b)))
    if len(classes) < 2:  # noqa: PLR2004 - one class says nothing
        return 1.0
    return float(chi2_contingency([[x for x, _ in classes], [y for _, y in classes]]).pvalue)


def _classes(a: Counter[int], b: Counter[int]) -> list[tuple[int, int]]:
    """Counts of both by class of values, none too rare to be compared."""
    classes: list[tuple[int, int]] = []
    x = y = 0
    for value in sorted({*a, *b}):
        x, y = x + a[value], y + b[value]
        if x + y >= FEWEST:
            classes.append((x, y))
            x = y = 0
    if classes and x + y:
        last = classes.pop()
        classes.append((last[0] + x, last[1] + y))
    return classes
