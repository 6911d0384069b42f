"""How fast worldsim is, everything in one run: a table for people, ``--json`` for programs.

The unit is what SimPy itself costs: one ``env.timeout(1)`` a team-day for 100 teams, timed in the
same process before, between and after. Machines differ and are noisy; ratios to the unit travel.

    python tools/bench.py                       # all of it, some twenty minutes
    python tools/bench.py --quick               # shorter runs
    python tools/bench.py speed journal         # some parts
    python tools/bench.py --compiled            # the source beside this tool, compiled first
    python tools/bench.py --against REV         # two revisions, in turn, and their ratio

Exit codes: 0 done, 1 a figure is not to be believed or a part failed, 2 wrong arguments.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from benching.builds import NoSuchRevisionError, NotCompiledError, compiled
from benching.children import CHILD, ChildError, be_child, in_child
from benching.plan import Measured, Plan
from benching.table import as_json, show

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def parts() -> dict[str, Callable[[Plan], Measured]]:
    """The parts by name, in the order in which they are measured."""
    from benching import (  # noqa: PLC0415 - a child needs only one of them
        checkpoints,
        duels,
        journal,
        memory,
        peers,
        profile,
        queries,
        scale,
        speed,
        startup,
    )

    return {
        "speed": speed.speed,
        "days": scale.days,
        "teams": scale.teams,
        "journal": journal.journal,
        "queries": queries.queries,
        "startup": startup.startup,
        "checkpoints": checkpoints.checkpoints,
        "profile": profile.profile,
        "peers": peers.peers,
        "memory": memory.memory,
        "duels": duels.duels,
    }


def arguments(known: list[str]) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[*known, []], help="all of them if none")
    parser.add_argument("--only", choices=known, action="append", help="the same, one at a time")
    parser.add_argument("--quick", action="store_true", help="shorter runs")
    parser.add_argument("--json", action="store_true", help="figures for programs")
    parser.add_argument("--compiled", action="store_true", help="compile the source beside first")
    parser.add_argument("--against", metavar="REV", help="compare with a revision instead")
    return parser.parse_args()


def measure(given: argparse.Namespace, known: dict[str, Callable[[Plan], Measured]]) -> int:
    """Run the parts asked for, and print what they found; the exit code."""
    wanted = [*given.parts, *(given.only or [])] or list(known)
    with ExitStack() as stack:
        source = None
        if given.compiled:
            source = compiled(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        plan = Plan(quick=given.quick, source=source)
        about: dict[str, Any] = {
            "cores": os.cpu_count(),
            "python": sys.version.split()[0],
            **in_child("children.build_in_use", source=source),
        }
        if not given.json:
            print(f"worldsim {about['version']}, {about['build']} build, Python {about['python']}")
        results: dict[str, Measured] = {}
        for part in wanted:
            print(f"measuring {part} …", file=sys.stderr)
            results[part] = known[part](plan)
    if given.json:
        print(json.dumps(as_json(results, about)))
    else:
        show(results)
    faults = [f"{part}: {fault}" for part, each in results.items() for fault in each.faults]
    for fault in faults:
        print(f"not to be believed: {fault}", file=sys.stderr)
    return 1 if faults else 0


def main() -> int:
    """Run what was asked for; the exit code."""
    if sys.argv[1:2] == [CHILD]:
        be_child(*sys.argv[2:])
        return 0
    known = parts()
    given = arguments(list(known))
    try:
        if given.against:
            from benching.against import against  # noqa: PLC0415 - seldom asked for

            return against(
                given.against,
                quick=given.quick,
                as_json=given.json,
                compile_both=given.compiled,
            )
        return measure(given, known)
    except (ChildError, NotCompiledError) as fault:
        print(fault, file=sys.stderr)
        return 1
    except NoSuchRevisionError as fault:
        print(fault, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
