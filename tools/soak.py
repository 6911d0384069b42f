"""Random small worlds under checkers that know nothing of the code, and real runs killed at random.

    python tools/soak.py                          # 50 worlds
    python tools/soak.py --worlds 500 --seed 7    # others, and more of them
    python tools/soak.py --seed 7 --world 31      # one of them again: what a failure asks for
    python tools/soak.py --kills 300              # kill -9, resume, and the same bytes

Progress goes to stderr, what was found to stdout. A world that fails is made small and printed.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "tests" / "replay")]

from soaking.kills import Killed, kill_many  # noqa: E402 - found on the path set above
from soaking.shrinking import shrink  # noqa: E402 - likewise
from soaking.watching import DAYS, Case, Failure, Seen, random_case, watch  # noqa: E402 - likewise

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20
WORLDS = 50
SHRUNK = 3
"""Failures that are made small, at most: the first few tell what is wrong."""
EVERY_S = 5.0
LONGEST_S = 120.0
"""For one world; a second is usual."""


@dataclass(slots=True)
class Found:
    """What came of many worlds.

    Attributes:
        failures: By the number of the world.
        shrunk: The text of a small world that fails in the same way, for some of them.
    """

    worlds: int = 0
    seen: Seen = field(default_factory=Seen)
    failures: dict[int, Failure] = field(default_factory=dict)
    shrunk: dict[int, str] = field(default_factory=dict)

    def add(self, number: int, seen: Seen) -> None:
        """Count one more world."""
        self.worlds += 1
        self.seen.events += seen.events
        self.seen.resumed += seen.resumed
        self.seen.replayed += seen.replayed
        self.seen.on_disk += seen.on_disk
        if seen.failure is not None:
            self.failures[number] = seen.failure


def live(seed: int, number: int, days: int) -> Seen:
    """One world under watch."""
    return patient(random_case(seed, number, days))


def patient(case: Case) -> Seen:
    """Watch a case for a while: a world that does not come to its end has failed as well."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"not at its end after {LONGEST_S} s")

    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, give_up)
        signal.setitimer(signal.ITIMER_REAL, LONGEST_S)
    try:
        return watch(case)
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)


def small(seed: int, number: int, days: int, failure: Failure) -> str:
    """A small world that fails as this one does, with what it takes to see it."""
    found = shrink(random_case(seed, number, days), failure, patient)
    case = found.case
    midnights = ", ".join(map(str, case.midnights)) or "none"
    return (
        f"# {found.failure.kind}\n# days: {case.days}; gone on with after days: {midnights};"
        f" {found.tried} smaller worlds tried\n{case.text}"
    )


def soak(seed: int, numbers: list[int], days: int, workers: int) -> Found:
    """Live through many worlds; the first few that fail are made small."""
    found, told = Found(), time.monotonic()
    for number, seen in _lived(seed, numbers, days, workers):
        found.add(number, seen)
        if time.monotonic() - told > EVERY_S or seen.failure:
            told = time.monotonic()
            note(f"{found.worlds} of {len(numbers)} worlds, {len(found.failures)} failed")
    for number in sorted(found.failures)[:SHRUNK]:
        note(f"making world {number} small")
        found.shrunk[number] = small(seed, number, days, found.failures[number])
    return found


def _lived(seed: int, numbers: list[int], days: int, workers: int) -> Iterator[tuple[int, Seen]]:
    if workers == 1:
        yield from ((number, live(seed, number, days)) for number in numbers)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        asked = {pool.submit(live, seed, number, days): number for number in numbers}
        for done in as_completed(asked):
            yield asked[done], done.result()


def note(text: str) -> None:
    """Say how far it is, to those who watch."""
    print(text, file=sys.stderr, flush=True)


def report(seed: int, days: int, found: Found, seconds: float) -> None:
    """Say what was found, for people."""
    seen = found.seen
    for number, failure in sorted(found.failures.items()):
        print(f"FAILED: world {number}, day {failure.day}: {failure.check}: {failure.what}\n")
        print(f"again: {again(seed, number, days)}\n")
        if number in found.shrunk:
            print(f"the same, small:\n\n{found.shrunk[number]}")
    print(
        f"{found.worlds} worlds of seed {seed}, {days} days each: {len(found.failures)} failed;"
        f" {seen.events.total():,} events of {len(seen.events)} kinds, gone on with"
        f" {seen.resumed} times, replayed {seen.replayed} times, {seen.on_disk} on disk;"
        f" {seconds:.0f} s"
    )


def report_kills(killed: Killed, seconds: float) -> None:
    """Say what came of killing runs, for people."""
    for failure in killed.failures:
        print(f"FAILED: {failure}\n")
    print(
        f"{killed.kills} kills of {killed.runs} runs: {len(killed.failures)} runs went wrong;"
        f" {killed.after_day_1} kills fell after day 1, {killed.amid_write} left something that was"
        f" not whole, {killed.by_command} were of the command; {seconds:.0f} s"
    )
    if not killed.enough_after_day_1:
        print("FAILED: too few of the kills fell after day 1")


def again(seed: int, number: int, days: int) -> str:
    """The line that shows a failure again."""
    return f"python tools/soak.py --seed {seed} --world {number}" + (
        f" --days {days}" if days != DAYS else ""
    )


def account(seed: int, days: int, found: Found, seconds: float) -> dict[str, Any]:
    """What was found, for programs."""
    return {
        "seed": seed,
        "days": days,
        "worlds": found.worlds,
        "failed": [
            {
                "world": number,
                "day": failure.day,
                "kind": failure.kind,
                "what": failure.what,
                "again": again(seed, number, days),
                "small": found.shrunk.get(number),
            }
            for number, failure in sorted(found.failures.items())
        ],
        "events": dict(sorted(found.seen.events.items())),
        "resumed": found.seen.resumed,
        "replayed": found.seen.replayed,
        "on_disk": found.seen.on_disk,
        "seconds": round(seconds, 1),
    }


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--worlds", type=int, metavar="N", help="how many random worlds")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the worlds; default {SEED}")
    parser.add_argument("--world", type=int, metavar="K", help="only this one of them")
    parser.add_argument("--days", type=int, default=DAYS, help=f"of each world; default {DAYS}")
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--kills", type=int, default=0, metavar="N", help="kill real runs so often")
    parser.add_argument("--json", action="store_true", dest="as_json", help="for programs")
    asked = parser.parse_args(arguments)
    if asked.worlds is not None and asked.worlds < 1:
        parser.error("--worlds must be at least 1; --kills N alone kills without any")
    return asked


def main(arguments: list[str] | None = None) -> int:
    """Run what was asked for; 1 if anything failed."""
    asked = parsed(arguments)
    begun = time.monotonic()
    told: dict[str, Any] = {}
    failed = False
    if asked.worlds is not None or asked.world is not None or not asked.kills:
        count = WORLDS if asked.worlds is None else asked.worlds
        numbers = list(range(count)) if asked.world is None else [asked.world]
        workers = min(asked.workers, len(numbers))
        found = soak(asked.seed, numbers, asked.days, workers)
        seconds = time.monotonic() - begun
        told["worlds"] = account(asked.seed, asked.days, found, seconds)
        failed = bool(found.failures)
        if not asked.as_json:
            report(asked.seed, asked.days, found, seconds)
    if asked.kills:
        killed = kill_many(asked.kills, asked.seed, asked.workers, note)
        told["kills"] = asdict(killed)
        failed |= bool(killed.failures) or not killed.enough_after_day_1
        if not asked.as_json:
            report_kills(killed, time.monotonic() - begun)
    if asked.as_json:
        print(json.dumps(told, indent=2))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
