"""Signals during a run, and during a query."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from worldsim.cli.signals import INTERRUPTED, SIGNALS, StopAsked, cut_off

ENDLESS = "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c"
ONE_LONG_STEP = "SELECT sum(length(repeat(repeat('x', 1000), 1000000))) FROM range(1000)"
BUSY_S = 1.5  # of CPU: more than starting takes, so that the query is running
PATIENCE_S = 60
IN_PROC = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads CPU time in /proc")
STUDY = """
schema = 1
[study]
name = "endless"
scenario = "world.toml"
days = 5
replications = 1
seed = 3
[[metrics]]
name = "endless"
sql = "{sql}"
"""


def cpu_seconds(process: subprocess.Popen[str]) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@IN_PROC
@pytest.mark.parametrize("sql", [ENDLESS, ONE_LONG_STEP])
@pytest.mark.parametrize("command", ["query", "events"])
def test_ctrl_c_ends_any_query(at_work: Path, command: str, sql: str) -> None:
    given = [sql] if command == "query" else ["--where", f"seq < 0 * ({sql})"]
    assert interrupted(command, "new_world-1", *given, cwd=at_work) == "error: interrupted"


@IN_PROC
@pytest.mark.parametrize("sql", [ENDLESS, ONE_LONG_STEP])
def test_ctrl_c_ends_a_study_whose_metric_is_endless_before_it_has_a_folder(
    at_work: Path, sql: str
) -> None:
    study = at_work / "endless.toml"
    study.write_text(STUDY.format(sql=sql), encoding="utf-8")
    assert interrupted("study", "run", study.name, cwd=at_work, busy_s=5) == "error: interrupted"
    assert not (at_work / "studies" / "endless").exists()


def test_ctrl_c_is_obeyed_even_where_it_was_taken_for_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("worldsim.cli.signals.GRACE_S", PATIENCE_S)  # or it would end the tests
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), cut_off(), suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def interrupted(*words: str, cwd: Path, busy_s: float = BUSY_S) -> str:
    """What a command says that is interrupted once it has used so many seconds of CPU."""
    pipe = subprocess.PIPE
    args = [sys.executable, "-m", "worldsim", *words]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored here
    try:
        process = subprocess.Popen(args, cwd=cwd, stdout=pipe, stderr=pipe, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        try:
            end = time.monotonic() + PATIENCE_S
            while cpu_seconds(process) < busy_s:
                assert process.poll() is None, process.communicate()
                assert time.monotonic() < end, "the query does not get to work"
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    assert process.returncode == INTERRUPTED, said
    return said.strip()


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_signal_asks_and_the_second_stops_at_once(
    number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    with StopAsked() as stop:
        assert not stop()
        signal.raise_signal(number)
        assert stop()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(number)
    assert "once more stops at once" in capfd.readouterr().err


def test_afterwards_signals_mean_what_they_meant_before() -> None:
    before = [signal.getsignal(number) for number in SIGNALS]
    with StopAsked():
        assert [signal.getsignal(number) for number in SIGNALS] != before
    assert [signal.getsignal(number) for number in SIGNALS] == before
