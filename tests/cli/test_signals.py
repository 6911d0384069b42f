"""Signals during a run, and during a query."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from worldsim.cli.signals import INTERRUPTED, SIGNALS, StopAsked

ENDLESS = "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000000) c"
ONE_LONG_STEP = "SELECT sum(length(repeat(repeat('x', 1000), 1000000))) FROM range(1000)"
BUSY_S = 1.5  # of CPU: more than starting takes, so that the query is running
PATIENCE_S = 60


def cpu_seconds(process: subprocess.Popen[str]) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads CPU time in /proc")
@pytest.mark.parametrize("sql", [ENDLESS, ONE_LONG_STEP])
@pytest.mark.parametrize("command", ["query", "events"])
def test_ctrl_c_ends_any_query(at_work: Path, command: str, sql: str) -> None:
    given = [sql] if command == "query" else ["--where", f"seq < 0 * ({sql})"]
    words = [sys.executable, "-m", "worldsim", command, "new_world-1", *given]
    pipe = subprocess.PIPE
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored here
    try:
        process = subprocess.Popen(words, cwd=at_work, stdout=pipe, stderr=pipe, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    with process:
        try:
            end = time.monotonic() + PATIENCE_S
            while cpu_seconds(process) < BUSY_S:
                assert process.poll() is None, process.communicate()
                assert time.monotonic() < end, "the query does not get to work"
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
    assert process.returncode == INTERRUPTED
    assert said.strip() == "error: interrupted"


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
