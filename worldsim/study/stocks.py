"""What was in the ground over the days of one campaign, added up over places."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    Row = tuple[int, str, str, int]  # day, place, ingredient, units left


class Stocks:
    """The stock of each ingredient and of all, from the changes that a run's table tells.

    Args:
        rows: In the order of days; the start is day 0.
        warm_up_days: The stock at the end of that day is what shares are shares of.
        days: The last day.
    """

    def __init__(self, rows: Iterable[Row], warm_up_days: int, days: int) -> None:
        self._warm_up, self._days = warm_up_days, days
        self._changes: dict[str | None, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        self._emptied: dict[tuple[str, str], int] = {}  # the day on which a stock was used up
        self._left: dict[tuple[str, str], int] = {}
        for row_day, place, ingredient, units in rows:
            day, left = int(row_day), int(units)
            change = left - self._left.get((place, ingredient), 0)
            self._left[place, ingredient] = left
            self._changes[ingredient][day] += change
            self._changes[None][day] += change
            if left == 0 and day > warm_up_days:
                self._emptied.setdefault((place, ingredient), day)

    def left(self, what: str | None = None) -> int:
        """Units at the end."""
        return sum(self._changes[what].values())

    def left_share(self, what: str | None = None) -> float | None:
        """Share of the stock after the warm-up that is left at the end; None if there was none."""
        start = self._start(what)
        return self.left(what) / start if start else None

    def mean_left_share(self, what: str | None = None) -> float | None:
        """The same, on the average of all days after the warm-up."""
        start = self._start(what)
        if not start or self._days <= self._warm_up:
            return None
        left, day, area = start, self._warm_up, 0
        for at, change in self._later(what):
            area += left * (at - 1 - day)
            left, day = left + change, at - 1
        area += left * (self._days - day)
        return area / (start * (self._days - self._warm_up))

    def day_left(self, share: float, what: str | None = None) -> int | None:
        """The first day with no more than this share left; None if there is none."""
        start = self._start(what)
        left = start
        for day, change in self._later(what):
            left += change
            if start and left <= share * start:
                return day
        return None

    def first_empty_day(self, what: str | None = None) -> int | None:
        """The first day on which a place has nothing left of what it had, if there is one."""
        days = (day for cell, day in self._emptied.items() if what in (None, cell[1]))
        return min(days, default=None)

    def empty_share(self, what: str | None = None) -> float | None:
        """Share of the places' stocks that are used up at the end; None if there were none."""
        cells = [left for cell, left in self._left.items() if what in (None, cell[1])]
        return cells.count(0) / len(cells) if cells else None

    def _start(self, what: str | None) -> int:
        changes = self._changes[what].items()
        return sum(change for day, change in changes if day <= self._warm_up)

    def _later(self, what: str | None) -> list[tuple[int, int]]:
        """Changes after the warm-up, by day."""
        changes = self._changes[what].items()
        return sorted((day, change) for day, change in changes if day > self._warm_up)
