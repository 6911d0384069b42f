"""Golden journals of the shipped scenarios: what each of them tells, kept beside the tests.

Of a scenario small enough to read, the whole text is kept; of others the SHA-256 of every ten days
and how often each kind of event occurs. A change of rules, of chance or of a scenario shows here;
whoever makes it writes the transcripts anew and says in the commit why they changed.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

import worldsim as ws

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FOLDER = Path(__file__).parents[1] / "tests" / "transcripts"
DAYS = 30
STRETCH_DAYS = 10
AGAIN = "python tools/transcripts.py --write"


def journal(scenario: str) -> list[bytes]:
    """The first days of a scenario, line by line.

    The digest in the first line is left out: it changes with every option that is added to the
    scenario format, though nothing else may happen for it.
    """
    lines = list(ws.simulate(ws.load(scenario), days=DAYS).lines())
    first = json.loads(lines[0]) | {"digest": ""}
    return [msgspec.json.encode(first) + b"\n", *lines[1:]]


def whole(scenario: str) -> str:
    """Every line."""
    return b"".join(journal(scenario)).decode()


def digests(scenario: str) -> str:
    """SHA-256 of every ten days, each with the days before it, and counts per kind."""
    lines = journal(scenario)
    events: list[dict[str, Any]] = [json.loads(line) for line in lines]
    counts = Counter(event["event"] for event in events)
    account = {
        "lines": len(lines),
        "sha256": dict(_stretches(lines, [event["day"] for event in events])),
        "events": dict(sorted(counts.items())),
    }
    return json.dumps(account, indent=2) + "\n"


def _stretches(lines: Sequence[bytes], days: Sequence[int]) -> Iterator[tuple[str, str]]:
    for last in range(STRETCH_DAYS, DAYS + 1, STRETCH_DAYS):
        so_far = b"".join(line for line, day in zip(lines, days, strict=True) if day <= last)
        yield f"to day {last}", hashlib.sha256(so_far).hexdigest()


TRANSCRIPTS: dict[str, Callable[[], str]] = {
    "lone_colony.jsonl": lambda: whole("lone_colony"),
    "first_landing.json": lambda: digests("first_landing"),
    "contested_frontier.json": lambda: digests("contested_frontier"),
    "long_depletion.json": lambda: digests("long_depletion"),
}


def differences(name: str) -> list[str]:
    """How a transcript differs from what is told now: the first lines of a diff, none if equal."""
    path = FOLDER / name
    kept = path.read_text(encoding="utf-8") if path.exists() else ""
    told = TRANSCRIPTS[name]()
    if kept == told:
        return []
    diff = difflib.unified_diff(
        kept.splitlines(), told.splitlines(), f"kept/{name}", f"now/{name}", lineterm="", n=1
    )
    return list(diff)[:20]


def main() -> int:
    """Write the transcripts, or compare them; 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--write", action="store_true", help="write what is told now")
    asked.add_argument("--check", action="store_true", help="compare; 1 if anything differs")
    if parser.parse_args().write:
        for name, tell in TRANSCRIPTS.items():
            (FOLDER / name).write_text(tell(), encoding="utf-8", newline="\n")
            print(f"wrote {name}")
        return 0
    faults = [line for name in TRANSCRIPTS for line in differences(name)]
    if faults:
        print("\n".join(faults))
        print(f"\nIf this is meant: {AGAIN}, and say in the commit why.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
