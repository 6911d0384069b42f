"""Studies in other processes: the same rows whoever simulates, whatever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from multiprocessing import active_children
from typing import TYPE_CHECKING, Any

import pytest
import studies
from small_studies import COST, loaded, written

from worldsim.study.executors.cluster import ClusterError
from worldsim.study.study import Study
from worldsim.study.work import DIED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worldsim.study.runner import Progress

PATIENCE_S = 60
DAYS, REPLICATIONS = 10, 4
PLUGIN = """
import os
def fragile(run):
    if run.manifest.seed == {broken}:
        raise RuntimeError("cannot read\\nthis one")
    if run.manifest.seed == {deadly}:
        os._exit(9)
    return run.manifest.seed % 1000
"""
KILLS = 10

posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills and forks")


@pytest.fixture(scope="module", name="wanted")
def _wanted(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What a study comes to, in this process."""
    folder = tmp_path_factory.mktemp("wanted")
    study = loaded(folder, COST, days=DAYS, replications=REPLICATIONS)
    return studies.results_of(study.run(folder / "study"))


@pytest.mark.long
@posix
def test_two_workers_give_the_same_bytes_as_none_even_if_one_is_killed(
    wanted: Any, tmp_path: Path
) -> None:
    killed: list[int | None] = []

    def kill(progress: Progress) -> None:
        if progress.done and not killed:
            victim = active_children()[0]
            killed.append(victim.pid)
            victim.kill()

    study = loaded(tmp_path, COST, days=DAYS, replications=REPLICATIONS)
    two = study.run(tmp_path / "two", executor="local", workers=2, on_progress=kill)
    assert killed
    assert studies.results_of(two) == wanted
    until = time.monotonic() + PATIENCE_S
    while active_children() and time.monotonic() < until:
        time.sleep(0.05)
    assert not active_children()


@pytest.mark.long
@posix
def test_a_campaign_that_fails_or_kills_its_workers_is_a_row_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = loaded(tmp_path, days=3, replications=5).plan
    seeds = [plain.seed(0, r) for r in range(5)]
    (tmp_path / "plugged.py").write_text(PLUGIN.format(broken=seeds[1], deadly=seeds[3]))
    package = tmp_path / "plugged-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[worldsim.metrics]\nfragile = plugged:fragile\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("worldsim.study.executors.local.MOST_TRIES", 2)  # starting takes a second
    study = loaded(tmp_path, 'metrics = ["fragile", "taken"]', days=3, replications=5)
    done = study.run(tmp_path / "study", executor="local", workers=1)
    found = [(row.seed, row.status, row.error) for _, row in sorted(done.rows.items())]
    assert found == [
        (seeds[0], "finished", None),
        (seeds[1], "failed", "RuntimeError: cannot read this one"),
        (seeds[2], "finished", None),
        (seeds[3], "failed", DIED),
        (seeds[4], "finished", None),
    ]
    assert done.manifest.status == "finished"
    assert done.rows[0, 4].values["fragile"] == seeds[4] % 1000


@contextmanager
def dask(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process of dask, ended afterwards."""
    command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
    quiet = {"DASK_LOGGING__DISTRIBUTED": "info", "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, **quiet}
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line_with(process: subprocess.Popen[str], words: str) -> str:
    """The first line with these words that a process says."""
    assert process.stderr is not None
    for line in process.stderr:
        if words in line:
            return line
    pytest.fail(f"nothing was said of {words!r}")


@posix
@pytest.mark.needs("distributed")
def test_a_cluster_gives_the_same_bytes_even_if_a_worker_is_killed(
    wanted: Any, tmp_path: Path
) -> None:
    here = ("--host", "127.0.0.1", "--no-dashboard")
    with dask("dask_scheduler", *here, "--port", "0") as scheduler:
        address = "tcp" + line_with(scheduler, "Scheduler at:").rpartition("tcp")[2].strip()
        worker = ("dask_worker", address, *here, "--no-nanny", "--nthreads", "1",
                  "--local-directory", str(tmp_path))  # fmt: skip
        with dask(*worker) as first, dask(*worker) as second:
            for each in (first, second):
                line_with(each, "Registered to:")

            def kill(progress: Progress) -> None:
                if progress.done:
                    first.kill()

            study = loaded(tmp_path, COST, days=DAYS, replications=REPLICATIONS)
            done = study.run(
                tmp_path / "study", executor="dask", scheduler=address, on_progress=kill
            )
            assert first.wait(PATIENCE_S) == -signal.SIGKILL
            assert second.poll() is None
    assert studies.results_of(done) == wanted


@pytest.mark.needs("distributed")
def test_a_cluster_that_does_not_answer_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worldsim.study.executors.cluster.CONNECT_S", 0.2)
    study = loaded(tmp_path).make(tmp_path / "study")
    with pytest.raises(ClusterError, match=r"127\.0\.0\.1:9"):
        study.resume(executor="dask", scheduler="tcp://127.0.0.1:9")
    assert Study.open(tmp_path / "study").manifest.status == "failed"


@posix
def test_a_study_that_is_killed_again_and_again_loses_nothing_and_does_nothing_twice(
    tmp_path: Path,
) -> None:
    script = "import sys, pathlib, studies\n"
    script += f"print(studies.kill_and_resume({KILLS}, 7, pathlib.Path(sys.argv[1])))"
    done = subprocess.run(  # forks belong in a process without threads
        [sys.executable, "-c", script, str(tmp_path)],
        capture_output=True, text=True, check=False, timeout=5 * PATIENCE_S,
        env={**os.environ, "PYTHONPATH": os.path.dirname(studies.__file__)},  # noqa: PTH120
    )  # fmt: skip
    assert done.stdout.startswith(f"{KILLS} kills"), done.stderr


@posix
@pytest.mark.parametrize(
    "executor", ["local", pytest.param("dask", marks=pytest.mark.needs("distributed"))]
)
def test_ctrl_c_drops_what_is_in_flight_ends_with_130_and_can_be_resumed(
    executor: str, tmp_path: Path
) -> None:
    written(tmp_path, days=100_000, replications=2)
    command = [sys.executable, "-m", "worldsim", "study", "run", "least.toml", "--out", "out"]
    process = subprocess.Popen(
        [*command, "--executor", executor, "--workers", "1"],
        cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    assert "simulating" in process.stderr.readline()
    time.sleep(2)
    asked = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: workers hear it too
    out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, err
    assert time.monotonic() - asked < 10  # two seconds on a machine that does nothing else
    assert "go on with: worldsim study resume" in err
    assert "Traceback" not in err
    assert not out
    assert Study.open(tmp_path / "out").manifest.status == "interrupted"
