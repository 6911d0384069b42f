"""Power may go after any operation: what was promised is not lost, and the run ends the same.

What is tried here is a sample; ``tools/faults.py`` tries all. The steps of the protocol are all
left out in turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from mutants import NOT_NEEDED, caught, protocol
from power_cuts import Survival, cuts, cuts_while_resuming
from small_runs import small
from trials import Tally

if TYPE_CHECKING:
    from trials import Bench

STRIDE = 19
"""So that each fate is met."""


def test_a_run_survives_a_power_cut_after_any_operation(bench: Bench) -> None:
    tally, survival = Tally(), Survival(bench)
    found = cuts(bench.fresh())
    for cut in found[::STRIDE]:
        tally.note(str(cut), survival.problems(cut))
    assert tally.tried > 30
    assert not tally.problems
    days = small().campaign.days
    assert {cut.promised for cut in found} == {None, *range(0, days, 7), days, days + 1}


def test_a_run_survives_a_power_cut_while_it_is_resumed_after_another(bench: Bench) -> None:
    tally, survival = Tally(), Survival(bench)
    first = [cut for cut in cuts(bench.fresh()) if cut.promised is not None]
    for cut in (first[len(first) // 4], first[len(first) // 2 + 1]):
        for again in cuts_while_resuming(bench, cut)[: 25 * STRIDE : 2 * STRIDE]:
            tally.note(f"{cut}, then {again}", survival.problems(again))
    assert tally.tried > 10
    assert not tally.problems


@pytest.mark.long
def test_each_sync_of_the_protocol_is_missed_or_known_to_be_too_many(bench: Bench) -> None:
    survival = Survival(bench, known=cuts(bench.fresh()))
    steps = protocol(bench)
    survived = {
        step
        for step in dict.fromkeys(steps)
        if not caught(bench, survival, {n for n, each in enumerate(steps) if each == step})
    }
    assert len(set(steps)) > 20
    assert survived == set(NOT_NEEDED)
