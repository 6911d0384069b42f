"""Studies whose figures are made up, so that nothing has to be simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from worldsim.study.checking import read_plan
from worldsim.study.storage import StudyFolder
from worldsim.study.study import Study
from worldsim.study.work import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from typing import Literal

    from worldsim.study.plan import Plan

    Value = float | None
    Status = Literal["running", "finished", "interrupted", "failed"]

HEAD = """schema = 1
[study]
name = "made_up"
question = {question}
scenario = "lone_colony"
days = 100
replications = {replications}
seed = 3
metrics = [{metrics}]
"""
COST = """
[[factors]]
name = "cost"
key = "rules.gathering.one_success_cost"
values = [{values}]
"""
MORRIS = """
[design]
kind = "morris"
points = 4
[[factors]]
name = "first"
key = "rules.gathering.one_success_cost"
range = [0, 2]
[[factors]]
name = "second"
key = "rules.gathering.two_success_cost"
range = [0, 2]
"""
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "'-alert(1)-'",
    "</script><script>alert(1)</script>",
    '<b>bold</b><br><a href="javascript:alert(1)">x</a>',
    "=cmd|'/c calc'!A1",
    "+1+1",
    "@SUM(A1)",
    "%{x}{{y}}${z}",
    "&lt;b&gt;&amp;",
    "\u202eevil\u202c",
    "a\u0301" * 30,
    "long" * 45,
    "`${alert(1)}`",
    "{{constructor.constructor('alert(1)')()}}",
)


@dataclass(frozen=True)
class Made:
    """What a study is made of.

    Attributes:
        folder: A new one.
        more: What its file says besides.
        metrics: Their names.
        replications: In each cell.
        values: Of each metric, by cell and replication; a failure is an error's text, a campaign
            that is missing raises LookupError.
        status: Of the study.
        question: It is to answer.
    """

    folder: Path
    values: Callable[[int, int, str], Value | str]
    more: str = ""
    metrics: Iterable[str] = ("taken",)
    replications: int = 12
    status: Status = "finished"
    question: str = "Which?"

    def study(self) -> Study:
        """It, as it is kept in a folder."""
        file = self.folder / "made_up.toml"
        metrics = ", ".join(f"'{each}'" for each in self.metrics)
        head = HEAD.format(
            replications=self.replications, metrics=metrics, question=_literal(self.question)
        )
        file.write_text(head + self.more, encoding="utf-8")
        return self.filled(read_plan(file)[1])

    def filled(self, plan: Plan) -> Study:
        """Another study with such values, as it is kept in a folder."""
        study = Study(plan).make(self.folder / "made_up")
        assert study.path is not None
        with StudyFolder(study.path) as folder:
            folder.begin(self.replications)
            for cell, replication in study.plan.order(0, self.replications):
                outcome = self._outcome(study, cell, replication)
                if outcome is not None:
                    folder.add(outcome)
            folder.end(self.status)
        return Study.open(study.path)

    def _outcome(self, study: Study, cell: int, replication: int) -> Outcome | None:
        seed = study.plan.seed(cell, replication)
        values: dict[str, Value] = {}
        for metric in study.plan.metrics:
            try:
                value = self.values(cell, replication, metric.name)
            except LookupError:
                return None
            if isinstance(value, str):
                return Outcome(cell, replication, seed, "failed", {}, None, value, 0.1)
            values[metric.name] = value
        return Outcome(cell, replication, seed, "finished", values, "d" * 64, None, 0.1)


def costs(*values: int) -> str:
    """A factor of so many cells."""
    return COST.format(values=", ".join(map(str, values)))


def hostile_factors(names: Iterable[str] = HOSTILE) -> str:
    """Factors that are called by such names, and take them as values."""
    words = list(names)
    tables = (
        f"[[factors]]\nname = {_literal(name)}\nkey = 'colonies.lone.sector'\n"
        f"values = [{_literal(name)}, {_literal(words[0])}]\n"
        for name in words
    )
    return '[design]\nkind = "list"\n' + "".join(tables)


def wavy(cell: int, replication: int, _: str) -> float:
    """Values that differ between cells by more than chance, without a law."""
    return 100.0 + 10 * cell + (replication * 7919 % 13) + 0.5 * (replication * (cell + 1) % 3)


def _literal(text: str) -> str:
    """A text as TOML has it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
