"""A disk may refuse anything: the run says so, and what it promised is still there.

What is tried here is a sample; ``tools/faults.py`` tries all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from failures import WAYS, cases, refused
from trials import Tally

if TYPE_CHECKING:
    from trials import Bench
    from watched_disk import Kind

STRIDE = 61
KINDS = [kind for kind in WAYS if kind != "truncate"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_on_a_disk_that_refuses_ends_with_an_error_and_can_be_resumed(
    kind: Kind, bench: Bench
) -> None:
    tally = Tally()
    for case in [each for each in cases(bench) if each.kind == kind][::STRIDE]:
        tally.note(str(case), refused(bench, case))
    assert tally.tried
    assert not tally.problems


@pytest.mark.long
def test_a_run_that_goes_on_and_is_refused_can_be_resumed_once_more(bench: Bench) -> None:
    tally = Tally()
    for case in list(cases(bench, dead=120))[::STRIDE]:
        tally.note(str(case), refused(bench, case, dead=120))
    assert tally.tried > 5
    assert not tally.problems
