"""All that can befall the disk under a run, each in turn; the tests take a sample of it.

Prints what was tried, and ends with 1 if a run did not end as if nothing had been.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

DURABLE = Path(__file__).parents[1] / "tests" / "durable"
sys.path.insert(0, str(DURABLE))

import failures  # noqa: E402  # found only now
import mutants  # noqa: E402
import power_cuts  # noqa: E402
from small_runs import Reference, Shortcuts  # noqa: E402
from trials import Bench, Tally, dying, operations  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DEAD = 120
"""Where a run dies that then goes on, on a disk that refuses; the second part is open."""


def deaths(bench: Bench, share: slice) -> Tally:
    """Before every operation, and within every write."""
    tally = Tally()
    for number, step in list(enumerate(operations(bench)))[share]:
        tally.note(f"before {number} {step}", dying(bench, number))
        if step.kind == "write":
            tally.note(f"within {number} {step}", dying(bench, number, half=True))
    return tally


def second_deaths(bench: Bench, share: slice) -> Tally:
    """While resuming what died: before each of its first operations, and some later ones."""
    tally = Tally()
    pairs = [
        (number, again)
        for number in range(0, len(operations(bench)) - 20, 9)
        for again in (*range(10), 12, 15, 18)
    ]
    for number, again in pairs[share]:
        tally.note(f"before {number}, then {again}", dying(bench, number, again))
    return tally


def cuts(bench: Bench, share: slice) -> Tally:
    """Of the power, after every operation, in four ways."""
    tally, survival = Tally(), power_cuts.Survival(bench)
    for cut in power_cuts.cuts(bench.fresh())[share]:
        tally.note(str(cut), survival.problems(cut))
    return tally


def second_cuts(bench: Bench, share: slice) -> Tally:
    """While resuming after one: after each of the first operations, and some later ones."""
    first = power_cuts.cuts(bench.fresh())
    tally, survival = Tally(), power_cuts.Survival(bench, known=first)
    for cut in [cut for cut in first[::21] if cut.promised is not None][share]:
        found = power_cuts.cuts_while_resuming(bench, cut)
        for again in [*found[:60:3], *found[60::37]]:
            tally.note(f"{cut}, then {again}", survival.problems(again))
    return tally


def missing_syncs(bench: Bench, share: slice) -> Tally:
    """Steps of the protocol left out in turn: all but those known to be too many are missed."""
    survival = power_cuts.Survival(bench, known=power_cuts.cuts(bench.fresh()))
    tally, steps = Tally(), mutants.protocol(bench)
    for step in list(dict.fromkeys(steps))[share]:
        numbers = {n for n, each in enumerate(steps) if each == step}
        found = mutants.caught(bench, survival, numbers)
        needed = step not in mutants.NOT_NEEDED
        wrong = "survived" if needed else f"needed: {found}"
        tally.note(f"without {step}", [] if needed == bool(found) else [wrong])
    return tally


def refusals(bench: Bench, share: slice) -> Tally:
    """Of every operation, in every way."""
    tally = Tally()
    for case in list(failures.cases(bench))[share]:
        tally.note(str(case), failures.refused(bench, case))
    return tally


def second_refusals(bench: Bench, share: slice) -> Tally:
    """While resuming a run that died; that the disk is full was tried before."""
    tally = Tally()
    cases = [case for case in failures.cases(bench, DEAD) if case.how != "ENOSPC"]
    for case in cases[share]:
        tally.note(str(case), failures.refused(bench, case, DEAD))
    return tally


TRIALS: dict[str, Callable[[Bench, slice], Tally]] = {
    "deaths": deaths,
    "second-deaths": second_deaths,
    "cuts": cuts,
    "second-cuts": second_cuts,
    "missing-syncs": missing_syncs,
    "refusals": refusals,
    "second-refusals": second_refusals,
}


def tried(name: str, share: slice) -> Tally:
    """A share of the trials of one sort, in a folder that is gone afterwards."""
    shortcuts = Shortcuts()
    with TemporaryDirectory(prefix="worldsim-") as scratch, shortcuts.taken():
        bench = Bench(Path(scratch), Reference.made(Path(scratch)))
        return TRIALS[name](bench, share)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the trials, and say how they ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=TRIALS, action="append", help="one sort of trials")
    parser.add_argument("--stride", type=int, default=1, help="only each so many-th trial")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    given = parser.parse_args(arguments)
    failed, step = 0, given.jobs * given.stride
    shares = [slice(job * given.stride, None, step) for job in range(given.jobs)]
    with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
        for name in given.only or TRIALS:
            begun = time.monotonic()
            tallies = list(pool.map(tried, [name] * given.jobs, shares))
            problems = [problem for tally in tallies for problem in tally.problems]
            count, seconds = sum(tally.tried for tally in tallies), time.monotonic() - begun
            print(f"{name}: {count} tried, {len(problems)} failed, {seconds:.0f} s", flush=True)
            for problem in problems:
                print(f"  {problem}")
            failed += len(problems)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
