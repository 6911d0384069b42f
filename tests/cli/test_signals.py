"""Signals during a run."""

from __future__ import annotations

import signal

import pytest

from worldsim.cli.signals import SIGNALS, StopAsked


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
