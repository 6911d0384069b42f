"""A run may die before any operation on the disk, or in a write: it ends in the same bytes.

What is tried here is a sample; ``tools/faults.py`` tries all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trials import Tally, dying, operations

if TYPE_CHECKING:
    from trials import Bench

STRIDE = 13


def test_a_run_that_dies_before_an_operation_ends_the_same(bench: Bench) -> None:
    tally = Tally()
    for number in range(0, len(operations(bench)), STRIDE):
        tally.note(f"before {number}", dying(bench, number))
    assert tally.tried > 15
    assert not tally.problems


def test_a_run_that_dies_within_a_write_ends_the_same(bench: Bench) -> None:
    writes = [n for n, step in enumerate(operations(bench)) if step.kind == "write"]
    tally = Tally()
    for number in writes[:: STRIDE // 2]:
        tally.note(f"within {number}", dying(bench, number, half=True))
    assert tally.tried > 5
    assert not tally.problems


def test_a_run_whose_resuming_dies_too_ends_the_same(bench: Bench) -> None:
    count, tally = len(operations(bench)), Tally()
    for number in range(STRIDE, count - STRIDE, 7 * STRIDE):
        for again in range(0, 12, 3):
            tally.note(f"before {number}, then {again}", dying(bench, number, again))
    assert tally.tried > 10
    assert not tally.problems
