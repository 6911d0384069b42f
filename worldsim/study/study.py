"""A study: many campaigns of a plan, in a folder, and what they say together."""

from __future__ import annotations

import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from worldsim.errors import InputError, WorldsimError
from worldsim.runs import Run
from worldsim.runs.driver import OutOfRangeError
from worldsim.runs.places import free_folder
from worldsim.runs.sources import state_of
from worldsim.runs.tidy import tidy_relation
from worldsim.scenario import ScenarioError
from worldsim.scenario.study_loading import with_scenarios
from worldsim.scenario.study_model import MOST_REPLICATIONS
from worldsim.scenario.writing import resolved_toml
from worldsim.study.checking import check_cells, read_plan
from worldsim.study.executors.cluster import Cluster
from worldsim.study.executors.here import Here
from worldsim.study.executors.local import Local
from worldsim.study.manifest import DamagedStudyError, StudyManifest
from worldsim.study.places import SCENARIOS, STUDIES, STUDY, run_name, standing, study_folder
from worldsim.study.publishing import publish
from worldsim.study.runner import carry_out
from worldsim.study.showing import study_panel
from worldsim.study.storage import StudyFolder, make_folder, read_manifest, read_rows, versions
from worldsim.study.table import columns_of, shape_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from worldsim.runs.tidy import Relation
    from worldsim.scenario.faults import KeyPath
    from worldsim.study.executors import Executor
    from worldsim.study.manifest import Status
    from worldsim.study.plan import Plan
    from worldsim.study.runner import Progress
    from worldsim.study.work import Outcome

ExecutorName = Literal["here", "local", "dask"]


class NotFurtherError(InputError):
    """A study is to have fewer replications than it has."""

    def __init__(self, study: str, given: int, has: int) -> None:
        super().__init__(study, given, has)
        self.study, self.given, self.has = study, given, has

    def __str__(self) -> str:
        return f"{self.study} has {self.has} replications, so {self.given} adds none: give more"


class OtherStudyError(WorldsimError):
    """A study's folder holds something else than was begun there."""

    def __init__(self, study: str, what: str) -> None:
        super().__init__(study, what)
        self.study, self.what = study, what

    def __str__(self) -> str:
        return f"{self.study} cannot be gone on with: {self.what}"


class Study:
    """Many campaigns, and what they say together.

    ``Study.load`` reads a file, ``run`` simulates it; ``Study.open`` reads what was simulated.

    Args:
        plan: What is simulated.
        path: The folder it is kept in; None before it is run.

    Attributes:
        plan: What is simulated.
        path: The folder it is kept in; None before it is run.
    """

    def __init__(self, plan: Plan, path: Path | None = None) -> None:
        self.plan = plan
        self.path = path

    @classmethod
    def load(cls, source: str | Path, *, sets: Sequence[str] = ()) -> Study:
        """Read a study file, and look at all it would simulate.

        Args:
            source: A path, or the name of a shipped study.
            sets: Overrides of its keys, as of ``--set``: ``"study.days=30"``.

        Raises:
            ScenarioError: with every fault found, in the file and in the scenarios it names.
        """
        loaded, plan = read_plan(source, sets=sets)
        check_cells(loaded, plan)
        return cls(plan)

    @classmethod
    def open(cls, folder: str | Path) -> Study:
        """Open the folder of a study, which may still be filled.

        Args:
            folder: Its path, or its name under ``studies/``.

        Raises:
            NotAStudyError: it is none.
            WorldsimError: it is damaged.
        """
        path = study_folder(folder)
        read_manifest(path)
        try:
            _, plan = read_plan(path / STUDY)
        except ScenarioError as error:
            reason = f"was damaged: {error.faults[0].problem}"
            raise DamagedStudyError(str(path / STUDY), reason) from error
        return cls(plan, path)

    @property
    def name(self) -> str:
        """Of the folder, or what the file calls it."""
        return self.plan.study.study.name if self.path is None else self.path.name

    @property
    def manifest(self) -> StudyManifest:
        """How far it is.

        Raises:
            WorldsimError: it was not run yet, or is damaged.
        """
        return read_manifest(self._folder)

    @property
    def state(self) -> Status:
        """What it is at: its manifest's status, but ``interrupted`` where it was killed."""
        return state_of(self.manifest.status, self._folder)

    @cached_property
    def rows(self) -> Mapping[tuple[int, int], Outcome]:
        """What became of each campaign, by cell and replication, when it was first asked for."""
        return read_rows(self._folder)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return study_panel(self)

    def table(self) -> Relation:
        """The tidy table, one row a campaign, sorted by cell and replication."""
        shape = shape_of(self.plan)
        return tidy_relation(shape, columns_of(self.plan, shape, self.rows.values()))

    def runs(self) -> Iterator[tuple[Outcome, Run]]:
        """The campaigns that were kept, where ``keep`` is ``tables`` or ``everything``."""
        for (cell, replication), outcome in sorted(self.rows.items()):
            folder = self._folder / run_name(cell, replication)
            if outcome.status == "finished" and folder.is_dir():
                yield outcome, Run.open(folder)

    def make(self, out: str | Path | None = None) -> Study:
        """Make its folder, in which nothing was simulated yet.

        Args:
            out: The folder, which must not exist; ``studies/NAME`` with the next free suffix if
                None.

        Raises:
            FolderTakenError: something is there.
            DiskError: it cannot be written.
        """
        plan, study = self.plan, self.plan.study
        folder = Path(out) if out is not None else free_folder(STUDIES, study.study.name)
        names = {path: f"{SCENARIOS}/{_file_name(path)}.toml" for path in plan.sources}
        moved = with_scenarios(study, names)
        files = {names[path]: text for path, text in plan.sources.items()}
        manifest = StudyManifest(
            name=study.study.name,
            digest=plan.digest,
            versions=versions(),
            totals=[study.study.replications],
            started=time.time(),
            status="interrupted",
        )
        make_folder(folder, manifest, files | {STUDY: resolved_toml(moved)})
        return Study.open(folder)

    def run(
        self,
        out: str | Path | None = None,
        *,
        executor: ExecutorName | Executor = "here",
        workers: int = 1,
        scheduler: str | None = None,
        stop: Callable[[], bool] | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Study:
        """Simulate it.

        Args:
            out: As of `make`.
            executor: ``here``: in this process; ``local``: in processes of this machine, for which
                a script of yours must call this below ``if __name__ == "__main__":``; ``dask``: on
                a cluster.
            workers: Processes of ``local``, and of ``dask`` without a scheduler.
            scheduler: Address of a dask scheduler.
            stop: Asked several times a second; if true, the study ends there as interrupted.
            on_progress: Told a few times a second how far it is.

        Returns:
            The study as it is kept.

        Raises:
            MissingExtraError: the executor needs a library that is not installed.
        """
        chosen = _executor(executor, workers, scheduler)  # nothing is made for one that can't be
        return self.make(out).resume(executor=chosen, stop=stop, on_progress=on_progress)

    def resume(
        self,
        *,
        replications: int | None = None,
        executor: ExecutorName | Executor = "here",
        workers: int = 1,
        scheduler: str | None = None,
        stop: Callable[[], bool] | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Study:
        """Simulate what is missing. What is there is not simulated again.

        Args:
            replications: More than there are in each cell, if it is to be extended.
            executor: As of `run`, and so are the others.
            workers: Likewise.
            scheduler: Likewise.
            stop: Likewise.
            on_progress: Likewise.

        Raises:
            OtherStudyError: it was begun by another worldsim, or its files were changed.
            NotFurtherError: there are as many replications already.
            InUseError: somebody else is at it.
        """
        chosen = _executor(executor, workers, scheduler)
        with StudyFolder(self._folder) as folder:
            self._check(folder.manifest)
            total = self._total(folder.manifest, replications)
            carry_out(
                self.plan, folder, chosen, total=total,
                stop=stop or (lambda: False), on_progress=on_progress,
            )  # fmt: skip
        return Study(self.plan, self.path)

    def extend(self, replications: int, **more: object) -> Study:
        """Add replications: as `resume`, with that many in each cell in all."""
        return self.resume(replications=replications, **more)  # type: ignore[arg-type]

    def publish(self, address: str) -> int:
        """Copy what is sealed to an address of ``fsspec``: parts that are not there yet, and more.

        Returns:
            Files copied.

        Raises:
            MissingExtraError: fsspec is not installed.
            PublishingError: the address cannot be written to.
        """
        return publish(self._folder, address)

    def _check(self, manifest: StudyManifest) -> None:
        """Refuse to add rows that would not be like those that are there."""
        made, here = manifest.versions["worldsim"], versions()["worldsim"]
        if made != here:
            what = f"it was begun by worldsim {made}, and this is {here}"
            raise OtherStudyError(str(self.path), what)
        if manifest.digest != self.plan.digest:
            what = f"{STUDY} or a file of {SCENARIOS}/ was changed; copy it and run it as a new one"
            raise OtherStudyError(str(self.path), what)
        beyond = (run for run in self.rows if run[0] >= len(self.plan.cells))
        if next(beyond, None) is not None:
            raise DamagedStudyError(str(self.path), "has rows of cells that are not in its plan")

    def _total(self, manifest: StudyManifest, replications: int | None) -> int:
        has = manifest.totals[-1]
        if replications is None:
            return has
        if not 1 <= replications <= MOST_REPLICATIONS:
            raise OutOfRangeError("replications", replications, 1, MOST_REPLICATIONS)
        if replications <= has:
            raise NotFurtherError(str(self.path), replications, has)
        return replications

    @property
    def _folder(self) -> Path:
        if self.path is None:
            raise WorldsimError(f"the study {self.name} was not run yet")
        return self.path


def _executor(given: ExecutorName | Executor, workers: int, scheduler: str | None) -> Executor:
    if not isinstance(given, str):
        return given
    if given == "local":
        return Local(workers)
    return Cluster(scheduler, workers) if given == "dask" else Here()


def _file_name(path: KeyPath) -> str:
    """What a scenario is called in the study's folder, by the key that names it."""
    return "base" if len(path) < 4 else f"variant_{path[3]}"  # noqa: PLR2004 - a variant's path


def same_studies(study: Study) -> list[Study]:
    """Those under ``studies/`` that would have the same rows, and go by the same name."""
    found = []
    for folder in standing(study.plan.study.study.name):
        try:
            other = Study.open(folder)
            same = other.manifest.digest == study.plan.digest
        except WorldsimError:
            continue
        found += [other] if same else []
    return found
