"""Whether the shipped studies still answer what their files say: each is run and asked.

    python tools/answers.py                    all of them, as many campaigns as they ask for
    python tools/answers.py closed_season      one

Every interval in an answer, such as ``(153 to 304)``, must be one that the study prints, and so
must every other figure that the question and the design do not give.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import worldsim as ws
from worldsim.scenario import configs_dir
from worldsim.study.analysis import changes, figures, sensitivity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.study.intervals import Interval
    from worldsim.study.study import Study

NUMBER = r"-?\d+(?:\.\d+)?"
INTERVAL = re.compile(rf"\(({NUMBER})( %)? to ({NUMBER})(?: %)?\)")
FIGURE = re.compile(rf"(?<![\w.])({NUMBER})(?![\w.]*\d)( %)?")


def main() -> int:
    """Run the studies and look for the figures of their answers; 1 if one is missing."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="of shipped studies; all if none")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    shelf = configs_dir() / "studies"
    names = given.names or sorted(path.stem for path in shelf.glob("*.toml"))
    missing = 0
    for name in names:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as scratch:
            study = ws.Study.load(shelf / f"{name}.toml").run(
                Path(scratch) / name, executor="local", workers=given.workers
            )
            absent = list(not_printed(study))
        missing += len(absent)
        told = f"does not print {', '.join(absent)}" if absent else "prints what its answer says"
        print(f"{name} {told} ({time.monotonic() - begun:.0f} s)", flush=True)
    print(f"{len(names)} studies, {missing} figures missing")
    return 1 if missing else 0


def not_printed(study: Study) -> Iterator[str]:
    """Figures of the answer that are none of the study's."""
    table = study.plan.study.study
    answer, asked = table.answer or "", f"{table.question} {study.plan.study!r}"
    intervals = list(intervals_of(study))
    bounds = [(each.low, each.high) for each in intervals if None not in {each.low, each.high}]
    for found in INTERVAL.finditer(answer):
        low, percent, high = found.groups()
        if not any(
            {shown(one, low, percent), shown(two, high, percent)} == {low, high}
            or (shown(-two, low, percent), shown(-one, high, percent)) == (low, high)
            for one, two in bounds
            if one is not None and two is not None
        ):
            yield found[0]
    values = [each.estimate for each in intervals if each.estimate is not None]
    values += factors_of(study)
    given = set(re.findall(NUMBER, asked)) | {str(study.manifest.totals[-1])}
    for found in FIGURE.finditer(INTERVAL.sub("", answer)):
        text, percent = found.groups()
        if text not in given and not any(
            text in {shown(value, text, percent), shown(-value, text, percent)} for value in values
        ):
            yield found[0]


def shown(value: float, like: str, percent: str | None) -> str:
    """A value, written as a figure of the answer is."""
    return f"{value * (100 if percent else 1):.{len(like.partition('.')[2])}f}"


def intervals_of(study: Study) -> Iterator[Interval]:
    """All that the study prints with its bounds, of all cells and against each of them."""
    plan, rows = study.plan, study.rows
    for metric in plan.metrics:
        yield from (each.mean for each in figures(plan, rows, metric.name) if each.mean)
        if plan.design is not None and plan.design.kind == "morris":
            told = sensitivity(plan, rows, metric.name)
            yield from (each.size for each in told.morris)
        else:
            for base in plan.cells:
                yield from (each.difference for each in changes(plan, rows, metric.name, base))


def factors_of(study: Study) -> list[float]:
    """How many times the campaigns pairing was worth."""
    plan, rows = study.plan, study.rows
    if plan.design is not None and plan.design.kind == "morris":
        return []
    found = [
        each.comparison.variance_factor
        for metric in plan.metrics
        for base in plan.cells
        for each in changes(plan, rows, metric.name, base)
        if each.comparison is not None
    ]
    return [each for each in found if each is not None]


if __name__ == "__main__":
    sys.exit(main())
