"""The books: they balance to the unit, or name the accounts that differ."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldsim.errors import BrokenInvariantError
from worldsim.world.ledger import Ledger, UnbalancedError, column_sums

if TYPE_CHECKING:
    from collections.abc import Callable

amounts = st.lists(st.integers(0, 10**9), min_size=6, max_size=6)


@pytest.mark.rule("RES-6")
@given(amounts)
def test_what_came_equals_where_it_is(units: list[int]) -> None:
    regrown, ground, carried, stored, eaten, lost = units
    ledger = Ledger(["berry"], [ground + carried + stored + eaten + lost])
    ledger.regrown[0] = regrown
    ledger.eaten[0], ledger.lost[0] = eaten, lost
    ledger.check(3, ground=[ground + regrown], carried=[carried], stored=[stored])


def spoil_initial(ledger: Ledger) -> None:
    ledger.initial[1] += 1


def spoil_regrown(ledger: Ledger) -> None:
    ledger.regrown[1] += 1


def spoil_eaten(ledger: Ledger) -> None:
    ledger.eaten[1] -= 1


def spoil_lost(ledger: Ledger) -> None:
    ledger.lost[1] += 1


@pytest.mark.rule("RES-6")
@pytest.mark.parametrize("spoil", [spoil_initial, spoil_regrown, spoil_eaten, spoil_lost])
def test_one_unit_in_any_book_stops_the_run_and_names_the_ingredient(
    spoil: Callable[[Ledger], None],
) -> None:
    ledger = Ledger(["berry", "ore"], [10, 25])
    ledger.regrown, ledger.eaten, ledger.lost = [0, 5], [1, 4], [0, 6]
    ledger.check(1, ground=[6, 8], carried=[2, 7], stored=[1, 5])
    spoil(ledger)
    with pytest.raises(UnbalancedError) as caught:
        ledger.check(9, ground=[6, 8], carried=[2, 7], stored=[1, 5])
    assert "day 9" in str(caught.value)
    assert len(caught.value.lines) == 1
    assert caught.value.lines[0].startswith("ore: ")


@pytest.mark.rule("RES-6")
@pytest.mark.parametrize("account", ["ground", "carried", "stored"])
@pytest.mark.parametrize("by", [1, -1])
def test_one_unit_too_many_or_too_few_anywhere_is_found(account: str, by: int) -> None:
    there = {"ground": [6], "carried": [3], "stored": [1]}
    ledger = Ledger(["berry"], [10])
    ledger.check(1, **there)
    there[account][0] += by
    with pytest.raises(UnbalancedError, match=f"{account} {there[account][0]}"):
        ledger.check(1, **there)


@pytest.mark.rule("RES-6")
def test_every_ingredient_that_differs_is_named_at_once() -> None:
    ledger = Ledger(["berry", "ore", "fish"], [1, 2, 3])
    with pytest.raises(UnbalancedError) as caught:
        ledger.check(2, ground=[1, 1, 4], carried=[0] * 3, stored=[0] * 3)
    assert [line.split(":")[0] for line in caught.value.lines] == ["ore", "fish"]


def test_the_error_survives_pickling_as_simpy_needs() -> None:
    fault = UnbalancedError(4, ["ore: 1 and 2"])
    again = pickle.loads(pickle.dumps(fault))  # noqa: S301 - our own bytes
    assert str(again) == str(fault)
    assert isinstance(again, BrokenInvariantError)


def test_columns_are_summed_and_no_rows_are_zeros() -> None:
    assert column_sums([[1, 2], [3, 4], [5, 6]], 2) == [9, 12]
    assert column_sums([], 3) == [0, 0, 0]
